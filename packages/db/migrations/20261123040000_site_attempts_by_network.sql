-- What anybody may do is also counted by the networks around the address, so that whoever has a large network cannot use up what everybody has.

create function app.count_attempt(org uuid, what text, places text[]) returns boolean
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  -- Address or /64, /56, /24 or /48, /16 or /32, everybody.
  allowed constant int[] := array[10, 15, 20, 60, 200];
  counted int;
begin
  if cardinality(places) <> 4 then raise exception 'four places are counted' using errcode = '22023'; end if;
  -- What one place sends too much does not count for those around it, or one could silence everybody.
  for place in 1..5 loop
    continue when place < 5 and places[place] is null;
    insert into app.contact_attempts as a (org_id, source)
      values (org, what || ' ' || case place when 5 then '*' else places[place] end)
      on conflict (org_id, source) do update set
        attempts = case when a.since < now() - interval '1 hour' then 1 else a.attempts + 1 end,
        since = case when a.since < now() - interval '1 hour' then now() else a.since end
      returning attempts into counted;
    if counted > allowed[place] then return false; end if;
  end loop;
  return true;
end $$;
comment on function app.count_attempt(uuid, text, text[]) is 'Whether something that anybody may do, such as writing to the administrators, may be done once more within the hour: 10 times from one address (IPv4) or /64 (IPv6), 15 from a /56, 20 from a /24 or /48, 60 from a /16 or /32, 200 in all. Places go from narrow to wide, null where there is no such network';
grant create on schema app to app_definer;
alter function app.count_attempt(uuid, text, text[]) owner to app_definer;
revoke create on schema app from app_definer;
revoke all on function app.count_attempt(uuid, text, text[]) from public;
grant execute on function app.count_attempt(uuid, text, text[]) to app_access;
comment on function app.count_attempt(uuid, text, text) is 'What servers of the version before ask; see the one that takes several places';
comment on table app.contact_attempts is 'How often something that anybody may do was done within the hour that began at since, by keyed hashes of the network address and the networks around it and, as *, in all';
