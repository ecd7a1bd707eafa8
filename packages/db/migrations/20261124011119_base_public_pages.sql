-- Pages for everybody: what the organisation shows of itself, and the chapters that have a page. They are read by functions that give out
-- published rows only, whoever asks.

alter table app.organisations add column brand_color text check (brand_color ~ '^#[0-9a-f]{6}$');
comment on column app.organisations.brand_color is 'Colour of public pages and member cards, such as #1d4ed8; null for the standard one';
grant update (brand_color) on app.organisations to app_access;

create function app.public_brand(idp_org text, org uuid) returns table (org_id uuid, name text, locale text, contact_email text, brand_color text)
  language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select o.org_id, o.name, o.locale, o.contact_email, o.brand_color from app.organisations o where o.org_id = coalesce(org, app.token_organisation(idp_org))
$$;
comment on function app.public_brand(text, uuid) is 'How an organisation shows itself on public pages: the one of a link, or the one that this installation shows';

-- Who agreed to be named -------------------------------------------------------------------------------------------------------------
create table app.public_names (
  org_id uuid not null,
  person_id uuid not null,
  agreed_at timestamptz not null default now(),
  primary key (org_id, person_id),
  foreign key (org_id, person_id) references app.people (org_id, id) on delete cascade
);
comment on table app.public_names is 'People who agreed to be named on public pages: in their offices and on their member card';
select app_private.protect('app.public_names');
select app_private.keep_audit('app.public_names', 'people.contact');
grant select on app.public_names to app_definer;
grant select, delete, insert (org_id, person_id) on app.public_names to app_access;
create policy public_names_read on app.public_names for select to app_access
  using (org_id = (select app.org_id()) and person_id = (select app.person_id()));
create policy public_names_add on app.public_names for insert to app_access
  with check (org_id = (select app.org_id()) and person_id = (select app.person_id()));
create policy public_names_remove on app.public_names for delete to app_access
  using (org_id = (select app.org_id()) and person_id = (select app.person_id()));
create trigger public_names_open_insert after insert on app.public_names referencing new table as changed
  for each statement execute function app.person_record_guard('erased,merged,deceased');

create function app_private.public_name(org uuid, person uuid) returns text language sql stable set search_path = pg_catalog, pg_temp as $$
  select p.display_name from app.people p
  join app.public_names n on n.org_id = p.org_id and n.person_id = p.id
  where p.org_id = org and p.id = person and p.deleted_at is null and p.lifecycle not in ('deceased', 'merged', 'erased')
    and (p.minor_until is null or p.minor_until <= current_date)
$$;
comment on function app_private.public_name(uuid, uuid) is 'Name of somebody who agreed to be named in public, as long as they are of age and their record is open';
revoke execute on function app_private.public_name(uuid, uuid) from public;
grant execute on function app_private.public_name(uuid, uuid) to app_definer;

-- Chapters ----------------------------------------------------------------------------------------------------------------------------
alter table app.chapters add column public_page boolean not null default false;
comment on column app.chapters.public_page is 'Whether everybody may open the page of this chapter, while it is active and the organisation shows its chapters';
grant update (public_page) on app.chapters to app_access;
drop trigger chapters_touch on app.chapters;
create trigger chapters_touch before update of parent_id, name, code, level, status, about, city, contact_email, website, timezone, chartered_on, closed_on, public_page on app.chapters
  for each row execute function app.touch();

create function app_private.chapter_page(org uuid, chapter uuid) returns json language sql stable set search_path = pg_catalog, pg_temp as $$
  select json_build_object('code', c.code, 'name', c.name, 'about', c.about, 'city', c.city, 'contactEmail', c.contact_email, 'website', c.website,
    'charteredOn', c.chartered_on,
    'parent', (select json_build_object('name', up.name, 'code', case when up.public_page then up.code end)
      from app.chapters up where up.org_id = c.org_id and up.id = c.parent_id and up.status = 'active'),
    'offices', (select coalesce(json_agg(json_build_object('title', x.title, 'names', x.names) order by x.mandatory desc, x.title_key), '[]') from (
      select s.title, s.title_key, s.mandatory,
        coalesce(json_agg(distinct app_private.public_name(h.org_id, h.person_id)) filter (where app_private.public_name(h.org_id, h.person_id) is not null), '[]') as names
      from app.positions s join app.position_holders h on h.org_id = s.org_id and h.position_id = s.id
      where s.org_id = c.org_id and s.chapter_id = c.id and h.starts_on <= o.today and (h.ends_on is null or h.ends_on >= o.today)
      group by s.id, s.title, s.title_key, s.mandatory order by s.mandatory desc, s.title_key limit 50) x),
    'subchapters', (select coalesce(json_agg(json_build_object('name', x.name, 'city', x.city, 'code', case when x.public_page then x.code end) order by x.search, x.code), '[]') from (
      select s.name, s.city, s.code, s.search, s.public_page from app.chapters s
      where s.org_id = c.org_id and s.parent_id = c.id and s.status = 'active' order by s.search, s.code limit 200) x))
  from app.chapters c
  cross join lateral (select (now() at time zone r.timezone)::date as today from app.organisations r where r.org_id = c.org_id) o
  where c.org_id = org and c.id = chapter
$$;
comment on function app_private.chapter_page(uuid, uuid) is 'What the public page of a chapter shows: of people only the names of office-holders who agreed, of other chapters only active ones';
revoke execute on function app_private.chapter_page(uuid, uuid) from public;
grant execute on function app_private.chapter_page(uuid, uuid) to app_definer;

create function app.public_chapter(idp_org text, key text) returns json language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select app_private.chapter_page(c.org_id, c.id) from app.chapters c
  join app.organisations o on o.org_id = c.org_id and o.public_chapters
  where c.org_id = app.token_organisation(idp_org) and (c.code = key or c.id::text = key) and c.public_page and c.status = 'active'
  order by c.code = key desc limit 1
$$;
comment on function app.public_chapter(text, text) is 'The public page of a chapter by its code or id, for everybody, once it is published';

create function app.preview_chapter(idp_org text, secret_hash text) returns json language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select app_private.chapter_page(l.org_id, l.subject_id) from app.open_link(idp_org, 'chapter-previews', secret_hash) l where l.subject_type = 'chapter'
$$;
comment on function app.preview_chapter(text, text) is 'The same before it is published, for whoever has a link that an officer of the chapter made';

drop function app.public_chapters(text, text);
create function app.public_chapters(idp_org text, query text)
  returns table (search text, code text, name text, city text, parent text, contact_email text, website text, has_page boolean)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid := (select o.org_id from app.organisations o where o.org_id = app.token_organisation(idp_org) and o.public_chapters);
  words text[] := (select array_agg(app.like_pattern(w)) from (select w from regexp_split_to_table(app.fold(left(query, 200)), '\s+') w where w <> '' limit 6) x);
begin
  if org is null then return; end if;
  return query
    select c.search, c.code, c.name, c.city, up.name, c.contact_email, c.website, c.public_page
    from app.chapters c
    left join app.chapters up on up.org_id = c.org_id and up.id = c.parent_id and up.status = 'active'
    where c.org_id = org and c.status = 'active' and (words is null or concat_ws(' ', c.search, app.fold(c.city), (
      select string_agg(above.search, ' ') from app.chapter_ancestors a
      join app.chapters above on above.org_id = a.org_id and above.id = a.ancestor_id and above.status = 'active'
      where a.org_id = c.org_id and a.chapter_id = c.id and a.distance > 0)) like all (words));
end $$;
comment on function app.public_chapters(text, text) is
  'Active chapters, for everybody, of the organisation that this installation shows, if it shows them: those with all words in their name, code or city, or in the name or code of an active chapter above. Nothing of people, nor of chapters that are not active';

-- Invitations and member cards ---------------------------------------------------------------------------------------------------------
create function app.invited_by_link(idp_org text, secret_hash text) returns table (invited text, inviter text)
  language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce(a.name, ''), coalesce(b.name, '') from app.open_link(idp_org, 'invitations', secret_hash) l
  join app.accounts a on a.org_id = l.org_id and a.id = l.subject_id and a.status = 'invited'
  join app.signed_links s on s.org_id = l.org_id and s.id = l.id
  left join app.accounts b on b.org_id = s.org_id and b.id = s.created_by
  where l.subject_type = 'account'
$$;
comment on function app.invited_by_link(text, text) is 'Whom an invitation is for and who made it, while it can be accepted';

create function app.card_by_link(idp_org text, secret_hash text) returns table (name text, member boolean)
  language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select app_private.public_name(p.org_id, p.id),
    exists (select from app.affiliations a where a.org_id = p.org_id and a.person_id = p.id and a.kind = 'member'
      and a.starts_on <= o.today and (a.ends_on is null or a.ends_on >= o.today))
  from app.open_link(idp_org, 'cards', secret_hash) l
  join app.people p on p.org_id = l.org_id and p.id = l.subject_id and p.deleted_at is null and p.lifecycle not in ('deceased', 'merged', 'erased')
  cross join lateral (select (now() at time zone r.timezone)::date as today from app.organisations r where r.org_id = l.org_id) o
  where l.subject_type = 'person'
$$;
comment on function app.card_by_link(text, text) is 'Whether the holder of a member card is a member today, and the name if they agreed to be named in public';

select app_private.own_definers();
grant execute on function app.public_brand(text, uuid), app.public_chapter(text, text), app.preview_chapter(text, text), app.public_chapters(text, text),
  app.invited_by_link(text, text), app.card_by_link(text, text) to app_access;
