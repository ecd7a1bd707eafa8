-- What stands on the tile of a connection, counted once for all of a page.

create function app.connection_figures(wanted uuid[]) returns table (connection_id uuid, records int, open_errors int, waiting int, strip jsonb)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  org constant uuid := app.org_id();
  zone constant text := (select o.timezone from app.organisations o where o.org_id = org);
  today constant date := (now() at time zone zone)::date;
  seen constant uuid[] := app.seen_connections();
begin
  return query select c.id,
    (select count(*)::int from app.external_refs r where r.org_id = org and r.connection_id = c.id and r.state = 'tied'),
    (select count(*)::int from app.sync_errors e where e.org_id = org and e.connection_id = c.id and e.state = 'open'),
    (select count(*)::int from app.sync_changes s where s.org_id = org and s.connection_id = c.id and s.state = 'waiting'),
    (select jsonb_agg(jsonb_build_object('day', to_char(d.day, 'YYYY-MM-DD'), 'runs', coalesce(s.runs, 0), 'failed', coalesce(s.failed, 0), 'errors', coalesce(s.errors, 0),
        'in', coalesce(s.came, 0), 'out', coalesce(s.went, 0)) order by d.day)
      from (select today - 13 + n as day from generate_series(0, 13) n) d
      left join (
        select (r.created_at at time zone zone)::date as day, count(*)::int as runs, (count(*) filter (where r.state = 'failed'))::int as failed,
          sum(coalesce((r.counts_in ->> 'failed')::int, 0) + coalesce((r.counts_out ->> 'failed')::int, 0))::int as errors,
          sum(coalesce((r.counts_in ->> 'created')::int, 0) + coalesce((r.counts_in ->> 'updated')::int, 0))::int as came,
          sum(coalesce((r.counts_out ->> 'created')::int, 0) + coalesce((r.counts_out ->> 'updated')::int, 0))::int as went
        from app.sync_runs r where r.org_id = org and r.connection_id = c.id and not r.is_dry and r.created_at >= (today - 13)::timestamp at time zone zone
        group by 1) s on s.day = d.day)
  from app.connections c where c.org_id = org and c.id = any (wanted) and c.id = any (seen);
end $$;
comment on function app.connection_figures(uuid[]) is 'Records tied, rows that failed and are open, changes that wait, and the last 14 days, of connections that the actor sees';

select app_private.own_definers();
grant execute on function app.connection_figures(uuid[]) to app_access;
