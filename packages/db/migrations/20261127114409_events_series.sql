-- Events that repeat: each date is an event of its own, made ahead of time up to a horizon, and by the worker from then on.

alter table app.events add column repeats jsonb check (jsonb_typeof(repeats) = 'object' and octet_length(repeats::text) <= 500);
comment on column app.events.repeats is 'How a draft is going to repeat once it is published; from then on its series says so';
grant insert (repeats), update (repeats) on app.events to app_access;
alter table app.event_series add column made_until date;
update app.event_series s set made_until = s.until_on;
comment on column app.event_series.made_until is 'Up to which day its events have been made';
create index event_series_growing on app.event_series (org_id, made_until) where made_until < until_on;
grant insert, update on app.event_series to app_definer;
grant insert on app.events, app.event_links, app.event_programme, app.event_ticket_types, app.event_promo_codes, app.event_questions to app_definer;
grant insert on app.event_staff to app_definer;

create function app_private.grow_series(org uuid, series uuid, days date[], made date) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  s app.event_series;
  e app.events;
  twins jsonb;
begin
  select * into s from app.event_series x where x.org_id = org and x.id = series for update;
  if s.id is null then return 0; end if;
  update app.event_series x set made_until = greatest(x.made_until, made) where x.org_id = org and x.id = series;
  -- What was changed for all that follow is on the last one that was not changed for itself.
  select * into e from app.events x where x.org_id = org and x.series_id = series and x.status = 'published' and not x.series_exception order by x.starts_at desc limit 1;
  if e.id is null then return 0; end if;
  select jsonb_agg(jsonb_build_object('id', app.uuid7(), 'day', d.day, 'later', d.day - e.starts_local::date)) into twins
    from unnest(days) d (day) where d.day <= s.until_on and d.day > coalesce(s.made_until, s.starts_local::date)
      and not exists (select from app.events x where x.org_id = org and x.series_id = series and x.starts_local::date = d.day);
  if twins is null then return 0; end if;
  insert into app.events (org_id, id, chapter_id, group_id, title, summary, description, status, kind, starts_at, ends_at, timezone, mode, venue_name, venue_address, venue_latitude, venue_longitude, capacity,
      visibility, needs_approval, waiting_list, offer_minutes, guests_per_person, shows_attendees, registration_opens_at, registration_closes_at, cancel_until, cover_file_id, series_id, published_at, created_by)
    select org, t.id, e.chapter_id, e.group_id, e.title, e.summary, e.description, 'published', e.kind, n.starts_at, greatest(n.ends_at, n.starts_at + interval '1 minute'), e.timezone, e.mode, e.venue_name, e.venue_address,
      e.venue_latitude, e.venue_longitude, e.capacity, e.visibility, e.needs_approval, e.waiting_list, e.offer_minutes, e.guests_per_person, e.shows_attendees,
      app_private.days_later(e.registration_opens_at, e.timezone, t.later), app_private.days_later(e.registration_closes_at, e.timezone, t.later), app_private.days_later(e.cancel_until, e.timezone, t.later),
      e.cover_file_id, series, now(), e.created_by
    from jsonb_to_recordset(twins) t (id uuid, day date, later int)
    cross join lateral (select app_private.days_later(e.starts_at, e.timezone, t.later) as starts_at, app_private.days_later(e.ends_at, e.timezone, t.later) as ends_at) n;
  insert into app.event_links (org_id, event_id, url, note)
    select org, t.id, l.url, l.note from jsonb_to_recordset(twins) t (id uuid) join app.event_links l on l.org_id = org and l.event_id = e.id;
  insert into app.event_programme (org_id, event_id, place, title, starts_at, ends_at, room, speaker, about)
    select org, t.id, p.place, p.title, app_private.days_later(p.starts_at, e.timezone, t.later), app_private.days_later(p.ends_at, e.timezone, t.later), p.room, p.speaker, p.about
    from jsonb_to_recordset(twins) t (id uuid, later int) join app.event_programme p on p.org_id = org and p.event_id = e.id;
  insert into app.event_ticket_types (org_id, event_id, place, name, description, price_amount, price_currency, member_price_amount, quota, audience, sells_from, sells_until, min_per_order, max_per_order)
    select org, t.id, k.place, k.name, k.description, k.price_amount, k.price_currency, k.member_price_amount, k.quota, k.audience, app_private.days_later(k.sells_from, e.timezone, t.later),
      app_private.days_later(k.sells_until, e.timezone, t.later), k.min_per_order, k.max_per_order
    from jsonb_to_recordset(twins) t (id uuid, later int) join app.event_ticket_types k on k.org_id = org and k.event_id = e.id and k.archived_at is null;
  insert into app.event_promo_codes (org_id, event_id, code, ticket_type_id, percent, amount, uses_limit, valid_from, valid_until)
    select org, t.id, c.code, n.id, c.percent, c.amount, c.uses_limit, app_private.days_later(c.valid_from, e.timezone, t.later), app_private.days_later(c.valid_until, e.timezone, t.later)
    from jsonb_to_recordset(twins) t (id uuid, later int) join app.event_promo_codes c on c.org_id = org and c.event_id = e.id and c.archived_at is null
    left join app.event_ticket_types k on k.org_id = org and k.id = c.ticket_type_id left join app.event_ticket_types n on n.org_id = org and n.event_id = t.id and n.place = k.place
    where c.ticket_type_id is null or n.id is not null;
  insert into app.event_questions (org_id, event_id, place, text, kind, required, options, of_guests)
    select org, t.id, q.place, q.text, q.kind, q.required, q.options, q.of_guests
    from jsonb_to_recordset(twins) t (id uuid) join app.event_questions q on q.org_id = org and q.event_id = e.id and q.archived_at is null;
  insert into app.event_staff (org_id, event_id, person_id, role)
    select org, t.id, f.person_id, f.role from jsonb_to_recordset(twins) t (id uuid) join app.event_staff f on f.org_id = org and f.event_id = e.id;
  return jsonb_array_length(twins);
end $$;
comment on function app_private.grow_series(uuid, uuid, date[], date) is 'Makes the events of these days of a series, each like the last one, except where there is one that day; how many';

create function app_private.days_later(at timestamptz, zone text, days int) returns timestamptz language sql stable set search_path = pg_catalog, pg_temp as $$
  select ((at at time zone zone) + make_interval(days => days)) at time zone zone
$$;
comment on function app_private.days_later(timestamptz, text, int) is 'So many days later at the same time of day, across daylight saving';

create function app.start_series(event uuid, rule text, until_on date, days date[], made date) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org constant uuid := app.org_id();
  e app.events;
  made_id uuid;
begin
  select * into e from app.events x where x.org_id = org and x.id = event for update;
  if e.id is null or not app_private.runs_event(e, 'events.publish') then raise exception 'not allowed' using errcode = '42501', constraint = 'event_publish'; end if;
  if e.series_id is not null or e.status <> 'published' then raise exception 'only a published event outside a series begins one' using errcode = '23P01', constraint = 'event_series_rule'; end if;
  insert into app.event_series (org_id, rule, timezone, starts_local, until_on, created_by) values (org, rule, e.timezone, e.starts_local, until_on, app.account_id()) returning id into made_id;
  update app.events x set series_id = made_id, repeats = null where x.org_id = org and x.id = event;
  return app_private.grow_series(org, made_id, days, made);
end $$;
comment on function app.start_series(uuid, text, date, date[], date) is 'Makes a published event the first of a series, with events on these days; how many were made';

create function app.end_series(event uuid) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org constant uuid := app.org_id();
  e app.events;
begin
  select * into e from app.events x where x.org_id = org and x.id = event;
  if e.id is null or not app_private.runs_event(e, 'events.publish') then raise exception 'not allowed' using errcode = '42501', constraint = 'event_publish'; end if;
  update app.event_series s set until_on = greatest(s.starts_local::date, least(s.until_on, e.starts_local::date)) where s.org_id = org and s.id = e.series_id;
end $$;
comment on function app.end_series(uuid) is 'Lets the series of an event make none after it';

create function app.series_due(org uuid, horizon date) returns setof app.event_series language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  if (app.actor()).org_id is not null or not pg_has_role(session_user, 'app_worker', 'member') then raise exception 'not allowed' using errcode = '42501'; end if;
  return query select * from app.event_series s where s.org_id = org and s.made_until < s.until_on and s.made_until < horizon order by s.id limit 50;
end $$;
comment on function app.series_due(uuid, date) is 'Series whose next events are to be made up to a day';

create function app.run_series(org uuid, series uuid, days date[], made date) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if (app.actor()).org_id is not null or not pg_has_role(session_user, 'app_worker', 'member') then raise exception 'not allowed' using errcode = '42501'; end if;
  return app_private.grow_series(org, series, days, made);
end $$;
comment on function app.run_series(uuid, uuid, date[], date) is 'Makes the next events of a series; how many';

select app_private.own_definers();
revoke execute on function app_private.days_later(timestamptz, text, int) from public;
grant execute on function app_private.days_later(timestamptz, text, int) to app_definer;
grant execute on function app.start_series(uuid, text, date, date[], date), app.end_series(uuid) to app_access;
grant execute on function app.series_due(uuid, date), app.run_series(uuid, uuid, date[], date) to app_worker;
