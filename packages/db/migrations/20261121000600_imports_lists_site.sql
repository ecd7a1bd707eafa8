-- Imports with their ledger, saved views, exports, progress of long work, idempotency, messages from the contact page.

create table app.job_progress (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  account_id uuid not null,
  kind text not null check (kind in ('import_check', 'import_run', 'import_undo', 'export', 'bulk')),
  title text not null check (char_length(title) <= 200),
  status text not null default 'queued' check (status in ('queued', 'running', 'done', 'failed', 'cancelled')),
  done bigint not null default 0,
  total bigint,
  cancel_requested boolean not null default false,
  result jsonb not null default '{}',
  error text,
  started_at timestamptz,
  finished_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, account_id) references app.accounts on delete cascade
);
comment on table app.job_progress is 'Long work as its owner sees it: how far it is and what came out; survives reload and sign-out';
create index job_progress_by_account on app.job_progress (org_id, account_id, created_at desc);

create table app.imports (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  kind text not null check (kind in ('chapters', 'people', 'positions', 'groups', 'group_members')),
  file_name text not null check (char_length(file_name) <= 255),
  file_size bigint not null,
  file_hash text not null,
  file_key text not null,
  format jsonb not null default '{}',
  mapping jsonb not null default '{}',
  options jsonb not null default '{}',
  preview jsonb not null default '{}',
  status text not null default 'uploaded' check (status in ('uploaded', 'checking', 'checked', 'running', 'done', 'failed', 'cancelled', 'undoing', 'undone')),
  rows_total int,
  counts jsonb not null default '{}',
  error text,
  check_job_id uuid,
  run_job_id uuid,
  undo_job_id uuid,
  tag_id uuid,
  created_by uuid not null,
  finished_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, created_by) references app.accounts on delete cascade,
  foreign key (org_id, tag_id) references app.tags on delete set null (tag_id)
);
comment on table app.imports is 'One file on its way in: uploaded, checked without writing, run, and undone within 7 days if wished';
comment on column app.imports.counts is 'Rows by phase and outcome: {check: {create, update, unchanged, skip, reject}, run: {…}, undo: {removed, restored, kept}}';
comment on column app.imports.file_key is 'Where the file lies; empty once it was removed, 30 days after the upload';
comment on column app.imports.preview is 'What was seen in the file when it was read last: headers, samples, findings about the whole file';
create index imports_by_created on app.imports (org_id, created_at desc, id);
create index imports_by_creator on app.imports (org_id, created_by);
create index imports_by_tag on app.imports (org_id, tag_id);
create index imports_by_content on app.imports (org_id, kind, file_hash);
create trigger imports_touch before update on app.imports for each row execute function app.touch();

create table app.import_rows (
  org_id uuid not null,
  import_id uuid not null,
  phase text not null check (phase in ('check', 'run', 'undo')),
  line int not null check (line >= 1),
  step int not null,
  outcome text not null check (outcome in ('create', 'update', 'unchanged', 'skip', 'reject', 'removed', 'restored', 'kept')),
  key text collate "C",
  entity_id uuid,
  findings jsonb not null default '[]',
  effects jsonb not null default '[]',
  primary key (org_id, import_id, phase, line),
  foreign key (org_id, import_id) references app.imports on delete cascade
);
comment on table app.import_rows is 'The ledger: one row per line of the file, written in the same transaction as what the line did';
comment on column app.import_rows.step is 'Place in the order of work, in which parents come before their children; undo goes backwards';
comment on column app.import_rows.key is 'What the line is known by, to find a second line of the same file that means the same; null for rejected lines';
comment on column app.import_rows.findings is 'Problems and remarks: [{level, code, column, value, message}]';
comment on column app.import_rows.effects is 'What was written, for undo: [{table, id, before, after}]; both are null for a new row';
create index import_rows_by_outcome on app.import_rows (org_id, import_id, phase, outcome, line);
create index import_rows_by_step on app.import_rows (org_id, import_id, phase, step);
create index import_rows_by_key on app.import_rows (org_id, import_id, phase, key) where key is not null;

create table app.import_mappings (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  kind text not null,
  name text not null check (char_length(name) between 1 and 100),
  mapping jsonb not null,
  options jsonb not null default '{}',
  created_by uuid not null,
  created_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, kind, name),
  foreign key (org_id, created_by) references app.accounts on delete cascade
);
comment on table app.import_mappings is 'Saved answers to "which column is what", offered again for files with the same header';
create index import_mappings_by_creator on app.import_mappings (org_id, created_by);

create table app.saved_views (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  account_id uuid not null,
  list text not null check (list in ('people', 'groups', 'chapters', 'audit', 'accounts', 'imports')),
  name text not null check (char_length(name) between 1 and 100),
  spec jsonb not null check (pg_column_size(spec) <= 20000),
  shared_with text not null default 'me' check (shared_with in ('me', 'organisation')),
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, account_id, list, name),
  foreign key (org_id, account_id) references app.accounts on delete cascade
);
comment on table app.saved_views is 'Filter, sort, columns and layout of a list under a name';
create trigger saved_views_touch before update on app.saved_views for each row execute function app.touch();

create table app.exports (
  org_id uuid not null,
  id uuid not null default app.uuid7(),
  account_id uuid not null,
  list text not null check (list in ('people', 'groups', 'chapters', 'group_members', 'audit', 'accounts')),
  format text not null check (format in ('csv', 'xlsx')),
  spec jsonb not null,
  reason text not null default '' check (char_length(reason) <= 500),
  job_id uuid not null,
  file_key text,
  rows int,
  expires_at timestamptz not null default now() + interval '7 days',
  created_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, account_id) references app.accounts on delete cascade,
  foreign key (org_id, job_id) references app.job_progress on delete cascade
);
comment on table app.exports is 'A file made from a list with its filter and columns; the file dies at expires_at, this line stays';
create index exports_by_account on app.exports (org_id, account_id, created_at desc);
create index exports_by_job on app.exports (org_id, job_id);

create table app.idempotency_keys (
  org_id uuid not null,
  account_id uuid not null,
  key text not null check (char_length(key) between 8 and 200),
  operation text not null,
  body_hash text not null,
  status int,
  response jsonb,
  created_at timestamptz not null default now(),
  primary key (org_id, account_id, key),
  foreign key (org_id, account_id) references app.accounts on delete cascade
);
comment on table app.idempotency_keys is 'First answer to a request that must not act twice; kept 7 days';
create index idempotency_keys_by_age on app.idempotency_keys (created_at);

create table app.contact_messages (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  reference text not null,
  name text not null check (char_length(name) between 1 and 150),
  email text not null check (char_length(email) between 3 and 320),
  topic text not null check (char_length(topic) between 1 and 100),
  message text not null check (char_length(message) between 1 and 5000),
  handled_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, reference)
);
comment on table app.contact_messages is 'What the public contact page sent; organisation admins read it and are mailed a notice';
create index contact_messages_by_created on app.contact_messages (org_id, created_at desc, id);

create table app.contact_attempts (
  org_id uuid not null references app.organisations on delete cascade,
  source text not null check (char_length(source) <= 64),
  since timestamptz not null default now(),
  attempts int not null default 1,
  primary key (org_id, source)
);
comment on table app.contact_attempts is 'How often something that anybody may do was done within the hour that began at since, by a keyed hash of the network address and, as *, in all';
