-- Holds are walked in the order of their ends, page by page.
drop index ledger.payment_by_hold_expiry;
create index payment_by_hold_expiry on ledger.payment (tenant_id, hold_expires_at, payment_id) where held > 0;

-- Not by what remains, which every change of a lot changes: an update that leaves all indexes as they are is cheaper. Empty
-- lots are deleted after their time.
drop index ledger.lot_by_expiry;
create index lot_by_expiry on ledger.lot (tenant_id, expires_at);

-- What an asset is held in follows from its rule, and corrections and payouts are never undone by deleting them.
create function ledger.refuse_other_rule() returns trigger
language plpgsql as $$
begin
    raise exception 'the expiry rule of an asset is set when it is created'
        using errcode = 'check_violation', constraint = tg_name;
end
$$;

create trigger asset_expiry_is_final before update of expiry on ledger.asset
    for each row when (old.expiry is distinct from new.expiry) execute function ledger.refuse_other_rule();
create trigger adjustment_stays before delete or truncate on ledger.adjustment
    for each statement execute function ledger.refuse_rewrite();
create trigger payout_stays before delete or truncate on ledger.payout
    for each statement execute function ledger.refuse_rewrite();
