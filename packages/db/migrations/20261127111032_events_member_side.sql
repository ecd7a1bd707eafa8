-- What a member does before and after registering: asks what it costs, and changes answers.

-- Prices as registering would charge them; nobody guesses codes in the list of an event, which members do not read.
create function app.registration_price(event uuid, wanted jsonb) returns jsonb language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  org constant uuid := app.org_id();
  e app.events;
  t app.event_ticket_types;
  p app.event_promo_codes;
  runs boolean;
  person uuid := coalesce((wanted ->> 'personId')::uuid, case when wanted ->> 'name' is null then app.person_id() end);
  guests constant int := coalesce((wanted ->> 'guests')::int, 0);
  price bigint := 0;
  guest_price bigint := 0;
begin
  select * into e from app.events x where x.org_id = org and x.id = event;
  runs := e.id is not null and app_private.runs_event(e, 'events.manage');
  if e.id is null or not (runs or app_private.sees_event(e)) then raise exception 'not allowed' using errcode = '42501'; end if;
  if person is distinct from app.person_id() and not runs then raise exception 'registering others is for those who run the event' using errcode = '42501', constraint = 'registration_for_others'; end if;
  if person is not null and not exists (select from app.people q where q.org_id = org and q.id = person) then
    raise exception 'there is no such person' using errcode = '23514', constraint = 'person_not_found';
  end if;
  select * into t from app.event_ticket_types x where x.org_id = org and x.event_id = e.id and x.id = (wanted ->> 'ticketTypeId')::uuid and x.archived_at is null;
  if t.id is null and wanted ->> 'ticketTypeId' is not null then raise exception 'there is no such ticket' using errcode = '23514', constraint = 'ticket_unknown'; end if;
  if nullif(btrim(wanted ->> 'promoCode'), '') is not null then
    select * into p from app.event_promo_codes x where x.org_id = org and x.event_id = e.id and x.code = upper(btrim(wanted ->> 'promoCode')) and x.archived_at is null
      and (x.ticket_type_id is null or x.ticket_type_id = t.id) and coalesce(x.valid_from <= now(), true) and coalesce(x.valid_until > now(), true);
    if p.id is null then raise exception 'this code is not valid here' using errcode = '23514', constraint = 'promo_code_invalid'; end if;
    if p.uses_limit is not null and (select count(*) from app.registrations r where r.org_id = org and r.promo_code_id = p.id and r.status not in ('cancelled', 'rejected')) + 1 + guests > p.uses_limit then
      raise exception 'this code has been used up' using errcode = '23P01', constraint = 'promo_code_used_up';
    end if;
  end if;
  if t.id is not null then
    price := app_private.ticket_price(org, t, person, p);
    guest_price := app_private.ticket_price(org, t, null, p);
  end if;
  return jsonb_build_object('price', price, 'guestPrice', guest_price, 'total', price + guests * guest_price,
    'currency', coalesce(t.price_currency, (select o.currency from app.organisations o where o.org_id = org)));
end $$;
comment on function app.registration_price(uuid, jsonb) is 'What registering would cost the caller, or, asked by those who run the event, somebody else: with guests and a promo code';

create function app.answer_registration(registration uuid, said jsonb) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  h record;
begin
  select * into h from app_private.registration_held(registration);
  if (h.r).status in ('cancelled', 'rejected') or (not h.runs and (h.e).starts_at <= now()) then
    raise exception 'answers are changed before the event begins' using errcode = '23P01', constraint = 'registration_move';
  end if;
  update app.registrations x set answers = said where x.org_id = (h.r).org_id and x.id = registration;
end $$;
comment on function app.answer_registration(uuid, jsonb) is 'Replaces the answers of a registration';

select app_private.own_definers();
grant execute on function app.registration_price(uuid, jsonb), app.answer_registration(uuid, jsonb) to app_access, app_definer;
