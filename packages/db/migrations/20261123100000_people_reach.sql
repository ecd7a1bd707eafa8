-- Who may reach whom, said once. Policies, searches, the `may` of answers and "how others see me" all call these four functions. They are plain SQL
-- without settings, and each argument stands in them once, so that the planner makes them part of the statement: nothing is called for a row.

create function app.people_within(wanted text, chapters uuid[] default null, today date default null) returns table (org_id uuid, person_id uuid) language sql stable
begin atomic
  select a.org_id, a.person_id from app.affiliations a
    where a.chapter_id = any (case when chapters is null then (select app.scope(wanted))::uuid[] else chapters end)
      and a.starts_on <= case when today is null then (select app.today()) else today end
      and (a.ends_on is null or a.ends_on >= case when today is null then (select app.today()) else today end);
end;
comment on function app.people_within(text, uuid[], date) is
  'Who belongs today to a chapter in which the actor holds a permission; chapters and today, where a search knows them already, let the planner see them. Whether it is held everywhere is asked before, which spares the look';

create function app.people_led(wanted text, groups uuid[] default null) returns table (org_id uuid, person_id uuid) language sql stable
begin atomic
  select m.org_id, m.person_id from app.group_members m
    where m.group_id = any (case when groups is null then (select app.group_scope(wanted))::uuid[] else groups end) and m.status = 'active' and m.ends_on is null;
end;
comment on function app.people_led(text, uuid[]) is 'Who is a member of a group in which the actor holds a permission; groups, where a search knows them already';

create function app.sees_person(myself boolean, is_minor boolean, sensitive_everywhere boolean, sensitive_here boolean,
  directory_everywhere boolean, directory_here boolean) returns boolean language sql immutable
return sensitive_everywhere or myself or case when is_minor then sensitive_here else directory_everywhere or directory_here end;
comment on function app.sees_person(boolean, boolean, boolean, boolean, boolean, boolean) is
  'Whether a person is seen by somebody who holds people.sensitive and people.directory everywhere, or over this person: minors only with the right to sensitive data';

create function app.sees_contact(myself boolean, for_members boolean, contact_everywhere boolean, contact_here boolean, contact_led boolean,
  directory_everywhere boolean) returns boolean language sql immutable
return contact_everywhere or myself or (for_members and directory_everywhere) or contact_here or contact_led;
comment on function app.sees_contact(boolean, boolean, boolean, boolean, boolean, boolean) is
  'Whether an address of a visible person is seen: by that person, with people.contact everywhere, over the person or in a group of theirs, and when open to members by those who see the whole directory';

do $$
declare f text;
begin
  foreach f in array array['app.people_within(text, uuid[], date)', 'app.people_led(text, uuid[])', 'app.sees_person(boolean, boolean, boolean, boolean, boolean, boolean)',
    'app.sees_contact(boolean, boolean, boolean, boolean, boolean, boolean)'] loop
    execute format('revoke execute on function %s from public', f);
    execute format('grant execute on function %s to app_access, app_definer', f);
  end loop;
end $$;

alter policy people_read on app.people using (
  org_id = (select app.org_id()) and (
    app.sees_person(id = (select app.person_id()), coalesce(minor_until > (select app.today()), false),
      (select app.everywhere('people.sensitive')),
      exists (select from app.people_within('people.sensitive') w where w.org_id = people.org_id and w.person_id = people.id),
      (select app.everywhere('people.directory')),
      exists (select from app.people_within('people.directory') w where w.org_id = people.org_id and w.person_id = people.id))
    -- whoever enters a person sees the row until the end of that transaction, in which the affiliation follows
    or (created_by = (select app.account_id()) and created_at = now())));
alter policy people_change on app.people using (
  org_id = (select app.org_id()) and (
    (select app.everywhere('people.write')) or id = (select app.person_id())
    or exists (select from app.people_within('people.write') w where w.org_id = people.org_id and w.person_id = people.id)
    or (created_by = (select app.account_id()) and created_at = now())));

do $$
declare
  t text;
  -- %1$s is the table; %2$s the permission.
  held constant text := '((select app.everywhere(%2$L)) or exists (select from app.people_within(%2$L) w where w.org_id = %1$s.org_id and w.person_id = %1$s.person_id))';
  ours constant text := 'org_id = (select app.org_id())';
  mine constant text := 'person_id = (select app.person_id())';
  others constant text := 'person_id <> all ((select app.my_records())::uuid[])';
begin
  foreach t in array array['person_emails', 'person_phones', 'person_contacts'] loop
    execute format($p$
      alter policy %1$s_read on app.%1$s using (
        org_id = (select app.org_id())
        and ((select app.everywhere('people.sensitive')) or exists (select from app.people p where p.org_id = %1$s.org_id and p.id = %1$s.person_id))
        and app.sees_contact(person_id = (select app.person_id()), visible_to = 'members', (select app.everywhere('people.contact')),
          exists (select from app.people_within('people.contact') w where w.org_id = %1$s.org_id and w.person_id = %1$s.person_id),
          exists (select from app.people_led('people.contact') w where w.org_id = %1$s.org_id and w.person_id = %1$s.person_id),
          (select app.everywhere('people.directory'))))
    $p$, t);
    execute format('alter policy %1$s_add on app.%1$s with check (' || concat_ws(' and ', ours, format('(%s or %s)', mine, held)) || ')', t, 'people.write');
    execute format('alter policy %1$s_change on app.%1$s using (' || concat_ws(' and ', ours, format('(%s or %s)', mine, held)) || ')', t, 'people.write');
    execute format('alter policy %1$s_remove on app.%1$s using (' || concat_ws(' and ', ours, format('(%s or %s)', mine, held)) || ')', t, 'people.write');
  end loop;

  execute format('alter policy person_tags_add on app.%1$s with check (' || concat_ws(' and ', ours, held) || ')', 'person_tags', 'people.write');
  execute format('alter policy person_tags_remove on app.%1$s using (' || concat_ws(' and ', ours, held) || ')', 'person_tags', 'people.write');
  foreach t in array array['read', 'change'] loop
    execute format('alter policy person_private_' || t || ' on app.%1$s using (' || concat_ws(' and ', ours, format('(%s or %s)', mine, held)) || ')', 'person_private', 'people.sensitive');
    execute format('alter policy person_office_notes_' || t || ' on app.%1$s using (' || concat_ws(' and ', ours, others, held) || ')', 'person_office_notes', 'people.sensitive');
  end loop;
  execute format('alter policy person_private_add on app.%1$s with check (' || concat_ws(' and ', ours, format('(%s or %s)', mine, held)) || ')', 'person_private', 'people.sensitive');
  execute format('alter policy person_office_notes_add on app.%1$s with check (' || concat_ws(' and ', ours, others, held) || ')', 'person_office_notes', 'people.sensitive');
  execute format('alter policy person_office_notes_change on app.%1$s with check (' || concat_ws(' and ', ours, others, held) || ')', 'person_office_notes', 'people.sensitive');
  execute format('alter policy person_office_notes_remove on app.%1$s using (' || concat_ws(' and ', ours, others, held) || ')', 'person_office_notes', 'people.sensitive');
end $$;
alter policy person_external_ids_read on app.person_external_ids using (
  org_id = (select app.org_id())
  and ((select app.everywhere('people.sensitive')) or exists (select from app.people p where p.org_id = person_external_ids.org_id and p.id = person_external_ids.person_id))
  and ((select app.everywhere('people.contact'))
    or exists (select from app.people_within('people.contact') w where w.org_id = person_external_ids.org_id and w.person_id = person_external_ids.person_id)));
alter policy person_tags_read on app.person_tags using (
  org_id = (select app.org_id())
  and ((select app.everywhere('people.sensitive')) or exists (select from app.people p where p.org_id = person_tags.org_id and p.id = person_tags.person_id))
  and ((select app.everywhere('people.write')) or (select app.everywhere('people.sensitive'))
    or tag_id = any ((select app.member_tags())::uuid[])
    or exists (select from app.people_within('people.write') w where w.org_id = person_tags.org_id and w.person_id = person_tags.person_id)
    or exists (select from app.people_within('people.sensitive') w where w.org_id = person_tags.org_id and w.person_id = person_tags.person_id)));

alter policy audit_entries_read on app.audit_entries using (
  org_id = (select app.org_id()) and (
    ((select app.everywhere('audit.read')) and (needs <> 'people.sensitive' or (select app.everywhere('people.sensitive'))))
    or person_id = (select app.person_id())
    or (needs in ('people.directory', 'people.contact') and (
      (select app.everywhere('people.contact'))
      or exists (select from app.people_within('people.contact') w where w.org_id = audit_entries.org_id and w.person_id = audit_entries.person_id)
      or chapter_id = any ((select app.scope('people.contact'))::uuid[])
      or group_id = any ((select app.group_scope('people.contact'))::uuid[]))
    -- Who or what stays hidden from the reader has no history for them either: minors, and the rosters of private and secret groups.
    and (person_id is null or exists (select from app.people p where p.org_id = audit_entries.org_id and p.id = audit_entries.person_id))
    and (group_id is null or exists (select from app.groups g where g.org_id = audit_entries.org_id and g.id = audit_entries.group_id and (
      g.visibility in ('public', 'members')
      or (select app.everywhere('groups.manage'))
      or g.chapter_id = any ((select app.scope('groups.manage'))::uuid[])
      or g.id = any ((select app.group_scope('groups.manage'))::uuid[])
      or g.id = any ((select app.my_rosters())::uuid[])))))));
alter policy audit_entries_external_ids on app.audit_entries using (
  org_id = (select app.org_id()) and (entity <> 'person_external_ids'
    or (select app.everywhere('audit.read')) or (select app.everywhere('people.contact'))
    or exists (select from app.people_within('people.contact') w where w.org_id = audit_entries.org_id and w.person_id = audit_entries.person_id)));
alter policy audit_entries_tags on app.audit_entries using (
  entity not in ('tags', 'person_tags') or (org_id = (select app.org_id()) and (
    (select app.everywhere('people.write')) or (select app.everywhere('people.sensitive'))
    or (entity = 'tags' and ((select app.scope('people.write')) <> '{}' or (select app.scope('people.sensitive')) <> '{}'))
    or (entity = 'person_tags' and (
      (diff ->> 'tag_id')::uuid = any ((select app.member_tags())::uuid[])
      or exists (select from app.people_within('people.write') w where w.org_id = audit_entries.org_id and w.person_id = audit_entries.person_id)
      or exists (select from app.people_within('people.sensitive') w where w.org_id = audit_entries.org_id and w.person_id = audit_entries.person_id))))));

-- The policies that this function has made are made anew by it.
create or replace function app_private.share_history(wanted text, kind text default null) returns void
  language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  execute format($p$
    create policy %1$I on app.audit_entries for select to app_access using (
      org_id = (select app.org_id()) and needs = %2$L
      and ((select app.everywhere(%2$L))
        or chapter_id = any ((select app.scope(%2$L))::uuid[])
        or group_id = any ((select app.group_scope(%2$L))::uuid[])
        %3$s
        or exists (select from app.people_within(%2$L) w where w.org_id = audit_entries.org_id and w.person_id = audit_entries.person_id))
      -- Who or what stays hidden from the reader has no history for them either.
      and (person_id is null or exists (select from app.people p where p.org_id = audit_entries.org_id and p.id = audit_entries.person_id))
      and (group_id is null or exists (select from app.groups g where g.org_id = audit_entries.org_id and g.id = audit_entries.group_id)))
  $p$, 'audit_entries_' || replace(wanted, '.', '_'), wanted,
    case when kind is not null then format('or record_id = any ((select app.record_scope(%L, %L))::uuid[])', kind, wanted) else '' end);
end $$;
drop policy audit_entries_people_sensitive on app.audit_entries;
select app_private.share_history('people.sensitive');

-- Searches run as app_definer, for which patterns may use their indexes, and put the actor's rights into the text, so that the planner drops what
-- cannot matter: whoever holds a right everywhere is asked nothing about any person.
create or replace function app_private.people_search(query text, out people text, out seen text, out names text, out emails text, out phones text)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid := app.org_id();
  me uuid := app.person_id();
  today date := app.today();
  terms record := app.search_terms(query);
  sees_all boolean := app.everywhere('people.sensitive');
  directory boolean := app.everywhere('people.directory');
  contacts boolean := app.everywhere('people.contact');
  nowhere constant uuid[] := '{}';
  contact text;
begin
  if org is null or terms.names is null then return; end if;

  seen := format($p$app.sees_person(p.id = %1$L, coalesce(p.minor_until > %2$L, false),
      %3$L, exists (select from app.people_within('people.sensitive', %4$L, %2$L) w where w.org_id = p.org_id and w.person_id = p.id),
      %5$L, exists (select from app.people_within('people.directory', %6$L, %2$L) w where w.org_id = p.org_id and w.person_id = p.id))$p$,
    me, today, sees_all, case when sees_all then nowhere else app.scope('people.sensitive') end,
    directory, case when sees_all or directory then nowhere else app.scope('people.directory') end);
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
end $$;
