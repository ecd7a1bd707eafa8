-- API keys. A key acts as an account of its own, of the kind service: nobody signs in with it and it is linked to nobody. What it may do stands with the
-- key and not among roles and grants, so that nothing which looks for people with a right finds a program; everything that asks for rights finds them.

alter table app.accounts add column kind text not null default 'person' check (kind in ('person', 'service'));
comment on column app.accounts.kind is 'service: acts for a program, by an API key; nobody signs in with it';
alter table app.accounts drop constraint accounts_check1;
alter table app.accounts add constraint accounts_bound check (kind = 'service' or subject is not null or status in ('invited', 'suspended'));
alter table app.accounts add constraint accounts_service check (kind = 'person'
  or (issuer is null and subject is null and email is null and person_id is null and idp_roles = '{}' and status in ('active', 'suspended')));

create table app.api_keys (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  account_id uuid not null,
  name text not null check (char_length(name) between 1 and 100),
  purpose text not null default '' check (char_length(purpose) <= 500),
  prefix text collate "C" not null check (prefix ~ '^ghk_[0-9A-Za-z]{8}$'),
  secret_hash text collate "C" not null check (secret_hash ~ '^[0-9a-f]{64}$'),
  permissions text[] not null check (cardinality(permissions) between 1 and 60 and array_position(permissions, null) is null),
  chapter_id uuid,
  per_minute int not null check (per_minute between 1 and 6000),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  last_used_at timestamptz,
  created_by uuid,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, account_id),
  unique (org_id, secret_hash),
  foreign key (org_id, account_id) references app.accounts (org_id, id) on delete cascade,
  foreign key (org_id, chapter_id) references app.chapters (org_id, id) on delete cascade,
  foreign key (org_id, created_by) references app.accounts (org_id, id) on delete set null (created_by),
  constraint api_key_never check (not permissions && array['account.manage', 'integrations.manage', 'positions.appoint', 'relationships.manage'])
);
comment on table app.api_keys is 'Keys by which programs use the API, each with the permissions and the place that were chosen for it; the key itself is kept as a hash';
comment on column app.api_keys.account_id is 'The account that the key acts as, and that audit log and histories name';
comment on column app.api_keys.prefix is 'Beginning of the key, to tell it by';
comment on column app.api_keys.secret_hash is 'SHA-256 of the whole key, in hexadecimal';
comment on column app.api_keys.chapter_id is 'It holds in this chapter and those below; in the whole organisation where null';
comment on column app.api_keys.revoked_at is 'Set once; a revoked key stays to say what it did';
comment on column app.api_keys.last_used_at is 'To the minute';
comment on constraint api_key_never on app.api_keys is 'With any of these, who finds a key could give a person rights that stay when the key is gone';
create index api_keys_by_secret on app.api_keys (secret_hash);
create index api_keys_by_chapter on app.api_keys (org_id, chapter_id);
create index api_keys_by_maker on app.api_keys (org_id, created_by);
create index api_keys_by_created on app.api_keys (org_id, created_at, id);
select app_private.protect('app.api_keys');
select app_private.keep_audit('app.api_keys', 'audit.read', 'id');
select app_private.hide_in_audit('app.api_keys', 'secret_hash', 'last_used_at');
create trigger api_keys_touch before update on app.api_keys for each row
  when ((old.name, old.purpose, old.per_minute, old.revoked_at) is distinct from (new.name, new.purpose, new.per_minute, new.revoked_at)) execute function app.touch();
create policy api_keys_read on app.api_keys for select to app_access using (org_id = (select app.org_id()) and (select app.everywhere('integrations.manage')));
create policy api_keys_change on app.api_keys for update to app_access using (org_id = (select app.org_id()) and (select app.everywhere('integrations.manage')))
  with check (org_id = (select app.org_id()) and (select app.everywhere('integrations.manage')));
grant select (org_id, id, account_id, name, purpose, prefix, permissions, chapter_id, per_minute, expires_at, revoked_at, last_used_at, created_by, version, created_at, updated_at),
  update (name, purpose, per_minute, revoked_at) on app.api_keys to app_access;
grant select, insert, update (last_used_at) on app.api_keys to app_definer;

create function app_private.api_keys_guard() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  raise exception 'this key is revoked' using errcode = '23514', constraint = 'api_key_revoked';
end $$;
create trigger api_keys_guard before update on app.api_keys for each row
  when (old.revoked_at is not null and (old.name, old.purpose, old.per_minute, old.revoked_at) is distinct from (new.name, new.purpose, new.per_minute, new.revoked_at))
  execute function app_private.api_keys_guard();

create function app_private.api_keys_follow() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update app.accounts a set name = 'Key ' || new.name, status = case when new.revoked_at is null then a.status else 'suspended' end
    where a.org_id = new.org_id and a.id = new.account_id;
  return null;
end $$;
comment on function app_private.api_keys_follow() is 'The account of a key has its name, and ends with it';
create trigger api_keys_follow after update on app.api_keys for each row
  when ((old.name, old.revoked_at) is distinct from (new.name, new.revoked_at)) execute function app_private.api_keys_follow();

-- What a key did --------------------------------------------------------------------------------------------------------------------------

create table app.api_key_uses (
  org_id uuid not null,
  id uuid not null default app.uuid7(),
  key_id uuid not null,
  at timestamptz not null,
  operation text collate "C" not null check (char_length(operation) <= 60),
  method text collate "C" not null check (method ~ '^[A-Z]{3,10}$'),
  status int not null check (status between 100 and 599),
  count int not null check (count > 0),
  primary key (org_id, id),
  unique (org_id, key_id, at, operation, method, status),
  foreign key (org_id, key_id) references app.api_keys (org_id, id) on delete cascade
);
comment on table app.api_key_uses is 'Requests of a key by minute, operation and status; kept for 90 days. Not in the audit log: it is a log itself';
comment on column app.api_key_uses.at is 'The minute';
create index api_key_uses_by_at on app.api_key_uses (at);
create index api_key_uses_newest on app.api_key_uses (org_id, key_id, at, id);
select app_private.protect('app.api_key_uses');
create policy api_key_uses_read on app.api_key_uses for select to app_access using (org_id = (select app.org_id()) and (select app.everywhere('integrations.manage')));
grant select on app.api_key_uses to app_access;
grant select, insert, delete, update (count) on app.api_key_uses to app_definer;

create table app.api_key_minutes (
  org_id uuid not null,
  key_id uuid not null,
  minute timestamptz not null,
  uses int not null,
  primary key (org_id, key_id),
  foreign key (org_id, key_id) references app.api_keys (org_id, id) on delete cascade
);
comment on table app.api_key_minutes is 'Requests that servers have set aside for a key in its latest minute. Not in the audit log: a counter';
select app_private.protect('app.api_key_minutes');
grant select, insert, update (minute, uses) on app.api_key_minutes to app_definer;

-- Rights ----------------------------------------------------------------------------------------------------------------------------------

alter type app.actor_context add attribute by_key boolean;

-- As before, save that an account of the kind service acts only while its key does, and for nobody else.
create or replace function app.actor() returns app.actor_context
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  raw text := nullif(current_setting('app.actor', true), '');
  part text[];
  parts int;
  payload text;
  me uuid;
  kind text;
  result app.actor_context;
begin
  if raw is null then return null; end if;
  part := string_to_array(raw, '|');
  parts := cardinality(part);
  payload := array_to_string(part[1:parts - 1], '|');
  if parts not in (5, 6) or not exists (
    select from (select k from app_private.actor_keys k order by k.id desc limit 2) recent
    where app_private.sign_actor(payload, recent.k) = part[parts]
  ) then
    raise exception 'the actor is not signed by this service' using errcode = '28000';
  end if;
  if part[4]::bigint < extract(epoch from statement_timestamp()) then
    raise exception 'the actor has expired' using errcode = '28000';
  end if;
  result.org_id := part[1]::uuid;
  result.account_id := part[2]::uuid;
  select a.person_id, a.kind into me, kind from app.accounts a where a.org_id = result.org_id and a.id = result.account_id and a.status = 'active';
  if not found then return null; end if;
  if kind = 'service' then
    if not exists (select from app.api_keys k where k.org_id = result.org_id and k.account_id = result.account_id and k.revoked_at is null and k.expires_at > now()) then
      return null;
    end if;
    result.by_key := true;
    part[3] := '';
  end if;
  if parts = 5 then
    result.idp_roles := coalesce(string_to_array(nullif(part[3], ''), ','), '{}');
    return result;
  end if;
  -- Refused, not passed over: who believes to act for somebody must not act for themselves.
  if not coalesce(app_private.acts_for(result.org_id, me, part[5]::uuid), false) then
    raise exception 'you may not act for this person' using errcode = '42501', constraint = 'acting_not_allowed';
  end if;
  result.acting_for := part[5]::uuid;
  result.idp_roles := '{}';
  return result;
end $$;

create or replace function app_private.by_grant(actor app.actor_context, today date, wanted text) returns table (permission text, scope_kind text, scope_id uuid)
  language sql stable as $$
  select p.permission, g.scope_kind, coalesce(g.chapter_id, g.group_id, g.record_id) from app.grants g
  join app.role_permissions p on p.org_id = g.org_id and p.role_id = g.role_id
  where g.org_id = actor.org_id and g.account_id = actor.account_id and actor.acting_for is null and (wanted is null or p.permission = wanted)
    and g.starts_on <= today and (g.ends_on is null or g.ends_on >= today) and actor.by_key is null
  union all
  select p, case when k.chapter_id is null then 'org' else 'chapter' end, k.chapter_id from app.api_keys k cross join unnest(k.permissions) p
  where actor.by_key and actor.acting_for is null and k.org_id = actor.org_id and k.account_id = actor.account_id and (wanted is null or p = wanted)
    and k.revoked_at is null and k.expires_at > now()
$$;
comment on function app_private.by_grant(app.actor_context, date, text) is 'Permissions of the roles granted to the account, in the scope of each grant, or those of the API key that it acts by; none while it acts for somebody';

-- As before, save that accounts of programs belong nowhere: nothing is announced to them.
create or replace function app_private.belonging(org uuid, today date) returns table (account_id uuid, place uuid, rank int) language sql stable as $$
  select a.id, n.ancestor_id, 1 from app.accounts a join app.position_holders h on h.org_id = a.org_id and h.person_id = a.person_id
    join app.positions s on s.org_id = h.org_id and s.id = h.position_id
    join app.chapter_ancestors n on n.org_id = s.org_id and n.chapter_id = s.chapter_id
    where a.org_id = org and a.status = 'active' and h.starts_on <= today and (h.ends_on is null or h.ends_on >= today)
  union all
  select a.id, org, 1 from app.accounts a join app.position_holders h on h.org_id = a.org_id and h.person_id = a.person_id
    where a.org_id = org and a.status = 'active' and h.starts_on <= today and (h.ends_on is null or h.ends_on >= today)
  union all
  select a.id, n.ancestor_id, 1 from app.accounts a join app.grants g on g.org_id = a.org_id and g.account_id = a.id
    join app.chapter_ancestors n on n.org_id = g.org_id and n.chapter_id = g.chapter_id
    where a.org_id = org and a.status = 'active' and g.starts_on <= today and (g.ends_on is null or g.ends_on >= today)
  union all
  select a.id, coalesce(g.group_id, org), 1 from app.accounts a join app.grants g on g.org_id = a.org_id and g.account_id = a.id
    where a.org_id = org and a.status = 'active' and g.scope_kind in ('org', 'chapter', 'group') and g.starts_on <= today and (g.ends_on is null or g.ends_on >= today)
  union all
  select a.id, org, 1 from app.accounts a where a.org_id = org and a.status = 'active' and a.idp_roles <> '{}'
  union all
  select a.id, n.ancestor_id, case when f.kind in ('member', 'alumni', 'advisor') then 2 else 3 end
    from app.accounts a join app.affiliations f on f.org_id = a.org_id and f.person_id = a.person_id
    join app.chapter_ancestors n on n.org_id = f.org_id and n.chapter_id = f.chapter_id
    where a.org_id = org and a.status = 'active' and f.starts_on <= today and (f.ends_on is null or f.ends_on >= today)
  union all
  select a.id, org, 2 from app.accounts a join app.affiliations f on f.org_id = a.org_id and f.person_id = a.person_id
    where a.org_id = org and a.status = 'active' and f.kind in ('member', 'alumni', 'advisor') and f.starts_on <= today and (f.ends_on is null or f.ends_on >= today)
  union all
  select a.id, m.group_id, case when m.role = 'leader' then 1 else 2 end from app.accounts a join app.group_members m on m.org_id = a.org_id and m.person_id = a.person_id
    where a.org_id = org and a.status = 'active' and m.status = 'active' and m.ends_on is null and (m.starts_on is null or m.starts_on <= today)
  union all
  select a.id, org, 3 from app.accounts a where a.org_id = org and a.status = 'active' and a.kind = 'person'
$$;

-- Accounts of programs are none of those that administrators let in, link, lock out, remove or give roles to.
alter policy accounts_change on app.accounts using (org_id = (select app.org_id())
  and (id = (select app.account_id()) or (kind = 'person' and (select app.everywhere('account.manage')))));

create or replace function app.grants_guard() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op <> 'DELETE' and exists (select from app.accounts a where a.org_id = new.org_id and a.id = new.account_id and a.kind = 'service') then
    raise exception 'not allowed' using errcode = '42501';
  end if;
  if coalesce(current_setting('app.actor', true), '') = '' then return coalesce(new, old); end if;
  perform app_private.hold_account_rights(coalesce(new.org_id, old.org_id));
  if coalesce(new.account_id, old.account_id) = app.account_id() then
    raise exception 'nobody changes their own rights' using errcode = '42501', constraint = 'grants_own';
  end if;
  if tg_op <> 'DELETE' and not app.role_within_reach(new.role_id, new.scope_kind, coalesce(new.chapter_id, new.group_id)) then
    raise exception 'this role carries rights that you do not hold' using errcode = '42501', constraint = 'grants_beyond_reach';
  end if;
  return coalesce(new, old);
end $$;

-- As before, save that a key counts as who made it: it is no way round what nobody sees or does about themselves.
create or replace function app.my_records() returns uuid[] language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  actor constant app.actor_context := app.actor();
  org constant uuid := actor.org_id;
  me uuid := app.person_id();
begin
  if actor.by_key then
    me := (select a.person_id from app.api_keys k join app.accounts a on a.org_id = k.org_id and a.id = k.created_by where k.org_id = org and k.account_id = actor.account_id);
  end if;
  if me is null then return '{}'; end if;
  return array(
    with recursive upwards (id) as (
      select me union select p.merged_into from upwards u join app.people p on p.org_id = org and p.id = u.id where p.merged_into is not null),
    mine (id) as (
      select u.id from upwards u union select p.id from mine m join app.people p on p.org_id = org and p.merged_into = m.id)
    select m.id from mine m);
end $$;
comment on function app.my_records() is 'Records of which the actor does not decide by rights, since they are the actor: their person, or that of who made the API key, and what was merged into it or it was merged into';

create or replace function app_private.decides_for(org uuid, requester uuid, chapter uuid) returns boolean
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  reach uuid[];
begin
  if requester = app.person_id() or not app_private.minor_reached(org, requester) then return false; end if;
  if (app.actor()).by_key and requester = any (app.my_records()) then return false; end if;
  if app.everywhere('memberships.manage') then return true; end if;
  reach := app.scope('memberships.manage');
  -- Of an officer who decides there, the tier above decides.
  return coalesce(chapter = any (reach), false) and not exists (
    select from app_private.officer_in(org, requester, 'memberships.manage') o (chapter_id)
    join app.chapter_ancestors a on a.org_id = org and a.chapter_id = chapter and a.ancestor_id = o.chapter_id
    join app.chapters c on c.org_id = org and c.id = o.chapter_id
    where not coalesce(c.parent_id = any (reach), false));
end $$;

create function app.make_api_key(name text, purpose text, per_minute int, permissions text[], chapter uuid, days int, prefix text, secret_hash text) returns uuid
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  actor constant app.actor_context := app.actor();
  here constant uuid := make_api_key.chapter;
  beyond text[];
  account uuid;
  made uuid;
begin
  if not app.everywhere('integrations.manage') then raise exception 'not allowed' using errcode = '42501'; end if;
  select array_agg(distinct p order by p) into beyond from unnest(make_api_key.permissions) p
    where not app.everywhere(p) and not coalesce(here = any (app.scope(p)), false);
  if beyond is not null then
    raise exception 'you cannot give rights that you do not hold' using errcode = '42501', constraint = 'beyond_reach', detail = json_build_object('permissions', beyond)::text;
  end if;
  insert into app.accounts (org_id, kind, name, status) values (actor.org_id, 'service', 'Key ' || make_api_key.name, 'active') returning id into account;
  insert into app.api_keys (org_id, account_id, name, purpose, prefix, secret_hash, permissions, chapter_id, per_minute, expires_at, created_by)
    values (actor.org_id, account, make_api_key.name, make_api_key.purpose, make_api_key.prefix, make_api_key.secret_hash,
      array(select distinct p from unnest(make_api_key.permissions) p order by p), here, make_api_key.per_minute,
      date_trunc('second', now()) + make_interval(days => make_api_key.days), actor.account_id)
    returning id into made;
  return made;
end $$;
comment on function app.make_api_key(text, text, int, text[], uuid, int, text, text) is 'Makes a key with its account; refuses permissions that the actor does not hold in its place';

create function app.find_api_key(statement text) returns table (org_id uuid, id uuid, account_id uuid, per_minute int, expires_at timestamptz, revoked boolean)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  said constant jsonb := app_private.token_statement(statement, 'key');
begin
  return query select k.org_id, k.id, k.account_id, k.per_minute, k.expires_at, k.revoked_at is not null or a.status <> 'active'
    from app.api_keys k join app.accounts a on a.org_id = k.org_id and a.id = k.account_id
    where k.secret_hash = said ->> 'hash' and (said ->> 'idpOrg' is null or k.org_id = app.token_organisation(said ->> 'idpOrg'));
end $$;
comment on function app.find_api_key(text) is 'The key of a hash that a service vouches for: it was sent the key itself';

create function app.set_key_uses_aside(org uuid, key uuid, wanted int, out granted int, out again_in int) language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  this constant timestamptz := date_trunc('minute', clock_timestamp());
  allowed constant int := (select k.per_minute from app.api_keys k where k.org_id = org and k.id = key);
  before int;
begin
  insert into app.api_key_minutes (org_id, key_id, minute, uses) select k.org_id, k.id, this, 0 from app.api_keys k where k.org_id = org and k.id = key on conflict do nothing;
  select case when m.minute < this then 0 else m.uses end into before from app.api_key_minutes m where m.org_id = org and m.key_id = key for update;
  granted := greatest(0, least(wanted, allowed - before));
  update app.api_key_minutes m set minute = greatest(m.minute, this), uses = before + granted where m.org_id = org and m.key_id = key;
  again_in := ceil(extract(epoch from this + interval '1 minute' - clock_timestamp()));
end $$;
comment on function app.set_key_uses_aside(uuid, uuid, int) is 'Sets requests of this minute aside for one server, as many as the key has left, and says when the next minute begins, in seconds';

create function app.note_key_uses(noted jsonb) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into app.api_key_uses as u (org_id, key_id, at, operation, method, status, count)
    select k.org_id, k.id, date_trunc('minute', n.at), n.operation, n.method, n.status, sum(n.count)::int
    from jsonb_to_recordset(noted) n (org uuid, key uuid, at timestamptz, operation text, method text, status int, count int)
    join app.api_keys k on k.org_id = n.org and k.id = n.key
    where n.at between now() - interval '1 day' and now() + interval '5 minutes'
    group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6
    on conflict (org_id, key_id, at, operation, method, status) do update set count = u.count + excluded.count;
  -- What was refused because the key is over was no use of it.
  update app.api_keys k set last_used_at = n.at from (
      select x.org, x.key, max(date_trunc('minute', x.at)) as at from jsonb_to_recordset(noted) x (org uuid, key uuid, at timestamptz, status int)
      where x.status <> 401 group by 1, 2 order by 1, 2) n
    where k.org_id = n.org and k.id = n.key and (k.last_used_at is null or k.last_used_at < n.at);
end $$;
comment on function app.note_key_uses(jsonb) is 'Adds requests that a server has answered to what their keys did';

create function app.purge_key_uses() returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare gone int;
begin
  delete from app.api_key_uses u where u.at < now() - interval '90 days';
  get diagnostics gone = row_count;
  return gone;
end $$;
comment on function app.purge_key_uses() is 'Forgets what keys did more than 90 days ago; for the worker';

create function app.warn_of_key_expiry(org uuid, note jsonb) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  k app.api_keys;
  -- Those who can make another one.
  may constant uuid[] := app_private.deciders_of(org, '00000000-0000-0000-0000-000000000000', null, 'integrations.manage');
  told int := 0;
begin
  for k in select x.* from app.api_keys x where x.org_id = org and x.revoked_at is null and x.expires_at > now() and x.expires_at < now() + interval '14 days' order by x.id loop
    told := told + app_private.tell(org, null, case when k.created_by = any (may) then array[k.created_by] else may end,
      note || jsonb_build_object('record', k.id, 'dedupe_key', concat('key-expiring:', k.id, ':', case when k.expires_at < now() + interval '3 days' then 3 else 14 end),
        'params', jsonb_build_object('title', k.name, 'on', (k.expires_at at time zone (select o.timezone from app.organisations o where o.org_id = org))::date)));
  end loop;
  return told;
end $$;
comment on function app.warn_of_key_expiry(uuid, jsonb) is 'Tells who made a key 14 and 3 days before it expires, each once; administrators where that account is gone or manages integrations no more';

revoke execute on function app_private.api_keys_guard() from public;
select app_private.own_definers();
grant execute on function app.make_api_key(text, text, int, text[], uuid, int, text, text), app.find_api_key(text), app.set_key_uses_aside(uuid, uuid, int), app.note_key_uses(jsonb) to app_access;
grant execute on function app.purge_key_uses(), app.warn_of_key_expiry(uuid, jsonb) to app_worker;
