-- Relationships that another system or a list of pairs kept. A check tries the rows and takes them back, so that it says what a run will.

create function app_private.insert_relationships(rows jsonb) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org constant uuid := app.org_id();
  me constant uuid := app.person_id();
  today constant date := app.today();
  -- Who decides about all is not asked pair by pair.
  wide constant boolean := app.everywhere('relationships.manage') and app.everywhere('people.sensitive') and app.everywhere('people.contact');
begin
  perform app_private.lock_relationships(org, array(select unnest(array[x.from_person_id, x.to_person_id]) from jsonb_to_recordset(rows) x (from_person_id uuid, to_person_id uuid)),
    array(select distinct x.type_id from jsonb_to_recordset(rows) x (type_id uuid)));
  if exists (select from jsonb_to_recordset(rows) x (type_id uuid, from_person_id uuid, to_person_id uuid)
      left join app.relationship_types t on t.org_id = org and t.id = x.type_id
      where t.id is null or not (case when wide then coalesce(me not in (x.from_person_id, x.to_person_id), true)
          and exists (select from app.people p where p.org_id = org and p.id = x.from_person_id) and exists (select from app.people p where p.org_id = org and p.id = x.to_person_id)
        else app_private.relationship_office(t, x.from_person_id, x.to_person_id) end)) then
    raise exception 'relationships of these two are recorded by others' using errcode = '42501', constraint = 'relationship_not_yours';
  end if;
  insert into app.relationships (org_id, id, type_id, from_person_id, to_person_id, state, starts_on, ends_on, note, proposed_by, answered_by, answered_at)
    select org, coalesce((x.v ->> 'id')::uuid, app.uuid7()), (x.v ->> 'type_id')::uuid, (x.v ->> 'from_person_id')::uuid, (x.v ->> 'to_person_id')::uuid,
      case when (x.v ->> 'ends_on')::date < today then 'ended' else 'active' end, (x.v ->> 'starts_on')::date, (x.v ->> 'ends_on')::date, coalesce(x.v ->> 'note', ''),
      app.account_id(), app.account_id(), now()
    from jsonb_array_elements(rows) with ordinality x (v, place) order by x.place;
end $$;
comment on function app_private.insert_relationships(jsonb) is 'Records relationships of others as an officer; one rule that is broken refuses all';

create function app.import_relationships(rows jsonb) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform app_private.insert_relationships(rows);
end $$;
comment on function app.import_relationships(jsonb) is 'Relationships of an import, for officers; nobody imports their own';

create function app_private.try_relationships(rows jsonb) returns jsonb language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  many constant int := jsonb_array_length(rows);
  broken text;
  more text;
begin
  if many = 0 then return '[]'; end if;
  begin
    perform app_private.insert_relationships(rows);
    return '[]';
  exception when integrity_constraint_violation or insufficient_privilege then
    get stacked diagnostics broken = constraint_name, more = pg_exception_detail;
  end;
  if many = 1 then
    return jsonb_build_array(jsonb_build_object('line', rows -> 0 -> 'line', 'rule', broken, 'params', case when more like '{%' then more::jsonb else '{}'::jsonb end));
  end if;
  -- By halves, the first one first: of two rows that exclude each other the earlier one counts.
  return app_private.try_relationships(jsonb_path_query_array(rows, '$[0 to $last]', jsonb_build_object('last', many / 2 - 1)))
    || app_private.try_relationships(jsonb_path_query_array(rows, '$[$first to last]', jsonb_build_object('first', many / 2)));
end $$;
comment on function app_private.try_relationships(jsonb) is 'Records what can be recorded, and says of the other rows which rule refuses each';

create function app.check_relationships(rows jsonb, earlier jsonb) returns table (line int, rule text, params jsonb)
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  found jsonb;
begin
  begin
    perform app_private.try_relationships(earlier);
    found := app_private.try_relationships(rows);
    -- All of it is taken back; what was found stays.
    raise exception 'tried' using errcode = 'GH001';
  exception when sqlstate 'GH001' then null;
  end;
  return query select x.line, x.rule, x.params from jsonb_to_recordset(found) x (line int, rule text, params jsonb);
end $$;
comment on function app.check_relationships(jsonb, jsonb) is 'Which rows of an import a rule refuses, and which rule; earlier are those of the same file that would be there by then. Nothing is written';

create function app.remove_imported_relationships(keys jsonb) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org constant uuid := app.org_id();
  wanted constant uuid[] := array(select (k -> 'key' ->> 'id')::uuid from jsonb_array_elements(keys) k);
  removed int;
begin
  if exists (select from app.relationships r left join app_private.rights_in_relationships(wanted) x on x.id = r.id where r.org_id = org and r.id = any (wanted)
      and (not coalesce(x.office, false) or r.proposed_by is distinct from app.account_id() and not app.everywhere('relationships.manage'))) then
    raise exception 'relationships of these two are recorded by others' using errcode = '42501', constraint = 'relationship_not_yours';
  end if;
  delete from app.relationships r where r.org_id = org and r.id = any (wanted) and r.version = 1;
  get diagnostics removed = row_count;
  return removed;
end $$;
comment on function app.remove_imported_relationships(jsonb) is 'Removes relationships that an import brought and nobody changed since, for its undo; how many';

select app_private.own_definers();
grant execute on function app_private.insert_relationships(jsonb), app_private.try_relationships(jsonb) to app_definer;
grant execute on function app.import_relationships(jsonb), app.check_relationships(jsonb, jsonb), app.remove_imported_relationships(jsonb) to app_access;
