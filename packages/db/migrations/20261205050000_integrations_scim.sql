-- Accounts from an identity provider (SCIM 2.0): the token that it comes with, and how it calls our roles. It acts as the account that owns the connection.

create table app.scim_tokens (
  org_id uuid not null,
  connection_id uuid not null,
  secret_hash text collate "C" not null check (char_length(secret_hash) = 64),
  hint text not null check (char_length(hint) = 4),
  made_by uuid,
  made_at timestamptz not null default now(),
  used_at timestamptz,
  primary key (org_id, connection_id),
  foreign key (org_id, connection_id) references app.connections on delete cascade,
  foreign key (org_id, made_by) references app.accounts (org_id, id) on delete set null (made_by)
);
comment on table app.scim_tokens is 'The token by which an identity provider is known; only its hash is kept';
comment on column app.scim_tokens.hint is 'Its last four characters, to tell it by';
comment on column app.scim_tokens.used_at is 'To the minute';
create index scim_tokens_by_secret on app.scim_tokens (secret_hash);
create index scim_tokens_by_maker on app.scim_tokens (org_id, made_by);
select app_private.protect('app.scim_tokens');
select app_private.keep_audit('app.scim_tokens', 'integrations.manage', 'connection_id');
select app_private.hide_in_audit('app.scim_tokens', 'secret_hash', 'used_at');
-- Who has the token gives rights: it takes the right to give them.
create policy scim_tokens_read on app.scim_tokens for select to app_access using (org_id = (select app.org_id()) and connection_id = any ((select app.managed_connections())::uuid[]));
create policy scim_tokens_add on app.scim_tokens for insert to app_access with check (org_id = (select app.org_id()) and connection_id = any ((select app.managed_connections())::uuid[])
  and (select app.everywhere('account.manage')) and made_by = (select app.account_id()));
create policy scim_tokens_change on app.scim_tokens for update to app_access using (org_id = (select app.org_id()) and connection_id = any ((select app.managed_connections())::uuid[]))
  with check (org_id = (select app.org_id()) and connection_id = any ((select app.managed_connections())::uuid[]) and (select app.everywhere('account.manage')) and made_by = (select app.account_id()));
grant select (org_id, connection_id, hint, made_by, made_at, used_at), insert (org_id, connection_id, secret_hash, hint, made_by), update (secret_hash, hint, made_by, made_at, used_at) on app.scim_tokens to app_access;
grant select, update (used_at), delete on app.scim_tokens to app_definer;

create table app.scim_groups (
  org_id uuid not null,
  connection_id uuid not null,
  role_id uuid not null,
  external_id text not null check (char_length(external_id) between 1 and 200),
  primary key (org_id, connection_id, role_id),
  foreign key (org_id, connection_id) references app.connections on delete cascade,
  foreign key (org_id, role_id) references app.roles (org_id, id) on delete cascade
);
comment on table app.scim_groups is 'How an identity provider calls our roles. Not in the audit log: it gives nothing to anybody';
create index scim_groups_by_role on app.scim_groups (org_id, role_id);
select app_private.protect('app.scim_groups');
create policy scim_groups_read on app.scim_groups for select to app_access using (org_id = (select app.org_id()) and connection_id = any ((select app.managed_connections())::uuid[]));
create policy scim_groups_add on app.scim_groups for insert to app_access with check (org_id = (select app.org_id()) and connection_id = any ((select app.managed_connections())::uuid[]));
create policy scim_groups_change on app.scim_groups for update to app_access using (org_id = (select app.org_id()) and connection_id = any ((select app.managed_connections())::uuid[]))
  with check (org_id = (select app.org_id()) and connection_id = any ((select app.managed_connections())::uuid[]));
create policy scim_groups_remove on app.scim_groups for delete to app_access using (org_id = (select app.org_id()) and connection_id = any ((select app.managed_connections())::uuid[]));
grant select, delete, insert (org_id, connection_id, role_id, external_id), update (external_id) on app.scim_groups to app_access;

-- Providers look for what they know: a name of theirs, or an address.
create index accounts_by_email on app.accounts (org_id, lower(email)) where email is not null;
create index external_refs_by_provider on app.external_refs (org_id, connection_id, (agreed ->> 'externalId')) where account_id is not null;

create function app.open_scim(idp_org text, secret_hash text) returns jsonb language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select jsonb_build_object('orgId', t.org_id, 'connectionId', t.connection_id, 'state', c.state, 'settings', c.settings,
    'accountId', case when a.status = 'active' then a.id end, 'idpRoles', coalesce(a.idp_roles, '{}'))
  from app.scim_tokens t
  join app.connections c on c.org_id = t.org_id and c.id = t.connection_id
  left join app.accounts a on a.org_id = c.org_id and a.id = c.owner_account_id
  where t.secret_hash = open_scim.secret_hash and c.state <> 'disconnected' and (idp_org is null or t.org_id = (select app.token_organisation(idp_org)))
$$;
comment on function app.open_scim(text, text) is 'Whose a token of an identity provider is, and as whom it acts: the owner of its connection; null where it is nobody''s, or the connection was disconnected';

create function app_private.scim_disconnected() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from app.scim_tokens t where t.org_id = new.org_id and t.connection_id = new.id;
  return null;
end $$;
comment on function app_private.scim_disconnected() is 'A connection that was disconnected has no token any more';
create trigger connections_scim after update of state on app.connections for each row when (new.connector = 'scim' and new.state = 'disconnected' and old.state <> 'disconnected')
  execute function app_private.scim_disconnected();

create function app.note_scim_use(connection uuid) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare org constant uuid := app.org_id();
begin
  if not connection = any (app.managed_connections()) then return; end if;
  update app.scim_tokens t set used_at = now() where t.org_id = org and t.connection_id = connection and (t.used_at is null or t.used_at < now() - interval '1 minute');
  if found then
    update app.connections c set last_run_at = now(), last_success_at = now() where c.org_id = org and c.id = connection;
  end if;
end $$;
comment on function app.note_scim_use(uuid) is 'That an identity provider was here and was answered, to the minute';

create function app.claim_account(connection uuid, account uuid, mail text, issuer text, subject text) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org constant uuid := app.org_id();
begin
  if not app.everywhere('account.manage') or not connection = any (app.managed_connections()) then
    raise exception 'accounts are kept by the organisation''s administrators' using errcode = '42501', constraint = 'accounts_administrators';
  end if;
  -- Whose account it is once somebody has signed in with it is not the provider's to say. Nor whose it is that somebody here has invited: the provider brought what
  -- is as old as its tie. And who cannot give a role does not come to one by an account that holds it.
  update app.accounts a set email = coalesce(mail, a.email), issuer = claim_account.issuer, subject = claim_account.subject,
      status = case when claim_account.subject is not null and a.status = 'invited' then 'active' else a.status end
    where a.org_id = org and a.id = account and a.kind = 'person' and a.subject is null and a.status in ('invited', 'suspended')
      and exists (select from app.external_refs r join app.connections c on c.org_id = r.org_id and c.id = r.connection_id and c.connector = 'scim'
        where r.org_id = org and r.connection_id = connection and r.account_id = account and r.state = 'tied' and r.created_at = a.created_at)
      and not exists (select from app.grants g where g.org_id = org and g.account_id = account and (g.ends_on is null or g.ends_on >= app.today())
        and not app.role_within_reach(g.role_id, g.scope_kind, coalesce(g.chapter_id, g.group_id, g.record_id)))
      and (claim_account.subject is null or not exists (select from app.accounts b where b.org_id = org and b.issuer = claim_account.issuer and b.subject = claim_account.subject));
end $$;
comment on function app.claim_account(uuid, uuid, text, text, text) is 'What an identity provider says of an account that it brought and nobody has signed in with: its address, and the name by which it will sign somebody in';

select app_private.own_definers();
grant execute on function app.open_scim(text, text), app.note_scim_use(uuid), app.claim_account(uuid, uuid, text, text, text) to app_access;
