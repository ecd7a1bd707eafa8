-- The chapter finder of the contact page: what everybody may see of chapters, where the organisation wants that.

alter table app.organisations add column public_chapters boolean not null default false;
comment on column app.organisations.public_chapters is 'Whether everybody may find active chapters on the contact page; off until somebody switches it on';
grant update (public_chapters) on app.organisations to app_access;

create function app.public_chapters(idp_org text, query text)
  returns table (search text, code text, name text, city text, parent text, contact_email text, website text)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid := (select o.org_id from app.organisations o where o.org_id = app.token_organisation(idp_org) and o.public_chapters);
  words text[] := (select array_agg(app.like_pattern(w)) from (select w from regexp_split_to_table(app.fold(left(query, 200)), '\s+') w where w <> '' limit 6) x);
begin
  if org is null then return; end if;
  return query
    select c.search, c.code, c.name, c.city, up.name, c.contact_email, c.website
    from app.chapters c
    left join app.chapters up on up.org_id = c.org_id and up.id = c.parent_id and up.status = 'active'
    where c.org_id = org and c.status = 'active' and (words is null or concat_ws(' ', c.search, app.fold(c.city), (
      select string_agg(above.search, ' ') from app.chapter_ancestors a
      join app.chapters above on above.org_id = a.org_id and above.id = a.ancestor_id and above.status = 'active'
      where a.org_id = c.org_id and a.chapter_id = c.id and a.distance > 0)) like all (words));
end $$;
comment on function app.public_chapters(text, text) is
  'Active chapters, for everybody, of the organisation that this installation shows, if it shows them: those with all words in their name, code or city, or in the name or code of an active chapter above. Nothing of people, nor of chapters that are not active';
grant create on schema app to app_definer;
alter function app.public_chapters(text, text) owner to app_definer;
revoke create on schema app from app_definer;
revoke execute on function app.public_chapters(text, text) from public;
grant execute on function app.public_chapters(text, text) to app_access;
