-- Search. Pattern operators are not leakproof, so their indexes are useless below a policy: these functions run as app_definer,
-- apply the actor's rights themselves, and hand back ids, to which row-level security then applies once more.

create function app.like_pattern(term text) returns text language sql immutable strict parallel safe set search_path = pg_catalog, pg_temp
as $$ select '%' || replace(replace(replace(term, '\', '\\'), '%', '\%'), '_', '\_') || '%' $$;
comment on function app.like_pattern(text) is 'A LIKE pattern that finds the term anywhere, with wildcards in it taken literally';

create function app.matching_people(query text) returns table (id uuid, sort_name text)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid := app.org_id();
  me uuid := app.person_id();
  today date := app.today();
  folded text := btrim(app.fold(left(query, 200)));
  terms text[] := (select array_agg(t) from (select t from regexp_split_to_table(folded, '\s+') t where t <> '' limit 6) x);
  number text := regexp_replace(query, '[^0-9]', '', 'g');
  directory text;
  contact text;
  names text;
  sql text;
begin
  if org is null or terms is null then return; end if;

  if app.everywhere('people.sensitive') then
    directory := 'true';
  elsif app.everywhere('people.directory') then
    directory := format('(p.minor_until is null or p.minor_until <= %1$L or p.id = %2$L or exists (select from app.affiliations a where a.org_id = p.org_id
      and a.person_id = p.id and a.chapter_id = any (%3$L::uuid[]) and a.starts_on <= %1$L and (a.ends_on is null or a.ends_on >= %1$L)))',
      today, me, app.scope('people.sensitive'));
  else
    directory := format('(p.id = %2$L or ((p.minor_until is null or p.minor_until <= %1$L) and exists (select from app.affiliations a where a.org_id = p.org_id
      and a.person_id = p.id and a.chapter_id = any (%3$L::uuid[]) and a.starts_on <= %1$L and (a.ends_on is null or a.ends_on >= %1$L))))',
      today, me, app.scope('people.directory'));
  end if;

  if app.everywhere('people.contact') then
    contact := 'true';
  else
    contact := format('(c.person_id = %2$L or (c.visible_to = ''members'' and %5$L::boolean)
      or exists (select from app.affiliations a where a.org_id = c.org_id and a.person_id = c.person_id and a.chapter_id = any (%3$L::uuid[])
        and a.starts_on <= %1$L and (a.ends_on is null or a.ends_on >= %1$L))
      or exists (select from app.group_members m where m.org_id = c.org_id and m.person_id = c.person_id and m.status = ''active'' and m.ends_on is null
        and m.group_id = any (%4$L::uuid[])))',
      today, me, app.scope('people.contact'), app.group_scope('people.contact'), app.everywhere('people.directory'));
  end if;

  if char_length(folded) < 3 then
    -- Too short for trigrams: the start of the family name, which the name index answers.
    names := format('p.sort_name >= %L and p.sort_name < %L', folded, folded || chr(1114111));
  else
    select string_agg(format('p.search like %L', app.like_pattern(t)), ' and ') into names from unnest(terms) t;
  end if;
  sql := format('select p.id, p.sort_name from app.people p where p.org_id = %L and p.deleted_at is null and %s and %s', org, names, directory);

  if char_length(folded) >= 3 and folded !~ '\s' then
    -- A whole domain can match everybody, so the part after the @ is searched only when an @ was typed, and matches are bounded.
    sql := sql || format(' union select p.id, p.sort_name from app.people p where p.org_id = %1$L and p.deleted_at is null and %2$s
      and p.id in (select c.person_id from app.person_emails c where c.org_id = %1$L and c.%5$I like %3$L and %4$s limit 20000)',
      org, directory, app.like_pattern(folded), contact, case when folded like '%@%' then 'address_key' else 'local_key' end);
  end if;
  if char_length(number) >= 3 and query !~ '[[:alpha:]]' then
    sql := sql || format(' union select p.id, p.sort_name from app.people p where p.org_id = %1$L and p.deleted_at is null and %2$s
      and p.id in (select c.person_id from app.person_phones c where c.org_id = %1$L and c.digits like %3$L and %4$s limit 20000)',
      org, directory, app.like_pattern(number), contact);
  end if;
  return query execute sql;
end $$;
comment on function app.matching_people(text) is 'Ids of the people that the actor may find by this text: all words in the names or member number, or an e-mail address or telephone number that the actor may see';

revoke execute on function app.like_pattern(text), app.matching_people(text) from public;
grant execute on function app.like_pattern(text) to app_access, app_definer;
grant execute on function app.matching_people(text) to app_access;
