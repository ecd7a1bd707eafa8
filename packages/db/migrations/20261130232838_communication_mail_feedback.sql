-- What receiving servers report of mail that had left: delivered, bounced, complained of. A report finds its mail by the ids in the Message-ID.

alter table app.mail_messages
  add column delivered_at timestamptz,
  add column bounced_at timestamptz,
  add column bounce text check (bounce in ('soft', 'hard')),
  add column complained_at timestamptz,
  add column feedback text not null default '' check (char_length(feedback) <= 300),
  add constraint mail_messages_bounce check ((bounced_at is null) = (bounce is null));
comment on column app.mail_messages.delivered_at is 'When the receiving server took it, as far as anybody reported';
comment on column app.mail_messages.bounced_at is 'When it came back';
comment on column app.mail_messages.bounce is 'hard: for good, and the address gets no more mail. soft: for now; a report of delivery ends it';
comment on column app.mail_messages.complained_at is 'When its recipient called it spam';
comment on column app.mail_messages.feedback is 'What the receiving server said when it came back';
grant select (delivered_at, bounced_at, bounce, complained_at, feedback) on app.mail_messages to app_access;

create table app.mail_feedback (
  org_id uuid not null references app.organisations (org_id) on delete cascade,
  source text not null check (char_length(source) between 1 and 20),
  event_id text not null check (char_length(event_id) between 1 and 200),
  mail_id uuid not null,
  kind text not null check (kind in ('delivered', 'soft_bounce', 'hard_bounce', 'complaint')),
  at timestamptz not null,
  detail text not null default '' check (char_length(detail) <= 300),
  taken_at timestamptz not null default now(),
  primary key (org_id, source, event_id),
  foreign key (org_id, mail_id) references app.mail_messages (org_id, id) on delete cascade
);
comment on table app.mail_feedback is 'Reports about mails, each once by the id that its source gave it; kept for 90 days. Not in the audit log: the mail shows what was reported';
comment on column app.mail_feedback.source is 'From where it came: mailgun, sendgrid, report';
create index mail_feedback_by_mail on app.mail_feedback (org_id, mail_id);
create index mail_feedback_by_time on app.mail_feedback (taken_at);
select app_private.protect('app.mail_feedback');
grant select, insert, update, delete on app.mail_feedback to app_definer;

create table app.mail_days (
  org_id uuid not null references app.organisations (org_id) on delete cascade,
  day date not null,
  domain text not null check (char_length(domain) <= 255),
  lane int not null,
  mails int not null default 0,
  delivered int not null default 0,
  soft_bounces int not null default 0,
  hard_bounces int not null default 0,
  complaints int not null default 0,
  primary key (org_id, day, domain, lane)
);
comment on table app.mail_days is 'How much mail left to each receiving domain on each day (UTC), and what became of it; a report counts for the day on which its mail left. Not in the audit log: follows from the mails';
comment on column app.mail_days.lane is 'The database process that counts, so that no two wait for each other; 0 once the day is over';
select app_private.protect('app.mail_days');
create policy mail_days_read on app.mail_days for select to app_access
  using (org_id = (select app.org_id()) and (select app.everywhere('messages.manage')));
grant select on app.mail_days to app_access;
grant select, insert, update, delete on app.mail_days to app_definer;

create table app.mail_alarms (
  org_id uuid not null references app.organisations (org_id) on delete cascade,
  level text not null check (level in ('alert', 'pause')),
  day date not null,
  raised_at timestamptz not null default now(),
  mails int not null,
  complaints int not null,
  primary key (org_id, level, day)
);
comment on table app.mail_alarms is 'Days on which too many recipients complained: alert from 0.1 %, pause from 0.3 % of the mail of seven days. Not in the audit log: follows from what was reported';
select app_private.protect('app.mail_alarms');
create policy mail_alarms_read on app.mail_alarms for select to app_access
  using (org_id = (select app.org_id()) and (select app.everywhere('messages.manage')));
grant select on app.mail_alarms to app_access;
grant select, insert, update, delete on app.mail_alarms to app_definer;

create table app_private.webhook_tokens (
  token_hash text primary key,
  body_hash text not null,
  seen_at timestamptz not null default now()
);
comment on table app_private.webhook_tokens is 'Signatures of webhooks that do not cover what they sign: each is good for one body';
grant select, insert, update, delete on app_private.webhook_tokens to app_definer;

create function app.take_webhook_token(token text, body text) returns boolean language sql security definer set search_path = pg_catalog, pg_temp as $$
  with taken as (
    insert into app_private.webhook_tokens (token_hash, body_hash)
      values (encode(sha256(convert_to(token, 'UTF8')), 'hex'), body) on conflict (token_hash) do nothing returning body_hash
  )
  select coalesce((select true from taken),
    (select t.body_hash = body from app_private.webhook_tokens t where t.token_hash = encode(sha256(convert_to(token, 'UTF8')), 'hex')), false)
$$;
comment on function app.take_webhook_token(text, text) is 'Whether this token comes for the first time, or with the same body as then';

-- Counting, at the moment a mail leaves or a report comes.

create function app_private.counted_mail(m app.mail_messages, out mails int, out delivered int, out soft int, out hard int, out complaints int)
  language sql immutable set search_path = pg_catalog, pg_temp as $$
  select (m.state = 'sent' or m.delivered_at is not null or m.bounce is not null or m.complained_at is not null)::int,
    (m.delivered_at is not null and m.bounce is null)::int, (m.bounce is not distinct from 'soft')::int, (m.bounce is not distinct from 'hard')::int, (m.complained_at is not null)::int
$$;
comment on function app_private.counted_mail(app.mail_messages) is 'What one mail counts for in the figures of its day';

create function app_private.count_mail() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  before record;
  after record;
begin
  select * into after from app_private.counted_mail(new);
  if tg_op = 'UPDATE' then
    select * into before from app_private.counted_mail(old);
  else
    select 0 as mails, 0 as delivered, 0 as soft, 0 as hard, 0 as complaints into before;
  end if;
  if before is not distinct from after then return null; end if;
  insert into app.mail_days as d (org_id, day, domain, lane, mails, delivered, soft_bounces, hard_bounces, complaints)
    values (new.org_id, (coalesce(new.handed_at, new.settled_at, new.created_at) at time zone 'UTC')::date, left(split_part(coalesce(new.to_key, ''), '@', 2), 255), pg_backend_pid(),
      after.mails - before.mails, after.delivered - before.delivered, after.soft - before.soft, after.hard - before.hard, after.complaints - before.complaints)
    on conflict on constraint mail_days_pkey do update set mails = d.mails + excluded.mails, delivered = d.delivered + excluded.delivered,
      soft_bounces = d.soft_bounces + excluded.soft_bounces, hard_bounces = d.hard_bounces + excluded.hard_bounces, complaints = d.complaints + excluded.complaints;
  return null;
end $$;
comment on function app_private.count_mail() is 'Keeps the figures of the day on which a mail left';
create trigger mail_messages_count_new after insert on app.mail_messages for each row
  when (new.state = 'sent' or new.delivered_at is not null or new.bounce is not null or new.complained_at is not null) execute function app_private.count_mail();
create trigger mail_messages_count after update on app.mail_messages for each row
  when ((new.state = 'sent', new.delivered_at is null, new.bounce, new.complained_at is null) is distinct from (old.state = 'sent', old.delivered_at is null, old.bounce, old.complained_at is null))
  execute function app_private.count_mail();

-- Hooks for messages: what sends them replaces both, under the same names.

create function app_private.mail_feedback_taken(org uuid, mail uuid, kind text, at timestamptz, detail text) returns void
  language sql set search_path = pg_catalog, pg_temp as 'select null::void';
comment on function app_private.mail_feedback_taken(uuid, uuid, text, timestamptz, text) is 'Called at the end of take_mail_feedback, when the report changed what is known of the mail';
revoke all on function app_private.mail_feedback_taken(uuid, uuid, text, timestamptz, text) from public;
grant execute on function app_private.mail_feedback_taken(uuid, uuid, text, timestamptz, text) to app_definer;
create function app_private.pause_messages(org uuid, reason text) returns int
  language sql set search_path = pg_catalog, pg_temp as 'select 0';
comment on function app_private.pause_messages(uuid, text) is 'Pauses all messages of an organisation that are being sent; how many';
revoke all on function app_private.pause_messages(uuid, text) from public;
grant execute on function app_private.pause_messages(uuid, text) to app_definer;

create function app_private.suppress_address(org uuid, address text, why text, origin text) returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
  insert into app.mail_suppressions as s (org_id, address_hash, reason, source) values (org, app_private.address_hash(address), why, origin)
    on conflict on constraint mail_suppressions_pkey do update set reason = why, source = origin
    where s.reason in ('unsubscribed', 'manual') or (s.reason = 'hard_bounce' and why = 'complaint')
$$;
comment on function app_private.suppress_address(uuid, text, text, text) is 'No mail at all to an address that bounced or complained; a complaint weighs more';

create function app_private.check_complaints(org uuid) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  n record;
  reached text;
begin
  select coalesce(sum(d.mails), 0)::int as mails, coalesce(sum(d.complaints), 0)::int as complaints into n
    from app.mail_days d where d.org_id = org and d.day > (now() at time zone 'UTC')::date - 7;
  -- One complaint about a hundred mails says little.
  reached := case when n.mails < 1000 then null
    when n.complaints >= 3 and n.complaints >= 0.003 * n.mails then 'pause'
    when n.complaints >= 2 and n.complaints >= 0.001 * n.mails then 'alert' end;
  if reached is null then return; end if;
  if reached = 'pause' then perform app_private.pause_messages(org, 'complaints'); end if;
  insert into app.mail_alarms (org_id, level, day, mails, complaints) values (org, reached, (now() at time zone 'UTC')::date, n.mails, n.complaints)
    on conflict on constraint mail_alarms_pkey do nothing;
  if found then
    perform app_private.tell(org, null, app_private.deciders_of(org, '00000000-0000-0000-0000-000000000000', null, 'messages.manage'),
      jsonb_build_object('kind', 'mail-complaints', 'essential', true, 'mail', 'instant', 'dedupe_key', concat('mail-complaints:', reached, ':', (now() at time zone 'UTC')::date),
        'params', jsonb_build_object('level', reached, 'complaints', n.complaints, 'mails', n.mails)));
  end if;
end $$;
comment on function app_private.check_complaints(uuid) is 'Raises an alarm, once a day, when too many recipients complained of the mail of the last seven days, and pauses messages at the second level';

create function app.take_mail_feedback(org uuid, mail uuid, kind text, at timestamptz, detail text, source text, event text) returns text
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  m app.mail_messages;
  moment timestamptz;
  said constant text := left(coalesce(detail, ''), 300);
begin
  select x.* into m from app.mail_messages x where x.org_id = org and x.id = mail for update;
  if m.id is null then return 'unknown'; end if;
  moment := greatest(least(coalesce(at, now()), now()), m.created_at);
  insert into app.mail_feedback (org_id, source, event_id, mail_id, kind, at, detail) values (org, take_mail_feedback.source, event, mail, take_mail_feedback.kind, moment, said)
    on conflict on constraint mail_feedback_pkey do nothing;
  if not found then return 'repeated'; end if;
  -- What never left cannot have come back; and what was delivered is not put off any more.
  if m.sent_to is null or m.attempts = 0
    or (take_mail_feedback.kind = 'soft_bounce' and (m.delivered_at is not null or m.bounce = 'hard' or m.complained_at is not null)) then return 'ignored'; end if;
  -- Two reports about one address count each other.
  perform pg_advisory_xact_lock(hashtextextended('mail_feedback ' || org || app_private.address_hash(m.sent_to), 0));
  if take_mail_feedback.kind = 'delivered' then
    update app.mail_messages x set delivered_at = least(coalesce(x.delivered_at, moment), moment),
        bounce = nullif(x.bounce, 'soft'), bounced_at = case when x.bounce = 'hard' then x.bounced_at end, feedback = case when x.bounce = 'hard' then x.feedback else '' end
      where x.org_id = org and x.id = mail;
  elsif take_mail_feedback.kind = 'complaint' then
    update app.mail_messages x set complained_at = least(coalesce(x.complained_at, moment), moment), delivered_at = coalesce(x.delivered_at, moment),
        bounce = nullif(x.bounce, 'soft'), bounced_at = case when x.bounce = 'hard' then x.bounced_at end
      where x.org_id = org and x.id = mail;
    perform app_private.suppress_address(org, m.sent_to, 'complaint', 'mail ' || mail);
    perform app_private.check_complaints(org);
  else
    update app.mail_messages x set bounce = split_part(take_mail_feedback.kind, '_', 1), bounced_at = moment, feedback = said where x.org_id = org and x.id = mail;
    if take_mail_feedback.kind = 'hard_bounce' then
      perform app_private.suppress_address(org, m.sent_to, 'hard_bounce', 'mail ' || mail);
    elsif (select count(*) from app.mail_messages x where x.org_id = org and x.to_key = lower(m.sent_to) and x.bounce = 'soft' and x.bounced_at > now() - interval '30 days') >= 3 then
      perform app_private.suppress_address(org, m.sent_to, 'hard_bounce', 'soft bounces, mail ' || mail);
    end if;
  end if;
  perform app_private.mail_feedback_taken(org, mail, take_mail_feedback.kind, moment, said);
  return 'taken';
end $$;
comment on function app.take_mail_feedback(uuid, uuid, text, timestamptz, text, text, text) is 'Takes in what was reported of a mail, each event of a source once, late, twice or out of order: taken, repeated, ignored, or unknown where there is no such mail. Suppresses its address for a hard bounce, a complaint, or three soft bounces in 30 days';

create function app.mail_backlog(out waiting int, out oldest_seconds float8, out stuck_seconds float8, out last_sent_at timestamptz) language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select count(*) filter (where x.state = 'queued' and x.next_at <= now())::int,
    extract(epoch from now() - min(x.next_at) filter (where x.state = 'queued' and x.next_at <= now()))::float8,
    -- What is tried again and again waits since it was queued, whenever its next turn is.
    extract(epoch from now() - min(x.created_at) filter (where x.state = 'queued' and x.attempts > 0))::float8,
    (select max(s.settled_at) from (select y.settled_at from app.mail_messages y where y.org_id = app.org_id() and y.state = 'sent' order by y.created_at desc limit 200) s)
  from app.mail_messages x where x.org_id = app.org_id() and x.state = 'queued' and app.everywhere('messages.manage')
$$;
comment on function app.mail_backlog() is 'Mail of the organisation that is due, for how long the first has been, for how long a mail has failed to leave, and when one last left; for those who keep its messages';

create function app.purge_mail_feedback() returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
  delete from app.mail_feedback f where f.taken_at < now() - interval '90 days';
  delete from app_private.webhook_tokens t where t.seen_at < now() - interval '1 day';
  delete from app.mail_days d where d.day < current_date - 400;
  delete from app.mail_alarms a where a.day < current_date - 400;
  -- A day that is over needs no lanes any more, and after five weeks nobody asks for its domains, which may tell of people.
  with old as (
    delete from app.mail_days d where (d.lane <> 0 and d.day < current_date - 1) or (d.domain <> '' and d.day < current_date - 35) returning d.*
  )
  insert into app.mail_days as d (org_id, day, domain, lane, mails, delivered, soft_bounces, hard_bounces, complaints)
    select o.org_id, o.day, k.domain, 0, sum(o.mails), sum(o.delivered), sum(o.soft_bounces), sum(o.hard_bounces), sum(o.complaints)
    from old o cross join lateral (select case when o.day < current_date - 35 then '' else o.domain end as domain) k group by o.org_id, o.day, k.domain
    on conflict on constraint mail_days_pkey do update set mails = d.mails + excluded.mails, delivered = d.delivered + excluded.delivered,
      soft_bounces = d.soft_bounces + excluded.soft_bounces, hard_bounces = d.hard_bounces + excluded.hard_bounces, complaints = d.complaints + excluded.complaints
$$;
comment on function app.purge_mail_feedback() is 'Forgets reports after 90 days, receiving domains after five weeks and figures of mail after 400 days; for the worker';

-- What the mail server refuses at once is a bounce as well, and another try begins anew.
do $$
declare
  settle text := pg_get_functiondef('app.settle_mail(uuid,uuid,integer,text,text,text,interval,boolean)'::regprocedure);
  settle_new text := replace(settle, '  if bounced and settled.sent_to is not null then', '  if bounced and settled.sent_to is not null then
    update app.mail_messages x set bounce = ''hard'', bounced_at = now(), feedback = left(said, 300) where x.org_id = org and x.id = mail;');
  retry text := pg_get_functiondef('app.retry_mail(uuid)'::regprocedure);
  retry_new text := replace(retry, 'handed_at = null, settled_at = null', 'handed_at = null, settled_at = null, bounce = null, bounced_at = null, feedback = ''''');
begin
  if settle_new = settle or retry_new = retry then raise exception 'app.settle_mail or app.retry_mail is written otherwise by now'; end if;
  execute settle_new;
  execute retry_new;
end $$;

select app_private.own_definers();
revoke all on function app_private.counted_mail(app.mail_messages), app_private.count_mail(), app_private.suppress_address(uuid, text, text, text), app_private.check_complaints(uuid) from public;
grant execute on function app_private.counted_mail(app.mail_messages) to app_definer;
revoke all on function app.take_mail_feedback(uuid, uuid, text, timestamptz, text, text, text), app.take_webhook_token(text, text), app.mail_backlog(), app.purge_mail_feedback() from public;
grant execute on function app.take_mail_feedback(uuid, uuid, text, timestamptz, text, text, text), app.take_webhook_token(text, text), app.mail_backlog() to app_access;
grant execute on function app.purge_mail_feedback() to app_worker;
