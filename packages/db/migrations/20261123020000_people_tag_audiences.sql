-- A tag is for officers unless somebody opens it to members: what is noted about people ("Wheelchair access", the file they came from) is not for all.

alter table app.tags add column audience text not null default 'officers' check (audience in ('officers', 'members'));
comment on column app.tags.audience is 'Who sees the tag and who carries it: officers, or every member';
comment on table app.tags is 'Words that people are marked with, for officers or for every member';
grant insert (audience), update (audience) on app.tags to app_access;
grant select on app.tags to app_definer;

create function app.member_tags() returns uuid[] language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return (select coalesce(array_agg(t.id), '{}') from app.tags t where t.org_id = (select app.org_id()) and t.audience = 'members');
end $$;
comment on function app.member_tags() is 'Tags that every member sees';
grant create on schema app to app_definer;
alter function app.member_tags() owner to app_definer;
revoke create on schema app from app_definer;
revoke execute on function app.member_tags() from public;
grant execute on function app.member_tags() to app_access;

-- Whoever may change people, or see what is sensitive about them, anywhere at all knows every tag; only they make tags, so that a name that is taken tells nothing.
alter policy tags_read on app.tags using (
  org_id = (select app.org_id()) and (
    (audience = 'members' and ((select app.everywhere('people.directory')) or (select app.scope('people.directory')) <> '{}'))
    or (select app.everywhere('people.write')) or (select app.everywhere('people.sensitive'))
    or (select app.scope('people.write')) <> '{}' or (select app.scope('people.sensitive')) <> '{}'));

-- Who carries an officers' tag is for those who hold one of these rights over the person; nobody sees such tags on themselves without it.
alter policy person_tags_read on app.person_tags using (
  org_id = (select app.org_id())
  and ((select app.everywhere('people.sensitive')) or exists (select 1 from app.people p where p.org_id = person_tags.org_id and p.id = person_tags.person_id))
  and ((select app.everywhere('people.write')) or (select app.everywhere('people.sensitive'))
    or tag_id = any ((select app.member_tags())::uuid[])
    or exists (select 1 from app.affiliations a where a.org_id = person_tags.org_id and a.person_id = person_tags.person_id
      and (a.chapter_id = any ((select app.scope('people.write'))::uuid[]) or a.chapter_id = any ((select app.scope('people.sensitive'))::uuid[]))
      and a.starts_on <= (select app.today()) and (a.ends_on is null or a.ends_on >= (select app.today())))));

-- The log says no more than the tags themselves do. What a tag was called before it was opened to members stays with those who know every tag.
create policy audit_entries_tags on app.audit_entries as restrictive for select to app_access using (
  entity not in ('tags', 'person_tags') or (org_id = (select app.org_id()) and (
    (select app.everywhere('people.write')) or (select app.everywhere('people.sensitive'))
    or (entity = 'tags' and ((select app.scope('people.write')) <> '{}' or (select app.scope('people.sensitive')) <> '{}'))
    or (entity = 'person_tags' and (
      (diff ->> 'tag_id')::uuid = any ((select app.member_tags())::uuid[])
      or exists (select 1 from app.affiliations a where a.org_id = audit_entries.org_id and a.person_id = audit_entries.person_id
        and (a.chapter_id = any ((select app.scope('people.write'))::uuid[]) or a.chapter_id = any ((select app.scope('people.sensitive'))::uuid[]))
        and a.starts_on <= (select app.today()) and (a.ends_on is null or a.ends_on >= (select app.today()))))))));
comment on policy audit_entries_tags on app.audit_entries is 'An entry about a tag is read by those only who see that tag';
