-- Messages: written once, reviewed, sent to an audience that is frozen when sending starts. Every recipient is a row, and becomes a row of the outbox when its turn comes.

create table app.communication_settings (
  org_id uuid primary key references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  review_above int not null default 500 check (review_above between 1 and 1000000),
  most_per_week int check (most_per_week between 1 and 50),
  from_name text not null default '' check (char_length(from_name) <= 100),
  reply_to text check (char_length(reply_to) between 3 and 320),
  counts_clicks boolean not null default false,
  counts_opens boolean not null default false,
  quiet_from time,
  quiet_until time,
  version int not null default 1,
  updated_at timestamptz not null default now(),
  constraint communication_settings_quiet check ((quiet_from is null) = (quiet_until is null) and coalesce(quiet_from <> quiet_until, true))
);
comment on table app.communication_settings is 'How an organisation sends messages; without a row, the defaults';
comment on column app.communication_settings.review_above is 'Messages to more people than this are approved by a second person';
comment on column app.communication_settings.most_per_week is 'So many messages that are not essential a person gets in seven days, from all chapters together; null is no limit';
comment on column app.communication_settings.quiet_from is 'From then until quiet_until, by the clock of the organisation, only essential messages leave';
select app_private.protect('app.communication_settings');
select app_private.keep_version('app.communication_settings');
select app_private.keep_audit('app.communication_settings', 'messages.manage');
create policy communication_settings_read on app.communication_settings for select to app_access using (org_id = (select app.org_id()) and (
  (select app.everywhere('messages.write')) or (select app.scope('messages.write')) <> '{}' or (select app.group_scope('messages.write')) <> '{}'));
create policy communication_settings_add on app.communication_settings for insert to app_access with check (org_id = (select app.org_id()) and (select app.everywhere('messages.manage')));
create policy communication_settings_change on app.communication_settings for update to app_access
  using (org_id = (select app.org_id()) and (select app.everywhere('messages.manage'))) with check (org_id = (select app.org_id()) and (select app.everywhere('messages.manage')));
grant select, insert (org_id), update (review_above, most_per_week, from_name, reply_to, counts_clicks, counts_opens, quiet_from, quiet_until) on app.communication_settings to app_access;
grant select on app.communication_settings to app_definer;

create table app.messages (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  chapter_id uuid,
  group_id uuid,
  topic_id uuid,
  name text not null check (char_length(name) between 1 and 120),
  search text collate "C" not null generated always as (app.fold(name || ' ' || subject)) stored,
  subject text not null default '' check (char_length(subject) <= 200),
  preheader text not null default '' check (char_length(preheader) <= 200),
  body jsonb not null default '{"blocks": []}' check (jsonb_typeof(body) = 'object' and octet_length(body::text) <= 600000),
  from_name text not null default '' check (char_length(from_name) <= 100),
  reply_to text check (char_length(reply_to) between 3 and 320),
  audience jsonb not null default '{"include": [], "exclude": []}' check (jsonb_typeof(audience -> 'include') = 'array' and jsonb_typeof(audience -> 'exclude') = 'array'
    and octet_length(audience::text) <= 600000),
  pace int check (pace between 1 and 100000),
  status text not null default 'draft' check (status in ('draft', 'in_review', 'scheduled', 'sending', 'paused', 'sent', 'cancelled', 'failed')),
  send_at timestamptz,
  sender_id uuid,
  submitted_at timestamptz,
  approved_by uuid,
  approved_at timestamptz,
  decided_note text not null default '' check (char_length(decided_note) <= 1000),
  started_at timestamptz,
  finished_at timestamptz,
  failure text not null default '' check (char_length(failure) <= 60),
  archived_at timestamptz,
  created_by uuid,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, chapter_id) references app.chapters,
  foreign key (org_id, group_id) references app.groups,
  foreign key (org_id, topic_id) references app.topics,
  foreign key (org_id, sender_id) references app.accounts (org_id, id) on delete set null (sender_id),
  foreign key (org_id, approved_by) references app.accounts (org_id, id) on delete set null (approved_by),
  foreign key (org_id, created_by) references app.accounts (org_id, id) on delete set null (created_by),
  constraint message_place check (num_nonnulls(chapter_id, group_id) <= 1),
  constraint messages_send_at check (status not in ('scheduled', 'sending') or send_at is not null)
);
comment on table app.messages is 'A message to many, from the draft to what became of it';
comment on column app.messages.chapter_id is 'It reaches this chapter and those below it; with no chapter and no group the whole organisation';
comment on column app.messages.topic_id is 'What it is about: decides whom consent lets it reach, and whether it is essential';
comment on column app.messages.name is 'What senders know it by; recipients see the subject';
comment on column app.messages.audience is 'Parts that include and parts that exclude people; who they are is found out when sending starts';
comment on column app.messages.pace is 'So many a minute at most';
comment on column app.messages.sender_id is 'Account that submitted or scheduled it, as whom the audience is found';
comment on column app.messages.decided_note is 'What whoever approved or declined it says';
comment on column app.messages.failure is 'Why it failed, or why it went back to review, as a code';
create index messages_by_created on app.messages (org_id, created_at, id);
create index messages_by_status on app.messages (org_id, status, send_at);
create index messages_by_chapter on app.messages (org_id, chapter_id);
create index messages_by_group on app.messages (org_id, group_id);
create index messages_by_topic on app.messages (org_id, topic_id);
create index messages_by_sender on app.messages (org_id, sender_id);
create index messages_by_approver on app.messages (org_id, approved_by);
create index messages_by_creator on app.messages (org_id, created_by);
create index messages_at_work on app.messages (status, send_at) where status in ('scheduled', 'sending', 'paused', 'cancelled');

select app_private.protect('app.messages');
select app_private.keep_version('app.messages');
select app_private.keep_search('app.messages');
select app_private.keep_audit('app.messages', 'messages.write', 'id');
do $$
declare
  writes constant text := $p$ ((select app.everywhere('messages.write')) or chapter_id = any ((select app.scope('messages.write'))::uuid[])
    or group_id = any ((select app.group_scope('messages.write'))::uuid[])) $p$;
begin
  execute format('create policy messages_read on app.messages for select to app_access using (org_id = (select app.org_id()) and %s)', writes);
  execute format('create policy messages_add on app.messages for insert to app_access with check (org_id = (select app.org_id()) and created_by = (select app.account_id()) and status = ''draft'' and %s)', writes);
  execute format('create policy messages_change on app.messages for update to app_access
    using (org_id = (select app.org_id()) and %1$s) with check (org_id = (select app.org_id()) and %1$s)', writes);
  execute format('create policy messages_remove on app.messages for delete to app_access using (org_id = (select app.org_id()) and status = ''draft'' and %s)', writes);
end $$;
grant select, delete, insert (org_id, chapter_id, group_id, topic_id, name, subject, preheader, body, from_name, reply_to, audience, pace, created_by),
  update (topic_id, name, subject, preheader, body, from_name, reply_to, audience, pace, archived_at) on app.messages to app_access;
grant select, update on app.messages to app_definer;

create function app_private.messages_stay() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare t app.topics;
begin
  if new.topic_id is not null and (tg_op = 'INSERT' or new.topic_id is distinct from old.topic_id) then
    select x.* into t from app.topics x where x.org_id = new.org_id and x.id = new.topic_id;
    if t.archived_at is not null then raise exception 'this topic is archived' using errcode = '23514', constraint = 'message_topic_archived'; end if;
    if t.chapter_id is not null and not exists (select from app.chapter_ancestors n where n.org_id = new.org_id and n.ancestor_id = t.chapter_id
        and n.chapter_id = coalesce(new.chapter_id, (select g.chapter_id from app.groups g where g.org_id = new.org_id and g.id = new.group_id))) then
      raise exception 'a topic of another chapter' using errcode = '23514', constraint = 'message_topic_elsewhere';
    end if;
  end if;
  if tg_op = 'INSERT' then return new; end if;
  if old.status <> 'draft' and (new.topic_id, new.name, new.subject, new.preheader, new.body, new.from_name, new.reply_to, new.audience, new.pace)
      is distinct from (old.topic_id, old.name, old.subject, old.preheader, old.body, old.from_name, old.reply_to, old.audience, old.pace) then
    raise exception 'only a draft is changed' using errcode = '23P01', constraint = 'message_not_draft';
  end if;
  if new.archived_at is not null and old.archived_at is null and old.status not in ('draft', 'sent', 'cancelled', 'failed') then
    raise exception 'a message is archived before it is sent or after' using errcode = '23P01', constraint = 'message_at_work';
  end if;
  return new;
end $$;
comment on function app_private.messages_stay() is 'What was submitted, scheduled or sent stays as it was; and its topic is one of the organisation, or of a chapter that it belongs to';
create trigger messages_stay before insert or update on app.messages for each row execute function app_private.messages_stay();

create table app_private.message_runs (
  org_id uuid not null,
  message_id uuid not null,
  stage text not null default 'audience' check (stage in ('audience', 'freezing', 'feeding')),
  paced_at timestamptz not null default now(),
  primary key (org_id, message_id),
  foreign key (org_id, message_id) references app.messages on delete cascade
);
comment on table app_private.message_runs is 'How far the sending of a message is. audience: people are still to be found; freezing: they become deliveries; feeding: deliveries become mail';
comment on column app_private.message_runs.paced_at is 'Until when the pace is used up';
grant select, insert, update, delete on app_private.message_runs to app_definer;

create table app_private.message_people (
  org_id uuid not null,
  message_id uuid not null,
  person_id uuid not null,
  primary key (org_id, message_id, person_id)
);
comment on table app_private.message_people is 'Who was found when sending started, until each has become a delivery';
grant select, insert, delete on app_private.message_people to app_definer;

-- Deliveries ----------------------------------------------------------------------------------------------------------------------------

create table app.message_deliveries (
  org_id uuid not null,
  id uuid not null default app.uuid7(),
  message_id uuid not null,
  person_id uuid,
  chapter_id uuid,
  address text check (char_length(address) between 3 and 320),
  state text not null default 'queued' check (state in ('queued', 'sent', 'delivered', 'soft_bounce', 'hard_bounce', 'complaint', 'failed', 'unknown', 'skipped', 'cancelled')),
  skip_reason text check (char_length(skip_reason) <= 60),
  fed_at timestamptz,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  settled_at timestamptz,
  opened_at timestamptz,
  clicked_at timestamptz,
  unsubscribed_at timestamptz,
  primary key (org_id, id),
  foreign key (org_id, message_id) references app.messages on delete cascade,
  foreign key (org_id, person_id) references app.people on delete cascade,
  constraint message_deliveries_skipped check ((state = 'skipped') = (skip_reason is not null)),
  constraint message_deliveries_person unique (org_id, message_id, person_id)
);
comment on table app.message_deliveries is 'One message to one person, from the moment sending started to what became of it; its mail has the same id. Kept for 18 months, counts stay. Not in the audit log: each row is the record of one mail';
comment on column app.message_deliveries.chapter_id is 'Home chapter when sending started, for reports by chapter; no key, since a chapter may go';
comment on column app.message_deliveries.address is 'Where it goes, as found when sending started; nothing once the person is erased';
comment on column app.message_deliveries.state is 'sent: the mail server took it; delivered: the receiving server said so; unknown: it may have arrived, and is not sent again by itself';
comment on column app.message_deliveries.skip_reason is 'Why it goes to nobody, as a code: of app_private.mail_reach, or duplicate, out_of_scope, too_many, address_changed';
comment on column app.message_deliveries.fed_at is 'When it became a mail of the outbox';
comment on column app.message_deliveries.opened_at is 'When a picture in it was first asked for; programs do so too, so it says little';
create unique index message_deliveries_address on app.message_deliveries (org_id, message_id, lower(address)) where state <> 'skipped' and address is not null;
create index message_deliveries_by_state on app.message_deliveries (org_id, message_id, state, id);
create index message_deliveries_by_person on app.message_deliveries (org_id, person_id, id);
select app_private.protect('app.message_deliveries');
create policy message_deliveries_read on app.message_deliveries for select to app_access using (org_id = (select app.org_id())
  and exists (select from app.messages m where m.org_id = message_deliveries.org_id and m.id = message_deliveries.message_id));
grant select (org_id, id, message_id, person_id, chapter_id, state, skip_reason, created_at, sent_at, settled_at, opened_at, clicked_at, unsubscribed_at) on app.message_deliveries to app_access;
grant select, insert, update, delete on app.message_deliveries to app_definer;
insert into app_private.person_references (tab, row_key) values ('message_deliveries', 'message_id');

alter table app.mail_messages drop constraint mail_messages_recipient;
alter table app.mail_messages add constraint mail_messages_recipient
  check (num_nonnulls(account_id, person_id, address) = 1 or (template = 'message' and account_id is null and num_nonnulls(person_id, address) = 2));
comment on column app.mail_messages.batch_id is 'The message, or the message of an event, that this is one mail of';

create table app.message_links (
  org_id uuid not null,
  message_id uuid not null,
  number int not null check (number between 1 and 1000),
  url text not null check (char_length(url) <= 2000 and url ~ '^https?://'),
  people int not null default 0,
  clicks int not null default 0,
  programs int not null default 0,
  primary key (org_id, message_id, number),
  foreign key (org_id, message_id) references app.messages on delete cascade
);
comment on table app.message_links is 'Links of a message whose clicks are counted, and how often they were followed. Not in the audit log: follows from the message';
comment on column app.message_links.programs is 'How often programs asked that look for harm in mail; not counted as clicks';
create unique index message_links_url on app.message_links (org_id, message_id, md5(url));
create table app.message_clicks (
  org_id uuid not null,
  delivery_id uuid not null,
  number int not null,
  clicks int not null default 1,
  first_at timestamptz not null default now(),
  last_at timestamptz not null default now(),
  primary key (org_id, delivery_id, number),
  foreign key (org_id, delivery_id) references app.message_deliveries on delete cascade
);
comment on table app.message_clicks is 'Which recipient followed which link, and how often. Not in the audit log: what others do with a mail';

-- Counts --------------------------------------------------------------------------------------------------------------------------------

create table app.message_counts (
  org_id uuid not null,
  message_id uuid not null,
  what text not null check (char_length(what) <= 80),
  n int not null,
  primary key (org_id, message_id, what),
  foreign key (org_id, message_id) references app.messages on delete cascade
);
comment on table app.message_counts is 'How many deliveries of a message stand how: by state, by reason for skipping (skipped:reason), opened, clicked, unsubscribed. Reports read these and count no rows. Not in the audit log: follows from the deliveries';
create table app.message_chapters (
  org_id uuid not null,
  message_id uuid not null,
  chapter_id uuid not null,
  what text not null check (char_length(what) <= 80),
  n int not null,
  primary key (org_id, message_id, chapter_id, what),
  foreign key (org_id, message_id) references app.messages on delete cascade
);
comment on table app.message_chapters is 'The same by home chapter of the recipients. Not in the audit log: follows from the deliveries';
create table app.message_hours (
  org_id uuid not null,
  message_id uuid not null,
  hour timestamptz not null,
  what text not null check (char_length(what) <= 80),
  n int not null,
  primary key (org_id, message_id, hour, what),
  foreign key (org_id, message_id) references app.messages on delete cascade
);
comment on table app.message_hours is 'What happened to a message in each hour. Not in the audit log: follows from the deliveries';
create table app_private.message_news (
  id bigint generated always as identity primary key,
  org_id uuid not null,
  message_id uuid not null,
  chapter_id uuid,
  hour timestamptz not null default date_trunc('hour', now()),
  what text not null,
  n int not null
);
comment on table app_private.message_news is 'What the counts do not have yet: written beside each change of deliveries, and added up every second, so that no two workers wait for one count';
grant select, insert, delete on app_private.message_news to app_definer;

do $$
declare tab text;
begin
  foreach tab in array array['message_links', 'message_counts', 'message_chapters', 'message_hours'] loop
    perform app_private.protect(('app.' || tab)::regclass);
    execute format('create policy %1$I on app.%2$I for select to app_access using (org_id = (select app.org_id())
      and exists (select from app.messages m where m.org_id = %2$I.org_id and m.id = %2$I.message_id))', tab || '_read', tab);
    execute format('grant select on app.%I to app_access', tab);
    execute format('grant select, insert, update, delete on app.%I to app_definer', tab);
  end loop;
  perform app_private.protect('app.message_clicks');
end $$;
create policy message_clicks_read on app.message_clicks for select to app_access using (org_id = (select app.org_id())
  and exists (select from app.message_deliveries d where d.org_id = message_clicks.org_id and d.id = message_clicks.delivery_id));
grant select on app.message_clicks to app_access;
grant select, insert, update, delete on app.message_clicks to app_definer;

create function app_private.deliveries_count() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into app_private.message_news (org_id, message_id, chapter_id, what, n)
      select a.org_id, a.message_id, a.chapter_id, w.what, count(*) from added a
        cross join lateral (values (a.state), (case when a.state = 'skipped' then 'skipped:' || a.skip_reason end)) w (what) where w.what is not null
        group by a.org_id, a.message_id, a.chapter_id, w.what;
  else
    insert into app_private.message_news (org_id, message_id, chapter_id, what, n)
      select x.org_id, x.message_id, x.chapter_id, w.what, sum(w.n) from (
          select b.org_id, b.message_id, b.chapter_id, to_jsonb(b) as old_row, to_jsonb(a) as new_row from before b join after a on a.org_id = b.org_id and a.id = b.id) x
        cross join lateral (values
          (x.old_row ->> 'state', -1), (x.new_row ->> 'state', 1),
          ('skipped:' || (x.old_row ->> 'skip_reason'), -1), ('skipped:' || (x.new_row ->> 'skip_reason'), 1),
          ('opened', (x.new_row ->> 'opened_at' is not null)::int - (x.old_row ->> 'opened_at' is not null)::int),
          ('clicked', (x.new_row ->> 'clicked_at' is not null)::int - (x.old_row ->> 'clicked_at' is not null)::int),
          ('unsubscribed', (x.new_row ->> 'unsubscribed_at' is not null)::int - (x.old_row ->> 'unsubscribed_at' is not null)::int)) w (what, n)
        where w.what is not null group by x.org_id, x.message_id, x.chapter_id, w.what having sum(w.n) <> 0;
  end if;
  return null;
end $$;
comment on function app_private.deliveries_count() is 'Writes down what the counts are to learn';
create trigger message_deliveries_counted_new after insert on app.message_deliveries referencing new table as added for each statement execute function app_private.deliveries_count();
create trigger message_deliveries_counted after update on app.message_deliveries referencing old table as before new table as after for each statement execute function app_private.deliveries_count();

create function app.count_messages(most int) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  taken jsonb;
  found_rows int;
begin
  perform app_private.worker_only();
  -- One at a time; whoever comes second has nothing to do.
  if not pg_try_advisory_xact_lock(hashtextextended('count_messages', 0)) then return 0; end if;
  with gone as (delete from app_private.message_news x where x.id in (select y.id from app_private.message_news y order by y.id limit most) returning x.*),
    known as (select g.* from gone g where exists (select from app.messages m where m.org_id = g.org_id and m.id = g.message_id)),
    whole as (insert into app.message_counts as c (org_id, message_id, what, n)
      select k.org_id, k.message_id, k.what, sum(k.n) from known k group by k.org_id, k.message_id, k.what having sum(k.n) <> 0
      on conflict on constraint message_counts_pkey do update set n = c.n + excluded.n),
    places as (insert into app.message_chapters as c (org_id, message_id, chapter_id, what, n)
      select k.org_id, k.message_id, k.chapter_id, k.what, sum(k.n) from known k where k.chapter_id is not null group by k.org_id, k.message_id, k.chapter_id, k.what having sum(k.n) <> 0
      on conflict on constraint message_chapters_pkey do update set n = c.n + excluded.n),
    hours as (insert into app.message_hours as c (org_id, message_id, hour, what, n)
      select k.org_id, k.message_id, k.hour, k.what, sum(k.n) from known k where k.n > 0 and k.what in ('sent', 'delivered', 'soft_bounce', 'hard_bounce', 'complaint', 'failed', 'unknown', 'opened', 'clicked', 'unsubscribed')
        group by k.org_id, k.message_id, k.hour, k.what
      on conflict on constraint message_hours_pkey do update set n = c.n + excluded.n)
  select count(*) into found_rows from gone;
  return found_rows;
end $$;
comment on function app.count_messages(int) is 'Adds up what the counts do not have yet; how much that was';

-- The life of a message -------------------------------------------------------------------------------------------------------------------

create function app_private.message_moves() returns table (move text, status text, becomes text, needs text) language sql immutable set search_path = pg_catalog, pg_temp as $$
  values ('submit', 'draft', 'in_review', 'messages.write'),
    ('schedule', 'draft', 'scheduled', 'messages.send'),
    ('approve', 'in_review', 'scheduled', 'messages.send'),
    ('decline', 'in_review', 'draft', 'messages.send'),
    ('withdraw', 'in_review', 'draft', 'messages.write'),
    ('take_back', 'scheduled', 'draft', 'messages.send'),
    ('start', 'scheduled', 'sending', null),
    ('pause', 'sending', 'paused', 'messages.send'),
    ('resume', 'paused', 'sending', 'messages.send'),
    ('cancel', 'scheduled', 'cancelled', 'messages.send'),
    ('cancel', 'sending', 'cancelled', 'messages.send'),
    ('cancel', 'paused', 'cancelled', 'messages.send'),
    ('hold', 'sending', 'in_review', null),
    ('hold', 'paused', 'in_review', null),
    ('fail', 'scheduled', 'failed', null),
    ('fail', 'sending', 'failed', null),
    ('fail', 'paused', 'failed', null),
    ('finish', 'sending', 'sent', null),
    ('finish', 'paused', 'sent', null),
    ('retry', 'sent', 'sending', 'messages.send'),
    ('retry', 'failed', 'sending', 'messages.send')
$$;
comment on function app_private.message_moves() is 'What may become of a message, and which permission that takes; null is the worker';

create function app_private.message_may(m app.messages, wanted text) returns boolean language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select m.org_id = app.org_id() and (app.everywhere(wanted) or coalesce(m.chapter_id = any (app.scope(wanted)), false) or coalesce(m.group_id = any (app.group_scope(wanted)), false))
$$;
comment on function app_private.message_may(app.messages, text) is 'Whether the actor holds a permission where the message belongs';

create function app_private.message_becomes(m app.messages, wanted text) returns text language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare becomes text := (select v.becomes from app_private.message_moves() v where v.move = wanted and v.status = m.status);
begin
  if becomes is null then
    raise exception 'not from here' using errcode = '23P01', constraint = 'message_move', detail = json_build_object('status', m.status)::text;
  end if;
  return becomes;
end $$;
comment on function app_private.message_becomes(app.messages, text) is 'What a move makes of a message; refused where it does not start from its status';

create function app.move_message(message uuid, wanted text, seen int, choices jsonb) returns uuid language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org constant uuid := app.org_id();
  me constant uuid := app.account_id();
  m app.messages;
  next_status text;
  needed text;
  above int;
  at timestamptz;
begin
  select x.* into m from app.messages x where x.org_id = org and x.id = message for update;
  -- What the actor does not see is not there.
  if m.id is null or not app_private.message_may(m, 'messages.write') then return null; end if;
  if m.version <> seen then return null; end if;
  next_status := app_private.message_becomes(m, wanted);
  needed := (select v.needs from app_private.message_moves() v where v.move = wanted and v.status = m.status);
  if needed is null or not app_private.message_may(m, needed) then raise exception 'not allowed' using errcode = '42501'; end if;
  if m.archived_at is not null then raise exception 'archived' using errcode = '23P01', constraint = 'message_archived'; end if;
  if wanted in ('submit', 'schedule', 'approve') and m.topic_id is null then raise exception 'a topic is needed' using errcode = '23514', constraint = 'message_needs_topic'; end if;
  if wanted in ('submit', 'schedule', 'approve') and (m.subject = '' or jsonb_array_length(m.body -> 'blocks') = 0) then
    raise exception 'a message says something' using errcode = '23514', constraint = 'message_needs_text';
  end if;
  above := coalesce((select s.review_above from app.communication_settings s where s.org_id = org), 500);
  if wanted = 'schedule' and coalesce((choices ->> 'recipients')::int, 0) > above then
    raise exception 'a second person approves this' using errcode = '23P01', constraint = 'message_needs_review', detail = json_build_object('limit', above)::text;
  end if;
  -- Not who wrote it, nor who submitted it.
  if wanted = 'approve' and (m.sender_id is not distinct from me or m.created_by is not distinct from me) then
    raise exception 'a second person approves this' using errcode = '23P01', constraint = 'message_own_review';
  end if;
  at := (choices ->> 'sendAt')::timestamptz;
  if at is not null and wanted in ('submit', 'schedule') and at <= now() then raise exception 'that time is past' using errcode = '23514', constraint = 'message_send_at_past'; end if;
  if at > now() + interval '1 year' then raise exception 'a year ahead at most' using errcode = '23514', constraint = 'message_send_at_far'; end if;
  update app.messages x set status = next_status,
      sender_id = case when wanted in ('submit', 'schedule') then me else x.sender_id end,
      submitted_at = case when wanted = 'submit' then now() when wanted in ('schedule', 'take_back', 'withdraw', 'decline') then null else x.submitted_at end,
      send_at = case
        when wanted = 'submit' then at
        when wanted = 'schedule' then coalesce(at, now() + interval '60 seconds')
        -- What was to leave meanwhile leaves a minute from now, so that an approval can be taken back too.
        when wanted = 'approve' then greatest(x.send_at, now() + interval '60 seconds')
        when wanted in ('take_back', 'withdraw', 'decline') then null
        when wanted = 'retry' then now() else x.send_at end,
      approved_by = case when wanted = 'approve' then me when wanted in ('submit', 'schedule', 'take_back') then null else x.approved_by end,
      approved_at = case when wanted = 'approve' then now() when wanted in ('submit', 'schedule', 'take_back') then null else x.approved_at end,
      decided_note = case when wanted in ('approve', 'decline') then coalesce(choices ->> 'note', '') when wanted = 'submit' then '' else x.decided_note end,
      failure = '',
      finished_at = case when wanted = 'cancel' then now() when wanted = 'retry' then null else x.finished_at end
    where x.org_id = org and x.id = message;
  if wanted in ('pause', 'cancel') then perform app_private.unfeed_message(org, message, wanted = 'cancel'); end if;
  if wanted = 'retry' and m.status = 'failed' then
    perform app_private.forget_deliveries(org, message);
    insert into app_private.message_runs (org_id, message_id) values (org, message);
  end if;
  return message;
end $$;
comment on function app.move_message(uuid, text, int, jsonb) is 'Moves a message on as the actor may, under lock; null when it is not there or has changed since it was seen. choices: sendAt, note, and how many the sender was shown as recipients';

create function app_private.unfeed_message(org uuid, message uuid, for_good boolean) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  -- What no worker has in hand comes back; what is being handed over is settled by its worker.
  with gone as (delete from app.mail_messages x where x.org_id = org and x.batch_id = message and x.state = 'queued' returning x.id)
  update app.message_deliveries d set fed_at = null, state = case when for_good then 'cancelled' else d.state end, settled_at = case when for_good then now() end
    from gone g where d.org_id = org and d.id = g.id and d.state = 'queued';
end $$;
comment on function app_private.unfeed_message(uuid, uuid, boolean) is 'Takes mails of a message out of the outbox that have not begun to leave';

create function app_private.forget_deliveries(org uuid, message uuid) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from app.message_deliveries d where d.org_id = org and d.message_id = message;
  delete from app_private.message_news n where n.org_id = org and n.message_id = message;
  delete from app.message_counts c where c.org_id = org and c.message_id = message;
  delete from app.message_chapters c where c.org_id = org and c.message_id = message;
  delete from app.message_hours h where h.org_id = org and h.message_id = message;
  delete from app_private.message_runs r where r.org_id = org and r.message_id = message;
end $$;
comment on function app_private.forget_deliveries(uuid, uuid) is 'A message of which nothing left is as if it had not been started';

create function app.retry_deliveries(message uuid, states text[]) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org constant uuid := app.org_id();
  m app.messages;
  again int;
begin
  select x.* into m from app.messages x where x.org_id = org and x.id = message for update;
  if m.id is null or not app_private.message_may(m, 'messages.send') then raise exception 'not allowed' using errcode = '42501'; end if;
  if m.status not in ('sending', 'sent') then perform app_private.message_becomes(m, 'retry'); end if;
  with chosen as (
    select d.id from app.message_deliveries d where d.org_id = org and d.message_id = message and d.state = any (states) and d.state in ('failed', 'unknown') and d.address is not null limit 100000
  ), gone as (delete from app.mail_messages x using chosen c where x.org_id = org and x.id = c.id and x.state in ('failed', 'unknown') returning x.id)
  update app.message_deliveries d set state = 'queued', fed_at = null, settled_at = null, sent_at = null from chosen c
    where d.org_id = org and d.id = c.id and (exists (select from gone g where g.id = c.id) or not exists (select from app.mail_messages x where x.org_id = org and x.id = c.id));
  get diagnostics again = row_count;
  if again > 0 and m.status = 'sent' then
    update app.messages x set status = 'sending', finished_at = null, send_at = coalesce(x.send_at, now()) where x.org_id = org and x.id = message;
  end if;
  return again;
end $$;
comment on function app.retry_deliveries(uuid, text[]) is 'Sends again what failed, or what nobody knows the end of: only when somebody asks for it; how many';

-- Sending ---------------------------------------------------------------------------------------------------------------------------------

create function app.start_messages() returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare started int;
begin
  perform app_private.worker_only();
  with due as (select x.org_id, x.id from app.messages x where x.status = 'scheduled' and x.send_at <= now() order by x.send_at limit 100 for update skip locked),
    moved as (update app.messages x set status = 'sending', started_at = now() from due d where x.org_id = d.org_id and x.id = d.id returning x.org_id, x.id)
  insert into app_private.message_runs (org_id, message_id) select v.org_id, v.id from moved v on conflict on constraint message_runs_pkey do update set stage = 'audience', paced_at = now();
  get diagnostics started = row_count;
  update app.audiences a set last_used_at = m.started_at
    from app_private.message_runs r join app.messages m on m.org_id = r.org_id and m.id = r.message_id
      cross join lateral jsonb_array_elements(m.audience -> 'include') part
    where r.stage = 'audience' and part ->> 'kind' = 'audience' and a.org_id = m.org_id and a.id::text = part ->> 'id' and a.last_used_at is distinct from m.started_at;
  return started;
end $$;
comment on function app.start_messages() is 'Starts what is due; how many';

create function app.messages_to_find() returns table (org_id uuid, id uuid, sender_id uuid, idp_roles text[], audience jsonb, chapter_id uuid, group_id uuid)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform app_private.worker_only();
  return query select m.org_id, m.id, m.sender_id, a.idp_roles, m.audience, m.chapter_id, m.group_id from app_private.message_runs r
    join app.messages m on m.org_id = r.org_id and m.id = r.message_id and m.status = 'sending'
    left join app.accounts a on a.org_id = m.org_id and a.id = m.sender_id and a.status = 'active'
    where r.stage = 'audience' order by m.send_at, m.id limit 10;
end $$;
comment on function app.messages_to_find() is 'Messages whose audience is still to be found, as who sent them; no idp_roles where that account is not active any more';

create function app.begin_audience(message uuid) returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org constant uuid := app.org_id();
  m app.messages;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('audience ' || message, 0)) then return false; end if;
  select x.* into m from app.messages x join app_private.message_runs r on r.org_id = x.org_id and r.message_id = x.id and r.stage = 'audience'
    where x.org_id = org and x.id = message and x.status = 'sending' and x.sender_id = app.account_id();
  if m.id is null then return false; end if;
  if not app_private.message_may(m, 'messages.send') then raise exception 'not allowed any more' using errcode = '42501', constraint = 'message_sender'; end if;
  return true;
end $$;
comment on function app.begin_audience(uuid) is 'Whether this worker finds the audience of a message now, as its sender';

create function app.add_recipients(message uuid, people uuid[]) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org constant uuid := app.org_id();
  added int;
begin
  if not exists (select from app.messages x join app_private.message_runs r on r.org_id = x.org_id and r.message_id = x.id and r.stage = 'audience'
      where x.org_id = org and x.id = message and x.status = 'sending' and x.sender_id = app.account_id()) then
    raise exception 'not allowed' using errcode = '42501';
  end if;
  insert into app_private.message_people (org_id, message_id, person_id)
    select org, message, p.id from unnest(people) u (id) join app.people p on p.org_id = org and p.id = u.id on conflict do nothing;
  get diagnostics added = row_count;
  return added;
end $$;
comment on function app.add_recipients(uuid, uuid[]) is 'Notes people as recipients while the audience of a message is found; who of them it may reach is decided when they become deliveries';

create function app.end_audience(message uuid) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update app_private.message_runs r set stage = 'freezing' from app.messages x
    where r.org_id = app.org_id() and r.message_id = message and r.stage = 'audience' and x.org_id = r.org_id and x.id = r.message_id and x.sender_id = app.account_id();
end $$;
comment on function app.end_audience(uuid) is 'All recipients are noted';

create function app.fail_message(org uuid, message uuid, why text) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform app_private.worker_only();
  update app.messages x set status = 'failed', failure = why, finished_at = now() where x.org_id = org and x.id = message and x.status in ('scheduled', 'sending');
  delete from app_private.message_runs r where r.org_id = org and r.message_id = message;
  delete from app_private.message_people p where p.org_id = org and p.message_id = message;
end $$;
comment on function app.fail_message(uuid, uuid, text) is 'Nothing of a message can be sent, and why';

create function app_private.in_message_scope(m app.messages, people uuid[]) returns table (person_id uuid) language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare today constant date := app_private.today_of(m.org_id);
begin
  if m.chapter_id is not null then
    return query select distinct a.person_id from app.affiliations a join app.chapter_ancestors n on n.org_id = a.org_id and n.chapter_id = a.chapter_id and n.ancestor_id = m.chapter_id
      where a.org_id = m.org_id and a.person_id = any (people) and a.starts_on <= today and coalesce(a.ends_on >= today, true);
  elsif m.group_id is not null then
    return query select distinct g.person_id from app.group_members g where g.org_id = m.org_id and g.group_id = m.group_id and g.person_id = any (people) and g.status = 'active'
      and coalesce(g.starts_on <= today, true) and coalesce(g.ends_on >= today, true);
  else
    return query select u.id from unnest(people) u (id);
  end if;
end $$;
comment on function app_private.in_message_scope(app.messages, uuid[]) is 'Which of these people a message may go to at all: those of its chapter and the chapters below, or of its group';

create function app_private.messages_this_week(org uuid, person uuid) returns bigint language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select count(*) from app.message_deliveries d join app.messages o on o.org_id = d.org_id and o.id = d.message_id join app.topics t on t.org_id = o.org_id and t.id = o.topic_id and t.kind <> 'essential'
    where d.org_id = org and d.person_id = person and d.state in ('queued', 'sent', 'delivered', 'soft_bounce', 'unknown') and d.created_at > now() - interval '7 days'
$$;
comment on function app_private.messages_this_week(uuid, uuid) is 'How many messages that are not essential somebody got in seven days, from all chapters together';

create function app.freeze_messages(most int) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  m app.messages;
  people uuid[];
  cap int;
  above int;
  reached int;
  is_marketing boolean;
begin
  perform app_private.worker_only();
  select x.* into m from app_private.message_runs r join app.messages x on x.org_id = r.org_id and x.id = r.message_id and x.status in ('sending', 'paused')
    where r.stage = 'freezing' order by x.send_at, x.id limit 1 for update of r skip locked;
  if m.id is null then return 0; end if;
  with gone as (
    delete from app_private.message_people p where p.org_id = m.org_id and p.message_id = m.id
      and p.person_id in (select q.person_id from app_private.message_people q where q.org_id = m.org_id and q.message_id = m.id order by q.person_id limit most) returning p.person_id)
  select array_agg(g.person_id order by g.person_id) into people from gone g;
  select t.kind <> 'essential' into is_marketing from app.topics t where t.org_id = m.org_id and t.id = m.topic_id;
  select case when is_marketing then s.most_per_week end, s.review_above into cap, above from app.communication_settings s where s.org_id = m.org_id;
  if people is not null then
    with reach as materialized (select r.person_id, r.address, r.refusal from app_private.mail_reach(m.org_id, m.topic_id, people) r),
      scoped as materialized (select s.person_id from app_private.in_message_scope(m, people) s),
      -- What this message itself has written does not count yet: each person is looked at once.
      tired as materialized (select u.id as person_id from unnest(people) u (id) where cap is not null and app_private.messages_this_week(m.org_id, u.id) >= cap),
      judged as (
        select u.id as person_id, r.address, case when s.person_id is null then 'out_of_scope' when r.person_id is null then 'no_address' when r.refusal is not null then r.refusal
            when t.person_id is not null then 'too_many' end as refusal
          from unnest(people) u (id) left join reach r on r.person_id = u.id left join scoped s on s.person_id = u.id left join tired t on t.person_id = u.id),
      told as (
        select j.*, case when j.refusal is null and (row_number() over (partition by lower(j.address), j.refusal is null order by j.person_id) > 1
            or exists (select from app.message_deliveries d where d.org_id = m.org_id and d.message_id = m.id and lower(d.address) = lower(j.address) and d.state <> 'skipped')) then 'duplicate' else j.refusal end as why
          from judged j)
    insert into app.message_deliveries (org_id, message_id, person_id, chapter_id, address, state, skip_reason, settled_at)
      select m.org_id, m.id, t.person_id, p.home_chapter_id, t.address, case when t.why is null then 'queued' else 'skipped' end, t.why, case when t.why is not null then now() end
        from told t join app.people p on p.org_id = m.org_id and p.id = t.person_id
      on conflict on constraint message_deliveries_person do nothing;
    return cardinality(people);
  end if;
  -- All are there: what they are more than was said, or nobody at all, shows now.
  select count(*) into reached from (select from app.message_deliveries d where d.org_id = m.org_id and d.message_id = m.id and d.state = 'queued' limit coalesce(above, 500) + 1) d;
  if reached = 0 then
    update app.messages x set status = 'failed', failure = 'nobody', finished_at = now() where x.org_id = m.org_id and x.id = m.id;
    delete from app_private.message_runs r where r.org_id = m.org_id and r.message_id = m.id;
  elsif reached > coalesce(above, 500) and (m.approved_by is null or m.approved_by = m.sender_id) then
    perform app_private.forget_deliveries(m.org_id, m.id);
    update app.messages x set status = 'in_review', failure = 'review', started_at = null, submitted_at = now() where x.org_id = m.org_id and x.id = m.id;
    perform app_private.tell(m.org_id, null, app_private.message_reviewers(m), jsonb_build_object('kind', 'message-review', 'record', m.id, 'chapter', m.chapter_id, 'group', m.group_id, 'essential', false,
      'mail', 'instant', 'params', jsonb_build_object('title', m.name)));
  else
    update app_private.message_runs r set stage = 'feeding', paced_at = now() where r.org_id = m.org_id and r.message_id = m.id;
  end if;
  return 1;
end $$;
comment on function app.freeze_messages(int) is 'Makes so many recipients of one message deliveries: each once, each address once, and nobody whom it may not reach; how many it looked at';

create function app.feed_messages(most int, ahead int) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  m record;
  due int;
  fed int;
  room int;
  fed_in_all int := 0;
begin
  perform app_private.worker_only();
  for m in select x.org_id, x.id, x.pace, x.topic_id, x.sender_id, r.paced_at, t.kind = 'essential' as essential, s.quiet_from, s.quiet_until, o.timezone
      from app_private.message_runs r join app.messages x on x.org_id = r.org_id and x.id = r.message_id and x.status in ('sending', 'paused')
      join app.topics t on t.org_id = x.org_id and t.id = x.topic_id join app.organisations o on o.org_id = x.org_id
      left join app.communication_settings s on s.org_id = x.org_id
      where r.stage = 'feeding' order by x.send_at, x.id for update of r skip locked loop
    if not exists (select from app.message_deliveries d where d.org_id = m.org_id and d.message_id = m.id and d.state = 'queued') then
      update app.messages x set status = 'sent', finished_at = now() where x.org_id = m.org_id and x.id = m.id and x.status in ('sending', 'paused');
      continue;
    end if;
    continue when not exists (select from app.messages x where x.org_id = m.org_id and x.id = m.id and x.status = 'sending');
    continue when not m.essential and m.quiet_from is not null and app_private.within_hours((now() at time zone m.timezone)::time, m.quiet_from, m.quiet_until);
    -- The outbox never holds more than it can give back at once when somebody pauses.
    select count(*) into due from (select from app.mail_messages q where q.org_id = m.org_id and q.batch_id = m.id and q.state = 'queued' and q.next_at <= now() limit most) d;
    select count(*) into fed from (select from app.mail_messages q where q.org_id = m.org_id and q.batch_id = m.id and q.state in ('queued', 'sending') limit ahead) d;
    room := least(most - due, ahead - fed);
    if m.pace is not null then
      room := least(room, floor(extract(epoch from now() - greatest(m.paced_at, now() - interval '10 seconds')) * m.pace / 60)::int);
    end if;
    continue when room <= 0;
    with chosen as (
      select d.id, d.person_id, d.address from app.message_deliveries d where d.org_id = m.org_id and d.message_id = m.id and d.state = 'queued' and d.fed_at is null order by d.id limit room for update skip locked
    ), marked as (update app.message_deliveries d set fed_at = now() from chosen c where d.org_id = m.org_id and d.id = c.id returning d.id),
    -- Whose record or address went meanwhile has nothing to wait for.
    written as (
      insert into app.mail_messages (org_id, id, template, person_id, address, params, essential, topic_id, batch_id, created_by)
        select m.org_id, c.id, 'message', c.person_id, c.address, jsonb_build_object('delivery', c.id), m.essential, m.topic_id, m.id, m.sender_id from chosen c join marked k on k.id = c.id
        on conflict on constraint mail_messages_pkey do nothing returning id)
    select count(*) into fed from written;
    fed_in_all := fed_in_all + fed;
    if m.pace is not null then
      update app_private.message_runs r set paced_at = greatest(m.paced_at, now() - interval '10 seconds') + fed * interval '1 minute' / m.pace where r.org_id = m.org_id and r.message_id = m.id;
    end if;
  end loop;
  return fed_in_all;
end $$;
comment on function app.feed_messages(int, int) is 'Gives deliveries whose turn has come to the outbox: most at a time that are due, ahead in all, and no more than the pace of the message. A message without open deliveries is sent. How many were given';

create function app_private.within_hours(at time, from_time time, until_time time) returns boolean language sql immutable set search_path = pg_catalog, pg_temp as $$
  select case when from_time < until_time then at >= from_time and at < until_time else at >= from_time or at < until_time end
$$;
comment on function app_private.within_hours(time, time, time) is 'Whether a time of day lies in a span that may reach over midnight';

create function app.sweep_messages(most int) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  swept int := 0;
  again int;
  m record;
begin
  perform app_private.worker_only();
  for m in select r.org_id, r.message_id from app_private.message_runs r join app.messages x on x.org_id = r.org_id and x.id = r.message_id and x.status = 'cancelled' for update of r skip locked loop
    delete from app_private.message_people p where p.org_id = m.org_id and p.message_id = m.message_id;
    with open as (select d.id from app.message_deliveries d where d.org_id = m.org_id and d.message_id = m.message_id and d.state = 'queued'
        and not exists (select from app.mail_messages q where q.org_id = d.org_id and q.id = d.id and q.state = 'sending') limit most for update skip locked),
      mails as (delete from app.mail_messages q using open o where q.org_id = m.org_id and q.id = o.id and q.state = 'queued')
    update app.message_deliveries d set state = 'cancelled', settled_at = now() from open o where d.org_id = m.org_id and d.id = o.id;
    get diagnostics again = row_count;
    swept := swept + again;
    if again = 0 and not exists (select from app.message_deliveries d where d.org_id = m.org_id and d.message_id = m.message_id and d.state = 'queued') then
      delete from app_private.message_runs r where r.org_id = m.org_id and r.message_id = m.message_id;
    end if;
  end loop;
  return swept;
end $$;
comment on function app.sweep_messages(int) is 'Calls off what still waits of cancelled messages; how many';

create function app_private.mail_tells_delivery() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  facts constant jsonb := to_jsonb(new);
  becomes text;
  why text;
begin
  becomes := case
    when facts ->> 'complained_at' is not null then 'complaint'
    when facts ->> 'bounce' = 'hard' then 'hard_bounce'
    when facts ->> 'bounce' = 'soft' then 'soft_bounce'
    when facts ->> 'delivered_at' is not null then 'delivered'
    when new.state = 'suppressed' then case when new.outcome = 'cancelled' then 'cancelled' else 'skipped' end
    else new.state end;
  why := case when becomes = 'skipped' then coalesce(nullif(regexp_replace(new.outcome, '^(person|account)_', ''), ''), 'nothing_to_tell') end;
  update app.message_deliveries d set state = becomes, skip_reason = why,
      sent_at = case when becomes in ('sent', 'delivered', 'soft_bounce', 'hard_bounce', 'complaint', 'unknown') then coalesce(d.sent_at, new.handed_at, new.settled_at) else d.sent_at end,
      settled_at = case when becomes = 'queued' then null else coalesce(new.settled_at, now()) end
    where d.org_id = new.org_id and d.id = new.id and (d.state <> becomes or d.skip_reason is distinct from why) and d.state <> 'cancelled';
  return null;
end $$;
comment on function app_private.mail_tells_delivery() is 'What became of a mail of a message is what became of its delivery';
create trigger mail_messages_tell_delivery after update on app.mail_messages for each row when (new.template = 'message' and new.state <> 'sending')
  execute function app_private.mail_tells_delivery();

create function app.message_mail(org uuid, delivery uuid) returns jsonb language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  d app.message_deliveries;
  m app.messages;
  r record;
begin
  perform app_private.worker_only();
  select x.* into d from app.message_deliveries x where x.org_id = org and x.id = delivery;
  select x.* into m from app.messages x where x.org_id = org and x.id = d.message_id;
  if m.id is null or d.state <> 'queued' then return jsonb_build_object('refusal', 'nothing_to_tell'); end if;
  if m.status = 'cancelled' then return jsonb_build_object('refusal', 'cancelled'); end if;
  -- Consent counts at the moment it leaves, not when it was planned.
  select x.* into r from app_private.mail_reach(org, m.topic_id, array[d.person_id]) x;
  if r.person_id is null then return jsonb_build_object('refusal', 'no_address'); end if;
  if r.refusal is not null then return jsonb_build_object('refusal', r.refusal); end if;
  if lower(r.address) is distinct from lower(d.address) then return jsonb_build_object('refusal', 'address_changed'); end if;
  return jsonb_build_object('messageId', m.id, 'version', m.version, 'personId', d.person_id, 'topicId', m.topic_id, 'values', case when concat(m.subject, m.preheader, m.body) like '%{{%' then (
    select jsonb_build_object('personId', v.person_id, 'firstName', v.first_name, 'lastName', v.last_name, 'fullName', v.full_name, 'chapter', v.chapter, 'memberNo', v.member_no,
      'membershipType', v.membership_type, 'memberSince', v.member_since, 'termEnds', v.term_ends, 'language', v.language) from app.merge_values(org, array[d.person_id]) v) end);
end $$;
comment on function app.message_mail(uuid, uuid) is 'The message that a delivery is of while it may still go to its person, and what its merge fields are filled with, or why it may not. For the worker';

create function app.message_to_write(org uuid, message uuid) returns jsonb language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform app_private.worker_only();
  return (select jsonb_build_object('subject', m.subject, 'preheader', m.preheader, 'body', m.body, 'fromName', coalesce(nullif(m.from_name, ''), s.from_name, ''), 'replyTo', coalesce(m.reply_to, s.reply_to),
      'topicId', m.topic_id, 'essential', t.kind = 'essential', 'countsClicks', coalesce(s.counts_clicks, false), 'countsOpens', coalesce(s.counts_opens, false), 'senderId', a.id, 'senderRoles', a.idp_roles, 'topic', t.name, 'chapter', c.name, 'group', g.name,
      'imprint', concat_ws(E'\n', nullif(f.legal_name, ''), nullif(f.address, '')))
    from app.messages m left join app.topics t on t.org_id = m.org_id and t.id = m.topic_id left join app.communication_settings s on s.org_id = m.org_id
      left join app.chapters c on c.org_id = m.org_id and c.id = m.chapter_id left join app.groups g on g.org_id = m.org_id and g.id = m.group_id
      left join app.finance_settings f on f.org_id = m.org_id left join app.accounts a on a.org_id = m.org_id and a.id = m.sender_id and a.status = 'active'
      where m.org_id = org and m.id = message);
end $$;
comment on function app.message_to_write(uuid, uuid) is 'What a message says, with what its organisation settled about sending. For the worker';

create function app.keep_message_links(org uuid, message uuid, urls text[]) returns table (number int, url text) language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform app_private.worker_only();
  perform pg_advisory_xact_lock(hashtextextended('links ' || message, 0));
  insert into app.message_links as l (org_id, message_id, number, url)
    select org, message, coalesce((select max(x.number) from app.message_links x where x.org_id = org and x.message_id = message), 0) + row_number() over (order by u.place), u.url
      from (select distinct on (w.url) w.url, w.place from unnest(urls) with ordinality w (url, place) order by w.url, w.place) u
      where not exists (select from app.message_links x where x.org_id = org and x.message_id = message and md5(x.url) = md5(u.url));
  return query select l.number, l.url from app.message_links l where l.org_id = org and l.message_id = message order by l.number;
end $$;
comment on function app.keep_message_links(uuid, uuid, text[]) is 'Numbers the links of a message, each once. For the worker';

create function app.follow_message_link(org uuid, delivery uuid, link int, is_program boolean) returns text language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  l app.message_links;
  is_first boolean;
begin
  select x.* into l from app.message_deliveries d join app.message_links x on x.org_id = d.org_id and x.message_id = d.message_id and x.number = link where d.org_id = org and d.id = delivery;
  if l.url is null then return null; end if;
  if is_program then
    update app.message_links x set programs = x.programs + 1 where x.org_id = org and x.message_id = l.message_id and x.number = link;
    return l.url;
  end if;
  insert into app.message_clicks as c (org_id, delivery_id, number) values (org, delivery, link)
    on conflict on constraint message_clicks_pkey do update set clicks = c.clicks + 1, last_at = now() returning c.clicks = 1 into is_first;
  update app.message_links x set clicks = x.clicks + 1, people = x.people + is_first::int where x.org_id = org and x.message_id = l.message_id and x.number = link;
  update app.message_deliveries d set clicked_at = now() where d.org_id = org and d.id = delivery and d.clicked_at is null;
  return l.url;
end $$;
comment on function app.follow_message_link(uuid, uuid, int, boolean) is 'Where a link of a message leads, and that it was followed; who calls has checked the signature of the address';

create function app.open_message(org uuid, delivery uuid) returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
  update app.message_deliveries d set opened_at = now() where d.org_id = org and d.id = delivery and d.opened_at is null
$$;
comment on function app.open_message(uuid, uuid) is 'The picture in a message was asked for; who calls has checked the signature of the address';

create function app.purge_messages(most int) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare gone int;
begin
  perform app_private.worker_only();
  delete from app.message_deliveries d using (
    select x.org_id, x.id from app.messages m join app.message_deliveries x on x.org_id = m.org_id and x.message_id = m.id
      where m.finished_at < now() - interval '18 months' limit most) o where d.org_id = o.org_id and d.id = o.id;
  get diagnostics gone = row_count;
  return gone;
end $$;
comment on function app.purge_messages(int) is 'Forgets deliveries 18 months after their message; its counts stay. How many';

create function app_private.people_leave_deliveries() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from app.mail_messages q using app.message_deliveries d where d.org_id = new.org_id and d.person_id = new.id and q.org_id = d.org_id and q.id = d.id and q.state <> 'sending';
  update app.message_deliveries d set address = null, state = case when d.state = 'queued' then 'skipped' else d.state end, skip_reason = case when d.state = 'queued' then 'erased' else d.skip_reason end,
      settled_at = coalesce(d.settled_at, now()) where d.org_id = new.org_id and d.person_id = new.id;
  return null;
end $$;
comment on function app_private.people_leave_deliveries() is 'Of somebody who was erased no address stays, and nothing is sent any more';
create trigger people_leave_deliveries after update of lifecycle on app.people for each row when (new.lifecycle = 'erased' and old.lifecycle <> 'erased')
  execute function app_private.people_leave_deliveries();

-- Reading -----------------------------------------------------------------------------------------------------------------------------------

create function app.person_messages(person uuid) returns table (delivery_id uuid, message_id uuid, subject text, topic_id uuid, state text, skip_reason text, at timestamptz, opened boolean, clicked boolean)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  org constant uuid := app.org_id();
  is_own constant boolean := person = app.person_id();
  reach uuid[] := app.scope('messages.write');
  groups uuid[] := app.group_scope('messages.write');
  all_of_it boolean := app.everywhere('messages.write');
begin
  if org is null then return; end if;
  return query select d.id, m.id, m.subject, m.topic_id, d.state, case when not coalesce(is_own, false) or all_of_it then d.skip_reason end, coalesce(d.sent_at, d.created_at),
      d.opened_at is not null and not coalesce(is_own, false), d.clicked_at is not null and not coalesce(is_own, false)
    from app.message_deliveries d join app.messages m on m.org_id = d.org_id and m.id = d.message_id
    where d.org_id = org and d.person_id = person
      and (all_of_it or m.chapter_id = any (reach) or m.group_id = any (groups) or (coalesce(is_own, false) and d.state in ('sent', 'delivered', 'soft_bounce', 'unknown')));
end $$;
comment on function app.person_messages(uuid) is 'Messages to one person: one''s own that left, and those that the actor may see as a sender. Whoever asks has seen the person';

create function app.check_recipients(message uuid, people uuid[]) returns jsonb language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  m app.messages;
  reached uuid[];
  answer jsonb;
  cap int;
begin
  select x.* into m from app.messages x where x.org_id = app.org_id() and x.id = message;
  if m.id is null or not app_private.message_may(m, 'messages.write') then raise exception 'not allowed' using errcode = '42501'; end if;
  reached := array(select s.person_id from app_private.in_message_scope(m, people) s);
  select case when t.kind = 'marketing' then s.most_per_week end into cap from app.topics t left join app.communication_settings s on s.org_id = t.org_id where t.org_id = m.org_id and t.id = m.topic_id;
  with judged as materialized (
    select r.person_id, coalesce(r.refusal, case when cap is not null and cap <= app_private.messages_this_week(m.org_id, r.person_id) then 'too_many'
        when row_number() over (partition by lower(r.address), r.refusal is null order by r.person_id) > 1 then 'duplicate' end) as refusal
      from app_private.mail_reach(m.org_id, m.topic_id, reached) r),
  whom as materialized (select j.person_id from judged j where j.refusal is null)
  select jsonb_build_object('recipients', (select count(*) from whom),
    'skipped', (select coalesce(jsonb_object_agg(x.refusal, x.n), '{}') from (select j.refusal, count(*) as n from judged j where j.refusal is not null group by j.refusal) x),
    'everybody', case
      when m.chapter_id is not null then (select count(distinct a.person_id) from app.affiliations a join app.chapter_ancestors n on n.org_id = a.org_id and n.chapter_id = a.chapter_id
        where a.org_id = m.org_id and n.ancestor_id = m.chapter_id and a.ends_on is null)
      when m.group_id is not null then (select count(*) from app.group_members g where g.org_id = m.org_id and g.group_id = m.group_id and g.status = 'active')
      else (select count(*) from app.people p where p.org_id = m.org_id and p.deleted_at is null and p.lifecycle not in ('merged', 'erased', 'deceased')) end,
    -- Of messages that the actor does not see, only that there is one.
    'overlaps', (select coalesce(jsonb_agg(jsonb_build_object('name', case when app_private.message_may(o, 'messages.write') then o.name else '' end, 'people', v.n) order by v.n desc), '[]')
      from app.messages o cross join lateral (select count(*) as n from app.message_deliveries d where d.org_id = o.org_id and d.message_id = o.id and d.state not in ('skipped', 'cancelled', 'failed')
        and d.person_id in (select w.person_id from whom w)) v
      where o.org_id = m.org_id and o.id <> m.id and o.status in ('sending', 'paused', 'sent') and o.started_at > now() - interval '48 hours' and v.n > 0)) into answer;
  return answer;
end $$;
comment on function app.check_recipients(uuid, uuid[]) is 'What would become of these recipients of a message now, and which other messages of the last 48 hours reach them as well; figures only';

create function app_private.message_reviewers(m app.messages) returns uuid[] language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  today constant date := app_private.today_of(m.org_id);
  place constant uuid := coalesce(m.chapter_id, (select g.chapter_id from app.groups g where g.org_id = m.org_id and g.id = m.group_id));
begin
  return array(select a.id from app.accounts a where a.org_id = m.org_id and a.status = 'active' and a.id is distinct from m.sender_id and a.id is distinct from m.created_by and (
    exists (select from app.roles r join app.role_permissions p on p.org_id = r.org_id and p.role_id = r.id and p.permission = 'messages.send' where r.org_id = m.org_id and r.key = any (a.idp_roles))
    or exists (select from app.grants g join app.role_permissions p on p.org_id = g.org_id and p.role_id = g.role_id and p.permission = 'messages.send'
      where g.org_id = a.org_id and g.account_id = a.id and g.starts_on <= today and (g.ends_on is null or g.ends_on >= today)
        and (g.scope_kind = 'org' or (g.scope_kind = 'group' and g.group_id = m.group_id)
          or (g.scope_kind = 'chapter' and m.group_id is null and g.chapter_id in (select n.ancestor_id from app.chapter_ancestors n where n.org_id = m.org_id and n.chapter_id = m.chapter_id))))
    or (m.chapter_id is not null and a.person_id in (select h.person_id from app.positions s join app.position_holders h on h.org_id = s.org_id and h.position_id = s.id
      join app.role_permissions p on p.org_id = s.org_id and p.role_id = s.role_id and p.permission = 'messages.send'
      where s.org_id = m.org_id and s.chapter_id in (select n.ancestor_id from app.chapter_ancestors n where n.org_id = m.org_id and n.chapter_id = m.chapter_id)
        and h.starts_on <= today and (h.ends_on is null or h.ends_on >= today))))
    limit 50);
end $$;
comment on function app_private.message_reviewers(app.messages) is 'Accounts that may approve a message: those who may send where it belongs, but not who wrote or submitted it';

create function app.tell_of_review(message uuid, note jsonb) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare m app.messages;
begin
  select x.* into m from app.messages x where x.org_id = app.org_id() and x.id = message;
  if m.id is null or not app_private.message_may(m, 'messages.write') then raise exception 'not allowed' using errcode = '42501'; end if;
  note := note || jsonb_build_object('record', m.id, 'chapter', m.chapter_id, 'group', m.group_id);
  if m.status = 'in_review' then return app_private.tell(m.org_id, app.account_id(), app_private.message_reviewers(m), note); end if;
  return app_private.tell(m.org_id, app.account_id(), array_remove(array[m.sender_id], app.account_id()), note || jsonb_build_object('person', app.person_id()));
end $$;
comment on function app.tell_of_review(uuid, jsonb) is 'Tells those who may approve a message that it waits for them, and who submitted it what they said; note says how its kind is told';

-- What was reported of a mail reaches its delivery by the trigger above, so that the hook for it has nothing to do.
do $$
declare
  take text := pg_get_functiondef('app.take_mail_feedback(uuid,uuid,text,timestamptz,text,text,text)'::regprocedure);
  take_new text;
  choose text := pg_get_functiondef('app.choose_mail_by_link(text,text,jsonb)'::regprocedure);
  choose_new text;
begin
  take_new := replace(take, E'  perform app_private.mail_feedback_taken(org, mail, take_mail_feedback.kind, moment, said);\n', '');
  choose_new := replace(choose, E'  return true;\nend', E'  update app.message_deliveries d set unsubscribed_at = now() where d.org_id = l.org and d.id = l.mail and d.unsubscribed_at is null
    and (choice ->> ''do'' = ''essential'' or exists (select from app.consents c where c.org_id = l.org and c.person_id = l.person and c.topic_id = l.topic and c.state = ''unsubscribed''));
  return true;\nend');
  if take_new = take or choose_new = choose then raise exception 'app.take_mail_feedback or app.choose_mail_by_link is written otherwise by now'; end if;
  execute take_new;
  execute choose_new;
end $$;
drop function app_private.mail_feedback_taken(uuid, uuid, text, timestamptz, text);

create or replace function app_private.pause_messages(org uuid, reason text) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  m record;
  stopped int := 0;
begin
  for m in select x.id from app.messages x join app.topics t on t.org_id = x.org_id and t.id = x.topic_id and t.kind <> 'essential'
      where x.org_id = org and x.status = 'sending' for update of x loop
    update app.messages x set status = 'paused', failure = reason where x.org_id = org and x.id = m.id;
    perform app_private.unfeed_message(org, m.id, false);
    stopped := stopped + 1;
  end loop;
  return stopped;
end $$;
comment on function app_private.pause_messages(uuid, text) is 'Pauses all messages of an organisation that are being sent, save essential ones; how many';

select app_private.own_definers();
grant update (last_used_at) on app.audiences to app_definer;
do $$
declare f regprocedure;
begin
  for f in select p.oid from pg_proc p where p.pronamespace = 'app_private'::regnamespace
    and p.proname in ('message_moves', 'message_may', 'message_becomes', 'unfeed_message', 'forget_deliveries', 'in_message_scope', 'within_hours', 'message_reviewers', 'messages_this_week') loop
    execute format('revoke execute on function %s from public', f);
    execute format('grant execute on function %s to app_definer', f);
  end loop;
end $$;
grant execute on function app.check_recipients(uuid, uuid[]), app.move_message(uuid, text, int, jsonb), app.retry_deliveries(uuid, text[]), app.begin_audience(uuid), app.add_recipients(uuid, uuid[]), app.end_audience(uuid),
  app.follow_message_link(uuid, uuid, int, boolean), app.open_message(uuid, uuid), app.person_messages(uuid), app.tell_of_review(uuid, jsonb) to app_access;
grant execute on function app.start_messages(), app.messages_to_find(), app.fail_message(uuid, uuid, text), app.freeze_messages(int), app.feed_messages(int, int), app.sweep_messages(int), app.count_messages(int),
  app.message_mail(uuid, uuid), app.message_to_write(uuid, uuid), app.keep_message_links(uuid, uuid, text[]), app.purge_messages(int) to app_worker;
