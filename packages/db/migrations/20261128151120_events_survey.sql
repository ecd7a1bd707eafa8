-- A survey after an event: a rating, whether people would come again, a text, and up to five questions of the organisers. Answers are anonymous: nobody
-- reads a row of them, and figures come from three answers on.

create table app.event_surveys (
  org_id uuid not null references app.organisations on delete cascade,
  event_id uuid not null,
  enabled boolean not null default true,
  primary key (org_id, event_id),
  foreign key (org_id, event_id) references app.events (org_id, id) on delete cascade
);
comment on table app.event_surveys is 'Whether people who came are asked how an event was';

create table app.event_survey_questions (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  event_id uuid not null,
  place int not null,
  text text not null check (char_length(text) between 1 and 300),
  kind text not null default 'line' check (kind in ('line', 'lines', 'choice', 'choices', 'flag')),
  required boolean not null default false,
  options text[] not null default '{}' check (cardinality(options) <= 30),
  archived_at timestamptz,
  primary key (org_id, id),
  foreign key (org_id, event_id) references app.events (org_id, id) on delete cascade,
  check ((kind in ('choice', 'choices')) = (cardinality(options) > 0))
);
comment on table app.event_survey_questions is 'What the survey of an event asks in addition';
create index event_survey_questions_by_event on app.event_survey_questions (org_id, event_id, place);

create table app.event_survey_answers (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  event_id uuid not null,
  registration_id uuid not null,
  rating int not null check (rating between 1 and 5),
  again text check (again in ('yes', 'maybe', 'no')),
  comment text not null default '' check (char_length(comment) <= 2000),
  answers jsonb not null default '[]' check (jsonb_typeof(answers) = 'array' and octet_length(answers::text) <= 100000),
  answered_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, registration_id),
  foreign key (org_id, event_id) references app.events (org_id, id) on delete cascade,
  foreign key (org_id, registration_id) references app.registrations (org_id, id) on delete cascade
);
comment on table app.event_survey_answers is 'Answers to the survey of an event, one for each registration. Nobody reads a row but whoever answered, by functions. Not in the audit log: it would say who answered what';
comment on column app.event_survey_answers.again is 'Whether they would come again';
create index event_survey_answers_by_event on app.event_survey_answers (org_id, event_id);

select app_private.protect('app.event_surveys');
select app_private.protect('app.event_survey_questions');
select app_private.protect('app.event_survey_answers');
do $policies$
declare
  tab text;
  seen constant text := 'org_id = (select app.org_id()) and exists (select from app.events e where e.org_id = %1$I.org_id and e.id = %1$I.event_id)';
  -- Locked as it would be for a change, the event is found only if its own policies allow one.
  kept constant text := 'org_id = (select app.org_id()) and exists (select from app.events e where e.org_id = %1$I.org_id and e.id = %1$I.event_id for key share)';
begin
  foreach tab in array array['event_surveys', 'event_survey_questions'] loop
    execute format('create policy %I on app.%I for select to app_access using (%s)', tab || '_read', tab, format(seen, tab));
    execute format('create policy %I on app.%I for insert to app_access with check (%s)', tab || '_add', tab, format(kept, tab));
    execute format('create policy %I on app.%I for update to app_access using (%3$s) with check (%3$s)', tab || '_change', tab, format(kept, tab));
  end loop;
end $policies$;
select app_private.keep_audit('app.event_surveys', 'events.manage', 'event_id');
select app_private.keep_audit('app.event_survey_questions', 'events.manage', 'event_id');
grant select, insert (org_id, event_id, enabled), update (enabled) on app.event_surveys to app_access;
grant select, insert (org_id, event_id, id, place, text, kind, required, options), update (place, text, kind, required, options, archived_at) on app.event_survey_questions to app_access;
grant select, insert on app.event_surveys, app.event_survey_questions to app_definer;
grant select, insert, update on app.event_survey_answers to app_definer;

-- Who is asked, and until when ---------------------------------------------------------------------------------------------------------

create function app_private.survey_open(e app.events) returns boolean language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select e.status = 'published' and e.ends_at <= now() and e.ends_at + interval '60 days' > now()
    and exists (select from app.event_surveys v where v.org_id = e.org_id and v.event_id = e.id and v.enabled)
$$;
comment on function app_private.survey_open(app.events) is 'Whether the survey of an event can be answered: from its end for 60 days, while it is on';

create function app_private.survey_for(r app.registrations) returns boolean language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select r.status = 'checked_in' or (r.status = 'confirmed' and exists (select from app.event_counts n where n.org_id = r.org_id and n.event_id = r.event_id and n.checked_in = 0))
$$;
comment on function app_private.survey_for(app.registrations) is 'Whether a registration is asked: those who were checked in, or where nobody was, everybody with a seat';

create function app_private.survey_answer(e app.events, r app.registrations) returns jsonb language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select jsonb_build_object('open', app_private.survey_open(e), 'mayAnswer', app_private.survey_open(e) and coalesce(a.answered_at + interval '14 days' > now(), true), 'closesAt', e.ends_at + interval '60 days',
    'answer', case when a.id is not null then jsonb_build_object('rating', a.rating, 'again', a.again, 'comment', a.comment, 'answers', a.answers, 'answeredAt', a.answered_at,
      'changeUntil', least(a.answered_at + interval '14 days', e.ends_at + interval '60 days')) end)
  from (select) one left join app.event_survey_answers a on a.org_id = r.org_id and a.registration_id = r.id
$$;
comment on function app_private.survey_answer(app.events, app.registrations) is 'What a registration answered to the survey of its event, for whoever holds it';

create function app_private.keep_survey_answer(e app.events, r app.registrations, given jsonb) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if not app_private.survey_for(r) then raise exception 'the survey is for those who came' using errcode = '23P01', constraint = 'survey_not_asked'; end if;
  if not app_private.survey_open(e) then raise exception 'the survey is not open' using errcode = '23P01', constraint = 'survey_closed'; end if;
  insert into app.event_survey_answers as a (org_id, event_id, registration_id, rating, again, comment, answers)
    values (r.org_id, r.event_id, r.id, (given ->> 'rating')::int, given ->> 'again', coalesce(given ->> 'comment', ''), coalesce(given -> 'answers', '[]'))
    on conflict (org_id, registration_id) do update set rating = excluded.rating, again = excluded.again, comment = excluded.comment, answers = excluded.answers
    where a.answered_at + interval '14 days' > now();
  if not found then raise exception 'this answer cannot be changed any more' using errcode = '23P01', constraint = 'survey_answer_final'; end if;
end $$;
comment on function app_private.keep_survey_answer(app.events, app.registrations, jsonb) is 'Keeps the one answer of a registration; it can be changed for 14 days';

create function app.my_survey(event uuid) returns jsonb language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  org constant uuid := app.org_id();
  me constant uuid := app.person_id();
  e app.events;
  r app.registrations;
begin
  select * into e from app.events x where x.org_id = org and x.id = event;
  select * into r from app.registrations x where x.org_id = org and x.event_id = event and x.person_id = me and x.status in ('confirmed', 'checked_in') order by x.id limit 1;
  return case when r.id is not null and app_private.survey_for(r) then app_private.survey_answer(e, r) end;
end $$;
comment on function app.my_survey(uuid) is 'What the actor answered to the survey of an event, and whether they may; null for whoever is not asked';

create function app.answer_survey(event uuid, given jsonb) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org constant uuid := app.org_id();
  me constant uuid := app.person_id();
  e app.events;
  r app.registrations;
begin
  select * into e from app.events x where x.org_id = org and x.id = event;
  select * into r from app.registrations x where x.org_id = org and x.event_id = event and x.person_id = me and x.status in ('confirmed', 'checked_in') order by x.id limit 1;
  if r.id is null then raise exception 'the survey is for those who came' using errcode = '23P01', constraint = 'survey_not_asked'; end if;
  perform app_private.keep_survey_answer(e, r, given);
end $$;
comment on function app.answer_survey(uuid, jsonb) is 'The actor answers the survey of an event that they were at';

-- Without an account --------------------------------------------------------------------------------------------------------------------

create function app_private.survey_questions(org uuid, event uuid) returns jsonb language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', q.id, 'text', q.text, 'kind', q.kind, 'required', q.required, 'options', to_jsonb(q.options)) order by q.place, q.id), '[]')
    from app.event_survey_questions q where q.org_id = org and q.event_id = event and q.archived_at is null
$$;
comment on function app_private.survey_questions(uuid, uuid) is 'What the survey of an event asks in addition';

create function app.survey_by_link(idp_org text, secret_hash text) returns jsonb language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select app_private.survey_answer(e, r) || jsonb_build_object('title', e.title, 'questions', app_private.survey_questions(e.org_id, e.id))
    from app.open_link(idp_org, 'surveys', secret_hash) l join app.registrations r on r.org_id = l.org_id and r.id = l.subject_id and r.status in ('confirmed', 'checked_in')
      join app.events e on e.org_id = r.org_id and e.id = r.event_id
    where app_private.survey_for(r)
$$;
comment on function app.survey_by_link(text, text) is 'The survey that a link is about, with what was answered by it, while the link is valid';

create function app.answer_survey_by_link(idp_org text, secret_hash text, given jsonb) returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  l record;
  e app.events;
  r app.registrations;
begin
  select * into l from app.open_link(idp_org, 'surveys', secret_hash);
  select x.* into r from app.registrations x where x.org_id = l.org_id and x.id = l.subject_id;
  select x.* into e from app.events x where x.org_id = r.org_id and x.id = r.event_id;
  if r.id is null or not (app_private.survey_answer(e, r) ->> 'mayAnswer')::boolean or not app_private.survey_for(r) then return false; end if;
  perform app_private.keep_survey_answer(e, r, given);
  return true;
end $$;
comment on function app.answer_survey_by_link(text, text, jsonb) is 'Answers the survey that a link is about; whether that was possible';

create function app_private.survey_links_end() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update app.signed_links l set revoked_at = now() where l.org_id = new.org_id and l.purpose = 'surveys' and l.subject_id = new.id and l.revoked_at is null;
  return null;
end $$;
comment on function app_private.survey_links_end() is 'Whoever had a ticket before does not answer for its holder';
create trigger survey_links_end after update of ticket_version, email on app.registrations for each row
  when (new.ticket_version <> old.ticket_version or new.email <> old.email) execute function app_private.survey_links_end();

create function app_private.people_leave_surveys() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update app.event_survey_answers a set comment = '', answers = '[]' from app.registrations r where r.org_id = new.org_id and r.person_id = new.id and a.org_id = r.org_id and a.registration_id = r.id;
  return null;
end $$;
comment on function app_private.people_leave_surveys() is 'Of somebody who was erased the rating stays, and nothing they wrote';
create trigger people_leave_surveys after update of lifecycle on app.people for each row when (new.lifecycle = 'erased' and old.lifecycle <> 'erased')
  execute function app_private.people_leave_surveys();

-- What organisers learn -----------------------------------------------------------------------------------------------------------------

create function app.event_survey_results(event uuid, most int) returns jsonb language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  org constant uuid := app.org_id();
  e app.events;
  asked int;
  answered int;
begin
  select x.* into e from app.events x where x.org_id = org and x.id = event;
  if e.id is null or not app_private.runs_event(e, 'events.manage') then raise exception 'not allowed' using errcode = '42501'; end if;
  -- Once for each person or address, as the mail goes; somebody without either cannot be asked.
  asked := (select count(distinct coalesce(r.person_id::text, lower(r.email))) from app.registrations r
    where r.org_id = org and r.event_id = event and (r.person_id is not null or r.email <> '') and app_private.survey_for(r));
  answered := (select count(*) from app.event_survey_answers a where a.org_id = org and a.event_id = event);
  -- Few answers would tell whose they are.
  if answered < 3 then return jsonb_build_object('asked', asked, 'answered', answered, 'figures', null); end if;
  return jsonb_build_object('asked', greatest(asked, answered), 'answered', answered, 'figures', (
    with given as materialized (select a.* from app.event_survey_answers a where a.org_id = org and a.event_id = event),
    said as materialized (select g.id, (x.answer ->> 'questionId')::uuid as question_id, x.answer -> 'value' as value from given g cross join lateral jsonb_array_elements(g.answers) x (answer)),
    picked as materialized (select s.question_id, v.value #>> '{}' as value, count(*)::int as count
      from said s cross join lateral jsonb_array_elements(case jsonb_typeof(s.value) when 'array' then s.value else jsonb_build_array(s.value) end) v (value)
        join app.event_survey_questions q on q.org_id = org and q.id = s.question_id and q.kind in ('choice', 'choices', 'flag') group by 1, 2)
    select jsonb_build_object(
      'average', (select round(avg(g.rating), 2) from given g),
      'ratings', (select jsonb_agg((select count(*) from given g where g.rating = n) order by n) from generate_series(1, 5) n),
      'again', (select jsonb_build_object('yes', count(*) filter (where g.again = 'yes'), 'maybe', count(*) filter (where g.again = 'maybe'), 'no', count(*) filter (where g.again = 'no')) from given g),
      -- In an order that says neither who was first nor which answers belong together.
      'comments', (select coalesce(jsonb_agg(t.comment order by t.place), '[]') from (
        select g.comment, md5(g.id::text) as place from given g where g.comment <> '' order by 2 limit most) t),
      'questions', (select coalesce(jsonb_agg(jsonb_build_object('id', q.id, 'text', q.text, 'kind', q.kind, 'answered', (select count(*) from said s where s.question_id = q.id),
          'options', (select coalesce(jsonb_agg(jsonb_build_object('value', o.value, 'count', o.count) order by o.count desc, o.value), '[]') from (
            select w.value, coalesce(p.count, 0) as count from (
              select unnest(case q.kind when 'flag' then array['true', 'false'] else q.options end) as value union select p.value from picked p where p.question_id = q.id) w
            left join picked p on p.question_id = q.id and p.value = w.value order by 2 desc, 1 limit 60) o),
          'texts', case when q.kind in ('line', 'lines') then (select coalesce(jsonb_agg(t.value order by t.place), '[]') from (
            select s.value #>> '{}' as value, md5(s.id::text || q.id) as place from said s where s.question_id = q.id order by 2 limit most) t) else '[]' end) order by q.place, q.id), '[]')
        from app.event_survey_questions q where q.org_id = org and q.event_id = event and (q.archived_at is null or exists (select from said s where s.question_id = q.id))))));
end $$;
comment on function app.event_survey_results(uuid, int) is 'What people answered to the survey of an event, without who; from three answers on, and so many texts of each kind';

-- Sent like a reminder ------------------------------------------------------------------------------------------------------------------

alter table app.event_mail_settings drop constraint event_mail_settings_kind_check, drop constraint event_mail_essential, drop constraint event_mail_settings_check;
alter table app.event_mail_settings
  add constraint event_mail_settings_kind_check check (kind in ('requested', 'confirmed', 'payment', 'waiting', 'offered', 'offer_expired', 'hold_expired', 'rejected', 'cancelled', 'received', 'handed_over',
    'changed', 'event_cancelled', 'reminder', 'survey')),
  add constraint event_mail_essential check (enabled or kind in ('requested', 'waiting', 'reminder', 'survey')),
  add constraint event_mail_settings_check check (hours is null or kind in ('reminder', 'survey'));
comment on column app.event_mail_settings.hours is 'How long before the start people are reminded, or after the end they are asked how it was; 24 unless stated';
alter table app.event_messages drop constraint event_messages_kind_check;
alter table app.event_messages add constraint event_messages_kind_check check (kind in ('message', 'changed', 'event_cancelled', 'reminder', 'survey'));

create or replace function app.plan_event_messages(org uuid) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  made int;
  surveys int;
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
  -- What is asked after an event: of those who were checked in, or where nobody was, of everybody with a seat.
  insert into app.event_messages (org_id, event_id, kind, audience, once_key)
    select e.org_id, e.id, 'survey', case when n.checked_in > 0 then 'checked_in' else 'confirmed' end, 'survey' from app.event_surveys v
      join app.events e on e.org_id = v.org_id and e.id = v.event_id
      join app.event_counts n on n.org_id = e.org_id and n.event_id = e.id and n.confirmed + n.checked_in > 0
      left join app.event_mail_settings s on s.org_id = e.org_id and s.event_id = e.id and s.kind = 'survey'
    where v.org_id = org and v.enabled and e.status = 'published' and coalesce(s.enabled, true)
      and e.ends_at between now() - interval '30 days' and now() - make_interval(hours => coalesce(s.hours, 24))
    on conflict do nothing;
  get diagnostics surveys = row_count;
  return made + surveys;
end $$;

create or replace function app.send_event_messages(org uuid, most int) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
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
      or (m.kind = 'reminder' and m.once_key <> e.starts_at::text) or (m.kind = 'survey' and not app_private.survey_open(e)) then
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

-- Events of a series ask what the one before them asks.
create function app_private.events_take_survey() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if not exists (select from made m where m.series_id is not null) then return null; end if;
  with before as (
    select m.org_id, m.id, v.event_id as from_id, v.enabled from made m cross join lateral (
      select v.* from app.events e join app.event_surveys v on v.org_id = e.org_id and v.event_id = e.id
      where e.org_id = m.org_id and e.series_id = m.series_id and e.id <> m.id and not e.series_exception order by e.starts_at desc limit 1) v
    where m.series_id is not null
  ), taken as (
    insert into app.event_surveys (org_id, event_id, enabled) select b.org_id, b.id, b.enabled from before b
  )
  insert into app.event_survey_questions (org_id, event_id, place, text, kind, required, options)
    select b.org_id, b.id, q.place, q.text, q.kind, q.required, q.options from before b
      join app.event_survey_questions q on q.org_id = b.org_id and q.event_id = b.from_id and q.archived_at is null;
  return null;
end $$;
comment on function app_private.events_take_survey() is 'A new event of a series has the survey of the last one before it';
create trigger events_take_survey after insert on app.events referencing new table as made for each statement execute function app_private.events_take_survey();

select app_private.own_definers();
grant execute on function app_private.survey_open(app.events), app_private.survey_for(app.registrations), app_private.survey_answer(app.events, app.registrations),
  app_private.keep_survey_answer(app.events, app.registrations, jsonb), app_private.survey_questions(uuid, uuid) to app_definer;
grant execute on function app.my_survey(uuid), app.answer_survey(uuid, jsonb), app.survey_by_link(text, text), app.answer_survey_by_link(text, text, jsonb), app.event_survey_results(uuid, int) to app_access;
