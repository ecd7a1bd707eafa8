-- Fields that an organisation defines for its records: what they are called and take, and, in a table per kind of record, their values.
-- A value is a row of its own, so that policies weigh each field, and an index per field filters and sorts: docs/decisions.

create table app.fields (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  record_type text not null,
  key text not null check (key ~ '^[a-z][a-z0-9_]{0,29}$'),
  label text not null check (char_length(label) between 1 and 80),
  help text not null default '' check (char_length(help) <= 300),
  type text not null check (type in ('text', 'number', 'date', 'flag', 'choice', 'choices', 'url', 'person')),
  required boolean not null default false,
  pattern text not null default '' check (char_length(pattern) <= 200),
  section text not null default '' check (char_length(section) <= 60),
  place int not null default 0,
  audience text not null default 'officers' check (audience in ('everyone', 'self', 'officers')),
  own_editable boolean not null default false,
  sensitive boolean not null default false,
  archived_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, record_type, key),
  constraint fields_sensitive_kept check (not sensitive or audience <> 'everyone'),
  constraint fields_own_seen check (not own_editable or audience <> 'officers'),
  constraint fields_pattern_text check (pattern = '' or type = 'text')
);
comment on table app.fields is 'Fields that an organisation adds to its people, chapters, groups and other records';
comment on column app.fields.key is 'What programs, filters and imports call it; never changes';
comment on column app.fields.audience is 'Who reads values: everyone who sees the record, the person themselves and officers, or officers only, never about themselves';
comment on column app.fields.sensitive is 'Officers need the right to sensitive data to read values';

create table app.field_choices (
  org_id uuid not null,
  field_id uuid not null,
  id uuid not null default app.uuid7(),
  label text not null check (char_length(label) between 1 and 80),
  label_key text generated always as (lower(label)) stored not null,
  color text not null default 'gray' check (color in ('gray', 'brand', 'green', 'red', 'amber', 'blue')),
  place int not null default 0,
  retired boolean not null default false,
  primary key (org_id, id),
  -- Labels may be exchanged.
  unique (org_id, field_id, label_key) deferrable initially deferred,
  foreign key (org_id, field_id) references app.fields on delete cascade
);
comment on table app.field_choices is 'What a field of choices offers; retired ones stay where they were chosen and cannot be chosen anew';

select app_private.protect('app.fields');
select app_private.protect('app.field_choices');
-- Its place among others is no change of a field: who edits one is not disturbed by who puts them in order.
create trigger fields_touch before update of label, help, required, pattern, section, audience, own_editable, sensitive, archived_at on app.fields
  for each row execute function app.touch();
select app_private.keep_audit('app.fields', 'organisation.manage', 'id');
select app_private.keep_audit('app.field_choices', 'organisation.manage', 'field_id');
select app_private.hide_in_audit('app.field_choices', 'label_key');

create table app_private.field_records (
  record_type text primary key,
  kept text not null,
  sensitive text not null
);
comment on table app_private.field_records is 'Kinds of records that have fields, and the permissions that read values kept from others, and sensitive ones';
grant select on app_private.field_records to app_definer;
grant select on app.fields, app.field_choices to app_definer;

create function app.field_set(type text, kind text) returns uuid[] language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare org uuid := app.org_id();
begin
  if org is null then return '{}'; end if;
  return array(select f.id from app.fields f where f.org_id = org and f.record_type = field_set.type and case kind
    when 'everyone' then f.audience = 'everyone'
    when 'self' then f.audience = 'self'
    when 'editable' then f.own_editable
    when 'kept' then f.audience <> 'everyone' and not f.sensitive
    when 'sensitive' then f.sensitive
    when 'officers' then f.audience = 'officers'
    else false end);
end $$;
comment on function app.field_set(text, text) is 'Fields of a kind of record whose values the same people read, asked for once per statement';

create function app.field_records_kept(sensitive boolean) returns text[] language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return array(select r.record_type from app_private.field_records r
    cross join lateral (select case when field_records_kept.sensitive then r.sensitive else r.kept end as permission) n
    where app.everywhere(n.permission) or app.scope(n.permission) <> '{}' or app.group_scope(n.permission) <> '{}');
end $$;
comment on function app.field_records_kept(boolean) is 'Kinds of records of which the actor reads fields for officers, or sensitive ones, somewhere';
grant execute on function app.field_set(text, text), app.field_records_kept(boolean) to app_access, app_definer;

create policy fields_read on app.fields for select to app_access using (org_id = (select app.org_id()) and (
  (select app.everywhere('organisation.manage')) or audience <> 'officers'
  or (not sensitive and record_type = any ((select app.field_records_kept(false))::text[]))
  or (sensitive and record_type = any ((select app.field_records_kept(true))::text[]))));
create policy fields_add on app.fields for insert to app_access with check (org_id = (select app.org_id()) and (select app.everywhere('organisation.manage')));
create policy fields_change on app.fields for update to app_access
  using (org_id = (select app.org_id()) and (select app.everywhere('organisation.manage')))
  with check (org_id = (select app.org_id()));
create policy fields_remove on app.fields for delete to app_access using (org_id = (select app.org_id()) and (select app.everywhere('organisation.manage')));
grant select, delete, insert (org_id, id, record_type, key, label, help, type, required, pattern, section, place, audience, own_editable, sensitive),
  update (label, help, required, pattern, section, place, audience, own_editable, sensitive, archived_at) on app.fields to app_access;

create policy field_choices_read on app.field_choices for select to app_access using (org_id = (select app.org_id())
  and exists (select from app.fields f where f.org_id = field_choices.org_id and f.id = field_choices.field_id));
create policy field_choices_add on app.field_choices for insert to app_access with check (org_id = (select app.org_id()) and (select app.everywhere('organisation.manage')));
create policy field_choices_change on app.field_choices for update to app_access
  using (org_id = (select app.org_id()) and (select app.everywhere('organisation.manage')))
  with check (org_id = (select app.org_id()));
create policy field_choices_remove on app.field_choices for delete to app_access using (org_id = (select app.org_id()) and (select app.everywhere('organisation.manage')));
grant select, delete, insert (org_id, field_id, id, label, color, place, retired), update (label, color, place, retired) on app.field_choices to app_access;

create function app.fields_bound() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  -- One after the other, so that two at once do not pass the limit together.
  perform pg_advisory_xact_lock(hashtextextended('fields ' || n.org_id, 0)) from (select distinct org_id from changed) n;
  if tg_table_name = 'fields' then
    if exists (select from app.fields f join (select distinct org_id, record_type from changed) n using (org_id, record_type)
        group by f.org_id, f.record_type having count(*) > 60) then
      raise exception 'a kind of record has at most 60 fields' using errcode = '23514', constraint = 'fields_limit';
    end if;
  elsif exists (select from app.field_choices c join (select distinct org_id, field_id from changed) n using (org_id, field_id)
      group by c.org_id, c.field_id having count(*) > 100) then
    raise exception 'a field has at most 100 choices' using errcode = '23514', constraint = 'field_choices_limit';
  end if;
  return null;
end $$;
comment on function app.fields_bound() is 'Keeps forms and lists of a bearable length';
create trigger fields_bound after insert on app.fields referencing new table as changed for each statement execute function app.fields_bound();
create trigger field_choices_bound after insert on app.field_choices referencing new table as changed for each statement execute function app.fields_bound();

-- Values -----------------------------------------------------------------------------------------------------------------------------

create function app.field_key(type text, value text) returns text language sql immutable
return case type
  when 'number' then to_char(value::numeric + 1000000000000, 'FM0000000000000.0000')
  when 'text' then left(app.fold(value), 200)
  when 'url' then left(app.fold(value), 200)
  else value end;
comment on function app.field_key(text, text) is 'A value as text that sorts and compares as the value does, whatever its type, so that one index serves all of them';
revoke execute on function app.field_key(text, text) from public;
grant execute on function app.field_key(text, text) to app_access, app_definer;

-- Runs as whoever writes: what they do not see cannot be pointed at.
create function app.field_value_form() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  f app.fields;
  fits boolean;
begin
  select * into f from app.fields x where x.org_id = new.org_id and x.id = new.field_id and x.record_type = tg_argv[0];
  if f.id is null then raise exception 'there is no such field' using errcode = '42501', constraint = 'field_unknown'; end if;
  fits := case f.type
    when 'number' then new.value ~ '^-?[0-9]{1,12}(\.[0-9]{1,4})?$'
    when 'date' then new.value ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'
    when 'flag' then new.value in ('true', 'false')
    when 'text' then char_length(new.value) between 1 and 500
    when 'url' then char_length(new.value) <= 500 and new.value ~* '^https?://[^[:space:]]+$'
    else new.value ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' end;
  if fits and f.type in ('choice', 'choices') then
    fits := exists (select from app.field_choices c where c.org_id = new.org_id and c.field_id = f.id and c.id = new.value::uuid);
  elsif fits and f.type = 'person' then
    fits := exists (select from app.people p where p.org_id = new.org_id and p.id = new.value::uuid);
  elsif fits and f.type = 'date' then
    new.value := new.value::date::text;
  elsif fits and f.type = 'number' then
    new.value := trim_scale(new.value::numeric)::text;
  end if;
  if not fits then raise exception 'this value does not fit its field' using errcode = '23514', constraint = 'field_value'; end if;
  new.slot := case f.type when 'choices' then new.value else '' end;
  new.key := app.field_key(f.type, new.value);
  return new;
end $$;
comment on function app.field_value_form() is 'A value has the form that its field asks for; what the key is follows from it';
revoke execute on function app.field_value_form() from public;

create function app_private.keep_fields(tab regclass, record text, kept text, writes text, sensitive text, held text default null, myself text default null)
  returns void language plpgsql set search_path = pg_catalog, pg_temp as $fn$
declare
  type constant text := (select c.relname from pg_class c where c.oid = tab);
  name constant text := type || '_field_values';
  -- Whether the actor holds a permission over the record: within its chapter unless said otherwise.
  reach constant text := coalesce(held, format('((select app.everywhere(%%1$L)) or exists (select from %1$s r where r.org_id = %2$s.org_id and r.id = %2$s.%3$I
    and r.chapter_id = any ((select app.scope(%%1$L))::uuid[])))', tab, name, record));
  own constant text := case when myself is null then '' else format(' or (%s and field_id = any ((select app.field_set(%L, %%L))::uuid[]))', myself, type) end;
  -- What is kept to officers is never about the reader.
  about_others constant text := case when myself is null then ''
    else format(' and (field_id <> all ((select app.field_set(%L, ''officers''))::uuid[]) or %I <> all ((select app.my_records())::uuid[]))', type, record) end;
  seen constant text := format('((select app.everywhere(%4$L)) or exists (select from %1$s r where r.org_id = %2$s.org_id and r.id = %2$s.%3$I))', tab, name, record, sensitive);
  officers constant text := format('(field_id = any ((select app.field_set(%1$L, ''kept''))::uuid[]) and %2$s) or (field_id = any ((select app.field_set(%1$L, ''sensitive''))::uuid[]) and %3$s)',
    type, format(reach, kept), format(reach, sensitive));
  open constant text := format('field_id = any ((select app.field_set(%L, ''everyone''))::uuid[])', type);
  ours constant text := 'org_id = (select app.org_id()) and ' || seen;
  reads constant text := format('%s and (%s%s or %s)%s', ours, open, format(own, 'self'), officers, about_others);
  changes constant text := format('%s and ((%s and (%s or %s))%s)%s', ours, format(reach, writes), open, officers, format(own, 'editable'), about_others);
begin
  execute format('create table app.%1$I (
    org_id uuid not null, id uuid not null default app.uuid7(), %2$I uuid not null, field_id uuid not null, slot text not null default '''' collate "C",
    value text not null, key text not null default '''' collate "C",
    primary key (org_id, %2$I, field_id, slot),
    foreign key (org_id, %2$I) references %3$s on delete cascade, foreign key (org_id, field_id) references app.fields on delete cascade)', name, record, tab);
  execute format('comment on table app.%I is %L', name, 'What the organisation''s own fields hold for each of ' || type);
  execute format('comment on column app.%I.slot is %L', name, 'The choice, where a field takes several; else empty');
  execute format('create index %1$I on app.%2$I (org_id, field_id, key, %3$I)', name || '_by_key', name, record);
  perform app_private.protect(format('app.%I', name)::regclass);
  perform app_private.keep_audit(format('app.%I', name)::regclass, 'people.directory', 'field_id');
  perform app_private.hide_in_audit(format('app.%I', name)::regclass, 'key', 'slot');
  execute format('create trigger %1$I before insert or update on app.%2$I for each row execute function app.field_value_form(%3$L)', name || '_form', name, type);
  insert into app_private.field_records values (type, kept, sensitive);
  execute format('create policy %1$I on app.%2$I for select to app_access using (%3$s)', name || '_read', name, reads);
  execute format('create policy %1$I on app.%2$I for insert to app_access with check (%3$s)', name || '_add', name, changes);
  execute format('create policy %1$I on app.%2$I for update to app_access using (%3$s) with check (%3$s)', name || '_change', name, changes);
  execute format('create policy %1$I on app.%2$I for delete to app_access using (%3$s)', name || '_remove', name, changes);
  execute format('grant select, delete, insert (org_id, %2$I, field_id, value), update (value) on app.%1$I to app_access', name, record);
  execute format('grant select, delete, insert (org_id, %2$I, field_id, value), update (value) on app.%1$I to app_definer', name, record);
  -- The log tells no more of a value than its field does; record_id names the field.
  execute format('create policy %1$I on app.audit_entries as restrictive for select to app_access using (org_id = (select app.org_id()) and (entity <> %2$L or (%3$s)))',
    'audit_entries_' || name, name,
    replace(replace(format('(%s%s or %s)%s', open, format(own, 'self'), officers, about_others), 'field_id', 'record_id'), name || '.', 'audit_entries.'));
end $fn$;
comment on function app_private.keep_fields(regclass, text, text, text, text, text, text) is
  'Gives records of a table fields: a table of values beside it with policies, audit and indexes. record: the column of the key there. kept, writes and sensitive: permissions that read what is for officers, change values and read sensitive ones. held: how a permission reaches a record, where not by its chapter. myself: what a record is when it is the actor';
revoke execute on function app_private.keep_fields(regclass, text, text, text, text, text, text) from public;

select app_private.keep_fields('app.people', 'person_id', 'people.contact', 'people.write', 'people.sensitive',
  '((select app.everywhere(%1$L)) or exists (select from app.people_within(%1$L) w where w.org_id = people_field_values.org_id and w.person_id = people_field_values.person_id))',
  'person_id = (select app.person_id())');
select app_private.keep_fields('app.chapters', 'chapter_id', 'chapters.edit', 'chapters.edit', 'people.sensitive',
  '((select app.everywhere(%1$L)) or chapter_id = any ((select app.scope(%1$L))::uuid[]))');
select app_private.keep_fields('app.groups', 'group_id', 'groups.manage', 'groups.manage', 'people.sensitive',
  '((select app.everywhere(%1$L)) or group_id = any ((select app.group_scope(%1$L))::uuid[]) or exists (select from app.groups g where g.org_id = groups_field_values.org_id
    and g.id = groups_field_values.group_id and g.chapter_id = any ((select app.scope(%1$L))::uuid[])))');

create trigger people_field_values_open_insert after insert on app.people_field_values referencing new table as changed
  for each statement execute function app.person_record_guard('erased,merged,deceased');
create trigger people_field_values_open_update after update on app.people_field_values referencing new table as changed
  for each statement execute function app.person_record_guard('erased,merged,deceased');
create trigger people_field_values_open_delete after delete on app.people_field_values referencing old table as changed
  for each statement execute function app.person_record_guard('erased,merged,deceased');

-- Whoever stands for a merged record takes over what they lack; of an erased one nothing stays.
create function app.people_fields_follow() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into app.people_field_values (org_id, person_id, field_id, value)
    select v.org_id, c.merged_into, v.field_id, v.value from changed c join before b on b.org_id = c.org_id and b.id = c.id
      join app.people_field_values v on v.org_id = c.org_id and v.person_id = c.id
    where c.merged_into is not null and c.merged_into is distinct from b.merged_into
      and not exists (select from app.people_field_values k where k.org_id = v.org_id and k.person_id = c.merged_into and k.field_id = v.field_id)
    on conflict do nothing;
  delete from app.people_field_values v using changed c, before b
    where b.org_id = c.org_id and b.id = c.id and c.lifecycle = 'erased' and b.lifecycle <> 'erased' and v.org_id = c.org_id and v.person_id = c.id;
  return null;
end $$;
comment on function app.people_fields_follow() is 'Values of fields when people are merged or erased';
create trigger people_fields_follow after update on app.people referencing old table as before new table as changed
  for each statement execute function app.people_fields_follow();

-- A choice goes only when nobody has it any more: a count of who has, for whoever manages fields.
create function app.field_uses(field uuid) returns table (choice text, records int) language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid := app.org_id();
  f app.fields;
begin
  if org is null or not app.everywhere('organisation.manage') then return; end if;
  select * into f from app.fields x where x.org_id = org and x.id = field;
  if f.id is null then return; end if;
  -- More than 10,000 are not counted: nobody decides by the exact number.
  if f.type in ('choice', 'choices') then
    return query execute format('select c.id::text, (select count(*)::int from (select from app.%I v where v.org_id = c.org_id and v.field_id = c.field_id and v.key = c.id::text limit 10001) n)
      from app.field_choices c where c.org_id = $1 and c.field_id = $2', f.record_type || '_field_values') using org, field;
  else
    return query execute format('select null::text, (select count(*)::int from (select from app.%I v where v.org_id = $1 and v.field_id = $2 limit 10001) n)',
      f.record_type || '_field_values') using org, field;
  end if;
end $$;
comment on function app.field_uses(uuid) is 'How many records have a value of a field, by choice where it has choices, up to 10,001; for those who manage fields, whatever records they see';
grant execute on function app.field_uses(uuid) to app_access;

create function app.field_common(type text, field uuid, keys text[]) returns boolean language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid := app.org_id();
  many boolean;
begin
  if org is null or not exists (select from app_private.field_records r where r.record_type = type) then return false; end if;
  execute format('select count(*) > 2000 from (select from app.%I v where v.org_id = $1 and v.field_id = $2 and v.key = any ($3) limit 2001) n', type || '_field_values')
    into many using org, field, keys;
  return many;
end $$;
comment on function app.field_common(text, uuid, text[]) is 'Whether so many records have one of these values that a list meets them on its way; for the choice of a plan, never for an answer';
grant execute on function app.field_common(text, uuid, text[]) to app_access;

create function app.field_choice_replace(field uuid, choice uuid, replacement uuid) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid := app.org_id();
  f app.fields;
  record text;
begin
  if org is null or not app.everywhere('organisation.manage') then
    raise exception 'only those who manage fields replace a choice' using errcode = '42501';
  end if;
  select * into f from app.fields x where x.org_id = org and x.id = field;
  if not exists (select from app.field_choices c where c.org_id = org and c.field_id = field and c.id = replacement) then
    raise exception 'there is no such choice' using errcode = '23514', constraint = 'field_choice';
  end if;
  record := (select a.attname from pg_attribute a where a.attrelid = format('app.%I', f.record_type || '_field_values')::regclass and a.attnum = 3);
  -- Who has both already keeps one.
  execute format('delete from app.%1$I v where v.org_id = $1 and v.field_id = $2 and v.key = $3::text
    and exists (select from app.%1$I o where o.org_id = v.org_id and o.%2$I = v.%2$I and o.field_id = v.field_id and o.key = $4::text)', f.record_type || '_field_values', record)
    using org, field, choice, replacement;
  execute format('update app.%1$I v set value = $4::text where v.org_id = $1 and v.field_id = $2 and v.key = $3::text', f.record_type || '_field_values')
    using org, field, choice, replacement;
end $$;
comment on function app.field_choice_replace(uuid, uuid, uuid) is 'Gives everybody who has one choice another instead, before it is deleted';
grant execute on function app.field_choice_replace(uuid, uuid, uuid) to app_access;

create function app.field_choices_used() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  f app.fields;
  used boolean;
begin
  select * into f from app.fields x where x.org_id = old.org_id and x.id = old.field_id;
  if f.id is null then return old; end if;
  execute format('select exists (select from app.%I v where v.org_id = $1 and v.field_id = $2 and v.key = $3::text)', f.record_type || '_field_values')
    into used using old.org_id, old.field_id, old.id;
  if used then raise exception 'this choice is in use' using errcode = '23P01', constraint = 'field_choice_in_use'; end if;
  return old;
end $$;
comment on function app.field_choices_used() is 'A choice that somebody has is replaced first, or retired';
create trigger field_choices_used before delete on app.field_choices for each row execute function app.field_choices_used();
select app_private.own_definers();
