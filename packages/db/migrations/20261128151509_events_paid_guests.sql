-- Tickets with a price for people without an account. The seat is held, the link in the mail leads to the payment, and only then is there an invoice: for the
-- person in the directory with that address and name, or a new one. See docs/decisions on paid tickets without an account.

create function app_private.guest_hold() returns interval language sql immutable set search_path = pg_catalog, pg_temp as $$
  select interval '30 minutes'
$$;
comment on function app_private.guest_hold() is 'How long a seat is held for somebody without an account: they pay by a link that comes by mail';

create function app_private.must_pay(r app.registrations) returns boolean language sql immutable set search_path = pg_catalog, pg_temp as $$
  select r.price_amount > 0 and (r.payer_id is not null or r.source = 'public')
$$;
comment on function app_private.must_pay(app.registrations) is 'Whether a registration waits for its payment before it is confirmed; of those that organisers enter by name nobody is charged';

create or replace function app_private.charge_registrations(org uuid, title text, ids uuid[]) returns uuid language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  made uuid;
  wanted jsonb;
begin
  -- Nobody is signed in behind a link: there the invoice is issued when somebody begins to pay (app.begin_registration_payment).
  if (app.actor()).org_id is null and not pg_has_role(session_user, 'app_worker', 'member') then return null; end if;
  wanted := (select jsonb_build_object('personId', min(r.payer_id::text), 'currency', min(r.price_currency), 'reason', left(title, 200), 'dueOn', app_private.today_in(org),
      'dedupeKey', 'event_registration:' || min(r.id::text) || ':' || max(r.version), 'lines', jsonb_agg(jsonb_build_object('text', left(concat_ws(', ', title, t.name, r.name), 300),
        'amount', r.price_amount, 'subjectType', 'event_registration', 'subjectId', r.id) order by r.id))
    from app.registrations r left join app.event_ticket_types t on t.org_id = r.org_id and t.id = r.ticket_type_id
    where r.org_id = org and r.id = any (ids) and r.status = 'pending_payment' and r.price_amount > 0 and r.payer_id is not null having count(*) > 0);
  if wanted is null then return null; end if;
  made := app.draft_invoice(org, wanted);
  perform app.issue_invoice(org, made);
  return made;
end $$;

create or replace function app_private.seat_registration(r app.registrations, e app.events, why text, minutes int) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update app.registrations x set status = case when app_private.must_pay(x) then 'pending_payment' else 'confirmed' end, cause = why,
      hold_until = case when app_private.must_pay(x) then least(now() + greatest(make_interval(mins => minutes), case when x.source = 'public' then app_private.guest_hold() end), greatest(e.starts_at, now() + interval '15 minutes')) end,
      offer_until = null, waiting_place = null, confirmed_at = case when app_private.must_pay(x) then null else now() end
    where x.org_id = r.org_id and (x.id = r.id or (x.host_id = r.id and x.status = r.status));
  perform app_private.charge_registrations(r.org_id, e.title, (select array_agg(x.id) from app.registrations x where x.org_id = r.org_id and (x.id = r.id or x.host_id = r.id)));
end $$;

create or replace function app.settle_registration(org uuid, registration uuid, paid boolean) returns text language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  actor app.actor_context := app.actor();
  r app.registrations;
  e app.events;
  n app.event_counts;
begin
  if actor.org_id is not null and actor.org_id <> org then raise exception 'not allowed' using errcode = '42501'; end if;
  if actor.org_id is null and not pg_has_role(session_user, 'app_worker', 'member') then raise exception 'not allowed' using errcode = '42501'; end if;
  perform app_private.books_open(org);
  select x.* into r from app.registrations x where x.org_id = org and x.id = registration;
  if r.id is null then return null; end if;
  n := app_private.hold_event(org, r.event_id);
  select x.* into r from app.registrations x where x.org_id = org and x.id = registration;
  select x.* into e from app.events x where x.org_id = org and x.id = r.event_id;
  if paid is distinct from app_private.registration_paid(org, registration) then
    raise exception 'the invoice says otherwise' using errcode = '23514', constraint = 'registration_not_paid';
  end if;
  if r.refund_state is not null then
    -- Money that goes back by itself changes no status; where the payment was taken back in another way, nothing is due any more.
    if not paid and r.refund_state in ('due', 'by_hand', 'failed') then update app.registrations x set refund_amount = 0 where x.org_id = org and x.id = registration; end if;
  elsif paid and r.status = 'pending_payment' then
    update app.registrations x set status = 'confirmed', cause = 'paid', hold_until = null, confirmed_at = now() where x.org_id = org and x.id = registration;
  elsif paid and r.status = 'cancelled' and r.released_at is null then
    -- Paid after its hold was over: the seat, if one is free and nobody waits for it; else the money goes back. Guests come with their host or not at all.
    if e.status = 'published' and e.ends_at > now() and n.waiting = 0 and (r.host_id is null or exists (select from app.registrations h where h.org_id = org and h.id = r.host_id and h.status not in ('cancelled', 'rejected'))) and least(app_private.seats_left(e, n), app_private.tickets_left(org, r.ticket_type_id)) > 0
      and not exists (select from app.registrations x where x.org_id = org and x.event_id = r.event_id and x.status not in ('cancelled', 'rejected') and (x.person_id = r.person_id
        or (x.person_id is null and x.host_id is null and r.person_id is null and r.host_id is null and r.email <> '' and lower(x.email) = lower(r.email)))) then
      update app.registrations x set status = 'confirmed', cause = 'paid_late', confirmed_at = now(), cancelled_at = null where x.org_id = org and x.id = registration;
    else
      update app.registrations x set refund_amount = x.price_amount, release_at = null where x.org_id = org and x.id = registration;
    end if;
  elsif not paid and r.status = 'confirmed' and e.status <> 'cancelled' then
    update app.registrations x set status = 'cancelled', cause = 'payment_reversed', cancelled_at = now() where x.org_id = org and x.id = registration;
    perform app_private.offer_seats(org, r.event_id);
  end if;
  return (select x.status from app.registrations x where x.org_id = org and x.id = registration);
end $$;

create or replace function app_private.tell_registrants(news app_private.registration_news[]) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  me constant uuid := (app.actor()).account_id;
  g record;
begin
  for g in
    with told as (
      select r.*, e.title, k.kind, case when k.kind in ('payment', 'hold_expired') then coalesce(case when r.source <> 'public' then r.payer_id end, r.person_id) when k.kind = 'handed_over' then n.former_person else r.person_id end as to_person,
        case when k.kind = 'handed_over' then n.former_email else r.email end as to_email
      from unnest(news) n
        join app.registrations r on r.org_id = n.org_id and r.id = n.registration_id
        join app.events e on e.org_id = r.org_id and e.id = r.event_id and e.ends_at > now() and not e.records_attendance
        cross join lateral unnest(case when n.transferred then array['received', 'handed_over'] else array[app_private.news_of(n.before, r)] end) k (kind)
        left join app.event_mail_settings s on s.org_id = r.org_id and s.event_id = r.event_id and s.kind = k.kind
      where k.kind is not null and coalesce(s.enabled, true)
    ), written as (
      select t.org_id, app_private.add_mails(t.org_id, me, jsonb_agg(jsonb_build_object('template', 'event-registration', 'person', t.to_person, 'address', case when t.to_person is null then t.to_email end,
          'essential', true, 'params', jsonb_build_object('registration', t.id, 'news', t.kind), 'dedupe_key', concat_ws(':', 'registration', t.id, t.version, t.kind)) order by t.id)) as mails
        from told t where t.to_person is not null or t.to_email <> '' group by t.org_id
    )
    select t.org_id, t.event_id, t.title, t.kind, array_agg(distinct a.id) filter (where a.id is distinct from me) as accounts, (select count(*) from written) as written
      from told t join app.accounts a on a.org_id = t.org_id and a.person_id = t.to_person group by t.org_id, t.event_id, t.title, t.kind
    union all select null, null, null, null, null, count(*) from written
  loop
    if g.accounts is not null then
      perform app_private.tell(g.org_id, me, g.accounts, jsonb_build_object('kind', 'event-registration', 'record', g.event_id, 'params', jsonb_build_object('title', g.title, 'news', g.kind),
        'essential', false, 'mail', 'off'));
    end if;
  end loop;
end $$;

create or replace function app_private.people_leave_registrations() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update app.registrations r set name = 'Erased person', email = '', answers = '[]' where r.org_id = new.org_id and (r.person_id = new.id or (r.payer_id = new.id and r.person_id is null and r.host_id is null and r.source = 'public'));
  return null;
end $$;
comment on function app_private.people_leave_registrations() is 'Of somebody who was erased a seat stays, and no name; also where they paid for it without an account';

create or replace function app.registration_to_manage(org uuid, registration uuid) returns jsonb language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select app_private.public_event_facts(e) || jsonb_build_object('registrationId', r.id, 'status', r.status, 'eventStatus', e.status, 'cancelReason', e.cancel_reason, 'name', r.name, 'email', r.email,
    'ticket', (select t.name from app.event_ticket_types t where t.org_id = r.org_id and t.id = r.ticket_type_id), 'ticketVersion', r.ticket_version,
    'guests', (select coalesce(jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name, 'status', g.status, 'answers', g.answers) order by g.sort_name, g.id), '[]')
      from app.registrations g where g.org_id = r.org_id and g.host_id = r.id and g.status not in ('cancelled', 'rejected')),
    'position', case when r.status = 'waitlisted' then (select count(*) from app.registrations w where w.org_id = r.org_id and w.event_id = r.event_id and w.status = 'waitlisted' and w.waiting_place <= r.waiting_place) end,
    'offerUntil', r.offer_until, 'holdUntil', r.hold_until, 'currency', r.price_currency, 'mayPay', r.status = 'pending_payment' and r.hold_until > now() and app_private.managed_by_link(r),
    'total', (select sum(x.price_amount) from app.registrations x where x.org_id = r.org_id and (x.id = r.id or x.host_id = r.id) and x.status = r.status),
    'refund', (select sum(x.refund_amount) from app.registrations x where x.org_id = r.org_id and (x.id = r.id or x.host_id = r.id)),
    'isPaying', exists (select from app.invoice_lines l join app.payments p on p.org_id = l.org_id and p.invoice_id = l.invoice_id and p.state = 'pending' and p.provider_session is not null
      where l.org_id = r.org_id and l.subject_type = 'event_registration' and l.subject_id = r.id), 'mayCancel', r.status not in ('cancelled', 'rejected', 'checked_in') and coalesce(e.cancel_until, e.starts_at) > now() and app_private.managed_by_link(r),
    'mayAccept', r.status = 'offered' and r.offer_until > now() and app_private.managed_by_link(r), 'isMember', not app_private.managed_by_link(r),
    'mayAnswer', r.status not in ('cancelled', 'rejected') and e.status = 'published' and e.starts_at > now() and app_private.managed_by_link(r), 'answers', r.answers,
    'questions', (select coalesce(jsonb_agg(jsonb_build_object('id', q.id, 'text', q.text, 'kind', q.kind, 'required', q.required, 'options', to_jsonb(q.options), 'ofGuests', q.of_guests) order by q.place, q.id), '[]')
      from app.event_questions q where q.org_id = e.org_id and q.event_id = e.id and q.archived_at is null and (r.host_id is null or q.of_guests)),
    'link', case when r.status in ('confirmed', 'checked_in') then (select l.url from app.event_links l where l.org_id = e.org_id and l.event_id = e.id) end,
    'description', e.description, 'sequence', e.sequence, 'createdAt', e.created_at, 'updatedAt', e.updated_at, 'orgId', r.org_id)
  from app.registrations r join app.events e on e.org_id = r.org_id and e.id = r.event_id
  where r.org_id = org and r.id = registration and e.status in ('published', 'cancelled') and e.ends_at + interval '30 days' > now()
$$;

create or replace function app.change_registration_by_link(idp_org text, secret_hash text, what text) returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  h record;
begin
  select * into h from app_private.registration_of_link(idp_org, secret_hash);
  if (h.r).id is null then return false; end if;
  if what = 'accept' and (h.r).status = 'offered' and (h.r).offer_until > now() then
    perform app_private.seat_registration(h.r, h.e, 'accepted', 15);
    return true;
  elsif what = 'cancel' and (h.r).status not in ('cancelled', 'rejected', 'checked_in') and coalesce((h.e).cancel_until, (h.e).starts_at) > now() then
    perform app_private.give_back_seat(h.r, '');
    return true;
  end if;
  return false;
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
  money text;
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
  elsif left_now >= party then becomes := case when price > 0 then 'pending_payment' else 'confirmed' end;
  elsif left_now > 0 then return jsonb_build_object('refused', 'event_seats_left', 'left', left_now);
  elsif not e.waiting_list or e.starts_at <= now() then return jsonb_build_object('refused', 'event_full');
  elsif party > 1 then return jsonb_build_object('refused', 'event_guests_wait');
  else becomes := 'waitlisted';
  end if;
  if first is not null then return jsonb_build_object('done', true, 'pays', becomes = 'pending_payment'); end if;

  money := coalesce(t.price_currency, (select o.currency from app.organisations o where o.org_id = org));
  insert into app.registrations (org_id, event_id, chapter_id, group_id, ticket_type_id, status, cause, name, email, answers, source, promo_code_id, price_amount, price_currency, hold_until, waiting_place, confirmed_at)
    values (org, e.id, e.chapter_id, e.group_id, t.id, becomes, case becomes when 'waitlisted' then 'waiting' else 'registered' end, wanted ->> 'name', mail, coalesce(wanted -> 'answers', '[]'), 'public', p.id, price, money,
      case when becomes = 'pending_payment' then now() + app_private.guest_hold() end, case when becomes = 'waitlisted' then 1 + coalesce((select max(w.waiting_place) from app.registrations w where w.org_id = org and w.event_id = e.id), 0) end,
      case when becomes = 'confirmed' then now() end)
    returning id into first;
  insert into app.registrations (org_id, event_id, chapter_id, group_id, host_id, ticket_type_id, status, cause, name, email, answers, source, promo_code_id, price_amount, price_currency, hold_until, confirmed_at)
    select org, e.id, e.chapter_id, e.group_id, first, t.id, becomes, 'registered', g.guest ->> 'name', '', coalesce(g.guest -> 'answers', '[]'), 'public', p.id, price, money,
      case when becomes = 'pending_payment' then now() + app_private.guest_hold() end, case when becomes = 'confirmed' then now() end
    from jsonb_array_elements(guests) with ordinality g (guest, place) order by g.place;
  perform app_private.add_mail(org, null, jsonb_build_object('template', 'event-guest', 'address', mail, 'essential', true, 'params', jsonb_build_object('registration', first),
    'dedupe_key', 'event-guest:' || first));
  return jsonb_build_object('done', true, 'pays', becomes = 'pending_payment');
end $$;
comment on function app.register_guest(text, uuid, jsonb) is 'Registers somebody without an account for a public or unlisted event; where it costs something, the seat is held until it is paid. The link to manage and pay it goes to their address only, and the answer is the same where the address is registered already';

-- Paying --------------------------------------------------------------------------------------------------------------------------------------

create function app_private.guest_payer(r app.registrations) returns uuid language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  called constant text := regexp_replace(btrim(r.name), '\s+', ' ', 'g');
  made uuid;
begin
  -- The name has to fit as well: a family shares an address, and nobody's invoices go to another person.
  select p.id into made from app.person_emails m join app.people p on p.org_id = m.org_id and p.id = m.person_id
    where m.org_id = r.org_id and m.address_key = lower(r.email) and p.lifecycle not in ('deceased', 'merged', 'erased') and p.deleted_at is null and app.fold(p.display_name) = app.fold(called)
    order by p.id limit 1;
  if made is not null then return made; end if;
  insert into app.people (org_id, given_name, family_name, lifecycle)
    select r.org_id, left(case when called like '% %' then regexp_replace(called, ' [^ ]+$', '') else called end, 100), left(case when called like '% %' then regexp_replace(called, '^.* ', '') else '' end, 100), 'prospect'
    returning id into made;
  insert into app.person_emails (org_id, person_id, address, is_primary) values (r.org_id, made, r.email, true);
  return made;
end $$;
comment on function app_private.guest_payer(app.registrations) is 'Who owes what somebody without an account pays: the person with their address and name, or a new one; called once the address is known to be theirs';

create function app_private.charge_guest(r app.registrations, e app.events) returns uuid language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org constant uuid := r.org_id;
  today constant date := app_private.today_in(r.org_id);
  this_year constant int := extract(year from app_private.today_in(r.org_id))::int;
  payer constant uuid := coalesce(r.payer_id, r.person_id, app_private.guest_payer(r));
  taken int;
  made uuid;
begin
  update app.registrations x set payer_id = payer where x.org_id = org and (x.id = r.id or x.host_id = r.id) and x.status = 'pending_payment' and x.payer_id is null;
  -- What the organisation never wrote into a directory of its own stands in the books of the event's chapter.
  insert into app.invoices (org_id, kind, person_id, books_chapter_id, currency, due_on, reason, dedupe_key)
    values (org, 'invoice', payer, coalesce((select p.home_chapter_id from app.people p where p.org_id = org and p.id = payer), r.chapter_id), r.price_currency, today, left(e.title, 200),
      'event_registration:' || r.id || ':' || r.version)
    returning id into made;
  perform app_private.write_lines(org, made, (select jsonb_agg(jsonb_build_object('text', left(concat_ws(', ', e.title, t.name, x.name), 300), 'amount', x.price_amount,
      'subjectType', 'event_registration', 'subjectId', x.id) order by x.id) from app.registrations x left join app.event_ticket_types t on t.org_id = x.org_id and t.id = x.ticket_type_id
    where x.org_id = org and (x.id = r.id or x.host_id = r.id) and x.status = 'pending_payment' and x.price_amount > 0));
  taken := app_private.take_number(org, 'invoice', this_year);
  update app.invoices x set state = 'issued', number = app_private.number_text(app_private.number_format(org, 'invoice'), this_year, taken), number_year = this_year, number_place = taken,
      issued_on = today, issued_at = now(), billing = app_private.billing_of(org, payer, null), seller = app_private.seller_of(org) where x.org_id = org and x.id = made;
  return made;
end $$;
comment on function app_private.charge_guest(app.registrations, app.events) is 'Issues the invoice of a registration that is paid by its link, with those of its guests; its event and the books are held';

create function app.begin_registration_payment(idp_org text, secret_hash text, real_money boolean, counted boolean) returns app.payment_begun
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  l record;
  h record;
  invoice uuid;
  begun app.payment_begun;
begin
  select * into l from app.open_link(idp_org, 'registrations', secret_hash);
  if l.id is null then return null; end if;
  perform app_private.books_first(l.org_id);
  select * into h from app_private.registration_of_link(idp_org, secret_hash);
  if (h.r).id is null or (h.r).status <> 'pending_payment' or (h.r).hold_until <= now() or (h.e).status <> 'published' then return null; end if;
  select i.id into invoice from app.invoice_lines x join app.invoices i on i.org_id = x.org_id and i.id = x.invoice_id
    where x.org_id = l.org_id and x.subject_type = 'event_registration' and x.subject_id = (h.r).id and i.kind = 'invoice' and i.state in ('issued', 'partly_paid') order by i.id desc limit 1;
  begun := app_private.begin_payment(l.org_id, coalesce(invoice, app_private.charge_guest(h.r, h.e)), null, 'checkout', false, real_money, counted);
  -- Nothing else of the person behind it is shown on the page to pay on: no other address, no saved card.
  begun.email := (h.r).email;
  begun.customer := null;
  return begun;
end $$;
comment on function app.begin_registration_payment(text, text, boolean, boolean) is 'Begins to pay a registration by its link while its seat is held; nothing where there is nothing to pay';

-- What is to be paid before there is an invoice: for all who come along.
do $$
declare
  mail constant text := pg_get_functiondef('app.event_mail(uuid, uuid)'::regprocedure);
begin
  if strpos(mail, '''price'', r.price_amount,') = 0 then raise exception 'app.event_mail is written otherwise by now'; end if;
  execute replace(mail, '''price'', r.price_amount,', '''price'', (select sum(x.price_amount) from app.registrations x where x.org_id = r.org_id and (x.id = r.id or x.host_id = r.id) and x.status = r.status),');
end $$;

select app_private.own_definers();
revoke execute on function app_private.guest_hold(), app_private.must_pay(app.registrations) from public;
grant execute on function app_private.guest_hold(), app_private.must_pay(app.registrations) to app_definer;
grant execute on function app_private.guest_payer(app.registrations), app_private.charge_guest(app.registrations, app.events) to app_definer;
grant execute on function app.begin_registration_payment(text, text, boolean, boolean) to app_access;
