-- Relationships between people: who is guardian, big, mentor or recruiter of whom, from when until when. What may follow what is kept here, under a lock for each type.

select app_private.add_permission('relationships.read', 'org-owner', 'org-admin', 'chapter-admin');
select app_private.add_permission('relationships.manage', 'org-owner', 'org-admin', 'chapter-admin');

-- Types -----------------------------------------------------------------------------------------------------------------------------------

create table app.relationship_types (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  key text collate "C" not null check (key ~ '^[a-z][a-z0-9-]{1,39}$'),
  name text not null check (char_length(name) between 1 and 60),
  forward_label text not null check (char_length(forward_label) between 1 and 40),
  inverse_label text not null check (char_length(inverse_label) between 1 and 40),
  acyclic boolean not null default true,
  max_parents int check (max_parents between 1 and 20),
  grants text not null default 'none' check (grants in ('none', 'view', 'manage')),
  approval text not null default 'none' check (approval in ('none', 'other', 'office')),
  is_minors_only boolean not null default false,
  archived_at timestamptz,
  created_by uuid,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, key)
);
comment on table app.relationship_types is 'Kinds of relationships of an organisation';
comment on column app.relationship_types.key is 'Named in imports and addresses; never changes';
comment on column app.relationship_types.forward_label is 'What the first person is to the second';
comment on column app.relationship_types.acyclic is 'Nobody comes below themselves on any day';
comment on column app.relationship_types.max_parents is 'How many first persons somebody has on one day; null for any number';
comment on column app.relationship_types.grants is 'What the first person may do with the record of the second';
comment on column app.relationship_types.approval is 'Who agrees to a proposal: nobody, the other of the two, or an officer';
comment on column app.relationship_types.is_minors_only is 'Ends when the second person comes of age; seen by the two and by those who see minors';
select app_private.protect('app.relationship_types');
select app_private.keep_version('app.relationship_types');
select app_private.keep_audit('app.relationship_types', 'audit.read', 'id');
create policy relationship_types_read on app.relationship_types for select to app_access using (org_id = (select app.org_id()));
create policy relationship_types_add on app.relationship_types for insert to app_access
  with check (org_id = (select app.org_id()) and (select app.everywhere('organisation.manage')) and created_by = (select app.account_id()));
create policy relationship_types_change on app.relationship_types for update to app_access
  using (org_id = (select app.org_id()) and (select app.everywhere('organisation.manage')))
  with check (org_id = (select app.org_id()) and (select app.everywhere('organisation.manage')));
grant select, insert (org_id, key, name, forward_label, inverse_label, acyclic, max_parents, grants, approval, is_minors_only, created_by),
  update (name, forward_label, inverse_label, acyclic, max_parents, grants, approval, is_minors_only, archived_at) on app.relationship_types to app_access;
grant select, insert, update on app.relationship_types to app_definer;

create function app_private.add_relationship_presets(org uuid) returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
  insert into app.relationship_types (org_id, key, name, forward_label, inverse_label, acyclic, max_parents, grants, approval, is_minors_only) values
    (org, 'guardian', 'Guardian and child', 'Guardian', 'Child', true, 4, 'manage', 'office', true),
    (org, 'lineage', 'Big and little', 'Big', 'Little', true, 1, 'none', 'other', false),
    (org, 'mentor', 'Mentor and mentee', 'Mentor', 'Mentee', true, null, 'none', 'other', false),
    (org, 'recruiter', 'Recruiter and recruit', 'Recruiter', 'Recruit', true, 1, 'none', 'none', false),
    (org, 'household', 'Household', 'Household member', 'Household member', false, null, 'none', 'other', false)
  on conflict (org_id, key) do nothing
$$;
comment on function app_private.add_relationship_presets(uuid) is 'The kinds of relationships that every organisation starts with';

create function app_private.organisations_presets() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform app_private.add_relationship_presets(new.org_id);
  return null;
end $$;
comment on function app_private.organisations_presets() is 'Gives a new organisation its kinds of relationships';
create trigger organisations_presets after insert on app.organisations for each row execute function app_private.organisations_presets();

-- Relationships -----------------------------------------------------------------------------------------------------------------------------

create table app.relationships (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  type_id uuid not null,
  from_person_id uuid not null,
  to_person_id uuid not null,
  person_id uuid not null generated always as (from_person_id) stored,
  state text not null default 'active' check (state in ('proposed', 'active', 'ended', 'rejected')),
  starts_on date check (starts_on > '1850-01-01' and starts_on < '2200-01-01'),
  ends_on date check (ends_on < '2200-01-01'),
  note text not null default '' check (char_length(note) <= 500),
  proposed_by uuid,
  answered_by uuid,
  answered_at timestamptz,
  ended_by uuid,
  ended_at timestamptz,
  verified_by uuid,
  verified_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, type_id) references app.relationship_types (org_id, id),
  foreign key (org_id, from_person_id) references app.people (org_id, id) on delete cascade,
  foreign key (org_id, to_person_id) references app.people (org_id, id) on delete cascade,
  constraint related_to_oneself check (from_person_id <> to_person_id),
  constraint relationship_ends check (ends_on >= starts_on),
  constraint relationship_ended check (state <> 'ended' or ends_on is not null)
);
comment on table app.relationships is 'Who stands in which relationship to whom. Active on a day: state active or ended, begun by that day (no first day: always), and not over before it';
comment on column app.relationships.from_person_id is 'The first: guardian, big, mentor, recruiter';
comment on column app.relationships.to_person_id is 'The second: child, little, mentee, recruit';
comment on column app.relationships.person_id is 'The first again, under the name by which the audit log knows a person';
comment on column app.relationships.state is 'rejected: also a proposal that was withdrawn';
comment on column app.relationships.ends_on is 'Last day; of an active one a day to come';
comment on column app.relationships.proposed_by is 'Account that proposed or recorded it, which never agrees to it as well';
comment on column app.relationships.ended_by is 'Account that ended it; null where the calendar did';
create unique index relationship_taken on app.relationships (org_id, type_id, from_person_id, to_person_id) where state in ('proposed', 'active');
create index relationships_up on app.relationships (org_id, type_id, to_person_id, from_person_id) include (state, starts_on, ends_on);
create index relationships_down on app.relationships (org_id, type_id, from_person_id, to_person_id) include (state, starts_on, ends_on);
create index relationships_from on app.relationships (org_id, from_person_id, id desc);
create index relationships_to on app.relationships (org_id, to_person_id, id desc);
create index relationships_by_type on app.relationships (org_id, type_id, id desc);
create index relationships_by_state on app.relationships (org_id, state, type_id, id desc);
create index relationships_ending on app.relationships (org_id, ends_on) where state = 'active' and ends_on is not null;
select app_private.protect('app.relationships');
select app_private.keep_version('app.relationships');
select app_private.keep_audit('app.relationships', 'relationships.read', 'to_person_id');
-- A note goes with the person; the log would keep it.
select app_private.hide_in_audit('app.relationships', 'note', 'person_id');
grant select on app.relationships to app_access;
grant select, insert, update, delete on app.relationships to app_definer;

-- Who sees whom because of them -----------------------------------------------------------------------------------------------------------------

create function app_private.majority_on(org uuid, person uuid) returns date language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select (c.birth_date + make_interval(years => o.majority_age))::date from app.person_private c join app.organisations o on o.org_id = c.org_id
    where c.org_id = org and c.person_id = person and c.birth_date is not null
$$;
comment on function app_private.majority_on(uuid, uuid) is 'Day on which somebody comes of age; null where the birth date is not known';

create function app_private.granted_by(org uuid, holder uuid) returns table (person_id uuid, relationship_id uuid, grants text)
  language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select r.to_person_id, r.id, t.grants
  from app.relationships r
  join app.relationship_types t on t.org_id = r.org_id and t.id = r.type_id and t.grants <> 'none'
  join app.people h on h.org_id = r.org_id and h.id = r.from_person_id and h.deleted_at is null and h.lifecycle not in ('deceased', 'merged', 'erased')
  join app.people p on p.org_id = r.org_id and p.id = r.to_person_id and p.deleted_at is null and p.lifecycle not in ('deceased', 'merged', 'erased')
  cross join lateral (select app_private.today_in(org) as today) d
  where r.org_id = org and r.from_person_id = holder and r.state = 'active'
    and (r.starts_on is null or r.starts_on <= d.today) and (r.ends_on is null or r.ends_on >= d.today)
    -- On the day of majority nothing is granted any more, whether or not the schedule has run.
    and (not t.is_minors_only or app_private.majority_on(org, r.to_person_id) > d.today)
$$;
comment on function app_private.granted_by(uuid, uuid) is 'Whose record somebody may see or manage today, and by which relationship';

create function app_private.managed_by(org uuid, manager uuid) returns setof uuid language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select distinct g.person_id from app_private.granted_by(org, manager) g where g.grants = 'manage'
$$;
comment on function app_private.managed_by(uuid, uuid) is 'For whom somebody may act today';

create function app.viewed_people() returns uuid[] language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare me uuid := app.person_id();
begin
  if me is null then return '{}'; end if;
  return (select coalesce(array_agg(distinct g.person_id), '{}') from app_private.granted_by(app.org_id(), me) g);
end $$;
comment on function app.viewed_people() is 'Whose record the actor sees like their own, since a relationship grants it';

create function app.minors_only_types() returns uuid[] language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare org uuid := app.org_id();
begin
  return (select coalesce(array_agg(t.id), '{}') from app.relationship_types t where t.org_id = org and t.is_minors_only);
end $$;
comment on function app.minors_only_types() is 'Types whose relationships are seen by the two and by those who see minors';

create policy relationships_read on app.relationships for select to app_access using (org_id = (select app.org_id()) and (
  from_person_id = (select app.person_id()) or to_person_id = (select app.person_id())
  or (
    ((select app.everywhere('relationships.read'))
      or exists (select from app.people_within('relationships.read') w where w.org_id = relationships.org_id and w.person_id = relationships.from_person_id)
      or exists (select from app.people_within('relationships.read') w where w.org_id = relationships.org_id and w.person_id = relationships.to_person_id))
    -- Who is hidden from the reader stands in no relationship for them either.
    and ((select app.everywhere('people.sensitive')) or (
      (type_id <> all ((select app.minors_only_types())::uuid[])
        or exists (select from app.people_within('people.sensitive') w where w.org_id = relationships.org_id and w.person_id = relationships.to_person_id))
      and exists (select from app.people p where p.org_id = relationships.org_id and p.id = relationships.from_person_id)
      and exists (select from app.people p where p.org_id = relationships.org_id and p.id = relationships.to_person_id))))));

-- What the log says of a relationship is for those who see the relationship.
create policy audit_entries_of_relationships on app.audit_entries for select to app_access using (org_id = (select app.org_id())
  and entity = 'relationships' and exists (select from app.relationships r where r.org_id = audit_entries.org_id and r.id = audit_entries.entity_id));
-- An export is none of them; what became of those that are gone is for those who would see all of them.
create policy audit_entries_relationships on app.audit_entries as restrictive for select to app_access using (org_id = (select app.org_id())
  and (entity <> 'relationships' or action = 'export' or exists (select from app.relationships r where r.org_id = audit_entries.org_id and r.id = audit_entries.entity_id)
    or ((select app.everywhere('audit.read')) and (select app.everywhere('relationships.read')) and (select app.everywhere('people.sensitive')))));

create function app.related_names(people uuid[]) returns table (person_id uuid, display_name text, picture_id uuid)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid := app.org_id();
  me uuid := app.person_id();
begin
  if me is null then return; end if;
  return query select p.id, p.display_name, p.picture_id from app.people p
    where p.org_id = org and p.id = any (people) and p.lifecycle <> 'erased'
      and (exists (select from app.relationships r where r.org_id = org and r.from_person_id = me and r.to_person_id = p.id)
        or exists (select from app.relationships r where r.org_id = org and r.to_person_id = me and r.from_person_id = p.id));
end $$;
comment on function app.related_names(uuid[]) is 'Names of those who stand in a relationship to the actor, also where the directory hides them';

-- Guardians read the record of a child, and how to reach it, like their own.
alter policy people_read on app.people using (
  org_id = (select app.org_id()) and (
    app.sees_person(id = (select app.person_id()) or id = any ((select app.viewed_people())::uuid[]), coalesce(minor_until > (select app.today()), false),
      (select app.everywhere('people.sensitive')),
      exists (select from app.people_within('people.sensitive') w where w.org_id = people.org_id and w.person_id = people.id),
      (select app.everywhere('people.directory')),
      exists (select from app.people_within('people.directory') w where w.org_id = people.org_id and w.person_id = people.id))
    -- whoever enters a person sees the row until the end of that transaction, in which the affiliation follows
    or (created_by = (select app.account_id()) and created_at = now())));
do $$
declare t text;
begin
  foreach t in array array['person_emails', 'person_phones', 'person_contacts'] loop
    execute format($p$
      alter policy %1$s_read on app.%1$s using (
        org_id = (select app.org_id())
        and ((select app.everywhere('people.sensitive')) or exists (select from app.people p where p.org_id = %1$s.org_id and p.id = %1$s.person_id))
        and app.sees_contact(person_id = (select app.person_id()) or person_id = any ((select app.viewed_people())::uuid[]), visible_to = 'members', (select app.everywhere('people.contact')),
          exists (select from app.people_within('people.contact') w where w.org_id = %1$s.org_id and w.person_id = %1$s.person_id),
          exists (select from app.people_led('people.contact') w where w.org_id = %1$s.org_id and w.person_id = %1$s.person_id),
          (select app.everywhere('people.directory'))))
    $p$, t);
  end loop;
end $$;

create or replace function app_private.people_seen() returns text language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
  sees_all boolean := app.everywhere('people.sensitive');
  directory boolean := app.everywhere('people.directory');
  nowhere constant uuid[] := '{}';
begin
  return format($p$app.sees_person(p.id = %1$L or p.id = any (%7$L::uuid[]), coalesce(p.minor_until > %2$L, false),
      %3$L, exists (select from app.people_within('people.sensitive', %4$L, %2$L) w where w.org_id = p.org_id and w.person_id = p.id),
      %5$L, exists (select from app.people_within('people.directory', %6$L, %2$L) w where w.org_id = p.org_id and w.person_id = p.id))$p$,
    app.person_id(), app.today(), sees_all, case when sees_all then nowhere else app.scope('people.sensitive') end,
    directory, case when sees_all or directory then nowhere else app.scope('people.directory') end, case when sees_all then nowhere else app.viewed_people() end);
end $$;

create function app_private.person_seen(person uuid) returns boolean language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid := app.org_id();
  p app.people;
begin
  select x.* into p from app.people x where x.org_id = org and x.id = person;
  if p.id is null then return false; end if;
  if p.id = app.person_id() or app.everywhere('people.sensitive') then return true; end if;
  if p.minor_until > app.today() then
    if exists (select from app.people_within('people.sensitive') w where w.org_id = org and w.person_id = person) then return true; end if;
  elsif app.everywhere('people.directory') or exists (select from app.people_within('people.directory') w where w.org_id = org and w.person_id = person) then
    return true;
  end if;
  return person = any (app.viewed_people());
end $$;
comment on function app_private.person_seen(uuid) is 'Whether the actor sees a person, as the policy of people says it';

-- What may follow what ---------------------------------------------------------------------------------------------------------------------------

create function app_private.relationship_circle(org uuid, type uuid, self uuid, first uuid, second uuid, since date, until date) returns uuid[]
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  ids uuid[];
  belows uuid[];
  sinces date[];
  untils date[];
  at int;
  circle uuid[];
begin
  -- Mostly somebody new comes below, who has nobody below yet.
  if not exists (select from app.relationships r where r.org_id = org and r.type_id = type and r.from_person_id = second and r.state in ('active', 'ended') and r.id <> self)
    or not exists (select from app.relationships r where r.org_id = org and r.type_id = type and r.to_person_id = first and r.state in ('active', 'ended') and r.id <> self) then
    return null;
  end if;
  -- Upwards, with the days on which every step is active: only what closes on one day is a circle.
  if not exists (
    with recursive up (id, since, until) as (
      select first, relationship_circle.since, relationship_circle.until
      union
      select r.from_person_id, greatest(u.since, coalesce(r.starts_on, '-infinity')), least(u.until, coalesce(r.ends_on, 'infinity'))
      from up u join app.relationships r on r.org_id = org and r.type_id = type and r.to_person_id = u.id and r.state in ('active', 'ended') and r.id <> self
      where u.id <> second and coalesce(r.starts_on, '-infinity') <= u.until and coalesce(r.ends_on, 'infinity') >= u.since)
    select from up u where u.id = second) then
    return null;
  end if;
  with recursive up (id, since, until, below) as (
    select first, relationship_circle.since, relationship_circle.until, null::uuid
    union
    select r.from_person_id, greatest(u.since, coalesce(r.starts_on, '-infinity')), least(u.until, coalesce(r.ends_on, 'infinity')), u.id
    from up u join app.relationships r on r.org_id = org and r.type_id = type and r.to_person_id = u.id and r.state in ('active', 'ended') and r.id <> self
    where u.id <> second and coalesce(r.starts_on, '-infinity') <= u.until and coalesce(r.ends_on, 'infinity') >= u.since)
  select array_agg(u.id), array_agg(u.below), array_agg(u.since), array_agg(u.until) into ids, belows, sinces, untils from up u;
  at := array_position(ids, second);
  circle := array[second];
  while belows[at] is not null and cardinality(circle) < 200 loop
    circle := circle || belows[at];
    at := (select n from generate_subscripts(ids, 1) n where ids[n] = belows[at] and sinces[n] <= sinces[at] and untils[n] >= untils[at] limit 1);
  end loop;
  return circle || second;
end $$;
comment on function app_private.relationship_circle(uuid, uuid, uuid, uuid, uuid, date, date) is
  'The circle that a relationship between these days would close, from the second person down to the first and back to the second; null where there is none';

create function app_private.names_on_path(people uuid[]) returns text language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid := app.org_id();
  by_operator constant boolean := nullif(current_setting('app.actor', true), '') is null;
  person uuid;
  called text;
  names text[] := '{}';
begin
  foreach person in array people loop
    called := '…';
    if by_operator or app_private.person_seen(person) then select p.display_name into called from app.people p where p.id = person and (by_operator or p.org_id = org); end if;
    if called <> '…' or names[cardinality(names)] is distinct from '…' then names := names || called; end if;
  end loop;
  if cardinality(names) > 14 then names := names[1:6] || '…'::text || names[cardinality(names) - 6:]; end if;
  return array_to_string(names, ' → ');
end $$;
comment on function app_private.names_on_path(uuid[]) is 'Names in a row, of those whom the actor sees';

create function app_private.lock_relationships(org uuid, people uuid[], types uuid[]) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  -- People first, as a merge holds them already when it comes to the types; each in the order of ids, so that nobody waits for somebody who waits for them.
  perform from app.people p where p.org_id = org and p.id = any (people) order by p.id for share;
  perform from app.relationship_types t where t.org_id = org
    and (t.id = any (types) or (t.grants = 'manage' and exists (select from app.relationship_types m where m.org_id = org and m.id = any (types) and m.grants = 'manage')))
    order by t.id for no key update;
end $$;
comment on function app_private.lock_relationships(uuid, uuid[], uuid[]) is
  'Lets one transaction at a time write relationships of a type, since each looks at all others of it; of types that let manage at all of these, since no manager is managed';

create function app_private.relationships_kept() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  t app.relationship_types;
  -- A merge of two records moves what there is; only what cannot be is refused then.
  moved constant boolean := tg_op = 'UPDATE' and (new.from_person_id, new.to_person_id) is distinct from (old.from_person_id, old.to_person_id);
  opens constant boolean := new.state in ('proposed', 'active') and (tg_op = 'INSERT' or old.state in ('ended', 'rejected') or (old.state = 'proposed' and new.state = 'active'));
  since constant date := coalesce(new.starts_on, '-infinity');
  until constant date := coalesce(new.ends_on, 'infinity');
  today date;
  state text;
  gone boolean;
  of_age date;
  most int;
  circle uuid[];
begin
  if new.state = 'rejected' then return new; end if;
  -- What becomes shorter breaks nothing.
  if tg_op = 'UPDATE' and not moved and new.type_id = old.type_id and not opens and since >= coalesce(old.starts_on, '-infinity')
    and until <= coalesce(old.ends_on, 'infinity') then
    return new;
  end if;
  perform app_private.lock_relationships(new.org_id, array[new.from_person_id, new.to_person_id], array[new.type_id]);
  select x.* into t from app.relationship_types x where x.org_id = new.org_id and x.id = new.type_id;
  today := app_private.today_in(new.org_id);
  if opens and not moved then
    if t.archived_at is not null and (tg_op = 'INSERT' or old.state <> 'proposed') then
      raise exception 'this kind of relationship is archived' using errcode = '23514', constraint = 'relationship_type_archived';
    end if;
    select p.lifecycle, p.deleted_at is not null into state, gone from app.people p
      where p.org_id = new.org_id and p.id in (new.from_person_id, new.to_person_id) and (p.deleted_at is not null or p.lifecycle in ('deceased', 'merged', 'erased'))
      order by p.lifecycle = 'erased' desc, p.lifecycle = 'merged' desc, p.lifecycle = 'deceased' desc limit 1;
    if state in ('deceased', 'merged', 'erased') then perform app_private.refuse_closed(state); end if;
    if gone then raise exception 'this person is archived' using errcode = '23P01', constraint = 'person_archived'; end if;
    if exists (select from app.relationships r where r.org_id = new.org_id and r.type_id = new.type_id and r.from_person_id = new.from_person_id
        and r.to_person_id = new.to_person_id and r.state in ('proposed', 'active') and r.id <> new.id) then
      raise exception 'these two stand in this relationship already, or it is proposed' using errcode = '23505', constraint = 'relationship_taken';
    end if;
  end if;
  if not moved and t.is_minors_only then
    of_age := app_private.majority_on(new.org_id, new.to_person_id);
    if of_age is null or of_age < (case when new.state = 'ended' then new.ends_on else today + 1 end) then
      raise exception 'this kind of relationship is for minors, and the birth date does not say that the second person is one'
        using errcode = '23514', constraint = 'relationship_minors_only';
    end if;
  end if;
  if not moved and new.state <> 'ended' and until >= today then
    if (t.is_minors_only or t.grants = 'manage') and app_private.majority_on(new.org_id, new.from_person_id) > today then
      raise exception 'the first person is under age' using errcode = '23514', constraint = 'relationship_under_age';
    end if;
    if t.grants = 'manage' and exists (
        select from app.relationships r join app.relationship_types m on m.org_id = r.org_id and m.id = r.type_id and m.grants = 'manage'
        where r.org_id = new.org_id and r.state = 'active' and r.id <> new.id and (r.ends_on is null or r.ends_on >= today)
          and (r.to_person_id = new.from_person_id or r.from_person_id = new.to_person_id)
          and (not m.is_minors_only or app_private.majority_on(r.org_id, r.to_person_id) > today)) then
      raise exception 'who manages a record cannot have their own managed by somebody else' using errcode = '23514', constraint = 'relationship_manager_managed';
    end if;
  end if;
  if not moved and t.max_parents is not null then
    select max(n.together) into most
      from (select since as day union select r.starts_on from app.relationships r where r.org_id = new.org_id and r.type_id = new.type_id and r.to_person_id = new.to_person_id
        and r.starts_on between since and until) d
      cross join lateral (select count(*)::int as together from app.relationships r
        where r.org_id = new.org_id and r.type_id = new.type_id and r.to_person_id = new.to_person_id and r.state in ('active', 'ended') and r.id <> new.id
          and coalesce(r.starts_on, '-infinity') <= d.day and coalesce(r.ends_on, 'infinity') >= d.day) n;
    if most >= t.max_parents then
      raise exception 'the second person has as many as this kind of relationship allows' using errcode = '23514', constraint = 'relationship_max_parents',
        detail = json_build_object('max', t.max_parents)::text;
    end if;
  end if;
  if t.acyclic then
    circle := app_private.relationship_circle(new.org_id, new.type_id, new.id, new.from_person_id, new.to_person_id, since, until);
    if circle is not null then
      raise exception 'this would close a circle' using errcode = '23514', constraint = 'relationship_cycle',
        detail = json_build_object('path', app_private.names_on_path(circle))::text;
    end if;
  end if;
  return new;
end $$;
comment on function app_private.relationships_kept() is 'Keeps what a type asks for: no circles, not more parents than allowed, guardians of age for minors, nobody managed who manages; and refuses records that are closed';
create trigger relationships_kept before insert or update on app.relationships for each row execute function app_private.relationships_kept();

create function app_private.relationship_types_kept() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  firsts uuid[];
  seconds uuid[];
  left_over int := -1;
  r app.relationships;
  circle uuid[];
begin
  -- Said only to those who may write it at all: this comes before the policies.
  if tg_op = 'INSERT' and new.org_id = app.org_id() and app.everywhere('organisation.manage') then
    if exists (select from app.relationship_types t where t.org_id = new.org_id and t.key = new.key) then
      raise exception 'another kind of relationship has this key' using errcode = '23505', constraint = 'relationship_type_key_taken';
    end if;
    if (select count(*) from app.relationship_types t where t.org_id = new.org_id) >= 100 then
      raise exception 'there are at most 100 kinds of relationships' using errcode = '23514', constraint = 'relationship_types_full';
    end if;
  end if;
  if new.grants <> 'none' and new.approval = 'none' then
    raise exception 'what opens a record to somebody else needs somebody to agree' using errcode = '23514', constraint = 'relationship_grant_unapproved';
  end if;
  if tg_op = 'INSERT' then return new; end if;
  -- What was agreed to is not made to mean something else.
  if (new.is_minors_only <> old.is_minors_only or array_position(array['none', 'view', 'manage'], new.grants) > array_position(array['none', 'view', 'manage'], old.grants))
    and exists (select from app.relationships x where x.org_id = new.org_id and x.type_id = new.id and x.state in ('proposed', 'active')) then
    raise exception 'relationships of this kind were agreed to under other terms' using errcode = '23514', constraint = 'relationship_type_in_use';
  end if;
  if new.max_parents < coalesce(old.max_parents, 1000) and exists (
      select from app.relationships x where x.org_id = new.org_id and x.type_id = new.id and x.state in ('active', 'ended')
        and (select count(*) from app.relationships y where y.org_id = x.org_id and y.type_id = x.type_id and y.to_person_id = x.to_person_id and y.state in ('active', 'ended')
          and coalesce(y.starts_on, '-infinity') <= coalesce(x.starts_on, '-infinity') and coalesce(y.ends_on, 'infinity') >= coalesce(x.starts_on, '-infinity')) > new.max_parents) then
    raise exception 'somebody has more than that already' using errcode = '23514', constraint = 'relationship_type_parents';
  end if;
  if new.acyclic and not old.acyclic then
    select array_agg(x.from_person_id), array_agg(x.to_person_id) into firsts, seconds from app.relationships x
      where x.org_id = new.org_id and x.type_id = new.id and x.state in ('active', 'ended');
    -- Whoever has nobody above is in no circle, nor is what begins with them: what is left in the end goes round.
    while cardinality(firsts) > 0 and cardinality(firsts) is distinct from left_over loop
      left_over := cardinality(firsts);
      select array_agg(e.first), array_agg(e.second) into firsts, seconds from unnest(firsts, seconds) e (first, second)
        where e.first in (select s from unnest(seconds) s);
    end loop;
    if cardinality(firsts) > 0 then
      for r in select x.* from app.relationships x join (select distinct e.first, e.second from unnest(firsts, seconds) e (first, second)) e on e.first = x.from_person_id and e.second = x.to_person_id
          where x.org_id = new.org_id and x.type_id = new.id and x.state in ('active', 'ended') loop
        circle := app_private.relationship_circle(r.org_id, r.type_id, r.id, r.from_person_id, r.to_person_id, coalesce(r.starts_on, '-infinity'), coalesce(r.ends_on, 'infinity'));
        if circle is not null then
          raise exception 'these close a circle already' using errcode = '23514', constraint = 'relationship_cycle', detail = json_build_object('path', app_private.names_on_path(circle))::text;
        end if;
      end loop;
    end if;
  end if;
  return new;
end $$;
comment on function app_private.relationship_types_kept() is 'Refuses a rule that relationships of the type break, and another meaning for those that were agreed to';
create trigger relationship_types_kept before insert or update on app.relationship_types for each row execute function app_private.relationship_types_kept();

-- Merged, erased, of age --------------------------------------------------------------------------------------------------------------------------

insert into app_private.person_references (tab, col) values ('relationships', 'from_person_id'), ('relationships', 'to_person_id');

create function app_private.people_leave_relationships() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from app.relationships r using changed c join before b on b.org_id = c.org_id and b.id = c.id
    where ((c.merged_into is not null and c.merged_into is distinct from b.merged_into) or (c.lifecycle = 'erased' and b.lifecycle <> 'erased'))
      and r.org_id = c.org_id and (r.from_person_id = c.id or r.to_person_id = c.id);
  return null;
end $$;
comment on function app_private.people_leave_relationships() is 'Nothing stays of somebody who was erased; of a merged record what the other has already, and what would lead to itself';
-- By its name after people_records_follow, which moves what can be moved.
create trigger people_relationships_left after update on app.people referencing old table as before new table as changed
  for each statement execute function app_private.people_leave_relationships();

create function app_private.organisations_majority() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update app.people p set minor_until = app_private.minor_until(c.birth_date, new.majority_age)
    from app.person_private c where c.org_id = new.org_id and c.birth_date is not null and p.org_id = c.org_id and p.id = c.person_id
      and p.minor_until is distinct from app_private.minor_until(c.birth_date, new.majority_age)
      and (p.minor_until > current_date or app_private.minor_until(c.birth_date, new.majority_age) is not null);
  return null;
end $$;
comment on function app_private.organisations_majority() is 'Who is a minor follows from the age of majority';
create trigger organisations_majority after update of majority_age on app.organisations for each row when (new.majority_age <> old.majority_age)
  execute function app_private.organisations_majority();

select app_private.own_definers();
grant execute on function app_private.add_relationship_presets(uuid), app_private.majority_on(uuid, uuid), app_private.granted_by(uuid, uuid), app_private.managed_by(uuid, uuid), app_private.person_seen(uuid),
  app_private.relationship_circle(uuid, uuid, uuid, uuid, uuid, date, date), app_private.names_on_path(uuid[]), app_private.lock_relationships(uuid, uuid[], uuid[]),
  app.viewed_people(), app.minors_only_types(), app.related_names(uuid[]) to app_definer;
grant execute on function app.viewed_people(), app.minors_only_types(), app.related_names(uuid[]) to app_access;
revoke execute on function app_private.people_seen() from public;

select app_private.add_relationship_presets(o.org_id) from app.organisations o;
