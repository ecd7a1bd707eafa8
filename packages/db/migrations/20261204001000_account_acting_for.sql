-- Acting for somebody: an account whose person manages another one is that person for a request, with the rights of a plain member and nothing of its own.

alter type app.actor_context add attribute acting_for uuid;
comment on type app.actor_context is 'Who is asking: organisation, account, the organisation-wide roles that the identity provider vouched for, and the person whom the account acts for';

-- Who may -------------------------------------------------------------------------------------------------------------------------------------

create function app_private.acts_for(org uuid, guardian uuid, person uuid) returns boolean
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare today constant date := app_private.today_in(org);
begin
  return exists (select from app.relationships r
    join app.relationship_types t on t.org_id = r.org_id and t.id = r.type_id
    join app.people h on h.org_id = r.org_id and h.id = r.from_person_id
    join app.people p on p.org_id = r.org_id and p.id = r.to_person_id
    where r.org_id = org and r.from_person_id = guardian and r.to_person_id = person and guardian <> person and r.state = 'active' and t.grants = 'manage'
      and coalesce(r.starts_on, today) <= today and coalesce(r.ends_on, today) >= today
      -- Of whom nobody knows when they come of age, nobody knows whether they have.
      and (not t.is_minors_only or app_private.majority_on(org, person) > today)
      and h.deleted_at is null and h.lifecycle not in ('erased', 'merged', 'deceased')
      and p.deleted_at is null and p.lifecycle not in ('erased', 'merged', 'deceased'));
end $$;
comment on function app_private.acts_for(uuid, uuid, uuid) is 'Whether one person acts for another today: an active relationship of a type that manages leads from the one to the other, and of a type for minors the other is one. The same as app_private.managed_by, asked for one pair, since every statement of somebody who acts asks it';

create or replace function app.actor() returns app.actor_context
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  raw text := nullif(current_setting('app.actor', true), '');
  part text[];
  parts int;
  payload text;
  me uuid;
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
  select a.person_id into me from app.accounts a where a.org_id = result.org_id and a.id = result.account_id and a.status = 'active';
  if not found then return null; end if;
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
comment on function app.actor() is 'The verified actor of this transaction: app.actor holds org|account|roles|expiry|signature, or org|account|roles|expiry|person|signature of an account that acts for a person. Null when unset or the account is not active; error 28000 when forged or expired, 42501 acting_not_allowed when it does not act for that person';

create function app.acting_for() returns uuid language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$ begin return (app.actor()).acting_for; end $$;
comment on function app.acting_for() is 'Person whom the actor acts for, null where they act for themselves';
grant execute on function app.acting_for() to app_access;

create function app.may_act_for(person uuid) returns boolean language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare actor app.actor_context := app.actor();
begin
  if actor.org_id is null or actor.acting_for is not null then return false; end if;
  return coalesce(app_private.acts_for(actor.org_id, app.person_id(), person), false);
end $$;
comment on function app.may_act_for(uuid) is 'Whether the actor may act for a person today; asked as oneself';
grant execute on function app.may_act_for(uuid) to app_access;

create or replace function app.person_id() returns uuid language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare actor app.actor_context := app.actor();
begin
  if actor.acting_for is not null then return actor.acting_for; end if;
  return (select a.person_id from app.accounts a where a.org_id = actor.org_id and a.id = actor.account_id);
end $$;
comment on function app.person_id() is 'Person that the actor is or acts for, null for an account without one';

create or replace function app_private.me_today(actor app.actor_context, out me uuid, out today date)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  select coalesce(actor.acting_for, a.person_id), (now() at time zone o.timezone)::date into me, today
    from app.accounts a join app.organisations o on o.org_id = a.org_id where a.org_id = actor.org_id and a.id = actor.account_id;
end $$;
comment on function app_private.me_today(app.actor_context) is 'Person that the actor is or acts for, and the calendar day in the organisation''s own time zone';

-- What they may -------------------------------------------------------------------------------------------------------------------------------

create or replace function app_private.by_grant(actor app.actor_context, today date, wanted text) returns table (permission text, scope_kind text, scope_id uuid)
  language sql stable as $$
  select p.permission, g.scope_kind, coalesce(g.chapter_id, g.group_id, g.record_id) from app.grants g
  join app.role_permissions p on p.org_id = g.org_id and p.role_id = g.role_id
  where g.org_id = actor.org_id and g.account_id = actor.account_id and actor.acting_for is null and (wanted is null or p.permission = wanted)
    and g.starts_on <= today and (g.ends_on is null or g.ends_on >= today)
$$;
comment on function app_private.by_grant(app.actor_context, date, text) is 'Permissions of the roles granted to the account, in the scope of each grant; none while it acts for somebody';

create or replace function app_private.by_office(actor app.actor_context, me uuid, today date, wanted text) returns table (permission text, scope_id uuid)
  language sql stable as $$
  select p.permission, s.chapter_id from app.position_holders h
  join app.positions s on s.org_id = h.org_id and s.id = h.position_id
  join app.role_permissions p on p.org_id = s.org_id and p.role_id = s.role_id
  where h.org_id = actor.org_id and h.person_id = me and actor.acting_for is null and (wanted is null or p.permission = wanted)
    and h.starts_on <= today and (h.ends_on is null or h.ends_on >= today)
$$;
comment on function app_private.by_office(app.actor_context, uuid, date, text) is 'An office gives its role in its chapter and below, from the first to the last day of the term; to nobody who acts for its holder';

create or replace function app_private.by_leading(actor app.actor_context, me uuid, today date, wanted text) returns table (permission text, scope_id uuid)
  language sql stable as $$
  select p.permission, m.group_id from app.group_members m
  join app.roles r on r.org_id = m.org_id and r.key = 'group-leader'
  join app.role_permissions p on p.org_id = r.org_id and p.role_id = r.id
  where m.org_id = actor.org_id and m.person_id = me and m.role = 'leader' and m.status = 'active' and actor.acting_for is null and (wanted is null or p.permission = wanted)
    and (m.starts_on is null or m.starts_on <= today) and (m.ends_on is null or m.ends_on >= today)
$$;
comment on function app_private.by_leading(app.actor_context, uuid, date, text) is 'Leaders hold the role group-leader in their groups; nobody who acts for one does';

create or replace function app_private.by_membership(actor app.actor_context, me uuid, today date, wanted text) returns table (permission text, scope_kind text, scope_id uuid)
  language sql stable as $$
  select p.permission, case when o.directory_reach = 'organisation' then 'org' else 'chapter' end,
    case when o.directory_reach = 'organisation' then null else a.chapter_id end
  from app.affiliations a
  join app.organisations o on o.org_id = a.org_id
  join app.roles r on r.org_id = a.org_id and r.key = 'member'
  join app.role_permissions p on p.org_id = r.org_id and p.role_id = r.id
  where a.org_id = actor.org_id and a.person_id = me and a.kind in ('member', 'alumni', 'advisor') and (wanted is null or p.permission = wanted)
    and a.starts_on <= today and (a.ends_on is null or a.ends_on >= today)
    -- What is open to members is open to a child that is one. Of other people, nobody sees more through a child than as a member themselves.
    and (actor.acting_for is null or p.permission in ('events.read', 'groups.read', 'fundraising.read')
      or exists (select from app.accounts own join app.affiliations g on g.org_id = own.org_id and g.person_id = own.person_id
        where own.org_id = actor.org_id and own.id = actor.account_id and g.kind in ('member', 'alumni', 'advisor') and g.starts_on <= today and (g.ends_on is null or g.ends_on >= today)
          and (o.directory_reach = 'organisation' or exists (select from app.chapter_ancestors n
            where n.org_id = a.org_id and n.chapter_id = a.chapter_id and n.ancestor_id = g.chapter_id))))
$$;
comment on function app_private.by_membership(app.actor_context, uuid, date, text) is 'Membership itself: the whole organisation, or the own chapters where the directory is kept that narrow. Who acts for a member has the member''s, but over other people only what is theirs as well';

create or replace function app.event_scope(wanted text) returns uuid[] language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid := app.org_id();
  me uuid := app.person_id();
  acting boolean := app.acting_for() is not null;
begin
  if org is null then return '{}'; end if;
  return app.record_scope('event', wanted) || (select coalesce(array_agg(distinct s.event_id), '{}') from app.event_staff s
    where s.org_id = org and s.person_id = me and (wanted = 'events.read' or (not acting and ((s.role = 'manager' and wanted in ('events.manage', 'events.publish', 'events.checkin'))
      or (s.role = 'checkin' and wanted = 'events.checkin')))));
end $$;

-- What is announced to officers is not announced to those who act for a child: neither by their own offices nor by the child's.
create or replace function app.announced_to_me() returns text[] language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  actor app.actor_context := app.actor();
  me uuid;
  today date;
begin
  if actor.org_id is null then return '{}'; end if;
  select m.me, m.today into me, today from app_private.me_today(actor) m;
  return array(select distinct b.place || ':' || x.audience
    from (select b.place, min(b.rank) as rank from (
        select b.place, b.rank from app_private.belonging(actor.org_id, today) b where b.account_id = actor.account_id and actor.acting_for is null
        -- What the identity provider says at this moment.
        union all select actor.org_id, 1 where actor.idp_roles <> '{}'
        union all select p.place, p.rank from app_private.belonging_of(actor.org_id, actor.acting_for, today) p) b group by 1) b
    join (values ('officers', 1), ('members', 2), ('everybody', 3)) x (audience, rank) on x.rank >= b.rank);
end $$;

create function app_private.belonging_of(org uuid, person uuid, today date) returns table (place uuid, rank integer) language sql stable as $$
  select n.ancestor_id, case when f.kind in ('member', 'alumni', 'advisor') then 2 else 3 end
    from app.affiliations f join app.chapter_ancestors n on n.org_id = f.org_id and n.chapter_id = f.chapter_id
    where f.org_id = org and f.person_id = person and f.starts_on <= today and (f.ends_on is null or f.ends_on >= today)
  union all
  select org, 2 from app.affiliations f where f.org_id = org and f.person_id = person and f.kind in ('member', 'alumni', 'advisor')
    and f.starts_on <= today and (f.ends_on is null or f.ends_on >= today)
  union all
  select m.group_id, 2 from app.group_members m where m.org_id = org and m.person_id = person and m.status = 'active' and m.ends_on is null
    and (m.starts_on is null or m.starts_on <= today)
  union all
  select org, 3 where person is not null
$$;
comment on function app_private.belonging_of(uuid, uuid, date) is 'Places that a person belongs to as a member (2) or otherwise (3), without any office';
revoke execute on function app_private.belonging_of(uuid, uuid, date) from public;
grant execute on function app_private.belonging_of(uuid, uuid, date) to app_definer;

-- What stays the account's own ----------------------------------------------------------------------------------------------------------------

create function app_private.accounts_own(tab regclass, readable boolean default false) returns void language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  name constant text := (select c.relname from pg_class c where c.oid = tab);
  mine constant text := '(org_id = (select app.org_id()) and (select app.acting_for()) is null)';
  command "char";
begin
  for command in select distinct x.polcmd from pg_policy x where x.polrelid = tab and x.polroles = array['app_access'::regrole::oid] and x.polpermissive
      and not (readable and x.polcmd = 'r') loop
    execute format('create policy %I on %s as restrictive for %s to app_access%s%s',
      name || case command when 'r' then '_read' when 'a' then '_add' when 'w' then '_change' else '_remove' end || '_acting', tab,
      case command when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' else 'delete' end,
      case when command <> 'a' then ' using ' || mine else '' end, case when command in ('a', 'w') then ' with check ' || mine else '' end);
  end loop;
end $$;
comment on function app_private.accounts_own(regclass, boolean) is 'Rows of the table are an account''s own: nobody has them, or with readable writes them, while they act for somebody else. After its policies';
revoke execute on function app_private.accounts_own(regclass, boolean) from public;
select app_private.accounts_own(('app.' || t)::regclass) from unnest(array['grants', 'notifications', 'notification_preferences', 'announcement_reads', 'exports', 'job_progress', 'calendar_feeds',
  'follow_ups', 'saved_views', 'payment_methods']) t;
-- Nobody speaks in the name of somebody else; what an account is stays readable to it.
select app_private.accounts_own('app.comments', readable => true), app_private.accounts_own('app.accounts', readable => true);

-- Through a child nobody reads how it signs in.
create policy audit_entries_acting on app.audit_entries as restrictive for select to app_access
  using (org_id = (select app.org_id()) and ((select app.acting_for()) is null or entity not in ('accounts', 'grants')));

-- A registration is seen by who made it. One made for a child is the child's, also after the guardian is none any more.
create function app_private.registrations_of_child() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if (app.actor()).acting_for is not null then new.created_by := null; end if;
  return new;
end $$;
create trigger registrations_of_child before insert on app.registrations for each row execute function app_private.registrations_of_child();
create policy registrations_not_acting on app.registrations as restrictive for select to app_access using (org_id = (select app.org_id())
  and ((select app.acting_for()) is null or created_by is distinct from (select app.account_id()) or (select app.person_id()) in (person_id, payer_id)));
comment on policy registrations_not_acting on app.registrations is 'Who acts for a child sees what the child sees, not what they registered otherwise';

-- A later birth date would make the time longer in which somebody acts for the child.
create function app_private.person_private_acting() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if (app.actor()).acting_for is not null and (tg_op = 'INSERT' and new.birth_date is not null or tg_op = 'UPDATE' and new.birth_date is distinct from old.birth_date) then
    raise exception 'only an officer changes whether someone is a minor' using errcode = '42501', constraint = 'person_own_majority';
  end if;
  return new;
end $$;
create trigger person_private_acting before insert or update of birth_date on app.person_private for each row execute function app_private.person_private_acting();

-- What somebody agrees to for good is theirs to agree to: else a guardian could accept in the child's name what they proposed themselves.
create function app_private.not_while_acting() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  -- What follows from another table was decided there.
  if pg_trigger_depth() = 1 and (app.actor()).acting_for is not null then
    raise exception 'this is not open to somebody who acts for another person' using errcode = '42501', constraint = 'not_while_acting';
  end if;
  return null;
end $$;
create trigger relationships_not_acting before insert or update or delete on app.relationships for each statement execute function app_private.not_while_acting();
create trigger group_members_not_acting before insert or update or delete on app.group_members for each statement execute function app_private.not_while_acting();
create trigger transfers_not_acting before insert or update or delete on app.transfers for each statement execute function app_private.not_while_acting();

-- Who follows their changes hears at once that they may no longer act.
create trigger relationships_tell_insert after insert on app.relationships referencing new table as changed for each statement execute function app.tell_rights('person');
create trigger relationships_tell_update after update on app.relationships referencing new table as changed for each statement execute function app.tell_rights('person');
create trigger relationships_tell_delete after delete on app.relationships referencing old table as changed for each statement execute function app.tell_rights('person');

-- Through a child nobody sees those whom the child may see because of a relationship: that was granted to the child.
create or replace function app.viewed_people() returns uuid[] language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare me uuid := app.person_id();
begin
  if me is null or app.acting_for() is not null then return '{}'; end if;
  return (select coalesce(array_agg(distinct g.person_id), '{}') from app_private.granted_by(app.org_id(), me) g);
end $$;
comment on function app.viewed_people() is 'Whose record the actor sees like their own, since a relationship grants it; nobody''s while they act for somebody';

-- A card is saved by its owner only, and shown to nobody else by the page that takes the payment.
create or replace function app.begin_checkout(invoice uuid, saves boolean, real_money boolean, counted boolean) returns app.payment_begun
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid := app.org_id();
  acting boolean := app.acting_for() is not null;
  begun app.payment_begun;
begin
  perform app_private.books_open(org);
  if not exists (select from app.invoices i where i.org_id = org and i.id = invoice
      and (i.person_id = app.person_id() or i.chapter_id = any (app.scope('finance.read')) or app_private.keeps_books(org, i.books_chapter_id))) then
    raise exception 'not allowed' using errcode = '42501';
  end if;
  begun := app_private.begin_payment(org, invoice, case when not acting then app.account_id() end, 'checkout',
    saves and not acting and exists (select from app.invoices i where i.org_id = org and i.id = invoice and i.person_id = app.person_id()), real_money, counted);
  if acting then begun.customer := null; end if;
  return begun;
end $$;

-- Who did it, and for whom --------------------------------------------------------------------------------------------------------------------

alter table app.audit_entries add column acting_for uuid;
comment on column app.audit_entries.acting_for is 'Person whom the account acted for; null where it acted for itself';

drop function app_private.audit_link(bytea, uuid, bigint, timestamptz, uuid, text, text, uuid, jsonb);
create function app_private.audit_link(prev bytea, org uuid, seq bigint, at timestamptz, account uuid, action text, entity text, entity_id uuid, diff jsonb, acting uuid default null)
  returns bytea language sql immutable set search_path = pg_catalog, pg_temp as $$
  select sha256(prev || convert_to(concat_ws('|', org, seq, extract(epoch from at), concat(coalesce(account::text, '-'), '>' || acting), action, entity, coalesce(entity_id::text, '-'), diff::text), 'UTF8'))
$$;
revoke execute on function app_private.audit_link(bytea, uuid, bigint, timestamptz, uuid, text, text, uuid, jsonb, uuid) from public;
grant execute on function app_private.audit_link(bytea, uuid, bigint, timestamptz, uuid, text, text, uuid, jsonb, uuid) to app_definer;
do $$
declare
  change text[];
  source text;
  changed text;
begin
  foreach change slice 1 in array array[
    ['app_private.audit_append(uuid,text,text,text,jsonb[],jsonb[],text)', '  head app.audit_heads;', '  acting constant uuid := (app.actor()).acting_for;' || chr(10) || '  head app.audit_heads;'],
    ['app_private.audit_append(uuid,text,text,text,jsonb[],jsonb[],text)', 'coalesce(me::text, ''-'')', 'concat(coalesce(me::text, ''-''), ''>'' || acting)'],
    ['app_private.audit_append(uuid,text,text,text,jsonb[],jsonb[],text)', 'request_id, via, prev_hash, hash)', 'request_id, via, acting_for, prev_hash, hash)'],
    ['app_private.audit_append(uuid,text,text,text,jsonb[],jsonb[],text)', 'nullif(current_setting(''app.via'', true), ''''),', 'nullif(current_setting(''app.via'', true), ''''), acting,'],
    ['app.verify_audit_of(uuid)', 'e.entity_id, e.diff)', 'e.entity_id, e.diff, e.acting_for)']] loop
    source := pg_get_functiondef(change[1]::regprocedure);
    changed := replace(source, change[2], change[3]);
    if changed = source then raise exception '% is written otherwise by now', change[1]; end if;
    execute changed;
  end loop;
end $$;

select app_private.own_definers();
