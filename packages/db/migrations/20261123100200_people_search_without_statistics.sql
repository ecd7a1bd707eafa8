-- A search for addresses answers in good time also while the statistics know only other organisations.

create or replace function app_private.people_search_found(c record, cap int) returns text
  language plpgsql immutable set search_path = pg_catalog, pg_temp as $$
declare
  common constant int := 1000;
  -- People may have several addresses, so more of them are read than people are counted.
  addresses constant int := 2 * cap;
  -- People are looked up one by one, which the offset makes sure of: patterns are guessed to fit far more than they do, and everybody would be read
  -- for a handful. They are looked up by the organisation of the address, not by its id: of an organisation that has just imported its people nothing
  -- is known yet, and by an id that seems to have nobody any index that begins with it would do, which is read whole for each. Most addresses are made
  -- of the name, so few are left whom the names have not found already.
  also constant text := '(select p.id, p.sort_name from app.%s c cross join lateral (select p.* from app.people p where p.org_id = c.org_id and p.id = c.person_id and p.deleted_at is null and %s offset 0) p
    where (select total from names) <= %s and not exists (select from n where n.id = c.person_id) and %s limit %L)';
  further text := concat_ws(' union all ', case when c.emails is not null then format(also, 'person_emails', c.seen, common, c.emails, addresses) end,
    case when c.phones is not null then format(also, 'person_phones', c.seen, common, c.phones, addresses) end);
begin
  return format('n as materialized (select p.id, p.sort_name from app.people p where %1$s and %2$s limit %3$L), names as materialized (select count(*)::int as total from n)',
      c.people, c.names, cap)
    || case when further = '' then ', m as (select n.id, n.sort_name from n), matches as materialized (select total from names)'
      else format(', a as materialized (%1$s)
      , m as materialized (select n.id, n.sort_name from n union all select distinct a.id, a.sort_name from a)
      , matches as materialized (select case when (select count(*) from a) >= %3$L then %2$L::int else count(*)::int end as total from m)',
        further, cap, addresses) end;
end $$;
