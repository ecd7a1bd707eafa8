-- Links that open something to whoever has them: an invitation, a member card, mail preferences. The secret is in the link alone; here is its hash.

create table app.signed_links (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  purpose text not null check (purpose ~ '^[a-z][a-z-]{1,39}$'),
  subject_type text not null check (subject_type ~ '^[a-z][a-z_]{1,39}$'),
  subject_id uuid not null,
  secret_hash text not null check (secret_hash ~ '^[0-9a-f]{64}$'),
  single_use boolean not null,
  uses int not null default 0,
  used_at timestamptz,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, secret_hash),
  foreign key (org_id, created_by) references app.accounts (org_id, id) on delete set null (created_by),
  constraint signed_links_lifetime check (expires_at > created_at and expires_at <= created_at + interval '400 days')
);
comment on table app.signed_links is 'Links that open something to whoever has them, by the hash of their secret; the purpose is the public page they lead to. Not in the audit log: what is done through a link is recorded where it is done';
comment on column app.signed_links.subject_type is 'Kind of record that the link is about, such as person or account';
comment on column app.signed_links.uses is 'How often the link was used; one for a single use opens no more after the first';
-- Whoever opens a link names no organisation.
create index signed_links_by_secret on app.signed_links (secret_hash);
create index signed_links_by_subject on app.signed_links (org_id, purpose, subject_id);
create index signed_links_by_creator on app.signed_links (org_id, created_by);
select app_private.protect('app.signed_links');
grant select, delete, insert, update on app.signed_links to app_definer;

create function app_private.add_link(org uuid, by uuid, purpose text, subject_type text, subject_id uuid, secret_hash text, expires_at timestamptz, single_use boolean) returns uuid
  language sql security definer set search_path = pg_catalog, pg_temp as $$
  insert into app.signed_links (org_id, created_by, purpose, subject_type, subject_id, secret_hash, expires_at, single_use)
    values (org, by, purpose, subject_type, subject_id, secret_hash, expires_at, single_use) returning id
$$;

create function app.issue_link(purpose text, subject_type text, subject_id uuid, secret_hash text, expires_at timestamptz, single_use boolean) returns uuid
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare actor app.actor_context := app.actor();
begin
  if actor.org_id is null then raise exception 'only somebody who is signed in issues a link' using errcode = '42501'; end if;
  return app_private.add_link(actor.org_id, actor.account_id, purpose, subject_type, subject_id, secret_hash, expires_at, single_use);
end $$;
comment on function app.issue_link(text, text, uuid, text, timestamptz, boolean) is 'Keeps a new link of the actor''s organisation. Whether the actor may hand out the subject is for the caller to ask before';

create function app.issue_link_for(org uuid, purpose text, subject_type text, subject_id uuid, secret_hash text, expires_at timestamptz, single_use boolean) returns uuid
  language sql security definer set search_path = pg_catalog, pg_temp as $$
  select app_private.add_link(org, null, purpose, subject_type, subject_id, secret_hash, expires_at, single_use)
$$;
comment on function app.issue_link_for(uuid, text, text, uuid, text, timestamptz, boolean) is 'The same for jobs that nobody in particular asked for, such as a mail with a link to its preferences';

-- One statement each, with every condition in it: nothing is tried in turn, so a refusal takes as long whatever its reason.
create function app.open_link(idp_org text, purpose text, secret_hash text) returns table (org_id uuid, id uuid, subject_type text, subject_id uuid, expires_at timestamptz)
  language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select l.org_id, l.id, l.subject_type, l.subject_id, l.expires_at from app.signed_links l
  where l.secret_hash = open_link.secret_hash and l.purpose = open_link.purpose
    and l.expires_at > statement_timestamp()
    and l.revoked_at is null
    and (l.uses = 0 or not l.single_use)
    and (idp_org is null or l.org_id = (select app.token_organisation(idp_org)))
    and l.org_id = coalesce((select app.org_id()), l.org_id)
$$;
comment on function app.open_link(text, text, text) is 'What a link is about, while it is valid: nothing for one that is forged, expired, revoked, used up, for another purpose, or of an organisation that is not served here or not the actor''s';

create function app.use_link(idp_org text, purpose text, secret_hash text) returns table (org_id uuid, id uuid, subject_type text, subject_id uuid, expires_at timestamptz)
  language sql security definer set search_path = pg_catalog, pg_temp as $$
  -- Of two at once the second waits for the first, and then finds a row that fits no more.
  update app.signed_links l set uses = l.uses + 1, used_at = now()
  where l.secret_hash = use_link.secret_hash and l.purpose = use_link.purpose
    and l.expires_at > statement_timestamp()
    and l.revoked_at is null
    and (l.uses = 0 or not l.single_use)
    and (idp_org is null or l.org_id = (select app.token_organisation(idp_org)))
    and l.org_id = coalesce((select app.org_id()), l.org_id)
  returning l.org_id, l.id, l.subject_type, l.subject_id, l.expires_at
$$;
comment on function app.use_link(text, text, text) is 'As open_link, and counts the use in the same statement: a link for a single use is somebody''s once';

create function app.revoke_links(purpose text, subject_type text, subject_id uuid) returns int
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare touched int;
begin
  update app.signed_links l set revoked_at = now()
  where l.org_id = (app.actor()).org_id and l.purpose = revoke_links.purpose and l.subject_type = revoke_links.subject_type and l.subject_id = revoke_links.subject_id
    and l.revoked_at is null and l.expires_at > now();
  get diagnostics touched = row_count;
  return touched;
end $$;
comment on function app.revoke_links(text, text, uuid) is 'Ends every link of a purpose about a subject, in the actor''s organisation; how many there were. Whether the actor may is for the caller to ask before';

create function app.purge_links() returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
  delete from app.signed_links l where least(l.expires_at, l.revoked_at) < now()
$$;
comment on function app.purge_links() is 'Forgets links that open nothing any more; for the worker';

select app_private.own_definers();
grant execute on function app.issue_link(text, text, uuid, text, timestamptz, boolean), app.open_link(text, text, text), app.use_link(text, text, text), app.revoke_links(text, text, uuid) to app_access;
grant execute on function app.issue_link_for(uuid, text, text, uuid, text, timestamptz, boolean), app.purge_links() to app_worker;
