-- What people and officers do with relationships: propose, answer, verify, end and reopen them. Nobody both proposes one and agrees to it.

-- Who may -----------------------------------------------------------------------------------------------------------------------------------------

create function app_private.office_over(opens text, minors boolean, manages_second boolean, manages_first boolean, sensitive boolean, contact boolean) returns boolean
  language sql immutable as $$
  -- Nobody gives more than they have: what lets somebody see or manage a record is given by who sees as much of it.
  select (manages_second or (opens = 'none' and not minors and manages_first)) and case when minors or opens = 'manage' then sensitive when opens = 'view' then contact else true end
$$;
comment on function app_private.office_over(text, boolean, boolean, boolean, boolean, boolean) is 'Whether rights over the two make somebody the office for a relationship of a type that opens so much';

create function app_private.relationship_office(t app.relationship_types, first uuid, second uuid) returns boolean
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid := app.org_id();
begin
  if app.person_id() in (first, second) then return false; end if;
  return app_private.office_over(t.grants, t.is_minors_only,
      app.everywhere('relationships.manage') or exists (select from app.people_within('relationships.manage') w where w.org_id = org and w.person_id = second),
      exists (select from app.people_within('relationships.manage') w where w.org_id = org and w.person_id = first),
      app.everywhere('people.sensitive') or exists (select from app.people_within('people.sensitive') w where w.org_id = org and w.person_id = second),
      app.everywhere('people.contact') or exists (select from app.people_within('people.contact') w where w.org_id = org and w.person_id = second))
    and app_private.person_seen(first) and app_private.person_seen(second);
end $$;
comment on function app_private.relationship_office(app.relationship_types, uuid, uuid) is 'Whether the actor decides about relationships of these two as an officer; never about their own';

create type app_private.relationship_rights as (id uuid, office boolean, answers boolean, verifies boolean, edits boolean, ends boolean, reopens boolean, lapses_on date);

create function app_private.rights_in_relationships(ids uuid[]) returns setof app_private.relationship_rights
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  org constant uuid := app.org_id();
  me constant uuid := app.person_id();
  account constant uuid := app.account_id();
  today constant date := app.today();
  manages constant boolean := app.everywhere('relationships.manage');
  managed constant uuid[] := case when manages then '{}' else app.scope('relationships.manage') end;
  sees constant boolean := app.everywhere('people.sensitive');
  seen constant uuid[] := case when sees then '{}' else app.scope('people.sensitive') end;
  reaches constant boolean := app.everywhere('people.contact');
  reached constant uuid[] := case when reaches then '{}' else app.scope('people.contact') end;
begin
  return query
    select r.id, o.office,
      r.state = 'proposed' and not p.own and (o.office or (p.party and t.approval <> 'office')),
      r.state = 'active' and o.office,
      r.state <> 'rejected' and (o.office or (r.state = 'proposed' and p.own) or (r.state = 'active' and p.party and t.approval = 'none')),
      -- A child does not end the rights of a guardian; a guardian steps down.
      r.state in ('proposed', 'active') and (o.office or (r.state = 'proposed' and (p.own or p.party)) or (p.party and (r.from_person_id = me or not t.is_minors_only))),
      case when r.state = 'rejected' then o.office or coalesce(r.answered_by = account, false) when r.state = 'ended' or r.ends_on is not null then o.office or p.party else false end,
      case when t.is_minors_only and (p.party or s.sensitive) then app_private.majority_on(org, r.to_person_id) end
    from app.relationships r
    join app.relationship_types t on t.org_id = r.org_id and t.id = r.type_id
    cross join lateral (select coalesce(me in (r.from_person_id, r.to_person_id), false) as party,
      coalesce(r.proposed_by = account or (me is not null and exists (select from app.accounts a where a.org_id = org and a.id = r.proposed_by and a.person_id = me)), false) as own) p
    cross join lateral (select sees or (seen <> '{}' and exists (select from app.people_within('people.sensitive', seen, today) w where w.org_id = org and w.person_id = r.to_person_id)) as sensitive) s
    cross join lateral (select not p.party and app_private.office_over(t.grants, t.is_minors_only,
      manages or (managed <> '{}' and exists (select from app.people_within('relationships.manage', managed, today) w where w.org_id = org and w.person_id = r.to_person_id)),
      managed <> '{}' and exists (select from app.people_within('relationships.manage', managed, today) w where w.org_id = org and w.person_id = r.from_person_id),
      s.sensitive,
      reaches or (reached <> '{}' and exists (select from app.people_within('people.contact', reached, today) w where w.org_id = org and w.person_id = r.to_person_id))) as office) o
    where r.org_id = org and r.id = any (ids);
end $$;
comment on function app_private.rights_in_relationships(uuid[]) is 'What the actor may do with relationships that they see, and when those for minors end';

create function app.relationship_rights(ids uuid[]) returns table (id uuid, answers boolean, verifies boolean, edits boolean, ends boolean, reopens boolean, lapses_on date)
  language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select x.id, x.answers, x.verifies, x.edits, x.ends, x.reopens, x.lapses_on from app_private.rights_in_relationships(ids) x
$$;
comment on function app.relationship_rights(uuid[]) is 'What the actor may do with relationships, for screens to know what to offer';

create function app.relationships_to_answer() returns setof uuid language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare org uuid := app.org_id();
begin
  return query select x.id from app_private.rights_in_relationships(array(select r.id from app.relationships r where r.org_id = org and r.state = 'proposed')) x where x.answers;
end $$;
comment on function app.relationships_to_answer() is 'Proposals that wait for the actor';

create function app.relationship_counts() returns table (type_id uuid, active int) language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare org uuid := app.org_id();
begin
  if not app.everywhere('organisation.manage') then return; end if;
  return query select r.type_id, count(*)::int from app.relationships r where r.org_id = org and r.state = 'active' group by r.type_id;
end $$;
comment on function app.relationship_counts() is 'How many relationships of each type are active, for those who decide about types';

create function app.my_family() returns table (person_id uuid, relationship_id uuid, label text, grants text, birth_date date, lapses_on date, has_account boolean)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid := app.org_id();
  me uuid := app.person_id();
begin
  if me is null then return; end if;
  return query select g.person_id, g.relationship_id, t.forward_label, g.grants,
      case when g.grants = 'manage' then (select c.birth_date from app.person_private c where c.org_id = org and c.person_id = g.person_id) end,
      case when t.is_minors_only then app_private.majority_on(org, g.person_id) end,
      exists (select from app.accounts a where a.org_id = org and a.person_id = g.person_id and a.status = 'active')
    from app_private.granted_by(org, me) g
    join app.relationships r on r.org_id = org and r.id = g.relationship_id
    join app.relationship_types t on t.org_id = r.org_id and t.id = r.type_id;
end $$;
comment on function app.my_family() is 'For whom the actor may act, or whose record they see, with what they may know of them';

-- Acts ------------------------------------------------------------------------------------------------------------------------------------------------

create function app_private.relationship_to_write(relationship uuid) returns app.relationships language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid := app.org_id();
  me uuid := app.person_id();
  r app.relationships;
begin
  select x.* into r from app.relationships x where x.org_id = org and x.id = relationship;
  -- The order of every writer: people, types, then the row.
  perform app_private.lock_relationships(org, array[r.from_person_id, r.to_person_id], array[r.type_id]);
  select x.* into r from app.relationships x where x.org_id = org and x.id = relationship for update;
  if r.id is null or not (coalesce(me in (r.from_person_id, r.to_person_id), false) or (app_private.person_seen(r.from_person_id) and app_private.person_seen(r.to_person_id))) then
    raise exception 'this relationship is for others to change' using errcode = '42501', constraint = 'relationship_not_yours';
  end if;
  return r;
end $$;
comment on function app_private.relationship_to_write(uuid) is 'Holds a relationship that the actor may know of';

create function app.propose_relationship(said jsonb) returns uuid language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid := app.org_id();
  me uuid := app.person_id();
  t app.relationship_types;
  first constant uuid := (said ->> 'from_person_id')::uuid;
  second constant uuid := (said ->> 'to_person_id')::uuid;
  office boolean;
  made uuid;
begin
  select x.* into t from app.relationship_types x where x.org_id = org and x.id = (said ->> 'type_id')::uuid;
  if t.id is null then raise exception 'there is no such kind of relationship' using errcode = '23514', constraint = 'relationship_type_unknown'; end if;
  if first = second then raise exception 'both are the same person' using errcode = '23514', constraint = 'related_to_oneself'; end if;
  if not app_private.person_seen(first) or not app_private.person_seen(second) then
    raise exception 'there is no such person' using errcode = '23514', constraint = 'person_not_found';
  end if;
  -- Read again under the lock: a type that changes at the same time may ask for more than it did.
  perform app_private.lock_relationships(org, array[first, second], array[t.id]);
  select x.* into t from app.relationship_types x where x.org_id = org and x.id = t.id;
  office := app_private.relationship_office(t, first, second);
  if not office and not coalesce(me in (first, second), false) then
    raise exception 'relationships of these two are recorded by others' using errcode = '42501', constraint = 'relationship_not_yours';
  end if;
  insert into app.relationships (org_id, type_id, from_person_id, to_person_id, state, starts_on, note, proposed_by, answered_by, answered_at)
    values (org, t.id, first, second, case when office or t.approval = 'none' then 'active' else 'proposed' end, (said ->> 'starts_on')::date, coalesce(said ->> 'note', ''), app.account_id(),
      case when office then app.account_id() end, case when office then now() end)
    returning id into made;
  return made;
end $$;
comment on function app.propose_relationship(jsonb) is 'Records a relationship as an officer, or proposes one of one''s own; which';

create function app.change_relationship(relationship uuid, said jsonb, known int) returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  r app.relationships := app_private.relationship_to_write(relationship);
  rights app_private.relationship_rights;
  begins date;
begin
  if r.version <> known then return false; end if;
  select x.* into rights from app_private.rights_in_relationships(array[r.id]) x;
  if not rights.edits then raise exception 'this relationship is for others to change' using errcode = '42501', constraint = 'relationship_not_yours'; end if;
  begins := case when said ? 'starts_on' then (said ->> 'starts_on')::date else r.starts_on end;
  if begins > r.ends_on then raise exception 'a relationship ends after it began' using errcode = '23514', constraint = 'relationship_ends'; end if;
  -- What an officer verified is no longer what stands there.
  update app.relationships x set starts_on = begins, note = coalesce(said ->> 'note', x.note),
      verified_by = case when rights.office or begins is not distinct from r.starts_on then x.verified_by end,
      verified_at = case when rights.office or begins is not distinct from r.starts_on then x.verified_at end
    where x.org_id = r.org_id and x.id = r.id;
  return true;
end $$;
comment on function app.change_relationship(uuid, jsonb, int) is 'Changes first day and note; false when it has changed since it was seen';

create function app.answer_relationship(relationship uuid, agreed boolean, known int) returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  r app.relationships := app_private.relationship_to_write(relationship);
  rights app_private.relationship_rights;
begin
  if r.version <> known then return false; end if;
  if r.state <> 'proposed' then raise exception 'this is no longer a proposal' using errcode = '23P01', constraint = 'relationship_answered'; end if;
  select x.* into rights from app_private.rights_in_relationships(array[r.id]) x;
  if not rights.answers then raise exception 'this proposal is for others to answer' using errcode = '42501', constraint = 'relationship_not_yours'; end if;
  update app.relationships x set state = case when agreed then 'active' else 'rejected' end, answered_by = app.account_id(), answered_at = now() where x.org_id = r.org_id and x.id = r.id;
  return true;
end $$;
comment on function app.answer_relationship(uuid, boolean, int) is 'Agrees to a proposal or rejects it; false when it has changed since it was seen';

create function app.verify_relationship(relationship uuid, known int) returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  r app.relationships := app_private.relationship_to_write(relationship);
  rights app_private.relationship_rights;
begin
  if r.version <> known then return false; end if;
  if r.state <> 'active' then raise exception 'only an active relationship is verified' using errcode = '23P01', constraint = 'relationship_not_active'; end if;
  select x.* into rights from app_private.rights_in_relationships(array[r.id]) x;
  if not rights.verifies then raise exception 'this relationship is for others to verify' using errcode = '42501', constraint = 'relationship_not_yours'; end if;
  update app.relationships x set verified_by = app.account_id(), verified_at = now() where x.org_id = r.org_id and x.id = r.id;
  return true;
end $$;
comment on function app.verify_relationship(uuid, int) is 'Notes that the actor, an officer, verified an active relationship; false when it has changed since it was seen';

create function app_private.undoes_end(r app.relationships, office boolean) returns boolean language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare t app.relationship_types;
begin
  select x.* into t from app.relationship_types x where x.org_id = r.org_id and x.id = r.type_id;
  -- Who ended it by mistake undoes that; later, or when the type has changed since, the two have to agree anew.
  return office or t.approval = 'none' or coalesce(r.ended_by = app.account_id() and r.ended_at > now() - interval '1 day' and t.updated_at <= r.ended_at, false);
end $$;
comment on function app_private.undoes_end(app.relationships, boolean) is 'Whether the actor undoes the end of a relationship without anybody agreeing anew';

create function app.end_relationship(relationship uuid, last_day date, known int) returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  r app.relationships := app_private.relationship_to_write(relationship);
  rights app_private.relationship_rights;
  last constant date := coalesce(last_day, app.today());
  another boolean;
begin
  if r.version <> known then return false; end if;
  if r.state not in ('proposed', 'active') then raise exception 'this relationship is over' using errcode = '23P01', constraint = 'relationship_over'; end if;
  select x.* into rights from app_private.rights_in_relationships(array[r.id]) x;
  if not rights.ends then raise exception 'this relationship is for others to end' using errcode = '42501', constraint = 'relationship_not_yours'; end if;
  if r.state = 'proposed' then
    update app.relationships x set state = 'rejected', answered_by = app.account_id(), answered_at = now() where x.org_id = r.org_id and x.id = r.id;
    return true;
  end if;
  if last < r.starts_on then raise exception 'a relationship ends after it began' using errcode = '23514', constraint = 'relationship_ends'; end if;
  if last > r.ends_on and not app_private.undoes_end(r, rights.office) then
    raise exception 'this relationship ends earlier than that' using errcode = '42501', constraint = 'relationship_not_yours';
  end if;
  -- A day that somebody else set stays theirs: who steps down before it does not undo it afterwards.
  another := r.ends_on is not null and not rights.office and r.ended_by is distinct from app.account_id();
  -- A day to come is kept, and the schedule ends it then.
  update app.relationships x set state = case when last > app.today() then 'active' else 'ended' end, ends_on = last,
      ended_by = case when another then x.ended_by else app.account_id() end, ended_at = case when another then x.ended_at else now() end
    where x.org_id = r.org_id and x.id = r.id;
  return true;
end $$;
comment on function app.end_relationship(uuid, date, int) is 'Ends a relationship on a day, by default today, or withdraws a proposal; false when it has changed since it was seen';

create function app.reopen_relationship(relationship uuid, known int) returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  r app.relationships := app_private.relationship_to_write(relationship);
  rights app_private.relationship_rights;
  again boolean;
begin
  if r.version <> known then return false; end if;
  if r.state = 'proposed' or (r.state = 'active' and r.ends_on is null) then raise exception 'this relationship is not over' using errcode = '23P01', constraint = 'relationship_open'; end if;
  select x.* into rights from app_private.rights_in_relationships(array[r.id]) x;
  if not rights.reopens then raise exception 'this relationship is for others to reopen' using errcode = '42501', constraint = 'relationship_not_yours'; end if;
  if r.state = 'rejected' then
    update app.relationships x set state = 'proposed', answered_by = null, answered_at = null where x.org_id = r.org_id and x.id = r.id;
    return true;
  end if;
  again := app_private.undoes_end(r, rights.office);
  update app.relationships x set state = case when again then 'active' else 'proposed' end, ends_on = null, ended_by = null, ended_at = null,
      proposed_by = case when again then x.proposed_by else app.account_id() end,
      verified_by = case when again then x.verified_by end, verified_at = case when again then x.verified_at end
    where x.org_id = r.org_id and x.id = r.id;
  return true;
end $$;
comment on function app.reopen_relationship(uuid, int) is 'Undoes the end or the rejection of a relationship; one of the two proposes it anew, unless they ended it within a day. False when it has changed since it was seen';

-- Telling -----------------------------------------------------------------------------------------------------------------------------------------------

create function app_private.relationship_officers(r app.relationships) returns uuid[] language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  t app.relationship_types;
  home uuid;
  found uuid[];
begin
  select x.* into t from app.relationship_types x where x.org_id = r.org_id and x.id = r.type_id;
  select p.home_chapter_id into home from app.people p where p.org_id = r.org_id and p.id = r.to_person_id;
  found := app_private.deciders_of(r.org_id, r.to_person_id, home, 'relationships.manage');
  if t.is_minors_only or t.grants = 'manage' then
    found := array(select unnest(found) intersect (select unnest(app_private.deciders_of(r.org_id, r.to_person_id, home, 'people.sensitive'))
      union select unnest(app_private.deciders_of(r.org_id, r.to_person_id, null, 'people.sensitive'))));
    if found = '{}' then
      found := array(select unnest(app_private.deciders_of(r.org_id, r.to_person_id, null, 'relationships.manage'))
        intersect select unnest(app_private.deciders_of(r.org_id, r.to_person_id, null, 'people.sensitive')));
    end if;
  end if;
  return array(select a.id from app.accounts a where a.org_id = r.org_id and a.id = any (found) and a.person_id is distinct from r.from_person_id and a.person_id is distinct from r.to_person_id);
end $$;
comment on function app_private.relationship_officers(app.relationships) is 'Accounts of officers who decide about a relationship: of the chapter of the second person, or the nearest above that has some';

create function app.tell_of_relationship(relationship uuid, note jsonb) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  actor app.actor_context := app.actor();
  r app.relationships;
  t app.relationship_types;
  answering uuid[];
  asking uuid;
  told int := 0;
begin
  select x.* into r from app.relationships x where x.org_id = actor.org_id and x.id = relationship and actor.account_id in (x.proposed_by, x.answered_by);
  if r.id is null then raise exception 'only who acted on a relationship tells of it' using errcode = '42501', constraint = 'relationship_not_yours'; end if;
  select x.* into t from app.relationship_types x where x.org_id = r.org_id and x.id = r.type_id;
  note := note || jsonb_build_object('record', r.id, 'dedupe_key', concat('relationship:', r.id, ':', r.version));
  if r.state = 'proposed' then
    select a.person_id into asking from app.accounts a where a.org_id = r.org_id and a.id = r.proposed_by;
    if asking is distinct from r.from_person_id and asking is distinct from r.to_person_id then asking := app.person_id(); end if;
    if t.approval <> 'office' then
      answering := array(select a.id from app.accounts a where a.org_id = r.org_id and a.status = 'active' and a.person_id in (r.from_person_id, r.to_person_id) and a.person_id is distinct from asking and a.id <> r.proposed_by);
      told := app_private.tell(r.org_id, actor.account_id, answering, note || jsonb_build_object('person', asking, 'params', jsonb_build_object('title', t.name)));
    end if;
    -- Who has no account cannot answer: an officer does.
    if t.approval = 'office' or coalesce(cardinality(answering), 0) = 0 then
      told := told + app_private.tell(r.org_id, actor.account_id, array_remove(app_private.relationship_officers(r), r.proposed_by), note
        || jsonb_build_object('person', coalesce(asking, r.to_person_id), 'params', jsonb_build_object('title', t.name)));
    end if;
    return told;
  end if;
  if r.answered_by is distinct from actor.account_id or r.proposed_by is null or r.proposed_by = actor.account_id then return 0; end if;
  select a.person_id into asking from app.accounts a where a.org_id = r.org_id and a.id = r.proposed_by;
  return app_private.tell(r.org_id, actor.account_id, array[r.proposed_by], note || jsonb_build_object('person', case when asking = r.to_person_id then r.from_person_id else r.to_person_id end,
    'params', jsonb_build_object('title', t.name, 'outcome', case r.state when 'rejected' then 'rejected' else 'approved' end)));
end $$;
comment on function app.tell_of_relationship(uuid, jsonb) is 'Tells those who answer of a proposal, and who proposed of the answer; note says how its kind is told';

create function app.warn_of_majority(org uuid, today date, note jsonb) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  about record;
  r app.relationships;
  told int := 0;
begin
  for about in
    select x.id, t.name as title, m.day
    from app.relationships x join app.relationship_types t on t.org_id = x.org_id and t.id = x.type_id and t.is_minors_only
    join app.people p on p.org_id = x.org_id and p.id = x.to_person_id and p.deleted_at is null and p.lifecycle not in ('deceased', 'merged', 'erased')
    cross join lateral (select app_private.majority_on(x.org_id, x.to_person_id) as day) m
    where x.org_id = org and x.state = 'active' and p.minor_until <= today + 60 and m.day > today and m.day <= today + 60 order by x.id
  loop
    select x.* into r from app.relationships x where x.org_id = org and x.id = about.id;
    note := note || jsonb_build_object('record', r.id, 'dedupe_key', concat('majority:', r.id, ':', about.day), 'params', jsonb_build_object('title', about.title, 'on', about.day));
    told := told + app_private.tell(org, null, array(select a.id from app.accounts a where a.org_id = org and a.person_id = r.from_person_id union select unnest(app_private.relationship_officers(r))),
      note || jsonb_build_object('person', r.to_person_id));
    told := told + app_private.tell(org, null, array(select a.id from app.accounts a where a.org_id = org and a.person_id = r.to_person_id), note || jsonb_build_object('person', r.from_person_id));
  end loop;
  return told;
end $$;
comment on function app.warn_of_majority(uuid, date, jsonb) is 'Tells guardian, child and officers 60 days before a relationship for minors ends, once';

create function app.end_due_relationships(org uuid, today date) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare ended int;
begin
  with due as (
    select x.id, case when m.day <= today then least(x.ends_on, greatest(m.day - 1, x.starts_on)) else x.ends_on end as last
    from app.relationships x join app.relationship_types t on t.org_id = x.org_id and t.id = x.type_id
    left join lateral (select app_private.majority_on(x.org_id, x.to_person_id) as day where t.is_minors_only) m on true
    where x.org_id = org and x.state = 'active' and (x.ends_on < today or (t.is_minors_only and m.day <= today)))
  update app.relationships x set state = 'ended', ends_on = d.last, ended_at = coalesce(x.ended_at, now()) from due d where x.org_id = org and x.id = d.id;
  get diagnostics ended = row_count;
  update app.relationships x set state = 'rejected', answered_at = now() from app.relationship_types t
    where x.org_id = org and x.state = 'proposed' and t.org_id = x.org_id and t.id = x.type_id and t.is_minors_only and app_private.majority_on(x.org_id, x.to_person_id) <= today;
  return ended;
end $$;
comment on function app.end_due_relationships(uuid, date) is 'Ends relationships whose last day is over, and those for minors on the day of majority; how many. The second run of a day changes nothing';

select app_private.own_definers();
grant execute on function app_private.office_over(text, boolean, boolean, boolean, boolean, boolean), app_private.relationship_office(app.relationship_types, uuid, uuid), app_private.rights_in_relationships(uuid[]),
  app_private.relationship_to_write(uuid), app_private.undoes_end(app.relationships, boolean), app_private.relationship_officers(app.relationships) to app_definer;
revoke execute on function app_private.office_over(text, boolean, boolean, boolean, boolean, boolean) from public;
grant execute on function app.relationship_rights(uuid[]), app.relationships_to_answer(), app.relationship_counts(), app.my_family(), app.propose_relationship(jsonb), app.change_relationship(uuid, jsonb, int),
  app.answer_relationship(uuid, boolean, int), app.verify_relationship(uuid, int), app.end_relationship(uuid, date, int), app.reopen_relationship(uuid, int), app.tell_of_relationship(uuid, jsonb) to app_access;
grant execute on function app.warn_of_majority(uuid, date, jsonb), app.end_due_relationships(uuid, date) to app_worker;
