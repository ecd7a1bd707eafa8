-- Who may see and change which rows. One policy per table and command; functions only inside (select …), so that they run once per statement.
-- Where a row is seen by whoever sees its person, those who see everybody are spared the look at the person: over a whole table that is most of the work.
-- app_access is what the api and the worker are; app_definer is what the functions above run as.

do $$
declare t record;
begin
  for t in select c.relname from pg_class c where c.relnamespace = 'app'::regnamespace and c.relkind = 'r' loop
    execute format('alter table app.%I enable row level security', t.relname);
    execute format('alter table app.%I force row level security', t.relname);
    execute format('create policy %I on app.%I to app_definer using (org_id is not null) with check (org_id is not null)', t.relname || '_definer', t.relname);
  end loop;
end $$;

-- account -------------------------------------------------------------------------------------------------------------------------
create policy organisations_read on app.organisations for select to app_access using (org_id = (select app.org_id()));
create policy organisations_change on app.organisations for update to app_access
  using (org_id = (select app.org_id()) and (select app.everywhere('organisation.manage'))) with check (org_id = (select app.org_id()));
grant select, update (name, locale, timezone, currency, directory_reach, majority_age, contact_email) on app.organisations to app_access;

create policy accounts_read on app.accounts for select to app_access
  using (org_id = (select app.org_id()) and (id = (select app.account_id()) or (select app.everywhere('account.manage')) or (select app.everywhere('audit.read'))));
create policy accounts_add on app.accounts for insert to app_access
  with check (org_id = (select app.org_id()) and (select app.everywhere('account.manage')));
create policy accounts_change on app.accounts for update to app_access
  using (org_id = (select app.org_id()) and (id = (select app.account_id()) or (select app.everywhere('account.manage'))))
  with check (org_id = (select app.org_id()));
-- Only who still waits is turned away without a trace; every other account is suspended.
create policy accounts_remove on app.accounts for delete to app_access
  using (org_id = (select app.org_id()) and status = 'pending_link' and (select app.everywhere('account.manage')));
grant select, delete, insert (org_id, email, name, person_id, status), update (status, person_id, name, locale, preferences) on app.accounts to app_access;

create policy roles_read on app.roles for select to app_access using (org_id = (select app.org_id()));
create policy roles_add on app.roles for insert to app_access with check (org_id = (select app.org_id()) and (select app.everywhere('account.manage')));
create policy roles_change on app.roles for update to app_access
  using (org_id = (select app.org_id()) and (select app.everywhere('account.manage'))) with check (org_id = (select app.org_id()));
grant select, insert (org_id, key, name, description), update (name, description) on app.roles to app_access;

create policy role_permissions_read on app.role_permissions for select to app_access using (org_id = (select app.org_id()));
grant select on app.role_permissions to app_access;

create policy grants_read on app.grants for select to app_access
  using (org_id = (select app.org_id()) and (account_id = (select app.account_id()) or (select app.everywhere('account.manage'))));
create policy grants_add on app.grants for insert to app_access with check (org_id = (select app.org_id()) and (select app.everywhere('account.manage')));
create policy grants_change on app.grants for update to app_access
  using (org_id = (select app.org_id()) and (select app.everywhere('account.manage'))) with check (org_id = (select app.org_id()));
create policy grants_remove on app.grants for delete to app_access using (org_id = (select app.org_id()) and (select app.everywhere('account.manage')));
grant select, delete, insert (org_id, account_id, role_id, scope_kind, chapter_id, group_id, starts_on, ends_on, reason, granted_by),
  update (starts_on, ends_on, reason) on app.grants to app_access;

create policy audit_entries_read on app.audit_entries for select to app_access using (
  org_id = (select app.org_id()) and (
    ((select app.everywhere('audit.read')) and (needs <> 'people.sensitive' or (select app.everywhere('people.sensitive'))))
    or person_id = (select app.person_id())
    or (needs in ('people.directory', 'people.contact') and (
      (select app.everywhere('people.contact'))
      or exists (select 1 from app.affiliations a where a.org_id = audit_entries.org_id and a.person_id = audit_entries.person_id
        and a.chapter_id = any ((select app.scope('people.contact'))::uuid[])
        and a.starts_on <= (select app.today()) and (a.ends_on is null or a.ends_on >= (select app.today())))
      or chapter_id = any ((select app.scope('people.contact'))::uuid[])
      or group_id = any ((select app.group_scope('people.contact'))::uuid[]))
    -- Who or what stays hidden from the reader has no history for them either: minors, and the rosters of private and secret groups.
    and (person_id is null or exists (select 1 from app.people p where p.org_id = audit_entries.org_id and p.id = audit_entries.person_id))
    and (group_id is null or exists (select 1 from app.groups g where g.org_id = audit_entries.org_id and g.id = audit_entries.group_id and (
      g.visibility in ('public', 'members')
      or (select app.everywhere('groups.manage'))
      or g.chapter_id = any ((select app.scope('groups.manage'))::uuid[])
      or g.id = any ((select app.group_scope('groups.manage'))::uuid[])
      or g.id = any ((select app.my_rosters())::uuid[])))))
  ));
grant select on app.audit_entries to app_access;
create policy audit_heads_read on app.audit_heads for select to app_access using (org_id = (select app.org_id()) and (select app.everywhere('audit.read')));
grant select on app.audit_heads to app_access;

-- people --------------------------------------------------------------------------------------------------------------------------
create policy people_read on app.people for select to app_access using (
  org_id = (select app.org_id()) and (
    (select app.everywhere('people.sensitive'))
    or id = (select app.person_id())
    or ((minor_until is null or minor_until <= (select app.today())) and (
      (select app.everywhere('people.directory'))
      or exists (select 1 from app.affiliations a where a.org_id = people.org_id and a.person_id = people.id
        and a.chapter_id = any ((select app.scope('people.directory'))::uuid[])
        and a.starts_on <= (select app.today()) and (a.ends_on is null or a.ends_on >= (select app.today())))))
    or (minor_until > (select app.today()) and exists (select 1 from app.affiliations a where a.org_id = people.org_id and a.person_id = people.id
        and a.chapter_id = any ((select app.scope('people.sensitive'))::uuid[])
        and a.starts_on <= (select app.today()) and (a.ends_on is null or a.ends_on >= (select app.today()))))
    -- whoever enters a person sees the row until the end of that transaction, in which the affiliation follows
    or (created_by = (select app.account_id()) and created_at = now())
  ));
create policy people_add on app.people for insert to app_access with check (
  org_id = (select app.org_id()) and created_by = (select app.account_id())
  and ((select app.everywhere('people.write'))
    or ((select app.scope('people.write')) <> '{}' and (home_chapter_id is null or home_chapter_id = any ((select app.scope('people.write'))::uuid[])))));
create policy people_change on app.people for update to app_access using (
  org_id = (select app.org_id()) and (
    (select app.everywhere('people.write')) or id = (select app.person_id())
    or exists (select 1 from app.affiliations a where a.org_id = people.org_id and a.person_id = people.id
      and a.chapter_id = any ((select app.scope('people.write'))::uuid[])
      and a.starts_on <= (select app.today()) and (a.ends_on is null or a.ends_on >= (select app.today())))
    or (created_by = (select app.account_id()) and created_at = now())))
  with check (org_id = (select app.org_id()));
create policy people_remove on app.people for delete to app_access using (
  org_id = (select app.org_id()) and (
    (select app.everywhere('people.import'))
    or exists (select 1 from app.affiliations a where a.org_id = people.org_id and a.person_id = people.id
      and a.chapter_id = any ((select app.scope('people.import'))::uuid[]))));
comment on policy people_remove on app.people is 'Only the undo of an import removes a row; everything else archives it';
grant select, delete, insert (org_id, id, member_no, given_name, middle_name, family_name, suffix, preferred_name, former_names, pronouns, lifecycle, joined_on,
    grad_year, employer, job_title, bio, language, do_not_contact, created_by, home_chapter_id),
  update (member_no, given_name, middle_name, family_name, suffix, preferred_name, former_names, pronouns, lifecycle, joined_on,
    grad_year, employer, job_title, bio, language, do_not_contact, deleted_at) on app.people to app_access;

do $$
declare t text;
begin
  foreach t in array array['person_emails', 'person_phones', 'person_contacts'] loop
    execute format($p$
      create policy %1$s_read on app.%1$s for select to app_access using (
        org_id = (select app.org_id())
        and ((select app.everywhere('people.sensitive')) or exists (select 1 from app.people p where p.org_id = %1$s.org_id and p.id = %1$s.person_id))
        and ((select app.everywhere('people.contact')) or person_id = (select app.person_id())
          or (visible_to = 'members' and (select app.everywhere('people.directory')))
          or exists (select 1 from app.affiliations a where a.org_id = %1$s.org_id and a.person_id = %1$s.person_id
            and a.chapter_id = any ((select app.scope('people.contact'))::uuid[])
            and a.starts_on <= (select app.today()) and (a.ends_on is null or a.ends_on >= (select app.today())))
          or exists (select 1 from app.group_members m where m.org_id = %1$s.org_id and m.person_id = %1$s.person_id and m.status = 'active'
            and m.group_id = any ((select app.group_scope('people.contact'))::uuid[]) and m.ends_on is null)));
    $p$, t);
  end loop;
  foreach t in array array['person_emails', 'person_phones', 'person_contacts', 'person_tags'] loop
    execute format($p$
      create policy %1$s_add on app.%1$s for insert to app_access with check (
        org_id = (select app.org_id()) and ((select app.everywhere('people.write')) or (%3$L::boolean and person_id = (select app.person_id()))
          or exists (select 1 from app.affiliations a where a.org_id = %1$s.org_id and a.person_id = %1$s.person_id
            and a.chapter_id = any ((select app.scope('people.write'))::uuid[])
            and a.starts_on <= (select app.today()) and (a.ends_on is null or a.ends_on >= (select app.today())))));
      create policy %1$s_remove on app.%1$s for delete to app_access using (
        org_id = (select app.org_id()) and ((select app.everywhere('people.write')) or (%3$L::boolean and person_id = (select app.person_id()))
          or exists (select 1 from app.affiliations a where a.org_id = %1$s.org_id and a.person_id = %1$s.person_id
            and a.chapter_id = any ((select app.scope('people.write'))::uuid[])
            and a.starts_on <= (select app.today()) and (a.ends_on is null or a.ends_on >= (select app.today())))));
    $p$, t, null, t <> 'person_tags');
  end loop;
  foreach t in array array['person_emails', 'person_phones', 'person_contacts'] loop
    execute format($p$
      create policy %1$s_change on app.%1$s for update to app_access using (
        org_id = (select app.org_id()) and ((select app.everywhere('people.write')) or person_id = (select app.person_id())
          or exists (select 1 from app.affiliations a where a.org_id = %1$s.org_id and a.person_id = %1$s.person_id
            and a.chapter_id = any ((select app.scope('people.write'))::uuid[])
            and a.starts_on <= (select app.today()) and (a.ends_on is null or a.ends_on >= (select app.today())))))
        with check (org_id = (select app.org_id()));
    $p$, t);
  end loop;
end $$;
grant select, delete, insert (org_id, id, person_id, address, label, is_primary, visible_to), update (address, label, is_primary, visible_to) on app.person_emails to app_access;
grant select, delete, insert (org_id, id, person_id, number, label, is_primary, visible_to), update (number, label, is_primary, visible_to) on app.person_phones to app_access;
grant select, delete, insert (org_id, person_id, street, city, region, postal_code, country, website, links, visible_to),
  update (street, city, region, postal_code, country, website, links, visible_to) on app.person_contacts to app_access;

create policy person_tags_read on app.person_tags for select to app_access using (
  org_id = (select app.org_id()) and ((select app.everywhere('people.sensitive')) or exists (select 1 from app.people p where p.org_id = person_tags.org_id and p.id = person_tags.person_id)));
grant select, delete, insert (org_id, person_id, tag_id) on app.person_tags to app_access;

create policy person_private_read on app.person_private for select to app_access using (
  org_id = (select app.org_id()) and ((select app.everywhere('people.sensitive')) or person_id = (select app.person_id())
    or exists (select 1 from app.affiliations a where a.org_id = person_private.org_id and a.person_id = person_private.person_id
      and a.chapter_id = any ((select app.scope('people.sensitive'))::uuid[])
      and a.starts_on <= (select app.today()) and (a.ends_on is null or a.ends_on >= (select app.today())))));
create policy person_private_add on app.person_private for insert to app_access with check (
  org_id = (select app.org_id()) and ((select app.everywhere('people.sensitive')) or person_id = (select app.person_id())
    or exists (select 1 from app.affiliations a where a.org_id = person_private.org_id and a.person_id = person_private.person_id
      and a.chapter_id = any ((select app.scope('people.sensitive'))::uuid[])
      and a.starts_on <= (select app.today()) and (a.ends_on is null or a.ends_on >= (select app.today())))));
create policy person_private_change on app.person_private for update to app_access using (
  org_id = (select app.org_id()) and ((select app.everywhere('people.sensitive')) or person_id = (select app.person_id())
    or exists (select 1 from app.affiliations a where a.org_id = person_private.org_id and a.person_id = person_private.person_id
      and a.chapter_id = any ((select app.scope('people.sensitive'))::uuid[])
      and a.starts_on <= (select app.today()) and (a.ends_on is null or a.ends_on >= (select app.today())))))
  with check (org_id = (select app.org_id()));
create policy person_private_remove on app.person_private for delete to app_access using (org_id = (select app.org_id()) and (select app.everywhere('people.sensitive')));
grant select, delete, insert (org_id, person_id, birth_date, gender, deceased_on, note), update (birth_date, gender, deceased_on, note) on app.person_private to app_access;

create policy tags_read on app.tags for select to app_access
  using (org_id = (select app.org_id()) and ((select app.everywhere('people.directory')) or (select app.scope('people.directory')) <> '{}'));
create policy tags_add on app.tags for insert to app_access
  with check (org_id = (select app.org_id()) and ((select app.everywhere('people.write')) or (select app.scope('people.write')) <> '{}'));
create policy tags_change on app.tags for update to app_access
  using (org_id = (select app.org_id()) and (select app.everywhere('people.write'))) with check (org_id = (select app.org_id()));
create policy tags_remove on app.tags for delete to app_access using (org_id = (select app.org_id()) and (select app.everywhere('people.write')));
grant select, delete, insert (org_id, id, name, color), update (name, color) on app.tags to app_access;

-- chapters ------------------------------------------------------------------------------------------------------------------------
create policy chapters_read on app.chapters for select to app_access using (org_id = (select app.org_id()));
create policy chapters_add on app.chapters for insert to app_access with check (org_id = (select app.org_id()) and (select app.everywhere('chapters.manage')));
create policy chapters_change on app.chapters for update to app_access
  using (org_id = (select app.org_id()) and ((select app.everywhere('chapters.edit')) or id = any ((select app.scope('chapters.edit'))::uuid[])))
  with check (org_id = (select app.org_id()));
create policy chapters_remove on app.chapters for delete to app_access using (org_id = (select app.org_id()) and (select app.everywhere('chapters.manage')));
comment on policy chapters_remove on app.chapters is 'Only the undo of an import removes a chapter; everything else closes it';
grant select, delete, insert (org_id, id, parent_id, name, code, level, status, about, city, contact_email, website, timezone, chartered_on, closed_on),
  update (parent_id, name, code, level, status, about, city, contact_email, website, timezone, chartered_on, closed_on) on app.chapters to app_access;
create policy chapter_ancestors_read on app.chapter_ancestors for select to app_access using (org_id = (select app.org_id()));
create policy chapter_counts_read on app.chapter_counts for select to app_access using (org_id = (select app.org_id()));
grant select on app.chapter_ancestors, app.chapter_counts to app_access;
create policy chapter_months_read on app.chapter_months for select to app_access using (
  org_id = (select app.org_id()) and ((select app.everywhere('people.contact')) or chapter_id = any ((select app.scope('people.contact'))::uuid[])));
create policy data_health_read on app.data_health for select to app_access using (
  org_id = (select app.org_id()) and ((select app.everywhere('people.contact')) or chapter_id = any ((select app.scope('people.contact'))::uuid[])));
grant select on app.chapter_months, app.data_health to app_access;

create policy affiliations_read on app.affiliations for select to app_access using (
  org_id = (select app.org_id()) and ((select app.everywhere('people.directory')) or person_id = (select app.person_id())
    or chapter_id = any ((select app.scope('people.directory'))::uuid[])));
create policy affiliations_add on app.affiliations for insert to app_access with check (
  org_id = (select app.org_id()) and ((select app.everywhere('people.write')) or chapter_id = any ((select app.scope('people.write'))::uuid[])));
create policy affiliations_change on app.affiliations for update to app_access
  using (org_id = (select app.org_id()) and ((select app.everywhere('people.write')) or chapter_id = any ((select app.scope('people.write'))::uuid[])))
  with check (org_id = (select app.org_id()) and ((select app.everywhere('people.write')) or chapter_id = any ((select app.scope('people.write'))::uuid[])));
create policy affiliations_remove on app.affiliations for delete to app_access
  using (org_id = (select app.org_id()) and ((select app.everywhere('people.write')) or chapter_id = any ((select app.scope('people.write'))::uuid[])));
grant select, delete, insert (org_id, id, person_id, chapter_id, kind, starts_on, ends_on, is_primary), update (kind, starts_on, ends_on, is_primary) on app.affiliations to app_access;

create policy positions_read on app.positions for select to app_access using (org_id = (select app.org_id()));
create policy positions_add on app.positions for insert to app_access
  with check (org_id = (select app.org_id()) and ((select app.everywhere('positions.appoint')) or chapter_id = any ((select app.scope('positions.appoint'))::uuid[])));
create policy positions_change on app.positions for update to app_access
  using (org_id = (select app.org_id()) and ((select app.everywhere('positions.appoint')) or chapter_id = any ((select app.scope('positions.appoint'))::uuid[])))
  with check (org_id = (select app.org_id()) and ((select app.everywhere('positions.appoint')) or chapter_id = any ((select app.scope('positions.appoint'))::uuid[])));
create policy positions_remove on app.positions for delete to app_access
  using (org_id = (select app.org_id()) and ((select app.everywhere('positions.appoint')) or chapter_id = any ((select app.scope('positions.appoint'))::uuid[])));
grant select, delete, insert (org_id, id, chapter_id, title, role_id, term_months, max_holders, mandatory, member_only),
  update (title, role_id, term_months, max_holders, mandatory, member_only) on app.positions to app_access;

create policy position_holders_read on app.position_holders for select to app_access using (
  org_id = (select app.org_id()) and ((select app.everywhere('people.sensitive')) or exists (select 1 from app.people p where p.org_id = position_holders.org_id and p.id = position_holders.person_id)));
do $$
declare
  reachable constant text := $p$ org_id = (select app.org_id()) and ((select app.everywhere('positions.appoint'))
    or exists (select 1 from app.positions s where s.org_id = position_holders.org_id and s.id = position_holders.position_id
      and s.chapter_id = any ((select app.scope('positions.appoint'))::uuid[]))) $p$;
begin
  execute format('create policy position_holders_add on app.position_holders for insert to app_access with check (%s)', reachable);
  execute format('create policy position_holders_change on app.position_holders for update to app_access using (%1$s) with check (%1$s)', reachable);
  execute format('create policy position_holders_remove on app.position_holders for delete to app_access using (%s)', reachable);
end $$;
grant select, delete, insert (org_id, id, position_id, person_id, starts_on, ends_on, note), update (starts_on, ends_on, note) on app.position_holders to app_access;

-- groups --------------------------------------------------------------------------------------------------------------------------
create policy groups_read on app.groups for select to app_access using (
  org_id = (select app.org_id()) and (
    visibility = 'public'
    or (visibility in ('members', 'private') and ((select app.everywhere('groups.read')) or chapter_id = any ((select app.scope('groups.read'))::uuid[])))
    or (select app.everywhere('groups.manage'))
    or chapter_id = any ((select app.scope('groups.manage'))::uuid[])
    or id = any ((select app.group_scope('groups.manage'))::uuid[])
    or id = any ((select app.my_groups())::uuid[])));
create policy groups_add on app.groups for insert to app_access with check (
  org_id = (select app.org_id()) and ((select app.everywhere('groups.manage')) or chapter_id = any ((select app.scope('groups.manage'))::uuid[])));
create policy groups_change on app.groups for update to app_access
  using (org_id = (select app.org_id()) and ((select app.everywhere('groups.manage')) or chapter_id = any ((select app.scope('groups.manage'))::uuid[])
    or id = any ((select app.group_scope('groups.manage'))::uuid[])))
  with check (org_id = (select app.org_id()) and ((select app.everywhere('groups.manage')) or chapter_id = any ((select app.scope('groups.manage'))::uuid[])
    or id = any ((select app.group_scope('groups.manage'))::uuid[])));
create policy groups_remove on app.groups for delete to app_access using (
  org_id = (select app.org_id()) and ((select app.everywhere('groups.manage')) or chapter_id = any ((select app.scope('groups.manage'))::uuid[])));
comment on policy groups_remove on app.groups is 'Only the undo of an import removes a group; everything else archives it';
grant select, delete, insert (org_id, id, chapter_id, parent_id, code, name, kind, description, visibility, join_policy, capacity, website, phone, created_by),
  update (chapter_id, parent_id, code, name, kind, description, visibility, join_policy, capacity, website, phone, archived_at) on app.groups to app_access;
create policy group_counts_read on app.group_counts for select to app_access using (
  org_id = (select app.org_id()) and exists (select 1 from app.groups g where g.org_id = group_counts.org_id and g.id = group_counts.group_id));
grant select on app.group_counts to app_access;

create policy group_members_read on app.group_members for select to app_access using (
  org_id = (select app.org_id()) and (
    person_id = (select app.person_id())
    or group_id = any ((select app.my_rosters())::uuid[])
    or exists (select 1 from app.groups g where g.org_id = group_members.org_id and g.id = group_members.group_id and (
      (g.visibility in ('public', 'members') and (select app.everywhere('groups.read')))
      or (select app.everywhere('groups.manage'))
      or g.chapter_id = any ((select app.scope('groups.manage'))::uuid[])
      or g.id = any ((select app.group_scope('groups.manage'))::uuid[])))));
create policy group_members_add on app.group_members for insert to app_access with check (
  org_id = (select app.org_id()) and (
    (select app.everywhere('groups.manage'))
    or group_id = any ((select app.group_scope('groups.manage'))::uuid[])
    or exists (select 1 from app.groups g where g.org_id = group_members.org_id and g.id = group_members.group_id and (
      g.chapter_id = any ((select app.scope('groups.manage'))::uuid[])
      or (group_members.person_id = (select app.person_id()) and group_members.role = 'member' and g.archived_at is null
        and ((g.join_policy = 'open' and group_members.status in ('active', 'requested')) or (g.join_policy = 'request' and group_members.status = 'requested')))))));
create policy group_members_change on app.group_members for update to app_access using (
  org_id = (select app.org_id()) and (
    (select app.everywhere('groups.manage')) or person_id = (select app.person_id())
    or group_id = any ((select app.group_scope('groups.manage'))::uuid[])
    or exists (select 1 from app.groups g where g.org_id = group_members.org_id and g.id = group_members.group_id and g.chapter_id = any ((select app.scope('groups.manage'))::uuid[]))))
  with check (
  org_id = (select app.org_id()) and (
    (select app.everywhere('groups.manage'))
    or group_id = any ((select app.group_scope('groups.manage'))::uuid[])
    or exists (select 1 from app.groups g where g.org_id = group_members.org_id and g.id = group_members.group_id and g.chapter_id = any ((select app.scope('groups.manage'))::uuid[]))
    -- oneself: to leave, decline or accept; group_members_guard compares with what it was
    or (person_id = (select app.person_id()) and (ends_on is not null or status in ('declined', 'active')))));
create policy group_members_remove on app.group_members for delete to app_access using (
  org_id = (select app.org_id()) and ((select app.everywhere('groups.manage'))
    or exists (select 1 from app.groups g where g.org_id = group_members.org_id and g.id = group_members.group_id and g.chapter_id = any ((select app.scope('groups.manage'))::uuid[]))));
grant select, delete, insert (org_id, id, group_id, person_id, role, title, side, rank, status, starts_on, ends_on),
  update (role, title, side, rank, status, starts_on, ends_on) on app.group_members to app_access;

-- imports, lists, progress, site ----------------------------------------------------------------------------------------------------
-- Whoever may no longer import does not see their own uploads either: these hold other people's data.
create policy imports_all_read on app.imports for select to app_access using (
  org_id = (select app.org_id()) and ((created_by = (select app.account_id()) and (select app.scope('people.import')) <> '{}') or (select app.everywhere('people.import'))));
create policy imports_add on app.imports for insert to app_access with check (
  org_id = (select app.org_id()) and created_by = (select app.account_id())
  and ((select app.everywhere('people.import')) or (select app.scope('people.import')) <> '{}'));
create policy imports_change on app.imports for update to app_access
  using (org_id = (select app.org_id()) and ((created_by = (select app.account_id()) and (select app.scope('people.import')) <> '{}') or (select app.everywhere('people.import')))) with check (org_id = (select app.org_id()));
grant select, insert (org_id, id, kind, file_name, file_size, file_hash, file_key, format, mapping, options, preview, rows_total, created_by),
  update (format, mapping, options, preview, status, rows_total, counts, error, check_job_id, run_job_id, undo_job_id, tag_id, finished_at) on app.imports to app_access;
create policy import_rows_read on app.import_rows for select to app_access using (
  org_id = (select app.org_id()) and exists (select 1 from app.imports i where i.org_id = import_rows.org_id and i.id = import_rows.import_id));
create policy import_rows_add on app.import_rows for insert to app_access with check (
  org_id = (select app.org_id()) and exists (select 1 from app.imports i where i.org_id = import_rows.org_id and i.id = import_rows.import_id));
create policy import_rows_remove on app.import_rows for delete to app_access using (
  org_id = (select app.org_id()) and phase = 'check' and exists (select 1 from app.imports i where i.org_id = import_rows.org_id and i.id = import_rows.import_id));
grant select, delete, insert (org_id, import_id, phase, line, step, outcome, key, entity_id, findings, effects) on app.import_rows to app_access;
create policy import_mappings_read on app.import_mappings for select to app_access using (
  org_id = (select app.org_id()) and ((select app.everywhere('people.import')) or (select app.scope('people.import')) <> '{}'));
create policy import_mappings_add on app.import_mappings for insert to app_access with check (
  org_id = (select app.org_id()) and created_by = (select app.account_id())
  and ((select app.everywhere('people.import')) or (select app.scope('people.import')) <> '{}'));
create policy import_mappings_change on app.import_mappings for update to app_access
  using (org_id = (select app.org_id()) and ((created_by = (select app.account_id()) and (select app.scope('people.import')) <> '{}') or (select app.everywhere('people.import')))) with check (org_id = (select app.org_id()));
create policy import_mappings_remove on app.import_mappings for delete to app_access
  using (org_id = (select app.org_id()) and ((created_by = (select app.account_id()) and (select app.scope('people.import')) <> '{}') or (select app.everywhere('people.import'))));
grant select, delete, insert (org_id, kind, name, mapping, options, created_by), update (mapping, options) on app.import_mappings to app_access;

create policy job_progress_read on app.job_progress for select to app_access using (org_id = (select app.org_id()) and account_id = (select app.account_id()));
create policy job_progress_add on app.job_progress for insert to app_access with check (org_id = (select app.org_id()) and account_id = (select app.account_id()));
create policy job_progress_change on app.job_progress for update to app_access
  using (org_id = (select app.org_id()) and account_id = (select app.account_id())) with check (org_id = (select app.org_id()) and account_id = (select app.account_id()));
grant select, insert (org_id, id, account_id, kind, title, total), update (status, done, total, cancel_requested, result, error, started_at, finished_at, updated_at) on app.job_progress to app_access;

create policy saved_views_read on app.saved_views for select to app_access
  using (org_id = (select app.org_id()) and (account_id = (select app.account_id()) or (shared_with = 'organisation' and (select app.everywhere('groups.read')))));
create policy saved_views_add on app.saved_views for insert to app_access with check (
  org_id = (select app.org_id()) and account_id = (select app.account_id()) and (shared_with = 'me' or (select app.everywhere('views.share'))));
create policy saved_views_change on app.saved_views for update to app_access
  using (org_id = (select app.org_id()) and account_id = (select app.account_id()))
  with check (org_id = (select app.org_id()) and account_id = (select app.account_id()) and (shared_with = 'me' or (select app.everywhere('views.share'))));
create policy saved_views_remove on app.saved_views for delete to app_access using (org_id = (select app.org_id()) and account_id = (select app.account_id()));
grant select, delete, insert (org_id, account_id, list, name, spec, shared_with), update (name, spec, shared_with) on app.saved_views to app_access;

create policy exports_read on app.exports for select to app_access using (org_id = (select app.org_id()) and account_id = (select app.account_id()));
create policy exports_add on app.exports for insert to app_access with check (org_id = (select app.org_id()) and account_id = (select app.account_id()));
create policy exports_change on app.exports for update to app_access
  using (org_id = (select app.org_id()) and account_id = (select app.account_id())) with check (org_id = (select app.org_id()) and account_id = (select app.account_id()));
grant select, insert (org_id, id, account_id, list, format, spec, reason, job_id), update (file_key, rows) on app.exports to app_access;

create policy idempotency_keys_read on app.idempotency_keys for select to app_access using (org_id = (select app.org_id()) and account_id = (select app.account_id()));
create policy idempotency_keys_add on app.idempotency_keys for insert to app_access with check (org_id = (select app.org_id()) and account_id = (select app.account_id()));
create policy idempotency_keys_change on app.idempotency_keys for update to app_access
  using (org_id = (select app.org_id()) and account_id = (select app.account_id())) with check (org_id = (select app.org_id()) and account_id = (select app.account_id()));
grant select, insert (org_id, account_id, key, operation, body_hash), update (status, response) on app.idempotency_keys to app_access;

create policy contact_messages_read on app.contact_messages for select to app_access using (org_id = (select app.org_id()) and (select app.everywhere('organisation.manage')));
create policy contact_messages_change on app.contact_messages for update to app_access
  using (org_id = (select app.org_id()) and (select app.everywhere('organisation.manage'))) with check (org_id = (select app.org_id()));
grant select, update (handled_at) on app.contact_messages to app_access;

grant usage on type app.actor_context to app_access;
