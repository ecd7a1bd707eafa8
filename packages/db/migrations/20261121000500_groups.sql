-- Groups: flat and cross-cutting (committee, cohort, interest, team, list), optionally owned by a chapter or a parent group.

create table app.groups (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  chapter_id uuid,
  parent_id uuid,
  code text check (char_length(code) between 1 and 40),
  name text not null check (char_length(name) between 1 and 150),
  sort_name text collate "C" not null generated always as (app.fold(name)) stored,
  search text collate "C" not null generated always as (app.fold(name || ' ' || coalesce(code, ''))) stored,
  kind text not null default 'interest' check (kind in ('committee', 'subcommittee', 'interest', 'cohort', 'team', 'list')),
  description text not null default '' check (char_length(description) <= 5000),
  visibility text not null default 'members' check (visibility in ('public', 'members', 'private', 'secret')),
  join_policy text not null default 'request' check (join_policy in ('open', 'request', 'invite')),
  capacity int check (capacity between 1 and 1000000),
  website text not null default '' check (char_length(website) <= 500),
  phone text not null default '' check (char_length(phone) <= 40),
  archived_at timestamptz,
  created_by uuid,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, code),
  foreign key (org_id, chapter_id) references app.chapters,
  foreign key (org_id, parent_id) references app.groups on delete set null (parent_id),
  check (parent_id <> id)
);
comment on table app.groups is 'People who do something together, across the tree of chapters';
create index groups_by_name on app.groups (org_id, sort_name, id);
create index groups_by_chapter on app.groups (org_id, chapter_id);
create index groups_by_parent on app.groups (org_id, parent_id);
create trigger groups_touch before update on app.groups for each row execute function app.touch();

create table app.group_members (
  org_id uuid not null,
  id uuid not null default app.uuid7(),
  group_id uuid not null,
  person_id uuid not null,
  role text not null default 'member' check (role in ('leader', 'moderator', 'member')),
  title text not null default '' check (char_length(title) <= 150),
  side text not null default '' check (char_length(side) <= 60),
  rank int check (rank between 0 and 100000),
  status text not null default 'active' check (status in ('invited', 'requested', 'active', 'declined', 'removed')),
  starts_on date,
  ends_on date,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, group_id) references app.groups on delete cascade,
  foreign key (org_id, person_id) references app.people on delete cascade,
  check (ends_on >= starts_on)
);
comment on table app.group_members is 'A person in a group; former members stay as ended rows';
create unique index group_members_live on app.group_members (org_id, group_id, person_id) where ends_on is null;
create index group_members_by_group on app.group_members (org_id, group_id, rank, person_id);
create index group_members_by_person on app.group_members (org_id, person_id);
create index group_members_titled on app.group_members (org_id, group_id, person_id) where title <> '';
create index group_members_leading on app.group_members (org_id, group_id) where role = 'leader' or title <> '';
create index group_members_waiting on app.group_members (org_id, created_at) where status = 'requested' and ends_on is null;
create index group_members_waiting_by_group on app.group_members (org_id, group_id, created_at) where status = 'requested' and ends_on is null;
create trigger group_members_touch before update on app.group_members for each row execute function app.touch();

create table app.group_counts (
  org_id uuid not null,
  group_id uuid not null,
  members int not null default 0,
  primary key (org_id, group_id),
  foreign key (org_id, group_id) references app.groups on delete cascade
);
comment on table app.group_counts is 'How many live members a group has; kept by triggers and corrected daily as dates pass';

alter table app.grants add foreign key (org_id, group_id) references app.groups on delete cascade;
create index grants_group on app.grants (org_id, group_id);
