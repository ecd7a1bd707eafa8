-- Invitations are good for a fortnight, are sent again or revoked, and open to whoever has the link of the mail, whatever address they sign in with.

alter table app.accounts add column invited_until timestamptz;
comment on column app.accounts.invited_until is 'Until when an invitation can be accepted; null for those of an operator, which do not expire';
grant insert (invited_until), update (invited_until) on app.accounts to app_access;
grant update (person_id), delete on app.accounts to app_definer;
drop trigger accounts_touch on app.accounts;
create trigger accounts_touch before update on app.accounts for each row
  when ((old.status, old.person_id, old.email, old.name, old.locale, old.preferences, old.invited_until)
    is distinct from (new.status, new.person_id, new.email, new.name, new.locale, new.preferences, new.invited_until))
  execute function app.touch();
alter policy accounts_remove on app.accounts
  using (org_id = (select app.org_id()) and (status = 'pending_link' or (status = 'invited' and subject is null)) and (select app.everywhere('account.manage')));

create or replace function app.update_account_login(statement text)
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
      and (a.invited_until is null or a.invited_until > now())
      and lower(a.email collate "C") = lower(mail collate "C")
      and (select count(*) from app.accounts b where b.org_id = org and b.subject is null and b.status = 'invited' and (b.invited_until is null or b.invited_until > now())
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

create function app.accept_invitation(statement text, secret_hash text) returns text
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  said jsonb := app_private.token_statement(statement, 'request');
  org uuid := app.token_organisation(said ->> 'idpOrg');
  mine app.accounts;
  invited uuid;
begin
  if org is null then return 'elsewhere'; end if;
  select * into mine from app.accounts a where a.org_id = org and a.issuer = said ->> 'issuer' and a.subject = said ->> 'subject' for update;
  if mine.status in ('active', 'suspended') then return mine.status; end if;
  update app.signed_links l set uses = l.uses + 1, used_at = now()
    where l.org_id = org and l.secret_hash = accept_invitation.secret_hash and l.purpose = 'invitations' and l.subject_type = 'account'
      and l.expires_at > statement_timestamp() and l.revoked_at is null and l.uses = 0
    returning l.subject_id into invited;
  if invited is null then
    -- Told only to whoever had a true link: a forged one is not there, a used or revoked one is not told from it.
    return case when exists (select from app.signed_links l where l.org_id = org and l.secret_hash = accept_invitation.secret_hash and l.purpose = 'invitations'
      and l.expires_at <= statement_timestamp() and l.revoked_at is null and l.uses = 0) then 'expired' else 'invalid' end;
  end if;
  -- Whoever had asked for access meanwhile is in by the invitation.
  if mine.id is not null then delete from app.accounts a where a.org_id = org and a.id = mine.id and a.status = 'pending_link'; end if;
  update app.accounts a set issuer = said ->> 'issuer', subject = said ->> 'subject', status = 'active', last_login_at = now(),
      name = coalesce(nullif(said ->> 'name', ''), a.name), email = coalesce(said ->> 'email', a.email),
      email_verified = coalesce((said ->> 'emailVerified')::boolean, false)
    where a.org_id = org and a.id = invited and a.status = 'invited' and a.subject is null;
  return case when found then 'accepted' else 'invalid' end;
end $$;
comment on function app.accept_invitation(text, text) is 'Gives the invited account to the verified token that brings the link of its mail: accepted, expired, invalid, elsewhere, or the status of the account that the token has already';

drop function app.invitation(uuid, uuid);
create function app.invitation(org uuid, account uuid) returns table (email text, name text, organisation text, locale text, until timestamptz)
  language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select a.email, a.name, o.name, o.locale, a.invited_until from app.accounts a join app.organisations o on o.org_id = a.org_id
  where a.org_id = org and a.id = account and a.status = 'invited' and a.subject is null and (a.invited_until is null or a.invited_until > now())
$$;
comment on function app.invitation(uuid, uuid) is 'An invitation that can be accepted, for the worker that mails it';

create or replace function app.purge_links() returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
  -- Whoever comes with an invitation a few days late is told that it has expired.
  delete from app.signed_links l where l.expires_at < now() - case l.purpose when 'invitations' then interval '30 days' else interval '0' end or l.revoked_at < now()
$$;

select app_private.own_definers();
grant execute on function app.accept_invitation(text, text) to app_access;
grant execute on function app.invitation(uuid, uuid) to app_worker;
