-- The check says of each row whom or what it means and what it would change; changes that someone has to accept wait in the ledger.

alter table app.import_rows
  add column label text,
  add column kinds text[],
  add column accepted boolean,
  add constraint import_rows_label_check check (char_length(label) <= 400),
  add constraint import_rows_kinds_check check (cardinality(kinds) between 1 and 100);

comment on column app.import_rows.key is 'What the line is known by, to find a second line of the same file that means the same; null for most rejected lines; "held:" and a code where lines below it have to wait';
comment on column app.import_rows.effects is 'Phase run: what was written, for undo; check: what would be changed; undo: what was put back. [{table, key, before, after, shown}]; before and after are null for a new row, shown has names for ids that are not there yet';
comment on column app.import_rows.label is 'Name of the person, chapter, group or office that the line means';
comment on column app.import_rows.kinds is 'Kinds of change to something that was there, such as email:add; null when there are none';
comment on column app.import_rows.accepted is 'Null: nobody is asked. False: the line stays out until someone accepts what it changes';

create index import_rows_waiting on app.import_rows (org_id, import_id, line) where accepted = false;

create policy import_rows_change on app.import_rows for update to app_access
  using (org_id = (select app.org_id()) and phase = 'check'
    and exists (select from app.imports i where i.org_id = import_rows.org_id and i.id = import_rows.import_id))
  with check (org_id = (select app.org_id()) and phase = 'check');
grant insert (label, kinds, accepted), update (outcome, key, accepted) on app.import_rows to app_access;
