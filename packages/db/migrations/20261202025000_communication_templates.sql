-- Communication: templates of messages, the pictures of messages, and what merge fields are filled with.

create table app.message_templates (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  chapter_id uuid,
  group_id uuid,
  name text not null check (char_length(name) between 1 and 100),
  sort_name text collate "C" not null generated always as (app.fold(name)) stored,
  search text collate "C" not null generated always as (app.fold(name || ' ' || subject)) stored,
  subject text not null default '' check (char_length(subject) <= 200),
  preheader text not null default '' check (char_length(preheader) <= 200),
  body jsonb not null default '{"blocks": []}' check (jsonb_typeof(body -> 'blocks') = 'array' and octet_length(body::text) <= 2000000),
  outline jsonb not null default '[]' check (jsonb_typeof(outline) = 'array' and octet_length(outline::text) <= 10000),
  archived_at timestamptz,
  created_by uuid,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, chapter_id) references app.chapters,
  foreign key (org_id, group_id) references app.groups on delete cascade,
  constraint message_template_place check (num_nonnulls(chapter_id, group_id) <= 1)
);
comment on table app.message_templates is 'What messages can begin with';
comment on column app.message_templates.chapter_id is 'For messages of this chapter; with no chapter and no group for those of everybody';
comment on column app.message_templates.group_id is 'For messages of this group';
comment on column app.message_templates.body is 'Blocks, as message-body.ts of the contract has them';
comment on column app.message_templates.outline is 'The first blocks in short, for lists';
create index message_templates_by_name on app.message_templates (org_id, sort_name, id);
create index message_templates_by_chapter on app.message_templates (org_id, chapter_id);
create index message_templates_by_group on app.message_templates (org_id, group_id);

create table app.message_pictures (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  chapter_id uuid,
  group_id uuid,
  published_at timestamptz,
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, chapter_id) references app.chapters,
  foreign key (org_id, group_id) references app.groups on delete cascade,
  constraint message_picture_place check (num_nonnulls(chapter_id, group_id) <= 1)
);
comment on table app.message_pictures is 'Pictures for messages; the file of each hangs on it. Not in the audit log: its file is, and what messages say is kept with them';
comment on column app.message_pictures.published_at is 'Since when everybody who has its address may fetch it: a message with it has gone out';
create index message_pictures_by_chapter on app.message_pictures (org_id, chapter_id);
create index message_pictures_by_group on app.message_pictures (org_id, group_id);

select app_private.protect('app.message_templates');
select app_private.protect('app.message_pictures');
select app_private.keep_version('app.message_templates');
select app_private.keep_search('app.message_templates');
select app_private.keep_audit('app.message_templates', 'messages.write', 'id');
select app_private.hide_in_audit('app.message_templates', 'body', 'outline');
-- Other records of communication share the same history.
do $$ begin
  if not exists (select from pg_policies where policyname = 'audit_entries_messages_write') then perform app_private.share_history('messages.write'); end if;
end $$;

do $$
declare
  ours constant text := 'org_id = (select app.org_id())';
  central constant text := '(chapter_id is null and group_id is null)';
  within constant text := $p$(chapter_id = any ((select app.scope('messages.write'))::uuid[]) or group_id = any ((select app.group_scope('messages.write'))::uuid[]))$p$;
  -- What belongs to the organisation is there for everybody who writes messages.
  reads constant text := format($p$((select app.everywhere('messages.write')) or %s or %s and ((select app.scope('messages.write')) <> '{}' or (select app.group_scope('messages.write')) <> '{}'))$p$,
    within, central);
  keeps constant text := format($p$((select app.everywhere('messages.manage')) and %1$s or not %1$s and (select app.everywhere('messages.write')) or %2$s)$p$, central, within);
  writes constant text := format($p$((select app.everywhere('messages.write')) or %s)$p$, within);
  known constant text := '(group_id is null or exists (select from app.groups g where g.org_id = %1$s.org_id and g.id = %1$s.group_id))';
begin
  execute format('create policy message_templates_read on app.message_templates for select to app_access using (%s and %s)', ours, reads);
  execute format('create policy message_templates_add on app.message_templates for insert to app_access
    with check (%s and created_by = (select app.account_id()) and %s and %s)', ours, keeps, format(known, 'message_templates'));
  execute format('create policy message_templates_change on app.message_templates for update to app_access using (%1$s and %2$s) with check (%1$s and %2$s)', ours, keeps);
  execute format('create policy message_pictures_read on app.message_pictures for select to app_access using (%s and %s)', ours, reads);
  execute format('create policy message_pictures_add on app.message_pictures for insert to app_access
    with check (%s and created_by = (select app.account_id()) and published_at is null and %s and %s)', ours, writes, format(known, 'message_pictures'));
  execute format('create policy message_pictures_change on app.message_pictures for update to app_access using (%1$s and %2$s) with check (%1$s and %2$s)', ours, writes);
end $$;
grant select, insert (org_id, chapter_id, group_id, name, subject, preheader, body, outline, created_by), update (name, subject, preheader, body, outline, archived_at)
  on app.message_templates to app_access;
grant select, insert (org_id, chapter_id, group_id, created_by), update (published_at) on app.message_pictures to app_access;
grant select on app.message_templates, app.message_pictures to app_definer;
grant update (published_at) on app.message_pictures to app_definer;

select app_private.register_record('message_picture', 'app.message_pictures', 'messages.write');

-- Pictures of messages that go out --------------------------------------------------------------------------------------------------------

create function app.publish_message_pictures(pictures uuid[]) returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
  update app.message_pictures m set published_at = now() from app.files f
    where f.org_id = app.org_id() and f.id = any (pictures) and f.use = 'picture' and f.record_type = 'message_picture' and m.org_id = f.org_id and m.id = f.record_id
      and m.published_at is null and (app.everywhere('messages.write') or m.chapter_id = any (app.scope('messages.write')) or m.group_id = any (app.group_scope('messages.write'))
        or m.chapter_id is null and m.group_id is null and (app.scope('messages.write') <> '{}' or app.group_scope('messages.write') <> '{}'))
$$;
comment on function app.publish_message_pictures(uuid[]) is 'Gives pictures, by their files, an address for everybody: a message with them goes out. Those that the actor may put into messages';

create function app.public_message_picture(idp_org text, picture uuid) returns uuid language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select f.org_id from app.files f join app.message_pictures m on m.org_id = f.org_id and m.id = f.record_id
    where f.id = picture and f.use = 'picture' and f.record_type = 'message_picture' and f.removed_at is null and m.published_at is not null
      and (idp_org is null or f.org_id = app.token_organisation(idp_org))
$$;
comment on function app.public_message_picture(text, uuid) is 'The organisation of a picture that went out with a message, for everybody who has its address';

-- What merge fields are filled with -------------------------------------------------------------------------------------------------------

create function app.merge_values(org uuid, people uuid[])
  returns table (person_id uuid, first_name text, last_name text, full_name text, chapter text, member_no text, membership_type text, member_since date, term_ends date, language text)
  language sql stable set search_path = pg_catalog, pg_temp as $$
  select p.id, coalesce(nullif(p.preferred_name, ''), p.given_name), p.family_name, p.display_name, coalesce(c.name, ''), coalesce(p.member_no, ''), coalesce(t.name, ''),
    p.joined_on, s.ends_on, p.language
  from app.people p
    left join app.chapters c on c.org_id = p.org_id and c.id = p.home_chapter_id
    left join app.membership_standings s on s.org_id = p.org_id and s.person_id = p.id
    left join app.membership_types t on t.org_id = s.org_id and t.id = s.type_id
  where p.org_id = org and p.id = any (people)
$$;
comment on function app.merge_values(uuid, uuid[]) is 'What messages say of these people, as far as whoever asks sees it; a definer function that sends sees all of it';

select app_private.own_definers();
revoke execute on function app.publish_message_pictures(uuid[]), app.public_message_picture(text, uuid), app.merge_values(uuid, uuid[]) from public;
grant execute on function app.publish_message_pictures(uuid[]), app.public_message_picture(text, uuid) to app_access;
grant execute on function app.merge_values(uuid, uuid[]) to app_access, app_definer;
