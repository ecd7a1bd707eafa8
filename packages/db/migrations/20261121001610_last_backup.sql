-- When a backup was last finished, so that an alarm can be raised when that is too long ago.

create table app_private.last_backup (
  singleton boolean primary key default true check (singleton),
  finished_at timestamptz not null
);
comment on table app_private.last_backup is 'One row, written by the backup command as the administrator';
revoke all on app_private.last_backup from public;
grant select on app_private.last_backup to app_definer;

create function app.last_backup_at() returns timestamptz language sql stable security definer set search_path = pg_catalog, pg_temp
as 'select finished_at from app_private.last_backup';
comment on function app.last_backup_at() is 'When the backup command last finished; null before the first time. For the worker';
revoke execute on function app.last_backup_at() from public;
grant execute on function app.last_backup_at() to app_worker;
grant create on schema app to app_definer;
alter function app.last_backup_at() owner to app_definer;
revoke create on schema app from app_definer;
