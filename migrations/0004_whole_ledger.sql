-- The whole ledger: holds, value that expires, limits, lanes, transfers, corrections, payouts and their reversals.

-- Policy: whether customers may hand an asset to each other, and how long its value lasts.
alter table ledger.asset
    add column transferable boolean not null default false,
    -- 'days:N' is the end of the local day N days later, 'months:N' the end of the local month N months later; null is
    -- for ever. An asset with a rule is held in lots, so the rule is set when the asset is created.
    add column expiry text constraint asset_expiry_form check (expiry ~ '^(days|months):[1-9][0-9]{0,2}$');

-- What one account may do with an asset, judged on its usage under the lock of its balance.
create table ledger.operation_limit (
    tenant_id       uuid not null,
    asset_code      text not null,
    kind            text not null constraint operation_limit_kind_known check (kind in ('pay', 'top_up', 'transfer')),
    per_operation   numeric(26, 8) constraint operation_limit_per_operation_positive check (per_operation > 0),
    -- Days and months are the tenant's local ones.
    per_day         numeric(26, 8) constraint operation_limit_per_day_positive check (per_day > 0),
    per_month       numeric(26, 8) constraint operation_limit_per_month_positive check (per_month > 0),
    min_interval_s  integer constraint operation_limit_interval_positive check (min_interval_s > 0),
    primary key (tenant_id, asset_code, kind),
    constraint operation_limit_asset foreign key (tenant_id, asset_code) references ledger.asset
);

-- What an account has used of its limits: the totals of the local day and month in which it last acted.
create table ledger.usage (
    tenant_id   uuid not null,
    account_id  uuid not null,
    asset_code  text not null,
    kind        text not null,
    day_on      date not null,
    day_total   numeric(26, 8) not null constraint usage_day_not_negative check (day_total >= 0),
    month_total numeric(26, 8) not null constraint usage_month_not_less_than_day check (month_total >= day_total),
    last_at     timestamptz not null,
    primary key (tenant_id, account_id, asset_code, kind)
) with (fillfactor = 50);

-- What is held for payments that are authorised and not yet captured counts as spent; what an account owes is paid
-- from what it earns next.
alter table ledger.balance
    add column held numeric(26, 8) not null default 0,
    add column owed numeric(26, 8) not null default 0 constraint balance_owed_not_negative check (owed >= 0),
    add constraint balance_spares_what_is_held check (held between 0 and amount);

-- One index serves a balance as of any instant and the pages of an account's history, lane by lane.
alter table ledger.entry add column lane smallint not null default 0 constraint entry_lane_range check (lane >= 0);
create index entry_by_balance on ledger.entry
    (tenant_id, account_id, asset_code, lane, occurred_at desc, transaction_id desc, leg desc);
drop index ledger.entry_by_account;

-- The lanes that servers use for the accounts that collect. Two servers on one lane wait for each other and are as right.
create table ledger.lane (
    lane         smallint primary key constraint lane_range check (lane >= 0),
    holder_id    uuid not null,
    leased_until timestamptz not null
);

alter table ledger.transaction
    -- Why, or the words that a transfer carries.
    add column memo text,
    drop constraint transaction_kind_known,
    add constraint transaction_kind_known check (kind in (
        'pay', 'authorize', 'capture', 'void', 'expire_hold', 'refund', 'top_up', 'cancel_top_up', 'transfer', 'grant',
        'expire', 'reverse', 'propose_adjustment', 'apply_adjustment', 'decline_adjustment', 'settle', 'fail_payout',
        'set_account_status', 'fence'
    ));

-- A payment that is authorised holds what is not captured yet. Whatever ends a payment or refunds it releases the rest.
alter table ledger.payment
    add column held numeric(26, 8) not null default 0,
    -- When what is held is released by itself; null for a payment that never held anything.
    add column hold_expires_at timestamptz,
    -- Points that were earned and went into what the payer owed.
    add column points_withheld numeric(26, 8) not null default 0,
    drop constraint payment_captured_within_amount,
    drop constraint payment_status_agrees,
    add constraint payment_captured_within_amount check (captured >= 0 and held >= 0 and captured + held <= amount),
    add constraint payment_points_withheld_within_earned check (points_withheld between 0 and points_earned),
    add constraint payment_hold_has_an_end check (held = 0 or hold_expires_at is not null),
    add constraint payment_status_agrees check (
        case status
            when 'processing' then captured = 0 and held = 0
            when 'authorized' then captured = 0 and held = amount
            when 'captured' then captured > 0 and refunded = 0
            when 'partially_refunded' then refunded > 0 and refunded < captured and held = 0
            when 'refunded' then refunded > 0 and refunded = captured and held = 0
            when 'voided' then captured = 0 and held = 0
            when 'expired' then captured = 0 and held = 0
            when 'failed' then captured = 0 and held = 0
            else false
        end
    );

create index payment_by_hold_expiry on ledger.payment (tenant_id, hold_expires_at) where held > 0;

-- 'captured' to 'captured' is a further capture, or the release of what was not captured.
create or replace function ledger.payment_move_is_allowed(from_status text, to_status text) returns boolean
language sql immutable as $$
    select case from_status
        when 'processing' then to_status in ('authorized', 'captured', 'failed')
        when 'authorized' then to_status in ('captured', 'voided', 'expired')
        when 'captured' then to_status in ('captured', 'partially_refunded', 'refunded')
        when 'partially_refunded' then to_status in ('partially_refunded', 'refunded')
        else from_status is null and to_status in ('processing', 'authorized', 'captured')
    end
$$;

-- Points to take back that the payer had already spent: owed from then on.
alter table ledger.refund
    add column points_owed numeric(26, 8) not null default 0 constraint refund_points_owed_not_negative check (points_owed >= 0);

-- Value that expires together: what a customer holds of an asset with an expiry rule is the sum of these.
create table ledger.lot (
    tenant_id  uuid not null,
    account_id uuid not null,
    asset_code text not null,
    expires_at timestamptz not null,
    -- Whether money was paid for it, or it was given.
    paid       boolean not null,
    remaining  numeric(26, 8) not null constraint lot_not_negative check (remaining >= 0),
    primary key (tenant_id, account_id, asset_code, expires_at, paid)
) with (fillfactor = 50);

create index lot_by_expiry on ledger.lot (tenant_id, expires_at) where remaining > 0;

-- What an operation did to each lot; a refund restores the lots of its payment.
create table ledger.lot_use (
    tenant_id      uuid not null,
    transaction_id uuid not null,
    number         smallint not null,
    -- The transaction's subject: the payment, the top-up.
    subject_id     uuid not null,
    account_id     uuid not null,
    asset_code     text not null,
    expires_at     timestamptz not null,
    paid           boolean not null,
    amount         numeric(26, 8) not null constraint lot_use_not_zero check (amount <> 0),
    primary key (tenant_id, transaction_id, number)
);

create index lot_use_by_subject on ledger.lot_use (tenant_id, subject_id);

-- What was undone, and by which transaction; the primary key undoes nothing twice.
create table ledger.reversal (
    tenant_id      uuid not null,
    -- The top-up, or the transaction of a transfer or grant.
    reversed_id    uuid not null,
    transaction_id uuid not null,
    reason         text not null,
    actor          text not null,
    created_at     timestamptz not null,
    primary key (tenant_id, reversed_id)
);

-- A correction of a balance: proposed by one, applied or declined by another.
create table ledger.adjustment (
    tenant_id     uuid not null,
    adjustment_id uuid not null,
    account_id    uuid not null,
    asset_code    text not null,
    -- What is added; below zero, what is taken.
    amount        numeric(26, 8) not null constraint adjustment_not_zero check (amount <> 0),
    reason        text not null,
    status        text not null constraint adjustment_status_known check (status in ('proposed', 'applied', 'declined')),
    proposed_by   text not null,
    proposed_at   timestamptz not null,
    decided_by    text,
    decided_at    timestamptz,
    primary key (tenant_id, adjustment_id),
    constraint adjustment_decided check ((status = 'proposed') = (decided_by is null and decided_at is null)),
    constraint adjustment_takes_two check (status <> 'applied' or decided_by <> proposed_by)
);

create index adjustment_by_status on ledger.adjustment (tenant_id, status, adjustment_id);

-- A merchant's balance paid out to its bank account. One that the bank sends back is failed, and its money is put back.
create table ledger.payout (
    tenant_id  uuid not null,
    payout_id  uuid not null,
    account_id uuid not null,
    asset_code text not null,
    amount     numeric(26, 8) not null constraint payout_amount_positive check (amount > 0),
    status     text not null constraint payout_status_known check (status in ('paid', 'failed')),
    reason     text,
    actor      text not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (tenant_id, payout_id),
    constraint payout_failed_has_reason check ((status = 'failed') = (reason is not null))
);

create index payout_by_account on ledger.payout (tenant_id, account_id, payout_id);

-- What is final stays so.
create function ledger.refuse_move() returns trigger
language plpgsql as $$
begin
    raise exception 'a % that is % may not change', tg_table_name, old.status
        using errcode = 'check_violation', constraint = tg_name;
end
$$;

create trigger account_closed_is_final before update of status on ledger.account
    for each row when (old.status = 'closed') execute function ledger.refuse_move();
create trigger adjustment_is_decided_once before update on ledger.adjustment
    for each row when (old.status <> 'proposed') execute function ledger.refuse_move();
create trigger payout_fails_once before update on ledger.payout
    for each row when (old.status <> 'paid') execute function ledger.refuse_move();

create trigger lot_use_append_only before update or delete or truncate on ledger.lot_use
    for each statement execute function ledger.refuse_rewrite();
create trigger reversal_append_only before update or delete or truncate on ledger.reversal
    for each statement execute function ledger.refuse_rewrite();

-- A key whose operation may never happen: its marker was written before the operation came.
alter table ledger.marker
    drop constraint marker_verdict_known,
    add constraint marker_verdict_known check (verdict in ('applied', 'rejected', 'fenced'));

-- The tenant's own accounts that this version adds; a tenant that is founded later opens them with the others.
insert into ledger.account (tenant_id, account_id, kind, name, created_at)
select t.tenant_id, ('00000000-0000-7000-8000-00000000000' || s.number)::uuid, 'system', s.name, t.created_at
from ledger.tenant t, (values (4, 'campaign'), (5, 'expired'), (6, 'settlement'), (7, 'adjustment')) as s (number, name)
on conflict do nothing;
