-- Automations: what happens to a person (joined, renewal due, lapsed, registered, attended, birthday, tag added) lets them enter, and steps follow: wait, condition, mail, tag, task.
-- A run is one person in one automation. Each step has one line of the log for each run, which its key sees to, and the line is written with its effect.

create table app.automations (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  chapter_id uuid,
  name text not null check (char_length(name) between 1 and 100),
  description text not null default '' check (char_length(description) <= 1000),
  status text not null default 'draft' check (status in ('draft', 'active', 'paused', 'archived')),
  recipe text check (recipe in ('welcome', 'renewal', 'win-back', 'after-event')),
  trigger jsonb not null check (jsonb_typeof(trigger) = 'object' and octet_length(trigger::text) <= 2000),
  who jsonb check (jsonb_typeof(who) = 'object' and octet_length(who::text) <= 100000),
  steps jsonb not null default '[]' check (jsonb_typeof(steps) = 'array' and octet_length(steps::text) <= 500000),
  exits text[] not null default '{}' check (exits <@ array['renewed', 'unsubscribed', 'left', 'cancelled', 'tag_removed']),
  reentry text not null default 'once' check (reentry in ('once', 'term', 'always')),
  activated_by uuid,
  activated_at timestamptz,
  enters_from date,
  pause_reason text check (pause_reason in ('by_hand', 'sender_gone', 'filter_broken')),
  created_by uuid,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, chapter_id) references app.chapters (org_id, id) on delete cascade,
  foreign key (org_id, activated_by) references app.accounts (org_id, id) on delete set null (activated_by),
  foreign key (org_id, created_by) references app.accounts (org_id, id) on delete set null (created_by),
  check (status <> 'active' or (activated_at is not null and enters_from is not null)),
  check ((status = 'paused') = (pause_reason is not null))
);
comment on table app.automations is 'What is done for people by itself, step by step, after something happened to them; of a chapter with those below it, or of the organisation';
comment on column app.automations.trigger is 'What lets people enter, as Trigger of the contract';
comment on column app.automations.who is 'Filter of the people list that they must meet when they enter; null is everybody';
comment on column app.automations.steps is 'In their order, each with an id that stays its own, as Step of the contract';
comment on column app.automations.exits is 'Rules that end a run before its next step';
comment on column app.automations.reentry is 'How often a person enters: once, once for each term of their membership, or whenever it happens';
comment on column app.automations.activated_by is 'With whose rights it runs: it sees the people that this account sees, and stops when the account may no longer send';
comment on column app.automations.enters_from is 'What happened before that day lets nobody enter';
create index automations_by_chapter on app.automations (org_id, chapter_id);
create index automations_by_activator on app.automations (org_id, activated_by);
create index automations_by_creator on app.automations (org_id, created_by);
create index automations_active on app.automations (org_id, id) where status = 'active';

create table app.automation_runs (
  org_id uuid not null,
  id uuid not null default app.uuid7(),
  automation_id uuid not null,
  person_id uuid not null,
  occasion text not null check (char_length(occasion) <= 120),
  entry_key text check (char_length(entry_key) <= 120),
  subject_id uuid,
  term_ends_on date,
  state text not null default 'active' check (state in ('active', 'done', 'exited', 'failed', 'stopped', 'outside')),
  step text check (char_length(step) <= 20),
  waits text check (char_length(waits) <= 20),
  next_at timestamptz,
  ended_by text check (char_length(ended_by) <= 40),
  entered_at timestamptz not null default now(),
  ended_at timestamptz,
  primary key (org_id, id),
  foreign key (org_id, automation_id) references app.automations (org_id, id) on delete cascade,
  foreign key (org_id, person_id) references app.people (org_id, id) on delete cascade,
  constraint automation_runs_occasion unique (org_id, automation_id, person_id, occasion),
  constraint automation_runs_entry unique (org_id, automation_id, person_id, entry_key),
  check ((state = 'active') = (next_at is not null)),
  check ((state = 'active') = (ended_at is null))
);
comment on table app.automation_runs is 'One person in one automation. Not in the audit log: automation_log tells every step';
comment on column app.automation_runs.occasion is 'What happened, told apart from every other time it happens';
comment on column app.automation_runs.entry_key is 'What may let a person enter only once; null where they did not enter';
comment on column app.automation_runs.subject_id is 'The membership, registration or tag that it happened to';
comment on column app.automation_runs.term_ends_on is 'Last day of the term then: with a later one the person has renewed';
comment on column app.automation_runs.state is 'outside: it happened before activation, or the person did not meet the filter; they are not asked again';
comment on column app.automation_runs.step is 'The step that comes next; null after the last one';
comment on column app.automation_runs.waits is 'The step that made it wait until next_at';
comment on column app.automation_runs.ended_by is 'Rule that ended it, as a code';
create index automation_runs_due on app.automation_runs (org_id, automation_id, next_at, id) where state = 'active';
create index automation_runs_by_entry on app.automation_runs (org_id, automation_id, entered_at, id) where state <> 'outside';
create index automation_runs_by_person on app.automation_runs (org_id, person_id, entered_at);

create table app.automation_log (
  org_id uuid not null,
  run_id uuid not null,
  step text not null check (char_length(step) <= 20),
  automation_id uuid not null,
  kind text not null check (kind in ('entered', 'waited', 'held', 'mailed', 'skipped', 'tagged', 'untagged', 'assigned', 'exited', 'done', 'failed', 'stopped')),
  detail jsonb not null default '{}' check (jsonb_typeof(detail) = 'object' and octet_length(detail::text) <= 2000),
  at timestamptz not null default clock_timestamp(),
  primary key (org_id, run_id, step),
  foreign key (org_id, run_id) references app.automation_runs (org_id, id) on delete cascade,
  foreign key (org_id, automation_id) references app.automations (org_id, id) on delete cascade
);
comment on table app.automation_log is 'What each step did for each run, once: the key is run and step, with enter and end for its beginning and its end. Not in the audit log: it is a log itself';
comment on column app.automation_log.kind is 'held: a condition was met; skipped: nothing was done, and detail has the reason';
create index automation_log_by_step on app.automation_log (org_id, automation_id, step, kind);

create table app.follow_ups (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  person_id uuid not null,
  chapter_id uuid,
  account_id uuid,
  run_id uuid,
  title text not null check (char_length(title) between 1 and 120),
  note text not null default '' check (char_length(note) <= 1000),
  due_on date,
  done_at timestamptz,
  done_by uuid,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, person_id) references app.people (org_id, id) on delete cascade,
  foreign key (org_id, chapter_id) references app.chapters (org_id, id) on delete cascade,
  foreign key (org_id, account_id) references app.accounts (org_id, id) on delete set null (account_id),
  foreign key (org_id, done_by) references app.accounts (org_id, id) on delete set null (done_by),
  foreign key (org_id, run_id) references app.automation_runs (org_id, id) on delete set null (run_id)
);
comment on table app.follow_ups is 'What an officer is to do about a person, until it is done';
comment on column app.follow_ups.account_id is 'Whose it is; null is everybody who writes messages for its chapter';
create index follow_ups_by_person on app.follow_ups (org_id, person_id);
create index follow_ups_by_chapter on app.follow_ups (org_id, chapter_id);
create index follow_ups_by_account on app.follow_ups (org_id, account_id, due_on);
create index follow_ups_by_doer on app.follow_ups (org_id, done_by);
create index follow_ups_by_run on app.follow_ups (org_id, run_id);
create index follow_ups_open on app.follow_ups (org_id, due_on, id) where done_at is null;

-- What just happened is found without reading what ever happened.
create index membership_terms_by_settled on app.membership_terms (org_id, settled_on) where status = 'settled';
create index registrations_by_confirmed on app.registrations (org_id, confirmed_at) where person_id is not null and confirmed_at is not null;
create index registrations_by_check_in on app.registrations (org_id, checked_in_at) where person_id is not null and status = 'checked_in';
create index person_tags_by_day on app.person_tags (org_id, tag_id, created_at);

-- Who reads and changes them ------------------------------------------------------------------------------------------------------------

select app_private.protect('app.automations');
select app_private.protect('app.automation_runs');
select app_private.protect('app.automation_log');
select app_private.protect('app.follow_ups');
select app_private.keep_version('app.automations');
select app_private.keep_version('app.follow_ups');
select app_private.keep_audit('app.automations', 'messages.write', 'id');
select app_private.keep_audit('app.follow_ups', 'messages.write', 'person_id');
select app_private.kept_by_chapters('app.automations', 'messages.write', 'messages.write');
create policy automation_runs_read on app.automation_runs for select to app_access using (org_id = (select app.org_id())
  and exists (select from app.automations a where a.org_id = automation_runs.org_id and a.id = automation_runs.automation_id)
  and exists (select from app.people p where p.org_id = automation_runs.org_id and p.id = automation_runs.person_id));
create policy automation_log_read on app.automation_log for select to app_access using (org_id = (select app.org_id())
  and exists (select from app.automations a where a.org_id = automation_log.org_id and a.id = automation_log.automation_id));
create policy follow_ups_read on app.follow_ups for select to app_access using (org_id = (select app.org_id())
  and (account_id = (select app.account_id()) or (select app.everywhere('messages.write')) or chapter_id = any ((select app.scope('messages.write'))::uuid[])));
create policy follow_ups_change on app.follow_ups for update to app_access using (org_id = (select app.org_id())
  and (account_id = (select app.account_id()) or (select app.everywhere('messages.write')) or chapter_id = any ((select app.scope('messages.write'))::uuid[])))
  with check (org_id = (select app.org_id()) and (done_by is null or done_by = (select app.account_id())));
grant select, insert (org_id, id, chapter_id, name, description, recipe, trigger, who, steps, exits, reentry, created_by),
  update (name, description, trigger, who, steps, exits, reentry) on app.automations to app_access;
grant select on app.automation_runs, app.automation_log to app_access;
grant select, update (done_at, done_by) on app.follow_ups to app_access;
grant select, update on app.automations to app_definer;
grant select, insert, update, delete on app.automation_runs, app.automation_log, app.follow_ups to app_definer;
grant select on app.person_private to app_definer;

insert into app_private.person_references (tab) values ('automation_runs'), ('follow_ups');

create function app_private.automations_stay() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if (new.trigger, new.who, new.steps, new.exits, new.reentry) is distinct from (old.trigger, old.who, old.steps, old.exits, old.reentry) and old.status in ('active', 'archived') then
    raise exception 'pause the automation first' using errcode = '23P01', constraint = 'automation_stays';
  end if;
  if new.steps is distinct from old.steps then
    update app.automation_runs r set step = g.next from (
        select o.step ->> 'id' as id, (select l.step ->> 'id' from jsonb_array_elements(old.steps) with ordinality l (step, place)
            where l.place > o.place and exists (select from jsonb_array_elements(new.steps) n where n ->> 'id' = l.step ->> 'id') order by l.place limit 1) as next
          from jsonb_array_elements(old.steps) with ordinality o (step, place) where not exists (select from jsonb_array_elements(new.steps) n where n ->> 'id' = o.step ->> 'id')) g
      where r.org_id = new.org_id and r.automation_id = new.id and r.state = 'active' and r.step = g.id;
  end if;
  return new;
end $$;
comment on function app_private.automations_stay() is 'What an automation does stays as it is while it runs, and once it is archived. Who waits before a step that is taken out goes on with the next one';
create trigger automations_stay before update on app.automations for each row execute function app_private.automations_stay();

create function app_private.people_leave_automations() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from app.follow_ups f where f.org_id = new.org_id and f.person_id = new.id;
  delete from app.automation_runs r where r.org_id = new.org_id and r.person_id = new.id;
  return null;
end $$;
comment on function app_private.people_leave_automations() is 'Nothing is known any more of what automations did for somebody who was erased';
create trigger people_leave_automations after update of lifecycle on app.people for each row when (new.lifecycle = 'erased' and old.lifecycle <> 'erased')
  execute function app_private.people_leave_automations();

-- Whom it concerns ----------------------------------------------------------------------------------------------------------------------

create function app_private.automation_may(a app.automations, wanted text) returns boolean language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select a.id is not null and a.org_id = app.org_id() and (app.everywhere(wanted) or coalesce(a.chapter_id = any (app.scope(wanted)), false))
$$;
comment on function app_private.automation_may(app.automations, text) is 'Whether the actor holds a permission where an automation belongs';

create function app_private.automation_reaches(a app.automations, person uuid, today date) returns boolean language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select exists (select from app.people p where p.org_id = a.org_id and p.id = person and p.deleted_at is null and p.lifecycle not in ('deceased', 'merged', 'erased'))
    and (a.chapter_id is null or exists (select from app.affiliations f join app.chapter_ancestors n on n.org_id = f.org_id and n.chapter_id = f.chapter_id and n.ancestor_id = a.chapter_id
      where f.org_id = a.org_id and f.person_id = person and f.starts_on <= today and (f.ends_on is null or f.ends_on >= today)))
$$;
comment on function app_private.automation_reaches(app.automations, uuid, date) is 'Whether a person is there, and belongs to the chapter of the automation or one below it';

create function app_private.automation_occasions(a app.automations, since date, today date) returns table (person_id uuid, occasion text, subject_id uuid, term_ends_on date)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  org constant uuid := a.org_id;
  zone constant text := (select o.timezone from app.organisations o where o.org_id = org);
  began constant timestamptz := since::timestamp at time zone zone;
  wanted constant uuid := coalesce(a.trigger ->> 'eventId', a.trigger ->> 'tagId')::uuid;
  ahead constant int := coalesce((a.trigger ->> 'days')::int, 0);
begin
  case a.trigger ->> 'on'
    when 'joined' then
      return query select m.person_id, 'joined:' || m.id, m.id, t.ends_on from app.membership_terms t join app.memberships m on m.org_id = t.org_id and m.id = t.membership_id
        where t.org_id = org and t.status = 'settled' and t.settled_on between since and today and not t.imported and m.status in ('active', 'grace')
          and not exists (select from app.membership_terms x where x.org_id = org and x.membership_id = m.id and x.status = 'settled' and x.id < t.id);
    when 'renewal_due' then
      return query select s.person_id, concat_ws(':', 'renewal', s.membership_id, s.ends_on), s.membership_id, s.ends_on from app.membership_standings s
        join app.memberships m on m.org_id = s.org_id and m.id = s.membership_id and m.leaves_on is null
        where s.org_id = org and s.status = 'active' and s.ends_on between greatest(since + ahead, today) and today + ahead;
    when 'lapsed' then
      return query select s.person_id, concat_ws(':', 'lapsed', m.id, m.ends_on), m.id, m.ends_on from app.memberships m
        join app.membership_standings s on s.org_id = m.org_id and s.membership_id = m.id and s.person_id = m.person_id and s.status = 'lapsed'
        where m.org_id = org and m.status = 'lapsed' and m.ends_on between since - 400 and today and coalesce(m.grace_until, m.ends_on) + 1 between since and today;
    when 'registered' then
      return query select r.person_id, 'registered:' || r.id, r.id, null::date from app.registrations r join app.events e on e.org_id = r.org_id and e.id = r.event_id
        where r.org_id = org and r.person_id is not null and r.confirmed_at >= began and r.status in ('confirmed', 'checked_in') and (wanted is null or r.event_id = wanted)
          and (a.chapter_id is null or exists (select from app.chapter_ancestors n where n.org_id = org and n.ancestor_id = a.chapter_id and n.chapter_id = e.chapter_id));
    when 'attended' then
      return query select r.person_id, 'attended:' || r.id, r.id, null::date from app.registrations r join app.events e on e.org_id = r.org_id and e.id = r.event_id
        where r.org_id = org and r.person_id is not null and r.checked_in_at >= began and r.status = 'checked_in' and (wanted is null or r.event_id = wanted)
          and (a.chapter_id is null or exists (select from app.chapter_ancestors n where n.org_id = org and n.ancestor_id = a.chapter_id and n.chapter_id = e.chapter_id));
    when 'birthday' then
      -- Of today only: a greeting that comes late is worse than none. Who was born on 29 February has it on the 28th in other years.
      return query select v.person_id, 'birthday:' || extract(year from today), null::uuid, null::date from app.person_private v
        where v.org_id = org and (v.birthday = extract(month from today) * 100 + extract(day from today)
          or (v.birthday = 229 and extract(month from today) = 2 and extract(day from today) = 28 and extract(month from today + 1) = 3));
    when 'tag_added' then
      return query select g.person_id, concat_ws(':', 'tag', g.tag_id, (g.created_at at time zone zone)::date), g.tag_id, null::date from app.person_tags g
        where g.org_id = org and g.tag_id = wanted and g.created_at >= began;
    else
  end case;
end $$;
comment on function app_private.automation_occasions(app.automations, date, date) is 'What happened since a day that lets people enter an automation, whether or not they have';

create function app_private.automation_entrants(a app.automations, since date, most int) returns table (person_id uuid, occasion text, subject_id uuid, term_ends_on date)
  language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select o.person_id, o.occasion, o.subject_id, coalesce(o.term_ends_on, (select s.ends_on from app.membership_standings s where s.org_id = a.org_id and s.person_id = o.person_id))
    from app_private.automation_occasions(a, since, app_private.today_of(a.org_id)) o
    where not exists (select from app.automation_runs r where r.org_id = a.org_id and r.automation_id = a.id and r.person_id = o.person_id and r.occasion = o.occasion)
      and app_private.automation_reaches(a, o.person_id, app_private.today_of(a.org_id))
    order by o.person_id, o.occasion limit most
$$;
comment on function app_private.automation_entrants(app.automations, date, int) is 'Who is to be looked at for an automation: what happened to them has not been yet';

create function app_private.automation_entry_key(reentry text, occasion text, term_ends_on date) returns text language sql immutable as $$
  select case reentry when 'once' then 'once' when 'term' then 'term:' || coalesce(term_ends_on::text, 'none') else occasion end
$$;
comment on function app_private.automation_entry_key(text, text, date) is 'What may let a person enter an automation only once';

create function app.automation_entrants(automation uuid, since int) returns table (person_id uuid) language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare a app.automations;
begin
  select x.* into a from app.automations x where x.org_id = app.org_id() and x.id = automation;
  if not app_private.automation_may(a, 'messages.write') then return; end if;
  return query select distinct e.person_id from app_private.automation_entrants(a, app_private.today_of(a.org_id) - least(greatest(since, 0), 365), 20000) e
    where not exists (select from app.automation_runs r where r.org_id = a.org_id and r.automation_id = a.id and r.person_id = e.person_id
      and r.entry_key = app_private.automation_entry_key(a.reentry, e.occasion, e.term_ends_on));
end $$;
comment on function app.automation_entrants(uuid, int) is 'Whom today, or so many days before, lets enter an automation, apart from its filter; for those who write there';

-- What is done with it ------------------------------------------------------------------------------------------------------------------

create function app.move_automation(automation uuid, expected int, wanted text, since int default null, ends_runs boolean default false) returns boolean
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  a app.automations;
  today date;
begin
  select x.* into a from app.automations x where x.org_id = app.org_id() and x.id = automation for update;
  if not app_private.automation_may(a, case wanted when 'active' then 'messages.send' else 'messages.write' end) or a.version <> expected then return false; end if;
  if a.status = wanted or a.status = 'archived' or (wanted = 'paused' and a.status <> 'active') then
    raise exception 'not from this status' using errcode = '23P01', constraint = 'automation_status';
  end if;
  today := app_private.today_of(a.org_id);
  if wanted = 'archived' or ends_runs then
    insert into app.automation_log (org_id, run_id, step, automation_id, kind, detail)
      select r.org_id, r.id, 'end', r.automation_id, 'stopped', jsonb_build_object('rule', wanted) from app.automation_runs r where r.org_id = a.org_id and r.automation_id = a.id and r.state = 'active'
      on conflict do nothing;
    update app.automation_runs r set state = 'stopped', ended_by = wanted, ended_at = now(), next_at = null, waits = null where r.org_id = a.org_id and r.automation_id = a.id and r.state = 'active';
  end if;
  update app.automations x set status = wanted, pause_reason = case wanted when 'paused' then 'by_hand' end,
      activated_by = case wanted when 'active' then app.account_id() else x.activated_by end, activated_at = case wanted when 'active' then now() else x.activated_at end,
      enters_from = case wanted when 'active' then today - least(greatest(coalesce(since, 0), 0), 365) else x.enters_from end
    where x.org_id = a.org_id and x.id = a.id returning x.* into a;
  -- What happened earlier today is as much the past as what happened yesterday.
  if wanted = 'active' and since is null then
    insert into app.automation_runs (org_id, automation_id, person_id, occasion, subject_id, term_ends_on, state, ended_by, ended_at)
      select a.org_id, a.id, e.person_id, e.occasion, e.subject_id, e.term_ends_on, 'outside', 'before', now() from app_private.automation_entrants(a, today, 1000000) e on conflict do nothing;
  end if;
  return true;
end $$;
comment on function app.move_automation(uuid, int, text, int, boolean) is 'Activates, pauses or archives an automation. since lets enter also to whom it happened in so many days before; ends_runs ends who is in it. False when it is not there, another version, or not the actor''s';

create function app.stop_automation_run(run uuid) returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  r app.automation_runs;
  a app.automations;
begin
  select x.* into r from app.automation_runs x where x.org_id = app.org_id() and x.id = run for update;
  select x.* into a from app.automations x where x.org_id = r.org_id and x.id = r.automation_id;
  if r.id is null or r.state = 'outside' or not app_private.automation_may(a, 'messages.write') then return false; end if;
  if r.state <> 'active' then raise exception 'it has ended' using errcode = '23P01', constraint = 'automation_run_ended'; end if;
  insert into app.automation_log (org_id, run_id, step, automation_id, kind, detail) values (r.org_id, r.id, 'end', r.automation_id, 'stopped', jsonb_build_object('account', app.account_id()));
  update app.automation_runs x set state = 'stopped', ended_by = 'by_hand', ended_at = now(), next_at = null, waits = null where x.org_id = r.org_id and x.id = r.id;
  return true;
end $$;
comment on function app.stop_automation_run(uuid) is 'Ends a run for the person it is about; false when it is not there or not the actor''s';

-- For the worker ------------------------------------------------------------------------------------------------------------------------

create function app.automations_at_work() returns table (org uuid, automation uuid, account uuid, version int, zone text, definition jsonb)
  language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select a.org_id, a.id, a.activated_by, a.version, o.timezone, jsonb_build_object('trigger', a.trigger, 'who', a.who, 'steps', a.steps, 'exits', to_jsonb(a.exits), 'chapterId', a.chapter_id)
    from app.automations a join app.organisations o on o.org_id = a.org_id where a.status = 'active' order by a.org_id, a.id
$$;
comment on function app.automations_at_work() is 'Active automations of all organisations';

create function app.automation_sends(automation uuid) returns boolean language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce((select app_private.automation_may(x, 'messages.send') from app.automations x where x.org_id = app.org_id() and x.id = automation), false)
$$;
comment on function app.automation_sends(uuid) is 'Whether the actor may still send where an automation belongs';

create function app.halt_automation(org uuid, automation uuid, why text) returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
  update app.automations a set status = 'paused', pause_reason = why where a.org_id = org and a.id = automation and a.status = 'active'
$$;
comment on function app.halt_automation(uuid, uuid, text) is 'Pauses an automation that cannot go on: whoever activated it may no longer send, or its filter names what is gone';

create function app.find_entrants(org uuid, automation uuid, most int) returns table (person_id uuid, occasion text, subject_id uuid, term_ends_on date)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare a app.automations;
begin
  select x.* into a from app.automations x where x.org_id = org and x.id = automation and x.status = 'active';
  if a.id is null then return; end if;
  -- What was let enter by asking for it has a week to be worked through; afterwards nothing older than a week is looked at.
  return query select * from app_private.automation_entrants(a, case when a.activated_at > now() - interval '7 days' then a.enters_from
    else greatest(a.enters_from, app_private.today_of(org) - 7) end, most);
end $$;
comment on function app.find_entrants(uuid, uuid, int) is 'To whom something happened that has not been looked at for this automation';

create function app.enter_automation(org uuid, automation uuid, looked jsonb) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  a app.automations;
  entered int;
begin
  select x.* into a from app.automations x where x.org_id = org and x.id = automation and x.status = 'active' for share;
  if a.id is null then return 0; end if;
  with added as (
    insert into app.automation_runs (org_id, automation_id, person_id, occasion, entry_key, subject_id, term_ends_on, state, step, next_at, ended_by, ended_at)
      select org, a.id, f."personId", f.occasion, case when f.meant then app_private.automation_entry_key(a.reentry, f.occasion, f."termEndsOn") end, f."subjectId", f."termEndsOn",
          case when f.meant then 'active' else 'outside' end, case when f.meant then a.steps -> 0 ->> 'id' end, case when f.meant then now() end,
          case when not f.meant then 'filter' end, case when not f.meant then now() end
        from jsonb_to_recordset(looked) f ("personId" uuid, occasion text, "subjectId" uuid, "termEndsOn" date, meant boolean)
        where app_private.automation_reaches(a, f."personId", app_private.today_of(org))
        on conflict do nothing
      returning id, state),
  told as (
    insert into app.automation_log (org_id, run_id, step, automation_id, kind) select org, r.id, 'enter', a.id, 'entered' from added r where r.state = 'active' returning run_id)
  select count(*)::int into entered from told;
  -- Who has been in it as often as they may is not asked again about the same occasion.
  insert into app.automation_runs (org_id, automation_id, person_id, occasion, subject_id, term_ends_on, state, ended_by, ended_at)
    select org, a.id, f."personId", f.occasion, f."subjectId", f."termEndsOn", 'outside', 'again', now()
      from jsonb_to_recordset(looked) f ("personId" uuid, occasion text, "subjectId" uuid, "termEndsOn" date)
      where exists (select from app.automation_runs r where r.org_id = org and r.automation_id = a.id and r.person_id = f."personId") on conflict do nothing;
  return entered;
end $$;
comment on function app.enter_automation(uuid, uuid, jsonb) is 'Lets people enter, each once as the automation says, and remembers those whom its filter leaves out. How many entered';

create function app.due_runs(org uuid, automation uuid, most int) returns table (run_id uuid, person_id uuid, step text) language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select r.id, r.person_id, r.step from app.automation_runs r join app.automations a on a.org_id = r.org_id and a.id = r.automation_id and a.status = 'active'
    where r.org_id = org and r.automation_id = automation and r.state = 'active' and r.next_at <= now() order by r.next_at, r.id limit most
$$;
comment on function app.due_runs(uuid, uuid, int) is 'Runs whose next step is due';

create function app_private.automation_topics(a app.automations) returns uuid[] language sql immutable as $$
  select coalesce(array_agg(distinct (s ->> 'topicId')::uuid) filter (where s ->> 'topicId' is not null), '{}') from jsonb_array_elements(a.steps) s where s ->> 'kind' = 'mail'
$$;
comment on function app_private.automation_topics(app.automations) is 'What the mails of an automation are about';

create function app_private.has_unsubscribed(a app.automations, person uuid) returns boolean language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select exists (select from app.mail_preferences m where m.org_id = a.org_id and m.person_id = person and m.opted_out_at is not null)
    or exists (select from app.consents c where c.org_id = a.org_id and c.person_id = person and c.topic_id = any (app_private.automation_topics(a)) and c.state = 'unsubscribed')
    or coalesce((select p.do_not_contact from app.people p where p.org_id = a.org_id and p.id = person), false)
$$;
comment on function app_private.has_unsubscribed(app.automations, uuid) is 'Whether a person wants no mail of an automation any more';

create function app.lock_runs(org uuid, automation uuid, runs uuid[]) returns table (run_id uuid, person_id uuid, step text, version int, facts jsonb)
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare a app.automations;
begin
  select x.* into a from app.automations x where x.org_id = org and x.id = automation and x.status = 'active' for share;
  if a.id is null then return; end if;
  return query with mine as materialized (
      select x.* from app.automation_runs x where x.org_id = org and x.automation_id = a.id and x.id = any (runs) and x.state = 'active' and x.next_at <= now() order by x.id for update skip locked)
    select r.id, r.person_id, r.step, a.version, jsonb_build_object(
        'reached', app_private.automation_reaches(a, r.person_id, app_private.today_of(org)),
        'isMember', coalesce(s.status in ('active', 'grace'), false),
        'renewed', case a.trigger ->> 'on' when 'lapsed' then coalesce(s.status in ('active', 'grace'), false)
          else r.term_ends_on is not null and s.status in ('active', 'grace') and (s.ends_on is null or s.ends_on > r.term_ends_on) end,
        'unsubscribed', app_private.has_unsubscribed(a, r.person_id),
        'left', coalesce(p.lifecycle = 'former' or s.status = 'cancelled', false),
        'cancelled', (a.trigger ->> 'on' in ('registered', 'attended')) and not exists (select from app.registrations g where g.org_id = org and g.id = r.subject_id and g.status in ('confirmed', 'checked_in')),
        'tag_removed', (a.trigger ->> 'on' = 'tag_added') and not exists (select from app.person_tags g where g.org_id = org and g.person_id = r.person_id and g.tag_id = r.subject_id))
      from mine r join app.people p on p.org_id = r.org_id and p.id = r.person_id left join app.membership_standings s on s.org_id = r.org_id and s.person_id = r.person_id;
end $$;
comment on function app.lock_runs(uuid, uuid, uuid[]) is 'Runs that are due, held until the transaction ends, with what decides about them as it is now. What another worker holds is left out';

create function app_private.automation_mail(a app.automations, r app.automation_runs, s jsonb) returns jsonb language sql security definer set search_path = pg_catalog, pg_temp as $$
  select jsonb_build_object('kind', 'skipped', 'reason', 'not_ready')
$$;
comment on function app_private.automation_mail(app.automations, app.automation_runs, jsonb) is 'Writes the mail of a step to the person of a run, and says what became of it';

create function app_private.automation_task(a app.automations, r app.automation_runs, s jsonb, note jsonb) returns jsonb language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  place constant uuid := coalesce(a.chapter_id, (select p.home_chapter_id from app.people p where p.org_id = r.org_id and p.id = r.person_id));
  assignee constant uuid := (select c.id from app.accounts c where c.org_id = r.org_id and c.person_id = (s ->> 'assigneeId')::uuid and c.status = 'active' limit 1);
  due constant date := app_private.today_of(r.org_id) + coalesce((s ->> 'dueDays')::int, 0);
  added uuid;
begin
  insert into app.follow_ups (org_id, person_id, chapter_id, account_id, run_id, title, note, due_on)
    values (r.org_id, r.person_id, place, assignee, r.id, s ->> 'title', coalesce(s ->> 'note', ''), due) returning id into added;
  perform app_private.tell(r.org_id, null, case when assignee is null then app_private.deciders_of(r.org_id, r.person_id, place, 'messages.write') else array[assignee] end,
    note || jsonb_build_object('person', r.person_id, 'record', added, 'params', jsonb_build_object('title', s ->> 'title', 'on', due), 'dedupe_key', 'follow-up:' || added));
  return jsonb_build_object('kind', 'assigned', 'followUp', added);
end $$;
comment on function app_private.automation_task(app.automations, app.automation_runs, jsonb, jsonb) is 'Adds what an officer is to do, and tells them; without an assignee those who write messages for the chapter of the person';

create function app_private.automation_tag(r app.automation_runs, s jsonb) returns jsonb language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare wanted constant uuid := (s ->> 'tagId')::uuid;
begin
  if not exists (select from app.tags t where t.org_id = r.org_id and t.id = wanted) then return jsonb_build_object('kind', 'skipped', 'reason', 'tag_gone'); end if;
  if s ->> 'does' = 'remove' then
    delete from app.person_tags t where t.org_id = r.org_id and t.person_id = r.person_id and t.tag_id = wanted;
    return jsonb_build_object('kind', 'untagged');
  end if;
  insert into app.person_tags (org_id, person_id, tag_id) select r.org_id, r.person_id, wanted
    where not exists (select from app.person_tags t where t.org_id = r.org_id and t.person_id = r.person_id and t.tag_id = wanted) on conflict do nothing;
  return jsonb_build_object('kind', 'tagged');
end $$;
comment on function app_private.automation_tag(app.automation_runs, jsonb) is 'Lets the person of a run carry a tag, or not any more';

create function app.step_runs(org uuid, automation uuid, moves jsonb, note jsonb) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  a app.automations;
  r app.automation_runs;
  m jsonb;
  s jsonb;
  told jsonb;
  made int := 0;
begin
  select x.* into a from app.automations x where x.org_id = org and x.id = automation and x.status = 'active' for share;
  for m in select value from jsonb_array_elements(moves) where a.id is not null loop
    select x.* into r from app.automation_runs x where x.org_id = org and x.automation_id = a.id and x.id = (m ->> 'run')::uuid and x.state = 'active'
      and x.step is not distinct from m ->> 'from' and x.next_at <= now() for update;
    continue when r.id is null;
    begin
      -- Steps that were moved while the automation was paused are done once all the same.
      if m ->> 'does' is not null and not exists (select from app.automation_log l where l.org_id = org and l.run_id = r.id and l.step = m ->> 'from') then
        s := (select e from jsonb_array_elements(a.steps) e where e ->> 'id' = m ->> 'from');
        told := case m ->> 'does' when 'mail' then app_private.automation_mail(a, r, s) when 'tag' then app_private.automation_tag(r, s)
          when 'task' then app_private.automation_task(a, r, s, note) else jsonb_build_object('kind', m ->> 'does') || coalesce(m -> 'detail', '{}') end;
        -- Done once: a second line about the same step of the same run breaks the key, and takes its effect with it.
        insert into app.automation_log (org_id, run_id, step, automation_id, kind, detail) values (org, r.id, m ->> 'from', a.id, told ->> 'kind', told - 'kind');
      end if;
      if m ->> 'end' is not null then
        insert into app.automation_log (org_id, run_id, step, automation_id, kind, detail)
          values (org, r.id, 'end', a.id, m ->> 'end', jsonb_strip_nulls(jsonb_build_object('rule', m ->> 'rule')));
      end if;
      update app.automation_runs x set step = m ->> 'next', waits = m ->> 'waits', next_at = case when m ->> 'end' is null then coalesce((m ->> 'at')::timestamptz, now()) end,
          state = coalesce(m ->> 'end', 'active'), ended_by = m ->> 'rule', ended_at = case when m ->> 'end' is not null then now() end
        where x.org_id = org and x.id = r.id;
      made := made + 1;
    exception when others then
      insert into app.automation_log (org_id, run_id, step, automation_id, kind, detail)
        values (org, r.id, 'end', a.id, 'failed', jsonb_build_object('rule', sqlstate, 'step', m ->> 'from')) on conflict do nothing;
      update app.automation_runs x set state = 'failed', ended_by = sqlstate, ended_at = now(), next_at = null, waits = null where x.org_id = org and x.id = r.id;
    end;
  end loop;
  return made;
end $$;
comment on function app.step_runs(uuid, uuid, jsonb, jsonb) is 'Takes steps of runs, each with its effect and its line of the log or not at all. note says how the kind of a task is told. How many were taken';

create function app.purge_automation_runs() returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare gone int;
begin
  delete from app.automation_runs r where (r.state = 'outside' and r.entered_at < now() - interval '400 days') or (r.state <> 'active' and r.ended_at < now() - interval '3 years');
  get diagnostics gone = row_count;
  return gone;
end $$;
comment on function app.purge_automation_runs() is 'Forgets runs that ended three years ago, and after a year those who were left out';

select app_private.own_definers();
grant execute on function app_private.automation_may(app.automations, text), app_private.automation_reaches(app.automations, uuid, date), app_private.automation_occasions(app.automations, date, date),
  app_private.automation_entrants(app.automations, date, int), app_private.automation_entry_key(text, text, date), app_private.automation_topics(app.automations),
  app_private.has_unsubscribed(app.automations, uuid), app_private.automation_mail(app.automations, app.automation_runs, jsonb),
  app_private.automation_task(app.automations, app.automation_runs, jsonb, jsonb), app_private.automation_tag(app.automation_runs, jsonb) to app_definer;
grant execute on function app.automation_entrants(uuid, int), app.move_automation(uuid, int, text, int, boolean), app.stop_automation_run(uuid), app.automation_sends(uuid) to app_access;
grant execute on function app.automations_at_work(), app.halt_automation(uuid, uuid, text), app.find_entrants(uuid, uuid, int), app.enter_automation(uuid, uuid, jsonb),
  app.due_runs(uuid, uuid, int), app.lock_runs(uuid, uuid, uuid[]), app.step_runs(uuid, uuid, jsonb, jsonb), app.purge_automation_runs() to app_worker;
do $$
begin
  if not exists (select from pg_policies where policyname = 'audit_entries_messages_write') then perform app_private.share_history('messages.write'); end if;
end $$;
