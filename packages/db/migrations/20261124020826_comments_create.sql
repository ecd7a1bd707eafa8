-- Comments on any record, with answers one level deep.

create table app.comments (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  record_type text not null,
  record_id uuid not null,
  parent_id uuid,
  body jsonb not null check (app.formatted_text(body, 10000)),
  author_id uuid,
  created_by uuid not null,
  edited_at timestamptz,
  deleted_at timestamptz,
  hidden_at timestamptz,
  hidden_reason text check (char_length(hidden_reason) between 1 and 300),
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, parent_id) references app.comments on delete cascade,
  foreign key (org_id, author_id) references app.people on delete set null (author_id),
  foreign key (org_id, created_by) references app.accounts on delete cascade,
  check (parent_id <> id),
  check ((hidden_at is null) = (hidden_reason is null))
);
comment on table app.comments is 'What people say to each other about a record';
comment on column app.comments.parent_id is 'The comment that it answers; answers have none themselves';
comment on column app.comments.author_id is 'The person who wrote it; how they are called is for each reader to be told by their rights';
comment on column app.comments.hidden_reason is 'Why whoever looks after the record has hidden it';
create index comments_by_record on app.comments (org_id, record_type, record_id, parent_id, id);
create index comments_by_parent on app.comments (org_id, parent_id);
create index comments_by_author on app.comments (org_id, author_id);
create index comments_by_account on app.comments (org_id, created_by);

select app_private.protect('app.comments');
select app_private.keep_version('app.comments');
select app_private.follow_record('app.comments', adds => 'see', changes => 'author or change');
select app_private.keep_audit('app.comments', 'record', 'record_id');
select app_private.hide_in_audit('app.comments', 'body', 'author_id');

-- A group's discussion is for those who may see who is in it: of a private group, the group itself and who looks after it. Nobody speaks for somebody else.
do $$
declare
  discussed constant text := $p$ org_id = (select app.org_id()) and (record_type <> 'group' or record_id = any ((select app.my_rosters())::uuid[]) or exists (
    select from app.groups g where g.org_id = comments.org_id and g.id = comments.record_id
      and ((g.visibility in ('public', 'members') and (select app.everywhere('groups.read')))
        or (select app.everywhere('groups.manage')) or g.chapter_id = any ((select app.scope('groups.manage'))::uuid[])
        or g.id = any ((select app.group_scope('groups.manage'))::uuid[])))) $p$;
begin
  execute format('create policy comments_read_discussed on app.comments as restrictive for select to app_access using (%s)', discussed);
  execute format('create policy comments_change_discussed on app.comments as restrictive for update to app_access using (%1$s) with check (%1$s)', discussed);
  execute format('create policy comments_add_discussed on app.comments as restrictive for insert to app_access with check (%s
    and created_by = (select app.account_id()) and author_id is not distinct from (select app.person_id()))', discussed);
end $$;

create function app_private.comments_guard() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    if new.parent_id is not null and not exists (select from app.comments p where p.org_id = new.org_id and p.id = new.parent_id
        and p.record_type = new.record_type and p.record_id = new.record_id and p.parent_id is null and p.deleted_at is null) then
      raise exception 'only a comment on the same record is answered' using errcode = '23503', constraint = 'comments_parent';
    end if;
    return new;
  end if;
  if (app.actor()).org_id is null then return new; end if;
  if old.created_by = app.account_id() then
    if (new.hidden_at, new.hidden_reason) is distinct from (old.hidden_at, old.hidden_reason) then
      raise exception 'nobody hides or shows their own comment' using errcode = '42501', constraint = 'comments_own_moderation';
    end if;
  elsif (new.body, new.edited_at, new.deleted_at) is distinct from (old.body, old.edited_at, old.deleted_at) then
    raise exception 'a comment is changed by its author only' using errcode = '42501', constraint = 'comments_author';
  end if;
  return new;
end $$;
comment on function app_private.comments_guard() is 'The author changes what a comment says, whoever looks after the record hides it; answers stand one level deep';
create trigger comments_guard before insert or update on app.comments for each row execute function app_private.comments_guard();

create function app_private.comments_erased() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update app.comments c set body = '{"type": "doc", "content": []}', deleted_at = coalesce(c.deleted_at, now()) where c.org_id = new.org_id and c.author_id = new.id;
  return null;
end $$;
comment on function app_private.comments_erased() is 'What an erased person said is gone; answers to it stay';
create trigger people_comments_erased after update of lifecycle on app.people for each row when (new.lifecycle = 'erased' and old.lifecycle <> 'erased')
  execute function app_private.comments_erased();

grant select, insert (org_id, record_type, record_id, parent_id, body, author_id, created_by),
  update (body, edited_at, deleted_at, hidden_at, hidden_reason) on app.comments to app_access;
grant select, update on app.comments to app_definer;
select app_private.own_definers();
