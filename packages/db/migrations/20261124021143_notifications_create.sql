-- What somebody is told of: a row of their inbox, a mail at once or in a digest, as they prefer.

create table app.notifications (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  account_id uuid not null,
  kind text not null check (kind ~ '^[a-z][a-z-]{1,39}$'),
  person_id uuid,
  chapter_id uuid,
  group_id uuid,
  record_id uuid,
  params jsonb not null default '{}' check (jsonb_typeof(params) = 'object' and octet_length(params::text) <= 2000),
  dedupe_key text check (char_length(dedupe_key) between 1 and 200),
  in_inbox boolean not null,
  mail text not null check (mail in ('off', 'instant', 'daily', 'weekly')),
  mailed_at timestamptz,
  created_at timestamptz not null default now(),
  read_at timestamptz,
  primary key (org_id, id),
  unique (org_id, account_id, dedupe_key),
  foreign key (org_id, account_id) references app.accounts (org_id, id) on delete cascade,
  foreign key (org_id, person_id) references app.people (org_id, id) on delete cascade,
  foreign key (org_id, chapter_id) references app.chapters (org_id, id) on delete cascade,
  foreign key (org_id, group_id) references app.groups (org_id, id) on delete cascade
);
comment on table app.notifications is 'What an account was told of. Names stand in the records themselves, as the reader sees them. Not in the audit log: they tell of changes that have entries of their own';
comment on column app.notifications.params is 'What is told beside names of records, such as the title of an office or a number of rows';
comment on column app.notifications.dedupe_key is 'Told once under the same key';
comment on column app.notifications.in_inbox is 'False where the reader wants a mail only';
comment on column app.notifications.mail is 'How it is mailed, as the reader wanted when it happened';
comment on column app.notifications.mailed_at is 'When it was written into a mail';
create index notifications_by_account on app.notifications (org_id, account_id, id) where in_inbox;
create index notifications_unread on app.notifications (org_id, account_id, id) where in_inbox and read_at is null;
create index notifications_to_digest on app.notifications (org_id, mail, account_id) where mailed_at is null and mail in ('daily', 'weekly');
create index notifications_by_person on app.notifications (org_id, person_id);
create index notifications_by_chapter on app.notifications (org_id, chapter_id);
create index notifications_by_group on app.notifications (org_id, group_id);
create index notifications_of_account on app.notifications (org_id, account_id);
create index notifications_by_age on app.notifications (created_at);
select app_private.protect('app.notifications');
create policy notifications_read on app.notifications for select to app_access
  using (org_id = (select app.org_id()) and account_id = (select app.account_id()));
create policy notifications_change on app.notifications for update to app_access
  using (org_id = (select app.org_id()) and account_id = (select app.account_id()))
  with check (org_id = (select app.org_id()) and account_id = (select app.account_id()));
grant select, update (read_at) on app.notifications to app_access;
grant select, insert, update, delete on app.notifications to app_definer;

create table app.notification_preferences (
  org_id uuid not null references app.organisations on delete cascade,
  account_id uuid not null,
  kind text not null check (kind ~ '^[a-z][a-z-]{1,39}$'),
  in_inbox boolean not null,
  mail text not null check (mail in ('off', 'instant', 'daily', 'weekly')),
  primary key (org_id, account_id, kind),
  foreign key (org_id, account_id) references app.accounts (org_id, id) on delete cascade
);
comment on table app.notification_preferences is 'How an account wants to be told of a kind; without a row as the kind is told by default. Not in the audit log: it is how somebody likes to be told';
select app_private.protect('app.notification_preferences');
create policy notification_preferences_read on app.notification_preferences for select to app_access
  using (org_id = (select app.org_id()) and account_id = (select app.account_id()));
create policy notification_preferences_add on app.notification_preferences for insert to app_access
  with check (org_id = (select app.org_id()) and account_id = (select app.account_id()));
create policy notification_preferences_change on app.notification_preferences for update to app_access
  using (org_id = (select app.org_id()) and account_id = (select app.account_id()))
  with check (org_id = (select app.org_id()) and account_id = (select app.account_id()));
grant select, insert (org_id, account_id, kind, in_inbox, mail), update (in_inbox, mail) on app.notification_preferences to app_access;
grant select on app.notification_preferences to app_definer;

-- Telling --------------------------------------------------------------------------------------------------------------------------

create function app_private.tell(org uuid, by uuid, recipients uuid[], note jsonb) returns int
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare written int;
begin
  with told as (
    insert into app.notifications (org_id, account_id, kind, person_id, chapter_id, group_id, record_id, params, dedupe_key, in_inbox, mail)
      select org, a.id, n.kind, n.person, n.chapter, n."group", n.record, coalesce(n.params, '{}'), n.dedupe_key,
        n.essential or coalesce(f.in_inbox, true), case when n.essential then n.mail else coalesce(f.mail, n.mail) end
      from jsonb_to_record(note) n (kind text, person uuid, chapter uuid, "group" uuid, record uuid, params jsonb, dedupe_key text, essential boolean, mail text)
      join app.accounts a on a.org_id = org and a.id = any (recipients) and a.status = 'active'
      left join app.notification_preferences f on f.org_id = a.org_id and f.account_id = a.id and f.kind = n.kind
      where n.essential or coalesce(f.in_inbox, true) or coalesce(f.mail, n.mail) <> 'off'
      on conflict (org_id, account_id, dedupe_key) do nothing
      returning id, account_id, mail, kind
  ),
  mailed as (
    insert into app.mail_messages (org_id, template, account_id, params, essential, dedupe_key, created_by)
      select org, 'notification', t.account_id, jsonb_build_object('notification', t.id), (note ->> 'essential')::boolean, 'notification:' || t.id, by
      from told t where t.mail = 'instant'
  )
  select count(*)::int into written from told;
  -- Servers tell their streams, which ask anew.
  perform pg_notify('guildhall', concat_ws(' ', 'note', org, r)) from unnest(recipients) r;
  return written;
end $$;
comment on function app_private.tell(uuid, uuid, uuid[], jsonb) is 'Tells active accounts in the way that each prefers; an essential kind in its own way. How many are told';

create function app_private.leaders_of(org uuid, of_group uuid) returns uuid[] language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce(array_agg(distinct a.id), '{}') from app.group_members m
  join app.accounts a on a.org_id = m.org_id and a.person_id = m.person_id
  where m.org_id = org and m.group_id = of_group and m.role = 'leader' and m.status = 'active'
    and (m.starts_on is null or m.starts_on <= current_date) and (m.ends_on is null or m.ends_on >= current_date)
$$;

create function app.notify(note jsonb) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  actor app.actor_context := app.actor();
  recipients uuid[];
begin
  if actor.org_id is null then raise exception 'only somebody who is signed in tells others' using errcode = '42501'; end if;
  recipients := case
    when note ->> 'to_account' is not null then array[(note ->> 'to_account')::uuid]
    when note ->> 'to_person' is not null then (select array_agg(a.id) from app.accounts a where a.org_id = actor.org_id and a.person_id = (note ->> 'to_person')::uuid)
    when note ->> 'to_leaders' is not null then app_private.leaders_of(actor.org_id, (note ->> 'to_leaders')::uuid)
  end;
  -- Nobody is told of what they did; long work that they asked for is another matter.
  if not coalesce((note ->> 'to_self')::boolean, false) then recipients := array_remove(recipients, actor.account_id); end if;
  return app_private.tell(actor.org_id, actor.account_id, coalesce(recipients, '{}'), note);
end $$;
comment on function app.notify(jsonb) is 'Tells an account, a person''s account or the leaders of a group of something that the actor did';

create function app.notify_ending_terms(org uuid, today date, note jsonb) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  r record;
  told int := 0;
begin
  for r in
    select h.id, h.person_id, h.ends_on, s.title, s.chapter_id,
      (select array_agg(distinct a.id) from app.accounts a where a.org_id = org and (a.person_id = h.person_id or a.person_id in (
        select o.person_id from app.position_holders o join app.positions p on p.org_id = o.org_id and p.id = o.position_id
        where o.org_id = org and p.chapter_id = s.chapter_id and p.role_id is not null and o.starts_on <= today and (o.ends_on is null or o.ends_on >= today)))) as recipients
    from app.position_holders h
    join app.positions s on s.org_id = h.org_id and s.id = h.position_id
    join app.people q on q.org_id = h.org_id and q.id = h.person_id and q.deleted_at is null and q.lifecycle not in ('deceased', 'erased', 'merged')
    where h.org_id = org and h.starts_on <= today and h.ends_on between today and today + 30
      -- Whoever goes on in the same office is not at its end.
      and not exists (select from app.position_holders n where n.org_id = h.org_id and n.position_id = h.position_id and n.person_id = h.person_id
        and n.starts_on between h.ends_on and h.ends_on + 1)
  loop
    told := told + app_private.tell(org, null, coalesce(r.recipients, '{}'), note || jsonb_build_object('person', r.person_id, 'chapter', r.chapter_id,
      'params', jsonb_build_object('title', r.title, 'on', r.ends_on), 'dedupe_key', 'term:' || r.id || ':' || r.ends_on));
  end loop;
  return told;
end $$;
comment on function app.notify_ending_terms(uuid, date, jsonb) is 'Tells holders of offices that end within 30 days, and the officers of their chapters, once for each term';

create function app.queue_digests(org uuid, how text, day date) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare written int;
begin
  with gathered as (
    update app.notifications n set mailed_at = now() where n.org_id = org and n.mail = how and n.mailed_at is null returning n.account_id, n.id, n.read_at
  ),
  -- What was read meanwhile is no news.
  news as (select g.account_id, array_agg(g.id order by g.id desc) as ids from gathered g where g.read_at is null group by g.account_id)
  insert into app.mail_messages (org_id, template, account_id, params, essential, dedupe_key)
    select org, 'digest', w.account_id, jsonb_build_object('ids', to_jsonb(w.ids[1:50]), 'count', cardinality(w.ids)), false, concat_ws(':', 'digest', how, day, w.account_id)
    from news w on conflict (org_id, dedupe_key) do nothing;
  get diagnostics written = row_count;
  return written;
end $$;
comment on function app.queue_digests(uuid, text, date) is 'One mail to each account with what it was told of and not mailed yet; how many';

create function app.purge_notifications() returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
  delete from app.notifications n where n.created_at < now() - interval '1 year'
$$;
comment on function app.purge_notifications() is 'Forgets what was told a year ago';

select app_private.own_definers();
grant execute on function app.notify(jsonb) to app_access;
grant execute on function app.notify_ending_terms(uuid, date, jsonb), app.queue_digests(uuid, text, date), app.purge_notifications() to app_worker;
grant execute on function app_private.tell(uuid, uuid, uuid[], jsonb), app_private.leaders_of(uuid, uuid) to app_definer;
