-- Public pages of events, and registering for them without an account. Nobody is signed in here: each function is open to everybody, and gives out
-- and changes only what its first lines let through. What costs something needs an account, since an invoice needs a person who owes it.

create function app_private.public_event_facts(e app.events) returns jsonb language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select jsonb_build_object('id', e.id, 'title', e.title, 'summary', e.summary, 'status', e.status, 'mode', e.mode, 'startsAt', e.starts_at, 'endsAt', e.ends_at, 'timezone', e.timezone,
    'oneDay', e.starts_local::date = e.ends_local::date, 'venueName', e.venue_name, 'venueAddress', e.venue_address, 'latitude', e.venue_latitude, 'longitude', e.venue_longitude,
    'organiser', (select jsonb_build_object('name', coalesce(g.name, c.name, o.name), 'email', coalesce(nullif(c.contact_email, ''), o.contact_email, '')) from app.organisations o
      left join app.chapters c on c.org_id = e.org_id and c.id = e.chapter_id
      left join app.groups g on g.org_id = e.org_id and g.id = e.group_id and g.visibility = 'public' where o.org_id = e.org_id))
$$;
comment on function app_private.public_event_facts(app.events) is 'What everybody may know of a public event, or whoever has the link of an unlisted one';

create function app.public_events(idp_org text, chapter text, most int) returns jsonb language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  org constant uuid := app.token_organisation(idp_org);
  c app.chapters;
begin
  if org is null then return null; end if;
  if chapter is not null then
    select x.* into c from app.chapters x join app.organisations o on o.org_id = x.org_id and o.public_chapters
      where x.org_id = org and (x.code = chapter or x.id::text = chapter) and x.public_page and x.status = 'active' order by x.code = chapter desc limit 1;
    if c.id is null then return null; end if;
  end if;
  return jsonb_build_object('chapter', case when c.id is not null then jsonb_build_object('name', c.name, 'code', c.code) end, 'items',
    (select coalesce(jsonb_agg(x.facts order by x.starts_at, x.id), '[]') from (
      select e.starts_at, e.id, app_private.public_event_facts(e) as facts from app.events e
      where e.org_id = org and e.visibility = 'public' and e.status in ('published', 'cancelled') and e.ends_at > now()
        and (c.id is null or exists (select from app.chapter_ancestors a where a.org_id = org and a.chapter_id = e.chapter_id and a.ancestor_id = c.id))
      order by e.starts_at, e.id limit least(most, 200)) x));
end $$;
comment on function app.public_events(text, text, int) is 'Public events to come, for everybody: of the organisation that this installation shows, or of a chapter with a public page and the chapters below it';

create function app.public_event(idp_org text, event uuid) returns jsonb language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select app_private.public_event_facts(e) || jsonb_build_object('orgId', e.org_id, 'visibility', e.visibility, 'description', e.description, 'cancelReason', e.cancel_reason, 'coverFileId', e.cover_file_id,
    'capacity', e.capacity, 'taken', n.taken, 'needsApproval', e.needs_approval, 'waitingList', e.waiting_list, 'guestsPerPerson', e.guests_per_person,
    'sequence', e.sequence, 'createdAt', e.created_at, 'updatedAt', e.updated_at, 'opensAt', e.registration_opens_at,
    'registration', case when e.status <> 'published' or app_private.closes_at(e) <= now() then 'closed' when e.registration_opens_at > now() then 'not_yet'
      when app_private.seats_left(e, n) = 0 then 'full' else 'open' end,
    'programme', (select coalesce(jsonb_agg(jsonb_build_object('title', x.title, 'startsAt', x.starts_at, 'endsAt', x.ends_at, 'room', x.room, 'speaker', x.speaker, 'about', x.about) order by x.starts_at, x.place), '[]')
      from app.event_programme x where x.org_id = e.org_id and x.event_id = e.id),
    'tickets', (select coalesce(jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name, 'description', t.description, 'amount', t.price_amount, 'currency', t.price_currency, 'audience', t.audience,
        'left', case when t.quota is not null then app_private.tickets_left(t.org_id, t.id) end, 'onSale', coalesce(t.sells_from <= now(), true) and coalesce(t.sells_until > now(), true)) order by t.place, t.id), '[]')
      from app.event_ticket_types t where t.org_id = e.org_id and t.event_id = e.id and t.archived_at is null and t.audience <> 'staff'),
    'questions', (select coalesce(jsonb_agg(jsonb_build_object('id', q.id, 'text', q.text, 'kind', q.kind, 'required', q.required, 'options', to_jsonb(q.options), 'ofGuests', q.of_guests) order by q.place, q.id), '[]')
      from app.event_questions q where q.org_id = e.org_id and q.event_id = e.id and q.archived_at is null))
  from app.events e join app.event_counts n on n.org_id = e.org_id and n.event_id = e.id
  where e.org_id = app.token_organisation(idp_org) and e.id = event and e.visibility in ('public', 'unlisted') and e.status in ('published', 'cancelled')
$$;
comment on function app.public_event(text, uuid) is 'The page of an event for everybody, once it is published: of a public one, and of an unlisted one by its address';

create function app.register_guest(idp_org text, event uuid, wanted jsonb) returns jsonb language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org constant uuid := app.token_organisation(idp_org);
  e app.events;
  n app.event_counts;
  t app.event_ticket_types;
  mail constant text := btrim(wanted ->> 'email');
  guests constant jsonb := coalesce(wanted -> 'guests', '[]');
  party constant int := 1 + jsonb_array_length(coalesce(wanted -> 'guests', '[]'));
  left_now int;
  becomes text;
  first uuid;
begin
  select * into e from app.events x where x.org_id = org and x.id = event and x.visibility in ('public', 'unlisted') and x.status = 'published';
  if e.id is null or mail = '' then return null; end if;
  if e.registration_opens_at > now() then return jsonb_build_object('refused', 'registration_not_open'); end if;
  if app_private.closes_at(e) <= now() then return jsonb_build_object('refused', 'registration_closed'); end if;
  if party - 1 > e.guests_per_person then return jsonb_build_object('refused', 'registration_guests'); end if;
  if exists (select from app.event_ticket_types x where x.org_id = org and x.event_id = e.id and x.archived_at is null) then
    select * into t from app.event_ticket_types x where x.org_id = org and x.event_id = e.id and x.archived_at is null and x.audience = 'everyone' and x.id = (wanted ->> 'ticketTypeId')::uuid;
    if t.id is null then return jsonb_build_object('refused', 'ticket_needed'); end if;
    if t.price_amount > 0 then return jsonb_build_object('refused', 'registration_needs_account'); end if;
    if t.sells_from > now() or t.sells_until <= now() then return jsonb_build_object('refused', 'ticket_not_on_sale'); end if;
    if party not between t.min_per_order and greatest(t.max_per_order, 1 + e.guests_per_person) then return jsonb_build_object('refused', 'ticket_per_order'); end if;
  end if;

  n := app_private.hold_event(org, event);
  select * into e from app.events x where x.org_id = org and x.id = event;
  if e.status <> 'published' then return jsonb_build_object('refused', 'registration_closed'); end if;
  select r.id into first from app.registrations r where r.org_id = org and r.event_id = e.id and r.host_id is null and lower(r.email) = lower(mail) and r.status not in ('cancelled', 'rejected')
    order by r.person_id is not null limit 1;
  if first is not null then
    -- Whoever has that address gets the link again, once an hour; the answer is the same as to a new one.
    perform app_private.add_mail(org, null, jsonb_build_object('template', 'event-guest', 'address', mail, 'essential', true, 'params', jsonb_build_object('registration', first),
      'dedupe_key', 'event-guest:' || first || ':' || to_char(now() at time zone 'UTC', 'YYYYMMDDHH24')));
    return jsonb_build_object('done', true);
  end if;

  left_now := least(app_private.seats_left(e, n), app_private.tickets_left(org, t.id));
  if left_now < party and app_private.expire_seats(org, event) > 0 then
    n := app_private.hold_event(org, event);
    left_now := least(app_private.seats_left(e, n), app_private.tickets_left(org, t.id));
  end if;
  if e.needs_approval then becomes := 'pending_approval';
  elsif left_now >= party then becomes := 'confirmed';
  elsif left_now > 0 then return jsonb_build_object('refused', 'event_seats_left', 'left', left_now);
  elsif not e.waiting_list or e.starts_at <= now() then return jsonb_build_object('refused', 'event_full');
  elsif party > 1 then return jsonb_build_object('refused', 'event_guests_wait');
  else becomes := 'waitlisted';
  end if;
  insert into app.registrations (org_id, event_id, chapter_id, group_id, ticket_type_id, status, cause, name, email, answers, source, price_amount, price_currency, waiting_place, confirmed_at)
    values (org, e.id, e.chapter_id, e.group_id, t.id, becomes, case becomes when 'waitlisted' then 'waiting' else 'registered' end, wanted ->> 'name', mail, coalesce(wanted -> 'answers', '[]'), 'public', 0,
      coalesce(t.price_currency, (select o.currency from app.organisations o where o.org_id = org)),
      case when becomes = 'waitlisted' then 1 + coalesce((select max(w.waiting_place) from app.registrations w where w.org_id = org and w.event_id = e.id), 0) end,
      case when becomes = 'confirmed' then now() end)
    returning id into first;
  insert into app.registrations (org_id, event_id, chapter_id, group_id, host_id, ticket_type_id, status, cause, name, email, answers, source, price_amount, price_currency, confirmed_at)
    select org, e.id, e.chapter_id, e.group_id, first, t.id, becomes, 'registered', g.guest ->> 'name', '', coalesce(g.guest -> 'answers', '[]'), 'public', 0,
      coalesce(t.price_currency, (select o.currency from app.organisations o where o.org_id = org)), case when becomes = 'confirmed' then now() end
    from jsonb_array_elements(guests) with ordinality g (guest, place) order by g.place;
  perform app_private.add_mail(org, null, jsonb_build_object('template', 'event-guest', 'address', mail, 'essential', true, 'params', jsonb_build_object('registration', first),
    'dedupe_key', 'event-guest:' || first));
  return jsonb_build_object('done', true);
end $$;
comment on function app.register_guest(text, uuid, jsonb) is 'Registers somebody without an account for a public or unlisted event, where that is free; the link to manage it goes to their address only. The answer is the same where the address is registered already';

-- The link of a registration ------------------------------------------------------------------------------------------------------------

create function app.registration_to_manage(org uuid, registration uuid) returns jsonb language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select app_private.public_event_facts(e) || jsonb_build_object('registrationId', r.id, 'status', r.status, 'eventStatus', e.status, 'cancelReason', e.cancel_reason, 'name', r.name, 'email', r.email,
    'ticket', (select t.name from app.event_ticket_types t where t.org_id = r.org_id and t.id = r.ticket_type_id), 'ticketVersion', r.ticket_version,
    'guests', (select coalesce(jsonb_agg(g.name order by g.sort_name, g.id), '[]') from app.registrations g where g.org_id = r.org_id and g.host_id = r.id and g.status not in ('cancelled', 'rejected')),
    'position', case when r.status = 'waitlisted' then (select count(*) from app.registrations w where w.org_id = r.org_id and w.event_id = r.event_id and w.status = 'waitlisted' and w.waiting_place <= r.waiting_place) end,
    'offerUntil', r.offer_until, 'mayCancel', r.status not in ('cancelled', 'rejected', 'checked_in') and coalesce(e.cancel_until, e.starts_at) > now() and r.person_id is null,
    'mayAccept', r.status = 'offered' and r.offer_until > now() and r.person_id is null and r.price_amount = 0, 'isMember', r.person_id is not null,
    'link', case when r.status in ('confirmed', 'checked_in') then (select l.url from app.event_links l where l.org_id = e.org_id and l.event_id = e.id) end,
    'description', e.description, 'sequence', e.sequence, 'createdAt', e.created_at, 'updatedAt', e.updated_at, 'orgId', r.org_id)
  from app.registrations r join app.events e on e.org_id = r.org_id and e.id = r.event_id
  where r.org_id = org and r.id = registration and e.status in ('published', 'cancelled') and e.ends_at + interval '30 days' > now()
$$;
comment on function app.registration_to_manage(uuid, uuid) is 'A registration as the mail to its address tells it; for the worker';

create function app.registration_by_link(idp_org text, secret_hash text) returns jsonb language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select app.registration_to_manage(l.org_id, l.subject_id) from app.open_link(idp_org, 'registrations', secret_hash) l
$$;
comment on function app.registration_by_link(text, text) is 'The registration that a link is about, while the link is valid';

create function app.change_registration_by_link(idp_org text, secret_hash text, what text) returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  l record;
  r app.registrations;
  e app.events;
begin
  select * into l from app.open_link(idp_org, 'registrations', secret_hash);
  if l.id is null then return false; end if;
  select x.* into r from app.registrations x where x.org_id = l.org_id and x.id = l.subject_id;
  perform app_private.hold_event(l.org_id, r.event_id);
  select x.* into r from app.registrations x where x.org_id = l.org_id and x.id = l.subject_id;
  select x.* into e from app.events x where x.org_id = l.org_id and x.id = r.event_id;
  -- Of people with an account, and where money is involved, it is done by those who are signed in.
  if r.id is null or r.person_id is not null then return false; end if;
  if what = 'accept' and r.status = 'offered' and r.offer_until > now() and r.price_amount = 0 then
    perform app_private.seat_registration(r, e, 'accepted', 15);
    return true;
  elsif what = 'cancel' and r.status not in ('cancelled', 'rejected', 'checked_in') and coalesce(e.cancel_until, e.starts_at) > now() then
    update app.registrations x set status = 'cancelled', cause = case when x.status in ('waitlisted', 'pending_approval') then 'withdrawn' when x.status = 'offered' then 'declined' else 'cancelled' end,
        cancelled_at = now(), hold_until = null, offer_until = null, waiting_place = null,
        refund_amount = case when x.status = 'confirmed' and app_private.registration_paid(x.org_id, x.id) then x.price_amount else 0 end
      where x.org_id = r.org_id and (x.id = r.id or x.host_id = r.id) and x.status not in ('cancelled', 'rejected', 'checked_in');
    perform app_private.offer_seats(r.org_id, r.event_id);
    return true;
  end if;
  return false;
end $$;
comment on function app.change_registration_by_link(text, text, text) is 'Gives a seat back, or takes one that is offered, by the link of a registration; whether anything changed';

create function app_private.registration_links_end() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update app.signed_links l set revoked_at = now() where l.org_id = new.org_id and l.purpose = 'registrations' and l.subject_id = new.id and l.revoked_at is null;
  return null;
end $$;
comment on function app_private.registration_links_end() is 'The links of whoever had a ticket before open it no more';
create trigger registration_links_end after update of ticket_version, email on app.registrations for each row
  when (new.ticket_version <> old.ticket_version or new.email <> old.email) execute function app_private.registration_links_end();

-- Many register in the minute that an event opens, and classes and offices share an address.
create or replace function app.count_attempt(org uuid, what text, places text[]) returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  -- Address or /64, /56, /24 or /48, /16 or /32, everybody.
  allowed constant int[] := case what when 'register' then array[30, 60, 100, 400, 20000] else array[10, 15, 20, 60, 200] end;
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
comment on function app.count_attempt(uuid, text, text[]) is 'Whether something that anybody may do, such as writing to the administrators, may be done once more within the hour: 10 times from one address (IPv4) or /64 (IPv6), 15 from a /56, 20 from a /24 or /48, 60 from a /16 or /32, 200 in all; registering for events 30, 60, 100, 400, 20,000 times. Places go from narrow to wide, null where there is no such network';

select app_private.own_definers();
grant execute on function app.public_events(text, text, int), app.public_event(text, uuid), app.register_guest(text, uuid, jsonb), app.registration_by_link(text, text),
  app.change_registration_by_link(text, text, text) to app_access;
grant execute on function app.registration_to_manage(uuid, uuid) to app_worker, app_definer;
