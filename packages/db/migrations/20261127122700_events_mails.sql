-- What an event sends: a mail for each step of a registration, and messages to many: changes, cancellation, reminder, and what organisers write.

alter table app.mail_messages add column batch_id uuid;
comment on column app.mail_messages.batch_id is 'The message of an event that this is one mail of';
create index mail_messages_by_batch on app.mail_messages (org_id, batch_id, state) where batch_id is not null;

create or replace function app_private.add_mails(org uuid, by uuid, mails jsonb) returns int language sql security definer set search_path = pg_catalog, pg_temp as $$
  with added as (
    insert into app.mail_messages (org_id, template, account_id, person_id, address, reply_to, params, essential, dedupe_key, trace, batch_id, created_by)
      select org, m.template, m.account, m.person, m.address, m.reply_to, coalesce(m.params, '{}'), m.essential, m.dedupe_key, m.trace, m.batch, by
      from jsonb_to_recordset(mails) m (template text, account uuid, person uuid, address text, reply_to text, params jsonb, essential boolean, dedupe_key text, trace text, batch uuid)
      on conflict (org_id, dedupe_key) do nothing
      returning id
  )
  select count(*)::int from added
$$;

create table app.event_mail_settings (
  org_id uuid not null references app.organisations on delete cascade,
  event_id uuid not null,
  kind text not null check (kind in ('requested', 'confirmed', 'payment', 'waiting', 'offered', 'offer_expired', 'hold_expired', 'rejected', 'cancelled', 'received', 'handed_over',
    'changed', 'event_cancelled', 'reminder')),
  enabled boolean not null default true,
  extra text not null default '' check (char_length(extra) <= 2000),
  hours int check (hours between 1 and 336),
  primary key (org_id, event_id, kind),
  foreign key (org_id, event_id) references app.events (org_id, id) on delete cascade,
  constraint event_mail_essential check (enabled or kind in ('requested', 'waiting', 'reminder')),
  check (hours is null or kind = 'reminder')
);
comment on table app.event_mail_settings is 'What the automatic mails of an event say in addition, and which are off; all others are as they come. Not in the audit log: it changes no record of anybody';
comment on column app.event_mail_settings.hours is 'How long before the start people are reminded; 24 unless stated';

create table app.event_messages (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  event_id uuid not null,
  kind text not null check (kind in ('message', 'changed', 'event_cancelled', 'reminder')),
  audience text not null default 'all' check (audience in ('all', 'confirmed', 'waiting', 'checked_in', 'not_checked_in')),
  ticket_type_id uuid,
  subject text not null default '' check (char_length(subject) <= 150),
  body jsonb not null default '{"type": "doc", "content": []}' check (app.formatted_text(body, 20000)),
  before jsonb,
  after jsonb,
  once_key text check (char_length(once_key) <= 100),
  state text not null default 'waiting' check (state in ('waiting', 'sending', 'sent', 'withdrawn')),
  send_at timestamptz not null default now(),
  reached uuid,
  recipients int not null default 0,
  sent_at timestamptz,
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, event_id, kind, once_key),
  foreign key (org_id, event_id) references app.events (org_id, id) on delete cascade,
  foreign key (org_id, ticket_type_id) references app.event_ticket_types (org_id, id),
  check (kind <> 'message' or subject <> '')
);
comment on table app.event_messages is 'What was sent, or is to be sent, to many of those who registered for an event. Not in the audit log: each row says who sent what and when';
comment on column app.event_messages.before is 'Time, place and link before the first of the changes it tells of';
comment on column app.event_messages.after is 'The same when it was sent';
comment on column app.event_messages.once_key is 'Sent once under the same key, such as the start that people are reminded of';
comment on column app.event_messages.reached is 'The registration up to which its mails are written';
create index event_messages_by_event on app.event_messages (org_id, event_id, id);
create index event_messages_by_ticket on app.event_messages (org_id, ticket_type_id);
create index event_messages_due on app.event_messages (org_id, send_at) where state in ('waiting', 'sending');
create unique index event_messages_one_change on app.event_messages (org_id, event_id) where kind = 'changed' and state = 'waiting';

do $policies$
declare
  tab text;
  managed constant text := 'org_id = (select app.org_id()) and exists (select from app.events e where e.org_id = %1$I.org_id and e.id = %1$I.event_id
    and ((select app.everywhere(''events.manage'')) or e.chapter_id = any ((select app.scope(''events.manage''))::uuid[]) or e.group_id = any ((select app.group_scope(''events.manage''))::uuid[])
      or e.id = any ((select app.event_scope(''events.manage''))::uuid[])))';
begin
  foreach tab in array array['event_mail_settings', 'event_messages'] loop
    perform app_private.protect(format('app.%I', tab)::regclass);
    execute format('create policy %I on app.%I for select to app_access using (%s)', tab || '_read', tab, format(managed, tab));
    execute format('create policy %I on app.%I for insert to app_access with check (%s)', tab || '_add', tab,
      format(managed, tab) || case when tab = 'event_messages' then ' and kind = ''message'' and created_by = (select app.account_id())' else '' end);
    execute format('create policy %I on app.%I for update to app_access using (%3$s) with check (%3$s)', tab || '_change', tab, format(managed, tab)
      || case when tab = 'event_messages' then ' and kind = ''message''' else '' end);
  end loop;
end $policies$;
grant select, insert (org_id, event_id, kind, enabled, extra, hours), update (enabled, extra, hours) on app.event_mail_settings to app_access;
grant select, insert (org_id, event_id, kind, audience, ticket_type_id, subject, body, send_at, created_by), update (state) on app.event_messages to app_access;
grant select on app.event_mail_settings to app_definer;
grant select, insert, update on app.event_messages to app_definer;

create function app_private.event_messages_guard() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if (app.actor()).org_id is not null and new.state <> old.state and not (old.state = 'waiting' and new.state = 'withdrawn') then
    raise exception 'this message has been sent' using errcode = '23P01', constraint = 'event_message_sent';
  end if;
  return new;
end $$;
comment on function app_private.event_messages_guard() is 'Who writes a message withdraws it before it is sent; everything else is done by sending it';
create trigger event_messages_guard before update on app.event_messages for each row execute function app_private.event_messages_guard();

-- Each step of a registration -------------------------------------------------------------------------------------------------------------

create type app_private.registration_news as (org_id uuid, registration_id uuid, before text, transferred boolean, former_person uuid, former_email text);

create function app_private.news_of(before text, r app.registrations) returns text language sql immutable set search_path = pg_catalog, pg_temp as $$
  select case
    -- Guests hear of their own seat only; all else is between the event and who brings them.
    when r.host_id is not null and r.status not in ('confirmed', 'cancelled') or r.host_id is not null and r.status = 'cancelled' and before <> 'confirmed' then null
    when r.status = 'confirmed' and before is distinct from 'checked_in' then 'confirmed'
    when r.status = 'pending_approval' then 'requested'
    when r.status = 'pending_payment' then 'payment'
    when r.status = 'waitlisted' then 'waiting'
    when r.status = 'offered' then 'offered'
    when r.status = 'rejected' then 'rejected'
    -- A cancelled event is told to everybody at once.
    when r.status = 'cancelled' and r.cause in ('hold_expired', 'offer_expired') then r.cause
    when r.status = 'cancelled' and r.cause <> 'event_cancelled' then 'cancelled' end
$$;
comment on function app_private.news_of(text, app.registrations) is 'What there is to tell of a registration that was in another status before; null for nothing';

create function app_private.tell_registrants(news app_private.registration_news[]) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  me constant uuid := (app.actor()).account_id;
  g record;
begin
  for g in
    with told as (
      select r.*, e.title, k.kind, case when k.kind in ('payment', 'hold_expired') then coalesce(r.payer_id, r.person_id) when k.kind = 'handed_over' then n.former_person else r.person_id end as to_person,
        case when k.kind = 'handed_over' then n.former_email else r.email end as to_email
      from unnest(news) n
        join app.registrations r on r.org_id = n.org_id and r.id = n.registration_id
        join app.events e on e.org_id = r.org_id and e.id = r.event_id and e.ends_at > now() and not e.records_attendance
        cross join lateral unnest(case when n.transferred then array['received', 'handed_over'] else array[app_private.news_of(n.before, r)] end) k (kind)
        left join app.event_mail_settings s on s.org_id = r.org_id and s.event_id = r.event_id and s.kind = k.kind
      where k.kind is not null and coalesce(s.enabled, true)
    ), written as (
      select t.org_id, app_private.add_mails(t.org_id, me, jsonb_agg(jsonb_build_object('template', 'event-registration', 'person', t.to_person, 'address', case when t.to_person is null then t.to_email end,
          'essential', true, 'params', jsonb_build_object('registration', t.id, 'news', t.kind), 'dedupe_key', concat_ws(':', 'registration', t.id, t.version, t.kind)) order by t.id)) as mails
        from told t where t.to_person is not null or t.to_email <> '' group by t.org_id
    )
    select t.org_id, t.event_id, t.title, t.kind, array_agg(distinct a.id) filter (where a.id is distinct from me) as accounts, (select count(*) from written) as written
      from told t join app.accounts a on a.org_id = t.org_id and a.person_id = t.to_person group by t.org_id, t.event_id, t.title, t.kind
    union all select null, null, null, null, null, count(*) from written
  loop
    if g.accounts is not null then
      perform app_private.tell(g.org_id, me, g.accounts, jsonb_build_object('kind', 'event-registration', 'record', g.event_id, 'params', jsonb_build_object('title', g.title, 'news', g.kind),
        'essential', false, 'mail', 'off'));
    end if;
  end loop;
end $$;
comment on function app_private.tell_registrants(app_private.registration_news[]) is 'Mails people what became of their registration, each step once, and tells those with an account who did not do it themselves';

create function app_private.registrations_tell() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  news app_private.registration_news[];
begin
  -- Who registers without an account gets the mail with the link to manage it.
  if tg_op = 'INSERT' then
    news := (select array_agg((c.org_id, c.id, null, false, null, null)::app_private.registration_news) from changed c where c.source not in ('import', 'public'));
  else
    news := (select array_agg((c.org_id, c.id, b.status, c.status = b.status, b.person_id, b.email)::app_private.registration_news) from changed c join before b on b.org_id = c.org_id and b.id = c.id
      where c.status <> b.status or c.ticket_version > b.ticket_version);
  end if;
  if news is not null then perform app_private.tell_registrants(news); end if;
  return null;
end $$;
comment on function app_private.registrations_tell() is 'Each step of a registration is told, whoever takes it';
create trigger registrations_tell_added after insert on app.registrations referencing new table as changed for each statement execute function app_private.registrations_tell();
create trigger registrations_tell_moved after update on app.registrations referencing old table as before new table as changed for each statement execute function app_private.registrations_tell();

create function app.event_mail(org uuid, registration uuid) returns jsonb language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select jsonb_build_object('eventId', e.id, 'title', e.title, 'eventStatus', e.status, 'startsAt', e.starts_at, 'endsAt', e.ends_at, 'timezone', e.timezone, 'venueName', e.venue_name,
      'venueAddress', e.venue_address, 'cancelReason', e.cancel_reason, 'link', k.url,
      'registrationId', r.id, 'name', r.name, 'status', r.status, 'cause', r.cause, 'reason', r.reason, 'ticket', t.name, 'holdUntil', r.hold_until, 'offerUntil', r.offer_until,
      'refund', r.refund_amount, 'price', r.price_amount, 'currency', r.price_currency, 'host', h.name, 'isGuest', r.host_id is not null,
      'guests', (select coalesce(jsonb_agg(g.name order by g.sort_name, g.id), '[]') from app.registrations g where g.org_id = r.org_id and g.host_id = r.id and g.status = r.status),
      'invoice', (select jsonb_build_object('id', i.id, 'balance', i.balance_amount, 'currency', i.currency) from app.invoice_lines l join app.invoices i on i.org_id = l.org_id and i.id = l.invoice_id
        and i.kind = 'invoice' and i.state in ('issued', 'partly_paid') where l.org_id = r.org_id and l.subject_type = 'event_registration' and l.subject_id = r.id order by i.id desc limit 1),
      'extra', (select coalesce(jsonb_object_agg(s.kind, s.extra) filter (where s.extra <> ''), '{}') from app.event_mail_settings s where s.org_id = e.org_id and s.event_id = e.id),
      -- Who only waits has no calendar entry.
      'calendar', case when r.status in ('confirmed', 'checked_in') then jsonb_build_object('id', e.id, 'sequence', e.sequence, 'status', e.status, 'title', e.title, 'summary', e.summary,
        'description', e.description, 'venueName', e.venue_name, 'venueAddress', e.venue_address, 'latitude', e.venue_latitude, 'longitude', e.venue_longitude, 'link', k.url,
        'startsAt', e.starts_at, 'endsAt', e.ends_at, 'timezone', e.timezone, 'createdAt', e.created_at, 'updatedAt', e.updated_at,
        'organiser', jsonb_build_object('name', coalesce(c.name, o.name), 'email', coalesce(nullif(c.contact_email, ''), o.contact_email, ''))) end)
    from app.registrations r join app.events e on e.org_id = r.org_id and e.id = r.event_id join app.organisations o on o.org_id = e.org_id
      left join app.event_links k on k.org_id = e.org_id and k.event_id = e.id and r.status in ('confirmed', 'checked_in')
      left join app.chapters c on c.org_id = e.org_id and c.id = e.chapter_id
      left join app.event_ticket_types t on t.org_id = r.org_id and t.id = r.ticket_type_id left join app.registrations h on h.org_id = r.org_id and h.id = r.host_id
    where r.org_id = org and r.id = registration
$$;
comment on function app.event_mail(uuid, uuid) is 'What a mail about a registration says; for the worker';

-- Messages to many ------------------------------------------------------------------------------------------------------------------------

create function app_private.event_facts(e app.events) returns jsonb language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select jsonb_build_object('startsAt', e.starts_at, 'endsAt', e.ends_at, 'timezone', e.timezone, 'venueName', e.venue_name, 'venueAddress', e.venue_address,
    'link', (select l.url from app.event_links l where l.org_id = e.org_id and l.event_id = e.id))
$$;
comment on function app_private.event_facts(app.events) is 'When and where an event takes place: what people are told of when it changes';

create function app_private.note_event_change(e app.events, facts jsonb) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if e.status <> 'published' or e.ends_at <= now() or not exists (select from app.event_counts n where n.org_id = e.org_id and n.event_id = e.id and n.taken + n.waiting + n.pending_approval > 0) then return; end if;
  -- Several changes within ten minutes are told at once, compared with what was before the first.
  insert into app.event_messages (org_id, event_id, kind, before, send_at, created_by) values (e.org_id, e.id, 'changed', facts, now() + interval '10 minutes', app.account_id())
    on conflict (org_id, event_id) where kind = 'changed' and state = 'waiting' do nothing;
end $$;
comment on function app_private.note_event_change(app.events, jsonb) is 'Those who registered are to be told that time, place or link have changed';

create function app_private.events_told() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if new.status = 'cancelled' and old.status = 'published' then
    insert into app.event_messages (org_id, event_id, kind, once_key, created_by) select new.org_id, new.id, 'event_cancelled', new.cancelled_at::text, app.account_id()
      from app.event_counts n where n.org_id = new.org_id and n.event_id = new.id and n.taken + n.waiting + n.pending_approval > 0
      on conflict do nothing;
  elsif new.status = 'published' and old.status = 'published' then
    perform app_private.note_event_change(new, app_private.event_facts(old));
  end if;
  return null;
end $$;
comment on function app_private.events_told() is 'A cancelled event, and another time or place, are told to everybody who registered';
-- Before events_move_registrations, which cancels what was pending once the statement is done.
create trigger events_told after update on app.events for each row
  when (new.status <> old.status or (new.starts_at, new.ends_at, new.timezone, new.venue_name, new.venue_address) is distinct from (old.starts_at, old.ends_at, old.timezone, old.venue_name, old.venue_address))
  execute function app_private.events_told();

create function app_private.event_links_told() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  e app.events;
begin
  select x.* into e from app.events x where x.org_id = coalesce(new.org_id, old.org_id) and x.id = coalesce(new.event_id, old.event_id);
  if e.id is not null and new.url is distinct from old.url then perform app_private.note_event_change(e, app_private.event_facts(e) || jsonb_build_object('link', old.url)); end if;
  return null;
end $$;
comment on function app_private.event_links_told() is 'Another link is told to everybody who registered';
create trigger event_links_told after insert or update or delete on app.event_links for each row execute function app_private.event_links_told();

create function app_private.worker_only() returns void language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  if (app.actor()).org_id is not null or not pg_has_role(session_user, 'app_worker', 'member') then raise exception 'not allowed' using errcode = '42501'; end if;
end $$;
comment on function app_private.worker_only() is 'Refuses everybody but a worker that acts for nobody';

create function app.plan_event_messages(org uuid) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare made int;
begin
  perform app_private.worker_only();
  insert into app.event_messages (org_id, event_id, kind, audience, once_key)
    select e.org_id, e.id, 'reminder', 'confirmed', e.starts_at::text from app.events e
      join app.event_counts n on n.org_id = e.org_id and n.event_id = e.id and n.confirmed > 0
      left join app.event_mail_settings s on s.org_id = e.org_id and s.event_id = e.id and s.kind = 'reminder'
    where e.org_id = org and e.status = 'published' and e.starts_at > now() and e.starts_at <= now() + interval '336 hours'
      and e.starts_at - make_interval(hours => coalesce(s.hours, 24)) between e.published_at and now() and coalesce(s.enabled, true)
    on conflict do nothing;
  get diagnostics made = row_count;
  return made;
end $$;
comment on function app.plan_event_messages(uuid) is 'Notes the reminders that are due, each once for a start; how many';

-- Who a message goes to, as things stand.
create function app_private.message_for(m app.event_messages, r app.registrations) returns boolean language sql stable set search_path = pg_catalog, pg_temp as $$
  select (m.ticket_type_id is null or r.ticket_type_id = m.ticket_type_id) and case
    when m.kind = 'event_cancelled' then r.status in ('confirmed', 'checked_in') or (r.status = 'cancelled' and r.cause = 'event_cancelled')
    -- Whoever has just registered knows.
    when m.kind = 'reminder' then r.status = 'confirmed' and coalesce(r.confirmed_at < m.created_at - interval '1 hour', true)
    when m.audience = 'all' then r.status in ('confirmed', 'checked_in', 'pending_approval', 'pending_payment', 'waitlisted', 'offered')
    when m.audience = 'confirmed' then r.status in ('confirmed', 'checked_in')
    when m.audience = 'waiting' then r.status in ('waitlisted', 'offered')
    when m.audience = 'checked_in' then r.status = 'checked_in'
    when m.audience = 'not_checked_in' then r.status = 'confirmed' end
$$;
comment on function app_private.message_for(app.event_messages, app.registrations) is 'Whether a message goes to a registration';

create function app.send_event_messages(org uuid, most int) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  m app.event_messages;
  e app.events;
  mails jsonb;
  accounts uuid[];
  seen int;
  last uuid;
begin
  perform app_private.worker_only();
  select x.* into m from app.event_messages x where x.org_id = org and x.state in ('waiting', 'sending') and x.send_at <= now() order by x.send_at, x.id limit 1 for update skip locked;
  if m.id is null then return 0; end if;
  select x.* into e from app.events x where x.org_id = org and x.id = m.event_id;
  if m.state = 'waiting' then
    m.after := case when m.kind = 'changed' then app_private.event_facts(e) end;
    if (m.kind in ('changed', 'reminder') and (e.status <> 'published' or e.ends_at <= now())) or (m.kind = 'changed' and m.after = m.before) or e.status in ('draft', 'archived')
      or (m.kind = 'reminder' and m.once_key <> e.starts_at::text) then
      update app.event_messages x set state = 'withdrawn' where x.org_id = org and x.id = m.id;
      return 1;
    end if;
  end if;
  with portion as (
    select r.* from app.registrations r where r.org_id = org and r.event_id = m.event_id and r.id > coalesce(m.reached, '00000000-0000-0000-0000-000000000000') and app_private.message_for(m, r)
      order by r.id limit most
  ), whom as (
    -- Once for each person or address, whatever tickets they have.
    select distinct on (coalesce(p.person_id::text, lower(p.email))) p.id, p.person_id, p.email from portion p where p.person_id is not null or p.email <> ''
      order by coalesce(p.person_id::text, lower(p.email)), p.host_id nulls first, p.id
  )
  select (select count(*) from portion), (select max(p.id::text)::uuid from portion p), (select jsonb_agg(jsonb_build_object('template', 'event-message', 'person', w.person_id,
      'address', case when w.person_id is null then w.email end, 'essential', m.kind in ('changed', 'event_cancelled'), 'params', jsonb_build_object('message', m.id, 'registration', w.id), 'batch', m.id,
      'dedupe_key', concat_ws(':', 'event-message', m.id, coalesce(w.person_id::text, left(app_private.address_hash(w.email), 32)))) order by w.id) from whom w),
    (select array_agg(a.id) from whom w join app.accounts a on a.org_id = org and a.person_id = w.person_id)
    into seen, last, mails, accounts;
  if mails is not null then m.recipients := m.recipients + app_private.add_mails(org, m.created_by, mails); end if;
  if accounts is not null then
    perform app_private.tell(org, m.created_by, accounts, jsonb_build_object('kind', 'event-message', 'record', m.event_id, 'params', jsonb_build_object('title', e.title, 'news', m.kind),
      'dedupe_key', 'event-message:' || m.id, 'essential', false, 'mail', 'off'));
  end if;
  update app.event_messages x set state = case when seen < most then 'sent' else 'sending' end, after = m.after, reached = coalesce(last, x.reached), recipients = m.recipients,
      sent_at = case when seen < most then now() end where x.org_id = org and x.id = m.id;
  return greatest(seen, 1);
end $$;
comment on function app.send_event_messages(uuid, int) is 'Writes so many mails of the message that is due longest; 0 when none is due';

create function app.event_message_mail(org uuid, message uuid) returns jsonb language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select jsonb_build_object('kind', m.kind, 'subject', m.subject, 'body', m.body, 'before', m.before, 'after', m.after, 'eventId', m.event_id)
    from app.event_messages m where m.org_id = org and m.id = message
$$;
comment on function app.event_message_mail(uuid, uuid) is 'What a message of an event says; for the worker';

create function app.event_audience(event uuid, audience text, ticket uuid) returns int language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  org constant uuid := app.org_id();
  e app.events;
  m app.event_messages;
begin
  select x.* into e from app.events x where x.org_id = org and x.id = event;
  if e.id is null or not app_private.runs_event(e, 'events.manage') then raise exception 'not allowed' using errcode = '42501'; end if;
  m.kind := 'message';
  m.audience := event_audience.audience;
  m.ticket_type_id := ticket;
  return (select count(distinct coalesce(r.person_id::text, lower(r.email))) from app.registrations r where r.org_id = org and r.event_id = event and (r.person_id is not null or r.email <> '')
    and app_private.message_for(m, r));
end $$;
comment on function app.event_audience(uuid, text, uuid) is 'To how many a message would go now';

create function app.event_message_outcomes(event uuid) returns table (message uuid, state text, mails int) language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  org constant uuid := app.org_id();
  e app.events;
begin
  select x.* into e from app.events x where x.org_id = org and x.id = event;
  if e.id is null or not app_private.runs_event(e, 'events.manage') then raise exception 'not allowed' using errcode = '42501'; end if;
  return query select x.batch_id, x.state, count(*)::int from app.event_messages m join app.mail_messages x on x.org_id = m.org_id and x.batch_id = m.id
    where m.org_id = org and m.event_id = event group by x.batch_id, x.state;
end $$;
comment on function app.event_message_outcomes(uuid) is 'What became of the mails of each message of an event';

select app_private.own_definers();
revoke execute on function app_private.event_messages_guard(), app_private.news_of(text, app.registrations), app_private.message_for(app.event_messages, app.registrations) from public;
grant execute on function app_private.news_of(text, app.registrations), app_private.message_for(app.event_messages, app.registrations), app_private.tell_registrants(app_private.registration_news[]),
  app_private.note_event_change(app.events, jsonb), app_private.event_facts(app.events), app_private.worker_only() to app_definer;
grant execute on function app.event_audience(uuid, text, uuid), app.event_message_outcomes(uuid) to app_access;
grant execute on function app.event_mail(uuid, uuid), app.plan_event_messages(uuid), app.send_event_messages(uuid, int), app.event_message_mail(uuid, uuid) to app_worker;
