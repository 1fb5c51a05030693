-- Markers are swept tenant by tenant, the longest expired first.
drop index ledger.marker_by_expiry;
create index marker_by_expiry on ledger.marker (tenant_id, expires_at);
