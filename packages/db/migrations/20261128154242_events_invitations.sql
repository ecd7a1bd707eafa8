-- Invitations to an event: of people and of e-mail addresses, told by mail, answered on the page of the event or by a link, and no longer open once revoked.

alter table app.event_invitations drop constraint event_invitations_pkey;
alter table app.event_invitations
  add column id uuid not null default app.uuid7(),
  alter column person_id drop not null,
  add column email text check (char_length(email) between 3 and 320),
  add column answer text check (answer in ('accepted', 'declined')),
  add column answered_at timestamptz,
  add column mail_due boolean not null default false,
  add column mails int not null default 0 check (mails between 0 and 3),
  add column mailed_at timestamptz,
  add constraint event_invitations_pkey primary key (org_id, id),
  add constraint event_invitations_person unique (org_id, event_id, person_id),
  add constraint event_invitations_whom check (num_nonnulls(person_id, email) = 1),
  add check ((answer is null) = (answered_at is null));
comment on table app.event_invitations is 'Who is invited to an event, and sees it: people, and e-mail addresses of nobody known. Not in the audit log: thousands are invited at once, and each row says who did it and when';
comment on column app.event_invitations.answer is 'accepted: registered; declined: said no, or gave the seat back';
comment on column app.event_invitations.mail_due is 'The mail is still to be written: once the event is published';
comment on column app.event_invitations.mails is 'How many mails were written: the invitation and two reminders at most';
create unique index event_invitations_email on app.event_invitations (org_id, event_id, lower(email)) where email is not null;
create index event_invitations_by_event on app.event_invitations (org_id, event_id, id);
create index event_invitations_due on app.event_invitations (org_id, id) where mail_due;
grant insert (email, mail_due, answer, answered_at) on app.event_invitations to app_access;
grant update, delete on app.event_invitations to app_definer;

alter table app.event_mail_settings drop constraint event_mail_settings_kind_check;
alter table app.event_mail_settings
  add constraint event_mail_settings_kind_check check (kind in ('invitation', 'requested', 'confirmed', 'payment', 'waiting', 'offered', 'offer_expired', 'hold_expired', 'rejected', 'cancelled', 'received',
    'handed_over', 'changed', 'event_cancelled', 'reminder', 'survey'));

create function app_private.event_invitations_guard() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  crowded uuid;
begin
  select i.event_id into crowded from app.event_invitations i where (i.org_id, i.event_id) in (select m.org_id, m.event_id from made m) group by i.org_id, i.event_id having count(*) > 10000 limit 1;
  if found then raise exception 'at most 10,000 are invited to an event' using errcode = '23P01', constraint = 'event_invitations_many'; end if;
  return null;
end $$;
comment on function app_private.event_invitations_guard() is 'Bounds how many are invited to an event';
create trigger event_invitations_guard after insert on app.event_invitations referencing new table as made for each statement execute function app_private.event_invitations_guard();

-- Answers -------------------------------------------------------------------------------------------------------------------------------

create function app_private.registrations_answer() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update app.event_invitations i set answer = a.answer, answered_at = now(), mail_due = false
    from (select c.org_id, c.event_id, c.person_id, lower(c.email) as email, case when c.status in ('cancelled', 'rejected') then 'declined' else 'accepted' end as answer
      from changed c where c.host_id is null and (c.status not in ('cancelled', 'rejected') or c.cause in ('cancelled', 'withdrawn', 'declined'))) a
    where i.org_id = a.org_id and i.event_id = a.event_id and (i.person_id = a.person_id or (a.email <> '' and lower(i.email) = a.email)) and i.answer is distinct from a.answer;
  return null;
end $$;
comment on function app_private.registrations_answer() is 'Whoever registers has accepted an invitation, and whoever gives the seat back has declined it';
create trigger registrations_answer_added after insert on app.registrations referencing new table as changed for each statement execute function app_private.registrations_answer();
create trigger registrations_answer_moved after update on app.registrations referencing new table as changed for each statement execute function app_private.registrations_answer();

create function app.my_invitation(event uuid) returns jsonb language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return (select jsonb_build_object('answer', i.answer) from app.event_invitations i where i.org_id = (select app.org_id()) and i.event_id = event and i.person_id = (select app.person_id()));
end $$;
comment on function app.my_invitation(uuid) is 'Whether the actor is invited to an event, and what they answered';

create function app.decline_invitation(event uuid) returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org constant uuid := app.org_id();
  me constant uuid := app.person_id();
begin
  if exists (select from app.registrations r where r.org_id = org and r.event_id = event and r.person_id = me and r.status not in ('cancelled', 'rejected')) then
    raise exception 'registered: the registration is cancelled instead' using errcode = '23P01', constraint = 'event_invitation_registered';
  end if;
  update app.event_invitations i set answer = 'declined', answered_at = now(), mail_due = false where i.org_id = org and i.event_id = event and i.person_id = me;
  return found;
end $$;
comment on function app.decline_invitation(uuid) is 'The actor declines an invitation; whether there is one';

-- For those who run the event ---------------------------------------------------------------------------------------------------------

create function app_private.invitation_state(i app.event_invitations, mail text, why text) returns text language sql immutable set search_path = pg_catalog, pg_temp as $$
  select case when i.answer is not null then i.answer when i.mail_due then 'waiting' when mail in ('queued', 'sending') then 'waiting' when mail in ('sent', 'unknown') then 'sent'
    when mail = 'failed' or why in ('hard_bounce', 'complaint') then 'bounced' when mail = 'suppressed' then 'not_sent' else 'invited' end
$$;
comment on function app_private.invitation_state(app.event_invitations, text, text) is 'How an invitation stands, with what became of its last mail';

create function app.event_invitation_states(event uuid) returns table (invitation uuid, state text) language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  org constant uuid := app.org_id();
  e app.events;
begin
  select x.* into e from app.events x where x.org_id = org and x.id = event;
  if e.id is null or not app_private.runs_event(e, 'events.manage') then raise exception 'not allowed' using errcode = '42501'; end if;
  return query select i.id, app_private.invitation_state(i, m.state, m.outcome) from app.event_invitations i
    left join lateral (select x.state, x.outcome from app.mail_messages x where x.org_id = org and x.batch_id = i.id order by x.created_at desc, x.id desc limit 1) m on i.mails > 0 and i.answer is null
    where i.org_id = org and i.event_id = event;
end $$;
comment on function app.event_invitation_states(uuid) is 'How each invitation to an event stands';

create function app.remind_invitations(event uuid) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org constant uuid := app.org_id();
  e app.events;
  reminded int;
begin
  select x.* into e from app.events x where x.org_id = org and x.id = event;
  if e.id is null or not app_private.runs_event(e, 'events.manage') then raise exception 'not allowed' using errcode = '42501'; end if;
  if e.status not in ('draft', 'published') or e.starts_at <= now() then raise exception 'this event is over' using errcode = '23P01', constraint = 'event_past'; end if;
  update app.event_invitations i set mail_due = true where i.org_id = org and i.event_id = event and i.answer is null and not i.mail_due and i.mails < 3
    and coalesce(i.mailed_at < now() - interval '1 day', true);
  get diagnostics reminded = row_count;
  return reminded;
end $$;
comment on function app.remind_invitations(uuid) is 'Has the mail written again to all who have not answered: a day after the last one, and three in all at most; how many';

-- Mails -----------------------------------------------------------------------------------------------------------------------------------

create function app.send_event_invitations(org uuid, most int) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  due jsonb;
  g record;
begin
  perform app_private.worker_only();
  with due as (
    select i.id, i.event_id, i.person_id, i.email, i.created_by, i.mails, e.status = 'published' and e.starts_at > now() as told
      from app.event_invitations i join app.events e on e.org_id = i.org_id and e.id = i.event_id and e.status <> 'draft'
      where i.org_id = org and i.mail_due order by i.id limit most for update of i skip locked
  ), moved as (
    update app.event_invitations i set mail_due = false, mails = i.mails + d.told::int, mailed_at = case when d.told then now() else i.mailed_at end from due d where i.org_id = org and i.id = d.id returning i.id
  )
  select jsonb_agg(jsonb_build_object('event', d.event_id, 'inviter', d.created_by, 'person', d.person_id, 'mail', case when d.told then jsonb_build_object('template', 'event-invitation', 'person', d.person_id,
      'address', d.email, 'essential', false, 'params', jsonb_build_object('invitation', d.id), 'batch', d.id, 'dedupe_key', concat_ws(':', 'event-invitation', d.id, d.mails + 1)) end) order by d.id)
    into due from due d join moved m on m.id = d.id;
  for g in select d.event, d.inviter, e.title, jsonb_agg(d.mail) as mails, array_agg(a.id) filter (where a.id is not null) as accounts
      from jsonb_to_recordset(due) d (event uuid, inviter uuid, person uuid, mail jsonb) join app.events e on e.org_id = org and e.id = d.event
      left join app.accounts a on a.org_id = org and a.person_id = d.person where jsonb_typeof(d.mail) = 'object' group by d.event, d.inviter, e.title loop
    perform app_private.add_mails(org, g.inviter, g.mails);
    if g.accounts is not null then
      perform app_private.tell(org, g.inviter, g.accounts, jsonb_build_object('kind', 'event-message', 'record', g.event, 'params', jsonb_build_object('title', g.title, 'news', 'invited'),
        'essential', false, 'mail', 'off'));
    end if;
  end loop;
  return coalesce(jsonb_array_length(due), 0);
end $$;
comment on function app.send_event_invitations(uuid, int) is 'Writes so many mails of invitations that are due; how many were looked at';

create function app.event_invitation_mail(org uuid, invitation uuid) returns jsonb language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select app_private.public_event_facts(e) || jsonb_build_object('answer', i.answer, 'closesAt', app_private.closes_at(e), 'by', coalesce(a.name, ''),
      'extra', (select s.extra from app.event_mail_settings s where s.org_id = e.org_id and s.event_id = e.id and s.kind = 'invitation'))
    from app.event_invitations i join app.events e on e.org_id = i.org_id and e.id = i.event_id left join app.accounts a on a.org_id = i.org_id and a.id = i.created_by
    where i.org_id = org and i.id = invitation and e.status = 'published' and e.starts_at > now()
$$;
comment on function app.event_invitation_mail(uuid, uuid) is 'What the mail of an invitation says; nothing once it is revoked or the event has begun. For the worker';

-- By the link of an invitation ------------------------------------------------------------------------------------------------------------

create function app.invitation_by_link(idp_org text, secret_hash text) returns jsonb language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select app_private.public_event_facts(e) || jsonb_build_object('answer', i.answer, 'name', coalesce(nullif(concat_ws(' ', p.given_name, p.family_name), ''), ''), 'capacity', e.capacity, 'taken', n.taken,
      'needsApproval', e.needs_approval, 'waitingList', e.waiting_list, 'description', e.description, 'cancelReason', e.cancel_reason,
      'registration', case when e.status <> 'published' or app_private.closes_at(e) <= now() then 'closed' when e.registration_opens_at > now() then 'not_yet'
        when app_private.seats_left(e, n) = 0 then 'full' else 'open' end,
      'tickets', (select coalesce(jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name, 'free', t.price_amount = 0 and t.audience = 'everyone' and coalesce(t.sells_from <= now(), true)
          and coalesce(t.sells_until > now(), true)) order by t.place, t.id), '[]') from app.event_ticket_types t where t.org_id = e.org_id and t.event_id = e.id and t.archived_at is null and t.audience <> 'staff'),
      'questions', (select coalesce(jsonb_agg(jsonb_build_object('id', q.id, 'text', q.text, 'kind', q.kind, 'required', q.required, 'options', to_jsonb(q.options), 'ofGuests', q.of_guests) order by q.place, q.id), '[]')
        from app.event_questions q where q.org_id = e.org_id and q.event_id = e.id and q.archived_at is null),
      'status', (select r.status from app.registrations r where r.org_id = i.org_id and r.event_id = i.event_id and r.host_id is null and r.status not in ('cancelled', 'rejected')
        and (r.person_id = i.person_id or lower(r.email) = lower(i.email)) limit 1))
    from app.open_link(idp_org, 'event-invitations', secret_hash) l join app.event_invitations i on i.org_id = l.org_id and i.id = l.subject_id
      join app.events e on e.org_id = i.org_id and e.id = i.event_id and e.status in ('published', 'cancelled') join app.event_counts n on n.org_id = e.org_id and n.event_id = e.id
      left join app.people p on p.org_id = i.org_id and p.id = i.person_id
$$;
comment on function app.invitation_by_link(text, text) is 'The event that a link invites to, with what was answered, while the link is valid';

create function app.answer_invitation_by_link(idp_org text, secret_hash text, accept boolean, wanted jsonb) returns jsonb language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  l record;
  i app.event_invitations;
  e app.events;
  n app.event_counts;
  t app.event_ticket_types;
  r app.registrations;
  mail text;
  left_now int;
  becomes text;
begin
  select * into l from app.open_link(idp_org, 'event-invitations', secret_hash);
  select x.* into i from app.event_invitations x where x.org_id = l.org_id and x.id = l.subject_id;
  if i.id is null then return null; end if;
  n := app_private.hold_event(i.org_id, i.event_id);
  select x.* into e from app.events x where x.org_id = i.org_id and x.id = i.event_id;
  select x.* into r from app.registrations x where x.org_id = i.org_id and x.event_id = e.id and x.host_id is null and x.status not in ('cancelled', 'rejected')
    and (x.person_id = i.person_id or lower(x.email) = lower(i.email)) limit 1;
  if not accept then
    if e.status <> 'published' or e.starts_at <= now() then return jsonb_build_object('refused', 'registration_closed'); end if;
    if r.id is not null then
      -- What costs something is given back by those who are signed in, or by the link of the registration.
      if r.status = 'checked_in' or r.price_amount > 0 or coalesce(e.cancel_until, e.starts_at) <= now() then return jsonb_build_object('refused', 'event_invitation_registered'); end if;
      update app.registrations x set status = 'cancelled', cause = case when x.status in ('waitlisted', 'pending_approval') then 'withdrawn' when x.status = 'offered' then 'declined' else 'cancelled' end,
          cancelled_at = now(), hold_until = null, offer_until = null, waiting_place = null
        where x.org_id = r.org_id and (x.id = r.id or x.host_id = r.id) and x.status not in ('cancelled', 'rejected', 'checked_in');
      perform app_private.offer_seats(r.org_id, r.event_id);
    end if;
    update app.event_invitations x set answer = 'declined', answered_at = now(), mail_due = false where x.org_id = i.org_id and x.id = i.id;
    return jsonb_build_object('done', true);
  end if;
  if r.id is not null then return jsonb_build_object('done', true); end if;
  if e.status <> 'published' or app_private.closes_at(e) <= now() then return jsonb_build_object('refused', 'registration_closed'); end if;
  if e.registration_opens_at > now() then return jsonb_build_object('refused', 'registration_not_open'); end if;
  if exists (select from app.event_ticket_types x where x.org_id = e.org_id and x.event_id = e.id and x.archived_at is null) then
    select * into t from app.event_ticket_types x where x.org_id = e.org_id and x.event_id = e.id and x.archived_at is null and x.audience = 'everyone' and x.id = (wanted ->> 'ticketTypeId')::uuid;
    if t.id is null then return jsonb_build_object('refused', 'ticket_needed'); end if;
    if t.price_amount > 0 then return jsonb_build_object('refused', 'registration_needs_account'); end if;
    if t.sells_from > now() or t.sells_until <= now() then return jsonb_build_object('refused', 'ticket_not_on_sale'); end if;
  end if;
  left_now := least(app_private.seats_left(e, n), app_private.tickets_left(e.org_id, t.id));
  if left_now < 1 and app_private.expire_seats(e.org_id, e.id) > 0 then
    n := app_private.hold_event(e.org_id, e.id);
    left_now := least(app_private.seats_left(e, n), app_private.tickets_left(e.org_id, t.id));
  end if;
  if e.needs_approval then becomes := 'pending_approval';
  elsif left_now >= 1 then becomes := 'confirmed';
  elsif not e.waiting_list then return jsonb_build_object('refused', 'event_full');
  else becomes := 'waitlisted';
  end if;
  mail := coalesce(i.email, (select m.address from app.person_emails m where m.org_id = i.org_id and m.person_id = i.person_id and m.is_primary), '');
  -- People of the organisation get the mails of a registration; an address gets the one with its link.
  insert into app.registrations (org_id, event_id, chapter_id, group_id, person_id, ticket_type_id, status, cause, name, email, answers, source, price_amount, price_currency, waiting_place, confirmed_at)
    values (e.org_id, e.id, e.chapter_id, e.group_id, i.person_id, t.id, becomes, case becomes when 'waitlisted' then 'waiting' else 'registered' end, wanted ->> 'name', mail, coalesce(wanted -> 'answers', '[]'),
      case when i.person_id is null then 'public' else 'self' end, 0, coalesce(t.price_currency, (select o.currency from app.organisations o where o.org_id = e.org_id)),
      case when becomes = 'waitlisted' then 1 + coalesce((select max(w.waiting_place) from app.registrations w where w.org_id = e.org_id and w.event_id = e.id), 0) end,
      case when becomes = 'confirmed' then now() end)
    returning * into r;
  if i.person_id is null then
    perform app_private.add_mail(e.org_id, null, jsonb_build_object('template', 'event-guest', 'address', mail, 'essential', true, 'params', jsonb_build_object('registration', r.id), 'dedupe_key', 'event-guest:' || r.id));
  end if;
  return jsonb_build_object('done', true);
end $$;
comment on function app.answer_invitation_by_link(text, text, boolean, jsonb) is 'Accepts an invitation, which registers where that is free, or declines it, which gives the seat back; by its link';

create function app_private.people_leave_invitations() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from app.event_invitations i where i.org_id = new.org_id and i.person_id = new.id;
  return null;
end $$;
comment on function app_private.people_leave_invitations() is 'Of somebody who was erased no invitation stays';
create trigger people_leave_invitations after update of lifecycle on app.people for each row when (new.lifecycle = 'erased' and old.lifecycle <> 'erased')
  execute function app_private.people_leave_invitations();

select app_private.own_definers();
revoke execute on function app_private.invitation_state(app.event_invitations, text, text) from public;
grant execute on function app_private.invitation_state(app.event_invitations, text, text) to app_definer;
grant execute on function app.my_invitation(uuid), app.decline_invitation(uuid), app.event_invitation_states(uuid), app.remind_invitations(uuid), app.invitation_by_link(text, text),
  app.answer_invitation_by_link(text, text, boolean, jsonb) to app_access;
grant execute on function app.send_event_invitations(uuid, int), app.event_invitation_mail(uuid, uuid) to app_worker;
