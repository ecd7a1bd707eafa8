-- Who comes to events: registrations, the waiting list, and the capacity ledger, which says line by line why a seat is taken or free.
--
-- Locks are taken in this order: the organisation's head of the audit log (only where money or an audited change is involved), the row of
-- app.event_counts, registrations. Everything that changes registrations of an event holds its row of app.event_counts.

create table app.registrations (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  event_id uuid not null,
  chapter_id uuid,
  group_id uuid,
  person_id uuid,
  host_id uuid,
  ticket_type_id uuid,
  status text not null check (status in ('pending_approval', 'pending_payment', 'confirmed', 'waitlisted', 'offered', 'cancelled', 'rejected', 'checked_in')),
  cause text not null check (cause in ('registered', 'approved', 'rejected', 'paid', 'paid_late', 'confirmed', 'hold_expired', 'waiting', 'offered', 'accepted', 'declined',
    'offer_expired', 'withdrawn', 'cancelled', 'event_cancelled', 'payment_reversed', 'transferred', 'checked_in', 'check_in_undone')),
  name text not null check (char_length(name) between 1 and 200),
  email text not null default '' check (char_length(email) <= 320),
  answers jsonb not null default '[]' check (jsonb_typeof(answers) = 'array' and octet_length(answers::text) <= 60000),
  source text not null default 'self' check (source in ('self', 'organiser', 'public', 'import')),
  payer_id uuid,
  promo_code_id uuid,
  reason text not null default '' check (char_length(reason) <= 500),
  hold_until timestamptz,
  waiting_place int,
  offer_until timestamptz,
  confirmed_at timestamptz,
  cancelled_at timestamptz,
  checked_in_at timestamptz,
  refund_amount bigint not null default 0 check (refund_amount >= 0),
  ticket_version int not null default 1,
  sort_name text collate "C" not null generated always as (app.fold(name)) stored,
  search text collate "C" not null generated always as (app.fold(name || ' ' || email)) stored,
  created_by uuid,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, event_id) references app.events (org_id, id) on delete cascade,
  foreign key (org_id, chapter_id) references app.chapters (org_id, id),
  foreign key (org_id, group_id) references app.groups (org_id, id),
  foreign key (org_id, person_id) references app.people (org_id, id) on delete set null (person_id),
  foreign key (org_id, payer_id) references app.people (org_id, id) on delete set null (payer_id),
  foreign key (org_id, host_id) references app.registrations (org_id, id) on delete set null (host_id),
  foreign key (org_id, ticket_type_id) references app.event_ticket_types (org_id, id),
  foreign key (org_id, promo_code_id) references app.event_promo_codes (org_id, id),
  check ((status = 'pending_payment') = (hold_until is not null)),
  check ((status = 'offered') = (offer_until is not null)),
  check ((status in ('waitlisted', 'offered')) = (waiting_place is not null))
);
select app_private.add_money('app.registrations', 'price', 0);
comment on table app.registrations is 'Who comes, wants to come or came to an event; each is one seat. Not in the audit log: every change is a line of the capacity ledger, with who made it';
comment on column app.registrations.chapter_id is 'Chapter of the event; here too, so that policies need not look at the event';
comment on column app.registrations.host_id is 'Registration of the person who brings this guest';
comment on column app.registrations.cause is 'What last changed its status';
comment on column app.registrations.payer_id is 'Who owes its price';
comment on column app.registrations.hold_until is 'How long the seat is held while somebody pays';
comment on column app.registrations.waiting_place is 'Its number on the waiting list; who came first has the lower one';
comment on column app.registrations.refund_amount is 'What is to be given back, since it was paid and the seat is gone';
comment on column app.registrations.ticket_version is 'Raised when a ticket goes to somebody else, so that the code of the former one is not valid any more';
create unique index registrations_person on app.registrations (org_id, event_id, person_id) where person_id is not null and status not in ('cancelled', 'rejected');
create unique index registrations_email on app.registrations (org_id, event_id, lower(email)) where person_id is null and host_id is null and email <> '' and status not in ('cancelled', 'rejected');
create index registrations_by_event on app.registrations (org_id, event_id, status, id);
create index registrations_by_name on app.registrations (org_id, event_id, sort_name, id);
create index registrations_by_person on app.registrations (org_id, person_id, event_id);
create index registrations_by_payer on app.registrations (org_id, payer_id);
create index registrations_by_host on app.registrations (org_id, host_id);
create index registrations_by_ticket on app.registrations (org_id, ticket_type_id);
create index registrations_by_promo_code on app.registrations (org_id, promo_code_id);
create index registrations_by_author on app.registrations (org_id, created_by, event_id);
create index registrations_by_chapter on app.registrations (org_id, chapter_id);
create index registrations_by_group on app.registrations (org_id, group_id);
create index registrations_waiting on app.registrations (org_id, event_id, waiting_place) where status = 'waitlisted';
create index registrations_held on app.registrations (org_id, hold_until, event_id) where status = 'pending_payment';
create index registrations_offered on app.registrations (org_id, offer_until, event_id) where status = 'offered';

create table app.event_ledger (
  org_id uuid not null references app.organisations on delete cascade,
  event_id uuid not null,
  entry int not null check (entry > 0),
  at timestamptz not null default clock_timestamp(),
  registration_id uuid not null,
  ticket_type_id uuid,
  name text not null,
  before text,
  after text not null,
  cause text not null,
  seats smallint not null check (seats between -1 and 1),
  taken int not null check (taken >= 0),
  account_id uuid,
  primary key (org_id, event_id, entry),
  foreign key (org_id, event_id) references app.events (org_id, id) on delete cascade
);
comment on table app.event_ledger is 'Why a seat is taken or free, line by line; only ever added to. Not in the audit log: it is a log itself';
comment on column app.event_ledger.seats is '1 takes a seat, -1 gives one back, 0 is another change';
comment on column app.event_ledger.taken is 'Seats taken after this line';
create index event_ledger_by_registration on app.event_ledger (org_id, registration_id, entry);

create table app.check_ins (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  event_id uuid not null,
  registration_id uuid not null,
  list text not null default '' check (char_length(list) <= 60),
  client_id text not null check (char_length(client_id) between 8 and 100),
  device text not null default '' check (char_length(device) <= 100),
  scanned_at timestamptz not null,
  undone_at timestamptz,
  account_id uuid,
  by_name text not null default '',
  created_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, event_id, client_id),
  foreign key (org_id, event_id) references app.events (org_id, id) on delete cascade,
  foreign key (org_id, registration_id) references app.registrations (org_id, id) on delete cascade
);
comment on table app.check_ins is 'Who was let in when, where and by whom. Not in the audit log: it is a log itself, and the capacity ledger has its lines';
comment on column app.check_ins.client_id is 'Made by the device, so that sending a scan again adds nothing';
create unique index check_ins_once on app.check_ins (org_id, registration_id, list) where undone_at is null;
create index check_ins_by_registration on app.check_ins (org_id, registration_id, id);

select app_private.protect('app.registrations');
select app_private.keep_version('app.registrations');
select app_private.protect('app.event_ledger');
select app_private.protect('app.check_ins');

do $policies$
declare
  runs constant text := '((select app.everywhere(%1$L)) or chapter_id = any ((select app.scope(%1$L))::uuid[]) or group_id = any ((select app.group_scope(%1$L))::uuid[]) or event_id = any ((select app.event_scope(%1$L))::uuid[]))';
begin
  execute format('create policy registrations_read on app.registrations for select to app_access using (org_id = (select app.org_id()) and (person_id = (select app.person_id())
    or payer_id = (select app.person_id()) or created_by = (select app.account_id()) or %s or %s))', format(runs, 'events.checkin'), format(runs, 'events.manage'));
end $policies$;
-- Who comes is looked up by who runs the event, so the lines and scans of one event need no look at each registration.
create policy event_ledger_read on app.event_ledger for select to app_access using (org_id = (select app.org_id())
  and exists (select from app.events e where e.org_id = event_ledger.org_id and e.id = event_ledger.event_id
    and ((select app.everywhere('events.manage')) or e.chapter_id = any ((select app.scope('events.manage'))::uuid[]) or e.group_id = any ((select app.group_scope('events.manage'))::uuid[])
      or e.id = any ((select app.event_scope('events.manage'))::uuid[]))));
create policy check_ins_read on app.check_ins for select to app_access using (org_id = (select app.org_id())
  and exists (select from app.registrations r where r.org_id = check_ins.org_id and r.id = check_ins.registration_id));
grant select on app.registrations, app.event_ledger, app.check_ins to app_access;
grant select, insert, update on app.registrations, app.check_ins to app_definer;
grant select, insert on app.event_ledger to app_definer;

-- Seats -----------------------------------------------------------------------------------------------------------------------------

create function app.takes_seat(status text) returns boolean language sql immutable parallel safe set search_path = pg_catalog, pg_temp as $$
  select status in ('confirmed', 'checked_in', 'offered', 'pending_payment')
$$;
comment on function app.takes_seat(text) is 'Whether a registration in this status takes a seat';

create function app.registration_may_become(before text, after text) returns boolean language sql immutable parallel safe set search_path = pg_catalog, pg_temp as $$
  select before = after or (before, after) in (values
    ('pending_approval', 'confirmed'), ('pending_approval', 'pending_payment'), ('pending_approval', 'waitlisted'), ('pending_approval', 'rejected'), ('pending_approval', 'cancelled'),
    ('pending_payment', 'confirmed'), ('pending_payment', 'cancelled'),
    ('confirmed', 'checked_in'), ('confirmed', 'cancelled'),
    ('waitlisted', 'offered'), ('waitlisted', 'cancelled'),
    ('offered', 'confirmed'), ('offered', 'pending_payment'), ('offered', 'cancelled'),
    -- Only where its payment came after its hold was over.
    ('cancelled', 'confirmed'),
    ('checked_in', 'confirmed'))
$$;
comment on function app.registration_may_become(text, text) is 'Whether one status of a registration may follow another';

-- Counts and ledger follow every change of registrations, whoever makes it, and more seats than there are cannot be taken.
create type app_private.seat_move as (org_id uuid, event_id uuid, registration_id uuid, ticket_type_id uuid, name text, before text, after text, cause text);

create function app_private.book_moves(moves app_private.seat_move[]) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  ev record;
  n app.event_counts;
  seats int;
  wrong record;
  me constant uuid := (app.actor()).account_id;
begin
  for ev in select distinct m.org_id, m.event_id from unnest(moves) m order by m.org_id, m.event_id loop
    select * into n from app.event_counts x where x.org_id = ev.org_id and x.event_id = ev.event_id for update;
    with lines as (
      select m.*, row_number() over (order by m.place)::int as nth, app.takes_seat(m.after)::int - coalesce(app.takes_seat(m.before), false)::int as seats
      from unnest(moves) with ordinality m (org_id, event_id, registration_id, ticket_type_id, name, before, after, cause, place) where m.org_id = ev.org_id and m.event_id = ev.event_id
    )
    insert into app.event_ledger (org_id, event_id, entry, registration_id, ticket_type_id, name, before, after, cause, seats, taken, account_id)
      select l.org_id, l.event_id, n.last_entry + l.nth, l.registration_id, l.ticket_type_id, l.name, l.before, l.after, l.cause, l.seats,
        n.taken + sum(l.seats) over (order by l.nth), me from lines l;
    with deltas as (
      select d.status, sum(d.by)::int as by from unnest(moves) m cross join lateral (values (m.after, 1), (m.before, -1)) d (status, by)
      where m.org_id = ev.org_id and m.event_id = ev.event_id and d.status is not null group by d.status
    ), sums as (
      select coalesce(sum(d.by) filter (where d.status = 'confirmed'), 0) as confirmed, coalesce(sum(d.by) filter (where d.status = 'checked_in'), 0) as checked_in,
        coalesce(sum(d.by) filter (where d.status = 'pending_payment'), 0) as pending_payment, coalesce(sum(d.by) filter (where d.status = 'pending_approval'), 0) as pending_approval,
        coalesce(sum(d.by) filter (where d.status = 'offered'), 0) as offered, coalesce(sum(d.by) filter (where d.status = 'waitlisted'), 0) as waiting,
        coalesce(sum(d.by) filter (where d.status in ('cancelled', 'rejected')), 0) as cancelled from deltas d
    )
    update app.event_counts x set confirmed = x.confirmed + u.confirmed, checked_in = x.checked_in + u.checked_in, pending_payment = x.pending_payment + u.pending_payment,
        pending_approval = x.pending_approval + u.pending_approval, offered = x.offered + u.offered, waiting = x.waiting + u.waiting, cancelled = x.cancelled + u.cancelled,
        taken = x.taken + u.confirmed + u.checked_in + u.pending_payment + u.offered,
        last_entry = x.last_entry + (select count(*) from unnest(moves) m where m.org_id = ev.org_id and m.event_id = ev.event_id)
      from sums u where x.org_id = ev.org_id and x.event_id = ev.event_id returning x.taken - n.taken into seats;
    update app.event_ticket_counts k set taken = k.taken + d.by
      from (select m.ticket_type_id, sum(app.takes_seat(m.after)::int - coalesce(app.takes_seat(m.before), false)::int)::int as by
        from unnest(moves) m where m.org_id = ev.org_id and m.event_id = ev.event_id and m.ticket_type_id is not null group by m.ticket_type_id) d
      where k.org_id = ev.org_id and k.ticket_type_id = d.ticket_type_id and d.by <> 0;
    if seats > 0 then
      if exists (select from app.events e where e.org_id = ev.org_id and e.id = ev.event_id and e.capacity < n.taken + seats) then
        raise exception 'this event is full' using errcode = '23P01', constraint = 'event_full';
      end if;
      select t.name into wrong from app.event_ticket_types t join app.event_ticket_counts k on k.org_id = t.org_id and k.ticket_type_id = t.id
        where t.org_id = ev.org_id and t.id in (select m.ticket_type_id from unnest(moves) m where m.event_id = ev.event_id) and k.taken > t.quota limit 1;
      if found then raise exception 'no such tickets are left' using errcode = '23P01', constraint = 'ticket_sold_out', detail = json_build_object('name', wrong.name)::text; end if;
    end if;
  end loop;
end $$;
comment on function app_private.book_moves(app_private.seat_move[]) is 'Books changes of registrations in the counts and the capacity ledger of their events, and refuses what takes more seats than there are';

create function app_private.registrations_added() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform app_private.book_moves((select array_agg((c.org_id, c.event_id, c.id, c.ticket_type_id, c.name, null, c.status, c.cause)::app_private.seat_move order by c.waiting_place, c.id) from changed c));
  return null;
end $$;
comment on function app_private.registrations_added() is 'New registrations are counted, and are lines of the capacity ledger';
create trigger registrations_added after insert on app.registrations referencing new table as changed for each statement execute function app_private.registrations_added();

create function app_private.registrations_moved() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  moves app_private.seat_move[];
begin
  if exists (select from changed c join before b on b.org_id = c.org_id and b.id = c.id
      where not app.registration_may_become(b.status, c.status) or (c.event_id, c.ticket_type_id) is distinct from (b.event_id, b.ticket_type_id)) then
    raise exception 'a registration cannot go from one of these statuses to the other' using errcode = '23P01', constraint = 'registration_move';
  end if;
  moves := (select array_agg((c.org_id, c.event_id, c.id, c.ticket_type_id, c.name, b.status, c.status, c.cause)::app_private.seat_move order by coalesce(c.waiting_place, b.waiting_place), c.id)
    from changed c join before b on b.org_id = c.org_id and b.id = c.id where c.status <> b.status or (c.ticket_version > b.ticket_version));
  if moves is not null then perform app_private.book_moves(moves); end if;
  return null;
end $$;
comment on function app_private.registrations_moved() is 'Holds registrations to the statuses that may follow; each change is counted, and a line of the capacity ledger';
create trigger registrations_moved after update on app.registrations referencing old table as before new table as changed for each statement execute function app_private.registrations_moved();

create function app_private.event_ledger_stays() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  -- Only together with the event, or the whole organisation.
  if tg_op = 'DELETE' and not exists (select from app.organisations o join app.events e on e.org_id = o.org_id and e.id = old.event_id where o.org_id = old.org_id) then return old; end if;
  raise exception 'lines of a capacity ledger stay' using errcode = '23514', constraint = 'event_ledger_stays';
end $$;
comment on function app_private.event_ledger_stays() is 'Refuses to change what was booked';
create trigger event_ledger_stays before update or delete on app.event_ledger for each row execute function app_private.event_ledger_stays();

create function app.event_reconciled(event uuid) returns table (what text, counted int, booked int) language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare org constant uuid := app.org_id();
begin
  return query
    select d.what, d.counted, d.booked from (
      select 'taken' as what, (select count(*)::int from app.registrations r where r.org_id = org and r.event_id = event and app.takes_seat(r.status)) as counted, n.taken as booked
        from app.event_counts n where n.org_id = org and n.event_id = event
      union all select 'ledger', (select count(*)::int from app.registrations r where r.org_id = org and r.event_id = event and app.takes_seat(r.status)),
        (select coalesce(sum(l.seats), 0)::int from app.event_ledger l where l.org_id = org and l.event_id = event)
      union all select 'last line', n.taken, coalesce((select l.taken from app.event_ledger l where l.org_id = org and l.event_id = event order by l.entry desc limit 1), 0)
        from app.event_counts n where n.org_id = org and n.event_id = event
      union all select s.status, (select count(*)::int from app.registrations r where r.org_id = org and r.event_id = event and r.status = any (s.statuses)), s.booked
        from app.event_counts n cross join lateral (values ('confirmed', array['confirmed'], n.confirmed), ('checked_in', array['checked_in'], n.checked_in),
          ('pending_payment', array['pending_payment'], n.pending_payment), ('pending_approval', array['pending_approval'], n.pending_approval), ('offered', array['offered'], n.offered),
          ('waiting', array['waitlisted'], n.waiting), ('cancelled', array['cancelled', 'rejected'], n.cancelled)) s (status, statuses, booked)
        where n.org_id = org and n.event_id = event
      union all select 'ticket ' || k.ticket_type_id, (select count(*)::int from app.registrations r where r.org_id = org and r.ticket_type_id = k.ticket_type_id and app.takes_seat(r.status)), k.taken
        from app.event_ticket_counts k where k.org_id = org and k.event_id = event) d
    where d.counted <> d.booked;
end $$;
comment on function app.event_reconciled(uuid) is 'Where the counts, the capacity ledger and the registrations of an event differ: always nowhere';

-- Events that change take their registrations along -----------------------------------------------------------------------------------

create function app_private.events_place_registrations() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update app.registrations r set chapter_id = c.chapter_id, group_id = c.group_id from changed c join before b on b.org_id = c.org_id and b.id = c.id
    where (c.chapter_id, c.group_id) is distinct from (b.chapter_id, b.group_id) and r.org_id = c.org_id and r.event_id = c.id;
  return null;
end $$;
comment on function app_private.events_place_registrations() is 'Registrations belong where their event does';
create trigger events_place_registrations after update on app.events referencing old table as before new table as changed for each statement execute function app_private.events_place_registrations();

create function app_private.people_leave_registrations() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update app.registrations r set name = 'Erased person', email = '', answers = '[]' where r.org_id = new.org_id and r.person_id = new.id;
  return null;
end $$;
comment on function app_private.people_leave_registrations() is 'Of somebody who was erased a seat stays, and no name';
create trigger people_leave_registrations after update of lifecycle on app.people for each row when (new.lifecycle = 'erased' and old.lifecycle <> 'erased')
  execute function app_private.people_leave_registrations();

-- Who may ---------------------------------------------------------------------------------------------------------------------------

create function app_private.runs_event(e app.events, wanted text) returns boolean language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return app.everywhere(wanted) or coalesce(e.chapter_id = any (app.scope(wanted)), false) or coalesce(e.group_id = any (app.group_scope(wanted)), false) or e.id = any (app.event_scope(wanted));
end $$;
comment on function app_private.runs_event(app.events, text) is 'Whether the actor holds a permission for an event';

create function app_private.sees_event(e app.events) returns boolean language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return e.status in ('published', 'cancelled') and (e.visibility in ('public', 'unlisted')
      or (e.visibility = 'members' and (app.everywhere('events.read') or coalesce(e.chapter_id = any (app.scope('events.read')), false)))
      or (e.visibility = 'chapter' and e.chapter_id = any (app.my_event_chapters()))
      or (e.visibility = 'group' and e.group_id = any (app.my_rosters()))
      or e.id = any (app.event_scope('events.read')) or e.id = any (app.my_events()));
end $$;
comment on function app_private.sees_event(app.events) is 'Whether the actor sees a published event, as its policy says';

-- Whoever is registered sees the event from then on, and its link once the seat is theirs.
create or replace function app.my_events() returns uuid[] language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid := app.org_id();
  me uuid := app.person_id();
begin
  return (select coalesce(array_agg(x.event_id), '{}') from (
    select i.event_id from app.event_invitations i where i.org_id = org and i.person_id = me
    union select r.event_id from app.registrations r where r.org_id = org and r.person_id = me) x);
end $$;
comment on function app.my_events() is 'Events that the actor is invited to, or was ever registered for';
create function app.my_registrations() returns uuid[] language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return (select coalesce(array_agg(r.event_id), '{}') from app.registrations r
    where r.org_id = (select app.org_id()) and r.person_id = (select app.person_id()) and r.status not in ('cancelled', 'rejected'));
end $$;
comment on function app.my_registrations() is 'Events that the actor is registered for, or waits for';
create function app.my_seats() returns uuid[] language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return (select coalesce(array_agg(r.event_id), '{}') from app.registrations r
    where r.org_id = (select app.org_id()) and r.person_id = (select app.person_id()) and r.status in ('confirmed', 'checked_in'));
end $$;
comment on function app.my_seats() is 'Events at which the actor has a seat';
create policy event_links_mine on app.event_links for select to app_access using (org_id = (select app.org_id()) and event_id = any ((select app.my_seats())::uuid[]));

-- What happens to registrations -------------------------------------------------------------------------------------------------------

create function app_private.hold_event(org uuid, event uuid) returns app.event_counts language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare n app.event_counts;
begin
  select * into n from app.event_counts x where x.org_id = org and x.event_id = event for update;
  return n;
end $$;
comment on function app_private.hold_event(uuid, uuid) is 'Keeps others from changing registrations of an event until this transaction ends';

create function app_private.closes_at(e app.events) returns timestamptz language sql immutable set search_path = pg_catalog, pg_temp as $$
  select coalesce(e.registration_closes_at, e.starts_at)
$$;
comment on function app_private.closes_at(app.events) is 'When registration closes';

create function app_private.seats_left(e app.events, n app.event_counts) returns int language sql immutable set search_path = pg_catalog, pg_temp as $$
  select case when e.capacity is null then 1000000 else greatest(e.capacity - n.taken, 0) end
$$;
comment on function app_private.seats_left(app.events, app.event_counts) is 'How many seats are free';

create function app_private.tickets_left(org uuid, ticket uuid) returns int language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce((select case when t.quota is null then 1000000 else greatest(t.quota - k.taken, 0) end from app.event_ticket_types t
    join app.event_ticket_counts k on k.org_id = t.org_id and k.ticket_type_id = t.id where t.org_id = org and t.id = ticket), 1000000)
$$;
comment on function app_private.tickets_left(uuid, uuid) is 'How many tickets of a type are left';

-- Free seats go to whoever waits longest, as many as there are; the row of app.event_counts is held. None once registration has closed.
create function app_private.offer_seats(org uuid, event uuid) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  e app.events;
  n app.event_counts := app_private.hold_event(org, event);
  free int;
  made int;
begin
  if n.waiting = 0 then return 0; end if;
  select * into e from app.events x where x.org_id = org and x.id = event;
  if e.status <> 'published' or app_private.closes_at(e) <= now() or e.starts_at <= now() then return 0; end if;
  free := app_private.seats_left(e, n);
  if free = 0 then return 0; end if;
  with waiting as (
    select r.id, r.waiting_place, row_number() over (partition by r.ticket_type_id order by r.waiting_place) as nth, r.ticket_type_id
    from app.registrations r where r.org_id = org and r.event_id = event and r.status = 'waitlisted'
  ), next as (
    select w.id from waiting w where w.nth <= app_private.tickets_left(org, w.ticket_type_id) order by w.waiting_place limit free
  )
  update app.registrations r set status = 'offered', cause = 'offered', offer_until = least(now() + make_interval(mins => e.offer_minutes), app_private.closes_at(e))
    from next x where r.org_id = org and r.id = x.id;
  get diagnostics made = row_count;
  return made;
end $$;
comment on function app_private.offer_seats(uuid, uuid) is 'Offers each free seat to the next on the waiting list, once; how many';

create function app_private.expire_seats(org uuid, event uuid) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  made int;
begin
  perform app_private.hold_event(org, event);
  update app.registrations r set status = 'cancelled', cause = case r.status when 'offered' then 'offer_expired' else 'hold_expired' end, cancelled_at = now(),
      hold_until = null, offer_until = null, waiting_place = null
    where r.org_id = org and r.event_id = event and ((r.status = 'pending_payment' and r.hold_until <= now()) or (r.status = 'offered' and r.offer_until <= now()));
  get diagnostics made = row_count;
  if made > 0 then perform app_private.offer_seats(org, event); end if;
  return made;
end $$;
comment on function app_private.expire_seats(uuid, uuid) is 'Ends holds and offers whose time is over, and offers the seats to the next; how many ended';

create function app.run_registrations(org uuid, most int) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  actor app.actor_context := app.actor();
  ev record;
  done int := 0;
begin
  if actor.org_id is not null or not pg_has_role(session_user, 'app_worker', 'member') then raise exception 'not allowed' using errcode = '42501'; end if;
  for ev in select x.event_id from (
      (select r.event_id from app.registrations r where r.org_id = org and r.status = 'pending_payment' and r.hold_until <= now() order by r.hold_until limit most)
      union (select r.event_id from app.registrations r where r.org_id = org and r.status = 'offered' and r.offer_until <= now() order by r.offer_until limit most)) x
      order by x.event_id limit most loop
    done := done + app_private.expire_seats(org, ev.event_id);
  end loop;
  return done;
end $$;
comment on function app.run_registrations(uuid, int) is 'Ends holds and offers whose time is over, in so many events; how many ended';

-- The price of a ticket: what the person who comes has to pay today, with or without a code.
create function app_private.ticket_price(org uuid, ticket app.event_ticket_types, person uuid, promo app.event_promo_codes) returns bigint language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  price bigint := coalesce(ticket.price_amount, 0);
begin
  if ticket.member_price_amount is not null and exists (select from app.memberships m where m.org_id = org and m.person_id = person
      and (case when m.override_until >= app_private.today_in(org) then m.override_status else m.status end) in ('active', 'grace')) then
    price := ticket.member_price_amount;
  end if;
  if promo.percent is not null then price := price - round(price::numeric * promo.percent / 100)::bigint; end if;
  if promo.amount is not null then price := price - promo.amount; end if;
  return greatest(price, 0);
end $$;
comment on function app_private.ticket_price(uuid, app.event_ticket_types, uuid, app.event_promo_codes) is 'What a ticket costs a person: the member price is for who holds a membership today';

create function app_private.charge_registrations(org uuid, title text, ids uuid[]) returns uuid language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  made uuid;
  wanted jsonb;
begin
  wanted := (select jsonb_build_object('personId', min(r.payer_id::text), 'currency', min(r.price_currency), 'reason', left(title, 200), 'dueOn', app_private.today_in(org),
      'dedupeKey', 'event_registration:' || min(r.id::text) || ':' || max(r.version), 'lines', jsonb_agg(jsonb_build_object('text', left(concat_ws(', ', title, t.name, r.name), 300),
        'amount', r.price_amount, 'subjectType', 'event_registration', 'subjectId', r.id) order by r.id))
    from app.registrations r left join app.event_ticket_types t on t.org_id = r.org_id and t.id = r.ticket_type_id
    where r.org_id = org and r.id = any (ids) and r.status = 'pending_payment' and r.price_amount > 0 having count(*) > 0);
  if wanted is null then return null; end if;
  made := app.draft_invoice(org, wanted);
  perform app.issue_invoice(org, made);
  return made;
end $$;
comment on function app_private.charge_registrations(uuid, text, uuid[]) is 'Issues one invoice for registrations that wait for payment; its id';

select app_private.register_invoice_subject('event_registration', 'events.manage',
  $$select r.payer_id, r.chapter_id, r.price_amount, r.price_currency from app.registrations r where r.org_id = $1 and r.id = $2 and r.status = 'pending_payment'$$);

create function app.register_for_event(event uuid, wanted jsonb) returns jsonb language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org constant uuid := app.org_id();
  me uuid := app.person_id();
  e app.events;
  n app.event_counts;
  t app.event_ticket_types;
  p app.event_promo_codes;
  runs boolean;
  person uuid;
  payer uuid;
  guests jsonb := coalesce(wanted -> 'guests', '[]');
  party int := 1 + jsonb_array_length(coalesce(wanted -> 'guests', '[]'));
  price bigint := 0;
  guest_price bigint := 0;
  money text;
  becomes text;
  full_now boolean;
  called text;
  mail text;
  first uuid;
  ids uuid[];
  held timestamptz;
  live uuid;
  invoice uuid;
begin
  select * into e from app.events x where x.org_id = org and x.id = event;
  runs := e.id is not null and app_private.runs_event(e, 'events.manage');
  if e.id is null or not (runs or app_private.sees_event(e)) then raise exception 'not allowed' using errcode = '42501'; end if;
  if e.status <> 'published' then raise exception 'this event is not open for registration' using errcode = '23P01', constraint = 'registration_closed'; end if;
  if not runs and e.registration_opens_at > now() then
    raise exception 'registration opens later' using errcode = '23P01', constraint = 'registration_not_open', detail = json_build_object('at', e.registration_opens_at)::text;
  end if;
  if (not runs and app_private.closes_at(e) <= now()) or (runs and e.ends_at + interval '30 days' <= now() and not e.records_attendance) then
    raise exception 'registration has closed' using errcode = '23P01', constraint = 'registration_closed';
  end if;

  -- Who: oneself, or, for those who run the event, anybody.
  if wanted ->> 'personId' is null and wanted ->> 'name' is null and me is null then me := app.become_person(); end if;
  person := case when wanted ->> 'personId' is not null then (wanted ->> 'personId')::uuid when wanted ->> 'name' is null then me end;
  if person is distinct from me and not runs then raise exception 'registering others is for those who run the event' using errcode = '42501', constraint = 'registration_for_others'; end if;
  if person is not null then
    select q.display_name, coalesce((select m.address from app.person_emails m where m.org_id = q.org_id and m.person_id = q.id order by m.is_primary desc limit 1), '') into called, mail
      from app.people q where q.org_id = org and q.id = person and q.lifecycle not in ('deceased', 'erased', 'merged') and q.deleted_at is null;
    if called is null then raise exception 'there is no such person' using errcode = '23514', constraint = 'person_not_found'; end if;
  else
    called := wanted ->> 'name';
    mail := coalesce(wanted ->> 'email', '');
  end if;
  if party - 1 > e.guests_per_person and not runs then
    raise exception 'so many guests cannot come along' using errcode = '23514', constraint = 'registration_guests', detail = json_build_object('max', e.guests_per_person)::text;
  end if;

  -- Which ticket, at which price.
  money := (select o.currency from app.organisations o where o.org_id = org);
  if wanted ->> 'ticketTypeId' is not null then
    select * into t from app.event_ticket_types x where x.org_id = org and x.event_id = e.id and x.id = (wanted ->> 'ticketTypeId')::uuid and x.archived_at is null;
    if t.id is null then raise exception 'there is no such ticket' using errcode = '23514', constraint = 'ticket_unknown'; end if;
  elsif exists (select from app.event_ticket_types x where x.org_id = org and x.event_id = e.id and x.archived_at is null) then
    if (select count(*) from app.event_ticket_types x where x.org_id = org and x.event_id = e.id and x.archived_at is null and (runs or x.audience <> 'staff')) <> 1 then
      raise exception 'choose a ticket' using errcode = '23514', constraint = 'ticket_needed';
    end if;
    select * into t from app.event_ticket_types x where x.org_id = org and x.event_id = e.id and x.archived_at is null and (runs or x.audience <> 'staff');
  end if;
  if t.id is not null then
    money := t.price_currency;
    if not runs then
      if (t.audience = 'staff') or (t.audience = 'members' and not app.is_member()) or (t.audience = 'chapter' and not coalesce(e.chapter_id = any (app.my_event_chapters()), false)) then
        raise exception 'this ticket is not for you' using errcode = '42501', constraint = 'ticket_audience';
      end if;
      if t.sells_from > now() or t.sells_until <= now() then raise exception 'this ticket is not on sale now' using errcode = '23P01', constraint = 'ticket_not_on_sale'; end if;
      if party not between t.min_per_order and greatest(t.max_per_order, 1 + e.guests_per_person) then
        raise exception 'take another number of tickets' using errcode = '23514', constraint = 'ticket_per_order',
          detail = json_build_object('min', t.min_per_order, 'max', greatest(t.max_per_order, 1 + e.guests_per_person))::text;
      end if;
    end if;
  end if;
  if nullif(btrim(wanted ->> 'promoCode'), '') is not null then
    select * into p from app.event_promo_codes x where x.org_id = org and x.event_id = e.id and x.code = upper(btrim(wanted ->> 'promoCode')) and x.archived_at is null
      and (x.ticket_type_id is null or x.ticket_type_id = t.id) and coalesce(x.valid_from <= now(), true) and coalesce(x.valid_until > now(), true);
    if p.id is null then raise exception 'this code is not valid here' using errcode = '23514', constraint = 'promo_code_invalid'; end if;
  end if;
  if t.id is not null then
    price := app_private.ticket_price(org, t, person, p);
    guest_price := app_private.ticket_price(org, t, null, p);
  end if;
  payer := case when price + (party - 1) * guest_price > 0 then coalesce(person, case when not runs then me end) end;
  -- Invoices are written under the head of the audit log, which comes before the seats.
  if payer is not null then perform app_private.books_open(org); end if;

  n := app_private.hold_event(org, event);
  select * into e from app.events x where x.org_id = org and x.id = event;
  if e.status <> 'published' then raise exception 'this event is not open for registration' using errcode = '23P01', constraint = 'registration_closed'; end if;
  if person is not null then
    select r.id into live from app.registrations r where r.org_id = org and r.event_id = e.id and r.person_id = person and r.status not in ('cancelled', 'rejected');
  elsif mail <> '' then
    select r.id into live from app.registrations r where r.org_id = org and r.event_id = e.id and r.person_id is null and r.host_id is null and lower(r.email) = lower(mail) and r.status not in ('cancelled', 'rejected');
  end if;
  if live is not null then return jsonb_build_object('existing', live); end if;
  if p.uses_limit is not null and (select count(*) from app.registrations r where r.org_id = org and r.promo_code_id = p.id and r.status not in ('cancelled', 'rejected')) + party > p.uses_limit then
    raise exception 'this code has been used up' using errcode = '23P01', constraint = 'promo_code_used_up';
  end if;

  full_now := app_private.seats_left(e, n) < party or app_private.tickets_left(org, t.id) < party;
  if full_now and app_private.expire_seats(org, event) > 0 then
    n := app_private.hold_event(org, event);
    full_now := app_private.seats_left(e, n) < party or app_private.tickets_left(org, t.id) < party;
  end if;
  if e.needs_approval and not runs then becomes := 'pending_approval';
  elsif not full_now then becomes := case when price > 0 and payer is not null then 'pending_payment' else 'confirmed' end;
  else
    if least(app_private.seats_left(e, n), app_private.tickets_left(org, t.id)) > 0 then
      raise exception 'there are not so many seats left' using errcode = '23P01', constraint = 'event_seats_left',
        detail = json_build_object('left', least(app_private.seats_left(e, n), app_private.tickets_left(org, t.id)))::text;
    end if;
    if not e.waiting_list or app_private.closes_at(e) <= now() or e.starts_at <= now() then raise exception 'this event is full' using errcode = '23P01', constraint = 'event_full'; end if;
    if party > 1 then raise exception 'guests cannot wait' using errcode = '23P01', constraint = 'event_guests_wait'; end if;
    becomes := 'waitlisted';
  end if;
  held := case when becomes = 'pending_payment' then now() + interval '15 minutes' end;
  insert into app.registrations (org_id, event_id, chapter_id, group_id, person_id, ticket_type_id, status, cause, name, email, answers, source, payer_id, promo_code_id, price_amount, price_currency,
      hold_until, waiting_place, confirmed_at, created_by)
    values (org, e.id, e.chapter_id, e.group_id, person, t.id, becomes, case becomes when 'waitlisted' then 'waiting' else 'registered' end, called, mail, coalesce(wanted -> 'answers', '[]'),
      case when runs and person is distinct from me then 'organiser' else 'self' end, payer, p.id, price, money, held,
      case when becomes = 'waitlisted' then 1 + coalesce((select max(l.place) from (
        select r.waiting_place as place from app.registrations r where r.org_id = org and r.event_id = e.id and r.waiting_place is not null) l), 0) end,
      case when becomes = 'confirmed' then now() end, app.account_id())
    returning id into first;
  ids := array[first];
  if party > 1 then
    with added as (
      insert into app.registrations (org_id, event_id, chapter_id, group_id, host_id, ticket_type_id, status, cause, name, email, answers, source, payer_id, promo_code_id, price_amount, price_currency,
          hold_until, confirmed_at, created_by)
        select org, e.id, e.chapter_id, e.group_id, first, t.id, g.status, 'registered', g.guest ->> 'name', coalesce(g.guest ->> 'email', ''), coalesce(g.guest -> 'answers', '[]'),
          case when runs and person is distinct from me then 'organiser' else 'self' end, payer, p.id, guest_price, money,
          case when g.status = 'pending_payment' then now() + interval '15 minutes' end, case when g.status = 'confirmed' then now() end, app.account_id()
        from (select x.guest, x.place, case when becomes = 'pending_approval' then becomes when guest_price > 0 and payer is not null then 'pending_payment' else 'confirmed' end as status
          from jsonb_array_elements(guests) with ordinality x (guest, place)) g order by g.place
        returning id)
    select ids || array_agg(a.id) into ids from added a;
  end if;
  if payer is not null and becomes <> 'pending_approval' then invoice := app_private.charge_registrations(org, e.title, ids); end if;
  return jsonb_build_object('ids', to_jsonb(ids), 'invoiceId', invoice);
end $$;
comment on function app.register_for_event(uuid, jsonb) is 'Registers the caller, or, by those who run the event, somebody else, with guests: confirmed, held until paid, for approval, or on the waiting list; the ids, or the registration that is there already';

-- One registration, with its event held; the one place that decides whose it is.
create function app_private.registration_held(registration uuid, out r app.registrations, out e app.events, out mine boolean, out runs boolean) language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org constant uuid := app.org_id();
begin
  select x.* into r from app.registrations x where x.org_id = org and x.id = registration;
  if r.id is null then raise exception 'not allowed' using errcode = '42501'; end if;
  perform app_private.hold_event(org, r.event_id);
  select x.* into r from app.registrations x where x.org_id = org and x.id = registration;
  select x.* into e from app.events x where x.org_id = org and x.id = r.event_id;
  mine := coalesce(r.person_id = app.person_id(), false) or coalesce(r.payer_id = app.person_id(), false)
    or coalesce(r.created_by = app.account_id() and (r.person_id is null or r.source <> 'self'), false)
    or exists (select from app.registrations h where h.org_id = org and h.id = r.host_id and h.person_id = app.person_id());
  runs := app_private.runs_event(e, 'events.manage');
  if not (mine or runs) then raise exception 'not allowed' using errcode = '42501'; end if;
end $$;
comment on function app_private.registration_held(uuid) is 'A registration that is the caller''s own, or of an event they run, held until this transaction ends';

create function app.cancel_registration(registration uuid, why text) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  h record;
begin
  select * into h from app_private.registration_held(registration);
  if (h.r).status in ('cancelled', 'rejected') then return; end if;
  if (h.r).status = 'checked_in' then raise exception 'undo the check-in first' using errcode = '23P01', constraint = 'registration_checked_in'; end if;
  if not h.runs and coalesce((h.e).cancel_until, (h.e).starts_at) <= now() then
    raise exception 'the time to cancel is over' using errcode = '23P01', constraint = 'registration_cancel_late', detail = json_build_object('at', coalesce((h.e).cancel_until, (h.e).starts_at))::text;
  end if;
  -- Guests come with their host or not at all.
  update app.registrations x set status = 'cancelled', cause = case when x.status in ('waitlisted', 'pending_approval') then 'withdrawn' when x.status = 'offered' then 'declined' else 'cancelled' end,
      reason = coalesce(why, ''), cancelled_at = now(), hold_until = null, offer_until = null, waiting_place = null,
      refund_amount = case when x.status = 'confirmed' and app_private.registration_paid(x.org_id, x.id) then x.price_amount else 0 end
    where x.org_id = (h.r).org_id and (x.id = registration or x.host_id = registration) and x.status not in ('cancelled', 'rejected', 'checked_in');
  perform app_private.offer_seats((h.r).org_id, (h.r).event_id);
end $$;
comment on function app.cancel_registration(uuid, text) is 'Gives a seat back, and offers it to the next on the waiting list; of a host, with those of the guests';

create function app_private.registration_paid(org uuid, registration uuid) returns boolean language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select exists (select from app.invoice_lines l join app.invoices i on i.org_id = l.org_id and i.id = l.invoice_id
    where l.org_id = org and l.subject_type = 'event_registration' and l.subject_id = registration and i.kind = 'invoice' and i.state = 'paid')
$$;
comment on function app_private.registration_paid(uuid, uuid) is 'Whether the invoice of a registration is paid';

-- Confirms, or holds until it is paid; the seat is free, or was kept by an offer.
create function app_private.seat_registration(r app.registrations, e app.events, why text, minutes int) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update app.registrations x set status = case when x.price_amount > 0 and x.payer_id is not null then 'pending_payment' else 'confirmed' end, cause = why,
      hold_until = case when x.price_amount > 0 and x.payer_id is not null then least(now() + make_interval(mins => minutes), greatest(e.starts_at, now() + interval '15 minutes')) end,
      offer_until = null, waiting_place = null, confirmed_at = case when x.price_amount > 0 and x.payer_id is not null then null else now() end
    where x.org_id = r.org_id and (x.id = r.id or (x.host_id = r.id and x.status = r.status));
  perform app_private.charge_registrations(r.org_id, e.title, (select array_agg(x.id) from app.registrations x where x.org_id = r.org_id and (x.id = r.id or x.host_id = r.id)));
end $$;
comment on function app_private.seat_registration(app.registrations, app.events, text, int) is 'Gives a registration its seat: at once where nothing is to be paid, else held until it is';

create function app.decide_registration(registration uuid, accept boolean, why text) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  h record;
  n app.event_counts;
  party int;
begin
  perform app_private.books_open(app.org_id());
  select * into h from app_private.registration_held(registration);
  if not h.runs then raise exception 'this is decided by those who run the event' using errcode = '42501', constraint = 'registration_decided'; end if;
  if (h.r).host_id is not null then raise exception 'decide about the host' using errcode = '23P01', constraint = 'registration_of_guest'; end if;
  if (h.r).status = 'pending_payment' and accept then
    update app.registrations x set status = 'confirmed', cause = 'confirmed', hold_until = null, confirmed_at = now()
      where x.org_id = (h.r).org_id and (x.id = registration or x.host_id = registration) and x.status = 'pending_payment';
    return;
  end if;
  if (h.r).status <> 'pending_approval' then raise exception 'this registration does not wait for approval' using errcode = '23P01', constraint = 'registration_move'; end if;
  if not accept then
    update app.registrations x set status = 'rejected', cause = 'rejected', reason = coalesce(why, ''), cancelled_at = now()
      where x.org_id = (h.r).org_id and (x.id = registration or x.host_id = registration) and x.status = 'pending_approval';
    return;
  end if;
  n := app_private.hold_event((h.r).org_id, (h.r).event_id);
  party := (select count(*) from app.registrations x where x.org_id = (h.r).org_id and (x.id = registration or x.host_id = registration) and x.status = 'pending_approval');
  if least(app_private.seats_left(h.e, n), app_private.tickets_left((h.r).org_id, (h.r).ticket_type_id)) >= party then
    perform app_private.seat_registration(h.r, h.e, 'approved', (h.e).offer_minutes);
  elsif (h.e).waiting_list and party = 1 and app_private.closes_at(h.e) > now() then
    update app.registrations x set status = 'waitlisted', cause = 'waiting', waiting_place = 1 + coalesce((select max(w.waiting_place) from app.registrations w where w.org_id = x.org_id and w.event_id = x.event_id), 0)
      where x.org_id = (h.r).org_id and x.id = registration;
  else
    raise exception 'this event is full' using errcode = '23P01', constraint = 'event_full';
  end if;
end $$;
comment on function app.decide_registration(uuid, boolean, text) is 'Approves or rejects a registration; one that waits for payment is confirmed without it';

create function app.answer_offer(registration uuid, accept boolean) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  h record;
begin
  if accept then perform app_private.books_open(app.org_id()); end if;
  select * into h from app_private.registration_held(registration);
  if (h.r).status <> 'offered' or (h.r).offer_until <= now() then
    raise exception 'this offer is over' using errcode = '23P01', constraint = 'registration_offer_over';
  end if;
  if accept then perform app_private.seat_registration(h.r, h.e, 'accepted', 15);
  else perform app.cancel_registration(registration, ''); end if;
end $$;
comment on function app.answer_offer(uuid, boolean) is 'Takes a seat that was offered, or gives it to the next';

create function app.transfer_registration(registration uuid, wanted jsonb) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  h record;
  person uuid := (wanted ->> 'personId')::uuid;
  called text := wanted ->> 'name';
  mail text := coalesce(wanted ->> 'email', '');
begin
  select * into h from app_private.registration_held(registration);
  if (h.r).status <> 'confirmed' then raise exception 'only a ticket that is confirmed goes to somebody else' using errcode = '23P01', constraint = 'registration_move'; end if;
  if not h.runs and coalesce((h.e).cancel_until, (h.e).starts_at) <= now() then
    raise exception 'the time to cancel is over' using errcode = '23P01', constraint = 'registration_cancel_late', detail = json_build_object('at', coalesce((h.e).cancel_until, (h.e).starts_at))::text;
  end if;
  if person is not null then
    select q.display_name, coalesce((select m.address from app.person_emails m where m.org_id = q.org_id and m.person_id = q.id order by m.is_primary desc limit 1), '') into called, mail
      from app.people q where q.org_id = (h.r).org_id and q.id = person and q.lifecycle not in ('deceased', 'erased', 'merged') and q.deleted_at is null;
    if called is null then raise exception 'there is no such person' using errcode = '23514', constraint = 'person_not_found'; end if;
    if exists (select from app.registrations x where x.org_id = (h.r).org_id and x.event_id = (h.r).event_id and x.person_id = person and x.status not in ('cancelled', 'rejected')) then
      raise exception 'this person is registered already' using errcode = '23P01', constraint = 'registration_exists';
    end if;
  end if;
  update app.registrations x set person_id = person, name = called, email = mail, answers = '[]', cause = 'transferred', ticket_version = x.ticket_version + 1
    where x.org_id = (h.r).org_id and x.id = registration;
end $$;
comment on function app.transfer_registration(uuid, jsonb) is 'Gives a ticket to somebody else; the code of the former one is not valid any more';

create function app.settle_registration(org uuid, registration uuid, paid boolean) returns text language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  actor app.actor_context := app.actor();
  r app.registrations;
  e app.events;
  n app.event_counts;
begin
  if actor.org_id is not null and actor.org_id <> org then raise exception 'not allowed' using errcode = '42501'; end if;
  if actor.org_id is null and not pg_has_role(session_user, 'app_worker', 'member') then raise exception 'not allowed' using errcode = '42501'; end if;
  perform app_private.books_open(org);
  select x.* into r from app.registrations x where x.org_id = org and x.id = registration;
  if r.id is null then return null; end if;
  n := app_private.hold_event(org, r.event_id);
  select x.* into r from app.registrations x where x.org_id = org and x.id = registration;
  select x.* into e from app.events x where x.org_id = org and x.id = r.event_id;
  if paid is distinct from app_private.registration_paid(org, registration) then
    raise exception 'the invoice says otherwise' using errcode = '23514', constraint = 'registration_not_paid';
  end if;
  if paid and r.status = 'pending_payment' then
    update app.registrations x set status = 'confirmed', cause = 'paid', hold_until = null, confirmed_at = now() where x.org_id = org and x.id = registration;
  elsif paid and r.status = 'cancelled' then
    -- Paid after its hold was over: the seat, if one is free and nobody waits for it; else the money goes back.
    if e.status = 'published' and e.ends_at > now() and n.waiting = 0 and least(app_private.seats_left(e, n), app_private.tickets_left(org, r.ticket_type_id)) > 0
      and not exists (select from app.registrations x where x.org_id = org and x.event_id = r.event_id and x.person_id = r.person_id and x.status not in ('cancelled', 'rejected')) then
      update app.registrations x set status = 'confirmed', cause = 'paid_late', confirmed_at = now(), cancelled_at = null, refund_amount = 0 where x.org_id = org and x.id = registration;
    else
      update app.registrations x set refund_amount = x.price_amount where x.org_id = org and x.id = registration;
    end if;
  elsif not paid and r.status = 'confirmed' then
    update app.registrations x set status = 'cancelled', cause = 'payment_reversed', cancelled_at = now() where x.org_id = org and x.id = registration;
    perform app_private.offer_seats(org, r.event_id);
  elsif not paid then
    update app.registrations x set refund_amount = 0 where x.org_id = org and x.id = registration and x.refund_amount > 0;
  end if;
  return (select x.status from app.registrations x where x.org_id = org and x.id = registration);
end $$;
comment on function app.settle_registration(uuid, uuid, boolean) is 'What follows when the invoice of a registration is paid, or is not any more; its status then';

create function app.waiting_position(registration uuid) returns int language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return (select count(*)::int from app.registrations r join app.registrations w on w.org_id = r.org_id and w.event_id = r.event_id and w.status = 'waitlisted' and w.waiting_place <= r.waiting_place
    where r.org_id = (select app.org_id()) and r.id = registration and r.status = 'waitlisted');
end $$;
comment on function app.waiting_position(uuid) is 'How many wait up to this one, itself included; 0 for one that does not wait';

-- A cancelled event ends what was pending, and notes what goes back; a higher capacity is offered to those who wait.
create function app_private.events_move_registrations() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  ev record;
begin
  for ev in select c.org_id, c.id, c.status <> b.status and c.status = 'cancelled' as cancelled from changed c join before b on b.org_id = c.org_id and b.id = c.id
      where (c.status <> b.status and c.status = 'cancelled') or (c.status = 'published' and c.capacity is distinct from b.capacity) order by c.id loop
    perform app_private.hold_event(ev.org_id, ev.id);
    if ev.cancelled then
      update app.registrations r set status = 'cancelled', cause = 'event_cancelled', cancelled_at = now(), hold_until = null, offer_until = null, waiting_place = null
        where r.org_id = ev.org_id and r.event_id = ev.id and r.status in ('pending_approval', 'pending_payment', 'waitlisted', 'offered');
      update app.registrations r set refund_amount = r.price_amount
        where r.org_id = ev.org_id and r.event_id = ev.id and r.status in ('confirmed', 'checked_in') and r.price_amount > 0 and app_private.registration_paid(r.org_id, r.id);
    else
      perform app_private.offer_seats(ev.org_id, ev.id);
    end if;
  end loop;
  return null;
end $$;
comment on function app_private.events_move_registrations() is 'What a cancelled event or another capacity means for registrations';
create trigger events_move_registrations after update on app.events referencing old table as before new table as changed for each statement execute function app_private.events_move_registrations();

create function app_private.tickets_offer() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  ev record;
begin
  for ev in select distinct c.org_id, c.event_id from changed c join before b on b.org_id = c.org_id and b.id = c.id where c.quota is distinct from b.quota order by c.event_id loop
    perform app_private.offer_seats(ev.org_id, ev.event_id);
  end loop;
  return null;
end $$;
comment on function app_private.tickets_offer() is 'More tickets of a type are offered to those who wait for one';
create trigger tickets_offer after update on app.event_ticket_types referencing old table as before new table as changed for each statement execute function app_private.tickets_offer();

-- The door --------------------------------------------------------------------------------------------------------------------------

create function app.check_in(event uuid, registration uuid, wanted jsonb) returns jsonb language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org constant uuid := app.org_id();
  e app.events;
  r app.registrations;
  c app.check_ins;
  at_list text := coalesce(wanted ->> 'list', '');
  scanned timestamptz := least(coalesce((wanted ->> 'at')::timestamptz, now()), now());
begin
  select * into e from app.events x where x.org_id = org and x.id = event;
  if e.id is null or not (app_private.runs_event(e, 'events.checkin') or app_private.runs_event(e, 'events.manage')) then raise exception 'not allowed' using errcode = '42501'; end if;
  perform app_private.hold_event(org, event);
  select * into c from app.check_ins x where x.org_id = org and x.event_id = event and x.client_id = wanted ->> 'clientId';
  if found then
    -- The same scan, sent again.
    return jsonb_build_object('result', 'checked_in', 'again', true, 'checkInId', c.id, 'registrationId', c.registration_id);
  end if;
  select * into r from app.registrations x where x.org_id = org and x.event_id = event and x.id = registration;
  if r.id is null then return jsonb_build_object('result', 'unknown'); end if;
  select * into c from app.check_ins x where x.org_id = org and x.registration_id = r.id and x.list = at_list and x.undone_at is null;
  if found then
    -- Of two scans from devices without network the earlier one counts as the first.
    if scanned < c.scanned_at then
      update app.check_ins x set scanned_at = scanned, device = coalesce(wanted ->> 'device', ''), account_id = app.account_id(),
          by_name = coalesce((select a.name from app.accounts a where a.org_id = org and a.id = app.account_id()), '') where x.org_id = org and x.id = c.id returning * into c;
    end if;
    return jsonb_build_object('result', 'already', 'checkInId', c.id, 'registrationId', r.id);
  end if;
  if r.status not in ('confirmed', 'checked_in') then return jsonb_build_object('result', 'not_confirmed', 'registrationId', r.id); end if;
  if wanted ->> 'ticketVersion' is not null and (wanted ->> 'ticketVersion')::int <> r.ticket_version then return jsonb_build_object('result', 'transferred', 'registrationId', r.id); end if;
  if r.status = 'confirmed' and at_list = '' then
    update app.registrations x set status = 'checked_in', cause = 'checked_in', checked_in_at = scanned where x.org_id = org and x.id = r.id;
  end if;
  insert into app.check_ins (org_id, event_id, registration_id, list, client_id, device, scanned_at, account_id, by_name)
    values (org, event, r.id, at_list, wanted ->> 'clientId', coalesce(wanted ->> 'device', ''), scanned, app.account_id(),
      coalesce((select a.name from app.accounts a where a.org_id = org and a.id = app.account_id()), ''))
    returning * into c;
  return jsonb_build_object('result', 'checked_in', 'checkInId', c.id, 'registrationId', r.id);
end $$;
comment on function app.check_in(uuid, uuid, jsonb) is 'Lets somebody in, once on each list; a scan that is sent again changes nothing, and of two the earlier one counts';

create function app.undo_check_in(check_in uuid) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org constant uuid := app.org_id();
  c app.check_ins;
  e app.events;
begin
  select * into c from app.check_ins x where x.org_id = org and x.id = check_in;
  select * into e from app.events x where x.org_id = org and x.id = c.event_id;
  if e.id is null or not (app_private.runs_event(e, 'events.checkin') or app_private.runs_event(e, 'events.manage')) then raise exception 'not allowed' using errcode = '42501'; end if;
  perform app_private.hold_event(org, c.event_id);
  update app.check_ins x set undone_at = now() where x.org_id = org and x.id = check_in and x.undone_at is null;
  if not found then return; end if;
  update app.registrations x set status = 'confirmed', cause = 'check_in_undone', checked_in_at = null
    where x.org_id = org and x.id = c.registration_id and x.status = 'checked_in' and c.list = '';
end $$;
comment on function app.undo_check_in(uuid) is 'Takes a check-in back; a second time changes nothing';

select app_private.own_definers();
revoke execute on function app.takes_seat(text), app.registration_may_become(text, text), app_private.closes_at(app.events), app_private.seats_left(app.events, app.event_counts), app_private.event_ledger_stays() from public;
grant execute on function app.takes_seat(text), app.registration_may_become(text, text) to app_access, app_definer, app_worker;
grant execute on function app_private.closes_at(app.events), app_private.seats_left(app.events, app.event_counts) to app_definer;
grant execute on function app.my_events(), app.my_registrations(), app.my_seats(), app.event_reconciled(uuid), app.register_for_event(uuid, jsonb), app.cancel_registration(uuid, text), app.decide_registration(uuid, boolean, text),
  app.answer_offer(uuid, boolean), app.transfer_registration(uuid, jsonb), app.waiting_position(uuid), app.check_in(uuid, uuid, jsonb), app.undo_check_in(uuid) to app_access, app_definer;
grant execute on function app.settle_registration(uuid, uuid, boolean) to app_access, app_worker;
grant execute on function app.run_registrations(uuid, int) to app_worker;
