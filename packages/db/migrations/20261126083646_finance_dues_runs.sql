-- Dues runs: a rate is charged to everybody it is for, for one period; each once, however often the run is started.

create table app.dues_runs (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  rate_id uuid not null,
  chapter_id uuid,
  period_start date not null,
  period_end date not null,
  period_label text not null check (char_length(period_label) <= 40),
  due_on date,
  issues boolean not null default true,
  state text not null default 'started' check (state in ('started', 'done', 'undoing', 'undone')),
  job_id uuid,
  planned int not null default 0,
  charged int not null default 0,
  skipped int not null default 0,
  voided int not null default 0,
  undo_reason text check (char_length(undo_reason) between 1 and 500),
  created_by uuid,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, rate_id) references app.dues_rates (org_id, id),
  foreign key (org_id, chapter_id) references app.chapters (org_id, id),
  check (period_end >= period_start),
  check (state not in ('undoing', 'undone') or undo_reason is not null)
);
comment on table app.dues_runs is 'One charging of a dues rate, for a period: in a chapter and everything below it, or in the whole organisation';
comment on column app.dues_runs.issues is 'Whether invoices are issued at once; otherwise they are left as drafts';
comment on column app.dues_runs.job_id is 'The work that charges it, or undoes it';
create index dues_runs_by_age on app.dues_runs (org_id, id desc);
create index dues_runs_by_chapter on app.dues_runs (org_id, chapter_id);
create index dues_runs_by_rate on app.dues_runs (org_id, rate_id, period_start);
select app_private.protect('app.dues_runs');
select app_private.keep_version('app.dues_runs');
select app_private.keep_audit('app.dues_runs', 'finance.read', 'id');
select app_private.hide_in_audit('app.dues_runs', 'job_id', 'planned', 'charged', 'skipped', 'voided');
create policy dues_runs_read on app.dues_runs for select to app_access using (org_id = (select app.org_id())
  and ((select app.everywhere('finance.read')) or chapter_id = any ((select app.scope('finance.read'))::uuid[])));
create policy dues_runs_add on app.dues_runs for insert to app_access with check (org_id = (select app.org_id()) and created_by = (select app.account_id())
  and ((select app.everywhere('finance.manage')) or chapter_id = any ((select app.scope('finance.manage'))::uuid[])));
create policy dues_runs_change on app.dues_runs for update to app_access
  using (org_id = (select app.org_id()) and ((select app.everywhere('finance.manage')) or chapter_id = any ((select app.scope('finance.manage'))::uuid[])))
  with check (org_id = (select app.org_id()) and ((select app.everywhere('finance.manage')) or chapter_id = any ((select app.scope('finance.manage'))::uuid[])));
grant select, insert (org_id, rate_id, chapter_id, period_start, period_end, period_label, due_on, issues, created_by),
  update (state, job_id, planned, charged, skipped, voided, undo_reason) on app.dues_runs to app_access;

create table app.dues_run_items (
  org_id uuid not null references app.organisations on delete cascade,
  run_id uuid not null,
  subject_id uuid not null,
  person_id uuid,
  chapter_id uuid,
  rate_id uuid not null,
  quantity int not null default 1 check (quantity > 0),
  net_amount bigint not null check (net_amount > 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  share_chapter_id uuid,
  state text not null default 'planned' check (state in ('planned', 'charged', 'existing', 'voided', 'kept')),
  invoice_id uuid,
  primary key (org_id, run_id, subject_id),
  foreign key (org_id, run_id) references app.dues_runs (org_id, id) on delete cascade,
  foreign key (org_id, person_id) references app.people (org_id, id),
  foreign key (org_id, chapter_id) references app.chapters (org_id, id),
  foreign key (org_id, share_chapter_id) references app.chapters (org_id, id),
  foreign key (org_id, rate_id) references app.dues_rates (org_id, id),
  foreign key (org_id, invoice_id) references app.invoices (org_id, id),
  check (num_nonnulls(person_id, chapter_id) = 1)
);
comment on table app.dues_run_items is 'Whom a dues run charges, each with their invoice once it is written. Not in the audit log: the invoices are';
comment on column app.dues_run_items.state is 'existing: somebody else charged it in between; kept: undoing left the invoice, because something was paid or credited';
create index dues_run_items_by_person on app.dues_run_items (org_id, person_id);
create index dues_run_items_by_chapter on app.dues_run_items (org_id, chapter_id);
create index dues_run_items_by_share on app.dues_run_items (org_id, share_chapter_id);
create index dues_run_items_by_rate on app.dues_run_items (org_id, rate_id);
create index dues_run_items_by_invoice on app.dues_run_items (org_id, invoice_id);
select app_private.protect('app.dues_run_items');
create policy dues_run_items_read on app.dues_run_items for select to app_access using (org_id = (select app.org_id())
  and exists (select from app.dues_runs r where r.org_id = dues_run_items.org_id and r.id = dues_run_items.run_id));
create policy dues_run_items_add on app.dues_run_items for insert to app_access with check (org_id = (select app.org_id())
  and exists (select from app.dues_runs r where r.org_id = dues_run_items.org_id and r.id = dues_run_items.run_id
    and ((select app.everywhere('finance.manage')) or r.chapter_id = any ((select app.scope('finance.manage'))::uuid[]))));
create policy dues_run_items_change on app.dues_run_items for update to app_access using (org_id = (select app.org_id())
  and exists (select from app.dues_runs r where r.org_id = dues_run_items.org_id and r.id = dues_run_items.run_id
    and ((select app.everywhere('finance.manage')) or r.chapter_id = any ((select app.scope('finance.manage'))::uuid[]))))
  with check (org_id = (select app.org_id()));
grant select, insert (org_id, run_id, subject_id, person_id, chapter_id, rate_id, quantity, net_amount, currency, share_chapter_id), update (state, invoice_id) on app.dues_run_items to app_access;

-- A person who is gone for good takes nothing of the books along: as invoices, items stay with the person's row.
select app_private.own_definers();
