-- What happens becomes an event of webhooks in the transaction in which it happens, where some endpoint of the organisation wants it. Triggers run once for a
-- statement: where nobody wants anything they look at the endpoints and do no more.

create function app_private.webhooks_wanted(orgs uuid[], kind text) returns text[] language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  -- An organisation that is deleted takes all with it, and has nobody to tell.
  select array_agg(distinct w.org_id || ' ' || t.type) from app.webhook_endpoints w join app.organisations o on o.org_id = w.org_id cross join unnest(w.event_types) t (type)
    where w.org_id = any (orgs) and w.state <> 'removed' and split_part(t.type, '.', 1) = kind
$$;
comment on function app_private.webhooks_wanted(uuid[], text) is 'Which events of a kind some endpoint wants: organisation and type; null for none';

create function app_private.tell_webhooks(tab regclass, kind text, facts text, made text default null, changed text default null, removed text default null)
  returns void language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  name constant text := (select c.relname || '_webhooks' from pg_class c where c.oid = tab);
  steps text := '';
  triggers text := '';
  t record;
begin
  for t in select * from (values ('insert', made, 'new table as changed', ''), ('delete', removed, 'old table as changed', ''),
      ('update', changed, 'old table as before new table as changed', ' join before b on b.org_id = c.org_id and b.id = c.id')) v (operation, type, tables, joined) where v.type is not null loop
    steps := steps || format($f$
  if tg_op = %L then
    insert into app.webhook_events (org_id, type, record_id, record_version, data)
      select c.org_id, k.type, c.id, c.version, jsonb_build_object(%L, c.id, 'version', c.version, %s)
        from changed c%s cross join lateral (select %L || (%s)) k (type)
        where concat(c.org_id, ' ', k.type) = any (wanted) on conflict on constraint webhook_events_once do nothing;
  end if;$f$, upper(t.operation), kind || 'Id', facts, t.joined, kind || '.', t.type);
    triggers := triggers || format('create trigger %I after %s on %s referencing %s for each statement execute function app_private.%I();',
      name || '_' || t.operation, t.operation, tab, t.tables, name);
  end loop;
  execute format($f$create function app_private.%I() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $b$
declare wanted constant text[] := app_private.webhooks_wanted(array(select distinct c.org_id from changed c), %L);
begin
  if wanted is null then return null; end if;%s
  return null;
end $b$;
comment on function app_private.%1$I() is %4$L;$f$, name, kind, steps, format('Events %s.* of webhooks', kind));
  execute triggers;
end $$;
comment on function app_private.tell_webhooks(regclass, text, text, text, text, text) is
  'Rows that are made, changed or removed become events of webhooks: SQL of the facts that they tell, and of which event it is, null for none. `c` is the row, `b` the row before. For migrations only, followed by own_definers()';

-- A record that is deleted for good is told as erased.
select app_private.tell_webhooks('app.people', 'person', $$'homeChapterId', c.home_chapter_id, 'mergedInto', c.merged_into$$,
  made => $$'created'$$,
  changed => $$case when c.lifecycle = 'erased' and b.lifecycle <> 'erased' then 'erased'
    when (c.deleted_at is not null and b.deleted_at is null) or (c.lifecycle = 'merged' and b.lifecycle <> 'merged') then 'archived'
    when c.version <> b.version and c.lifecycle not in ('erased', 'merged') then 'updated' end$$,
  removed => $$case when c.lifecycle <> 'erased' then 'erased' end$$);

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
do $$
declare
  part text;
  operation text;
begin
  foreach part in array array['person_emails', 'person_phones', 'person_contacts', 'person_private', 'people_field_values'] loop
    foreach operation in array array['insert', 'update', 'delete'] loop
      execute format('create trigger %I after %s on app.%I referencing %s table as changed for each statement execute function app_private.person_parts_webhooks()',
        part || '_webhooks_' || operation, operation, part, case operation when 'delete' then 'old' else 'new' end);
    end loop;
  end loop;
end $$;

-- Told when somebody records the day.
select app_private.tell_webhooks('app.affiliations', 'affiliation', $$'personId', c.person_id, 'chapterId', c.chapter_id, 'kind', c.kind, 'startsOn', c.starts_on, 'endsOn', c.ends_on$$,
  made => $$'started'$$, changed => $$case when c.ends_on is not null and c.ends_on is distinct from b.ends_on then 'ended' end$$, removed => $$'ended'$$);

select app_private.tell_webhooks('app.memberships', 'membership',
  $$'personId', c.person_id, 'typeId', c.type_id, 'chapterId', c.chapter_id, 'status', c.status, 'startsOn', c.starts_on, 'endsOn', c.ends_on$$,
  made => $$case when c.status in ('applied', 'awaiting_approval', 'awaiting_payment') then 'applied' when c.status in ('active', 'grace') then 'activated' end$$,
  changed => $$case when c.status in ('active', 'grace') and b.ends_on is not null and (c.ends_on is null or c.ends_on > b.ends_on) then 'renewed'
    when c.status in ('active', 'grace') and b.status not in ('active', 'grace') then 'activated'
    when c.status in ('lapsed', 'cancelled') and c.status <> b.status then c.status end$$);

-- Drafts are told to nobody, and dates of a series come published. One that comes back from the archive was published, or cancelled, before.
select app_private.tell_webhooks('app.events', 'event', $$'chapterId', c.chapter_id, 'groupId', c.group_id, 'seriesId', c.series_id, 'status', c.status, 'visibility', c.visibility,
    'startsAt', c.starts_at, 'endsAt', c.ends_at, 'timezone', c.timezone$$,
  made => $$case when c.status = 'published' then 'published' end$$,
  changed => $$case when c.status = 'published' and b.status = 'draft' then 'published' when c.status = 'published' and c.version <> b.version then 'updated'
    when c.status = 'cancelled' and b.status = 'published' then 'cancelled' end$$);

select app_private.tell_webhooks('app.registrations', 'registration', $$'eventId', c.event_id, 'personId', c.person_id, 'ticketTypeId', c.ticket_type_id, 'status', c.status$$,
  made => $$unnest(array['created', case when c.status = 'checked_in' then 'checked_in' end])$$,
  changed => $$case when c.status = b.status then null when c.status = 'checked_in' then 'checked_in' when c.status in ('cancelled', 'rejected') then 'cancelled' end$$);

-- Only of what is worth something, which a test payment is not, and without who gave and how much: that is for who may read gifts.
select app_private.tell_webhooks('app.gifts', 'gift', $$'campaignId', c.campaign_id, 'chapterId', c.chapter_id, 'status', c.status$$,
  made => $$case when c.counts and c.status = 'settled' then 'settled' end$$,
  changed => $$case when not c.counts then null when c.refunded_amount > b.refunded_amount or (c.status = 'reversed' and b.status <> 'reversed') then 'refunded'
    when c.status = 'settled' and b.status <> 'settled' then 'settled' end$$);

-- Mails of automations are none.
select app_private.tell_webhooks('app.messages', 'message', $$'chapterId', c.chapter_id, 'groupId', c.group_id, 'topicId', c.topic_id$$,
  changed => $$case when c.status = 'sent' and b.status <> 'sent' then 'sent' end$$);

select app_private.tell_webhooks('app.chapters', 'chapter', $$'parentId', c.parent_id$$, made => $$'created'$$,
  changed => $$case when c.status = 'closed' and b.status <> 'closed' then 'closed' when c.version <> b.version then 'updated' end$$);
select app_private.tell_webhooks('app.groups', 'group', $$'parentId', c.parent_id$$, made => $$'created'$$,
  changed => $$case when c.archived_at is not null and b.archived_at is null then 'archived' when c.version <> b.version then 'updated' end$$);

select app_private.own_definers();
grant execute on function app_private.webhooks_wanted(uuid[], text) to app_definer;
