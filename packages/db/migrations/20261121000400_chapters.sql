-- The tree of chapters; who belongs to it (affiliations) and who holds office in it (positions): dated rows with history.

create table app.chapters (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  parent_id uuid,
  name text not null check (char_length(name) between 1 and 150),
  code text not null check (char_length(code) between 1 and 40),
  level text not null default 'chapter' check (level in ('national', 'region', 'district', 'chapter', 'club')),
  status text not null default 'active' check (status in ('prospective', 'active', 'probation', 'suspended', 'dormant', 'closed')),
  depth int not null default 1 check (depth between 1 and 8),
  search text collate "C" not null generated always as (app.fold(name || ' ' || code)) stored,
  about text not null default '' check (char_length(about) <= 5000),
  city text not null default '' check (char_length(city) <= 100),
  contact_email text not null default '' check (char_length(contact_email) <= 320),
  website text not null default '' check (char_length(website) <= 500),
  timezone text not null default '',
  chartered_on date,
  closed_on date,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, code),
  foreign key (org_id, parent_id) references app.chapters deferrable initially immediate,
  check (parent_id <> id),
  check (closed_on >= chartered_on)
);
comment on table app.chapters is 'A node of the organisation''s tree, at most eight levels deep';
create index chapters_by_parent on app.chapters (org_id, parent_id, name);
create trigger chapters_touch before update of parent_id, name, code, level, status, about, city, contact_email, website, timezone, chartered_on, closed_on on app.chapters for each row execute function app.touch();

create table app.chapter_ancestors (
  org_id uuid not null,
  ancestor_id uuid not null,
  chapter_id uuid not null,
  distance int not null check (distance >= 0),
  primary key (org_id, ancestor_id, chapter_id),
  foreign key (org_id, ancestor_id) references app.chapters on delete cascade,
  foreign key (org_id, chapter_id) references app.chapters on delete cascade
);
comment on table app.chapter_ancestors is 'Every chapter with each of its ancestors and itself (distance 0); kept by triggers, so that a subtree is one index range';
create index chapter_ancestors_by_chapter on app.chapter_ancestors (org_id, chapter_id, distance);

create function app_private.refuse_deep_chapters(org uuid, top uuid) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if exists (select from app.chapter_ancestors sub
      join app.chapter_ancestors up on up.org_id = sub.org_id and up.chapter_id = sub.chapter_id
      where sub.org_id = org and sub.ancestor_id = top group by sub.chapter_id having count(*) > 8) then
    raise exception 'a tree is at most eight levels deep' using errcode = '23514', constraint = 'chapters_too_deep';
  end if;
end $$;
grant execute on function app_private.refuse_deep_chapters(uuid, uuid) to app_definer;

create function app.chapters_place() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op = 'UPDATE' and new.parent_id is not distinct from old.parent_id then return null; end if;
  if tg_op = 'UPDATE' then
    -- One move at a time per organisation: two crossing moves could otherwise each look harmless and close a circle together.
    perform pg_advisory_xact_lock(hashtextextended('chapters:' || new.org_id, 0));
    if exists (select from app.chapter_ancestors a where a.org_id = new.org_id and a.ancestor_id = new.id and a.chapter_id = new.parent_id) then
      raise exception '% would be a circle', (select string_agg(c.name, ' → ' order by up.distance desc) || ' → ' || new.name
          from app.chapter_ancestors up
          join app.chapter_ancestors down on down.org_id = up.org_id and down.ancestor_id = new.id and down.chapter_id = up.ancestor_id
          join app.chapters c on c.org_id = up.org_id and c.id = up.ancestor_id
          where up.org_id = new.org_id and up.chapter_id = new.parent_id)
        using errcode = '23514', constraint = 'chapters_no_circle';
    end if;
    delete from app.chapter_ancestors a using app.chapter_ancestors sub
      where sub.org_id = new.org_id and sub.ancestor_id = new.id and a.org_id = new.org_id and a.chapter_id = sub.chapter_id and a.distance > sub.distance;
    insert into app.chapter_ancestors (org_id, ancestor_id, chapter_id, distance)
      select new.org_id, up.ancestor_id, sub.chapter_id, up.distance + sub.distance + 1
      from app.chapter_ancestors up join app.chapter_ancestors sub on sub.org_id = up.org_id and sub.ancestor_id = new.id
      where up.org_id = new.org_id and up.chapter_id = new.parent_id;
    perform app_private.refuse_deep_chapters(new.org_id, new.id);
    update app.chapters c set depth = (select count(*) from app.chapter_ancestors a where a.org_id = c.org_id and a.chapter_id = c.id)
      from app.chapter_ancestors sub where sub.org_id = new.org_id and sub.ancestor_id = new.id and c.org_id = sub.org_id and c.id = sub.chapter_id;
  else
    insert into app.chapter_ancestors (org_id, ancestor_id, chapter_id, distance)
      select new.org_id, a.ancestor_id, new.id, a.distance + 1 from app.chapter_ancestors a
        where a.org_id = new.org_id and a.chapter_id = new.parent_id
      union all select new.org_id, new.id, new.id, 0;
    if new.parent_id is not null then
      perform app_private.refuse_deep_chapters(new.org_id, new.id);
      update app.chapters c set depth = (select count(*) from app.chapter_ancestors a where a.org_id = c.org_id and a.chapter_id = c.id)
        where c.org_id = new.org_id and c.id = new.id;
    end if;
  end if;
  return null;
end $$;
comment on function app.chapters_place() is 'Keeps chapter_ancestors and depth; refuses a circle and, by the check on depth, a ninth level';
create trigger chapters_place after insert or update of parent_id on app.chapters for each row execute function app.chapters_place();

create table app.affiliations (
  org_id uuid not null,
  id uuid not null default app.uuid7(),
  person_id uuid not null,
  chapter_id uuid not null,
  kind text not null default 'member' check (kind in ('member', 'alumni', 'advisor', 'friend', 'applicant')),
  starts_on date not null default current_date,
  ends_on date,
  is_primary boolean not null default false,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  -- The date before the chapter: rights look for "this person, begun by today", and a column skipped in between makes the planner avoid the index.
  unique (org_id, person_id, starts_on, chapter_id, kind),
  foreign key (org_id, person_id) references app.people on delete cascade,
  foreign key (org_id, chapter_id) references app.chapters,
  check (ends_on >= starts_on)
);
comment on table app.affiliations is 'A person belongs to a chapter from one day to another, as member, alumna, advisor, friend or applicant';
create unique index affiliations_primary on app.affiliations (org_id, person_id) where is_primary and ends_on is null;
create index affiliations_by_chapter on app.affiliations (org_id, chapter_id, person_id);
create trigger affiliations_touch before update on app.affiliations for each row execute function app.touch();

create table app.chapter_counts (
  org_id uuid not null,
  chapter_id uuid not null,
  kind text not null,
  people int not null default 0,
  primary key (org_id, chapter_id, kind),
  foreign key (org_id, chapter_id) references app.chapters on delete cascade
);
comment on table app.chapter_counts is 'How many live affiliations of each kind a chapter itself has; kept by triggers and corrected daily as dates pass';

create table app.chapter_months (
  org_id uuid not null,
  chapter_id uuid not null,
  month date not null check (extract(day from month) = 1),
  joins int not null default 0,
  leaves int not null default 0,
  primary key (org_id, chapter_id, month),
  foreign key (org_id, chapter_id) references app.chapters on delete cascade
);
comment on table app.chapter_months is 'How many memberships began and ended in each month, by the dates that stand in them; kept by triggers';
create index chapter_months_by_month on app.chapter_months (org_id, month);

create table app.data_health (
  org_id uuid not null references app.organisations on delete cascade,
  chapter_id uuid,
  people int not null,
  without_email int not null,
  counted_at timestamptz not null default now(),
  unique nulls not distinct (org_id, chapter_id),
  foreign key (org_id, chapter_id) references app.chapters on delete cascade
);
comment on table app.data_health is 'Gaps in the data by home chapter (null for people without one), counted anew every few minutes';

create table app.positions (
  org_id uuid not null,
  id uuid not null default app.uuid7(),
  chapter_id uuid not null,
  title text not null check (char_length(title) between 1 and 150),
  title_key text not null generated always as (lower(title)) stored,
  role_id uuid,
  term_months int check (term_months between 1 and 120),
  max_holders int not null default 1 check (max_holders between 1 and 1000),
  mandatory boolean not null default false,
  member_only boolean not null default false,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, chapter_id, title_key),
  foreign key (org_id, chapter_id) references app.chapters,
  foreign key (org_id, role_id) references app.roles
);
comment on table app.positions is 'An office in a chapter; its role, if any, is what holding it allows in that chapter and below';
create index positions_by_role on app.positions (org_id, role_id);
create trigger positions_touch before update on app.positions for each row execute function app.touch();

create table app.position_holders (
  org_id uuid not null,
  id uuid not null default app.uuid7(),
  position_id uuid not null,
  person_id uuid not null,
  starts_on date not null,
  ends_on date,
  note text not null default '' check (char_length(note) <= 500),
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, position_id, person_id, starts_on),
  foreign key (org_id, position_id) references app.positions on delete cascade,
  foreign key (org_id, person_id) references app.people on delete cascade,
  check (ends_on >= starts_on)
);
comment on table app.position_holders is 'Who held or holds an office from when to when; rights start and stop with these dates';
create index position_holders_by_person on app.position_holders (org_id, person_id, starts_on);
create index position_holders_by_end on app.position_holders (org_id, ends_on);
create trigger position_holders_touch before update on app.position_holders for each row execute function app.touch();

alter table app.people add foreign key (org_id, home_chapter_id) references app.chapters on delete set null (home_chapter_id);
alter table app.grants add foreign key (org_id, chapter_id) references app.chapters on delete cascade;
create index grants_chapter on app.grants (org_id, chapter_id);
