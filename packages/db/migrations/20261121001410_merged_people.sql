-- Where a merged record went, so that its old address still leads to the person.

alter table app.people
  add column merged_into uuid,
  add constraint people_merged_into foreign key (org_id, merged_into) references app.people (org_id, id),
  add constraint people_merged_once check (merged_into is null or (lifecycle = 'merged' and merged_into <> id));
comment on column app.people.merged_into is 'The record that this one was merged into and that stands for the person since';
create index people_by_survivor on app.people (org_id, merged_into);
