-- Texts in people's fields are found by their parts: by the filter "contains", and, of fields that are searched, by the search of people.

alter table app.fields add column searchable boolean not null default false,
  add constraint fields_searchable_text check (not searchable or (record_type = 'people' and type in ('text', 'url')));
comment on column app.fields.searchable is 'The search of people looks at its values too';
grant insert (searchable), update (searchable) on app.fields to app_access;
drop trigger fields_touch on app.fields;
create trigger fields_touch before update of label, help, required, pattern, section, audience, own_editable, sensitive, searchable, archived_at on app.fields
  for each row execute function app.touch();

-- Whether a value is text, so that an index of parts of texts holds nothing else.
do $$
declare tab text;
begin
  execute replace(pg_get_functiondef('app_private.keep_fields(regclass, text, text, text, text, text, text)'::regprocedure),
    'key text not null default '''''''' collate "C",', 'key text not null default '''''''' collate "C", is_text boolean not null default false,');
  execute replace(replace(pg_get_functiondef('app_private.keep_fields(regclass, text, text, text, text, text, text)'::regprocedure),
    '''key'', ''slot'')', '''key'', ''slot'', ''is_text'')'),
    '  execute format(''create index', '  execute format(''comment on column app.%I.is_text is %L'', name, ''Whether it is found by its parts'');' || chr(10) || '  execute format(''create index');
  execute replace(pg_get_functiondef('app.field_value_form()'::regprocedure),
    'new.key := app.field_key(f.type, new.value);', 'new.key := app.field_key(f.type, new.value);' || chr(10) || '  new.is_text := f.type in (''text'', ''url'');');
  for tab in select r.record_type || '_field_values' from app_private.field_records r loop
    execute format('alter table app.%I add column is_text boolean not null default false', tab);
    execute format('comment on column app.%I.is_text is %L', tab, 'Whether it is found by its parts');
    -- Nobody changed anything: no history, and no guard of closed records.
    execute format('alter table app.%I disable trigger user', tab);
    execute format('update app.%I v set is_text = true from app.fields f where f.org_id = v.org_id and f.id = v.field_id and f.type in (''text'', ''url'')', tab);
    execute format('alter table app.%I enable trigger user', tab);
    perform app_private.hide_in_audit(format('app.%I', tab)::regclass, 'is_text');
  end loop;
end $$;
create index people_field_values_text on app.people_field_values using gin (key extensions.gin_trgm_ops) where is_text;

-- As the policy of the values has it.
create function app_private.people_fields_read(fields uuid[]) returns text language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
  me uuid := app.person_id();
  within constant text := '(c.field_id = any (%L::uuid[]) and (%L or exists (select from app.people_within(%L, %L::uuid[], %L) w where w.org_id = c.org_id and w.person_id = c.person_id)))';
  conditions text[] := '{}';
  ids uuid[];
  permission text;
  everywhere boolean;
begin
  ids := array(select unnest(fields) intersect select unnest(app.field_set('people', 'everyone')));
  if ids <> '{}' then conditions := conditions || format('c.field_id = any (%L::uuid[])', ids); end if;
  ids := array(select unnest(fields) intersect select unnest(app.field_set('people', 'self')));
  if ids <> '{}' and me is not null then conditions := conditions || format('(c.field_id = any (%L::uuid[]) and c.person_id = %L)', ids, me); end if;
  foreach permission in array array['people.contact', 'people.sensitive'] loop
    ids := array(select unnest(fields) intersect select unnest(app.field_set('people', case permission when 'people.contact' then 'kept' else 'sensitive' end)));
    everywhere := app.everywhere(permission);
    if ids <> '{}' and (everywhere or app.scope(permission) <> '{}') then
      conditions := conditions || format(within, ids, everywhere, permission, case when everywhere then '{}' else app.scope(permission) end, app.today());
    end if;
  end loop;
  if conditions = '{}' then return null; end if;
  ids := app.field_set('people', 'officers');
  return format('c.field_id = any (%L::uuid[]) and (%s)', fields, array_to_string(conditions, ' or '))
    || case when fields && ids then format(' and (c.field_id <> all (%L::uuid[]) or c.person_id <> all (%L::uuid[]))', ids, app.my_records()) else '' end;
end $$;
comment on function app_private.people_fields_read(uuid[]) is 'Which values c of these fields of people the actor reads, as a condition; null for none';
revoke execute on function app_private.people_fields_read(uuid[]) from public;
grant execute on function app_private.people_fields_read(uuid[]) to app_definer;

create function app_private.people_seen() returns text language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
  sees_all boolean := app.everywhere('people.sensitive');
  directory boolean := app.everywhere('people.directory');
  nowhere constant uuid[] := '{}';
begin
  return format($p$app.sees_person(p.id = %1$L, coalesce(p.minor_until > %2$L, false),
      %3$L, exists (select from app.people_within('people.sensitive', %4$L, %2$L) w where w.org_id = p.org_id and w.person_id = p.id),
      %5$L, exists (select from app.people_within('people.directory', %6$L, %2$L) w where w.org_id = p.org_id and w.person_id = p.id))$p$,
    app.person_id(), app.today(), sees_all, case when sees_all then nowhere else app.scope('people.sensitive') end,
    directory, case when sees_all or directory then nowhere else app.scope('people.directory') end);
end $$;
comment on function app_private.people_seen() is 'Whether the actor sees a person p, as a condition';
revoke execute on function app_private.people_seen() from public;
grant execute on function app_private.people_seen() to app_definer;

drop function app_private.people_search(text);
create function app_private.people_search(query text, out people text, out seen text, out names text, out emails text, out phones text, out fields text)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid := app.org_id();
  me uuid := app.person_id();
  today date := app.today();
  terms record := app.search_terms(query);
  directory boolean := app.everywhere('people.directory');
  contacts boolean := app.everywhere('people.contact');
  nowhere constant uuid[] := '{}';
  contact text;
begin
  if org is null or terms.names is null then return; end if;

  seen := app_private.people_seen();
  people := format('p.org_id = %L and p.deleted_at is null and %s', org, seen);
  -- Who holds the right in no chapter and no group is asked about none.
  contact := format($p$app.sees_contact(c.person_id = %1$L, c.visible_to = 'members',
      %2$L, %3$L::uuid[] <> '{}' and exists (select from app.people_within('people.contact', %3$L, %4$L) w where w.org_id = c.org_id and w.person_id = c.person_id),
      %5$L::uuid[] <> '{}' and exists (select from app.people_led('people.contact', %5$L) w where w.org_id = c.org_id and w.person_id = c.person_id), %6$L)$p$,
    me, contacts, case when contacts then nowhere else app.scope('people.contact') end, today,
    case when contacts then nowhere else app.group_scope('people.contact') end, directory);

  select string_agg(format('p.search like %L', t), ' and ') into names from unnest(terms.names) t;
  if terms.starts is not null then
    -- The name index answers which family names begin so.
    select format('(%s) and %s', string_agg(format('p.sort_name >= %L and p.sort_name < %L', t, t || chr(1114111)), ' or '), names) into names from unnest(terms.starts) t;
  end if;
  if terms.email is not null then
    emails := format('c.org_id = %L and c.%I like %L and %s', org, case when terms.whole then 'address_key' else 'local_key' end, terms.email, contact);
  end if;
  if terms.phone is not null then
    phones := format('c.org_id = %L and c.digits like %L and %s', org, terms.phone, contact);
  end if;
  -- All words in one value. Too little for trigrams is looked for in names alone.
  if terms.starts is null then
    select format('c.org_id = %L and c.is_text and %s and ', org, string_agg(format('c.key like %L', t), ' and '))
        || app_private.people_fields_read(array(select f.id from app.fields f where f.org_id = org and f.searchable and f.archived_at is null))
      into fields from unnest(terms.names) t;
  end if;
end $$;
comment on function app_private.people_search(text) is
  'Conditions on app.people p (people: whom the actor may see, of which seen is what rights say; whose name fits) and on e-mails, telephones and values of fields c that fit and may be seen';
grant execute on function app_private.people_search(text) to app_definer;

do $$
declare
  found constant text := pg_get_functiondef('app_private.people_search_found(record, int)'::regprocedure);
  search constant text := pg_get_functiondef('app.search_people(text, text, uuid, int, boolean)'::regprocedure);
begin
  execute replace(found, 'format(also, ''person_phones'', c.seen, common, c.phones, addresses) end);',
    'format(also, ''person_phones'', c.seen, common, c.phones, addresses) end,' || chr(10)
    || '    case when c.fields is not null then format(also, ''people_field_values'', c.seen, common, c.fields, addresses) end);');
  execute replace(search, 'format(owned, ''person_phones'', c.phones) end) end;',
    'format(owned, ''person_phones'', c.phones) end,' || chr(10)
    || '      case when c.fields is not null then format(owned, ''people_field_values'', c.fields) end) end;');
end $$;

create function app.people_with_text(field uuid, patterns text[], most int) returns setof uuid
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid := app.org_id();
  reads text := app_private.people_fields_read(array[field]);
  fits text := (select string_agg(format('v.key like %L', x), ' or ') from unnest(patterns) x);
  -- An index of parts is quick where few have the text, and has to have three letters in a row. Of a text that many have, the index of keys ends sooner.
  rare constant boolean := most is null and not exists (select from unnest(patterns) x where x !~ '[[:alnum:]]{3}');
begin
  if org is null or reads is null then return; end if;
  -- offset 0 keeps the index of the one from being asked beside that of the other.
  return query execute format('select c.person_id from (select v.org_id, v.field_id, v.key, v.person_id from app.people_field_values v where %1$s offset 0) c
      cross join lateral (select from app.people p where p.org_id = c.org_id and p.id = c.person_id and %2$s offset 0) p where c.org_id = %3$L and %4$s limit %5$L',
    case when rare then format('v.is_text and (%s)', fits) else format('v.org_id = %L and v.field_id = %L and (%s)', org, field, fits) end,
    app_private.people_seen(), org, reads, most);
end $$;
comment on function app.people_with_text(uuid, text[], int) is
  'People the actor sees, in whose text in this field one of these patterns fits and who may be known for it; most: no more than so many, where many are expected';

create function app.people_text_common(field uuid, patterns text[]) returns boolean
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare org uuid := app.org_id();
begin
  -- Of the first two thousand by name, each by the key of their value: any other way could be slow while the statistics know nothing of an organisation.
  return (select count(*) > 40 from (select p.id from app.people p where p.org_id = org and p.deleted_at is null order by p.sort_name, p.id limit 2000) p
    where exists (select from app.people_field_values v where v.org_id = org and v.person_id = p.id and v.field_id = people_text_common.field and v.slot = ''
      and v.key like any (patterns) offset 0));
end $$;
comment on function app.people_text_common(uuid, text[]) is
  'Whether so many people have one of these texts in a field that a list meets them on its way; for the choice of a plan, never for an answer';

create function app.people_lack_common(field uuid) returns boolean
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare org uuid := app.org_id();
begin
  return (select count(*) > 200 from (select p.id from app.people p where p.org_id = org and p.deleted_at is null order by p.sort_name, p.id limit 2000) p
    where not exists (select from app.people_field_values v where v.org_id = org and v.person_id = p.id and v.field_id = people_lack_common.field and v.slot >= '' offset 0));
end $$;
comment on function app.people_lack_common(uuid) is
  'Whether so many people have no value in a field that a list meets them on its way; for the choice of a plan, never for an answer';

-- Everybody is compared with every value at once: one after the other would take seconds, above all while the statistics know nothing of an organisation.
create function app.people_without(field uuid) returns setof uuid
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp set enable_nestloop = off set enable_mergejoin = off set work_mem = '64MB' as $$
declare
  org uuid := app.org_id();
  reads text := app_private.people_fields_read(array[field]);
begin
  if org is null then return; end if;
  return query execute format('select p.id from app.people p where p.org_id = %L and %s and not exists (select from app.people_field_values c where c.org_id = %L and c.person_id = p.id and %s)',
    org, app_private.people_seen(), org, coalesce(reads, 'false'));
end $$;
comment on function app.people_without(uuid) is 'People the actor sees of whom they know no value in a field; collected at once, for fields that nearly everybody has';

do $$
declare f text;
begin
  perform app_private.own_definers();
  foreach f in array array['people_with_text(uuid, text[], int)', 'people_text_common(uuid, text[])', 'people_lack_common(uuid)', 'people_without(uuid)'] loop
    execute format('grant execute on function app.%s to app_access', f);
  end loop;
end $$;
