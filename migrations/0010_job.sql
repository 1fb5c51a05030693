-- What the servers do by the clock, once for all of them: whoever takes a job's lease runs it.

create schema job;

create table job.job (
    name         text primary key,
    -- Cron, in UTC, as the version that started last has it.
    schedule     text not null,
    next_run_at  timestamptz not null,
    -- Raised by every lease. What a run records names its fence, so one that outlived its lease overwrites nothing.
    fence        bigint not null default 0 constraint job_fence_not_negative check (fence >= 0),
    -- Null while nobody runs it; in the past if whoever ran it died.
    leased_until timestamptz
);

-- One row per lease; the job's fence names the last. Older ones are deleted by count.
create table job.run (
    name       text not null references job.job,
    fence      bigint not null,
    started_at timestamptz not null,
    -- Null while it runs, and for ever if whoever ran it died or was overtaken.
    ended_at   timestamptz,
    outcome    text constraint run_outcome_known check (outcome in ('succeeded', 'failed', 'stopped')),
    -- How many of what it did, as far as it came.
    count      bigint not null default 0,
    note       text not null default '',
    error      text,
    primary key (name, fence),
    constraint run_ended_has_outcome check ((ended_at is null) = (outcome is null)),
    constraint run_failed_has_error check ((outcome is not distinct from 'failed') = (error is not null))
);
