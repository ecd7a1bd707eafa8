-- Another rule for those events of a series that are still to come: they begin a series of their own.

create function app.split_series(event uuid, rule text, until_on date, days date[], made date, stay uuid[], alone uuid[]) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org constant uuid := app.org_id();
  e app.events;
  s app.event_series;
  made_id uuid;
begin
  select * into e from app.events x where x.org_id = org and x.id = event;
  if e.id is null or not app_private.runs_event(e, 'events.publish') then raise exception 'not allowed' using errcode = '42501', constraint = 'event_publish'; end if;
  select * into s from app.event_series x where x.org_id = org and x.id = e.series_id for update;
  if s.id is null or e.status <> 'published' or e.starts_at <= now() then raise exception 'only an event of a series that is to come begins another one' using errcode = '23P01', constraint = 'event_series_over'; end if;
  if exists (select from unnest(stay || alone) w (id) where not exists (select from app.events x where x.org_id = org and x.id = w.id and x.series_id = s.id and x.starts_at >= e.starts_at)) then
    raise exception 'not an event of this series' using errcode = '23514';
  end if;
  insert into app.event_series (org_id, rule, timezone, starts_local, until_on, created_by) values (org, rule, e.timezone, e.starts_local, until_on, app.account_id()) returning id into made_id;
  update app.events x set series_id = made_id, series_exception = x.series_exception and x.id <> event where x.org_id = org and x.id = any (stay || event);
  update app.events x set series_id = null, series_exception = false where x.org_id = org and x.id = any (alone);
  -- What is left of the series before it grows no more.
  update app.event_series x set until_on = greatest(x.starts_local::date, e.starts_local::date - 1), made_until = greatest(x.made_until, x.starts_local::date, e.starts_local::date - 1)
    where x.org_id = org and x.id = s.id;
  return app_private.grow_series(org, made_id, days, made);
end $$;
comment on function app.split_series(uuid, text, date, date[], date, uuid[], uuid[]) is 'Begins another series with an event of a series that is to come: these stay in it, those stand alone from now on, and what its days have besides is made; how many were made';

select app_private.own_definers();
grant execute on function app.split_series(uuid, text, date, date[], date, uuid[], uuid[]) to app_access;
