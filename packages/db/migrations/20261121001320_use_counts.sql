-- How often something was asked for lately, counted for all processes together.

create table app.use_counts (
  org_id uuid not null references app.organisations on delete cascade,
  operation text not null check (char_length(operation) <= 60),
  who text not null check (char_length(who) <= 64),
  since timestamptz not null default now(),
  uses int not null default 1,
  primary key (org_id, operation, who)
);
comment on table app.use_counts is 'Uses of an operation within the hour that began at since, by account, or by a hash of who signs in';
alter table app.use_counts enable row level security;
alter table app.use_counts force row level security;
create policy use_counts_definer on app.use_counts to app_definer using (org_id is not null) with check (org_id is not null);
grant select, insert, update, delete on app.use_counts to app_definer;

create function app.count_use(org uuid, asked text, asker text, allowed int) returns int
  language sql security definer set search_path = pg_catalog, pg_temp as $$
  insert into app.use_counts as c (org_id, operation, who) values (org, asked, asker)
    on conflict (org_id, operation, who) do update set
      uses = case when c.since < now() - interval '1 hour' then 1 else c.uses + 1 end,
      since = case when c.since < now() - interval '1 hour' then now() else c.since end
    returning case when uses <= allowed then 0 else ceil(extract(epoch from since + interval '1 hour' - now()))::int end
$$;
comment on function app.count_use(uuid, text, text, int) is 'Counts one use; the seconds to wait when that is one too many within the hour, or 0';
grant create on schema app to app_definer;
alter function app.count_use(uuid, text, text, int) owner to app_definer;
revoke create on schema app from app_definer;
revoke execute on function app.count_use(uuid, text, text, int) from public;
grant execute on function app.count_use(uuid, text, text, int) to app_access;

create function app.count_token_use(statement text, asked text, allowed int) returns int
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  said jsonb := app_private.token_statement(statement, 'find');
  org uuid := app.token_organisation(said ->> 'idpOrg');
begin
  if org is null then return 0; end if;
  return app.count_use(org, asked, encode(sha256(convert_to(jsonb_build_array(said ->> 'issuer', said ->> 'subject')::text, 'UTF8')), 'hex'), allowed);
end $$;
comment on function app.count_token_use(text, text, int) is
  'Counts one use by the subject of a verified token, who may have no account; the seconds to wait as with count_use';
grant create on schema app to app_definer;
alter function app.count_token_use(text, text, int) owner to app_definer;
revoke create on schema app from app_definer;
revoke execute on function app.count_token_use(text, text, int) from public;
grant execute on function app.count_token_use(text, text, int) to app_access;

create function app.forget_uses() returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
  delete from app.use_counts c where c.since < now() - interval '1 day'
$$;
comment on function app.forget_uses() is 'Forgets counts whose hour is long over; for the worker';
grant create on schema app to app_definer;
alter function app.forget_uses() owner to app_definer;
revoke create on schema app from app_definer;
revoke execute on function app.forget_uses() from public;
grant execute on function app.forget_uses() to app_worker;
