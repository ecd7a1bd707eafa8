-- What those who run an event need beside its door: seats they offer themselves, paid registrations they approve, and devices that hear of each other.

-- Who runs an event by a grant for it, as its staff or by its group holds no permission in its chapter, but orders its tickets for others all the same.
alter table app_private.invoice_subjects add column runs text;
comment on column app_private.invoice_subjects.runs is 'Query with $1 organisation and $2 subject: whether the caller orders it for others without the permission in its chapter; null: nobody does';
update app_private.invoice_subjects set runs =
  $$select app_private.runs_event(e, 'events.manage') from app.registrations r join app.events e on e.org_id = r.org_id and e.id = r.event_id where r.org_id = $1 and r.id = $2$$
  where name = 'event_registration';

create or replace function app_private.orders(org uuid, wanted app.invoices) returns boolean language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  line app.invoice_lines;
  kind app_private.invoice_subjects;
  owed record;
  runs boolean;
begin
  for line in select * from app.invoice_lines l where l.org_id = org and l.invoice_id = wanted.id loop
    select * into kind from app_private.invoice_subjects s where s.name = line.subject_type;
    if not found then return false; end if;
    execute format('select o.person_id, o.chapter_id, o.amount, o.currency from (%s) o (person_id, chapter_id, amount, currency)', kind.owed) into owed using org, line.subject_id;
    if owed is null or owed.person_id is distinct from wanted.person_id or owed.amount <> line.net_amount or owed.currency <> wanted.currency then return false; end if;
    if owed.person_id = app.person_id() or app.everywhere(kind.manages) or coalesce(owed.chapter_id = any (app.scope(kind.manages)), false) then continue; end if;
    if kind.runs is null then return false; end if;
    execute kind.runs into runs using org, line.subject_id;
    if not coalesce(runs, false) then return false; end if;
  end loop;
  return true;
end $$;

create function app.offer_registration(registration uuid) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  h record;
  n app.event_counts;
begin
  select * into h from app_private.registration_held(registration);
  if not h.runs then raise exception 'this is decided by those who run the event' using errcode = '42501', constraint = 'registration_decided'; end if;
  if (h.r).status <> 'waitlisted' or (h.e).status <> 'published' then
    raise exception 'only somebody on the waiting list is offered a seat' using errcode = '23P01', constraint = 'registration_move';
  end if;
  n := app_private.hold_event((h.r).org_id, (h.r).event_id);
  if least(app_private.seats_left(h.e, n), app_private.tickets_left((h.r).org_id, (h.r).ticket_type_id)) < 1 then
    raise exception 'this event is full' using errcode = '23P01', constraint = 'event_full';
  end if;
  update app.registrations x set status = 'offered', cause = 'offered',
      offer_until = least(now() + make_interval(mins => (h.e).offer_minutes), greatest((h.e).starts_at, now() + interval '15 minutes'))
    where x.org_id = (h.r).org_id and x.id = registration;
end $$;
comment on function app.offer_registration(uuid) is 'Offers a free seat to somebody on the waiting list, also once registration has closed and seats are no longer offered by themselves';

-- A second device at the door counts along. A message names the event; what a reader is told is read anew, with the reader's rights.
create function app.tell_event() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform pg_notify('guildhall', concat_ws(' ', 'event', c.org_id, c.event_id)) from (select distinct r.org_id, r.event_id from changed r) c;
  return null;
end $$;
comment on function app.tell_event() is 'Who comes to an event has changed';
create function app.event_is_seen(event uuid) returns boolean language sql stable set search_path = pg_catalog, pg_temp as $$
  select exists (select from app.events e where e.id = event)
$$;
comment on function app.event_is_seen(uuid) is 'Whether the policies of the caller show an event';
revoke execute on function app.event_is_seen(uuid) from public;
grant execute on function app.event_is_seen(uuid) to app_access;
create trigger event_counts_tell after update on app.event_counts referencing new table as changed for each statement execute function app.tell_event();

-- Devices without network take over what changed since they last asked.
create index registrations_by_change on app.registrations (org_id, event_id, updated_at, id);

select app_private.own_definers();
grant execute on function app.offer_registration(uuid) to app_access;
