-- What happens becomes an event of webhooks in the transaction in which it happens, where some endpoint of the organisation wants it. Triggers run once for a
-- statement: where nobody wants anything they look at the endpoints and do no more.

create function app_private.webhooks_wanted(orgs uuid[], kind text) returns text[] language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  -- An organisation that is deleted takes all with it, and has nobody to tell.
  select array_agg(distinct w.org_id || ' ' || t.type) from app.webhook_endpoints w join app.organisations o on o.org_id = w.org_id cross join unnest(w.event_types) t (type)
    where w.org_id = any (orgs) and w.state <> 'removed' and split_part(t.type, '.', 1) = kind
$$;
comment on function app_private.webhooks_wanted(uuid[], text) is 'Which events of a kind some endpoint wants: organisation and type; null for none';

create function app_private.people_webhooks() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare wanted constant text[] := app_private.webhooks_wanted(array(select distinct c.org_id from changed c), 'person');
begin
  if wanted is null then return null; end if;
  if tg_op = 'UPDATE' then
    insert into app.webhook_events (org_id, type, record_id, record_version, data)
      select c.org_id, k.type, c.id, c.version, jsonb_build_object('personId', c.id, 'version', c.version, 'homeChapterId', c.home_chapter_id, 'mergedInto', c.merged_into)
        from changed c join before b on b.org_id = c.org_id and b.id = c.id
        cross join lateral (select case when c.lifecycle = 'erased' and b.lifecycle <> 'erased' then 'person.erased'
            when (c.deleted_at is not null and b.deleted_at is null) or (c.lifecycle = 'merged' and b.lifecycle <> 'merged') then 'person.archived'
            when c.version <> b.version and c.lifecycle not in ('erased', 'merged') then 'person.updated' end) k (type)
        where concat(c.org_id, ' ', k.type) = any (wanted) on conflict on constraint webhook_events_once do nothing;
    return null;
  end if;
  insert into app.webhook_events (org_id, type, record_id, record_version, data)
    select c.org_id, k.type, c.id, c.version, jsonb_build_object('personId', c.id, 'version', c.version, 'homeChapterId', c.home_chapter_id, 'mergedInto', c.merged_into)
      from changed c cross join lateral (select case when tg_op = 'INSERT' then 'person.created' when c.lifecycle <> 'erased' then 'person.erased' end) k (type)
      where concat(c.org_id, ' ', k.type) = any (wanted) on conflict on constraint webhook_events_once do nothing;
  return null;
end $$;
comment on function app_private.people_webhooks() is 'Events person.*; a record that is deleted for good is told as erased';

create function app_private.person_parts_webhooks() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare wanted constant text[] := app_private.webhooks_wanted(array(select distinct c.org_id from changed c), 'person');
begin
  if wanted is null then return null; end if;
  insert into app.webhook_events (org_id, type, record_id, record_version, data)
    select p.org_id, 'person.updated', p.id, p.version, jsonb_build_object('personId', p.id, 'version', p.version, 'homeChapterId', p.home_chapter_id, 'mergedInto', p.merged_into)
      from (select distinct c.org_id, c.person_id from changed c) c join app.people p on p.org_id = c.org_id and p.id = c.person_id
      -- Of somebody who is new, person.created tells all.
      where concat(p.org_id, ' person.updated') = any (wanted) and p.created_at < now() and p.lifecycle not in ('erased', 'merged') on conflict on constraint webhook_events_once do nothing;
  return null;
end $$;
comment on function app_private.person_parts_webhooks() is 'A person is updated as well when their addresses, numbers or custom fields change';

create function app_private.affiliations_webhooks() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare wanted constant text[] := app_private.webhooks_wanted(array(select distinct c.org_id from changed c), 'affiliation');
begin
  if wanted is null then return null; end if;
  if tg_op = 'UPDATE' then
    insert into app.webhook_events (org_id, type, record_id, record_version, data)
      select c.org_id, 'affiliation.ended', c.id, c.version, jsonb_build_object('affiliationId', c.id, 'version', c.version, 'personId', c.person_id, 'chapterId', c.chapter_id, 'kind', c.kind, 'startsOn', c.starts_on, 'endsOn', c.ends_on)
        from changed c join before b on b.org_id = c.org_id and b.id = c.id
        where c.ends_on is not null and c.ends_on is distinct from b.ends_on and concat(c.org_id, ' affiliation.ended') = any (wanted) on conflict on constraint webhook_events_once do nothing;
    return null;
  end if;
  insert into app.webhook_events (org_id, type, record_id, record_version, data)
    select c.org_id, k.type, c.id, c.version, jsonb_build_object('affiliationId', c.id, 'version', c.version, 'personId', c.person_id, 'chapterId', c.chapter_id, 'kind', c.kind, 'startsOn', c.starts_on, 'endsOn', c.ends_on)
      from changed c cross join lateral (select case tg_op when 'INSERT' then 'affiliation.started' else 'affiliation.ended' end) k (type)
      where concat(c.org_id, ' ', k.type) = any (wanted) on conflict on constraint webhook_events_once do nothing;
  return null;
end $$;
comment on function app_private.affiliations_webhooks() is 'Events affiliation.*, told when somebody records the day';

create function app_private.memberships_webhooks() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare wanted constant text[] := app_private.webhooks_wanted(array(select distinct c.org_id from changed c), 'membership');
begin
  if wanted is null then return null; end if;
  if tg_op = 'INSERT' then
    insert into app.webhook_events (org_id, type, record_id, record_version, data)
      select c.org_id, k.type, c.id, c.version, jsonb_build_object('membershipId', c.id, 'version', c.version, 'personId', c.person_id, 'typeId', c.type_id, 'chapterId', c.chapter_id, 'status', c.status, 'startsOn', c.starts_on, 'endsOn', c.ends_on)
        from changed c cross join lateral (select case when c.status in ('applied', 'awaiting_approval', 'awaiting_payment') then 'membership.applied'
          when c.status in ('active', 'grace') then 'membership.activated' end) k (type)
        where concat(c.org_id, ' ', k.type) = any (wanted) on conflict on constraint webhook_events_once do nothing;
    return null;
  end if;
  insert into app.webhook_events (org_id, type, record_id, record_version, data)
    select c.org_id, k.type, c.id, c.version, jsonb_build_object('membershipId', c.id, 'version', c.version, 'personId', c.person_id, 'typeId', c.type_id, 'chapterId', c.chapter_id, 'status', c.status, 'startsOn', c.starts_on, 'endsOn', c.ends_on)
      from changed c join before b on b.org_id = c.org_id and b.id = c.id
      cross join lateral (select case
          when c.status in ('active', 'grace') and b.ends_on is not null and (c.ends_on is null or c.ends_on > b.ends_on) then 'membership.renewed'
          when c.status in ('active', 'grace') and b.status not in ('active', 'grace') then 'membership.activated'
          when c.status in ('lapsed', 'cancelled') and c.status <> b.status then 'membership.' || c.status end) k (type)
      where concat(c.org_id, ' ', k.type) = any (wanted) on conflict on constraint webhook_events_once do nothing;
  return null;
end $$;
comment on function app_private.memberships_webhooks() is 'Events membership.*';

create function app_private.events_webhooks() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare wanted constant text[] := app_private.webhooks_wanted(array(select distinct c.org_id from changed c), 'event');
begin
  if wanted is null then return null; end if;
  if tg_op = 'INSERT' then
    insert into app.webhook_events (org_id, type, record_id, record_version, data)
      select c.org_id, 'event.published', c.id, c.version, jsonb_build_object('eventId', c.id, 'version', c.version, 'chapterId', c.chapter_id, 'groupId', c.group_id, 'seriesId', c.series_id, 'status', c.status,
          'visibility', c.visibility, 'startsAt', c.starts_at, 'endsAt', c.ends_at, 'timezone', c.timezone)
        from changed c where c.status = 'published' and concat(c.org_id, ' event.published') = any (wanted) on conflict on constraint webhook_events_once do nothing;
    return null;
  end if;
  insert into app.webhook_events (org_id, type, record_id, record_version, data)
    select c.org_id, k.type, c.id, c.version, jsonb_build_object('eventId', c.id, 'version', c.version, 'chapterId', c.chapter_id, 'groupId', c.group_id, 'seriesId', c.series_id, 'status', c.status, 'visibility', c.visibility,
        'startsAt', c.starts_at, 'endsAt', c.ends_at, 'timezone', c.timezone)
      from changed c join before b on b.org_id = c.org_id and b.id = c.id
      -- One that comes back from the archive was published, or cancelled, before.
      cross join lateral (select case when c.status = 'published' and b.status = 'draft' then 'event.published' when c.status = 'published' and c.version <> b.version then 'event.updated'
        when c.status = 'cancelled' and b.status = 'published' then 'event.cancelled' end) k (type)
      where concat(c.org_id, ' ', k.type) = any (wanted) on conflict on constraint webhook_events_once do nothing;
  return null;
end $$;
comment on function app_private.events_webhooks() is 'Events event.*; drafts are told to nobody, and dates of a series come published';

create function app_private.registrations_webhooks() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare wanted constant text[] := app_private.webhooks_wanted(array(select distinct c.org_id from changed c), 'registration');
begin
  if wanted is null then return null; end if;
  if tg_op = 'INSERT' then
    insert into app.webhook_events (org_id, type, record_id, record_version, data)
      select c.org_id, k.type, c.id, c.version, jsonb_build_object('registrationId', c.id, 'version', c.version, 'eventId', c.event_id, 'personId', c.person_id, 'ticketTypeId', c.ticket_type_id, 'status', c.status)
        from changed c cross join lateral (values ('registration.created'), (case when c.status = 'checked_in' then 'registration.checked_in' end)) k (type)
        where concat(c.org_id, ' ', k.type) = any (wanted) on conflict on constraint webhook_events_once do nothing;
    return null;
  end if;
  insert into app.webhook_events (org_id, type, record_id, record_version, data)
    select c.org_id, k.type, c.id, c.version, jsonb_build_object('registrationId', c.id, 'version', c.version, 'eventId', c.event_id, 'personId', c.person_id, 'ticketTypeId', c.ticket_type_id, 'status', c.status)
      from changed c join before b on b.org_id = c.org_id and b.id = c.id
      cross join lateral (select case when c.status = b.status then null when c.status = 'checked_in' then 'registration.checked_in' when c.status in ('cancelled', 'rejected') then 'registration.cancelled' end) k (type)
      where concat(c.org_id, ' ', k.type) = any (wanted) on conflict on constraint webhook_events_once do nothing;
  return null;
end $$;
comment on function app_private.registrations_webhooks() is 'Events registration.*';

create function app_private.gifts_webhooks() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare wanted constant text[] := app_private.webhooks_wanted(array(select distinct c.org_id from changed c), 'gift');
begin
  if wanted is null then return null; end if;
  if tg_op = 'INSERT' then
    insert into app.webhook_events (org_id, type, record_id, record_version, data)
      select c.org_id, 'gift.settled', c.id, c.version, jsonb_build_object('giftId', c.id, 'version', c.version, 'campaignId', c.campaign_id, 'chapterId', c.chapter_id, 'status', c.status)
        from changed c where c.status = 'settled' and c.counts and concat(c.org_id, ' gift.settled') = any (wanted) on conflict on constraint webhook_events_once do nothing;
    return null;
  end if;
  insert into app.webhook_events (org_id, type, record_id, record_version, data)
    select c.org_id, k.type, c.id, c.version, jsonb_build_object('giftId', c.id, 'version', c.version, 'campaignId', c.campaign_id, 'chapterId', c.chapter_id, 'status', c.status)
      from changed c join before b on b.org_id = c.org_id and b.id = c.id
      cross join lateral (select case when c.refunded_amount > b.refunded_amount or (c.status = 'reversed' and b.status <> 'reversed') then 'gift.refunded'
        when c.status = 'settled' and b.status <> 'settled' then 'gift.settled' end) k (type)
      where c.counts and concat(c.org_id, ' ', k.type) = any (wanted) on conflict on constraint webhook_events_once do nothing;
  return null;
end $$;
comment on function app_private.gifts_webhooks() is 'Events gift.* of what is worth something, which a test payment is not, without who gave and how much: that is for who may read gifts';

create function app_private.messages_webhooks() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare wanted constant text[] := app_private.webhooks_wanted(array(select distinct c.org_id from changed c), 'message');
begin
  if wanted is null then return null; end if;
  insert into app.webhook_events (org_id, type, record_id, record_version, data)
    select c.org_id, 'message.sent', c.id, c.version, jsonb_build_object('messageId', c.id, 'version', c.version, 'chapterId', c.chapter_id, 'groupId', c.group_id, 'topicId', c.topic_id)
      from changed c join before b on b.org_id = c.org_id and b.id = c.id
      where c.status = 'sent' and b.status <> 'sent' and concat(c.org_id, ' message.sent') = any (wanted) on conflict on constraint webhook_events_once do nothing;
  return null;
end $$;
comment on function app_private.messages_webhooks() is 'Events message.*; mails of automations are none';

create function app_private.places_webhooks() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  place constant text := tg_argv[0];
  wanted constant text[] := app_private.webhooks_wanted(array(select distinct c.org_id from changed c), place);
begin
  if wanted is null then return null; end if;
  if tg_op = 'INSERT' then
    insert into app.webhook_events (org_id, type, record_id, record_version, data)
      select c.org_id, place || '.created', c.id, c.version, jsonb_build_object(place || 'Id', c.id, 'version', c.version, 'parentId', c.parent_id)
        from changed c where concat(c.org_id, ' ', place, '.created') = any (wanted) on conflict on constraint webhook_events_once do nothing;
    return null;
  end if;
  insert into app.webhook_events (org_id, type, record_id, record_version, data)
    select c.org_id, k.type, c.id, c.version, jsonb_build_object(place || 'Id', c.id, 'version', c.version, 'parentId', c.parent_id)
      from changed c join before b on b.org_id = c.org_id and b.id = c.id
      cross join lateral (select to_jsonb(c) as is_now, to_jsonb(b) as was) j
      cross join lateral (select case when place = 'chapter' and j.is_now ->> 'status' = 'closed' and j.was ->> 'status' <> 'closed' then 'chapter.closed'
        when place = 'group' and j.is_now ->> 'archived_at' is not null and j.was ->> 'archived_at' is null then 'group.archived'
        when c.version <> b.version then place || '.updated' end) k (type)
      where concat(c.org_id, ' ', k.type) = any (wanted) on conflict on constraint webhook_events_once do nothing;
  return null;
end $$;
comment on function app_private.places_webhooks() is 'Events chapter.* and group.*';

create function app_private.tell_webhooks(tab regclass, teller text, operations text[], arguments text default '') returns void language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  name constant text := (select c.relname from pg_class c where c.oid = tab);
  operation text;
begin
  foreach operation in array operations loop
    execute format('create trigger %I after %s on %s referencing %s for each statement execute function app_private.%I(%s)', name || '_webhooks_' || operation, operation, tab,
      case operation when 'insert' then 'new table as changed' when 'delete' then 'old table as changed'
        else case teller when 'person_parts_webhooks' then '' else 'old table as before ' end || 'new table as changed' end, teller, arguments);
  end loop;
end $$;
comment on function app_private.tell_webhooks(regclass, text, text[], text) is 'Changes of a table become events of webhooks. For migrations only';

select app_private.tell_webhooks('app.people', 'people_webhooks', array['insert', 'update', 'delete']);
select app_private.tell_webhooks(t::regclass, 'person_parts_webhooks', array['insert', 'update', 'delete'])
  from unnest(array['app.person_emails', 'app.person_phones', 'app.person_contacts', 'app.person_private', 'app.people_field_values']) t;
select app_private.tell_webhooks('app.affiliations', 'affiliations_webhooks', array['insert', 'update', 'delete']);
select app_private.tell_webhooks('app.memberships', 'memberships_webhooks', array['insert', 'update']);
select app_private.tell_webhooks('app.events', 'events_webhooks', array['insert', 'update']);
select app_private.tell_webhooks('app.registrations', 'registrations_webhooks', array['insert', 'update']);
select app_private.tell_webhooks('app.gifts', 'gifts_webhooks', array['insert', 'update']);
select app_private.tell_webhooks('app.messages', 'messages_webhooks', array['update']);
select app_private.tell_webhooks('app.chapters', 'places_webhooks', array['insert', 'update'], quote_literal('chapter'));
select app_private.tell_webhooks('app.groups', 'places_webhooks', array['insert', 'update'], quote_literal('group'));

select app_private.own_definers();
grant execute on function app_private.webhooks_wanted(uuid[], text) to app_definer;
