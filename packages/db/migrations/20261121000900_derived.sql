-- Rows that follow from other rows: home chapter, counts, majority, and guards that compare a change with the one who makes it.

create function app.affiliations_derive() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update app.people p set home_chapter_id = h.chapter_id
    from (select distinct c.org_id, c.person_id,
        (select a.chapter_id from app.affiliations a where a.org_id = c.org_id and a.person_id = c.person_id
          order by (a.ends_on is null or a.ends_on >= current_date) desc, a.is_primary desc, a.starts_on desc, a.id limit 1) as chapter_id
      from changed c) h
    where p.org_id = h.org_id and p.id = h.person_id and p.home_chapter_id is distinct from h.chapter_id;
  if tg_op = 'UPDATE' then
    perform app_private.add_counts(array(
      select row(c.org_id, c.chapter_id, c.kind, c.person_id, c.id, c.starts_on, c.ends_on, 1)::app_private.affiliation_change from changed c
      union all select row(b.org_id, b.chapter_id, b.kind, b.person_id, b.id, b.starts_on, b.ends_on, -1)::app_private.affiliation_change from before b));
  else
    perform app_private.add_counts(array(
      select row(c.org_id, c.chapter_id, c.kind, c.person_id, c.id, c.starts_on, c.ends_on, case tg_op when 'INSERT' then 1 else -1 end)::app_private.affiliation_change
      from changed c));
  end if;
  return null;
end $$;

create function app_private.is_current(starts_on date, ends_on date) returns boolean language sql stable
as $$ select starts_on <= current_date and (ends_on is null or ends_on >= current_date) $$;

create type app_private.affiliation_change as (org_id uuid, chapter_id uuid, kind text, person_id uuid, id uuid, starts_on date, ends_on date, sign int);

-- Adds whom a chapter won and takes off whom it lost, so that a large chapter need not be counted again for one member. Someone with two
-- affiliations of one kind counts once: what matters is whether any was current before, and is now.
create function app_private.add_counts(changes app_private.affiliation_change[]) returns void
  language sql security definer set search_path = pg_catalog, pg_temp as $$
  insert into app.chapter_counts as n (org_id, chapter_id, kind, people)
    select d.org_id, d.chapter_id, d.kind, sum(d.is_now::int - d.was::int)
    from (
      select k.org_id, k.chapter_id, k.kind,
        exists (select from app.affiliations a where a.org_id = k.org_id and a.person_id = k.person_id and a.chapter_id = k.chapter_id and a.kind = k.kind
          and app_private.is_current(a.starts_on, a.ends_on)) as is_now,
        k.was or exists (select from app.affiliations a where a.org_id = k.org_id and a.person_id = k.person_id and a.chapter_id = k.chapter_id and a.kind = k.kind
          and app_private.is_current(a.starts_on, a.ends_on) and a.id <> all (k.ids)) as was
      from (
        select c.org_id, c.chapter_id, c.kind, c.person_id, bool_or(c.sign < 0 and app_private.is_current(c.starts_on, c.ends_on)) as was, array_agg(c.id) as ids
        from unnest(changes) c group by 1, 2, 3, 4
      ) k
    ) d
    where exists (select from app.chapters c where c.org_id = d.org_id and c.id = d.chapter_id)
    group by 1, 2, 3 having sum(d.is_now::int - d.was::int) <> 0
    -- Always in the same order, so that two writers cannot wait for each other in a circle.
    order by 1, 2, 3
  on conflict (org_id, chapter_id, kind) do update set people = n.people + excluded.people
$$;

create type app_private.chapter_key as (org_id uuid, chapter_id uuid);

create function app_private.count_chapters(keys app_private.chapter_key[]) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  key app_private.chapter_key;
begin
  -- Always in the same order, so that two writers cannot wait for each other in a circle.
  foreach key in array array(select k from unnest(keys) k order by (k).org_id, (k).chapter_id) loop
    insert into app.chapter_counts as n (org_id, chapter_id, kind, people)
      select key.org_id, key.chapter_id, v.kind, count(distinct a.person_id)
      from (values ('member'), ('alumni'), ('advisor'), ('friend'), ('applicant')) v (kind)
      left join app.affiliations a on a.org_id = key.org_id and a.chapter_id = key.chapter_id and a.kind = v.kind
        and app_private.is_current(a.starts_on, a.ends_on)
      group by v.kind
    on conflict (org_id, chapter_id, kind) do update set people = excluded.people where n.people <> excluded.people;
  end loop;
end $$;
comment on function app_private.count_chapters(app_private.chapter_key[]) is 'Counts chapters anew, for when dates passed without a row changing';

create trigger affiliations_derive_insert after insert on app.affiliations referencing new table as changed for each statement execute function app.affiliations_derive();
create trigger affiliations_derive_update after update on app.affiliations referencing old table as before new table as changed for each statement execute function app.affiliations_derive();
create trigger affiliations_derive_delete after delete on app.affiliations referencing old table as changed for each statement execute function app.affiliations_derive();

-- Adds what is new and takes off what is old, so that a large chapter need not be counted again for one member.
create function app.affiliations_months() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op = 'UPDATE' then
    perform app_private.add_months(array(
      select row(c.org_id, c.chapter_id, c.starts_on, c.ends_on, 1)::app_private.membership_change from changed c where c.kind = 'member'
      union all select row(b.org_id, b.chapter_id, b.starts_on, b.ends_on, -1)::app_private.membership_change from before b where b.kind = 'member'));
  else
    perform app_private.add_months(array(
      select row(c.org_id, c.chapter_id, c.starts_on, c.ends_on, case tg_op when 'INSERT' then 1 else -1 end)::app_private.membership_change
      from changed c where c.kind = 'member'));
  end if;
  return null;
end $$;

create type app_private.membership_change as (org_id uuid, chapter_id uuid, starts_on date, ends_on date, sign int);

create function app_private.add_months(changes app_private.membership_change[]) returns void
  language sql security definer set search_path = pg_catalog, pg_temp as $$
  insert into app.chapter_months as m (org_id, chapter_id, month, joins, leaves)
    select c.org_id, c.chapter_id, c.month, sum(c.joins), sum(c.leaves)
    from (
      select org_id, chapter_id, date_trunc('month', starts_on)::date as month, sign as joins, 0 as leaves from unnest(changes)
      union all
      select org_id, chapter_id, date_trunc('month', ends_on)::date, 0, sign from unnest(changes) where ends_on is not null
    ) c
    group by 1, 2, 3 having sum(c.joins) <> 0 or sum(c.leaves) <> 0
    -- Always in the same order, so that two writers cannot wait for each other in a circle.
    order by 1, 2, 3
  on conflict (org_id, chapter_id, month) do update set joins = m.joins + excluded.joins, leaves = m.leaves + excluded.leaves
$$;
create trigger affiliations_months_insert after insert on app.affiliations referencing new table as changed for each statement execute function app.affiliations_months();
create trigger affiliations_months_update after update on app.affiliations referencing old table as before new table as changed for each statement execute function app.affiliations_months();
create trigger affiliations_months_delete after delete on app.affiliations referencing old table as changed for each statement execute function app.affiliations_months();

create function app.refresh_data_health(org uuid) returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
  delete from app.data_health d where d.org_id = org;
  insert into app.data_health (org_id, chapter_id, people, without_email)
    select p.org_id, p.home_chapter_id, count(*), count(*) filter (where e.person_id is null)
    from app.people p left join app.person_emails e on e.org_id = p.org_id and e.person_id = p.id and e.is_primary
    where p.org_id = org and p.deleted_at is null and p.lifecycle not in ('deceased', 'merged', 'erased')
    group by p.org_id, p.home_chapter_id
$$;
comment on function app.refresh_data_health(uuid) is 'Counts the gaps in an organisation''s data anew; run every few minutes';

create function app.officers_now() returns table (position_id uuid, people int)
  language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select h.position_id, count(distinct h.person_id)::int from app.position_holders h
  where h.org_id = (select app.org_id()) and h.starts_on <= (select app.today()) and (h.ends_on is null or h.ends_on >= (select app.today()))
  group by h.position_id
$$;
comment on function app.officers_now() is 'How many people hold each office today, whether or not the actor may see who: seats are no secret, and counting below a policy for each person is slow';
revoke execute on function app.officers_now() from public;
grant execute on function app.officers_now() to app_access;

create function app.waiting_requests(how_many int) returns table (member_id uuid, total int)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid := app.org_id();
  cap constant int := 1000;
  chapters uuid[];
  groups uuid[];
begin
  if app.everywhere('groups.manage') then
    return query
      with w as materialized (
        select m.id from app.group_members m where m.org_id = org and m.status = 'requested' and m.ends_on is null order by m.created_at limit cap)
      select w.id, (select count(*)::int from w) from w limit how_many;
  else
    chapters := app.scope('groups.manage');
    groups := app.group_scope('groups.manage');
    if chapters = '{}' and groups = '{}' then return; end if;
    return query
      with w as materialized (
        select m.id, m.created_at from app.groups g
        join app.group_members m on m.org_id = g.org_id and m.group_id = g.id and m.status = 'requested' and m.ends_on is null
        where g.org_id = org and (g.chapter_id = any (chapters) or g.id = any (groups)) order by m.created_at limit cap)
      select w.id, (select count(*)::int from w) from w order by w.created_at limit how_many;
  end if;
end $$;
comment on function app.waiting_requests(int) is 'Requests to join a group that the actor may answer, longest waiting first, with how many there are; the total stops at 1,000';
revoke execute on function app.waiting_requests(int) from public;
grant execute on function app.waiting_requests(int) to app_access;

create function app.group_members_derive() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into app.group_counts as n (org_id, group_id, members)
    select k.org_id, k.group_id, (select count(*) from app.group_members m where m.org_id = k.org_id and m.group_id = k.group_id and m.status = 'active'
      and (m.starts_on is null or m.starts_on <= current_date) and (m.ends_on is null or m.ends_on >= current_date))
    from (select distinct c.org_id, c.group_id from changed c) k
    where exists (select from app.groups g where g.org_id = k.org_id and g.id = k.group_id)
    order by 1, 2
  on conflict (org_id, group_id) do update set members = excluded.members where n.members <> excluded.members;
  return null;
end $$;
create trigger group_members_derive_insert after insert on app.group_members referencing new table as changed for each statement execute function app.group_members_derive();
create trigger group_members_derive_update after update on app.group_members referencing new table as changed for each statement execute function app.group_members_derive();
create trigger group_members_derive_delete after delete on app.group_members referencing old table as changed for each statement execute function app.group_members_derive();

create function app.refresh_counts(org uuid) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform app_private.count_chapters(array(select row(c.org_id, c.id)::app_private.chapter_key from app.chapters c where c.org_id = org));
  update app.group_counts n set members = live.members
    from (select g.id, (select count(*) from app.group_members m where m.org_id = g.org_id and m.group_id = g.id and m.status = 'active'
        and (m.starts_on is null or m.starts_on <= current_date) and (m.ends_on is null or m.ends_on >= current_date)) as members
      from app.groups g where g.org_id = org) live
    where n.org_id = org and n.group_id = live.id and n.members <> live.members;
  -- Months do not change with the date; they are missing only where rows were loaded without triggers.
  if not exists (select from app.chapter_months m where m.org_id = org) then
    perform app_private.add_months(array(
      select row(a.org_id, a.chapter_id, a.starts_on, a.ends_on, 1)::app_private.membership_change from app.affiliations a where a.org_id = org and a.kind = 'member'));
  end if;
end $$;
comment on function app.refresh_counts(uuid) is 'Brings the counts of chapters and groups up to date where a date has passed; run daily';

create function app.org_ids() returns setof uuid language sql stable security definer set search_path = pg_catalog, pg_temp
as 'select org_id from app.organisations';
comment on function app.org_ids() is 'Ids of all organisations, for the daily work of the worker; nothing else of them';

create function app.person_private_derive() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if exists (select from changed c where c.birth_date > current_date) then
    raise exception 'a birth date cannot lie in the future' using errcode = '23514', constraint = 'person_private_birth_date';
  end if;
  -- Asked first: even an update of no row sets off everything that follows updates of people.
  if exists (select from changed c join app.organisations o on o.org_id = c.org_id join app.people p on p.org_id = c.org_id and p.id = c.person_id
      where p.minor_until is distinct from app_private.minor_until(c.birth_date, o.majority_age)) then
    update app.people p set minor_until = app_private.minor_until(c.birth_date, o.majority_age)
      from changed c join app.organisations o on o.org_id = c.org_id
      where p.org_id = c.org_id and p.id = c.person_id and p.minor_until is distinct from app_private.minor_until(c.birth_date, o.majority_age);
  end if;
  return null;
end $$;
create function app_private.minor_until(birth_date date, majority_age int) returns date language sql stable set search_path = pg_catalog, pg_temp
as $$ select d from (select (birth_date + make_interval(years => majority_age))::date as d) x where d > current_date $$;
comment on function app_private.minor_until(date, int) is 'Day of majority, while it lies ahead';
grant execute on function app_private.minor_until(date, int) to app_definer;
create trigger person_private_derive_insert after insert on app.person_private referencing new table as changed for each statement execute function app.person_private_derive();
create trigger person_private_derive_update after update on app.person_private referencing new table as changed for each statement execute function app.person_private_derive();

-- A person may keep their own page up to date, but what the office decides stays with the office.
-- One question per statement, not per row: an import updates many.
create function app.people_guard() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare me uuid;
begin
  if pg_trigger_depth() > 1 or (app.actor()).org_id is null then return null; end if;
  me := app.person_id();
  if exists (select from changed c join before b on b.org_id = c.org_id and b.id = c.id where c.id = me
      and (c.member_no, c.lifecycle, c.joined_on, c.grad_year, c.do_not_contact, c.deleted_at, c.given_name, c.family_name, c.middle_name, c.suffix)
        is distinct from (b.member_no, b.lifecycle, b.joined_on, b.grad_year, b.do_not_contact, b.deleted_at, b.given_name, b.family_name, b.middle_name, b.suffix))
    and not app.everywhere('people.write')
    and not exists (select from app.affiliations a where a.org_id = app.org_id() and a.person_id = me and a.chapter_id = any (app.scope('people.write'))
      and a.starts_on <= app.today() and (a.ends_on is null or a.ends_on >= app.today())) then
    raise exception 'this field is kept by the office' using errcode = '42501';
  end if;
  return null;
end $$;
create trigger people_guard after update on app.people referencing old table as before new table as changed for each statement execute function app.people_guard();

-- Name, place in the tree and status of a chapter are decided above it.
create function app.chapters_guard() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if (app.actor()).org_id is null or pg_trigger_depth() > 1 then return new; end if;
  if (new.parent_id, new.code, new.level, new.status, new.chartered_on, new.closed_on) is distinct from (old.parent_id, old.code, old.level, old.status, old.chartered_on, old.closed_on)
    and not app.everywhere('chapters.manage') then
    raise exception 'place, code and status of a chapter are decided by the organisation' using errcode = '42501';
  end if;
  return new;
end $$;
create trigger chapters_guard before update on app.chapters for each row execute function app.chapters_guard();

-- An officer adds people to the own chapters, but does not pull in people of other chapters: that is a transfer, which both sides agree to.
create function app.affiliations_guard() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  -- The lock makes this wait for someone who is closing the chapter just now; the next statement then sees it closed.
  perform from app.chapters c
    where (c.org_id, c.id) in (select a.org_id, a.chapter_id from changed a where a.ends_on is null or a.ends_on >= current_date) order by c.id for key share;
  if exists (select from changed a join app.chapters c on c.org_id = a.org_id and c.id = a.chapter_id
      where c.status = 'closed' and (a.ends_on is null or a.ends_on >= current_date)) then
    raise exception 'this chapter is closed' using errcode = '23514', constraint = 'affiliations_chapter_closed';
  end if;
  return null;
end $$;
create trigger affiliations_guard after insert on app.affiliations referencing new table as changed for each statement execute function app.affiliations_guard();

create function app.affiliations_reach() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  me uuid := app.account_id();
  mine uuid[];
begin
  if me is null or app.everywhere('people.write') then return null; end if;
  mine := app.scope('people.write');
  if exists (select from changed c
      where not exists (select from app.people p where p.org_id = c.org_id and p.id = c.person_id and p.created_by = me and p.created_at = now())
        and not exists (select from app.affiliations a where a.org_id = c.org_id and a.person_id = c.person_id and a.chapter_id = any (mine)
          and not exists (select from changed n where n.id = a.id))) then
    raise exception 'this person belongs to a chapter outside yours' using errcode = '42501';
  end if;
  return null;
end $$;
create trigger affiliations_reach after insert on app.affiliations referencing new table as changed for each statement execute function app.affiliations_reach();

-- Nobody gives more rights than they hold, nor gives rights to themselves.
create function app.positions_guard() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if (app.actor()).org_id is null then return new; end if;
  if new.role_id is not null and (tg_op = 'INSERT' or new.role_id is distinct from old.role_id or new.chapter_id <> old.chapter_id)
    and not app.role_within_reach(new.role_id, 'chapter', new.chapter_id) then
    raise exception 'this role carries rights that you do not hold here' using errcode = '42501';
  end if;
  if tg_op = 'UPDATE' and new.role_id is not null and new.role_id is distinct from old.role_id and not app.everywhere('account.manage')
    and exists (select from app.position_holders h where h.org_id = new.org_id and h.position_id = new.id and h.person_id = app.person_id()) then
    raise exception 'nobody changes the rights of their own office' using errcode = '42501';
  end if;
  return new;
end $$;
create trigger positions_guard before insert or update on app.positions for each row execute function app.positions_guard();

create function app.position_holders_guard() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
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
      and h.starts_on <= d.day and (coalesce(h.ends_on, 'infinity') > d.day or h.starts_on = d.day)) >= p.max_holders
  ) then
    raise exception 'the office is taken in that time' using errcode = '23P01', constraint = 'position_holders_seats';
  end if;
  return new;
end $$;
comment on function app.position_holders_guard() is 'Locks the office, then refuses a holder beyond max_holders, a non-member in a members'' office, and rights above one''s own';
create trigger position_holders_guard before insert or update on app.position_holders for each row execute function app.position_holders_guard();

create function app_private.hold_account_rights(org uuid) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  -- One at a time in an organisation. Who waited sees what was decided meanwhile: two who take each other's rights do not both succeed.
  perform pg_advisory_xact_lock(hashtextextended(org::text, 1));
  if not app.everywhere('account.manage') then
    raise exception 'accounts are kept by the organisation''s administrators' using errcode = '42501';
  end if;
end $$;
revoke execute on function app_private.hold_account_rights(uuid) from public;
grant execute on function app_private.hold_account_rights(uuid) to app_definer;

create function app.grants_guard() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if coalesce(current_setting('app.actor', true), '') = '' then return coalesce(new, old); end if;
  perform app_private.hold_account_rights(coalesce(new.org_id, old.org_id));
  if coalesce(new.account_id, old.account_id) = app.account_id() then
    raise exception 'nobody changes their own rights' using errcode = '42501';
  end if;
  if tg_op <> 'DELETE' and not app.role_within_reach(new.role_id, new.scope_kind, coalesce(new.chapter_id, new.group_id)) then
    raise exception 'this role carries rights that you do not hold' using errcode = '42501';
  end if;
  return coalesce(new, old);
end $$;
create trigger grants_guard before insert or update or delete on app.grants for each row execute function app.grants_guard();

create function app.accounts_guard() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if coalesce(current_setting('app.actor', true), '') = '' or pg_trigger_depth() > 1 then return new; end if;
  if (new.status, new.person_id, new.email, new.idp_roles, new.issuer, new.subject) is distinct from
      (old.status, old.person_id, old.email, old.idp_roles, old.issuer, old.subject) then
    perform app_private.hold_account_rights(new.org_id);
  end if;
  if new.id = app.account_id() and new.status <> old.status then
    raise exception 'nobody suspends themselves' using errcode = '42501';
  end if;
  return new;
end $$;
create trigger accounts_guard before update on app.accounts for each row execute function app.accounts_guard();

-- What people may do to their own membership: accept an invitation, decline, leave. The last leader cannot leave a group leaderless.
create function app.group_members_guard() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if (app.actor()).org_id is not null and old.person_id = app.person_id() and not app_private.manages_group(old.org_id, old.group_id)
    and ((new.role, new.title, new.side, new.rank) is distinct from (old.role, old.title, old.side, old.rank)
      or (new.starts_on is distinct from old.starts_on and not (old.status = 'invited' and new.status = 'active' and new.starts_on = app.today()))
      or new.ends_on > greatest(app.today(), coalesce(old.starts_on, app.today()))
      or (new.ends_on is null and old.ends_on is not null)
      or (new.status = 'active' and old.status not in ('invited', 'active'))
      or (new.status = 'active' and old.status = 'invited' and new.ends_on is not null)) then
    raise exception 'this is decided by the leaders of the group' using errcode = '42501';
  end if;
  if old.role = 'leader' and old.status = 'active' and old.ends_on is null and (new.role <> 'leader' or new.status <> 'active' or new.ends_on is not null)
    and (app.actor()).org_id is not null and not app.everywhere('groups.manage') then
    perform from app.groups g where g.org_id = old.org_id and g.id = old.group_id for update;
    if not exists (select from app.group_members m where m.org_id = old.org_id and m.group_id = old.group_id and m.id <> old.id
        and m.role = 'leader' and m.status = 'active' and m.ends_on is null) then
      raise exception 'name another leader first' using errcode = '23514', constraint = 'group_members_last_leader';
    end if;
  end if;
  return new;
end $$;
create trigger group_members_guard before update on app.group_members for each row execute function app.group_members_guard();

-- A group cannot be a part of its own parts.
create function app.groups_place() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if new.parent_id is null or (tg_op = 'UPDATE' and new.parent_id is not distinct from old.parent_id) then return new; end if;
  perform pg_advisory_xact_lock(hashtextextended('groups:' || new.org_id, 0));
  if exists (
    with recursive up as (
      select g.id, g.parent_id, 1 as steps from app.groups g where g.org_id = new.org_id and g.id = new.parent_id
      union all
      select g.id, g.parent_id, up.steps + 1 from up join app.groups g on g.org_id = new.org_id and g.id = up.parent_id where up.steps < 50
    ) select from up where up.id = new.id or up.steps >= 50) then
    raise exception 'a group cannot be a part of its own parts' using errcode = '23514', constraint = 'groups_no_circle';
  end if;
  return new;
end $$;
create trigger groups_place before insert or update of parent_id on app.groups for each row execute function app.groups_place();

create function app_private.manages_group(org uuid, wanted uuid) returns boolean
  language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select app.everywhere('groups.manage') or wanted = any (app.group_scope('groups.manage'))
    or exists (select from app.groups g where g.org_id = org and g.id = wanted and g.chapter_id = any (app.scope('groups.manage')))
$$;

-- Being in a group lets its leaders see how to reach someone: so whoever may not see that already can invite, but not add.
create function app.group_members_consent() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if (app.actor()).org_id is null or new.status <> 'active' or new.person_id = app.person_id()
    or (tg_op = 'UPDATE' and old.status in ('active', 'requested')) then return new; end if;
  if not app.everywhere('groups.manage') and not app.everywhere('people.contact')
    and not exists (select from app.affiliations a where a.org_id = new.org_id and a.person_id = new.person_id and a.chapter_id = any (app.scope('people.contact'))
      and a.starts_on <= app.today() and (a.ends_on is null or a.ends_on >= app.today())) then
    raise exception 'invite this person; joining is for them to decide' using errcode = '42501';
  end if;
  return new;
end $$;
create trigger group_members_consent before insert or update of status on app.group_members for each row execute function app.group_members_consent();

create function app.group_members_room() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare g app.groups;
begin
  if new.status <> 'active' or new.ends_on < current_date
    or (tg_op = 'UPDATE' and old.status = 'active' and (old.ends_on is null or old.ends_on >= current_date)) then return new; end if;
  select * into g from app.groups x where x.org_id = new.org_id and x.id = new.group_id;
  if (app.actor()).org_id is not null and g.archived_at is not null then
    raise exception 'this group is archived' using errcode = '23514', constraint = 'group_members_archived';
  end if;
  if g.capacity is not null then
    -- Two who come for the last place come one after the other.
    perform from app.groups x where x.org_id = new.org_id and x.id = new.group_id for update;
    if (select count(*) from app.group_members m where m.org_id = new.org_id and m.group_id = new.group_id and m.id <> new.id and m.status = 'active'
        and (m.ends_on is null or m.ends_on >= current_date)) >= g.capacity then
      raise exception 'the group is full' using errcode = '23P01', constraint = 'group_members_full';
    end if;
  end if;
  return new;
end $$;
create trigger group_members_room before insert or update of status, ends_on on app.group_members for each row execute function app.group_members_room();

grant select, insert, update, delete on app.chapter_ancestors, app.chapter_counts, app.group_counts, app.chapter_months, app.data_health to app_definer;
grant execute on function app_private.add_months(app_private.membership_change[]), app_private.manages_group(uuid, uuid) to app_definer;
grant update (depth) on app.chapters to app_definer;
grant update (home_chapter_id, minor_until) on app.people to app_definer;
grant update on app.positions, app.groups to app_definer;
grant execute on function app_private.count_chapters(app_private.chapter_key[]), app_private.add_counts(app_private.affiliation_change[]),
  app_private.is_current(date, date) to app_definer;
grant execute on function app.refresh_counts(uuid), app.refresh_data_health(uuid), app.org_ids() to app_worker;
