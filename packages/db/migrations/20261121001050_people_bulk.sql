-- What a change to many people did to each of them, so that it can be taken back exactly; and the archive as a list.

create table app.bulk_effects (
  org_id uuid not null,
  job_id uuid not null,
  person_id uuid not null,
  before jsonb not null default '{}',
  primary key (org_id, job_id, person_id),
  foreign key (org_id, job_id) references app.job_progress on delete cascade,
  foreign key (org_id, person_id) references app.people on delete cascade
);
comment on table app.bulk_effects is 'People that a bulk change changed, until it is taken back';
comment on column app.bulk_effects.before is 'What undo needs: the former value, or the id of the row that was made';
create index bulk_effects_by_person on app.bulk_effects (org_id, person_id);

alter table app.bulk_effects enable row level security;
alter table app.bulk_effects force row level security;
create policy bulk_effects_definer on app.bulk_effects to app_definer using (org_id is not null) with check (org_id is not null);
-- A job belongs to who started it, and so do its effects.
create policy bulk_effects_read on app.bulk_effects for select to app_access using (
  org_id = (select app.org_id()) and exists (select 1 from app.job_progress j where j.org_id = bulk_effects.org_id and j.id = bulk_effects.job_id));
create policy bulk_effects_add on app.bulk_effects for insert to app_access with check (
  org_id = (select app.org_id()) and exists (select 1 from app.job_progress j where j.org_id = bulk_effects.org_id and j.id = bulk_effects.job_id));
create policy bulk_effects_remove on app.bulk_effects for delete to app_access using (
  org_id = (select app.org_id()) and exists (select 1 from app.job_progress j where j.org_id = bulk_effects.org_id and j.id = bulk_effects.job_id));
grant select, delete, insert (org_id, job_id, person_id, before) on app.bulk_effects to app_access;

create index people_archived on app.people (org_id, sort_name, id) where deleted_at is not null;
