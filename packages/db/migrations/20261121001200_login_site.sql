-- What happens before there is an actor: which account a verified token belongs to, the first sign-in, the public pages.

create function app.token_organisation(idp_org text) returns uuid
  language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce(
    (select o.org_id from app.organisations o where o.idp_org_id = idp_org),
    -- A provider that knows no organisations serves the only one there is.
    (select (array_agg(o.org_id))[1] from app.organisations o where idp_org is null having count(*) = 1))
$$;
comment on function app.token_organisation(text) is 'Organisation that a token of this provider organisation belongs to, null when none';

create function app.find_account(token_issuer text, token_subject text, idp_org text)
  returns table (org_id uuid, account_id uuid, status text, tokens_valid_after timestamptz)
  language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select a.org_id, a.id, a.status, a.tokens_valid_after from app.accounts a
  where a.org_id = app.token_organisation(idp_org) and a.issuer = token_issuer and a.subject = token_subject
$$;
comment on function app.find_account(text, text, text) is 'The account of a verified token: issuer and subject, never the e-mail address';

create function app.update_account_login(token_issuer text, token_subject text, idp_org text, roles text[], display_name text,
    mail text, mail_verified boolean, sign_up text)
  returns table (org_id uuid, account_id uuid, status text)
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid := app.token_organisation(idp_org);
  found_account app.accounts;
begin
  if org is null then return; end if;
  select * into found_account from app.accounts a where a.org_id = org and a.issuer = token_issuer and a.subject = token_subject for update;
  if not found and mail_verified and mail is not null then
    -- A verified address opens the one invitation that was sent to it.
    select * into found_account from app.accounts a where a.org_id = org and a.subject is null and a.status = 'invited' and lower(a.email) = lower(mail)
      and (select count(*) from app.accounts b where b.org_id = org and b.subject is null and b.status = 'invited' and lower(b.email) = lower(mail)) = 1 for update;
    if found then
      update app.accounts a set issuer = token_issuer, subject = token_subject where a.org_id = org and a.id = found_account.id;
    end if;
  end if;
  if found_account.id is null then
    insert into app.accounts as a (org_id, issuer, subject, email, email_verified, name, status, idp_roles)
      values (org, token_issuer, token_subject, mail, coalesce(mail_verified, false), coalesce(display_name, ''),
        case when sign_up = 'open' then 'active' else 'pending_link' end, roles)
      on conflict on constraint accounts_org_id_issuer_subject_key do nothing;
    select * into found_account from app.accounts a where a.org_id = org and a.issuer = token_issuer and a.subject = token_subject for update;
  end if;
  if found_account.status <> 'suspended' then
    update app.accounts a set last_login_at = now(), status = case when a.status = 'invited' then 'active' else a.status end,
        idp_roles = roles, name = coalesce(nullif(display_name, ''), a.name),
        email = coalesce(mail, a.email), email_verified = coalesce(mail_verified, a.email_verified)
      where a.org_id = org and a.id = found_account.id
      returning * into found_account;
  end if;
  return query select found_account.org_id, found_account.id, found_account.status;
end $$;
comment on function app.update_account_login(text, text, text, text[], text, text, boolean, text) is
  'Keeps the last sign-in and status of the token''s account, binding an invitation or making an account on the first one; a suspended account stays untouched';

create function app.accounts_by_email(mail text) returns table (org_id uuid, account_id uuid)
  language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select a.org_id, a.id from app.accounts a where lower(a.email) = lower(mail) and a.status = 'active' order by a.last_login_at desc nulls last limit 3
$$;
comment on function app.accounts_by_email(text) is 'Active accounts with this address, for operators'' commands that act as one of them; never for requests';

create function app.public_organisation(idp_org text) returns table (org_id uuid, name text, locale text, contact_email text)
  language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select o.org_id, o.name, o.locale, o.contact_email from app.organisations o where o.org_id = app.token_organisation(idp_org)
$$;
comment on function app.public_organisation(text) is 'What everybody may know of the organisation that this installation shows on its public pages';

create function app.count_contact(org uuid, from_where text) returns boolean
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  counted int;
  key text;
begin
  -- What one place sends too much does not count for all, or one could silence everybody.
  foreach key in array array[from_where, '*'] loop
    insert into app.contact_attempts as a (org_id, source) values (org, key)
      on conflict (org_id, source) do update set
        attempts = case when a.since < now() - interval '1 hour' then 1 else a.attempts + 1 end,
        since = case when a.since < now() - interval '1 hour' then now() else a.since end
      returning attempts into counted;
    if counted > (case key when '*' then 200 else 10 end) then return false; end if;
  end loop;
  return true;
end $$;
comment on function app.count_contact(uuid, text) is 'Whether the contact page may be used once more: 10 times an hour from one place, 200 times in all';

create function app.submit_contact(org uuid, reference text, sender text, mail text, about text, body text) returns uuid
  language sql security definer set search_path = pg_catalog, pg_temp as $$
  insert into app.contact_messages (org_id, reference, name, email, topic, message) values (org, reference, sender, mail, about, body)
  returning id
$$;
comment on function app.submit_contact(uuid, text, text, text, text, text) is 'Stores a message of the public contact page; the caller need not be signed in';

create function app.contact_recipients(org uuid) returns setof text language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select distinct mail from (
    select a.email as mail from app.accounts a
      join app.roles r on r.org_id = a.org_id and r.key = any (a.idp_roles)
      join app.role_permissions p on p.org_id = r.org_id and p.role_id = r.id and p.permission = 'organisation.manage'
      where a.org_id = org and a.status = 'active'
    union
    select a.email from app.accounts a join app.grants g on g.org_id = a.org_id and g.account_id = a.id and g.scope_kind = 'org'
      join app.role_permissions p on p.org_id = g.org_id and p.role_id = g.role_id and p.permission = 'organisation.manage'
      where a.org_id = org and a.status = 'active' and g.starts_on <= current_date and (g.ends_on is null or g.ends_on >= current_date)
    union select o.contact_email from app.organisations o where o.org_id = org
  ) x where mail is not null
$$;
comment on function app.contact_recipients(uuid) is 'Addresses of the organisation''s administrators, for notices of the contact page; for the worker only, which writes them';

create function app.contact_recipient_keys(org uuid) returns setof text language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select left(encode(sha256(convert_to(r, 'UTF8')), 'hex'), 16) from app.contact_recipients(org) r
$$;
comment on function app.contact_recipient_keys(uuid) is 'One name per recipient that says nothing of the address: what a public request may know of them';

create function app.invitation(org uuid, account uuid) returns table (email text, name text, organisation text, locale text)
  language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select a.email, a.name, o.name, o.locale from app.accounts a join app.organisations o on o.org_id = a.org_id
  where a.org_id = org and a.id = account and a.status = 'invited' and a.subject is null
$$;
comment on function app.invitation(uuid, uuid) is 'An invitation that nobody took up yet, for the worker that mails it';

create function app.contact_message(org uuid, message_id uuid) returns table (reference text, name text, email text, topic text, message text)
  language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select m.reference, m.name, m.email, m.topic, m.message from app.contact_messages m where m.org_id = org and m.id = message_id
$$;
comment on function app.contact_message(uuid, uuid) is 'A message of the contact page, for the worker that mails the notice';

create function app.expired_files() returns setof text language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select x.file_key from app.exports x where x.expires_at < now() and x.file_key is not null
  union all
  select 'imports/' || i.id || '/' || f from app.imports i cross join unnest(array['source', 'rows.csv', 'errors.csv']) f
    where i.created_at < now() - interval '30 days' and i.file_key <> '' and i.status not in ('checking', 'running', 'undoing')
$$;
comment on function app.expired_files() is 'Files of exports whose time is over and of imports older than 30 days, for the worker to remove';

create function app.purge_expired() returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
  delete from app.idempotency_keys k where k.created_at < now() - interval '7 days';
  delete from app.contact_attempts a where a.since < now() - interval '1 day';
  update app.imports i set file_key = ''
    where i.created_at < now() - interval '30 days' and i.file_key <> '' and i.status not in ('checking', 'running', 'undoing');
  update app.exports x set file_key = null where x.expires_at < now() and x.file_key is not null
$$;
comment on function app.purge_expired() is 'Forgets what is kept for some days only; for the worker, once it has removed the files';

create function app.found_organisation(slug text, name text, idp_org text, owner_email text) returns uuid
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid;
  r record;
  role uuid;
begin
  insert into app.organisations (slug, name, idp_org_id) values (slug, name, idp_org) returning organisations.org_id into org;
  for r in select * from app_private.standard_roles() loop
    insert into app.roles (org_id, key, name, description) values (org, r.key, r.name, r.description) returning id into role;
    insert into app.role_permissions (org_id, role_id, permission) select org, role, p from unnest(r.permissions) p;
  end loop;
  if owner_email is not null then
    insert into app.accounts (org_id, email, status) values (org, owner_email, 'invited') returning id into role;
    insert into app.grants (org_id, account_id, role_id, scope_kind, reason)
      select org, role, ro.id, 'org', 'founder' from app.roles ro where ro.org_id = org and ro.key = 'org-owner';
  end if;
  return org;
end $$;
comment on function app.found_organisation(text, text, text, text) is 'A new organisation with the standard roles and, if given, an invitation for its owner; for operators only';

create function app_private.standard_roles() returns table (key text, name text, description text, permissions text[])
  language sql immutable set search_path = pg_catalog, pg_temp as $$
  values
    ('org-owner', 'Owner', 'Everything in the organisation', array['people.directory', 'people.contact', 'people.sensitive', 'people.write', 'people.import', 'people.export',
      'chapters.edit', 'chapters.manage', 'positions.appoint', 'groups.read', 'groups.manage', 'views.share', 'account.manage', 'organisation.manage', 'audit.read']),
    ('org-admin', 'Administrator', 'Runs the organisation: people, chapters, groups, accounts and settings', array['people.directory', 'people.contact', 'people.sensitive', 'people.write', 'people.import', 'people.export',
      'chapters.edit', 'chapters.manage', 'positions.appoint', 'groups.read', 'groups.manage', 'views.share', 'account.manage', 'organisation.manage', 'audit.read']),
    ('chapter-admin', 'Chapter officer', 'Runs a chapter and everything below it', array['people.directory', 'people.contact', 'people.write', 'people.import', 'people.export',
      'chapters.edit', 'positions.appoint', 'groups.read', 'groups.manage']),
    ('safeguarding', 'Safeguarding', 'Sees minors and sensitive fields where it is given', array['people.directory', 'people.sensitive']),
    ('group-leader', 'Group leader', 'Runs one group', array['people.contact', 'groups.read', 'groups.manage']),
    ('event-manager', 'Event manager', 'Runs events', array['people.directory', 'groups.read']),
    ('finance', 'Finance', 'Sees whom payments belong to', array['people.directory', 'people.contact', 'groups.read']),
    ('communications', 'Communications', 'Writes to members', array['people.directory', 'people.contact', 'groups.read', 'views.share']),
    ('member', 'Member', 'What every member may do', array['people.directory', 'groups.read'])
$$;
comment on function app_private.standard_roles() is 'The roles that every organisation starts with';

do $$
declare f text;
begin
  foreach f in array array['app.token_organisation(text)', 'app.find_account(text, text, text)', 'app.public_organisation(text)',
      'app.update_account_login(text, text, text, text[], text, text, boolean, text)', 'app.submit_contact(uuid, text, text, text, text, text)', 'app.count_contact(uuid, text)', 'app.contact_recipient_keys(uuid)'] loop
    execute format('revoke execute on function %s from public', f);
    execute format('grant execute on function %s to app_access, app_definer', f);
  end loop;
end $$;
revoke execute on function app.found_organisation(text, text, text, text), app_private.standard_roles() from public;
revoke execute on function app.contact_message(uuid, uuid), app.invitation(uuid, uuid), app.accounts_by_email(text), app.expired_files(), app.purge_expired(), app.contact_recipients(uuid) from public;
grant execute on function app.contact_message(uuid, uuid), app.invitation(uuid, uuid), app.accounts_by_email(text), app.expired_files(), app.purge_expired(), app.contact_recipients(uuid) to app_worker;
grant execute on function app.contact_recipients(uuid) to app_definer;
grant execute on function app_private.standard_roles() to app_definer;
grant select on app.contact_messages to app_definer;
grant select, insert, update, delete on app.contact_attempts to app_definer;
grant select, delete on app.idempotency_keys to app_definer;
grant select, update (file_key) on app.exports, app.imports to app_definer;
grant insert on app.organisations, app.roles, app.role_permissions, app.accounts, app.grants, app.contact_messages to app_definer;
grant update (issuer, subject, last_login_at, status, idp_roles, name, email, email_verified, tokens_valid_after) on app.accounts to app_definer;

-- Definer functions belong to the narrow role, not to the owner of the tables.
grant create on schema app, app_private to app_definer;
do $$
declare f record;
begin
  for f in select p.oid::regprocedure as signature from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname in ('app', 'app_private') and p.prosecdef loop
    execute format('revoke execute on function %s from public', f.signature);
    execute format('alter function %s owner to app_definer', f.signature);
  end loop;
end $$;
revoke create on schema app, app_private from app_definer;
