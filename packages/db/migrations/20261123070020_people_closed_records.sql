-- Records of people who were erased, merged or died are read-only, whoever writes and by whichever way; and what ends somebody's membership is
-- decided where they are at home. Both hold for actors: the system's own work and what the database derives goes on.

create function app_private.refuse_closed(lifecycle text) returns void language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  case lifecycle
    when 'erased' then raise exception 'this person was erased' using errcode = '23P01', constraint = 'person_erased';
    when 'merged' then raise exception 'this record was merged into another one, so it is read-only' using errcode = '23P01', constraint = 'person_merged';
    else raise exception 'this person is deceased, so the record is read-only' using errcode = '23P01', constraint = 'person_deceased';
  end case;
end $$;
comment on function app_private.refuse_closed(text) is 'Says why a record is read-only; an exclusion violation becomes 409, and 410 for who was erased';

create function app_private.ends_membership(before text, after text) returns boolean language sql immutable
as $$ select before <> after and (after in ('former', 'deceased', 'merged', 'erased') or before = 'deceased') $$;
comment on function app_private.ends_membership(text, text) is 'Whether a change of status is one that only the home chapter makes';

-- What belongs to a person: refused for the states that the trigger names. Whoever is entered with a state gets what belongs to them in the same transaction.
create function app.person_record_guard() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare state text;
begin
  -- What goes with a row that goes, such as the members of a group, is nobody's change of a person.
  if pg_trigger_depth() > 1 then return null; end if;
  select p.lifecycle into state from changed c join app.people p on p.org_id = c.org_id and p.id = c.person_id
    where p.lifecycle = any (string_to_array(tg_argv[0], ',')) and p.created_at <> now()
    order by p.lifecycle = 'erased' desc, p.lifecycle = 'merged' desc limit 1;
  if state is not null and (app.actor()).org_id is not null then perform app_private.refuse_closed(state); end if;
  return null;
end $$;
comment on function app.person_record_guard() is 'Refuses changes to what belongs to a person whose record is read-only; the argument lists the states';

do $$
declare t record;
begin
  for t in select * from (values
    ('person_emails', 'erased,merged,deceased'), ('person_phones', 'erased,merged,deceased'), ('person_contacts', 'erased,merged,deceased'),
    ('person_tags', 'erased,merged,deceased'), ('affiliations', 'erased,merged,deceased'), ('group_members', 'erased,merged,deceased'),
    ('position_holders', 'erased,merged,deceased'), ('person_private', 'erased,merged'), ('person_office_notes', 'erased,merged')
  ) as v (name, states) loop
    execute format('create trigger %1$s_open_insert after insert on app.%1$s referencing new table as changed for each statement execute function app.person_record_guard(%2$L)', t.name, t.states);
    execute format('create trigger %1$s_open_delete after delete on app.%1$s referencing old table as changed for each statement execute function app.person_record_guard(%2$L)', t.name, t.states);
    if t.name <> 'person_tags' then
      execute format('create trigger %1$s_open_update after update on app.%1$s referencing new table as changed for each statement execute function app.person_record_guard(%2$L)', t.name, t.states);
    end if;
  end loop;
end $$;

-- The day of death is for the home chapter; of somebody deceased it is all of the private data that can still be corrected.
create or replace function app.person_private_guard() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  mine uuid[];
  -- People whose day of death is changed here, and people of whom something else is.
  dying uuid[];
  others uuid[];
begin
  if pg_trigger_depth() > 1 or (app.actor()).org_id is null then return null; end if;
  if tg_op = 'INSERT' then
    select array_agg(c.person_id) filter (where c.deceased_on is not null), array_agg(c.person_id) filter (where c.birth_date is not null or c.gender <> '')
      into dying, others from changed c;
  elsif tg_op = 'DELETE' then
    select array_agg(b.person_id) filter (where b.deceased_on is not null), array_agg(b.person_id) into dying, others from before b;
  else
    select array_agg(c.person_id) filter (where c.deceased_on is distinct from b.deceased_on),
        array_agg(c.person_id) filter (where (c.birth_date, c.gender) is distinct from (b.birth_date, b.gender))
      into dying, others from changed c join before b on b.org_id = c.org_id and b.person_id = c.person_id;
  end if;
  if exists (select from app.people p where p.org_id = app.org_id() and p.id = any (others) and p.lifecycle = 'deceased' and p.created_at <> now()) then
    perform app_private.refuse_closed('deceased');
  end if;
  mine := app.my_records();
  if dying && mine then
    raise exception 'nobody changes their own day of death' using errcode = '42501', constraint = 'person_own_death';
  end if;
  if dying is not null and not app.everywhere('people.write') and exists (select from app.people p where p.org_id = app.org_id() and p.id = any (dying)
      and p.created_at <> now() and not coalesce(p.home_chapter_id = any (app.scope('people.write')), false)) then
    raise exception 'the day of death is set by the home chapter of the person' using errcode = '42501', constraint = 'person_home_chapter';
  end if;
  if tg_op = 'DELETE' then return null; end if;
  if not exists (select from changed c where c.person_id = any (mine)) then return null; end if;
  -- Whoever is a minor stays one at least as long as before: else a birth date that makes them of age tomorrow would do.
  if exists (select from changed c join app.organisations o on o.org_id = c.org_id join app.people p on p.org_id = c.org_id and p.id = c.person_id
      cross join lateral (select case when p.minor_until > current_date then p.minor_until end as was, app_private.minor_until(c.birth_date, o.majority_age) as becomes) m
      where c.person_id = any (mine) and ((m.was is null) <> (m.becomes is null) or m.becomes < m.was)) then
    raise exception 'only an officer changes whether someone is a minor' using errcode = '42501', constraint = 'person_own_majority';
  end if;
  return null;
end $$;
comment on function app.person_private_guard() is 'Who may change which private data of whom: not whether one is a minor oneself, nor one''s own day of death; that of others in their home chapter';
create trigger person_private_by_oneself_delete after delete on app.person_private referencing old table as before
  for each statement execute function app.person_private_guard();

create or replace function app.people_guard() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  state text;
  mine uuid[];
begin
  if pg_trigger_depth() > 1 or (app.actor()).org_id is null then return null; end if;
  -- A death is taken back by another status, alone or with other facts; nothing brings an erased or merged record back.
  select b.lifecycle into state from changed c join before b on b.org_id = c.org_id and b.id = c.id
    where b.lifecycle in ('erased', 'merged') or (b.lifecycle = 'deceased' and c.lifecycle = 'deceased')
    order by b.lifecycle = 'erased' desc, b.lifecycle = 'merged' desc limit 1;
  if state is null then
    select s.lifecycle into state from changed c join before b on b.org_id = c.org_id and b.id = c.id join app.people s on s.org_id = c.org_id and s.id = c.merged_into
      where c.merged_into is distinct from b.merged_into and s.lifecycle in ('erased', 'merged', 'deceased') limit 1;
  end if;
  if state is not null then perform app_private.refuse_closed(state); end if;

  mine := app.my_records();
  if exists (select from changed c join before b on b.org_id = c.org_id and b.id = c.id where c.id = any (mine) and c.lifecycle = 'deceased' and b.lifecycle <> 'deceased') then
    raise exception 'nobody declares themselves deceased' using errcode = '42501', constraint = 'person_own_death';
  end if;
  if exists (select from changed c join before b on b.org_id = c.org_id and b.id = c.id where c.id = any (mine)
      and (c.member_no, c.lifecycle, c.joined_on, c.grad_year, c.do_not_contact, c.deleted_at, c.given_name, c.family_name, c.middle_name, c.suffix)
        is distinct from (b.member_no, b.lifecycle, b.joined_on, b.grad_year, b.do_not_contact, b.deleted_at, b.given_name, b.family_name, b.middle_name, b.suffix))
    and not app.everywhere('people.write')
    and not exists (select from app.affiliations a where a.org_id = app.org_id() and a.person_id = any (mine) and a.chapter_id = any (app.scope('people.write'))
      and a.starts_on <= app.today() and (a.ends_on is null or a.ends_on >= app.today())) then
    raise exception 'this field is kept by the office' using errcode = '42501';
  end if;

  if exists (select from changed c join before b on b.org_id = c.org_id and b.id = c.id
      where ((c.deleted_at is null) <> (b.deleted_at is null) or app_private.ends_membership(b.lifecycle, c.lifecycle)) and c.created_at <> now())
    and not app.everywhere('people.write')
    and exists (select from changed c join before b on b.org_id = c.org_id and b.id = c.id
      where ((c.deleted_at is null) <> (b.deleted_at is null) or app_private.ends_membership(b.lifecycle, c.lifecycle)) and c.created_at <> now()
        and not coalesce(b.home_chapter_id = any (app.scope('people.write')), false)) then
    raise exception 'this is decided in the home chapter of the person' using errcode = '42501', constraint = 'person_home_chapter';
  end if;
  return null;
end $$;
comment on function app.people_guard() is 'Read-only records stay as they are; the office keeps its fields on one''s own page; the home chapter archives, restores and declares former or deceased';

-- An account is not linked to a record that stands for nobody any more.
create function app.accounts_person_open() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare state text;
begin
  if tg_op = 'UPDATE' and new.person_id is not distinct from old.person_id then return null; end if;
  select p.lifecycle into state from app.people p where p.org_id = new.org_id and p.id = new.person_id and p.lifecycle in ('erased', 'merged', 'deceased');
  if state is not null and (app.actor()).org_id is not null then perform app_private.refuse_closed(state); end if;
  return null;
end $$;
comment on function app.accounts_person_open() is 'Refuses to link an account to somebody whose record is read-only';
create trigger accounts_person_open after insert or update of person_id on app.accounts for each row when (new.person_id is not null)
  execute function app.accounts_person_open();

-- Somebody else takes the seat of an officer who died, although that term can no longer be ended.
create or replace function app.position_holders_guard() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare p app.positions;
begin
  select * into p from app.positions s where s.org_id = new.org_id and s.id = new.position_id for update;
  if (app.actor()).org_id is not null and p.role_id is not null then
    if not app.role_within_reach(p.role_id, 'chapter', p.chapter_id) then
      raise exception 'this office carries rights that you do not hold here' using errcode = '42501';
    end if;
    if new.person_id = app.person_id() and not app.everywhere('account.manage') then
      raise exception 'nobody appoints themselves' using errcode = '42501';
    end if;
  end if;
  if p.member_only and not exists (select from app.affiliations a where a.org_id = new.org_id and a.person_id = new.person_id and a.kind = 'member'
      and a.starts_on <= coalesce(new.ends_on, 'infinity') and (a.ends_on is null or a.ends_on >= new.starts_on)) then
    raise exception 'this office is for members only' using errcode = '23514', constraint = 'position_holders_member_only';
  end if;
  -- How many hold it on the day on which the term begins, and on each day within it on which another begins; who begins on the day
  -- another ends follows them. Counting all terms that touch this one would count a seat twice that passed from one to the next.
  if exists (
    select from (
      select new.starts_on as day
      union select h.starts_on from app.position_holders h where h.org_id = new.org_id and h.position_id = new.position_id and h.id <> new.id
        and h.starts_on > new.starts_on and h.starts_on < coalesce(new.ends_on, 'infinity')
    ) d
    where (select count(*) from app.position_holders h where h.org_id = new.org_id and h.position_id = new.position_id and h.id <> new.id
      and h.starts_on <= d.day and (coalesce(h.ends_on, 'infinity') > d.day or h.starts_on = d.day)
      and not exists (select from app.people x where x.org_id = h.org_id and x.id = h.person_id and x.lifecycle in ('erased', 'merged', 'deceased'))) >= p.max_holders
  ) then
    raise exception 'the office is taken in that time' using errcode = '23P01', constraint = 'position_holders_seats';
  end if;
  return new;
end $$;

do $$
declare f text;
begin
  grant create on schema app, app_private to app_definer;
  foreach f in array array['app_private.refuse_closed(text)', 'app_private.ends_membership(text, text)', 'app.person_record_guard()', 'app.accounts_person_open()'] loop
    execute format('alter function %s owner to app_definer', f);
    execute format('revoke execute on function %s from public', f);
  end loop;
  revoke create on schema app, app_private from app_definer;
end $$;
