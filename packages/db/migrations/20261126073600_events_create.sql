-- Events: what, when, where and for whom; their programme, tickets, promo codes, questions and staff.

select app_private.add_permission('events.read', 'org-owner', 'org-admin', 'chapter-admin', 'event-manager', 'finance', 'communications', 'member');
select app_private.add_permission('events.manage', 'org-owner', 'org-admin', 'chapter-admin', 'event-manager', 'group-leader');
select app_private.add_permission('events.publish', 'org-owner', 'org-admin', 'chapter-admin', 'event-manager');
select app_private.add_permission('events.checkin', 'org-owner', 'org-admin', 'chapter-admin', 'event-manager', 'group-leader');

create table app.event_series (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  rule text not null check (char_length(rule) between 1 and 300),
  timezone text not null check (char_length(timezone) between 1 and 60),
  starts_local timestamp not null,
  until_on date not null,
  created_by uuid,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  check (until_on between starts_local::date and starts_local::date + 731)
);
comment on table app.event_series is 'How a series of events repeats. Each date is an event of its own. Not in the audit log: the events have entries of their own';
comment on column app.event_series.rule is 'Recurrence rule of RFC 5545, without DTSTART and UNTIL';

create table app.events (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  chapter_id uuid,
  group_id uuid,
  title text not null check (char_length(title) between 1 and 150),
  summary text not null default '' check (char_length(summary) <= 300),
  description jsonb not null default '{"type": "doc", "content": []}',
  status text not null default 'draft' check (status in ('draft', 'published', 'cancelled', 'archived')),
  kind text not null default 'other' check (kind in ('meeting', 'social', 'training', 'conference', 'fundraiser', 'service', 'other')),
  template_name text check (char_length(template_name) between 1 and 100),
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  timezone text not null check (char_length(timezone) between 1 and 60),
  starts_local timestamp not null generated always as (starts_at at time zone timezone) stored,
  ends_local timestamp not null generated always as (ends_at at time zone timezone) stored,
  mode text not null default 'in_person' check (mode in ('in_person', 'online', 'hybrid')),
  venue_name text not null default '' check (char_length(venue_name) <= 150),
  venue_address text not null default '' check (char_length(venue_address) <= 500),
  venue_latitude double precision check (venue_latitude between -90 and 90),
  venue_longitude double precision check (venue_longitude between -180 and 180),
  capacity int check (capacity between 1 and 1000000),
  visibility text not null default 'members' check (visibility in ('public', 'unlisted', 'members', 'chapter', 'group', 'invite')),
  needs_approval boolean not null default false,
  waiting_list boolean not null default true,
  offer_minutes int not null default 1440 check (offer_minutes between 10 and 20160),
  guests_per_person int not null default 0 check (guests_per_person between 0 and 20),
  shows_attendees boolean not null default false,
  registration_opens_at timestamptz,
  registration_closes_at timestamptz,
  cancel_until timestamptz,
  cover_file_id uuid,
  series_id uuid,
  series_exception boolean not null default false,
  records_attendance boolean not null default false,
  cancel_reason text not null default '' check (char_length(cancel_reason) <= 500),
  sequence int not null default 0,
  published_at timestamptz,
  cancelled_at timestamptz,
  archived_at timestamptz,
  sort_name text collate "C" not null generated always as (app.fold(title)) stored,
  search text collate "C" not null generated always as (app.fold(title || ' ' || summary || ' ' || venue_name)) stored,
  created_by uuid,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, chapter_id) references app.chapters (org_id, id),
  foreign key (org_id, group_id) references app.groups (org_id, id),
  foreign key (org_id, cover_file_id) references app.files (org_id, id) on delete set null (cover_file_id),
  foreign key (org_id, series_id) references app.event_series (org_id, id),
  constraint event_ends check (ends_at > starts_at),
  constraint event_length check (ends_at <= starts_at + interval '31 days'),
  constraint event_registration_closes check (registration_closes_at <= ends_at),
  constraint event_registration_opens check (registration_opens_at < registration_closes_at),
  constraint event_cancel_until check (cancel_until <= ends_at),
  constraint event_visibility_chapter check (visibility <> 'chapter' or chapter_id is not null),
  constraint event_visibility_group check (visibility <> 'group' or group_id is not null),
  check ((venue_latitude is null) = (venue_longitude is null)),
  check (app.formatted_text(description, 50000)),
  check (status not in ('published', 'cancelled') or published_at is not null),
  check ((status = 'archived') = (archived_at is not null)),
  check (status <> 'cancelled' or cancelled_at is not null),
  check (template_name is null or status in ('draft', 'archived'))
);
comment on table app.events is 'Events of the organisation, a chapter or a group';
comment on column app.events.chapter_id is 'The chapter that owns it; null for the whole organisation. Of an event of a group, the chapter of the group';
comment on column app.events.starts_local is 'What clocks in its time zone show';
comment on column app.events.template_name is 'A template to copy events from, under this name; never listed as an event';
comment on column app.events.visibility is 'public: everybody; unlisted: everybody with the link; members: all members; chapter: people of its chapter and the chapters below; group: its group; invite: whoever is invited';
comment on column app.events.offer_minutes is 'How long a seat is offered to somebody from the waiting list';
comment on column app.events.registration_closes_at is 'When registration closes; at the start unless stated';
comment on column app.events.cancel_until is 'Until when people cancel by themselves; until the start unless stated';
comment on column app.events.records_attendance is 'Entered afterwards, to record who came';
comment on column app.events.sequence is 'Raised by every change that calendars must take over (SEQUENCE of RFC 5545)';
create index events_by_start on app.events (org_id, starts_at, id);
create index events_by_day on app.events (org_id, starts_local, id);
create index events_by_title on app.events (org_id, sort_name, id);
create index events_by_created on app.events (org_id, created_at, id);
create index events_by_chapter on app.events (org_id, chapter_id, starts_at);
create index events_by_group on app.events (org_id, group_id, starts_at);
create index events_by_series on app.events (org_id, series_id, starts_at);
create index events_by_cover on app.events (org_id, cover_file_id);
create index events_templates on app.events (org_id, lower(template_name), id) where template_name is not null;

-- Where somebody may do what --------------------------------------------------------------------------------------------------------

create table app.event_staff (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  event_id uuid not null,
  person_id uuid not null,
  role text not null check (role in ('manager', 'checkin', 'speaker', 'host')),
  created_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, event_id, person_id, role),
  foreign key (org_id, event_id) references app.events (org_id, id) on delete cascade,
  foreign key (org_id, person_id) references app.people (org_id, id) on delete cascade
);
comment on table app.event_staff is 'Who runs an event: managers may do everything with it, check-in staff check people in';
create index event_staff_by_person on app.event_staff (org_id, person_id, role);

create table app.event_invitations (
  org_id uuid not null references app.organisations on delete cascade,
  event_id uuid not null,
  person_id uuid not null,
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (org_id, event_id, person_id),
  foreign key (org_id, event_id) references app.events (org_id, id) on delete cascade,
  foreign key (org_id, person_id) references app.people (org_id, id) on delete cascade
);
comment on table app.event_invitations is 'Who sees an event that is by invitation. Not in the audit log: up to 1,000 people are invited at once, and each row says who did it and when';
create index event_invitations_by_person on app.event_invitations (org_id, person_id);

create function app.event_scope(wanted text) returns uuid[] language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid := app.org_id();
  me uuid := app.person_id();
begin
  if org is null then return '{}'; end if;
  return app.record_scope('event', wanted) || (select coalesce(array_agg(distinct s.event_id), '{}') from app.event_staff s
    where s.org_id = org and s.person_id = me and (wanted = 'events.read' or (s.role = 'manager' and wanted in ('events.manage', 'events.publish', 'events.checkin'))
      or (s.role = 'checkin' and wanted = 'events.checkin')));
end $$;
comment on function app.event_scope(text) is 'Events in which the actor holds a permission: by a grant for the event, or as its staff';

create function app.my_events() returns uuid[] language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return (select coalesce(array_agg(i.event_id), '{}') from app.event_invitations i where i.org_id = (select app.org_id()) and i.person_id = (select app.person_id()));
end $$;
comment on function app.my_events() is 'Events that the actor is invited to';

create function app.my_event_chapters() returns uuid[] language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return (select coalesce(array_agg(distinct n.ancestor_id), '{}') from app.affiliations a
    join app.chapter_ancestors n on n.org_id = a.org_id and n.chapter_id = a.chapter_id
    where a.org_id = (select app.org_id()) and a.person_id = (select app.person_id()) and a.kind in ('member', 'alumni', 'advisor', 'friend')
      and a.starts_on <= (select app.today()) and (a.ends_on is null or a.ends_on >= (select app.today())));
end $$;
comment on function app.my_event_chapters() is 'Chapters whose events the actor sees as one of their people: their own and those above';

select app_private.protect('app.events');
select app_private.keep_version('app.events');
select app_private.keep_search('app.events');
select app_private.keep_audit('app.events', 'events.manage', 'id');
select app_private.hide_in_audit('app.events', 'description', 'starts_local', 'ends_local', 'sequence');
select app_private.share_history('events.manage', 'event');
select app_private.scoped_by('app.events', 'event');
select app_private.protect('app.event_series');
select app_private.keep_version('app.event_series');
select app_private.protect('app.event_staff');
select app_private.keep_audit('app.event_staff', 'events.manage', 'event_id');
select app_private.protect('app.event_invitations');

do $policies$
declare
  within constant text := '((select app.everywhere(%1$L)) or chapter_id = any ((select app.scope(%1$L))::uuid[]) or group_id = any ((select app.group_scope(%1$L))::uuid[]) or id = any ((select app.event_scope(%1$L))::uuid[]))';
  manages constant text := format(within, 'events.manage');
begin
  execute format($p$create policy events_read on app.events for select to app_access using (org_id = (select app.org_id()) and (
      %s or id = any ((select app.event_scope('events.checkin'))::uuid[])
      or (status <> 'draft' and (id = any ((select app.event_scope('events.read'))::uuid[]) or id = any ((select app.my_events())::uuid[])))
      or (status in ('published', 'cancelled') and (visibility in ('public', 'unlisted')
        or (visibility = 'members' and ((select app.everywhere('events.read')) or chapter_id = any ((select app.scope('events.read'))::uuid[])))
        or (visibility = 'chapter' and chapter_id = any ((select app.my_event_chapters())::uuid[]))
        or (visibility = 'group' and group_id = any ((select app.my_rosters())::uuid[]))))))$p$, manages);
  execute format('create policy events_add on app.events for insert to app_access with check (org_id = (select app.org_id()) and created_by = (select app.account_id()) and status = ''draft'' and %s)', manages);
  execute format('create policy events_change on app.events for update to app_access using (org_id = (select app.org_id()) and %1$s) with check (org_id = (select app.org_id()) and %1$s)', manages);
end $policies$;
grant select, insert (org_id, chapter_id, group_id, title, summary, description, kind, template_name, starts_at, ends_at, timezone, mode, venue_name, venue_address,
    venue_latitude, venue_longitude, capacity, visibility, needs_approval, waiting_list, offer_minutes, guests_per_person, shows_attendees, registration_opens_at,
    registration_closes_at, cancel_until, cover_file_id, series_id, series_exception, records_attendance, created_by),
  update (chapter_id, group_id, title, summary, description, status, kind, template_name, starts_at, ends_at, timezone, mode, venue_name, venue_address,
    venue_latitude, venue_longitude, capacity, visibility, needs_approval, waiting_list, offer_minutes, guests_per_person, shows_attendees, registration_opens_at,
    registration_closes_at, cancel_until, cover_file_id, series_id, series_exception, records_attendance, cancel_reason, updated_at) on app.events to app_access;
grant select, update on app.events to app_definer;
grant select on app.event_series, app.event_staff, app.event_invitations to app_definer;
select app_private.register_record('event', 'app.events', 'events.manage', manage => 'events.manage', closed => 'r.archived_at is not null');

-- What hangs on an event ------------------------------------------------------------------------------------------------------------

create table app.event_links (
  org_id uuid not null references app.organisations on delete cascade,
  event_id uuid not null,
  url text not null check (char_length(url) between 8 and 1000),
  note text not null default '' check (char_length(note) <= 500),
  primary key (org_id, event_id),
  foreign key (org_id, event_id) references app.events (org_id, id) on delete cascade
);
comment on table app.event_links is 'Where an online event takes place; only registered people and its staff see it. Not in the audit log: whoever reads the log need not be registered';

create table app.event_programme (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  event_id uuid not null,
  place int not null check (place between 1 and 200),
  title text not null check (char_length(title) between 1 and 150),
  starts_at timestamptz not null,
  ends_at timestamptz,
  room text not null default '' check (char_length(room) <= 100),
  speaker text not null default '' check (char_length(speaker) <= 200),
  about text not null default '' check (char_length(about) <= 2000),
  primary key (org_id, id),
  unique (org_id, event_id, place) deferrable initially deferred,
  foreign key (org_id, event_id) references app.events (org_id, id) on delete cascade,
  check (ends_at > starts_at)
);
comment on table app.event_programme is 'What happens when at an event';

create table app.event_ticket_types (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  event_id uuid not null,
  place int not null check (place between 1 and 50),
  name text not null check (char_length(name) between 1 and 100),
  description text not null default '' check (char_length(description) <= 500),
  member_price_amount bigint,
  quota int check (quota between 1 and 1000000),
  audience text not null default 'everyone' check (audience in ('everyone', 'members', 'chapter', 'staff')),
  sells_from timestamptz,
  sells_until timestamptz,
  min_per_order int not null default 1 check (min_per_order between 1 and 20),
  max_per_order int not null default 1 check (max_per_order between 1 and 50),
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, event_id) references app.events (org_id, id) on delete cascade,
  constraint ticket_sale check (sells_from < sells_until),
  constraint ticket_order check (min_per_order <= max_per_order)
);
select app_private.add_money('app.event_ticket_types', 'price', 0);
alter table app.event_ticket_types add constraint ticket_member_price check (member_price_amount between 0 and price_amount);
comment on table app.event_ticket_types is 'Tickets of an event with their price and how many there are';
comment on column app.event_ticket_types.member_price_amount is 'What somebody pays who holds a membership on that day; the price unless stated';
comment on column app.event_ticket_types.audience is 'Who may take one; staff: only those who manage the event give them out';
create index event_ticket_types_by_event on app.event_ticket_types (org_id, event_id, place);

create table app.event_promo_codes (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  event_id uuid not null,
  code text not null check (code ~ '^[A-Z0-9][A-Z0-9-]{1,38}[A-Z0-9]$'),
  ticket_type_id uuid,
  percent int check (percent between 1 and 100),
  amount bigint check (amount between 1 and 100000000000),
  uses_limit int check (uses_limit between 1 and 1000000),
  valid_from timestamptz,
  valid_until timestamptz,
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, event_id) references app.events (org_id, id) on delete cascade,
  foreign key (org_id, ticket_type_id) references app.event_ticket_types (org_id, id) on delete cascade,
  check (num_nonnulls(percent, amount) = 1),
  constraint promo_window check (valid_from < valid_until)
);
comment on table app.event_promo_codes is 'Codes that lower the price of a ticket, of all types or of one';
create unique index event_promo_codes_once on app.event_promo_codes (org_id, event_id, code) where archived_at is null;
create index event_promo_codes_by_event on app.event_promo_codes (org_id, event_id);
create index event_promo_codes_by_ticket on app.event_promo_codes (org_id, ticket_type_id);

create table app.event_questions (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  event_id uuid not null,
  place int not null check (place between 1 and 50),
  text text not null check (char_length(text) between 1 and 300),
  kind text not null default 'line' check (kind in ('line', 'lines', 'choice', 'choices', 'flag')),
  required boolean not null default false,
  options text[] not null default '{}' check (cardinality(options) <= 30),
  of_guests boolean not null default false,
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, event_id) references app.events (org_id, id) on delete cascade,
  check ((kind in ('choice', 'choices')) = (cardinality(options) > 0))
);
comment on table app.event_questions is 'What people are asked when they register; a question that was removed stays for the answers there are';
create index event_questions_by_event on app.event_questions (org_id, event_id, place);

create table app.event_counts (
  org_id uuid not null references app.organisations on delete cascade,
  event_id uuid not null,
  taken int not null default 0 check (taken >= 0),
  confirmed int not null default 0 check (confirmed >= 0),
  checked_in int not null default 0 check (checked_in >= 0),
  pending_payment int not null default 0 check (pending_payment >= 0),
  pending_approval int not null default 0 check (pending_approval >= 0),
  offered int not null default 0 check (offered >= 0),
  waiting int not null default 0 check (waiting >= 0),
  cancelled int not null default 0 check (cancelled >= 0),
  last_entry int not null default 0,
  primary key (org_id, event_id),
  foreign key (org_id, event_id) references app.events (org_id, id) on delete cascade,
  check (taken = confirmed + checked_in + pending_payment + offered)
);
comment on table app.event_counts is 'How many seats of an event are taken, by registrations in each status. Whoever changes registrations of the event locks this row first. Not in the audit log: the capacity ledger says line by line why it changed';
comment on column app.event_counts.last_entry is 'Number of the newest line of the event''s capacity ledger';
create table app.event_ticket_counts (
  org_id uuid not null references app.organisations on delete cascade,
  ticket_type_id uuid not null,
  event_id uuid not null,
  taken int not null default 0 check (taken >= 0),
  primary key (org_id, ticket_type_id),
  foreign key (org_id, ticket_type_id) references app.event_ticket_types (org_id, id) on delete cascade,
  foreign key (org_id, event_id) references app.events (org_id, id) on delete cascade
);
comment on table app.event_ticket_counts is 'How many tickets of a type are taken. Not in the audit log: the capacity ledger says line by line why it changed';
create index event_ticket_counts_by_event on app.event_ticket_counts (org_id, event_id);

do $policies$
declare
  seen constant text := 'org_id = (select app.org_id()) and exists (select from app.events e where e.org_id = %1$I.org_id and e.id = %1$I.event_id)';
  -- Locked as it would be for a change, the event is found only if its own policies allow one.
  kept constant text := 'org_id = (select app.org_id()) and exists (select from app.events e where e.org_id = %1$I.org_id and e.id = %1$I.event_id for key share)';
  managed constant text := 'org_id = (select app.org_id()) and exists (select from app.events e where e.org_id = %1$I.org_id and e.id = %1$I.event_id
    and ((select app.everywhere(''events.manage'')) or e.chapter_id = any ((select app.scope(''events.manage''))::uuid[]) or e.group_id = any ((select app.group_scope(''events.manage''))::uuid[])
      or e.id = any ((select app.event_scope(''events.manage''))::uuid[])))';
  tab text;
begin
  foreach tab in array array['event_staff', 'event_invitations', 'event_links', 'event_programme', 'event_ticket_types', 'event_promo_codes', 'event_questions'] loop
    if not (select c.relrowsecurity from pg_class c where c.oid = format('app.%I', tab)::regclass) then perform app_private.protect(format('app.%I', tab)::regclass); end if;
    execute format('create policy %I on app.%I for select to app_access using (%s)', tab || '_read', tab,
      format(case when tab in ('event_promo_codes', 'event_invitations', 'event_links') then managed else seen end, tab));
    execute format('create policy %I on app.%I for insert to app_access with check (%s)', tab || '_add', tab, format(kept, tab));
    execute format('create policy %I on app.%I for delete to app_access using (%s)', tab || '_remove', tab, format(kept, tab));
    if tab not in ('event_staff', 'event_invitations') then
      execute format('create policy %I on app.%I for update to app_access using (%3$s) with check (%3$s)', tab || '_change', tab, format(kept, tab));
    end if;
  end loop;
  foreach tab in array array['event_counts', 'event_ticket_counts'] loop
    perform app_private.protect(format('app.%I', tab)::regclass);
    execute format('create policy %I on app.%I for select to app_access using (%s)', tab || '_read', tab, format(seen, tab));
    execute format('grant select on app.%I to app_access', tab);
    execute format('grant select, insert, update on app.%I to app_definer', tab);
  end loop;
end $policies$;
create policy event_series_read on app.event_series for select to app_access using (org_id = (select app.org_id())
  and exists (select from app.events e where e.org_id = event_series.org_id and e.series_id = event_series.id));
grant select on app.event_series to app_access;
select app_private.keep_audit('app.event_programme', 'events.manage', 'event_id');
select app_private.keep_audit('app.event_ticket_types', 'events.manage', 'event_id');
select app_private.keep_audit('app.event_promo_codes', 'events.manage', 'event_id');
select app_private.keep_audit('app.event_questions', 'events.manage', 'event_id');
grant select, delete, insert (org_id, event_id, person_id, role) on app.event_staff to app_access;
grant select, delete, insert (org_id, event_id, person_id, created_by) on app.event_invitations to app_access;
grant select, delete, insert (org_id, event_id, url, note), update (url, note) on app.event_links to app_access;
grant select, delete, insert (org_id, event_id, id, place, title, starts_at, ends_at, room, speaker, about),
  update (place, title, starts_at, ends_at, room, speaker, about) on app.event_programme to app_access;
grant select, delete, insert (org_id, event_id, id, place, name, description, price_amount, price_currency, member_price_amount, quota, audience, sells_from, sells_until, min_per_order, max_per_order),
  update (place, name, description, price_amount, price_currency, member_price_amount, quota, audience, sells_from, sells_until, min_per_order, max_per_order, archived_at) on app.event_ticket_types to app_access;
grant select, delete, insert (org_id, event_id, id, code, ticket_type_id, percent, amount, uses_limit, valid_from, valid_until),
  update (code, ticket_type_id, percent, amount, uses_limit, valid_from, valid_until, archived_at) on app.event_promo_codes to app_access;
grant select, delete, insert (org_id, event_id, id, place, text, kind, required, options, of_guests),
  update (place, text, kind, required, options, of_guests, archived_at) on app.event_questions to app_access;
grant select on app.event_links, app.event_programme, app.event_ticket_types, app.event_questions to app_definer;
grant select on app.event_promo_codes to app_definer;

-- What may follow what --------------------------------------------------------------------------------------------------------------

create function app.event_may_become(before text, after text) returns boolean language sql immutable set search_path = pg_catalog, pg_temp as $$
  select before = after or (before, after) in (values ('draft', 'published'), ('draft', 'archived'), ('published', 'cancelled'), ('published', 'archived'), ('cancelled', 'archived'))
    or before = 'archived' and after in ('draft', 'published', 'cancelled')
$$;
comment on function app.event_may_become(text, text) is 'Whether one status of an event may follow another; an archived one comes back as it was';
revoke execute on function app.event_may_become(text, text) from public;
grant execute on function app.event_may_become(text, text) to app_access, app_definer;

create function app_private.events_guard() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  comes_back text;
begin
  -- An event of a group lies where the group does.
  if new.group_id is not null and (tg_op = 'INSERT' or new.group_id is distinct from old.group_id or new.chapter_id is distinct from old.chapter_id) then
    select g.chapter_id into new.chapter_id from app.groups g where g.org_id = new.org_id and g.id = new.group_id;
  end if;
  if tg_op = 'INSERT' then return new; end if;
  if new.status <> old.status then
    if not app.event_may_become(old.status, new.status) then
      raise exception 'an event cannot go from % to %', old.status, new.status using errcode = '23P01', constraint = 'event_move';
    end if;
    comes_back := case when old.cancelled_at is not null then 'cancelled' when old.published_at is not null then 'published' else 'draft' end;
    if old.status = 'archived' and new.status <> comes_back then
      raise exception 'an archived event comes back as it was' using errcode = '23P01', constraint = 'event_move';
    end if;
    if old.status <> 'archived' and new.status in ('published', 'cancelled') and (app.actor()).org_id is not null and not (app.everywhere('events.publish')
        or coalesce(new.chapter_id = any (app.scope('events.publish')), false) or coalesce(new.group_id = any (app.group_scope('events.publish')), false)
        or new.id = any (app.event_scope('events.publish'))) then
      raise exception 'publishing and cancelling is for those who hold events.publish' using errcode = '42501', constraint = 'event_publish';
    end if;
    if old.status = 'draft' and new.status = 'published' then
      if (new.mode <> 'online' and new.venue_name = '' and new.venue_address = '')
        or (new.mode <> 'in_person' and not exists (select from app.event_links l where l.org_id = new.org_id and l.event_id = new.id)) then
        raise exception 'an event needs a place, or a link if it is online, before it is published' using errcode = '23514', constraint = 'event_not_ready';
      end if;
      if new.starts_at < now() and not new.records_attendance then
        raise exception 'this event is over' using errcode = '23P01', constraint = 'event_past';
      end if;
      new.published_at := coalesce(new.published_at, now());
    end if;
    if new.status = 'cancelled' and old.status = 'published' then
      if new.ends_at < now() then raise exception 'this event is over' using errcode = '23P01', constraint = 'event_past'; end if;
      new.cancelled_at := now();
    end if;
    new.archived_at := case when new.status = 'archived' then now() end;
  elsif old.status = 'archived' and (to_jsonb(new) - array['version', 'updated_at', 'cover_file_id']) <> (to_jsonb(old) - array['version', 'updated_at', 'cover_file_id']) then
    raise exception 'restore this event before you change it' using errcode = '23P01', constraint = 'event_archived';
  end if;
  if (new.title, new.starts_at, new.ends_at, new.timezone, new.mode, new.venue_name, new.venue_address, new.status)
    is distinct from (old.title, old.starts_at, old.ends_at, old.timezone, old.mode, old.venue_name, old.venue_address, old.status) then
    new.sequence := old.sequence + 1;
  end if;
  return new;
end $$;
comment on function app_private.events_guard() is 'Holds events to the statuses that may follow, and to what a published one needs';
create trigger events_guard before insert or update on app.events for each row execute function app_private.events_guard();

create function app_private.events_counted() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into app.event_counts (org_id, event_id) select m.org_id, m.id from made m;
  return null;
end $$;
comment on function app_private.events_counted() is 'Every event has its counts, so that there is a row to lock';
create trigger events_counted after insert on app.events referencing new table as made for each statement execute function app_private.events_counted();
create function app_private.tickets_counted() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into app.event_ticket_counts (org_id, ticket_type_id, event_id) select m.org_id, m.id, m.event_id from made m;
  return null;
end $$;
comment on function app_private.tickets_counted() is 'Every type of ticket has its count';
create trigger tickets_counted after insert on app.event_ticket_types referencing new table as made for each statement execute function app_private.tickets_counted();

-- Fewer seats than are taken, and more tickets than seats, are refused under the lock under which seats are taken.
create function app_private.events_hold_seats() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  wrong record;
begin
  if not exists (select from changed c join before b on b.org_id = c.org_id and b.id = c.id where c.capacity is distinct from b.capacity) then return null; end if;
  perform from app.event_counts n join changed c on c.org_id = n.org_id and c.id = n.event_id for update of n;
  select n.taken into wrong from changed c join before b on b.org_id = c.org_id and b.id = c.id and c.capacity is distinct from b.capacity
    join app.event_counts n on n.org_id = c.org_id and n.event_id = c.id where c.capacity < n.taken limit 1;
  if found then
    raise exception '% seats are taken', wrong.taken using errcode = '23P01', constraint = 'event_capacity_taken', detail = json_build_object('taken', wrong.taken)::text;
  end if;
  return null;
end $$;
comment on function app_private.events_hold_seats() is 'Nobody lowers the capacity below the seats that are taken';
create trigger events_hold_seats after update on app.events referencing old table as before new table as changed for each statement execute function app_private.events_hold_seats();

create function app_private.tickets_hold() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  wrong record;
begin
  perform from app.event_counts n where (n.org_id, n.event_id) in (select c.org_id, c.event_id from changed c) for update;
  select c.name, n.taken into wrong from changed c join app.event_ticket_counts n on n.org_id = c.org_id and n.ticket_type_id = c.id where c.quota < n.taken limit 1;
  if found then
    raise exception '% tickets are taken', wrong.taken using errcode = '23P01', constraint = 'ticket_quota_taken', detail = json_build_object('name', wrong.name, 'taken', wrong.taken)::text;
  end if;
  return null;
end $$;
comment on function app_private.tickets_hold() is 'Nobody lowers a quota below the tickets that are taken';
create trigger tickets_hold after update on app.event_ticket_types referencing new table as changed for each statement execute function app_private.tickets_hold();

create function app.is_member() returns boolean language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return exists (select from app.memberships m where m.org_id = (select app.org_id()) and m.person_id = (select app.person_id())
    and (case when m.override_until >= (select app.today()) then m.override_status else m.status end) in ('active', 'grace'));
end $$;
comment on function app.is_member() is 'Whether the actor holds a membership today';
create function app.event_has_link(event uuid) returns boolean language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return exists (select from app.event_links l where l.org_id = (select app.org_id()) and l.event_id = event);
end $$;
comment on function app.event_has_link(uuid) is 'Whether an event has a link, which not everybody may see';

select app_private.own_definers();
grant execute on function app.is_member(), app.event_has_link(uuid) to app_access, app_definer;
grant execute on function app.event_scope(text), app.my_events(), app.my_event_chapters() to app_access, app_definer;
