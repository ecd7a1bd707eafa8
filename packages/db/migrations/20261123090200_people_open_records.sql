-- Who acts is asked first, and people are looked up one by one: over a table of which nothing is known yet, the join read everybody for each row.

create or replace function app.person_record_guard() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare state text;
begin
  -- What goes with a row that goes, such as the members of a group, is nobody's change of a person.
  if pg_trigger_depth() > 1 or (app.actor()).org_id is null then return null; end if;
  select p.lifecycle into state from (select distinct c.org_id, c.person_id from changed c) c
    cross join lateral (select x.lifecycle, x.created_at from app.people x where x.org_id = c.org_id and x.id = c.person_id offset 0) p
    where p.lifecycle = any (string_to_array(tg_argv[0], ',')) and p.created_at <> now()
    order by p.lifecycle = 'erased' desc, p.lifecycle = 'merged' desc limit 1;
  if state is not null then perform app_private.refuse_closed(state); end if;
  return null;
end $$;
