-- An undo that could not take everything back stays open: what was held back can be tried again when what held it is gone.

alter table app.imports drop constraint imports_status_check;
alter table app.imports add constraint imports_status_check
  check (status in ('uploaded', 'checking', 'checked', 'running', 'done', 'failed', 'cancelled', 'undoing', 'undone', 'partly_undone'));

-- Of an undo, only lines about which something was left to say are ever looked at again.
alter policy import_rows_remove on app.import_rows
  using (org_id = (select app.org_id()) and (phase = 'check' or (phase = 'undo' and findings <> '[]'))
    and exists (select from app.imports i where i.org_id = import_rows.org_id and i.id = import_rows.import_id));

-- Undos from before kept rows and were over. Those whose 7 days are not past can be gone on with.
update app.imports i set status = 'partly_undone'
where i.status = 'undone' and exists (select from app.import_rows r
  where r.org_id = i.org_id and r.import_id = i.id and r.phase = 'undo' and r.findings <> '[]');
