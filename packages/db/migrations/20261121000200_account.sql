-- Organisations, accounts, roles and grants.

create table app.organisations (
  org_id uuid primary key default app.uuid7(),
  slug text not null check (slug ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
  name text not null check (char_length(name) between 1 and 150),
  idp_org_id text,
  locale text not null default 'en',
  timezone text not null default 'UTC',
  currency text not null default 'EUR' check (currency ~ '^[A-Z]{3}$'),
  directory_reach text not null default 'organisation' check (directory_reach in ('organisation', 'chapter')),
  majority_age int not null default 18 check (majority_age between 0 and 25),
  contact_email text,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (slug)
);
comment on table app.organisations is 'One association with its own people and rights; the tenant';
comment on column app.organisations.idp_org_id is 'Id of this organisation at the identity provider; null accepts every token of the issuer when it is the only organisation';
comment on column app.organisations.directory_reach is 'Whether a plain member sees the whole directory or only people of the own chapters';
create unique index organisations_idp on app.organisations (idp_org_id) where idp_org_id is not null;

create table app.roles (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  key text not null check (key ~ '^[a-z][a-z0-9-]{1,40}$'),
  name text not null check (char_length(name) between 1 and 100),
  description text not null default '',
  primary key (org_id, id),
  unique (org_id, key)
);
comment on table app.roles is 'A named bundle of permissions; given organisation-wide by the identity provider, or scoped by grants and positions';

create table app.role_permissions (
  org_id uuid not null,
  role_id uuid not null,
  permission text not null check (permission ~ '^[a-z]+\.[a-z]+$'),
  primary key (org_id, role_id, permission),
  foreign key (org_id, role_id) references app.roles on delete cascade
);
comment on table app.role_permissions is 'Which permission a role carries; the scope comes from how the role was given';

create table app.accounts (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  issuer text,
  subject text,
  email text check (char_length(email) <= 320),
  email_verified boolean not null default false,
  name text not null default '',
  sort_name text collate "C" not null generated always as (lower(coalesce(nullif(name, ''), email, ''))) stored,
  person_id uuid,
  status text not null default 'invited' check (status in ('invited', 'active', 'pending_link', 'suspended')),
  idp_roles text[] not null default '{}',
  locale text,
  preferences jsonb not null default '{}',
  last_login_at timestamptz,
  tokens_valid_after timestamptz,
  access_message text check (char_length(access_message) <= 500),
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, issuer, subject),
  unique (org_id, person_id),
  check ((issuer is null) = (subject is null)),
  check (subject is not null or status in ('invited', 'suspended'))
);
comment on table app.accounts is 'A sign-in identity (issuer and subject), linked to at most one person';
comment on column app.accounts.idp_roles is 'Organisation-wide roles of the last verified access token; work that runs later acts with them';
comment on column app.accounts.access_message is 'What a person without an invitation wrote when they asked to be let in';
comment on column app.accounts.tokens_valid_after is 'Access tokens issued earlier are refused (back-channel logout)';
create index accounts_by_name on app.accounts (org_id, sort_name, id);
create index accounts_by_last_login on app.accounts (org_id, coalesce(last_login_at, '-infinity'), id);
create index accounts_by_created on app.accounts (org_id, created_at, id);
-- Not for a sign-in: nobody's edit is stale because the person came back.
create trigger accounts_touch before update on app.accounts for each row
  when ((old.status, old.person_id, old.email, old.name, old.locale, old.preferences) is distinct from (new.status, new.person_id, new.email, new.name, new.locale, new.preferences))
  execute function app.touch();
create trigger organisations_touch before update on app.organisations for each row execute function app.touch();

create table app.grants (
  org_id uuid not null,
  id uuid not null default app.uuid7(),
  account_id uuid not null,
  role_id uuid not null,
  scope_kind text not null check (scope_kind in ('org', 'chapter', 'group')),
  chapter_id uuid,
  group_id uuid,
  starts_on date not null default current_date,
  ends_on date,
  reason text not null default '' check (char_length(reason) <= 500),
  granted_by uuid,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, account_id) references app.accounts on delete cascade,
  foreign key (org_id, role_id) references app.roles on delete cascade,
  check (ends_on >= starts_on),
  check ((scope_kind = 'chapter') = (chapter_id is not null)),
  check ((scope_kind = 'group') = (group_id is not null))
);
comment on table app.grants is 'A role given to an account for the organisation, a chapter with everything below it, or a group, within a window of dates';
create index grants_account on app.grants (org_id, account_id);
create index grants_role on app.grants (org_id, role_id);
create trigger grants_touch before update on app.grants for each row execute function app.touch();
