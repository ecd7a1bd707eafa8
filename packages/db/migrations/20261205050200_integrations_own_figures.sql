-- The payment provider and the mail server are connections by themselves while the installation names them, and their figures are counted from our own tables.

create function app.keep_own_connection(org uuid, connector text, category text, called text, is_configured boolean, failure jsonb, heard_at timestamptz) returns jsonb
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  c app.connections;
  becomes constant text := case when failure is null then 'connected' else 'degraded' end;
begin
  perform app_private.worker_only();
  perform pg_advisory_xact_lock(hashtextextended(org || ' ' || connector, 3));
  select * into c from app.connections x where x.org_id = org and x.connector = keep_own_connection.connector order by (x.state = 'disconnected'), x.created_at limit 1 for update;
  if not is_configured then
    if c.id is not null and c.state <> 'disconnected' then update app.connections x set state = 'disconnected', failure = null where x.org_id = org and x.id = c.id; end if;
    return null;
  end if;
  if c.id is null then
    insert into app.connections (org_id, connector, category, name, state, failure, is_single, last_run_at, last_success_at)
      values (org, connector, category, called, becomes, failure, true, heard_at, heard_at) returning * into c;
    return jsonb_build_object('id', c.id, 'isNew', true);
  end if;
  if (c.state, c.failure) is distinct from (becomes, failure) then
    update app.connections x set state = becomes, failure = keep_own_connection.failure where x.org_id = org and x.id = c.id;
  end if;
  if heard_at is distinct from c.last_success_at then
    update app.connections x set last_run_at = heard_at, last_success_at = heard_at where x.org_id = org and x.id = c.id;
  end if;
  return jsonb_build_object('id', c.id, 'isNew', false);
end $$;
comment on function app.keep_own_connection(uuid, text, text, text, boolean, jsonb, timestamptz) is 'The connection to what the installation itself names, made, kept or ended as its settings say; null where there is none. For the worker';

create index payments_by_settled on app.payments (org_id, settled_at) where settled_at is not null;
create index refunds_by_settled on app.refunds (org_id, settled_at) where settled_at is not null;
create index payment_events_by_time on app.payment_events (org_id, received_at);

create function app.payment_standing(org uuid, provider text) returns jsonb language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform app_private.worker_only();
  return jsonb_build_object('heardAt', (select max(e.received_at) from app.payment_events e where e.org_id = org),
    -- Money of the last days that no notice told of: then its settlement was found by asking.
    'isUnheard', exists (select from app.payments p where p.org_id = org and p.provider = payment_standing.provider and p.kind <> 'manual'
        and p.settled_at between now() - interval '3 days' and now() - interval '1 hour')
      and not exists (select from app.payment_events e where e.org_id = org and e.received_at > now() - interval '3 days'));
end $$;
comment on function app.payment_standing(uuid, text) is 'When the payment provider was last heard of, and whether its notices do not arrive; for the worker';

create function app.mail_standing(org uuid) returns jsonb language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform app_private.worker_only();
  return jsonb_build_object('heardAt', (select max(m.handed_at) from app.mail_messages m where m.org_id = org and m.state = 'sent' and m.created_at > now() - interval '30 days'),
    'isStuck', exists (select from app.mail_messages m where m.org_id = org and m.state = 'queued' and m.attempts > 0 and m.next_at < now() - interval '1 hour'));
end $$;
comment on function app.mail_standing(uuid) is 'When mail last left, and whether some has waited for an hour longer than it should; for the worker';

-- Every hour since a moment, also those in which there was nothing, where `whole`: so what was counted before and is not so any more goes. Counting begins with a
-- whole hour, since what is counted replaces hours.

create function app.mail_figures(org uuid, since timestamptz, whole boolean) returns table (type text, hour timestamptz, value numeric, count bigint)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  zone constant text := (select o.timezone from app.organisations o where o.org_id = org);
  first_hour constant timestamptz := date_trunc('hour', since, zone);
begin
  perform app_private.worker_only();
  return query
    with mails as materialized (select m.state, m.handed_at, m.delivered_at, m.bounced_at, m.complained_at, m.settled_at from app.mail_messages m
        -- What becomes of a mail is told within two weeks.
        where m.org_id = org and m.created_at >= first_hour - interval '14 days'),
    reads as materialized (select d.opened_at, d.clicked_at, d.unsubscribed_at from app.message_deliveries d
        where d.org_id = org and d.id >= app_private.first_id(first_hour - interval '60 days') and greatest(d.opened_at, d.clicked_at, d.unsubscribed_at) >= first_hour),
    found as (
      select v.type, v.at from mails m cross join lateral (values ('sent', case when m.state = 'sent' then m.handed_at end), ('delivered', m.delivered_at), ('bounces', m.bounced_at),
        ('complaints', m.complained_at), ('errors', case when m.state in ('failed', 'unknown') then m.settled_at end)) v (type, at) where v.at >= first_hour
      union all
      select v.type, v.at from reads r cross join lateral (values ('opens', r.opened_at), ('clicks', r.clicked_at), ('unsubscribes', r.unsubscribed_at)) v (type, at) where v.at >= first_hour),
    summed as (select f.type, date_trunc('hour', f.at, zone) as hour, pg_catalog.count(*) as count from found f group by 1, 2)
    select t.type, h.hour, coalesce(s.count, 0)::numeric, coalesce(s.count, 0) from unnest(array['sent', 'delivered', 'opens', 'clicks', 'bounces', 'complaints', 'unsubscribes', 'errors']) t (type)
      cross join generate_series(first_hour, now(), interval '1 hour') h (hour) left join summed s on s.type = t.type and s.hour = h.hour where whole
    union all select s.type, s.hour, s.count::numeric, s.count from summed s where not whole;
end $$;
comment on function app.mail_figures(uuid, timestamptz, boolean) is 'What became of mail, by hour; for the worker';

create function app_private.first_id(at timestamptz) returns uuid language sql immutable set search_path = pg_catalog, pg_temp as $$
  select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid
$$;
comment on function app_private.first_id(timestamptz) is 'Ids are made in the order of time: the first one of a moment';
revoke execute on function app_private.first_id(timestamptz) from public;
grant execute on function app_private.first_id(timestamptz) to app_definer;

create function app.chat_figures(connection uuid, since timestamptz) returns table (type text, hour timestamptz, value numeric, count bigint)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid;
  zone text;
begin
  perform app_private.worker_only();
  select c.org_id, o.timezone into org, zone from app.connections c join app.organisations o on o.org_id = c.org_id where c.id = connection;
  return query
    with tries as (select date_trunc('hour', a.at, zone) as hour, pg_catalog.count(*) filter (where a.failure is null) as good, pg_catalog.count(*) filter (where a.failure is not null) as bad,
        sum(a.milliseconds)::numeric as ms, pg_catalog.count(*) as n
      from app.webhook_endpoints e join app.webhook_deliveries d on d.org_id = e.org_id and d.endpoint_id = e.id join app.webhook_attempts a on a.org_id = d.org_id and a.delivery_id = d.id
      where e.org_id = org and e.connection_id = connection and a.at >= date_trunc('hour', since, zone) group by 1)
    select v.type, t.hour, v.value, v.n from tries t cross join lateral (values ('deliveries', t.good::numeric, t.good), ('failures', t.bad::numeric, t.bad), ('latency', t.ms, t.n)) v (type, value, n);
end $$;
comment on function app.chat_figures(uuid, timestamptz) is 'Messages to a chat by hour: those that arrived, tries that failed, and how long they took; for the worker';

select app_private.own_definers();
grant execute on function app.keep_own_connection(uuid, text, text, text, boolean, jsonb, timestamptz), app.payment_standing(uuid, text), app.mail_standing(uuid),
  app.mail_figures(uuid, timestamptz, boolean), app.chat_figures(uuid, timestamptz) to app_worker;
