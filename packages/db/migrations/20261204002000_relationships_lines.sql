-- Who stands under whom, read as lines: the links of one kind on one day that a reader may see, from somebody down or up, or all of them. The functions
-- run as app_definer, ask once what the reader holds and put it into the text, as searches do, and stop at people whom the reader does not see. They
-- answer ids only; names are read below row-level security.

create index person_private_by_birth_date on app.person_private (org_id, birth_date, person_id) where birth_date is not null;

create function app_private.line_terms(kind text, day date, chapter uuid, own boolean, out type uuid, out links text, out mine text, out seen text, out line uuid[])
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  org constant uuid := app.org_id();
  me constant uuid := app.person_id();
  today constant date := app.today();
  nowhere constant uuid[] := '{}';
  is_minors boolean;
  wanted text;
  here uuid[];
  held boolean := true;
begin
  if org is null then return; end if;
  select t.id, t.is_minors_only into type, is_minors from app.relationship_types t where t.org_id = org and t.key = kind;
  if type is null then return; end if;

  seen := format('p.org_id = %L and p.deleted_at is null and %s', org, app_private.people_seen());
  links := format($p$r.org_id = %1$L and r.type_id = %2$L and r.state in ('active', 'ended')
      and coalesce(r.starts_on, '-infinity') <= %3$L and coalesce(r.ends_on, 'infinity') >= %3$L$p$, org, type, day);
  if chapter is not null then
    links := links || format($p$ and exists (select from app.affiliations a join app.chapter_ancestors s on s.org_id = a.org_id and s.chapter_id = a.chapter_id and s.ancestor_id = %1$L
      where a.org_id = r.org_id and a.person_id = r.to_person_id and a.starts_on <= %2$L and (a.ends_on is null or a.ends_on >= %2$L))$p$, chapter, day);
  end if;

  -- Each right over one of the two; the right to see minors over the second.
  foreach wanted in array array['relationships.read', 'reports.read'] || case when is_minors then array['people.sensitive'] else '{}' end loop
    if app.everywhere(wanted) then continue; end if;
    here := app.scope(wanted);
    held := held and here <> nowhere;
    mine := concat_ws(' and ', mine, format('exists (select from app.people_within(%L, %L, %L) w where w.org_id = r.org_id and w.person_id in (%s))', wanted, here, today,
      case wanted when 'people.sensitive' then 'r.to_person_id' else 'r.from_person_id, r.to_person_id' end));
  end loop;
  line := nowhere;
  if mine is null then
    mine := 'true';
    return;
  end if;
  mine := format('(%s or r.from_person_id = %2$L or r.to_person_id = %2$L or r.id = any ($1))', case when held then mine else 'false' end, me);
  -- One's own line: the people above and below oneself. Of kinds for minors, nothing beyond one's own pairs.
  if own and not is_minors and me is not null then
    execute format($q$
      with recursive up (id, person) as (
        select r.id, r.from_person_id from app.relationships r join app.people p on p.id = r.from_person_id and %2$s where %1$s and r.to_person_id = %3$L
        union
        select r.id, r.from_person_id from up u join app.relationships r on %1$s and r.to_person_id = u.person join app.people p on p.id = r.from_person_id and %2$s
      ), down (id, person) as (
        select r.id, r.to_person_id from app.relationships r join app.people p on p.id = r.to_person_id and %2$s where %1$s and r.from_person_id = %3$L
        union
        select r.id, r.to_person_id from down d join app.relationships r on %1$s and r.from_person_id = d.person join app.people p on p.id = r.to_person_id and %2$s
      )
      select coalesce(array_agg(x.id), '{}') from (select u.id from up u union select d.id from down d limit 100000) x$q$, links, seen, me) into line;
  end if;
end $$;
comment on function app_private.line_terms(text, date, uuid, boolean) is
  'Conditions on app.relationships r for a kind and a day (links), as far as the reader may read it in reports (mine, with ids of their own line as $1), and on app.people p whom they see (seen); no type where there is no such kind';

-- 53 bytes a link: its id, who stands above, who below, the first day as days since 2000 (the smallest number where it is not known), and who of both is
-- an active member. Ten thousand of them are read in a fraction of the time that rows would take.
create function app_private.line_bytes(link uuid, parent uuid, child uuid, since date, parent_active boolean, child_active boolean) returns bytea language sql immutable
return uuid_send(link) || uuid_send(parent) || uuid_send(child) || int4send(coalesce(since - date '2000-01-01', -2147483648))
  || case when parent_active then case when child_active then '\x03'::bytea else '\x01' end when child_active then '\x02' else '\x00' end;
comment on function app_private.line_bytes(uuid, uuid, uuid, date, boolean, boolean) is 'One link of a line, packed';
grant execute on function app_private.line_bytes(uuid, uuid, uuid, date, boolean, boolean) to app_definer;

-- Each step looks into an index: what a step finds is never what the planner thinks. People are joined afterwards, all at once.
create function app_private.line_walk(links text, mine text, line uuid[], starts uuid[], upwards boolean, most int, out ids uuid[], out parents uuid[], out children uuid[], out since date[])
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  execute format($q$
    with recursive line (link, parent, child, since) as (
      select r.id, r.from_person_id, r.to_person_id, r.starts_on from app.relationships r where %1$s and %2$s and r.%3$I = any ($2)
      union
      select r.id, r.from_person_id, r.to_person_id, r.starts_on from line l join app.relationships r on %1$s and %2$s and r.%3$I = l.%4$I
    )
    select array_agg(x.link), array_agg(x.parent), array_agg(x.child), array_agg(x.since) from (select * from line limit $3) x$q$,
    links, mine, case when upwards then 'to_person_id' else 'from_person_id' end, case when upwards then 'parent' else 'child' end)
    into ids, parents, children, since using line, starts, most;
end $$;
comment on function app_private.line_walk(text, text, uuid[], uuid[], boolean, int) is 'All links below these people, or above them, whether or not the reader sees the people between';

create function app.line_links(kind text, day date, chapter uuid, own boolean, starts uuid[], upwards boolean, most int) returns bytea
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  terms constant record := app_private.line_terms(kind, day, chapter, own);
  walked record;
  found bytea;
begin
  if terms.type is null then return null; end if;
  walked := app_private.line_walk(terms.links, terms.mine, terms.line, starts, upwards, most);
  if walked.ids is null then return ''; end if;
  -- What begins with somebody hidden, who ends nothing that is kept, is not kept either.
  execute format($q$
    with kept as materialized (select x.*, p.lifecycle = 'active' as active from unnest($1, $2, $3, $4) x (link, parent, child, since) join app.people p on p.id = x.%3$I and %1$s)
    select string_agg(app_private.line_bytes(k.link, k.parent, k.child, k.since, %2$s), '') from kept k where k.%4$I = any ($5) or k.%4$I in (select o.%3$I from kept o)$q$,
    terms.seen, case when upwards then 'k.active, false' else 'false, k.active' end, case when upwards then 'parent' else 'child' end, case when upwards then 'child' else 'parent' end)
    into found using walked.ids, walked.parents, walked.children, walked.since, starts;
  return coalesce(found, '');
end $$;
comment on function app.line_links(text, date, uuid, boolean, uuid[], boolean, int) is
  'All links below these people, or above them, between people whom the reader sees, packed, at most so many; null where there is no such kind. What is beyond somebody hidden hangs on nothing. With own, links of the reader''s own line as well';

create function app.line_steps(kind text, day date, people uuid[], most int) returns bytea
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  terms constant record := app_private.line_terms(kind, day, null, false);
  found bytea;
begin
  if terms.type is null then return null; end if;
  execute format($q$
    select string_agg(app_private.line_bytes(x.id, x.from_person_id, x.to_person_id, x.starts_on, false, false), '') from (
      select r.* from app.relationships r join app.people p on p.id = r.to_person_id and %3$s where %1$s and %2$s and r.from_person_id = any ($2)
      union all
      select r.* from app.relationships r join app.people p on p.id = r.from_person_id and %3$s where %1$s and %2$s and r.to_person_id = any ($2)
      limit $3) x$q$,
    terms.links, terms.mine, terms.seen)
    into found using terms.line, people, most;
  return coalesce(found, '');
end $$;
comment on function app.line_steps(text, date, uuid[], int) is 'Links of these people, up and down, packed';

create function app.line_all(kind text, day date, chapter uuid, most int) returns bytea
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  terms constant record := app_private.line_terms(kind, day, chapter, false);
  found bytea;
begin
  if terms.type is null then return null; end if;
  execute format($q$
    select string_agg(app_private.line_bytes(x.id, x.from_person_id, x.to_person_id, x.starts_on, x.parent_active, x.child_active), '') from (
      select r.id, r.from_person_id, r.to_person_id, r.starts_on, p.lifecycle = 'active' as parent_active, c.lifecycle = 'active' as child_active
      from app.relationships r
      join app.people p on p.id = r.from_person_id and %3$s
      join (select p.id, p.lifecycle from app.people p where %3$s) c on c.id = r.to_person_id
      where %1$s and %2$s limit $2) x$q$,
    terms.links, terms.mine, terms.seen)
    into found using terms.line, most;
  return coalesce(found, '');
end $$;
comment on function app.line_all(text, date, uuid, int) is 'All links of a kind that the reader may see in reports, packed, at most so many; null where there is no such kind';

create function app.line_reaches(kind text, day date, person uuid) returns boolean
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  terms constant record := app_private.line_terms(kind, day, null, true);
  found boolean;
begin
  if terms.type is null then return false; end if;
  execute format($q$
    select exists (select from app.people p where p.id = $2 and %3$s) and (%4$L or $2 = %5$L
      or exists (select from app.relationships r where %1$s and %2$s and r.from_person_id = $2)
      or exists (select from app.relationships r where %1$s and %2$s and r.to_person_id = $2))$q$,
    terms.links, terms.mine, terms.seen, terms.mine = 'true', app.person_id())
    into found using terms.line, person;
  return coalesce(found, false);
end $$;
comment on function app.line_reaches(text, date, uuid) is 'Whether the reader may ask for the line of somebody: they see the person, and see all of the kind or something of that person''s';

create function app.chapter_members_on(day date) returns table (chapter_id uuid, people int) language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare org constant uuid := app.org_id();
begin
  if day = app.today() then
    return query select n.chapter_id, n.people from app.chapter_counts n where n.org_id = org and n.kind = 'member' and n.people > 0;
  else
    return query select a.chapter_id, count(distinct a.person_id)::int from app.affiliations a
      where a.org_id = org and a.kind = 'member' and a.starts_on <= day and (a.ends_on is null or a.ends_on >= day) group by a.chapter_id;
  end if;
end $$;
comment on function app.chapter_members_on(date) is 'How many members chapters themselves had on a day, which everybody sees of today as well';

grant execute on function app.line_links(text, date, uuid, boolean, uuid[], boolean, int), app.line_steps(text, date, uuid[], int), app.line_all(text, date, uuid, int),
  app.line_reaches(text, date, uuid), app.chapter_members_on(date) to app_access;
select app_private.own_definers();
