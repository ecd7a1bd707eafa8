-- Tells listening servers, in the transaction of the change itself, whose session or work to look at again. A message names rows and says nothing
-- of them: what a reader is told is read anew, with the reader's rights.

create function app.tell_job() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform pg_notify('guildhall', concat_ws(' ', 'job', new.org_id, new.account_id, new.id));
  return null;
end $$;
comment on function app.tell_job() is 'How far long work is has changed';
create trigger job_progress_tell after insert or update of status, done, total, result, error on app.job_progress
  for each row execute function app.tell_job();

create function app.tell_account() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform pg_notify('guildhall', concat_ws(' ', 'account', old.org_id, old.id));
  return null;
end $$;
comment on function app.tell_account() is 'An account was let in, locked out, signed out, linked or removed';
create trigger accounts_tell_update after update on app.accounts for each row
  when ((old.status, old.person_id, old.tokens_valid_after) is distinct from (new.status, new.person_id, new.tokens_valid_after))
  execute function app.tell_account();
create trigger accounts_tell_delete after delete on app.accounts for each row execute function app.tell_account();

-- Equal messages of one transaction are sent once, so that an import of many rows says little.
create function app.tell_rights() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  case tg_argv[0]
    when 'account' then
      perform pg_notify('guildhall', concat_ws(' ', 'account', c.org_id, c.account_id)) from (select distinct r.org_id, r.account_id from changed r) c;
    when 'person' then
      perform pg_notify('guildhall', concat_ws(' ', 'account', a.org_id, a.id))
        from (select distinct r.org_id, r.person_id from changed r) c join app.accounts a on a.org_id = c.org_id and a.person_id = c.person_id;
    when 'organisation' then
      perform pg_notify('guildhall', concat_ws(' ', 'organisation', c.org_id)) from (select distinct r.org_id from changed r) c;
  end case;
  return null;
end $$;
comment on function app.tell_rights() is 'Something changed from which rights follow: of an account, of the account of a person, or of everybody in an organisation';

do $$
declare
  t record;
begin
  for t in select * from (values
    ('grants', 'account'), ('position_holders', 'person'), ('group_members', 'person'), ('affiliations', 'person'),
    ('role_permissions', 'organisation'), ('positions', 'organisation')
  ) as v (name, whose) loop
    execute format('create trigger %1$s_tell_insert after insert on app.%1$s referencing new table as changed for each statement execute function app.tell_rights(%2$L)', t.name, t.whose);
    execute format('create trigger %1$s_tell_delete after delete on app.%1$s referencing old table as changed for each statement execute function app.tell_rights(%2$L)', t.name, t.whose);
    execute format('create trigger %1$s_tell_update after update on app.%1$s referencing new table as changed for each statement execute function app.tell_rights(%2$L)', t.name, t.whose);
  end loop;
end $$;
create trigger organisations_tell_update after update on app.organisations referencing new table as changed
  for each statement execute function app.tell_rights('organisation');

grant create on schema app to app_definer;
alter function app.tell_job() owner to app_definer;
alter function app.tell_account() owner to app_definer;
alter function app.tell_rights() owner to app_definer;
revoke create on schema app from app_definer;
revoke execute on function app.tell_job(), app.tell_account(), app.tell_rights() from public;
