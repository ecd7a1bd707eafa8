-- What the session recorder sends where an operator has switched it on: parts of recordings, for administrators, for two weeks.

create table app.recording_parts (
  org_id uuid not null references app.organisations on delete cascade,
  recording_id uuid not null,
  part int not null check (part between 0 and 199),
  account_id uuid not null,
  events text not null check (octet_length(events) <= 262144),
  created_at timestamptz not null default now(),
  primary key (org_id, recording_id, part),
  foreign key (org_id, account_id) references app.accounts on delete cascade
);
comment on table app.recording_parts is 'What somebody did on the pages, without texts and inputs, in parts as the recorder sent them; kept 14 days';
comment on column app.recording_parts.events is 'JSON list of rrweb events';
create index recording_parts_by_account on app.recording_parts (org_id, account_id, created_at);
create index recording_parts_by_age on app.recording_parts (created_at);

alter table app.recording_parts enable row level security;
alter table app.recording_parts force row level security;
create policy recording_parts_definer on app.recording_parts to app_definer using (org_id is not null) with check (org_id is not null);
create policy recording_parts_read on app.recording_parts for select to app_access
  using (org_id = (select app.org_id()) and (select app.everywhere('organisation.manage')));
create policy recording_parts_remove on app.recording_parts for delete to app_access
  using (org_id = (select app.org_id()) and (select app.everywhere('organisation.manage')));
grant select, delete on app.recording_parts to app_access;

create function app.keep_recording_part(recording uuid, number int, body text) returns boolean
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid := app.org_id();
  account uuid := app.account_id();
begin
  if org is null or account is null then return false; end if;
  -- A day of one account and two weeks of an organisation have an end, or recordings could fill the disk.
  if (select count(*) from (select from app.recording_parts p where p.org_id = org and p.account_id = account and p.created_at > now() - interval '1 day' limit 400) x) = 400
    or (select count(*) from (select from app.recording_parts p where p.org_id = org limit 20000) x) = 20000
    or exists (select from app.recording_parts p where p.org_id = org and p.recording_id = recording and p.account_id <> account)
  then return false; end if;
  insert into app.recording_parts (org_id, recording_id, part, account_id, events) values (org, recording, number, account, body) on conflict do nothing;
  return true;
end $$;
comment on function app.keep_recording_part(uuid, int, text) is
  'Keeps a part of the actor''s recording; false when it is somebody else''s or there are too many: 400 a day of one account, 20,000 in all';

create function app.purge_recordings() returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
  delete from app.recording_parts p where p.created_at < now() - interval '14 days'
$$;
comment on function app.purge_recordings() is 'Forgets recordings older than 14 days; for the worker';

grant select, insert, delete on app.recording_parts to app_definer;
revoke execute on function app.keep_recording_part(uuid, int, text), app.purge_recordings() from public;
grant execute on function app.keep_recording_part(uuid, int, text) to app_access;
grant execute on function app.purge_recordings() to app_worker;
grant create on schema app to app_definer;
alter function app.keep_recording_part(uuid, int, text) owner to app_definer;
alter function app.purge_recordings() owner to app_definer;
revoke create on schema app from app_definer;
