-- By what a line is known leads its index: with import and phase in front, as in the ledger's other indexes, the planner took any of them while it
-- knew little of a table that grows by the second, and went through the whole import for each key.

create index import_rows_by_known_key on app.import_rows (org_id, key) where key is not null;
drop index app.import_rows_by_key;
