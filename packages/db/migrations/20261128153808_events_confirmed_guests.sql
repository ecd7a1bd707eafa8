-- Seats that are limited are held for an hour until the link in the mail confirms them, so that nobody takes them under addresses that are not theirs.

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
  money text;
  waits_at int;
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
  if price > 0 and not coalesce((wanted ->> 'pays')::boolean, false) then return jsonb_build_object('refused', 'registration_needs_account'); end if;

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
  elsif left_now >= party then becomes := case when price > 0 then 'pending_payment' when left_now < 1000000 then 'offered' else 'confirmed' end;
  elsif left_now > 0 then return jsonb_build_object('refused', 'event_seats_left', 'left', left_now);
  elsif not e.waiting_list or e.starts_at <= now() then return jsonb_build_object('refused', 'event_full');
  elsif party > 1 then return jsonb_build_object('refused', 'event_guests_wait');
  else becomes := 'waitlisted';
  end if;
  if first is not null then return jsonb_build_object('done', true, 'pays', becomes = 'pending_payment', 'confirms', becomes = 'offered'); end if;

  waits_at := case when becomes in ('waitlisted', 'offered') then 1 + coalesce((select max(w.waiting_place) from app.registrations w where w.org_id = org and w.event_id = e.id), 0) end;
  money := coalesce(t.price_currency, (select o.currency from app.organisations o where o.org_id = org));
  insert into app.registrations (org_id, event_id, chapter_id, group_id, ticket_type_id, status, cause, name, email, answers, source, promo_code_id, price_amount, price_currency, hold_until, offer_until, waiting_place, confirmed_at)
    values (org, e.id, e.chapter_id, e.group_id, t.id, becomes, case becomes when 'waitlisted' then 'waiting' else 'registered' end, wanted ->> 'name', mail, coalesce(wanted -> 'answers', '[]'), 'public', p.id, price, money,
      case when becomes = 'pending_payment' then now() + app_private.guest_hold() end, case when becomes = 'offered' then now() + interval '1 hour' end, waits_at,
      case when becomes = 'confirmed' then now() end)
    returning id into first;
  insert into app.registrations (org_id, event_id, chapter_id, group_id, host_id, ticket_type_id, status, cause, name, email, answers, source, promo_code_id, price_amount, price_currency, hold_until, offer_until, waiting_place, confirmed_at)
    select org, e.id, e.chapter_id, e.group_id, first, t.id, becomes, 'registered', g.guest ->> 'name', '', coalesce(g.guest -> 'answers', '[]'), 'public', p.id, price, money,
      case when becomes = 'pending_payment' then now() + app_private.guest_hold() end, case when becomes = 'offered' then now() + interval '1 hour' end, waits_at,
      case when becomes = 'confirmed' then now() end
    from jsonb_array_elements(guests) with ordinality g (guest, place) order by g.place;
  perform app_private.add_mail(org, null, jsonb_build_object('template', 'event-guest', 'address', mail, 'essential', true, 'params', jsonb_build_object('registration', first),
    'dedupe_key', 'event-guest:' || first));
  return jsonb_build_object('done', true, 'pays', becomes = 'pending_payment', 'confirms', becomes = 'offered');
end $$;
comment on function app.register_guest(text, uuid, jsonb) is 'Registers somebody without an account for a public or unlisted event; where it costs something, the seat is held until it is paid, and where seats are limited, until the link confirms it. The link to manage and pay it goes to their address only, and the answer is the same where the address is registered already';

-- Of the waiting list is only what waited.
do $$
declare
  follow constant text := pg_get_functiondef('app.event_follow_up(uuid)'::regprocedure);
  behind constant text := pg_get_functiondef('app.waiting_registrations(uuid, text)'::regprocedure);
  lines constant text := 'l.org_id = app.org_id() and l.event_id = event';
  waited constant text := lines || ' and exists (select from app.event_ledger w where w.org_id = l.org_id and w.registration_id = l.registration_id and w.after = ''waitlisted'')';
begin
  if strpos(follow, lines) = 0 or strpos(behind, lines) = 0 then raise exception 'the figures of the waiting list are written otherwise by now'; end if;
  execute replace(follow, lines, waited);
  execute replace(behind, lines, waited);
end $$;

select app_private.own_definers();
