-- People. What the directory shows is on app.people; how to reach someone and what is sensitive stand in tables of their own,
-- so that the database, not a screen, keeps them apart.

create table app.people (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  member_no text check (char_length(member_no) between 1 and 50),
  given_name text not null default '' check (char_length(given_name) <= 100),
  middle_name text not null default '' check (char_length(middle_name) <= 100),
  family_name text not null default '' check (char_length(family_name) <= 100),
  suffix text not null default '' check (char_length(suffix) <= 30),
  preferred_name text not null default '' check (char_length(preferred_name) <= 100),
  former_names text[] not null default '{}' check (cardinality(former_names) <= 10),
  pronouns text not null default '' check (char_length(pronouns) <= 40),
  display_name text not null default '',
  sort_name text collate "C" not null default '',
  search text collate "C" not null default '',
  lifecycle text not null default 'active' check (lifecycle in ('prospect', 'active', 'alumni', 'former', 'deceased', 'merged', 'erased')),
  home_chapter_id uuid,
  joined_on date,
  grad_year int check (grad_year between 1900 and 2100),
  employer text not null default '' check (char_length(employer) <= 150),
  job_title text not null default '' check (char_length(job_title) <= 150),
  bio text not null default '' check (char_length(bio) <= 2000),
  language text check (char_length(language) <= 35),
  do_not_contact boolean not null default false,
  minor_until date,
  created_by uuid,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  primary key (org_id, id),
  unique (org_id, member_no),
  check (given_name <> '' or family_name <> '')
);
comment on table app.people is 'A person as the directory shows them';
comment on column app.people.search is 'Folded member number, given, middle, family, preferred and former names, what the trigram index looks through; not longer than fits into people_by_name beside sort_name, at four bytes a letter';
comment on column app.people.sort_name is 'Folded family name, then given name; byte order';
comment on column app.people.home_chapter_id is 'Chapter of the current primary affiliation; kept by a trigger of affiliations, which need not write new people a second time when it stands there already';
comment on column app.people.minor_until is 'Day of majority, kept from the birth date so that minors can be hidden without showing it';
comment on column app.people.deleted_at is 'Archived; can be restored for 30 days';
-- With what a search for a common word looks at while it walks along the names.
create index people_by_name on app.people (org_id, sort_name, id) include (search, minor_until) where deleted_at is null;
create index people_by_given_name on app.people (org_id, given_name collate "C", id) where deleted_at is null;
create index people_by_joined on app.people (org_id, joined_on, id) where deleted_at is null;
create index people_by_created on app.people (org_id, created_at, id) where deleted_at is null;
create index people_by_updated on app.people (org_id, updated_at, id) where deleted_at is null;
create index people_by_home_chapter on app.people (org_id, home_chapter_id, sort_name, id);
create index people_search on app.people using gin (search extensions.gin_trgm_ops) where deleted_at is null;

create function app.people_derive() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  new.display_name := btrim(concat_ws(' ', coalesce(nullif(new.preferred_name, ''), new.given_name), nullif(new.family_name, ''), nullif(new.suffix, '')));
  new.sort_name := left(app.fold(btrim(concat_ws(' ', nullif(new.family_name, ''), new.given_name, new.middle_name))), 200);
  -- Former names come last: where somebody has more names than an index entry holds, those are what it leaves out.
  new.search := left(app.fold(concat_ws(' ', new.member_no, new.given_name, nullif(new.middle_name, ''), nullif(new.family_name, ''),
    nullif(new.preferred_name, ''), nullif(array_to_string(new.former_names, ' '), ''))), 425);
  return new;
end $$;
create trigger people_derive before insert or update of given_name, middle_name, family_name, suffix, preferred_name, former_names, member_no
  on app.people for each row execute function app.people_derive();
-- Not for columns that follow from other rows: nobody's edit is stale because a birthday or an affiliation passed.
create trigger people_touch before update of member_no, given_name, middle_name, family_name, suffix, preferred_name, former_names, pronouns,
  lifecycle, joined_on, grad_year, employer, job_title, bio, language, do_not_contact, deleted_at on app.people for each row execute function app.touch();

create table app.person_emails (
  org_id uuid not null,
  id uuid not null default app.uuid7(),
  person_id uuid not null,
  address text not null check (char_length(address) between 3 and 320 and address ~ '^[^\s@]+@[^\s@]+$'),
  address_key text collate "C" not null generated always as (lower(address)) stored,
  local_key text collate "C" not null generated always as (lower(split_part(address, '@', 1))) stored,
  label text not null default '' check (char_length(label) <= 40),
  is_primary boolean not null default false,
  visible_to text not null default 'officers' check (visible_to in ('officers', 'members')),
  created_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, person_id, address_key),
  foreign key (org_id, person_id) references app.people on delete cascade
);
comment on table app.person_emails is 'E-mail addresses; several people may share one, as families do';
create unique index person_emails_primary on app.person_emails (org_id, person_id) where is_primary;
create index person_emails_by_address on app.person_emails (org_id, address_key);
create index person_emails_search on app.person_emails using gin (local_key extensions.gin_trgm_ops);
create index person_emails_search_whole on app.person_emails using gin (address_key extensions.gin_trgm_ops);

create table app.person_phones (
  org_id uuid not null,
  id uuid not null default app.uuid7(),
  person_id uuid not null,
  number text not null check (char_length(number) between 3 and 40),
  digits text collate "C" not null generated always as (regexp_replace(number, '[^0-9]', '', 'g')) stored,
  label text not null default '' check (char_length(label) <= 40),
  is_primary boolean not null default false,
  visible_to text not null default 'officers' check (visible_to in ('officers', 'members')),
  created_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, person_id, digits),
  foreign key (org_id, person_id) references app.people on delete cascade
);
comment on table app.person_phones is 'Telephone numbers as E.164 where the country is known';
create unique index person_phones_primary on app.person_phones (org_id, person_id) where is_primary;
create index person_phones_search on app.person_phones using gin (digits extensions.gin_trgm_ops);

create table app.person_contacts (
  org_id uuid not null,
  person_id uuid not null,
  street text not null default '' check (char_length(street) <= 300),
  city text not null default '' check (char_length(city) <= 100),
  region text not null default '' check (char_length(region) <= 100),
  postal_code text not null default '' check (char_length(postal_code) <= 20),
  country text not null default '' check (char_length(country) <= 100),
  website text not null default '' check (char_length(website) <= 500),
  links jsonb not null default '{}' check (jsonb_typeof(links) = 'object' and pg_column_size(links) <= 4000),
  visible_to text not null default 'officers' check (visible_to in ('officers', 'members')),
  primary key (org_id, person_id),
  foreign key (org_id, person_id) references app.people on delete cascade
);
comment on table app.person_contacts is 'Postal address, website and named links (service name to handle or address)';

create table app.person_private (
  org_id uuid not null,
  person_id uuid not null,
  birth_date date check (birth_date > '1850-01-01'),
  birthday int generated always as ((extract(month from birth_date) * 100 + extract(day from birth_date))::int) stored,
  gender text not null default '' check (char_length(gender) <= 40),
  deceased_on date,
  note text not null default '' check (char_length(note) <= 5000),
  primary key (org_id, person_id),
  foreign key (org_id, person_id) references app.people on delete cascade,
  check (deceased_on >= birth_date)
);
comment on table app.person_private is 'What only people with the right to sensitive data see';
comment on column app.person_private.birthday is 'Month and day as one number, 2 March is 302: whose birthday comes up is found without reading every birth date';
create index person_private_by_birthday on app.person_private (org_id, birthday, person_id) where birthday is not null;

create table app.tags (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  name text not null check (char_length(name) between 1 and 60),
  name_key text not null generated always as (lower(name)) stored,
  color text not null default 'gray' check (color in ('gray', 'brand', 'green', 'red', 'amber', 'blue')),
  created_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, name_key)
);
comment on table app.tags is 'Words that people are marked with';

create table app.person_tags (
  org_id uuid not null,
  person_id uuid not null,
  tag_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (org_id, person_id, tag_id),
  foreign key (org_id, person_id) references app.people on delete cascade,
  foreign key (org_id, tag_id) references app.tags on delete cascade
);
comment on table app.person_tags is 'Which person carries which tag';
create index person_tags_by_tag on app.person_tags (org_id, tag_id, person_id);

alter table app.accounts add foreign key (org_id, person_id) references app.people on delete set null (person_id);
