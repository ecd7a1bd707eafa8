-- How many people one account has read within an hour, over all processes: each of them adds what it has counted by itself every few seconds.

create function app.count_people_read(rows_read int, out used int, out again_in int, out reach text)
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  actor app.actor_context := app.actor();
  more int := greatest(rows_read, 0);
  began timestamptz;
begin
  if actor.org_id is null then return; end if;
  -- Nobody waits for these counts to reach the disk; a database that crashes forgets seconds of them.
  perform set_config('synchronous_commit', 'off', true);
  insert into app.use_counts as c (org_id, operation, who, uses) values (actor.org_id, 'readPeople', actor.account_id::text, more)
    on conflict (org_id, operation, who) do update set
      uses = case when c.since < now() - interval '1 hour' then more else least(c.uses::bigint + more, 2000000000) end,
      since = case when c.since < now() - interval '1 hour' then now() else c.since end
    returning c.uses, c.since into used, began;
  again_in := greatest(1, ceil(extract(epoch from began + interval '1 hour' - now())));
  reach := case
    when app.everywhere('people.directory') and app.everywhere('people.contact') then 'organisation'
    when app.everywhere('people.contact') or app.everywhere('people.write') or app.everywhere('people.sensitive')
      or app.scope('people.contact') <> '{}' or app.scope('people.write') <> '{}' or app.scope('people.sensitive') <> '{}' then 'officer'
    else 'member' end;
end $$;
comment on function app.count_people_read(int) is
  'Adds to the people that the actor has read in the hour that began with the first; how many there are now, the seconds until the next hour, and how far the actor''s rights reach';
grant create on schema app to app_definer;
alter function app.count_people_read(int) owner to app_definer;
revoke create on schema app from app_definer;
revoke execute on function app.count_people_read(int) from public;
grant execute on function app.count_people_read(int) to app_access;
