-- The ledger: who holds what, every change of it, and the marker of every command.
--
-- Every key begins with tenant_id: a batch touches one tenant, and a sharded PostgreSQL can distribute by it.
-- Ids are UUIDv7, made by the application; there are no sequences and no foreign keys on the hot path: the planner
-- names only what it has read under lock, and `koban verify` proves the references.
-- Amounts are numeric(26,8): 18 digits before the point, which Rust's Decimal holds without loss.

create schema ledger;

create table ledger.tenant (
    tenant_id  uuid primary key,
    slug       text not null constraint tenant_slug_unique unique,
    name       text not null,
    -- The host name under which the tenant's pages are served; null for the only tenant of a server.
    host       text constraint tenant_host_unique unique,
    time_zone  text not null default 'Asia/Tokyo',
    created_at timestamptz not null
);

-- What can be held. Caps, bonus and point rates are the tenant's policy for the asset.
create table ledger.asset (
    tenant_id   uuid not null references ledger.tenant,
    asset_code  text not null
        constraint asset_code_form check (asset_code ~ '^(ECOPAY|POINT|JCREDIT|REGIONAL#[a-z0-9-]{1,32})$'),
    name_ja     text not null,
    name_en     text not null,
    -- Digits after the point; the asset has no smaller unit.
    scale       smallint not null constraint asset_scale_range check (scale between 0 and 8),
    sign        text not null,
    sign_before boolean not null,
    -- The balance that a charge may not lift above (the bonus may); null is no cap.
    cap         numeric(26, 8) constraint asset_cap_positive check (cap > 0),
    -- Bonus per unit charged, and points per unit paid.
    bonus_rate  numeric(8, 6) not null default 0 constraint asset_bonus_rate_range check (bonus_rate between 0 and 1),
    point_rate  numeric(8, 6) not null default 0 constraint asset_point_rate_range check (point_rate between 0 and 1),
    primary key (tenant_id, asset_code)
);

create table ledger.account (
    tenant_id  uuid not null references ledger.tenant,
    account_id uuid not null,
    kind       text not null constraint account_kind_known check (kind in ('customer', 'merchant', 'system')),
    status     text not null default 'active' constraint account_status_known check (status in ('active', 'frozen', 'closed')),
    name       text not null,
    -- What a payer types or a terminal scans to name this account; system accounts have none.
    code       text,
    created_at timestamptz not null,
    primary key (tenant_id, account_id),
    constraint account_code_unique unique (tenant_id, code)
);

create index account_by_kind on ledger.account (tenant_id, kind, account_id);

-- One row per account, asset and lane. System accounts have none: theirs is the sum of their entries.
-- The low fillfactor keeps updates on their page (HOT), which a hot merchant needs.
create table ledger.balance (
    tenant_id  uuid not null,
    account_id uuid not null,
    asset_code text not null,
    -- An account that only collects may have a row per server, so that servers never wait for each other.
    lane       smallint not null default 0 constraint balance_lane_range check (lane >= 0),
    amount     numeric(26, 8) not null constraint balance_not_negative check (amount >= 0),
    updated_at timestamptz not null,
    primary key (tenant_id, account_id, asset_code, lane),
    constraint balance_account foreign key (tenant_id, account_id) references ledger.account,
    constraint balance_asset foreign key (tenant_id, asset_code) references ledger.asset
) with (fillfactor = 50);

-- Totals that are not money, such as the CO2 that an account's payments saved.
create table ledger.metric (
    tenant_id  uuid not null,
    account_id uuid not null,
    name       text not null,
    amount     numeric(26, 8) not null,
    updated_at timestamptz not null,
    primary key (tenant_id, account_id, name)
) with (fillfactor = 50);

create table ledger.transaction (
    tenant_id      uuid not null,
    transaction_id uuid not null,
    kind           text not null constraint transaction_kind_known check (kind in ('pay', 'top_up', 'refund')),
    -- The payment or top-up that it belongs to.
    subject_id     uuid not null,
    actor          text not null,
    -- The idempotency key under which it happened, kept after its marker has expired.
    marker_key     text not null,
    occurred_at    timestamptz not null,
    primary key (tenant_id, transaction_id)
);

create table ledger.entry (
    tenant_id      uuid not null,
    transaction_id uuid not null,
    leg            smallint not null constraint entry_leg_range check (leg >= 0),
    account_id     uuid not null,
    asset_code     text not null,
    amount         numeric(26, 8) not null constraint entry_not_zero check (amount <> 0),
    -- The balance of the account in the asset just after this entry; null for system accounts.
    balance_after  numeric(26, 8) constraint entry_balance_not_negative check (balance_after >= 0),
    occurred_at    timestamptz not null,
    primary key (tenant_id, transaction_id, leg)
);

-- An account's history, and its balance as of any instant, from one look-up.
create index entry_by_account on ledger.entry (tenant_id, account_id, occurred_at desc, transaction_id desc, leg desc);

create table ledger.payment (
    tenant_id           uuid not null,
    payment_id          uuid not null,
    payer_account_id    uuid not null,
    merchant_account_id uuid not null,
    asset_code          text not null,
    amount              numeric(26, 8) not null constraint payment_amount_positive check (amount > 0),
    captured            numeric(26, 8) not null,
    refunded            numeric(26, 8) not null default 0,
    status              text not null,
    memo                text,
    points_earned       numeric(26, 8) not null default 0 constraint payment_points_not_negative check (points_earned >= 0),
    points_returned     numeric(26, 8) not null default 0,
    co2_saved_kg        numeric(26, 8) not null default 0,
    actor               text not null,
    created_at          timestamptz not null,
    updated_at          timestamptz not null,
    primary key (tenant_id, payment_id),
    constraint payment_captured_within_amount check (captured between 0 and amount),
    constraint payment_refunded_within_captured check (refunded between 0 and captured),
    constraint payment_points_returned_within_earned check (points_returned between 0 and points_earned),
    constraint payment_status_agrees check (
        case status
            when 'captured' then captured > 0 and refunded = 0
            when 'partially_refunded' then refunded > 0 and refunded < captured
            when 'refunded' then refunded > 0 and refunded = captured
            when 'processing' then captured = 0
            when 'authorized' then captured = 0
            when 'voided' then captured = 0
            when 'expired' then captured = 0
            when 'failed' then captured = 0
            else false
        end
    )
);

create index payment_by_merchant on ledger.payment (tenant_id, merchant_account_id, created_at desc, payment_id desc);
create index payment_by_payer on ledger.payment (tenant_id, payer_account_id, created_at desc, payment_id desc);

-- Every change of a payment's status. The table of allowed moves stands here, in `ledger::payment` and nowhere else.
create table ledger.payment_event (
    tenant_id   uuid not null,
    payment_id  uuid not null,
    event_id    uuid not null,
    from_status text,
    to_status   text not null,
    actor       text not null,
    reason      text,
    occurred_at timestamptz not null,
    primary key (tenant_id, payment_id, event_id)
);

create function ledger.payment_move_is_allowed(from_status text, to_status text) returns boolean
language sql immutable as $$
    select case from_status
        when 'processing' then to_status in ('authorized', 'captured', 'failed')
        when 'authorized' then to_status in ('captured', 'voided', 'expired')
        when 'captured' then to_status in ('partially_refunded', 'refunded')
        when 'partially_refunded' then to_status in ('partially_refunded', 'refunded')
        else from_status is null and to_status in ('processing', 'authorized', 'captured')
    end
$$;

alter table ledger.payment_event
    add constraint payment_event_move_allowed check (ledger.payment_move_is_allowed(from_status, to_status));

create function ledger.guard_payment_move() returns trigger
language plpgsql as $$
begin
    if not ledger.payment_move_is_allowed(old.status, new.status) then
        raise exception 'a payment may not move from % to %', old.status, new.status
            using errcode = 'check_violation', constraint = 'payment_move_allowed';
    end if;
    return new;
end
$$;

create trigger payment_move_allowed before update of status on ledger.payment
    for each row execute function ledger.guard_payment_move();

create table ledger.refund (
    tenant_id       uuid not null,
    refund_id       uuid not null,
    payment_id      uuid not null,
    amount          numeric(26, 8) not null constraint refund_amount_positive check (amount > 0),
    points_returned numeric(26, 8) not null default 0 constraint refund_points_not_negative check (points_returned >= 0),
    reason          text not null,
    actor           text not null,
    created_at      timestamptz not null,
    primary key (tenant_id, refund_id)
);

create index refund_by_payment on ledger.refund (tenant_id, payment_id, created_at);

create table ledger.top_up (
    tenant_id     uuid not null,
    top_up_id     uuid not null,
    account_id    uuid not null,
    asset_code    text not null,
    amount        numeric(26, 8) not null constraint top_up_amount_positive check (amount > 0),
    bonus         numeric(26, 8) not null default 0 constraint top_up_bonus_not_negative check (bonus >= 0),
    balance_after numeric(26, 8) not null,
    actor         text not null,
    created_at    timestamptz not null,
    primary key (tenant_id, top_up_id)
);

-- One row per idempotency key: what was asked (its fingerprint) and what came of it. It is written in the database
-- transaction of its operation, so a marker without a verdict is never visible to anybody else.
create table ledger.marker (
    tenant_id   uuid not null,
    actor       text not null,
    key         text not null constraint marker_key_length check (length(key) between 1 and 255),
    kind        text not null,
    fingerprint bytea not null constraint marker_fingerprint_length check (length(fingerprint) = 32),
    verdict     text constraint marker_verdict_known check (verdict in ('applied', 'rejected')),
    -- The answer's bytes, as they were first sent.
    body        text,
    created_at  timestamptz not null,
    expires_at  timestamptz not null,
    primary key (tenant_id, actor, key),
    constraint marker_verdict_has_body check ((verdict is null) = (body is null))
) with (fillfactor = 60);

create index marker_by_expiry on ledger.marker (expires_at);

-- How strictly a surface asks for idempotency keys; a surface without a row is at stage 'optional'.
create table ledger.key_stage (
    tenant_id uuid not null references ledger.tenant,
    surface   text not null constraint key_stage_surface_known check (surface in ('api', 'form', 'terminal')),
    stage     text not null constraint key_stage_known check (stage in ('optional', 'observed', 'required')),
    primary key (tenant_id, surface)
);

-- Conflicts, replays, missing keys and the like, counted per minute.
create table ledger.counter (
    tenant_id uuid not null,
    name      text not null,
    minute_at timestamptz not null,
    count     bigint not null,
    primary key (tenant_id, name, minute_at)
);

-- Double entry, judged by the database: the entries of a transaction are inserted by one statement and sum to zero
-- for each asset.
create function ledger.guard_entries_balance() returns trigger
language plpgsql as $$
begin
    if exists (
        select from inserted group by tenant_id, transaction_id, asset_code having sum(amount) <> 0
    ) then
        raise exception 'entries of a transaction do not sum to zero'
            using errcode = 'check_violation', constraint = 'entry_sums_to_zero';
    end if;
    return null;
end
$$;

create trigger entry_sums_to_zero after insert on ledger.entry
    referencing new table as inserted
    for each statement execute function ledger.guard_entries_balance();

-- What happened stays: these tables only grow.
create function ledger.refuse_rewrite() returns trigger
language plpgsql as $$
begin
    raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end
$$;

create trigger transaction_append_only before update or delete or truncate on ledger.transaction
    for each statement execute function ledger.refuse_rewrite();
create trigger entry_append_only before update or delete or truncate on ledger.entry
    for each statement execute function ledger.refuse_rewrite();
create trigger payment_event_append_only before update or delete or truncate on ledger.payment_event
    for each statement execute function ledger.refuse_rewrite();
create trigger refund_append_only before update or delete or truncate on ledger.refund
    for each statement execute function ledger.refuse_rewrite();
create trigger top_up_append_only before update or delete or truncate on ledger.top_up
    for each statement execute function ledger.refuse_rewrite();
