-- Communication: announcements in the app, and who has read them.

create table app.announcements (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  chapter_id uuid,
  group_id uuid,
  title text not null check (char_length(title) between 1 and 150),
  body jsonb not null default '{"type": "doc", "content": []}' check (app.formatted_text(body, 20000)),
  audience text not null default 'members' check (audience in ('officers', 'members', 'everybody')),
  pinned boolean not null default false,
  starts_at timestamptz,
  ends_at timestamptz,
  published_at timestamptz,
  archived_at timestamptz,
  reach text collate "C" not null generated always as (coalesce(chapter_id, group_id, org_id)::text || ':' || audience) stored,
  sort_name text collate "C" not null generated always as (app.fold(title)) stored,
  search text collate "C" not null generated always as (app.fold(title)) stored,
  author_id uuid,
  created_by uuid,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, chapter_id) references app.chapters (org_id, id),
  foreign key (org_id, group_id) references app.groups (org_id, id),
  foreign key (org_id, author_id) references app.people (org_id, id) on delete set null (author_id),
  constraint announcement_scope check (num_nonnulls(chapter_id, group_id) <= 1),
  constraint announcement_ends check (ends_at > starts_at),
  constraint announcement_published check (published_at is null or starts_at is not null)
);
comment on table app.announcements is 'Announcements in the app: of the organisation, of a chapter with the chapters below it, or of a group';
comment on column app.announcements.audience is 'officers: who holds an office or a role there, leaders of a group. members: those and members, alumni and advisors. everybody: also friends and applicants, and of the organisation every account';
comment on column app.announcements.published_at is 'Null for a draft. A published one is scheduled until starts_at, shown until ends_at, and over from then on';
comment on column app.announcements.reach is 'Where and for whom, to be compared with app.announced_to_me()';
-- Each order of the list, with the id that makes it unique.
create index announcements_by_start on app.announcements (org_id, coalesce(starts_at, created_at), id);
create index announcements_by_title on app.announcements (org_id, sort_name, id);
create index announcements_by_created on app.announcements (org_id, created_at, id);
create index announcements_by_chapter on app.announcements (org_id, chapter_id);
create index announcements_by_group on app.announcements (org_id, group_id);
create index announcements_by_author on app.announcements (org_id, author_id);
create index announcements_by_reach on app.announcements (org_id, reach, starts_at) where published_at is not null and archived_at is null;

create table app.announcement_reads (
  org_id uuid not null,
  announcement_id uuid not null,
  account_id uuid not null,
  read_at timestamptz not null default now(),
  dismissed_at timestamptz,
  primary key (org_id, announcement_id, account_id),
  foreign key (org_id, announcement_id) references app.announcements on delete cascade,
  foreign key (org_id, account_id) references app.accounts on delete cascade
);
comment on table app.announcement_reads is 'Which account has read or dismissed which announcement; its author learns how many, never who. Not in the audit log: what somebody reads is their own affair';
create index announcement_reads_by_account on app.announcement_reads (org_id, account_id);

select app_private.protect('app.announcements');
select app_private.protect('app.announcement_reads');
select app_private.keep_version('app.announcements');
select app_private.keep_search('app.announcements');
select app_private.keep_audit('app.announcements', 'messages.write', 'id');
select app_private.hide_in_audit('app.announcements', 'body');
insert into app_private.person_references (tab, col) values ('announcements', 'author_id');
do $$ begin
  if not exists (select from pg_policies where schemaname = 'app' and tablename = 'audit_entries' and policyname = 'audit_entries_messages_write') then
    perform app_private.share_history('messages.write');
  end if;
end $$;

-- Whom it concerns ------------------------------------------------------------------------------------------------------------------

create function app_private.belonging(org uuid, today date) returns table (account_id uuid, place uuid, rank int) language sql stable as $$
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
  select a.id, org, 3 from app.accounts a where a.org_id = org and a.status = 'active'
$$;
comment on function app_private.belonging(uuid, date) is 'What active accounts belong to, the organisation, chapters with those above, and groups, as what: 1 officers, 2 members, 3 anybody else. Both directions ask this: what reaches somebody, and whom something reaches';

create function app_private.audience_rank(audience text) returns int language sql immutable set search_path = pg_catalog, pg_temp as $$
  select case audience when 'officers' then 1 when 'members' then 2 else 3 end
$$;
comment on function app_private.audience_rank(text) is 'The last rank of app_private.belonging that an audience takes in';

create function app.announced_to_me() returns text[] language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  actor app.actor_context := app.actor();
  me uuid;
  today date;
begin
  if actor.org_id is null then return '{}'; end if;
  select m.me, m.today into me, today from app_private.me_today(actor) m;
  return array(select distinct b.place || ':' || x.audience
    from (select b.place, min(b.rank) as rank from (
        select b.place, b.rank from app_private.belonging(actor.org_id, today) b where b.account_id = actor.account_id
        -- What the identity provider says at this moment.
        union all select actor.org_id, 1 where actor.idp_roles <> '{}') b group by 1) b
    join (values ('officers', 1), ('members', 2), ('everybody', 3)) x (audience, rank) on x.rank >= b.rank);
end $$;
comment on function app.announced_to_me() is 'Which announcements concern the actor: the values of announcements.reach';

create function app.message_groups(wanted text) returns uuid[] language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare within uuid[] := app.scope(wanted);
begin
  return (select app.group_scope(wanted)) || case when within = '{}' then '{}' else array(select g.id from app.groups g where g.org_id = app.org_id() and g.chapter_id = any (within)) end;
end $$;
comment on function app.message_groups(text) is 'Groups whose messages the actor looks after: those they hold the permission in, and those of chapters they hold it in';

create function app_private.announced_to(org uuid, chapter uuid, grp uuid, audience text) returns setof uuid language sql stable set search_path = pg_catalog, pg_temp as $$
  select distinct b.account_id from app_private.belonging(org, app.today()) b
  where b.place = coalesce(chapter, grp, org) and b.rank <= app_private.audience_rank(audience)
$$;
comment on function app_private.announced_to(uuid, uuid, uuid, text) is 'The accounts that an announcement of this place and audience concerns today';

create function app_private.keeps_messages(chapter uuid, grp uuid) returns boolean language sql stable set search_path = pg_catalog, pg_temp as $$
  select app.everywhere('messages.write') or coalesce(chapter = any (app.scope('messages.write')), false) or coalesce(grp = any (app.message_groups('messages.write')), false)
$$;
comment on function app_private.keeps_messages(uuid, uuid) is 'Whether the actor writes messages of this chapter or group; of neither, of the organisation';

create function app.announcement_readers(announcement uuid, out readers int, out reached int) language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  told app.announcements;
begin
  select a.* into told from app.announcements a where a.org_id = app.org_id() and a.id = announcement;
  if not app_private.keeps_messages(told.chapter_id, told.group_id) then return; end if;
  select count(r.account_id), count(*) into readers, reached from app_private.announced_to(told.org_id, told.chapter_id, told.group_id, told.audience) m (account_id)
    left join app.announcement_reads r on r.org_id = told.org_id and r.announcement_id = told.id and r.account_id = m.account_id;
end $$;
comment on function app.announcement_readers(uuid) is 'How many of the accounts that an announcement concerns today have read it, for those who look after it; null for others';

create function app.announcement_reach(chapter uuid, grp uuid, audience text) returns int language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  if num_nonnulls(chapter, grp) > 1 or not app_private.keeps_messages(chapter, grp) then return null; end if;
  return (select count(*)::int from app_private.announced_to(app.org_id(), chapter, grp, audience));
end $$;
comment on function app.announcement_reach(uuid, uuid, text) is 'How many accounts an announcement of this place and audience would concern today, for those who write messages there; null for others';

create function app.announcement_read_counts(announcements uuid[]) returns table (announcement_id uuid, readers int) language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid := app.org_id();
  all_of_them boolean := app.everywhere('messages.write');
  chapters uuid[] := app.scope('messages.write');
  groups uuid[] := app.message_groups('messages.write');
begin
  return query select a.id, (select count(*)::int from app.announcement_reads r where r.org_id = a.org_id and r.announcement_id = a.id)
    from app.announcements a where a.org_id = org and a.id = any (announcements)
      and (all_of_them or a.chapter_id = any (chapters) or a.group_id = any (groups));
end $$;
comment on function app.announcement_read_counts(uuid[]) is 'How many accounts have read these announcements, for those who look after them';

-- Who does what ---------------------------------------------------------------------------------------------------------------------

do $policies$
declare
  ours constant text := 'org_id = (select app.org_id())';
  -- %1$L is the permission.
  holds constant text := '((select app.everywhere(%1$L)) or chapter_id = any ((select app.scope(%1$L))::uuid[]) or group_id = any ((select app.message_groups(%1$L))::uuid[]))';
  writes constant text := format(holds, 'messages.write');
  publishes constant text := format(holds, 'messages.send');
  told constant text := '(published_at is not null and archived_at is null and starts_at <= now() and reach = any ((select app.announced_to_me())::text[]))';
  -- What people are shown is in the hands of those who publish.
  changes constant text := format('%s and %s and (published_at is null or %s)', ours, writes, publishes);
begin
  execute format('create policy announcements_read on app.announcements for select to app_access using (%s and (%s or %s))', ours, writes, told);
  execute format('create policy announcements_add on app.announcements for insert to app_access with check (%s and created_by = (select app.account_id())
    and published_at is null and author_id is not distinct from (select app.person_id()) and %s)', ours, writes);
  execute format('create policy announcements_change on app.announcements for update to app_access using (%1$s) with check (%1$s)', changes);
  execute format('create policy announcement_reads_read on app.announcement_reads for select to app_access using (%s and account_id = (select app.account_id()))', ours);
  execute format('create policy announcement_reads_add on app.announcement_reads for insert to app_access with check (%s and account_id = (select app.account_id())
    and exists (select from app.announcements a where a.org_id = announcement_reads.org_id and a.id = announcement_reads.announcement_id and %s))', ours,
    replace(replace(replace(replace(told, 'published_at', 'a.published_at'), 'archived_at', 'a.archived_at'), 'starts_at', 'a.starts_at'), 'reach =', 'a.reach ='));
  execute format('create policy announcement_reads_change on app.announcement_reads for update to app_access using (%1$s and account_id = (select app.account_id()))
    with check (%1$s and account_id = (select app.account_id()))', ours);
end $policies$;

-- Live ------------------------------------------------------------------------------------------------------------------------------

create function app.tell_announcements() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform pg_notify('guildhall', concat_ws(' ', 'announcements', c.org_id)) from (select distinct r.org_id from changed r) c;
  return null;
end $$;
comment on function app.tell_announcements() is 'Announcements of an organisation have changed';
create trigger announcements_tell_insert after insert on app.announcements referencing new table as changed for each statement execute function app.tell_announcements();
create trigger announcements_tell_update after update on app.announcements referencing new table as changed for each statement execute function app.tell_announcements();

create function app.tell_announcement_reads() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform pg_notify('guildhall', concat_ws(' ', 'announcements', c.org_id, c.account_id)) from (select distinct r.org_id, r.account_id from changed r) c;
  return null;
end $$;
comment on function app.tell_announcement_reads() is 'An account has read or dismissed announcements, perhaps on another device';
create trigger announcement_reads_tell_insert after insert on app.announcement_reads referencing new table as changed for each statement execute function app.tell_announcement_reads();
create trigger announcement_reads_tell_update after update on app.announcement_reads referencing new table as changed for each statement execute function app.tell_announcement_reads();

grant select, insert (org_id, chapter_id, group_id, title, body, audience, pinned, starts_at, ends_at, author_id, created_by),
  update (chapter_id, group_id, title, body, audience, pinned, starts_at, ends_at, published_at, archived_at) on app.announcements to app_access;
grant select, insert (org_id, announcement_id, account_id, dismissed_at), update (dismissed_at) on app.announcement_reads to app_access;
grant select on app.announcements, app.announcement_reads to app_definer;
grant update (author_id) on app.announcements to app_definer;
select app_private.own_definers();
revoke execute on function app_private.belonging(uuid, date), app_private.audience_rank(text), app_private.announced_to(uuid, uuid, uuid, text), app_private.keeps_messages(uuid, uuid) from public;
grant execute on function app_private.belonging(uuid, date), app_private.audience_rank(text), app_private.announced_to(uuid, uuid, uuid, text), app_private.keeps_messages(uuid, uuid) to app_definer;
grant execute on function app.announced_to_me(), app.message_groups(text), app.announcement_readers(uuid), app.announcement_reach(uuid, uuid, text), app.announcement_read_counts(uuid[]) to app_access;
