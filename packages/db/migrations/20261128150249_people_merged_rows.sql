-- All that hangs on a person goes with them when their record is merged into another, also of people merged before.

create table app_private.person_references (
  tab name not null,
  col name not null default 'person_id',
  place int not null default 1,
  moves boolean not null default true,
  why text not null default '',
  row_key name not null default 'id',
  single text,
  along text not null default 'true',
  primary key (tab, col),
  check (moves or why <> '')
);
comment on table app_private.person_references is 'What a column that names a person becomes when the person is merged: every foreign key to people stands here';
comment on column app_private.person_references.place is 'Order in which tables follow, those that others look at first';
comment on column app_private.person_references.moves is 'The row follows to the record that stays; unless that one has the same already, which a constraint of the table says';
comment on column app_private.person_references.why is 'Why a row does not follow by this list';
comment on column app_private.person_references.row_key is 'Tells the rows of one person apart';
comment on column app_private.person_references.single is 'Condition on the primary one among the rows of a person, which stays the one of the record that stays';
comment on column app_private.person_references.along is 'Condition on a row t that follows to the person $3';
grant select on app_private.person_references to app_definer;

insert into app_private.person_references (tab, place, single) values
  ('affiliations', 0, 'is_primary and ends_on is null'), ('person_emails', 1, 'is_primary'), ('person_phones', 1, 'is_primary');
insert into app_private.person_references (tab, place, row_key) values
  ('person_contacts', 1, 'person_id'), ('person_private', 1, 'person_id'), ('person_office_notes', 1, 'person_id'), ('event_invitations', 1, 'event_id');
insert into app_private.person_references (tab) values
  ('accounts'), ('person_external_ids'), ('group_members'), ('memberships'), ('transfers'), ('event_staff'), ('registrations'), ('notifications'),
  ('invoices'), ('payments'), ('payment_methods'), ('receipts');
insert into app_private.person_references (tab, place, row_key, along) values
  ('note_versions', 2, 'number', 'exists (select from app.notes n where n.org_id = t.org_id and n.id = t.note_id and n.record_id = $3)'),
  ('membership_terms', 2, 'id', 'exists (select from app.memberships m where m.org_id = t.org_id and m.id = t.membership_id and m.person_id = $3)');
insert into app_private.person_references (tab, place) values ('position_holders', 2);
insert into app_private.person_references (tab, col) values ('registrations', 'payer_id'), ('comments', 'author_id'), ('notes', 'author_id');
insert into app_private.person_references (tab, col, moves, why) values
  ('person_tags', 'person_id', false, 'Copied by move_person, since its key is the person'),
  ('people_field_values', 'person_id', false, 'Copied by people_fields_follow: the record that stays keeps its own values'),
  ('membership_standings', 'person_id', false, 'Calculated from the memberships'),
  ('people', 'merged_into', false, 'Says where the record went'),
  ('lifecycle_overrides', 'person_id', false, 'Decided about the record that goes; the other one has its own status'),
  ('member_cards', 'person_id', false, 'Names the record that it was issued for'),
  ('public_names', 'person_id', false, 'Each record has a consent of its own'),
  ('mail_messages', 'person_id', false, 'Was written for the address of the record; one that still waits is not sent'),
  ('dues_run_items', 'person_id', false, 'What a run decided about this record at its time; its invoice follows');

-- An issued paper stays as it is; only the record it belongs to may become the one that stands for the person since.
do $$
declare
  f record;
  body text;
begin
  for f in values ('app_private.invoices_stay()'::regprocedure, '  if old.state = ''draft'' then return new; end if;'), ('app_private.receipts_stay()'::regprocedure, 'begin') loop
    body := pg_get_functiondef(f.column1);
    if position(f.column2 in body) = 0 then raise exception '% has changed', f.column1; end if;
    execute regexp_replace(body, f.column2, format(E'%s\n  if tg_op = ''UPDATE'' and to_jsonb(new) - array[''person_id'', ''balance_amount'', ''version'', ''updated_at''] = to_jsonb(old) - array[''person_id'', ''balance_amount'', ''version'', ''updated_at'']\n    and exists (select from app.people p where p.org_id = old.org_id and p.id = old.person_id and p.merged_into = new.person_id) then return new; end if;', f.column2));
  end loop;
end $$;

do $$
declare r app_private.person_references;
begin
  for r in select * from app_private.person_references x where x.moves loop
    execute format('grant select, update (%I) on app.%I to app_definer', r.col, r.tab);
    if r.single is not null then execute format('grant update (is_primary) on app.%I to app_definer', r.tab); end if;
  end loop;
end $$;
grant select, delete, insert (org_id, person_id, tag_id) on app.person_tags to app_definer;

create function app_private.move_person(org uuid, gone uuid, stays uuid) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  r app_private.person_references;
  k text;
  moving text;
begin
  -- Who stays keeps their own picture; the other one is left where it was.
  update app.files f set record_id = stays where f.org_id = org and f.record_type = 'person' and f.record_id = gone
    and not (f.use = 'picture' and f.removed_at is null and exists (select from app.files k where k.org_id = org and k.record_type = 'person'
      and k.record_id = stays and k.use = 'picture' and k.removed_at is null));
  update app.people p set picture_id = f.id
    from (select p.id as person, (select f.id from app.files f where f.org_id = org and f.record_type = 'person' and f.record_id = p.id and f.use = 'picture' and f.removed_at is null)
      from app.people p where p.org_id = org and p.id in (gone, stays)) f (person, id)
    where p.org_id = org and p.id = f.person and p.picture_id is distinct from f.id;
  update app.comment_withheld w set record_id = stays where w.org_id = org and w.record_type = 'person' and w.record_id = gone;
  update app.comments c set record_id = stays where c.org_id = org and c.record_type = 'person' and c.record_id = gone;
  update app.notes n set record_id = stays where n.org_id = org and n.record_type = 'person' and n.record_id = gone;
  insert into app.person_tags (org_id, person_id, tag_id) select t.org_id, stays, t.tag_id from app.person_tags t where t.org_id = org and t.person_id = gone
    on conflict do nothing;
  delete from app.person_tags t where t.org_id = org and t.person_id = gone;
  for r in select * from app_private.person_references x where x.moves order by x.place, x.tab, x.col loop
    if r.single is not null then
      execute format('update app.%1$I set is_primary = false where org_id = $1 and %2$I = $2 and %3$s
        and exists (select from app.%1$I k where k.org_id = $1 and k.%2$I = $3 and %3$s)', r.tab, r.col, r.single) using org, gone, stays;
    end if;
    moving := format('update app.%1$I t set %2$I = $3 where t.org_id = $1 and t.%2$I = $2 and %3$s', r.tab, r.col, r.along);
    begin
      execute moving using org, gone, stays;
    exception when integrity_constraint_violation then
      -- One by one, so that only what the other record has already is left behind.
      for k in execute format('select distinct t.%I::text from app.%I t where t.org_id = $1 and t.%I = $2', r.row_key, r.tab, r.col) using org, gone loop
        begin
          execute format('%s and t.%I::text = $4', moving, r.row_key) using org, gone, stays, k;
        exception when integrity_constraint_violation then null;
        end;
      end loop;
    end;
  end loop;
end $$;
comment on function app_private.move_person(uuid, uuid, uuid) is 'Lets all that hangs on a record that was merged follow to the one that stays, as person_references says';

create or replace function app.people_records_follow() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare m record;
begin
  for m in select c.org_id as org, c.id as gone, c.merged_into as stays from changed c join before b on b.org_id = c.org_id and b.id = c.id
      where c.merged_into is not null and c.merged_into is distinct from b.merged_into loop
    perform app_private.move_person(m.org, m.gone, m.stays);
  end loop;
  return null;
end $$;
comment on function app.people_records_follow() is 'Lets what hangs on people follow when they are merged';
select app_private.own_definers();

-- Those merged before, from the far end of a chain of merges.
do $$
declare m record;
begin
  for m in
    with recursive far (org_id, id, merged_into, steps) as (
      select p.org_id, p.id, p.merged_into, 0 from app.people p where p.merged_into is not null
        and not exists (select from app.people q where q.org_id = p.org_id and q.merged_into = p.id)
      union all select p.org_id, p.id, p.merged_into, f.steps + 1 from far f join app.people p on p.org_id = f.org_id and p.id = f.merged_into where p.merged_into is not null and f.steps < 100)
    select f.org_id, f.id, f.merged_into from far f group by f.org_id, f.id, f.merged_into order by max(f.steps) loop
    perform app_private.move_person(m.org_id, m.id, m.merged_into);
  end loop;
end $$;
