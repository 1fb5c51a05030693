-- A marker is written once, with its answer, at the end of its operation's database transaction: there is none without an
-- outcome, and whoever comes second with a key breaks the primary key and undoes all that he wrote.
alter table ledger.marker
    drop constraint marker_verdict_has_body,
    alter column verdict set not null,
    alter column body set not null,
    reset (fillfactor);
