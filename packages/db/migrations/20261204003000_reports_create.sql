-- Reports: questions that somebody saved, where they put them, long runs, and what is mailed by the calendar. What an answer holds is decided by the
-- policies of the rows it is counted from.

select app_private.add_permission('reports.read', 'org-owner', 'org-admin', 'chapter-admin', 'finance', 'event-manager', 'communications');
select app_private.add_permission('reports.share', 'org-owner', 'org-admin');

create function app.report_rights() returns text[] language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce(array_agg(p.permission || case when p.everywhere then '' else ' ' || md5(concat(
      (select string_agg(x::text, ',' order by x) from unnest(p.chapters) x), ' ', (select string_agg(x::text, ',' order by x) from unnest(p.groups) x), ' ',
      (select string_agg(x::text, ',' order by x) from unnest(p.records) x))) end), '{}')
    from app.permissions() p
$$;
comment on function app.report_rights() is 'What the actor holds, and where: an answer that was kept is shown for as long as the rights that it was counted with are held';
revoke execute on function app.report_rights() from public;
grant execute on function app.report_rights() to app_access;

create table app.reports (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  account_id uuid not null,
  name text not null check (char_length(name) between 1 and 120),
  question jsonb not null check (jsonb_typeof(question) = 'object' and octet_length(question::text) <= 60000),
  shared_with text not null default 'me' check (shared_with in ('me', 'organisation')),
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, account_id) references app.accounts on delete cascade
);
comment on table app.reports is 'A question to the data under a name. Not in the audit log: it is how somebody likes to look at the data';
comment on column app.reports.question is 'As the contract has it; answered anew each time, with the rights of who asks';
create index reports_by_account on app.reports (org_id, account_id, id);
create index reports_by_name on app.reports (org_id, lower(name), id);
select app_private.protect('app.reports');
select app_private.keep_version('app.reports');
create policy reports_read on app.reports for select to app_access using (org_id = (select app.org_id()) and (account_id = (select app.account_id())
  or (shared_with = 'organisation' and ((select app.everywhere('reports.read')) or (select app.scope('reports.read')) <> '{}'))));
create policy reports_add on app.reports for insert to app_access with check (org_id = (select app.org_id()) and account_id = (select app.account_id())
  and ((select app.everywhere('reports.read')) or (select app.scope('reports.read')) <> '{}') and (shared_with = 'me' or (select app.everywhere('reports.share'))));
create policy reports_change on app.reports for update to app_access using (org_id = (select app.org_id()) and account_id = (select app.account_id()))
  with check (org_id = (select app.org_id()) and account_id = (select app.account_id()) and (shared_with = 'me' or (select app.everywhere('reports.share'))));
create policy reports_remove on app.reports for delete to app_access using (org_id = (select app.org_id()) and account_id = (select app.account_id()));
grant select, delete, insert (org_id, account_id, name, question, shared_with), update (name, question, shared_with) on app.reports to app_access;
grant select on app.reports to app_definer;

create table app.report_places (
  org_id uuid not null,
  account_id uuid not null,
  report_id uuid not null,
  is_on_home boolean not null default false,
  is_starred boolean not null default false,
  primary key (org_id, account_id, report_id),
  foreign key (org_id, account_id) references app.accounts on delete cascade,
  foreign key (org_id, report_id) references app.reports on delete cascade
);
comment on table app.report_places is 'Where somebody put a report for themselves. Not in the audit log: nobody else sees it';
create index report_places_by_report on app.report_places (org_id, report_id);
select app_private.protect('app.report_places');
create policy report_places_read on app.report_places for select to app_access using (org_id = (select app.org_id()) and account_id = (select app.account_id()));
create policy report_places_add on app.report_places for insert to app_access with check (org_id = (select app.org_id()) and account_id = (select app.account_id())
  and exists (select from app.reports r where r.org_id = report_places.org_id and r.id = report_places.report_id));
create policy report_places_change on app.report_places for update to app_access using (org_id = (select app.org_id()) and account_id = (select app.account_id()))
  with check (org_id = (select app.org_id()) and account_id = (select app.account_id()));
grant select, insert (org_id, account_id, report_id, is_on_home, is_starred), update (is_on_home, is_starred) on app.report_places to app_access;

create table app.report_thumbnails (
  org_id uuid not null,
  account_id uuid not null,
  report_id uuid not null,
  rows jsonb not null check (jsonb_typeof(rows) = 'array' and octet_length(rows::text) <= 20000),
  rights text[] not null default app.report_rights(),
  seen_at timestamptz not null default now(),
  primary key (org_id, account_id, report_id),
  foreign key (org_id, account_id) references app.accounts on delete cascade,
  foreign key (org_id, report_id) references app.reports on delete cascade
);
comment on table app.report_thumbnails is 'What somebody saw when they last looked at a report: figures that others may not see. Not in the audit log: nobody else sees it';
comment on column app.report_thumbnails.rights is 'What they held then; shown while they hold it';
create index report_thumbnails_by_report on app.report_thumbnails (org_id, report_id);
select app_private.protect('app.report_thumbnails');
create policy report_thumbnails_read on app.report_thumbnails for select to app_access using (org_id = (select app.org_id()) and account_id = (select app.account_id()));
create policy report_thumbnails_add on app.report_thumbnails for insert to app_access with check (org_id = (select app.org_id()) and account_id = (select app.account_id())
  and exists (select from app.reports r where r.org_id = report_thumbnails.org_id and r.id = report_thumbnails.report_id));
create policy report_thumbnails_change on app.report_thumbnails for update to app_access using (org_id = (select app.org_id()) and account_id = (select app.account_id()))
  with check (org_id = (select app.org_id()) and account_id = (select app.account_id()));
create policy report_thumbnails_remove on app.report_thumbnails for delete to app_access using (org_id = (select app.org_id()) and account_id = (select app.account_id()));
grant select, delete, insert (org_id, account_id, report_id, rows, seen_at), update (rows, seen_at, rights) on app.report_thumbnails to app_access;

create table app.report_schedules (
  org_id uuid not null,
  id uuid not null default app.uuid7(),
  account_id uuid not null,
  report_id uuid not null,
  cadence text not null check (cadence in ('daily', 'weekly', 'monthly', 'quarterly')),
  formats text[] not null check (cardinality(formats) between 1 and 2 and formats <@ array['csv', 'pdf']),
  next_on date not null,
  touched_at timestamptz not null default now(),
  last_sent_at timestamptz,
  failure jsonb,
  paused_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, account_id) references app.accounts on delete cascade,
  foreign key (org_id, report_id) references app.reports on delete cascade
);
comment on table app.report_schedules is 'A report that somebody has mailed by the calendar. Not in the audit log: it is theirs alone, like a private report; each mail is in the list of mails';
comment on column app.report_schedules.next_on is 'Day of the organisation''s calendar on which it is mailed next';
comment on column app.report_schedules.touched_at is 'When somebody last changed it, its recipients included, or asked for it at once';
comment on column app.report_schedules.failure is 'Why it did not reach everybody the last time, as the contract has failures';
create index report_schedules_by_account on app.report_schedules (org_id, account_id, id);
create index report_schedules_by_report on app.report_schedules (org_id, report_id);
create index report_schedules_due on app.report_schedules (org_id, next_on) where paused_at is null;
select app_private.protect('app.report_schedules');
create trigger report_schedules_touch before update of cadence, formats, touched_at, paused_at on app.report_schedules for each row execute function app.touch();
create policy report_schedules_read on app.report_schedules for select to app_access using (org_id = (select app.org_id()) and account_id = (select app.account_id()));
create policy report_schedules_add on app.report_schedules for insert to app_access with check (org_id = (select app.org_id()) and account_id = (select app.account_id())
  and ((select app.everywhere('reports.read')) or (select app.scope('reports.read')) <> '{}')
  and exists (select from app.reports r where r.org_id = report_schedules.org_id and r.id = report_schedules.report_id));
create policy report_schedules_change on app.report_schedules for update to app_access using (org_id = (select app.org_id()) and account_id = (select app.account_id()))
  with check (org_id = (select app.org_id()) and account_id = (select app.account_id()));
create policy report_schedules_remove on app.report_schedules for delete to app_access using (org_id = (select app.org_id()) and account_id = (select app.account_id()));
grant select, delete, insert (org_id, account_id, report_id, cadence, formats, next_on), update (cadence, formats, next_on, touched_at, failure, paused_at) on app.report_schedules to app_access;
grant select, update (next_on, last_sent_at, failure) on app.report_schedules to app_definer;

create table app.report_recipients (
  org_id uuid not null,
  schedule_id uuid not null,
  account_id uuid not null,
  primary key (org_id, schedule_id, account_id),
  foreign key (org_id, schedule_id) references app.report_schedules on delete cascade,
  foreign key (org_id, account_id) references app.accounts on delete cascade
);
comment on table app.report_recipients is 'Who gets a report by mail; each gets what they themselves may see. Not in the audit log: as the schedule';
create index report_recipients_by_account on app.report_recipients (org_id, account_id);
select app_private.protect('app.report_recipients');
create policy report_recipients_read on app.report_recipients for select to app_access using (org_id = (select app.org_id())
  and exists (select from app.report_schedules s where s.org_id = report_recipients.org_id and s.id = report_recipients.schedule_id));
create policy report_recipients_add on app.report_recipients for insert to app_access with check (org_id = (select app.org_id())
  and exists (select from app.report_schedules s where s.org_id = report_recipients.org_id and s.id = report_recipients.schedule_id)
  and (account_id = (select app.account_id()) or (select app.everywhere('reports.share'))));
create policy report_recipients_remove on app.report_recipients for delete to app_access using (org_id = (select app.org_id())
  and exists (select from app.report_schedules s where s.org_id = report_recipients.org_id and s.id = report_recipients.schedule_id));
grant select, delete, insert (org_id, schedule_id, account_id) on app.report_recipients to app_access;
grant select on app.report_recipients to app_definer;

create table app.report_runs (
  org_id uuid not null,
  id uuid not null default app.uuid7(),
  account_id uuid not null,
  question jsonb not null check (jsonb_typeof(question) = 'object' and octet_length(question::text) <= 60000),
  name text check (char_length(name) <= 120),
  state text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed')),
  done int not null default 0 check (done >= 0),
  total int not null default 1 check (total >= 1),
  answer jsonb check (octet_length(answer::text) <= 4000000),
  rights text[] not null default '{}',
  error jsonb,
  schedule_id uuid,
  slot text check (char_length(slot) <= 40),
  formats text[] not null default '{}' check (formats <@ array['csv', 'pdf']),
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  expires_at timestamptz not null default now() + interval '7 days',
  primary key (org_id, id),
  constraint report_runs_answered check ((state = 'done') = (answer is not null)),
  constraint report_runs_ended check ((state in ('done', 'failed')) = (finished_at is not null)),
  constraint report_runs_mailed check ((schedule_id is null) or slot is not null),
  foreign key (org_id, account_id) references app.accounts on delete cascade,
  foreign key (org_id, schedule_id) references app.report_schedules on delete set null (schedule_id)
);
comment on table app.report_runs is 'A question that is answered in the background, for who asked it alone. Not in the audit log: it is forgotten after seven days';
comment on column app.report_runs.slot is 'For which moment of its schedule it was asked: a day, or the version at which somebody wanted it at once. One mail for each person and moment';
comment on column app.report_runs.rights is 'What its owner held when it was answered: once they lost some of it, the answer is nobody''s any more';
comment on column app.report_runs.formats is 'Of the files that are mailed with the answer';
create index report_runs_by_account on app.report_runs (org_id, account_id, id desc);
create unique index report_runs_once on app.report_runs (org_id, schedule_id, account_id, slot) where schedule_id is not null;
create index report_runs_by_schedule on app.report_runs (org_id, schedule_id);
create index report_runs_expired on app.report_runs (org_id, expires_at);
select app_private.protect('app.report_runs');
create policy report_runs_read on app.report_runs for select to app_access using (org_id = (select app.org_id()) and account_id = (select app.account_id())
  and ((select app.everywhere('reports.read')) or (select app.scope('reports.read')) <> '{}')
  and (state <> 'done' or rights <@ (select app.report_rights())));
create policy report_runs_add on app.report_runs for insert to app_access with check (org_id = (select app.org_id()) and account_id = (select app.account_id())
  and ((select app.everywhere('reports.read')) or (select app.scope('reports.read')) <> '{}'));
create policy report_runs_change on app.report_runs for update to app_access using (org_id = (select app.org_id()) and account_id = (select app.account_id()))
  with check (org_id = (select app.org_id()) and account_id = (select app.account_id()));
grant select, insert (org_id, account_id, question, name, schedule_id, slot, formats), update (state, done, total, answer, rights, error, finished_at) on app.report_runs to app_access;
grant select, delete on app.report_runs to app_definer;

create function app.report_next(cadence text, after_day date) returns date language sql immutable set search_path = pg_catalog, pg_temp as $$
  select case cadence
    when 'daily' then after_day + 1
    when 'weekly' then after_day + (8 - extract(isodow from after_day)::int)
    when 'monthly' then (date_trunc('month', after_day::timestamp) + interval '1 month')::date
    else (date_trunc('quarter', after_day::timestamp) + interval '3 months')::date end
$$;
comment on function app.report_next(text, date) is 'The next day after a day on which a report is mailed: every day, Mondays, the first of the month or of the quarter';

create function app.take_due_reports(org uuid, due_on date) returns table (schedule_id uuid, account_id uuid)
  language sql security definer set search_path = pg_catalog, pg_temp as $$
  update app.report_schedules s set next_on = app.report_next(s.cadence, due_on)
    where s.org_id = org and s.next_on <= due_on and s.paused_at is null
    returning s.id, s.account_id
$$;
comment on function app.take_due_reports(uuid, date) is 'The schedules whose day has come, which then wait for their next one; for the worker, in the transaction that queues their mails';

create function app.note_report_sent(org uuid, schedule uuid, sent boolean, failure jsonb) returns void
  language sql security definer set search_path = pg_catalog, pg_temp as $$
  update app.report_schedules s set last_sent_at = case when sent then now() else s.last_sent_at end,
      failure = case when sent then s.failure else note_report_sent.failure end
    where s.org_id = org and s.id = schedule
$$;
comment on function app.note_report_sent(uuid, uuid, boolean, jsonb) is 'What became of the last time a report was mailed: that a mail was written, or whom it did not reach. Its owner may have lost every right since; for the worker';

create function app.purge_report_runs(org uuid) returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
  delete from app.report_runs r where r.org_id = org and r.expires_at < now()
$$;
comment on function app.purge_report_runs(uuid) is 'Forgets answers of long runs after seven days; for the worker';

-- Who acts for a child has no reports of their own at hand.
select app_private.accounts_own(('app.' || t)::regclass) from unnest(array['reports', 'report_places', 'report_thumbnails', 'report_schedules', 'report_recipients', 'report_runs']) t;

revoke execute on function app.report_next(text, date) from public;
grant execute on function app.report_next(text, date) to app_access, app_definer;
select app_private.own_definers();
grant execute on function app.take_due_reports(uuid, date), app.note_report_sent(uuid, uuid, boolean, jsonb), app.purge_report_runs(uuid) to app_worker;
