-- Registrations as another system kept them, most of all who came to events that are over. Nothing is invoiced, refunded or mailed by an import.

grant delete on app.registrations to app_definer;

create function app.import_registrations(rows jsonb) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare org constant uuid := app.org_id();
begin
  perform app_private.hold_event(org, x.event_id) from (select distinct (r ->> 'event_id')::uuid as event_id from jsonb_array_elements(rows) r order by 1) x;
  if exists (select from (select distinct (r ->> 'event_id')::uuid as id from jsonb_array_elements(rows) r) x left join app.events e on e.org_id = org and e.id = x.id
      where e.id is null or e.template_name is not null or e.status not in ('published', 'archived') or e.cancelled_at is not null or not app_private.runs_event(e, 'events.manage')) then
    raise exception 'not allowed' using errcode = '42501';
  end if;
  if exists (select from jsonb_to_recordset(rows) x (event_id uuid, status text, checked_in_at timestamptz) join app.events e on e.org_id = org and e.id = x.event_id
      where x.status = 'checked_in' and (e.starts_at > now() or x.checked_in_at > now())) then
    raise exception 'nobody was at an event that has not begun' using errcode = '23514', constraint = 'event_not_begun';
  end if;
  insert into app.registrations (org_id, id, event_id, chapter_id, group_id, person_id, ticket_type_id, status, cause, name, email, source, waiting_place, confirmed_at, cancelled_at,
      checked_in_at, created_by, created_at, updated_at, price_amount, price_currency)
    select org, x.id, e.id, e.chapter_id, e.group_id, p.id, t.id, x.status, case x.status when 'confirmed' then 'registered' when 'waitlisted' then 'waiting' else x.status end,
      left(coalesce(p.display_name, x.name), 200), coalesce(case when p.id is null then x.email end,
        (select m.address from app.person_emails m where m.org_id = org and m.person_id = p.id order by m.is_primary desc, m.created_at, m.id limit 1), ''),
      'import', case when x.status = 'waitlisted' then (select coalesce(max(w.waiting_place), 0) from app.registrations w where w.org_id = org and w.event_id = e.id)
        + row_number() over (partition by e.id, x.status order by x.registered_on, x.id) end,
      case when x.status in ('confirmed', 'checked_in') then d.at end, case when x.status = 'cancelled' then d.at end, case when x.status = 'checked_in' then coalesce(x.checked_in_at, e.starts_at) end,
      app.account_id(), d.at, now(), 0, o.currency
    from jsonb_to_recordset(rows) x (id uuid, event_id uuid, person_id uuid, ticket_type_id uuid, status text, name text, email text, registered_on date, checked_in_at timestamptz)
    join app.organisations o on o.org_id = org
    join app.events e on e.org_id = org and e.id = x.event_id
    left join app.people p on p.org_id = org and p.id = x.person_id
    left join app.event_ticket_types t on t.org_id = org and t.event_id = e.id and t.id = x.ticket_type_id
    cross join lateral (select least(now(), coalesce((x.registered_on + time '12:00') at time zone e.timezone, e.starts_at)) as at) d;
  insert into app.check_ins (org_id, event_id, registration_id, client_id, device, scanned_at)
    select org, r.event_id, r.id, 'import-' || r.id, 'Import', r.checked_in_at from app.registrations r
    where r.org_id = org and r.id in (select (x ->> 'id')::uuid from jsonb_array_elements(rows) x) and r.status = 'checked_in';
end $$;
comment on function app.import_registrations(jsonb) is 'Registrations that another system kept. For those who manage the events; more than there are seats are refused';

create function app.remove_imported_registrations(keys jsonb) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org constant uuid := app.org_id();
  wanted uuid[] := array(select (k -> 'key' ->> 'id')::uuid from jsonb_array_elements(keys) k);
  removed int;
begin
  perform app_private.hold_event(org, x.event_id) from (select distinct r.event_id from app.registrations r where r.org_id = org and r.id = any (wanted) order by 1) x;
  if exists (select from app.registrations r join app.events e on e.org_id = org and e.id = r.event_id where r.org_id = org and r.id = any (wanted)
      and (r.source <> 'import' or not app_private.runs_event(e, 'events.manage'))) then
    raise exception 'not allowed' using errcode = '42501';
  end if;
  -- The ledger is only ever added to: it says that the seats are free again.
  perform app_private.book_moves(m.moves) from (select array_agg((org, r.event_id, r.id, r.ticket_type_id, r.name, r.status, 'cancelled', 'withdrawn')::app_private.seat_move order by r.id) as moves
    from app.registrations r where r.org_id = org and r.id = any (wanted) and r.status not in ('cancelled', 'rejected')) m where m.moves is not null;
  update app.event_counts n set cancelled = n.cancelled - g.gone
    from (select r.event_id, count(*)::int as gone from app.registrations r where r.org_id = org and r.id = any (wanted) group by r.event_id) g
    where n.org_id = org and n.event_id = g.event_id;
  delete from app.registrations r where r.org_id = org and r.id = any (wanted);
  get diagnostics removed = row_count;
  return removed;
end $$;
comment on function app.remove_imported_registrations(jsonb) is 'Removes registrations that an import brought, for its undo, and gives back their seats; how many';

select app_private.own_definers();
grant execute on function app.import_registrations(jsonb), app.remove_imported_registrations(jsonb) to app_access;
