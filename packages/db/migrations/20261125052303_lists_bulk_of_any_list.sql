-- Changes of many records at once are for any list: their effects name a record, whatever it is.

drop index app.bulk_effects_by_person;
alter table app.bulk_effects drop constraint bulk_effects_org_id_person_id_fkey;
alter table app.bulk_effects rename column person_id to record_id;
comment on table app.bulk_effects is 'Records that a bulk change changed, until it is undone. Not in the audit log: the rows that a bulk change wrote have entries of their own';
comment on column app.bulk_effects.before is 'What undo needs: the former value, or the id of the row that was made';
