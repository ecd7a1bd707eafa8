-- Searches that very many people fit, such as a domain that everybody's address ends with: they are no longer collected and sorted for one page.

create function app.search_terms(query text, out names text[], out starts text[], out email text, out whole boolean, out phone text)
  language plpgsql immutable parallel safe set search_path = pg_catalog, pg_temp as $$
declare
  folded text := btrim(app.fold(left(query, 200)));
  words text[] := (select array_agg(t) from (select t from regexp_split_to_table(folded, '\s+') t where t <> '' limit 6) x);
  number text := regexp_replace(query, '[^0-9]', '', 'g');
  -- Whether a trigram is in it: three letters in a row, or two of them at an end of a word that is seen to be one.
  anywhere boolean := folded ~ '[[:alnum:]]{3}|[^[:alnum:]\s][[:alnum:]]{2}|[[:alnum:]]{2}[^[:alnum:]\s]';
begin
  names := (select array_agg(app.like_pattern(w)) from unnest(words) w);
  if not anywhere then starts := words; end if;
  if anywhere and folded !~ '\s' then
    email := app.like_pattern(folded);
    -- A whole domain can match everybody, so the part after the @ is searched only when an @ was typed.
    whole := folded like '%@%';
  end if;
  if char_length(number) >= 3 and query !~ '[[:alpha:]]' then phone := app.like_pattern(number); end if;
end $$;
comment on function app.search_terms(text) is 'What a text searches for: patterns that the names must all fit (null for no word), beginnings of which a family name must have one where there is too little for trigrams (else null), a pattern for e-mail addresses, whole ones or the part before the @, and one for the digits of telephone numbers';
revoke execute on function app.search_terms(text) from public;
grant execute on function app.search_terms(text) to app_access, app_definer;

create or replace function app_private.people_search(query text, out people text, out seen text, out names text, out emails text, out phones text)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid := app.org_id();
  me uuid := app.person_id();
  today date := app.today();
  terms record := app.search_terms(query);
  contact text;
begin
  if org is null or terms.names is null then return; end if;

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

  select string_agg(format('p.search like %L', t), ' and ') into names from unnest(terms.names) t;
  if terms.starts is not null then
    -- The name index answers which family names begin so.
    select format('(%s) and %s', string_agg(format('p.sort_name >= %L and p.sort_name < %L', t, t || chr(1114111)), ' or '), names) into names from unnest(terms.starts) t;
  end if;
  if terms.email is not null then
    emails := format('c.org_id = %L and c.%I like %L and (%s)', org, case when terms.whole then 'address_key' else 'local_key' end, terms.email, contact);
  end if;
  if terms.phone is not null then
    phones := format('c.org_id = %L and c.digits like %L and (%s)', org, terms.phone, contact);
  end if;
end $$;

drop function app_private.people_search_union(record, int);
create function app_private.people_search_found(c record, cap int) returns text
  language plpgsql immutable set search_path = pg_catalog, pg_temp as $$
declare
  common constant int := 1000;
  -- People may have several addresses, so more of them are read than people are counted.
  addresses constant int := 2 * cap;
  -- People are looked up one by one, which the offset makes sure of: patterns are guessed to fit far more than they do, and everybody would be read
  -- for a handful. Most addresses are made of the name, so few are left whom the names have not found already.
  also constant text := '(select p.id, p.sort_name from app.%s c cross join lateral (select p.* from app.people p where %s and p.id = c.person_id offset 0) p
    where (select total from names) <= %s and not exists (select from n where n.id = c.person_id) and %s limit %L)';
  further text := concat_ws(' union all ', case when c.emails is not null then format(also, 'person_emails', c.people, common, c.emails, addresses) end,
    case when c.phones is not null then format(also, 'person_phones', c.people, common, c.phones, addresses) end);
begin
  return format('n as materialized (select p.id, p.sort_name from app.people p where %1$s and %2$s limit %3$L), names as materialized (select count(*)::int as total from n)',
      c.people, c.names, cap)
    || case when further = '' then ', m as (select n.id, n.sort_name from n), matches as materialized (select total from names)'
      else format(', a as materialized (%1$s)
      , m as materialized (select n.id, n.sort_name from n union all select distinct a.id, a.sort_name from a)
      , matches as materialized (select case when (select count(*) from a) >= %3$L then %2$L::int else count(*)::int end as total from m)',
        further, cap, addresses) end;
end $$;
comment on function app_private.people_search_found(record, int) is 'Common table expressions: n who fits by name, at most cap if that is not null, names with how many those are, m everybody who fits, matches with how many those are, of which m knows all while they are fewer than cap. What more than a thousand names contain is not looked for in addresses and numbers as well, which would find as many again and few others';
revoke execute on function app_private.people_search_found(record, int) from public;
grant execute on function app_private.people_search_found(record, int) to app_definer;

create or replace function app.matching_people(query text) returns table (id uuid, sort_name text)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare c record;
begin
  select * into c from app_private.people_search(query);
  if c.names is null then return; end if;
  return query execute format('with %s select m.id, m.sort_name from m', app_private.people_search_found(c, null));
end $$;

create function app_private.people_reach(query text, cap int, out people int, out names_alone boolean)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare c record;
begin
  select * into c from app_private.people_search(query);
  people := 0;
  names_alone := true;
  if c.names is not null then
    execute format('with %s select least((select total from matches), %s), (select total from names) > 1000', app_private.people_search_found(c, cap), cap)
      into people, names_alone;
  end if;
end $$;
comment on function app_private.people_reach(text, int) is 'How many people the actor finds by this text, at most cap, and whether addresses and numbers are not looked at because so many names contain it';

create function app.search_reach(query text, out people int, out names_alone boolean)
  language sql stable security definer set search_path = pg_catalog, pg_temp as $$ select r.people, r.names_alone from app_private.people_reach(query, 10001) r $$;
comment on function app.search_reach(text) is 'How many people the actor finds by this text, counted to 10,001, and whether addresses and numbers are not looked at because so many names contain it';

create or replace function app.search_people(query text, after_name text, after_id uuid, how_many int, backwards boolean)
  returns table (id uuid, sort_name text, total int)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  cap constant int := 10001;
  glance constant int := 50000;
  c record;
  onward text := 'true';
  ordered constant text := format('order by p.sort_name %1$s, p.id %1$s', case when backwards then 'desc' else 'asc' end);
  owned constant text := 'exists (select from app.%s c where c.org_id = p.org_id and c.person_id = p.id and %s)';
  fits text;
  names int;
  matches int;
  page uuid[];
begin
  select * into c from app_private.people_search(query);
  if c.names is null then return; end if;
  if after_id is not null then
    onward := format('(p.sort_name, p.id) %s (%L, %L::uuid)', case when backwards then '<' else '>' end, after_name, after_id);
  end if;

  execute format('with %1$s select (select total from names), (select total from matches), case when (select total from matches) < %2$s
      then array(select p.id from m p where %3$s %4$s limit %5$s) end',
    app_private.people_search_found(c, cap), cap, onward, ordered, how_many) into names, matches, page;
  if page is null then
    -- So common a text mostly fills the page within a glance along the index of names, which saves collecting and sorting everybody who fits.
    fits := case when names >= cap then c.names else concat_ws(' or ', format('(%s)', c.names),
      case when c.emails is not null then format(owned, 'person_emails', c.emails) end,
      case when c.phones is not null then format(owned, 'person_phones', c.phones) end) end;
    execute format('select array(select p.id from (select p.org_id, p.id, p.sort_name, p.search, p.minor_until from app.people p
        where p.org_id = %1$L and p.deleted_at is null and %2$s %3$s limit %4$s) p where (%5$s) and %6$s %3$s limit %7$s)',
      app.org_id(), onward, ordered, glance, fits, c.seen, how_many) into page;
    if cardinality(page) < how_many then
      execute format('select array(select p.id from app.people p where %1$s and (%2$s) and %3$s %4$s limit %5$s)', c.people, fits, onward, ordered, how_many)
        into page;
    end if;
  end if;
  return query select p.id, p.sort_name, least(matches, cap) from app.people p where p.org_id = app.org_id() and p.id = any (page);
end $$;

create function app.matching_memberships(query text) returns setof uuid
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid := app.org_id();
  pattern text := app.like_pattern(app.fold(left(query, 200)));
begin
  return query
    select m.id from app.group_members m where m.org_id = org and m.title <> '' and lower(m.title) like pattern
    union select m.id from app.matching_people(query) f join app.group_members m on m.org_id = org and m.person_id = f.id
    union select m.id from app.groups g join app.group_members m on m.org_id = org and m.group_id = g.id where g.org_id = org and g.search like pattern;
end $$;
comment on function app.matching_memberships(text) is 'Ids of memberships of groups that a text is about, by their title, by the person or by the name of the group; the policies say which of them the actor sees';

create function app.memberships_reach(query text) returns int
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid := app.org_id();
  pattern text := app.like_pattern(app.fold(left(query, 200)));
begin
  return (select r.people from app_private.people_reach(query, 20001) r) + (select coalesce(sum(n.members), 0) from app.groups g
    join app.group_counts n on n.org_id = g.org_id and n.group_id = g.id where g.org_id = org and g.search like pattern);
end $$;
comment on function app.memberships_reach(text) is 'About how many memberships matching_memberships would collect; people are counted to 20,001';

do $$
declare f text;
begin
  grant create on schema app, app_private to app_definer;
  foreach f in array array['app_private.people_reach(text, int)', 'app.search_reach(text)', 'app.matching_memberships(text)', 'app.memberships_reach(text)'] loop
    execute format('alter function %s owner to app_definer', f);
    execute format('revoke execute on function %s from public', f);
    if f not like 'app_private.%' then execute format('grant execute on function %s to app_access', f); end if;
  end loop;
  revoke create on schema app, app_private from app_definer;
end $$;
