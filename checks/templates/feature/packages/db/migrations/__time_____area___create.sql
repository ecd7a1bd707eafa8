-- __Area__: __means__.

create table app.__records_table__ (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  chapter_id uuid,
  name text not null check (char_length(name) between 1 and 150),
  sort_name text collate "C" not null generated always as (app.fold(name)) stored,
  search text collate "C" not null generated always as (app.fold(name)) stored,
  status text not null default 'planned' check (status in ('planned', 'active', 'done')),
  description text not null default '' check (char_length(description) <= 5000),
  archived_at timestamptz,
  created_by uuid,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, chapter_id) references app.chapters
);
comment on table app.__records_table__ is '__Means__';
comment on column app.__records_table__.chapter_id is 'Where it belongs; null for the whole organisation';
-- Each order of the list, with the id that makes it unique.
create index __records_table___by_name on app.__records_table__ (org_id, sort_name, id);
create index __records_table___by_status on app.__records_table__ (org_id, status, id);
create index __records_table___by_created on app.__records_table__ (org_id, created_at, id);
create index __records_table___by_chapter on app.__records_table__ (org_id, chapter_id);

select app_private.protect('app.__records_table__');
select app_private.keep_version('app.__records_table__');
select app_private.keep_search('app.__records_table__');
select app_private.keep_audit('app.__records_table__', '__area__.manage', 'id');
select app_private.share_history('__area__.manage');
select app_private.register_record('__record_type__', 'app.__records_table__', '__area__.manage');
select app_private.add_permission('__area__.read', 'org-owner', 'org-admin', 'chapter-admin', 'event-manager', 'finance', 'communications', 'member');
select app_private.add_permission('__area__.manage', 'org-owner', 'org-admin', 'chapter-admin');

select app_private.kept_by_chapters('app.__records_table__', '__area__.read', '__area__.manage');
grant select, insert (org_id, chapter_id, name, status, description, created_by),
  update (chapter_id, name, status, description, archived_at) on app.__records_table__ to app_access;

select app_private.own_definers();
