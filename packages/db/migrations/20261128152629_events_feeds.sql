-- Calendars that calendar programs subscribe to. Their addresses hold a secret and are opened without signing in; here are the hashes.

create table app.calendar_feeds (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null,
  kind text not null check (kind in ('personal', 'chapter', 'group', 'organisation')),
  public boolean not null,
  account_id uuid,
  chapter_id uuid,
  group_id uuid,
  secret_hash text not null check (secret_hash ~ '^[0-9a-f]{64}$'),
  created_at timestamptz not null default now(),
  reset_at timestamptz,
  primary key (org_id, id),
  unique (org_id, secret_hash),
  foreign key (org_id, account_id) references app.accounts (org_id, id) on delete set null (account_id),
  foreign key (org_id, chapter_id) references app.chapters (org_id, id) on delete cascade,
  foreign key (org_id, group_id) references app.groups (org_id, id) on delete cascade,
  constraint calendar_feed_place check ((kind = 'chapter') = (chapter_id is not null) and (kind = 'group') = (group_id is not null)),
  constraint calendar_feed_reader check (not public or (account_id is null and kind <> 'personal'))
);
comment on table app.calendar_feeds is 'Addresses of calendars that programs subscribe to, by the hash of their secret. Not in the audit log: an address changes no record, and rows stay when it is reset';
comment on column app.calendar_feeds.public is 'Shows what everybody may see; otherwise what the account may see at the time of reading';
comment on column app.calendar_feeds.account_id is 'Whose rights decide what a calendar shows that is not public; null once the account is gone, and the calendar with it';
comment on column app.calendar_feeds.reset_at is 'When another address took its place; this one is answered "gone" from then on';
create unique index calendar_feeds_one on app.calendar_feeds (org_id, kind, public, account_id, chapter_id, group_id) nulls not distinct
  where reset_at is null and (public or account_id is not null);
-- Whoever opens an address names no organisation.
create index calendar_feeds_by_secret on app.calendar_feeds (secret_hash);
create index calendar_feeds_by_account on app.calendar_feeds (org_id, account_id);
create index calendar_feeds_by_chapter on app.calendar_feeds (org_id, chapter_id);
create index calendar_feeds_by_group on app.calendar_feeds (org_id, group_id);
select app_private.protect('app.calendar_feeds');
grant select on app.calendar_feeds to app_definer;
grant select, insert (org_id, id, kind, public, account_id, chapter_id, group_id, secret_hash), update (reset_at) on app.calendar_feeds to app_access;

do $$
declare
  own constant text := 'not public and account_id = (select app.account_id())';
  runs constant text := $p$ public and ((select app.everywhere('events.manage')) or chapter_id = any ((select app.scope('events.manage'))::uuid[])
    or group_id = any ((select app.group_scope('events.manage'))::uuid[])) $p$;
  -- Of what its reader sees, so that nobody learns of a private group.
  place constant text := $p$ (chapter_id is null or exists (select from app.chapters c where c.org_id = calendar_feeds.org_id and c.id = calendar_feeds.chapter_id))
    and (group_id is null or exists (select from app.groups g where g.org_id = calendar_feeds.org_id and g.id = calendar_feeds.group_id)) $p$;
begin
  execute format('create policy calendar_feeds_read on app.calendar_feeds for select to app_access
    using (org_id = (select app.org_id()) and ((%s) or (public and %s)))', own, place);
  execute format('create policy calendar_feeds_add on app.calendar_feeds for insert to app_access
    with check (org_id = (select app.org_id()) and reset_at is null and ((%s) or (%s)) and %s)', own, runs, place);
  execute format('create policy calendar_feeds_reset on app.calendar_feeds for update to app_access
    using (org_id = (select app.org_id()) and reset_at is null and ((%1$s) or (%2$s))) with check (org_id = (select app.org_id()) and reset_at is not null)', own, runs);
end $$;

create function app.open_calendar_feed(idp_org text, secret_hash text) returns jsonb language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select jsonb_build_object('id', f.id, 'orgId', f.org_id, 'kind', f.kind, 'public', f.public, 'accountId', f.account_id, 'idpRoles', coalesce(a.idp_roles, '{}'), 'chapterId', f.chapter_id, 'groupId', f.group_id,
    'organisation', o.name, 'locale', o.locale, 'name', case f.kind when 'chapter' then c.name when 'group' then case when not f.public or g.visibility = 'public' then g.name end end,
    'isOver', f.reset_at is not null or (not f.public and (a.status is distinct from 'active'
      or exists (select from app.people p where p.org_id = a.org_id and p.id = a.person_id and (p.deleted_at is not null or p.lifecycle in ('deceased', 'merged', 'erased'))))))
  from app.calendar_feeds f
  join app.organisations o on o.org_id = f.org_id
  left join app.accounts a on a.org_id = f.org_id and a.id = f.account_id
  left join app.chapters c on c.org_id = f.org_id and c.id = f.chapter_id
  left join app.groups g on g.org_id = f.org_id and g.id = f.group_id
  where f.secret_hash = open_calendar_feed.secret_hash and (idp_org is null or f.org_id = (select app.token_organisation(idp_org)))
$$;
comment on function app.open_calendar_feed(text, text) is 'Which calendar an address is of, and whether it is over: reset, or of somebody who may not sign in, or whose record is closed';

create function app.public_calendar(idp_org text, secret_hash text, since timestamptz, until timestamptz, most int) returns jsonb
  language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce(jsonb_agg(x.facts order by x.starts_at, x.id), '[]') from (
    select e.starts_at, e.id, app_private.public_event_facts(e) || jsonb_build_object('sequence', e.sequence, 'description', e.description, 'link', null, 'createdAt', e.created_at, 'updatedAt', e.updated_at) as facts
    from app.calendar_feeds f join app.events e on e.org_id = f.org_id
    where f.secret_hash = public_calendar.secret_hash and f.public and f.reset_at is null and (idp_org is null or f.org_id = (select app.token_organisation(idp_org)))
      and e.visibility = 'public' and e.status in ('published', 'cancelled') and e.template_name is null and e.starts_at >= since and e.starts_at < until
      and (f.chapter_id is null or exists (select from app.chapter_ancestors a where a.org_id = f.org_id and a.chapter_id = e.chapter_id and a.ancestor_id = f.chapter_id))
      and (f.group_id is null or e.group_id = f.group_id)
    order by e.starts_at, e.id limit least(most, 1000)) x
$$;
comment on function app.public_calendar(text, text, timestamptz, timestamptz, int) is 'Public events that begin within some time, as a public calendar shows them while its address is valid: of an organisation, a chapter with those below it, or a group';

select app_private.own_definers();
grant execute on function app.open_calendar_feed(text, text), app.public_calendar(text, text, timestamptz, timestamptz, int) to app_access;
