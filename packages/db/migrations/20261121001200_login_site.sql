-- What happens before there is an actor: which account a verified token belongs to, the first sign-in, the public pages.

create function app.token_organisation(idp_org text) returns uuid
  language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce(
    (select o.org_id from app.organisations o where o.idp_org_id = idp_org),
    -- A provider that knows no organisations serves the only one there is.
    (select (array_agg(o.org_id))[1] from app.organisations o where idp_org is null having count(*) = 1))
$$;
comment on function app.token_organisation(text) is 'Organisation that a token of this provider organisation belongs to, null when none';

create function app_private.token_statement(statement text, wanted text) returns jsonb
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  payload text := substr(statement, 65);
  said jsonb;
begin
  if not exists (
    select from (select k from app_private.actor_keys k order by k.id desc limit 2) recent
    where app_private.sign_actor(payload, recent.k) = left(statement, 64)
  ) then
    raise exception 'the token is not vouched for by this service' using errcode = '28000';
  end if;
  said := payload::jsonb;
  if said ->> 'use' is distinct from wanted then
    raise exception 'the token is not vouched for by this service' using errcode = '28000';
  end if;
  if (said ->> 'expiry')::bigint < extract(epoch from statement_timestamp()) then
    raise exception 'the statement about the token has expired' using errcode = '28000';
  end if;
  return said;
end $$;
comment on function app_private.token_statement(text, text) is
  'What a service says of a token that it verified: the signature of one of the newest two actor keys, then JSON. Error 28000 when forged, expired or said for another use';

create function app.find_account(statement text)
  returns table (org_id uuid, account_id uuid, status text, tokens_valid_after timestamptz)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  said jsonb := app_private.token_statement(statement, 'find');
begin
  return query select a.org_id, a.id, a.status, a.tokens_valid_after from app.accounts a
    where a.org_id = app.token_organisation(said ->> 'idpOrg') and a.issuer = said ->> 'issuer' and a.subject = said ->> 'subject';
end $$;
comment on function app.find_account(text) is 'The account of a verified token, which a signed statement names by issuer and subject, never by the e-mail address';

create function app.update_account_login(statement text)
  returns table (org_id uuid, account_id uuid, status text)
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  said jsonb := app_private.token_statement(statement, 'login');
  org uuid := app.token_organisation(said ->> 'idpOrg');
  mail text := said ->> 'email';
  mail_verified boolean := (said ->> 'emailVerified')::boolean;
  provider_roles text[] := (select coalesce(array_agg(r), '{}') from jsonb_array_elements_text(said -> 'roles') r);
  found_account app.accounts;
begin
  if org is null then return; end if;
  select * into found_account from app.accounts a
    where a.org_id = org and a.issuer = said ->> 'issuer' and a.subject = said ->> 'subject' for update;
  if not found and mail_verified and mail is not null then
    -- A verified address opens the one invitation that was sent to it. Only ASCII letters are taken for each other whatever their case: other
    -- alphabets have letters that only look alike.
    select * into found_account from app.accounts a where a.org_id = org and a.subject is null and a.status = 'invited'
      and lower(a.email collate "C") = lower(mail collate "C")
      and (select count(*) from app.accounts b where b.org_id = org and b.subject is null and b.status = 'invited'
        and lower(b.email collate "C") = lower(mail collate "C")) = 1 for update;
    if found then
      update app.accounts a set issuer = said ->> 'issuer', subject = said ->> 'subject' where a.org_id = org and a.id = found_account.id;
    end if;
  end if;
  if found_account.id is null and said ->> 'signUp' = 'open' then
    insert into app.accounts as a (org_id, issuer, subject, email, email_verified, name, status, idp_roles)
      values (org, said ->> 'issuer', said ->> 'subject', mail, coalesce(mail_verified, false), coalesce(said ->> 'name', ''), 'active', provider_roles)
      on conflict on constraint accounts_org_id_issuer_subject_key do nothing
      returning * into found_account;
    -- Whoever comes may be let in, but not to keep the accounts.
    insert into app.grants (org_id, account_id, role_id, scope_kind, reason)
      select org, found_account.id, r.id, 'org', 'signed up' from app.roles r
      where r.org_id = org and r.key = said ->> 'signUpRole' and found_account.id is not null
        and not exists (select from app.role_permissions p where p.org_id = org and p.role_id = r.id and p.permission = 'account.manage');
  end if;
  if found_account.id is null then
    -- Made or bound meanwhile by another tab of the same person.
    select * into found_account from app.accounts a
      where a.org_id = org and a.issuer = said ->> 'issuer' and a.subject = said ->> 'subject' for update;
  end if;
  if found_account.id is null then
    return query select org, null::uuid, 'unknown';
    return;
  end if;
  if found_account.status <> 'suspended' then
    update app.accounts a set last_login_at = now(), status = case when a.status = 'invited' then 'active' else a.status end,
        idp_roles = provider_roles, name = coalesce(nullif(said ->> 'name', ''), a.name),
        email = coalesce(mail, a.email), email_verified = coalesce(mail_verified, a.email_verified)
      where a.org_id = org and a.id = found_account.id
      returning * into found_account;
  end if;
  return query select found_account.org_id, found_account.id, found_account.status;
end $$;
comment on function app.update_account_login(text) is
  'Keeps the last sign-in and status of the account of a verified token, binding an invitation or, where sign-up is open, making an account; a suspended account stays untouched. Status unknown: there is none';

create function app.request_access(statement text, message text) returns table (org_id uuid, account_id uuid, status text, asked boolean)
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  said jsonb := app_private.token_statement(statement, 'request');
  org uuid := app.token_organisation(said ->> 'idpOrg');
begin
  if org is null then return; end if;
  return query
    insert into app.accounts as a (org_id, issuer, subject, email, email_verified, name, status, access_message)
      values (org, said ->> 'issuer', said ->> 'subject', said ->> 'email', coalesce((said ->> 'emailVerified')::boolean, false),
        coalesce(said ->> 'name', ''), 'pending_link', nullif(message, ''))
      on conflict on constraint accounts_org_id_issuer_subject_key do nothing
      returning a.org_id, a.id, a.status, true;
  if found then return; end if;
  return query select a.org_id, a.id, a.status, false from app.accounts a
    where a.org_id = org and a.issuer = said ->> 'issuer' and a.subject = said ->> 'subject';
end $$;
comment on function app.request_access(text, text) is 'An account that waits for an administrator, for a verified token that has none; asking again changes nothing';

create function app.access_request(org uuid, account uuid) returns table (name text, email text, email_verified boolean, message text, organisation text)
  language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select a.name, a.email, a.email_verified, coalesce(a.access_message, ''), o.name from app.accounts a join app.organisations o on o.org_id = a.org_id
  where a.org_id = org and a.id = account and a.status = 'pending_link'
$$;
comment on function app.access_request(uuid, uuid) is 'A request for access that nobody decided yet, for the worker that mails the notice';

create table app_private.logout_tokens (
  issuer text not null,
  token_id text not null,
  seen_at timestamptz not null default now(),
  primary key (issuer, token_id)
);
comment on table app_private.logout_tokens is 'Logout tokens that were obeyed, so that none is obeyed twice; kept for an hour, after which their age refuses them';
grant select, insert, delete on app_private.logout_tokens to app_definer;

create function app.end_sessions(statement text) returns boolean
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  said jsonb := app_private.token_statement(statement, 'logout');
begin
  insert into app_private.logout_tokens (issuer, token_id) values (said ->> 'issuer', said ->> 'tokenId') on conflict do nothing;
  if not found then return false; end if;
  update app.accounts a set tokens_valid_after = greatest(a.tokens_valid_after, to_timestamp((said ->> 'issuedAt')::bigint))
    where a.issuer = said ->> 'issuer' and a.subject = said ->> 'subject';
  return true;
end $$;
comment on function app.end_sessions(text) is 'Refuses every earlier access token of a subject that the provider signed out; false when this logout token was obeyed before';

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

create function app.count_attempt(org uuid, what text, from_where text) returns boolean
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  counted int;
  key text;
begin
  -- What one place sends too much does not count for all, or one could silence everybody.
  foreach key in array array[from_where, '*'] loop
    insert into app.contact_attempts as a (org_id, source) values (org, what || ' ' || key)
      on conflict (org_id, source) do update set
        attempts = case when a.since < now() - interval '1 hour' then 1 else a.attempts + 1 end,
        since = case when a.since < now() - interval '1 hour' then now() else a.since end
      returning attempts into counted;
    if counted > (case key when '*' then 200 else 10 end) then return false; end if;
  end loop;
  return true;
end $$;
comment on function app.count_attempt(uuid, text, text) is 'Whether something that anybody may do, such as writing to the administrators, may be done once more: 10 times an hour from one place, 200 times in all';

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
  delete from app_private.logout_tokens t where t.seen_at < now() - interval '1 hour';
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
  foreach f in array array['app.token_organisation(text)', 'app.find_account(text)', 'app.public_organisation(text)',
      'app.update_account_login(text)', 'app.request_access(text, text)', 'app.end_sessions(text)', 'app.submit_contact(uuid, text, text, text, text, text)', 'app.count_attempt(uuid, text, text)', 'app.contact_recipient_keys(uuid)'] loop
    execute format('revoke execute on function %s from public', f);
    execute format('grant execute on function %s to app_access, app_definer', f);
  end loop;
end $$;
revoke execute on function app.found_organisation(text, text, text, text), app_private.standard_roles() from public;
revoke execute on function app.contact_message(uuid, uuid), app.invitation(uuid, uuid), app.access_request(uuid, uuid), app.accounts_by_email(text), app.expired_files(), app.purge_expired(), app.contact_recipients(uuid) from public;
grant execute on function app.contact_message(uuid, uuid), app.invitation(uuid, uuid), app.access_request(uuid, uuid), app.accounts_by_email(text), app.expired_files(), app.purge_expired(), app.contact_recipients(uuid) to app_worker;
grant execute on function app.contact_recipients(uuid) to app_definer;
revoke execute on function app_private.token_statement(text, text) from public;
grant execute on function app_private.standard_roles(), app_private.token_statement(text, text) to app_definer;
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
