-- Search. Pattern operators are not leakproof, so their indexes are useless below a policy: these functions run as app_definer,
-- apply the actor's rights themselves, and hand back ids, to which row-level security then applies once more.

create function app.like_pattern(term text) returns text language sql immutable strict parallel safe set search_path = pg_catalog, pg_temp
as $$ select '%' || replace(replace(replace(term, '\', '\\'), '%', '\%'), '_', '\_') || '%' $$;
comment on function app.like_pattern(text) is 'A LIKE pattern that finds the term anywhere, with wildcards in it taken literally';

-- The conditions of a search as SQL with every value quoted into it, so that each search is planned for its own words.
create function app_private.people_search(query text, out people text, out names text, out emails text, out phones text)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid := app.org_id();
  me uuid := app.person_id();
  today date := app.today();
  folded text := btrim(app.fold(left(query, 200)));
  terms text[] := (select array_agg(t) from (select t from regexp_split_to_table(folded, '\s+') t where t <> '' limit 6) x);
  number text := regexp_replace(query, '[^0-9]', '', 'g');
  reach text;
  contact text;
begin
  if org is null or terms is null then return; end if;

  if app.everywhere('people.sensitive') then
    reach := 'true';
  elsif app.everywhere('people.directory') then
    reach := format('(p.minor_until is null or p.minor_until <= %1$L or p.id = %2$L or exists (select from app.affiliations a where a.org_id = p.org_id
      and a.person_id = p.id and a.chapter_id = any (%3$L::uuid[]) and a.starts_on <= %1$L and (a.ends_on is null or a.ends_on >= %1$L)))',
      today, me, app.scope('people.sensitive'));
  else
    reach := format('(p.id = %2$L or ((p.minor_until is null or p.minor_until <= %1$L) and exists (select from app.affiliations a where a.org_id = p.org_id
      and a.person_id = p.id and a.chapter_id = any (%3$L::uuid[]) and a.starts_on <= %1$L and (a.ends_on is null or a.ends_on >= %1$L))))',
      today, me, app.scope('people.directory'));
  end if;
  people := format('p.org_id = %L and p.deleted_at is null and %s', org, reach);

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
  if char_length(folded) >= 3 and folded !~ '\s' then
    -- A whole domain can match everybody, so the part after the @ is searched only when an @ was typed.
    emails := format('c.org_id = %L and c.%I like %L and %s', org, case when folded like '%@%' then 'address_key' else 'local_key' end, app.like_pattern(folded), contact);
  end if;
  if char_length(number) >= 3 and query !~ '[[:alpha:]]' then
    phones := format('c.org_id = %L and c.digits like %L and %s', org, app.like_pattern(number), contact);
  end if;
end $$;
comment on function app_private.people_search(text) is 'Conditions on app.people p (whom the actor may see, whose name fits) and on e-mails and telephones c that fit and may be seen';

-- All that match, as one statement; `at_most` bounds each way of matching.
create function app_private.people_search_union(c record, at_most text) returns text
  language plpgsql immutable set search_path = pg_catalog, pg_temp as $$
declare sql text;
begin
  sql := format('(select p.id, p.sort_name from app.people p where %s and %s %s)', c.people, c.names, at_most);
  if c.emails is not null then
    sql := sql || format(' union select p.id, p.sort_name from app.people p where %s and p.id in (select c.person_id from app.person_emails c where %s %s)', c.people, c.emails, at_most);
  end if;
  if c.phones is not null then
    sql := sql || format(' union select p.id, p.sort_name from app.people p where %s and p.id in (select c.person_id from app.person_phones c where %s %s)', c.people, c.phones, at_most);
  end if;
  return sql;
end $$;
comment on function app_private.people_search_union(record, text) is 'The statement that finds everybody by the conditions of people_search';

create function app.matching_people(query text) returns table (id uuid, sort_name text)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare c record;
begin
  select * into c from app_private.people_search(query);
  if c.names is null then return; end if;
  return query execute app_private.people_search_union(c, '');
end $$;
comment on function app.matching_people(text) is 'Ids of all the people that the actor may find by this text: all words in the names or member number, or an e-mail address or telephone number that the actor may see';

create function app.search_people(query text, after_name text, after_id uuid, how_many int, backwards boolean)
  returns table (id uuid, sort_name text, total int)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  cap constant int := 10001;
  c record;
  found int;
  onward text := 'true';
  ordered text := format('order by 2 %1$s, 1 %1$s limit %2$s', case when backwards then 'desc' else 'asc' end, how_many);
  anywhere text;
begin
  select * into c from app_private.people_search(query);
  if c.names is null then return; end if;
  if after_id is not null then
    onward := format('(sort_name, id) %s (%L, %L::uuid)', case when backwards then '<' else '>' end, after_name, after_id);
  end if;

  execute format('select count(*) from (select from app.people p where %s and %s limit %s) x', c.people, c.names, cap) into found;
  if found < cap and c.emails is not null then
    execute format('select count(*) from (select from app.person_emails c where %s limit %s) x', c.emails, cap) into found;
  end if;
  if found < cap then
    return query execute format('with m as materialized (%s) select m.id, m.sort_name, (select count(*)::int from m) from m where %s %s',
      app_private.people_search_union(c, ''), onward, ordered);
  else
    -- So many match that walking along the names meets a page of them soon, where collecting all would take long.
    anywhere := c.names;
    if c.emails is not null then
      anywhere := anywhere || format(' or exists (select from app.person_emails c where c.person_id = p.id and %s)', c.emails);
    end if;
    if c.phones is not null then
      anywhere := anywhere || format(' or exists (select from app.person_phones c where c.person_id = p.id and %s)', c.phones);
    end if;
    return query execute format('select p.id, p.sort_name, %s from app.people p where %s and (%s) and %s %s', cap, c.people, anywhere, onward, ordered);
  end if;
end $$;
comment on function app.search_people(text, text, uuid, int, boolean) is 'A page of matching_people in the order of names, after a given one, with how many match in all; above 10,000 the total is 10,001';

revoke execute on function app.like_pattern(text), app.matching_people(text), app.search_people(text, text, uuid, int, boolean) from public;
grant execute on function app.like_pattern(text) to app_access, app_definer;
grant execute on function app.matching_people(text), app.search_people(text, text, uuid, int, boolean) to app_access;
revoke execute on function app_private.people_search(text), app_private.people_search_union(record, text) from public;
grant execute on function app_private.people_search(text), app_private.people_search_union(record, text) to app_definer;
