-- Who is asking and how far each permission reaches. Everything here runs as app_definer, which may read just what it needs.

create function app.actor() returns app.actor_context
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  raw text := nullif(current_setting('app.actor', true), '');
  part text[];
  payload text;
  result app.actor_context;
begin
  if raw is null then return null; end if;
  part := string_to_array(raw, '|');
  payload := array_to_string(part[1:4], '|');
  if cardinality(part) <> 5 or not exists (
    select from (select k from app_private.actor_keys k order by k.id desc limit 2) recent
    where app_private.sign_actor(payload, recent.k) = part[5]
  ) then
    raise exception 'the actor is not signed by this service' using errcode = '28000';
  end if;
  if part[4]::bigint < extract(epoch from statement_timestamp()) then
    raise exception 'the actor has expired' using errcode = '28000';
  end if;
  result.org_id := part[1]::uuid;
  result.account_id := part[2]::uuid;
  if not exists (select from app.accounts a where a.org_id = result.org_id and a.id = result.account_id and a.status = 'active') then
    return null;
  end if;
  result.idp_roles := coalesce(string_to_array(nullif(part[3], ''), ','), '{}');
  return result;
end $$;
comment on function app.actor() is 'The verified actor of this transaction: app.actor holds org|account|roles|expiry|signature. Null when unset or the account is not active; error 28000 when forged or expired';

create function app.org_id() returns uuid language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$ begin return (app.actor()).org_id; end $$;
comment on function app.org_id() is 'Organisation of the actor, null without one';

create function app.account_id() returns uuid language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$ begin return (app.actor()).account_id; end $$;
comment on function app.account_id() is 'Account of the actor, null without one';

create function app.person_id() returns uuid language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare actor app.actor_context := app.actor();
begin
  return (select a.person_id from app.accounts a where a.org_id = actor.org_id and a.id = actor.account_id);
end $$;
comment on function app.person_id() is 'Person that the actor is, null for an account without one';

create function app.today() returns date language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare actor app.actor_context := app.actor();
begin
  return coalesce((select (now() at time zone o.timezone)::date from app.organisations o where o.org_id = actor.org_id), current_date);
end $$;
comment on function app.today() is 'The calendar day in the organisation''s own time zone: what date windows are compared with';

-- Where rights come from. Plain SQL without settings of their own, so that each becomes part of the query that asks; `wanted` null asks for every permission.

create function app_private.by_provider(actor app.actor_context, wanted text) returns table (permission text)
  language sql stable as $$
  select p.permission from app.roles r join app.role_permissions p on p.org_id = r.org_id and p.role_id = r.id
  where r.org_id = actor.org_id and r.key = any (actor.idp_roles) and (wanted is null or p.permission = wanted)
$$;
comment on function app_private.by_provider(app.actor_context, text) is 'Organisation-wide permissions of the roles that the identity provider vouched for';

create function app_private.by_grant(actor app.actor_context, today date, wanted text) returns table (permission text, scope_kind text, scope_id uuid)
  language sql stable as $$
  select p.permission, g.scope_kind, coalesce(g.chapter_id, g.group_id) from app.grants g
  join app.role_permissions p on p.org_id = g.org_id and p.role_id = g.role_id
  where g.org_id = actor.org_id and g.account_id = actor.account_id and (wanted is null or p.permission = wanted)
    and g.starts_on <= today and (g.ends_on is null or g.ends_on >= today)
$$;
comment on function app_private.by_grant(app.actor_context, date, text) is 'Permissions of the roles granted to the account, in the scope of each grant';

create function app_private.by_office(actor app.actor_context, me uuid, today date, wanted text) returns table (permission text, scope_id uuid)
  language sql stable as $$
  select p.permission, s.chapter_id from app.position_holders h
  join app.positions s on s.org_id = h.org_id and s.id = h.position_id
  join app.role_permissions p on p.org_id = s.org_id and p.role_id = s.role_id
  where h.org_id = actor.org_id and h.person_id = me and (wanted is null or p.permission = wanted)
    and h.starts_on <= today and (h.ends_on is null or h.ends_on >= today)
$$;
comment on function app_private.by_office(app.actor_context, uuid, date, text) is 'An office gives its role in its chapter and below, from the first to the last day of the term';

create function app_private.by_leading(actor app.actor_context, me uuid, today date, wanted text) returns table (permission text, scope_id uuid)
  language sql stable as $$
  select p.permission, m.group_id from app.group_members m
  join app.roles r on r.org_id = m.org_id and r.key = 'group-leader'
  join app.role_permissions p on p.org_id = r.org_id and p.role_id = r.id
  where m.org_id = actor.org_id and m.person_id = me and m.role = 'leader' and m.status = 'active' and (wanted is null or p.permission = wanted)
    and (m.starts_on is null or m.starts_on <= today) and (m.ends_on is null or m.ends_on >= today)
$$;
comment on function app_private.by_leading(app.actor_context, uuid, date, text) is 'Leaders hold the role group-leader in their groups';

create function app_private.by_membership(actor app.actor_context, me uuid, today date, wanted text) returns table (permission text, scope_kind text, scope_id uuid)
  language sql stable as $$
  select p.permission, case when o.directory_reach = 'organisation' then 'org' else 'chapter' end,
    case when o.directory_reach = 'organisation' then null else a.chapter_id end
  from app.affiliations a
  join app.organisations o on o.org_id = a.org_id
  join app.roles r on r.org_id = a.org_id and r.key = 'member'
  join app.role_permissions p on p.org_id = r.org_id and p.role_id = r.id
  where a.org_id = actor.org_id and a.person_id = me and a.kind in ('member', 'alumni', 'advisor') and (wanted is null or p.permission = wanted)
    and a.starts_on <= today and (a.ends_on is null or a.ends_on >= today)
$$;
comment on function app_private.by_membership(app.actor_context, uuid, date, text) is 'Membership itself: the whole organisation, or the own chapters where the directory is kept that narrow';

create function app_private.me_today(actor app.actor_context, out me uuid, out today date)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  select a.person_id, (now() at time zone o.timezone)::date into me, today
    from app.accounts a join app.organisations o on o.org_id = a.org_id where a.org_id = actor.org_id and a.id = actor.account_id;
end $$;
comment on function app_private.me_today(app.actor_context) is 'Person that the actor is, and the calendar day in the organisation''s own time zone';

create function app.everywhere(wanted text) returns boolean language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  actor app.actor_context := app.actor();
  me uuid;
  today date;
begin
  if actor.org_id is null then return false; end if;
  -- One source after the other, the likeliest first: every statement asks this, and mostly the first one answers.
  if actor.idp_roles <> '{}' and exists (select from app_private.by_provider(actor, wanted)) then return true; end if;
  select m.me, m.today into me, today from app_private.me_today(actor) m;
  if exists (select from app_private.by_grant(actor, today, wanted) g where g.scope_kind = 'org') then return true; end if;
  return me is not null and exists (select from app_private.by_membership(actor, me, today, wanted) m where m.scope_kind = 'org');
end $$;
comment on function app.everywhere(text) is 'Whether the actor holds a permission in the whole organisation';

create function app.scope(wanted text) returns uuid[] language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  actor app.actor_context := app.actor();
  me uuid;
  today date;
begin
  if actor.org_id is null then return '{}'; end if;
  select m.me, m.today into me, today from app_private.me_today(actor) m;
  return (select coalesce(array_agg(distinct a.chapter_id), '{}')
    from (
      select x.scope_id from app_private.by_grant(actor, today, wanted) x where x.scope_kind = 'chapter'
      union all select x.scope_id from app_private.by_office(actor, me, today, wanted) x
      union all select x.scope_id from app_private.by_membership(actor, me, today, wanted) x where x.scope_kind = 'chapter'
    ) r
    join app.chapter_ancestors a on a.org_id = actor.org_id and a.ancestor_id = r.scope_id);
end $$;
comment on function app.scope(text) is 'Chapters, subtrees opened, in which the actor holds a permission';

create function app.group_scope(wanted text) returns uuid[] language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  actor app.actor_context := app.actor();
  me uuid;
  today date;
begin
  if actor.org_id is null then return '{}'; end if;
  select m.me, m.today into me, today from app_private.me_today(actor) m;
  return (select coalesce(array_agg(distinct r.scope_id), '{}')
    from (
      select x.scope_id from app_private.by_grant(actor, today, wanted) x where x.scope_kind = 'group'
      union all select x.scope_id from app_private.by_leading(actor, me, today, wanted) x
    ) r);
end $$;
comment on function app.group_scope(text) is 'Groups in which the actor holds a permission';

create function app.my_groups() returns uuid[] language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return (select coalesce(array_agg(m.group_id), '{}') from app.group_members m
    where m.org_id = (select app.org_id()) and m.person_id = (select app.person_id()) and m.status in ('active', 'invited', 'requested') and m.ends_on is null);
end $$;
comment on function app.my_groups() is 'Groups the actor is in, is invited to or has asked to join';

create function app.my_rosters() returns uuid[] language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return (select coalesce(array_agg(m.group_id), '{}') from app.group_members m
    where m.org_id = (select app.org_id()) and m.person_id = (select app.person_id()) and m.status = 'active' and m.ends_on is null);
end $$;
comment on function app.my_rosters() is 'Groups whose members the actor sees as one of them; asking to join, or being invited, shows nobody yet';

create function app.permissions() returns table (permission text, everywhere boolean, chapters uuid[], groups uuid[])
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  actor app.actor_context := app.actor();
  me uuid;
  today date;
begin
  if actor.org_id is null then return; end if;
  select m.me, m.today into me, today from app_private.me_today(actor) m;
  return query
    select r.permission, bool_or(r.scope_kind = 'org'),
      coalesce(array_agg(distinct a.chapter_id) filter (where a.chapter_id is not null), '{}'),
      coalesce(array_agg(distinct r.scope_id) filter (where r.scope_kind = 'group'), '{}')
    from (
      select x.permission, 'org' as scope_kind, null::uuid as scope_id from app_private.by_provider(actor, null) x
      union all select x.permission, x.scope_kind, x.scope_id from app_private.by_grant(actor, today, null) x
      union all select x.permission, 'chapter', x.scope_id from app_private.by_office(actor, me, today, null) x
      union all select x.permission, 'group', x.scope_id from app_private.by_leading(actor, me, today, null) x
      union all select x.permission, x.scope_kind, x.scope_id from app_private.by_membership(actor, me, today, null) x
    ) r
    left join app.chapter_ancestors a on r.scope_kind = 'chapter' and a.org_id = actor.org_id and a.ancestor_id = r.scope_id
    group by r.permission;
end $$;
comment on function app.permissions() is 'Every permission of the actor with its reach, for screens to know what to offer';

create function app.role_within_reach(role uuid, kind text, scope uuid) returns boolean
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return not exists (
    select from app.role_permissions p where p.org_id = (select app.org_id()) and p.role_id = role
      and not app.everywhere(p.permission)
      and not (kind = 'chapter' and scope = any (app.scope(p.permission)))
      and not (kind = 'group' and scope = any (app.group_scope(p.permission)))
  );
end $$;
comment on function app.role_within_reach(uuid, text, uuid) is 'Whether the actor holds every permission of a role in that scope: nobody gives more than they have';

do $$
declare f text;
begin
  foreach f in array array['app.actor()', 'app.org_id()', 'app.account_id()', 'app.person_id()', 'app.today()',
    'app_private.by_provider(app.actor_context, text)', 'app_private.by_grant(app.actor_context, date, text)', 'app_private.by_office(app.actor_context, uuid, date, text)',
    'app_private.by_leading(app.actor_context, uuid, date, text)', 'app_private.by_membership(app.actor_context, uuid, date, text)',
    'app_private.me_today(app.actor_context)',
    'app.everywhere(text)', 'app.scope(text)', 'app.group_scope(text)', 'app.my_groups()', 'app.my_rosters()', 'app.permissions()', 'app.role_within_reach(uuid, text, uuid)'] loop
    execute format('revoke execute on function %s from public', f);
    execute format('grant execute on function %s to app_definer', f);
    if f not like 'app_private.%' then execute format('grant execute on function %s to app_access', f); end if;
  end loop;
end $$;

grant select on app.organisations, app.accounts, app.roles, app.role_permissions, app.grants, app.positions, app.position_holders,
  app.group_members, app.affiliations, app.chapter_ancestors, app.chapters, app.groups, app.people, app.person_emails, app.person_phones to app_definer;
