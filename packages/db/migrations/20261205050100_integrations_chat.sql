-- Messages into a chat (Slack, Mattermost and others that take an incoming webhook): new members, new gifts, events that are full. A connection has an endpoint
-- of webhooks that nobody sees; what is to be told becomes a delivery to it in the transaction in which it happens, and leaves as other webhooks do.

alter table app.webhook_endpoints add column connection_id uuid;
alter table app.webhook_endpoints add foreign key (org_id, connection_id) references app.connections on delete cascade;
comment on column app.webhook_endpoints.connection_id is 'The chat that it belongs to: then it is kept by the connection, whose address is a secret of that one';
create unique index webhook_endpoint_of_connection on app.webhook_endpoints (org_id, connection_id);
create policy webhook_endpoints_read_own on app.webhook_endpoints as restrictive for select to app_access using (org_id = (select app.org_id()) and connection_id is null);
create policy webhook_endpoints_add_own on app.webhook_endpoints as restrictive for insert to app_access with check (org_id = (select app.org_id()) and connection_id is null);
create policy webhook_endpoints_change_own on app.webhook_endpoints as restrictive for update to app_access using (org_id = (select app.org_id()) and connection_id is null)
  with check (org_id = (select app.org_id()) and connection_id is null);
grant insert on app.webhook_endpoints to app_definer;

-- Of a connection -----------------------------------------------------------------------------------------------------------------------

create function app_private.chat_connections() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  wanted text[] := array_remove(array[
    case when coalesce((new.settings ->> 'newMember')::boolean, true) then 'chat.member' end,
    case when coalesce((new.settings ->> 'newGift')::boolean, true) then 'chat.gift' end,
    case when coalesce((new.settings ->> 'eventFull')::boolean, true) then 'chat.full' end], null);
  becomes constant text := case when new.state in ('connected', 'degraded') then 'active' when new.state = 'disconnected' then 'removed' else 'paused' end;
begin
  if wanted = '{}' then wanted := array['chat.none']; end if;
  update app.webhook_endpoints e set name = new.name, event_types = wanted, state = becomes where e.org_id = new.org_id and e.connection_id = new.id;
  if not found and becomes <> 'removed' then
    insert into app.webhook_endpoints (org_id, connection_id, name, url, event_types, state, paused_at)
      values (new.org_id, new.id, new.name, 'https://chat.invalid/', wanted, becomes, case when becomes <> 'active' then now() end);
  end if;
  return null;
end $$;
comment on function app_private.chat_connections() is 'Keeps the endpoint of a chat: what it is told of, and whether it is told';
create trigger connections_chat_insert after insert on app.connections for each row when (new.connector = 'chat') execute function app_private.chat_connections();
create trigger connections_chat_update after update of state, settings, name on app.connections for each row
  when (new.connector = 'chat' and (new.state, new.settings, new.name) is distinct from (old.state, old.settings, old.name)) execute function app_private.chat_connections();

-- What is to be told ----------------------------------------------------------------------------------------------------------------------

create function app_private.chats_want(orgs uuid[], kind text) returns boolean language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select exists (select from app.webhook_endpoints e where e.org_id = any (orgs) and e.connection_id is not null and e.state <> 'removed' and kind = any (e.event_types))
$$;
comment on function app_private.chats_want(uuid[], text) is 'Whether some chat is told of such things';

create function app_private.tell_chats(org uuid, chapter uuid, kind text, record uuid, version int, facts jsonb) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  endpoint uuid;
  event uuid;
begin
  for endpoint in select e.id from app.webhook_endpoints e join app.connections c on c.org_id = e.org_id and c.id = e.connection_id
    where e.org_id = org and e.state <> 'removed' and kind = any (e.event_types) and (c.chapter_id is null or exists (
      select from app.chapter_ancestors a where a.org_id = org and a.chapter_id = chapter and a.ancestor_id = c.chapter_id)) loop
    -- Several of a kind become one message: what has not left yet says how many there are. Where somebody else adds to it at this moment, it is one more.
    select d.event_id into event from app.webhook_deliveries d
      where d.org_id = org and d.endpoint_id = endpoint and d.event_type = kind and kind <> 'chat.full' and d.state = 'waiting' and d.held_by is null and d.attempts = 0
      order by d.id desc limit 1 for update skip locked;
    if event is not null then
      update app.webhook_events v set data = v.data || jsonb_build_object('count', (v.data ->> 'count')::int + (facts ->> 'count')::int,
          'ids', (select coalesce(jsonb_agg(i), '[]') from (select i from jsonb_array_elements((v.data -> 'ids') || (facts -> 'ids')) i limit 5) x),
          'chapterId', case when v.data ->> 'chapterId' = facts ->> 'chapterId' then v.data -> 'chapterId' end)
        where v.org_id = org and v.id = event;
    else
      insert into app.webhook_events (org_id, type, record_id, record_version, data, occurred_at, fanned_at)
        values (org, kind, record, version, facts, clock_timestamp(), now()) returning id into event;
      insert into app.webhook_deliveries (org_id, endpoint_id, event_id, event_type, next_attempt_at)
        values (org, endpoint, event, kind, now() + case kind when 'chat.full' then interval '0' else interval '5 seconds' end);
    end if;
  end loop;
end $$;
comment on function app_private.tell_chats(uuid, uuid, text, uuid, int, jsonb) is 'A message for each chat of the organisation, and of the chapters above, that wants it: ids only, since names are read when it leaves';

create function app_private.affiliations_chats() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare n record;
begin
  if not app_private.chats_want(array(select distinct c.org_id from changed c), 'chat.member') then return null; end if;
  -- Who was a member before has moved, or is back; who has been one for long is only recorded now.
  for n in select c.org_id, c.chapter_id, count(*)::int as many, (array_agg(c.person_id order by c.id))[1:5] as people, (array_agg(c.id order by c.id))[1] as first
      from changed c where c.kind = 'member' and (c.ends_on is null or c.ends_on >= app_private.today_in(c.org_id)) and c.starts_on > app_private.today_in(c.org_id) - 31
        and not exists (select from app.affiliations o where o.org_id = c.org_id and o.person_id = c.person_id and o.kind = 'member' and o.id <> c.id)
      group by c.org_id, c.chapter_id loop
    perform app_private.tell_chats(n.org_id, n.chapter_id, 'chat.member', n.first, 1, jsonb_build_object('count', n.many, 'ids', to_jsonb(n.people), 'chapterId', n.chapter_id));
  end loop;
  return null;
end $$;
comment on function app_private.affiliations_chats() is 'New members, for chats';
create trigger affiliations_chats after insert on app.affiliations referencing new table as changed for each statement execute function app_private.affiliations_chats();

create function app_private.gifts_chats() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare g record;
begin
  if not app_private.chats_want(array(select distinct c.org_id from changed c), 'chat.gift') then return null; end if;
  if tg_op = 'INSERT' then
    for g in select c.* from changed c where c.status = 'settled' and c.counts and not c.is_test and c.source <> 'import' loop
      perform app_private.tell_chats(g.org_id, g.chapter_id, 'chat.gift', g.id, g.version, jsonb_build_object('count', 1, 'ids', jsonb_build_array(g.id), 'chapterId', g.chapter_id));
    end loop;
    return null;
  end if;
  for g in select c.* from changed c join before b on b.org_id = c.org_id and b.id = c.id where c.status = 'settled' and b.status = 'pending' and c.counts and not c.is_test loop
    perform app_private.tell_chats(g.org_id, g.chapter_id, 'chat.gift', g.id, g.version, jsonb_build_object('count', 1, 'ids', jsonb_build_array(g.id), 'chapterId', g.chapter_id));
  end loop;
  return null;
end $$;
comment on function app_private.gifts_chats() is 'Gifts whose money has come, for chats; an import of old ones is no news';
create trigger gifts_chats_insert after insert on app.gifts referencing new table as changed for each statement execute function app_private.gifts_chats();
create trigger gifts_chats_update after update on app.gifts referencing old table as before new table as changed for each statement execute function app_private.gifts_chats();

create function app_private.events_chats() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare e app.events;
begin
  if not app_private.chats_want(array[new.org_id], 'chat.full') then return null; end if;
  select * into e from app.events x where x.org_id = new.org_id and x.id = new.event_id;
  if e.capacity is null or e.status <> 'published' or new.taken < e.capacity or old.taken >= e.capacity then return null; end if;
  -- A seat that comes free and is taken again is no news.
  if exists (select from app.webhook_events v where v.org_id = e.org_id and v.record_id = e.id and v.type = 'chat.full' and v.occurred_at > now() - interval '1 day') then return null; end if;
  perform app_private.tell_chats(e.org_id, e.chapter_id, 'chat.full', e.id, e.version, jsonb_build_object('count', 1, 'ids', jsonb_build_array(e.id), 'chapterId', e.chapter_id));
  return null;
end $$;
comment on function app_private.events_chats() is 'Events that are full, for chats';
create trigger event_counts_chats after update of taken on app.event_counts for each row when (new.taken > old.taken) execute function app_private.events_chats();

-- Sending ---------------------------------------------------------------------------------------------------------------------------------

create function app.chat_message(org uuid, endpoint uuid, delivery uuid) returns jsonb language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  c app.connections;
  v app.webhook_events;
  first uuid;
begin
  perform app_private.worker_only();
  select x.* into c from app.webhook_endpoints e join app.connections x on x.org_id = e.org_id and x.id = e.connection_id where e.org_id = org and e.id = endpoint;
  select x.* into v from app.webhook_deliveries d join app.webhook_events x on x.org_id = d.org_id and x.id = d.event_id where d.org_id = org and d.endpoint_id = endpoint and d.id = delivery;
  if c.id is null or v.id is null then return null; end if;
  first := (v.data -> 'ids' ->> 0)::uuid;
  return jsonb_build_object('connectionId', c.id, 'kind', v.type, 'count', (v.data ->> 'count')::int, 'ids', v.data -> 'ids',
    'address', (select encode(s.sealed, 'base64') from app.connection_secrets s where s.org_id = org and s.connection_id = c.id and s.name = 'address'),
    'locale', (select o.locale from app.organisations o where o.org_id = org),
    'chapter', (select h.name from app.chapters h where h.org_id = org and h.id = (v.data ->> 'chapterId')::uuid),
    'reader', case when (c.settings ->> 'showNames')::boolean then (select jsonb_build_object('orgId', a.org_id, 'accountId', a.id, 'idpRoles', a.idp_roles)
      from app.accounts a where a.org_id = org and a.id = c.owner_account_id and a.status = 'active') end,
    'gift', case when v.type = 'chat.gift' then (select jsonb_build_object('campaign', m.name, 'currency', g.currency)
      from app.gifts g left join app.campaigns m on m.org_id = g.org_id and m.id = g.campaign_id where g.org_id = org and g.id = first) end,
    'event', case when v.type = 'chat.full' then (select jsonb_build_object('id', e.id, 'title', e.title, 'capacity', e.capacity) from app.events e where e.org_id = org and e.id = first) end);
end $$;
comment on function app.chat_message(uuid, uuid, uuid) is 'What a message to a chat says, and its address as it is kept. Names and amounts are read by the reader, the owner of a connection that shows them, as what they may see. For the worker';

create function app_private.chat_health() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare connection uuid := (select e.connection_id from app.webhook_endpoints e where e.org_id = new.org_id and e.id = new.endpoint_id);
begin
  if connection is null then return null; end if;
  if new.failures >= 3 and old.failures < 3 then
    perform app.note_connection_trouble(new.org_id, connection, 'degraded', app_private.chat_failure(), app_private.trouble_note());
  elsif new.failures = 0 and new.last_delivered_at is distinct from old.last_delivered_at then
    perform app.note_connection_well(new.org_id, connection, 'chat_failing');
    update app.connections c set last_run_at = now(), last_success_at = now() where c.org_id = new.org_id and c.id = connection;
  end if;
  return null;
end $$;
comment on function app_private.chat_health() is 'Three messages that did not arrive degrade the connection, one that does mends it';

create function app_private.chat_failure() returns jsonb language sql immutable set search_path = pg_catalog, pg_temp as $$
  select jsonb_build_object('reason', 'chat_failing', 'detail', 'The chat does not take messages. Check the address of its incoming webhook.')
$$;
create function app_private.trouble_note() returns jsonb language sql immutable set search_path = pg_catalog, pg_temp as $$
  select jsonb_build_object('kind', 'connection-trouble', 'mail', 'instant', 'essential', true)
$$;
revoke execute on function app_private.chat_failure(), app_private.trouble_note() from public;
grant execute on function app_private.chat_failure(), app_private.trouble_note() to app_definer;
create trigger webhook_health_chat after update of failures, last_delivered_at on app.webhook_health for each row execute function app_private.chat_health();

create function app_private.chat_stopped() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  -- The connection is what stops, and its owner is who is told.
  perform app.note_connection_trouble(new.org_id, new.connection_id, 'error', app_private.chat_failure(), app_private.trouble_note());
  return null;
end $$;
comment on function app_private.chat_stopped() is 'A chat that took nothing for three days is stopped with its connection';
create trigger webhook_endpoints_chat before update of state on app.webhook_endpoints for each row when (new.connection_id is not null and new.state = 'failing')
  execute function app_private.chat_stopped();

select app_private.own_definers();
grant execute on function app.chat_message(uuid, uuid, uuid) to app_worker;
