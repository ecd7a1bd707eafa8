-- How people arrange their own screens (theme, pins, hidden cards of home) is nobody else's to read, and no change of the organisation.

create or replace function app.audit_update() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare org uuid;
begin
  -- What triggers themselves update of people (home chapter, majority) follows from other rows, whose entries say it all.
  if tg_table_name = 'people' and pg_trigger_depth() > 1 then return null; end if;
  for org in select distinct r.org_id from changed r loop
    -- Keys never change, so both transition tables pair up by the key column; an equality, so that many rows are hashed instead of compared each with each.
    perform app_private.audit_append(org, 'update', tg_table_name, tg_argv[0], array_agg(b.content), array_agg(a.content))
      from (select to_jsonb(r) - 'preferences' as content from before r where r.org_id = org) b
      join (select to_jsonb(r) - 'preferences' as content from changed r where r.org_id = org) a
        on coalesce(b.content ->> 'id', b.content ->> 'person_id', b.content ->> 'org_id') = coalesce(a.content ->> 'id', a.content ->> 'person_id', a.content ->> 'org_id');
  end loop;
  return null;
end $$;
