-- Keys hold whole texts, so that what a text contains is found by its key, and a row of an import is known by its id. Lists decide by the number of records with a value how they look for them: for any condition on keys, not only for choices.

drop function app.field_common(text, uuid, text[]);
create function app.field_common(type text, field uuid, keys text[], lowest text, highest text) returns boolean
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid := app.org_id();
  many boolean;
begin
  if org is null or not exists (select from app_private.field_records r where r.record_type = type) then return false; end if;
  execute format('select count(*) > 10000 from (select from app.%I v where v.org_id = $1 and v.field_id = $2
    and ($3 is null or v.key = any ($3)) and ($4 is null or v.key >= $4) and ($5 is null or v.key <= $5) limit 10001) n', type || '_field_values')
    into many using org, field, keys, lowest, highest;
  return many;
end $$;
comment on function app.field_common(text, uuid, text[], text, text) is
  'Whether so many records have one of these values, or one between these two, that a list meets them on its way; for the choice of a plan, never for an answer';
grant execute on function app.field_common(text, uuid, text[], text, text) to app_access;

create or replace function app.field_key(type text, value text) returns text language sql immutable
return case type
  when 'number' then to_char(value::numeric + 1000000000000, 'FM0000000000000.0000')
  when 'text' then left(app.fold(value), 500)
  when 'url' then left(app.fold(value), 500)
  else value end;

do $$
declare tab text;
begin
  for tab in select r.record_type || '_field_values' from app_private.field_records r loop
    -- Nobody changed anything: no history, and no guard of closed records.
    execute format('alter table app.%I disable trigger user', tab);
    execute format('update app.%I v set key = app.field_key(f.type, v.value) from app.fields f
      where f.org_id = v.org_id and f.id = v.field_id and f.type in (''text'', ''url'') and char_length(v.key) = 200', tab);
    execute format('alter table app.%I enable trigger user', tab);
    -- An import says which row it makes, so that it finds it again to take it back.
    execute format('grant insert (id) on app.%I to app_access', tab);
  end loop;
end $$;
select app_private.own_definers();
