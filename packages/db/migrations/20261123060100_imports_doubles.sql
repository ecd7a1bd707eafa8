-- A first file has no one to compare with but itself: rows that seem to mean the same person find each other when the check ends.

alter table app.import_rows
  add column marks bigint[],
  add column same_as integer,
  add constraint import_rows_marks_check check (cardinality(marks) <= 10),
  add constraint import_rows_same_as_check check (same_as < line);

comment on column app.import_rows.marks is 'Check of people: hashes of e-mail and name (kind 0), birth date and name (1), chapter and name (2), the kind in the last two bits';
comment on column app.import_rows.same_as is 'The earlier line of the file that means the same person';

create index import_rows_doubles on app.import_rows (org_id, import_id, same_as) where same_as is not null;
grant insert (marks, same_as), update (same_as, findings) on app.import_rows to app_access;
