-- The ground everything stands on: the signed actor, ids, text folding.
-- Roles app_owner, app_definer, app_access, app_api and app_worker exist before the first migration (src/migrate.ts makes them).

comment on schema app is 'Everything of the organisation; each table carries org_id and forced row-level security';
comment on schema app_private is 'Keys and derivation functions that no login role can reach';
grant usage on schema app to app_access, app_definer;
grant usage on schema app_private to app_definer;
alter default privileges revoke execute on functions from public;
alter default privileges in schema app revoke execute on functions from public;

create table app_private.actor_keys (
  id int primary key generated always as identity,
  inner_pad bytea not null,
  outer_pad bytea not null,
  created_at timestamptz not null default now()
);
comment on table app_private.actor_keys is 'HMAC-SHA256 keys that sign an actor, kept as the two padded blocks so that a check costs two digests. The newest two are accepted, so that keys can be rotated under load';
grant select on app_private.actor_keys to app_definer;

create type app.actor_context as (org_id uuid, account_id uuid, idp_roles text[]);
comment on type app.actor_context is 'Who is asking: organisation, account and the organisation-wide roles that the identity provider vouched for';

do $$
begin
  if exists (select from pg_proc where proname = 'uuidv7' and pronamespace = 'pg_catalog'::regnamespace) then
    create function app.uuid7() returns uuid language sql volatile parallel safe as 'select uuidv7()';
  else
    create function app.uuid7() returns uuid language sql volatile parallel safe as $f$
      -- RFC 9562: 48 bits of milliseconds, version 7, variant 10, the rest random (from a version 4 id).
      select encode(
        set_bit(set_bit(
          overlay(uuid_send(gen_random_uuid()) placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6),
          52, 1), 53, 1), 'hex')::uuid
    $f$;
  end if;
end $$;
comment on function app.uuid7() is 'A new time-ordered id (version 7)';
grant execute on function app.uuid7() to app_access, app_definer;

create function app.fold(value text) returns text
  language sql immutable parallel safe strict set search_path = pg_catalog, extensions, pg_temp
as $$
  -- Most names are plain letters, which have nothing to be taken apart.
  select lower(case when octet_length(value) = char_length(value) then value
    else extensions.unaccent('extensions.unaccent'::regdictionary, regexp_replace(normalize(value, NFKD), '[\u0300-\u036f]', '', 'g')) end)
$$;
comment on function app.fold(text) is 'Lower case without accents, equal for composed and decomposed input: what search and duplicate checks compare';
grant execute on function app.fold(text) to app_access, app_definer;

-- Without settings of its own, so that it becomes part of the query that asks: every statement checks a signature several times.
create function app_private.sign_actor(payload text, key app_private.actor_keys) returns text language sql immutable
as $$ select pg_catalog.encode(pg_catalog.sha256(key.outer_pad || pg_catalog.sha256(key.inner_pad || pg_catalog.convert_to(payload, 'UTF8'))), 'hex') $$;
revoke execute on function app_private.sign_actor(text, app_private.actor_keys) from public;
grant execute on function app_private.sign_actor(text, app_private.actor_keys) to app_definer;

-- Bumps the version that If-Match compares, and the time of the last change.
create function app.touch() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  new.version := old.version + 1;
  new.updated_at := now();
  return new;
end $$;
