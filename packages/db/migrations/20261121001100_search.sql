-- Search. Pattern operators are not leakproof, so their indexes are useless below a policy: these functions run as app_definer,
-- apply the actor's rights themselves, and hand back ids, to which row-level security then applies once more.

create function app.like_pattern(term text) returns text language sql immutable strict parallel safe set search_path = pg_catalog, pg_temp
as $$ select '%' || replace(replace(replace(term, '\', '\\'), '%', '\%'), '_', '\_') || '%' $$;
comment on function app.like_pattern(text) is 'A LIKE pattern that finds the term anywhere, with wildcards in it taken literally';

-- The conditions of a search as SQL with every value quoted into it, so that each search is planned for its own words.
create function app_private.people_search(query text, out people text, out seen text, out names text, out emails text, out phones text)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid := app.org_id();
  me uuid := app.person_id();
  today date := app.today();
  folded text := btrim(app.fold(left(query, 200)));
  terms text[] := (select array_agg(t) from (select t from regexp_split_to_table(folded, '\s+') t where t <> '' limit 6) x);
  number text := regexp_replace(query, '[^0-9]', '', 'g');
  -- Whether a trigram is in it: three letters in a row, or two of them at an end of a word that is seen to be one.
  anywhere boolean := folded ~ '[[:alnum:]]{3}|[^[:alnum:]\s][[:alnum:]]{2}|[[:alnum:]]{2}[^[:alnum:]\s]';
  contact text;
begin
  if org is null or terms is null then return; end if;

  if app.everywhere('people.sensitive') then
    seen := 'true';
  elsif app.everywhere('people.directory') then
    seen := format('(p.minor_until is null or p.minor_until <= %1$L or p.id = %2$L or exists (select from app.affiliations a
      where a.org_id = p.org_id and a.person_id = p.id and a.chapter_id = any (%3$L::uuid[]) and a.starts_on <= %1$L and (a.ends_on is null or a.ends_on >= %1$L)))',
      today, me, app.scope('people.sensitive'));
  else
    seen := format('(p.id = %2$L or exists (select from app.affiliations a where a.org_id = p.org_id and a.person_id = p.id
      and a.chapter_id = any (case when p.minor_until > %1$L then %3$L else %4$L end::uuid[]) and a.starts_on <= %1$L and (a.ends_on is null or a.ends_on >= %1$L)))',
      today, me, app.scope('people.sensitive'), app.scope('people.directory'));
  end if;
  people := format('p.org_id = %L and p.deleted_at is null and %s', org, seen);

  if app.everywhere('people.contact') then
    contact := 'true';
  else
    contact := format('c.person_id = %L', me);
    if app.everywhere('people.directory') then contact := contact || ' or c.visible_to = ''members'''; end if;
    if app.scope('people.contact') <> '{}' then
      contact := contact || format(' or exists (select from app.affiliations a where a.org_id = c.org_id and a.person_id = c.person_id
        and a.chapter_id = any (%1$L::uuid[]) and a.starts_on <= %2$L and (a.ends_on is null or a.ends_on >= %2$L))', app.scope('people.contact'), today);
    end if;
    if app.group_scope('people.contact') <> '{}' then
      contact := contact || format(' or exists (select from app.group_members m where m.org_id = c.org_id and m.person_id = c.person_id
        and m.status = ''active'' and m.ends_on is null and m.group_id = any (%L::uuid[]))', app.group_scope('people.contact'));
    end if;
  end if;

  select string_agg(format('p.search like %L', app.like_pattern(t)), ' and ') into names from unnest(terms) t;
  if not anywhere then
    -- Too little for trigrams: family names that begin with one of the words, which the name index answers, and all words in the names.
    select format('(%s) and %s', string_agg(format('p.sort_name >= %L and p.sort_name < %L', t, t || chr(1114111)), ' or '), names) into names from unnest(terms) t;
  end if;
  if anywhere and folded !~ '\s' then
    -- A whole domain can match everybody, so the part after the @ is searched only when an @ was typed.
    emails := format('c.org_id = %L and c.%I like %L and (%s)', org, case when folded like '%@%' then 'address_key' else 'local_key' end, app.like_pattern(folded), contact);
  end if;
  if char_length(number) >= 3 and query !~ '[[:alpha:]]' then
    phones := format('c.org_id = %L and c.digits like %L and (%s)', org, app.like_pattern(number), contact);
  end if;
end $$;
comment on function app_private.people_search(text) is 'Conditions on app.people p (people: whom the actor may see, of which seen is what rights say; whose name fits) and on e-mails and telephones c that fit and may be seen';

create function app_private.people_search_union(c record, cap int) returns text
  language plpgsql immutable set search_path = pg_catalog, pg_temp as $$
declare
  common constant int := 1000;
  -- Most addresses are made of the name, so few people are left to look up whom the names have not found already.
  also constant text := 'select distinct c.person_id from app.%s c where %s and not exists (select from n where n.id = c.person_id)';
  further text := concat_ws(' union ', case when c.emails is not null then format(also, 'person_emails', c.emails) end,
    case when c.phones is not null then format(also, 'person_phones', c.phones) end);
begin
  return format('n as materialized (select p.id, p.sort_name from app.people p where %1$s and %2$s limit %3$L), names as materialized (select count(*)::int as total from n)',
      c.people, c.names, cap)
    || ', m as materialized (select n.id, n.sort_name from n'
    -- Looked up one by one, which the offset makes sure of: patterns are guessed to fit far more than they do, and everybody would be read for a handful.
    || case when further <> '' then format(' union all select p.id, p.sort_name from (select f.person_id from (%1$s) f where (select total from names) <= %2$s) f (id)
      cross join lateral (select p.* from app.people p where %3$s and p.id = f.id offset 0) p', further, common, c.people) else '' end || ')';
end $$;
comment on function app_private.people_search_union(record, int) is 'Common table expressions: n who fits by name, at most cap if that is not null, names with how many those are, m everybody who fits. What more than a thousand names contain is not looked for in addresses and numbers as well, which would find as many again and few others';

create function app.matching_people(query text) returns table (id uuid, sort_name text)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare c record;
begin
  select * into c from app_private.people_search(query);
  if c.names is null then return; end if;
  return query execute format('with %s select m.id, m.sort_name from m', app_private.people_search_union(c, null));
end $$;
comment on function app.matching_people(text) is 'Ids of all the people that the actor may find by this text: all words in the names or member number, or an e-mail address or telephone number that the actor may see, which is not searched for what more than a thousand names contain';

create function app.search_people(query text, after_name text, after_id uuid, how_many int, backwards boolean)
  returns table (id uuid, sort_name text, total int)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  cap constant int := 10001;
  glance constant int := 50000;
  c record;
  onward text := 'true';
  ordered constant text := format('order by p.sort_name %1$s, p.id %1$s', case when backwards then 'desc' else 'asc' end);
  names int;
  matches int;
  page uuid[];
begin
  select * into c from app_private.people_search(query);
  if c.names is null then return; end if;
  if after_id is not null then
    onward := format('(p.sort_name, p.id) %s (%L, %L::uuid)', case when backwards then '<' else '>' end, after_name, after_id);
  end if;

  execute format('with %1$s select (select total from names), (select count(*) from m), case when (select total from names) < %2$s
      then array(select p.id from m p where %3$s %4$s limit %5$s) end',
    app_private.people_search_union(c, cap), cap, onward, ordered, how_many) into names, matches, page;
  if page is null then
    -- So common a word mostly fills the page within a glance along the index of names, which saves collecting and sorting everybody who fits.
    execute format('select array(select p.id from (select p.org_id, p.id, p.sort_name, p.search, p.minor_until from app.people p
        where p.org_id = %1$L and p.deleted_at is null and %2$s %3$s limit %4$s) p where %5$s and %6$s %3$s limit %7$s)',
      app.org_id(), onward, ordered, glance, c.names, c.seen, how_many) into page;
    if cardinality(page) < how_many then
      execute format('select array(select p.id from app.people p where %1$s and %2$s and %3$s %4$s limit %5$s)', c.people, c.names, onward, ordered, how_many)
        into page;
    end if;
  end if;
  return query select p.id, p.sort_name, least(matches, cap) from app.people p where p.org_id = app.org_id() and p.id = any (page);
end $$;
comment on function app.search_people(text, text, uuid, int, boolean) is 'A page of matching_people after a given one in the order of names, with how many match in all, which is exact up to 10,000';

revoke execute on function app.like_pattern(text), app.matching_people(text), app.search_people(text, text, uuid, int, boolean) from public;
grant execute on function app.like_pattern(text) to app_access, app_definer;
grant execute on function app.matching_people(text), app.search_people(text, text, uuid, int, boolean) to app_access;
revoke execute on function app_private.people_search(text), app_private.people_search_union(record, int) from public;
grant execute on function app_private.people_search(text), app_private.people_search_union(record, int) to app_definer;

create function app.similar_people(given text, family text) returns table (id uuid, score real)
  language plpgsql stable security definer set search_path = pg_catalog, extensions, pg_temp as $$
declare
  c record;
  whole text := btrim(app.fold(left(concat_ws(' ', nullif(btrim(given), ''), nullif(btrim(family), '')), 200)));
begin
  select * into c from app_private.people_search(whole);
  if c.people is null or char_length(whole) < 3 then return; end if;
  return query execute format('select p.id, greatest(word_similarity(%1$L, p.search), similarity(%1$L, p.search)) from app.people p
    where %2$s and %1$L <%% p.search order by 2 desc, p.sort_name limit 20', whole, c.people);
end $$;
comment on function app.similar_people(text, text) is 'The twenty people whom the actor sees and whose names are most like this one';
revoke execute on function app.similar_people(text, text) from public;
grant execute on function app.similar_people(text, text) to app_access;
