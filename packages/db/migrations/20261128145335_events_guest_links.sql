-- What people without an account do by the link of their registration: change answers, print the ticket, use a promo code. And what strangers do not
-- learn by registering: an answer never says whether an address is registered.

-- What cancelling means, said once: for those who are signed in, and for whoever has the link.
create function app_private.give_back_seat(r app.registrations, why text) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  -- Guests come with their host or not at all.
  update app.registrations x set status = 'cancelled', cause = case when x.status in ('waitlisted', 'pending_approval') then 'withdrawn' when x.status = 'offered' then 'declined' else 'cancelled' end,
      reason = coalesce(why, ''), cancelled_at = now(), hold_until = null, offer_until = null, waiting_place = null,
      refund_amount = case when x.status = 'confirmed' and app_private.registration_paid(x.org_id, x.id) then x.price_amount else 0 end
    where x.org_id = r.org_id and (x.id = r.id or x.host_id = r.id) and x.status not in ('cancelled', 'rejected', 'checked_in');
  perform app_private.offer_seats(r.org_id, r.event_id);
end $$;
comment on function app_private.give_back_seat(app.registrations, text) is 'Cancels a registration, with those of its guests, notes what was paid for it, and offers the seats to the next; its event is held';

create or replace function app.cancel_registration(registration uuid, why text) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  h record;
begin
  select * into h from app_private.registration_held(registration);
  if (h.r).status in ('cancelled', 'rejected') then return; end if;
  if (h.r).status = 'checked_in' then raise exception 'undo the check-in first' using errcode = '23P01', constraint = 'registration_checked_in'; end if;
  if not h.runs and coalesce((h.e).cancel_until, (h.e).starts_at) <= now() then
    raise exception 'the time to cancel is over' using errcode = '23P01', constraint = 'registration_cancel_late', detail = json_build_object('at', coalesce((h.e).cancel_until, (h.e).starts_at))::text;
  end if;
  perform app_private.give_back_seat(h.r, why);
end $$;

-- By link ---------------------------------------------------------------------------------------------------------------------------------

create function app_private.managed_by_link(r app.registrations) returns boolean language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select r.person_id is null or not exists (select from app.accounts a where a.org_id = r.org_id and a.person_id = r.person_id)
$$;
comment on function app_private.managed_by_link(app.registrations) is 'Whether its link changes a registration: of people with an account, signing in does';

create or replace function app.registration_to_manage(org uuid, registration uuid) returns jsonb language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select app_private.public_event_facts(e) || jsonb_build_object('registrationId', r.id, 'status', r.status, 'eventStatus', e.status, 'cancelReason', e.cancel_reason, 'name', r.name, 'email', r.email,
    'ticket', (select t.name from app.event_ticket_types t where t.org_id = r.org_id and t.id = r.ticket_type_id), 'ticketVersion', r.ticket_version,
    'guests', (select coalesce(jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name, 'status', g.status, 'answers', g.answers) order by g.sort_name, g.id), '[]')
      from app.registrations g where g.org_id = r.org_id and g.host_id = r.id and g.status not in ('cancelled', 'rejected')),
    'position', case when r.status = 'waitlisted' then (select count(*) from app.registrations w where w.org_id = r.org_id and w.event_id = r.event_id and w.status = 'waitlisted' and w.waiting_place <= r.waiting_place) end,
    'offerUntil', r.offer_until, 'mayCancel', r.status not in ('cancelled', 'rejected', 'checked_in') and coalesce(e.cancel_until, e.starts_at) > now() and app_private.managed_by_link(r),
    'mayAccept', r.status = 'offered' and r.offer_until > now() and app_private.managed_by_link(r) and r.price_amount = 0, 'isMember', not app_private.managed_by_link(r),
    'mayAnswer', r.status not in ('cancelled', 'rejected') and e.status = 'published' and e.starts_at > now() and app_private.managed_by_link(r), 'answers', r.answers,
    'questions', (select coalesce(jsonb_agg(jsonb_build_object('id', q.id, 'text', q.text, 'kind', q.kind, 'required', q.required, 'options', to_jsonb(q.options), 'ofGuests', q.of_guests) order by q.place, q.id), '[]')
      from app.event_questions q where q.org_id = e.org_id and q.event_id = e.id and q.archived_at is null and (r.host_id is null or q.of_guests)),
    'link', case when r.status in ('confirmed', 'checked_in') then (select l.url from app.event_links l where l.org_id = e.org_id and l.event_id = e.id) end,
    'description', e.description, 'sequence', e.sequence, 'createdAt', e.created_at, 'updatedAt', e.updated_at, 'orgId', r.org_id)
  from app.registrations r join app.events e on e.org_id = r.org_id and e.id = r.event_id
  where r.org_id = org and r.id = registration and e.status in ('published', 'cancelled') and e.ends_at + interval '30 days' > now()
$$;

-- Everybody's ticket of a party: a guest with an address of their own gets it there.
create function app.registration_tickets(org uuid, registration uuid) returns jsonb language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select jsonb_build_object('title', e.title, 'mode', e.mode, 'startsAt', e.starts_at, 'endsAt', e.ends_at, 'timezone', e.timezone, 'venueName', e.venue_name, 'venueAddress', e.venue_address,
    'ticket', (select t.name from app.event_ticket_types t where t.org_id = r.org_id and t.id = r.ticket_type_id), 'seats',
    (select jsonb_agg(jsonb_build_object('registrationId', s.id, 'version', s.ticket_version, 'name', s.name) order by s.host_id nulls first, s.sort_name, s.id) from app.registrations s
      where s.org_id = r.org_id and s.status in ('confirmed', 'checked_in') and (s.id = r.id or (s.host_id = r.id and s.person_id is null and s.email = ''))))
  from app.registrations r join app.events e on e.org_id = r.org_id and e.id = r.event_id
  where r.org_id = org and r.id = registration and r.status in ('confirmed', 'checked_in') and e.status = 'published'
$$;
comment on function app.registration_tickets(uuid, uuid) is 'The tickets of a confirmed registration and of its guests without an address of their own; for the worker';

create function app.tickets_by_link(idp_org text, secret_hash text) returns jsonb language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select app.registration_tickets(l.org_id, l.subject_id) from app.open_link(idp_org, 'registrations', secret_hash) l
$$;
comment on function app.tickets_by_link(text, text) is 'The same for whoever has the link of the registration';

create function app_private.registration_of_link(idp_org text, secret_hash text, out r app.registrations, out e app.events) language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  l record;
begin
  select * into l from app.open_link(idp_org, 'registrations', secret_hash);
  if l.id is null then return; end if;
  select x.* into r from app.registrations x where x.org_id = l.org_id and x.id = l.subject_id;
  perform app_private.hold_event(l.org_id, r.event_id);
  select x.* into r from app.registrations x where x.org_id = l.org_id and x.id = l.subject_id;
  if r.id is not null and not app_private.managed_by_link(r) then r := null; end if;
  select x.* into e from app.events x where x.org_id = r.org_id and x.id = r.event_id;
end $$;
comment on function app_private.registration_of_link(text, text) is 'The registration that a link may change, and its event, held until this transaction ends; nothing otherwise';

create or replace function app.change_registration_by_link(idp_org text, secret_hash text, what text) returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  h record;
begin
  select * into h from app_private.registration_of_link(idp_org, secret_hash);
  if (h.r).id is null then return false; end if;
  -- Where money is involved, it is done by those who are signed in.
  if what = 'accept' and (h.r).status = 'offered' and (h.r).offer_until > now() and (h.r).price_amount = 0 then
    perform app_private.seat_registration(h.r, h.e, 'accepted', 15);
    return true;
  elsif what = 'cancel' and (h.r).status not in ('cancelled', 'rejected', 'checked_in') and coalesce((h.e).cancel_until, (h.e).starts_at) > now() then
    perform app_private.give_back_seat(h.r, '');
    return true;
  end if;
  return false;
end $$;

create function app.answer_registration_by_link(idp_org text, secret_hash text, said jsonb) returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  h record;
begin
  select * into h from app_private.registration_of_link(idp_org, secret_hash);
  if (h.r).id is null or (h.r).status in ('cancelled', 'rejected') or (h.e).status <> 'published' or (h.e).starts_at <= now() then return false; end if;
  update app.registrations x set answers = coalesce((select u.one -> 'answers' from jsonb_array_elements(said) u (one) where (u.one ->> 'id')::uuid = x.id limit 1), x.answers)
    where x.org_id = (h.r).org_id and (x.id = (h.r).id or x.host_id = (h.r).id) and x.status not in ('cancelled', 'rejected') and x.id in (select (u.one ->> 'id')::uuid from jsonb_array_elements(said) u (one));
  return found;
end $$;
comment on function app.answer_registration_by_link(text, text, jsonb) is 'Replaces the answers of a registration and its guests by its link, until the event begins; whether it did';

-- The link again ----------------------------------------------------------------------------------------------------------------------------

create function app_private.mail_link_again(e app.events, mail text) returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
  -- Once an hour for each registration.
  select app_private.add_mail(e.org_id, null, jsonb_build_object('template', 'event-guest', 'address', mail, 'essential', true, 'params', jsonb_build_object('registration', r.id),
      'dedupe_key', 'event-guest:' || r.id || ':' || to_char(now() at time zone 'UTC', 'YYYYMMDDHH24')))
    from (select x.id from app.registrations x where x.org_id = e.org_id and x.event_id = e.id and lower(x.email) = lower(mail) and x.status not in ('cancelled', 'rejected')
      order by x.host_id nulls first, x.person_id is not null limit 1) r
$$;
comment on function app_private.mail_link_again(app.events, text) is 'Mails the link to manage a registration to its address again';

create function app.mail_registration_link(idp_org text, event uuid, mail text) returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  e app.events;
begin
  select * into e from app.events x where x.org_id = app.token_organisation(idp_org) and x.id = event and x.visibility in ('public', 'unlisted') and x.status in ('published', 'cancelled');
  if e.id is null then return false; end if;
  if e.ends_at + interval '30 days' > now() then perform app_private.mail_link_again(e, btrim(mail)); end if;
  return true;
end $$;
comment on function app.mail_registration_link(text, uuid, text) is 'Mails the link to manage a registration of a public event to its address, if there is one; the answer says only whether there is such an event';

-- Registering ---------------------------------------------------------------------------------------------------------------------------------

do $$
declare
  page constant text := pg_get_functiondef('app.public_event(text, uuid)'::regprocedure);
  codes constant text := $codes$'promoCodes', exists (select from app.event_promo_codes p where p.org_id = e.org_id and p.event_id = e.id and p.archived_at is null and coalesce(p.valid_from <= now(), true) and coalesce(p.valid_until > now(), true)),
    'questions',$codes$;
begin
  if strpos(page, '    ''questions'',') = 0 then raise exception 'app.public_event is written otherwise by now'; end if;
  execute replace(page, '''questions'',', codes);
end $$;

create or replace function app.register_guest(idp_org text, event uuid, wanted jsonb) returns jsonb language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org constant uuid := app.token_organisation(idp_org);
  e app.events;
  n app.event_counts;
  t app.event_ticket_types;
  p app.event_promo_codes;
  mail constant text := btrim(wanted ->> 'email');
  guests constant jsonb := coalesce(wanted -> 'guests', '[]');
  party constant int := 1 + jsonb_array_length(coalesce(wanted -> 'guests', '[]'));
  price bigint := 0;
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
    if t.sells_from > now() or t.sells_until <= now() then return jsonb_build_object('refused', 'ticket_not_on_sale'); end if;
    if party not between t.min_per_order and greatest(t.max_per_order, 1 + e.guests_per_person) then return jsonb_build_object('refused', 'ticket_per_order'); end if;
  end if;
  if nullif(btrim(wanted ->> 'promoCode'), '') is not null then
    select * into p from app.event_promo_codes x where x.org_id = org and x.event_id = e.id and x.code = upper(btrim(wanted ->> 'promoCode')) and x.archived_at is null
      and (x.ticket_type_id is null or x.ticket_type_id = t.id) and coalesce(x.valid_from <= now(), true) and coalesce(x.valid_until > now(), true);
    if p.id is null then return jsonb_build_object('refused', 'promo_code_invalid'); end if;
  end if;
  if t.id is not null then price := app_private.ticket_price(org, t, null, p); end if;
  if price > 0 then return jsonb_build_object('refused', 'registration_needs_account'); end if;

  n := app_private.hold_event(org, event);
  select * into e from app.events x where x.org_id = org and x.id = event;
  if e.status <> 'published' then return jsonb_build_object('refused', 'registration_closed'); end if;
  left_now := least(app_private.seats_left(e, n), app_private.tickets_left(org, t.id));
  if left_now < party and app_private.expire_seats(org, event) > 0 then
    n := app_private.hold_event(org, event);
    left_now := least(app_private.seats_left(e, n), app_private.tickets_left(org, t.id));
  end if;
  select r.id into first from app.registrations r where r.org_id = org and r.event_id = e.id and r.host_id is null and lower(r.email) = lower(mail) and r.status not in ('cancelled', 'rejected') limit 1;
  -- Whoever has that address gets the link again; the answer is the same as to anybody, also where it is a refusal.
  if first is not null then perform app_private.mail_link_again(e, mail); end if;
  if p.uses_limit is not null and (select count(*) from app.registrations r where r.org_id = org and r.promo_code_id = p.id and r.status not in ('cancelled', 'rejected')) + party > p.uses_limit then
    return jsonb_build_object('refused', 'promo_code_used_up');
  end if;
  if e.needs_approval then becomes := 'pending_approval';
  elsif left_now >= party then becomes := 'confirmed';
  elsif left_now > 0 then return jsonb_build_object('refused', 'event_seats_left', 'left', left_now);
  elsif not e.waiting_list or e.starts_at <= now() then return jsonb_build_object('refused', 'event_full');
  elsif party > 1 then return jsonb_build_object('refused', 'event_guests_wait');
  else becomes := 'waitlisted';
  end if;
  if first is not null then return jsonb_build_object('done', true); end if;

  insert into app.registrations (org_id, event_id, chapter_id, group_id, ticket_type_id, status, cause, name, email, answers, source, promo_code_id, price_amount, price_currency, waiting_place, confirmed_at)
    values (org, e.id, e.chapter_id, e.group_id, t.id, becomes, case becomes when 'waitlisted' then 'waiting' else 'registered' end, wanted ->> 'name', mail, coalesce(wanted -> 'answers', '[]'), 'public', p.id, 0,
      coalesce(t.price_currency, (select o.currency from app.organisations o where o.org_id = org)),
      case when becomes = 'waitlisted' then 1 + coalesce((select max(w.waiting_place) from app.registrations w where w.org_id = org and w.event_id = e.id), 0) end,
      case when becomes = 'confirmed' then now() end)
    returning id into first;
  insert into app.registrations (org_id, event_id, chapter_id, group_id, host_id, ticket_type_id, status, cause, name, email, answers, source, promo_code_id, price_amount, price_currency, confirmed_at)
    select org, e.id, e.chapter_id, e.group_id, first, t.id, becomes, 'registered', g.guest ->> 'name', '', coalesce(g.guest -> 'answers', '[]'), 'public', p.id, 0,
      coalesce(t.price_currency, (select o.currency from app.organisations o where o.org_id = org)), case when becomes = 'confirmed' then now() end
    from jsonb_array_elements(guests) with ordinality g (guest, place) order by g.place;
  perform app_private.add_mail(org, null, jsonb_build_object('template', 'event-guest', 'address', mail, 'essential', true, 'params', jsonb_build_object('registration', first),
    'dedupe_key', 'event-guest:' || first));
  return jsonb_build_object('done', true);
end $$;
comment on function app.register_guest(text, uuid, jsonb) is 'Registers somebody without an account for a public or unlisted event, where nothing is to be paid; the link to manage it goes to their address only. The answer is the same where the address is registered already';

select app_private.own_definers();
grant execute on function app.answer_registration_by_link(text, text, jsonb), app.tickets_by_link(text, text), app.mail_registration_link(text, uuid, text) to app_access;
grant execute on function app.registration_tickets(uuid, uuid) to app_worker, app_definer;
grant execute on function app_private.give_back_seat(app.registrations, text), app_private.managed_by_link(app.registrations), app_private.registration_of_link(text, text),
  app_private.mail_link_again(app.events, text) to app_definer;
