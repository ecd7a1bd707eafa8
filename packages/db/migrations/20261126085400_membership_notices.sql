-- Who applies, renews or owes is told by mail, once at each stage; renewals are charged to saved cards.

create function app.tell_of_application(org uuid, membership uuid, stage text, note jsonb default null) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  actor app.actor_context := app.actor();
  m app.memberships;
begin
  if coalesce(actor.org_id <> org, not pg_has_role(session_user, 'app_worker', 'member')) then raise exception 'not allowed' using errcode = '42501'; end if;
  select x.* into m from app.memberships x where x.org_id = org and x.id = membership;
  -- Only what is so, whoever says it.
  if m.id is null or not (case stage when 'received' then m.status = 'awaiting_approval' when 'approved' then m.status = 'awaiting_payment' and m.decided_at is not null
      when 'declined' then m.status = 'declined'
      when 'welcome' then m.status in ('active', 'grace') and (select count(*) = 1 from app.membership_terms t where t.org_id = org and t.membership_id = m.id and t.status = 'settled') else false end) then
    return;
  end if;
  perform app_private.add_mails(org, actor.account_id, jsonb_build_array(jsonb_build_object('template', 'membership', 'person', m.person_id, 'essential', true,
    'params', jsonb_build_object('membership', m.id, 'stage', stage), 'dedupe_key', concat_ws(':', 'membership', m.id, stage))));
  if stage = 'received' then
    perform app_private.tell(org, actor.account_id, array_remove(app_private.deciders_of(org, m.person_id, m.chapter_id, 'memberships.manage'), actor.account_id),
      note || jsonb_build_object('person', m.person_id, 'chapter', m.chapter_id, 'dedupe_key', 'membership-request:' || m.id));
  end if;
end $$;
comment on function app.tell_of_application(uuid, uuid, text, jsonb) is 'Mails an applicant how their application stands, once at each stage, and tells those who decide that it is there';

create function app.membership_of_term(org uuid, term uuid) returns uuid language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select t.membership_id from app.membership_terms t where t.org_id = org and t.id = term and t.status = 'settled'
    and ((app.actor()).org_id = org or ((app.actor()).org_id is null and pg_has_role(session_user, 'app_worker', 'member')))
$$;
comment on function app.membership_of_term(uuid, uuid) is 'The membership of a settled term';

create function app_private.open_invoice_of(org uuid, membership uuid) returns app.invoices language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select i.* from app.membership_terms t join app.invoice_lines l on l.org_id = t.org_id and l.subject_type = 'membership_term' and l.subject_id = t.id
    join app.invoices i on i.org_id = l.org_id and i.id = l.invoice_id and i.kind = 'invoice' and i.state in ('issued', 'partly_paid') and i.balance_amount > 0
    where t.org_id = org and t.membership_id = membership and t.status = 'open' order by i.id desc limit 1
$$;
comment on function app_private.open_invoice_of(uuid, uuid) is 'What is still to be paid for the open term of a membership';

create function app.membership_notice(org uuid, membership uuid) returns jsonb language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select jsonb_build_object('type', t.name, 'chapter', c.name, 'status', m.status, 'reason', m.reason, 'endsOn', m.ends_on, 'graceUntil', m.grace_until,
      'invoice', (select case when i.id is not null then jsonb_build_object('id', i.id, 'number', i.number, 'balance', i.balance_amount, 'currency', i.currency, 'dueOn', i.due_on) end from app_private.open_invoice_of(org, m.id) i))
    from app.memberships m join app.membership_types t on t.org_id = m.org_id and t.id = m.type_id left join app.chapters c on c.org_id = m.org_id and c.id = m.chapter_id
    where m.org_id = org and m.id = membership
$$;
comment on function app.membership_notice(uuid, uuid) is 'What a mail about a membership says; for the worker';

-- Saved cards ---------------------------------------------------------------------------------------------------------------------------

create function app.renewal_charge(org uuid, invoice uuid) returns table (charge_on date, last4 text) language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select m.ends_on, c.last4 from app.invoice_lines l join app.membership_terms t on t.org_id = l.org_id and t.id = l.subject_id and t.status = 'open'
    join app.memberships m on m.org_id = t.org_id and m.id = t.membership_id and m.auto_renew and m.leaves_on is null and m.status in ('active', 'grace')
    join lateral (select x.last4 from app.payment_methods x where x.org_id = m.org_id and x.person_id = m.person_id and x.removed_at is null order by x.preferred_at desc nulls last, x.id desc limit 1) c on true
    where l.org_id = org and l.invoice_id = invoice and l.subject_type = 'membership_term' limit 1
$$;
comment on function app.renewal_charge(uuid, uuid) is 'When the invoice of a renewal is charged to which saved card; for the worker that mails it';

create function app.renewals_to_charge(org uuid, today date, after uuid, most int) returns table (membership uuid, invoice uuid) language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select m.id, i.id from app.memberships m
    cross join lateral app_private.open_invoice_of(org, m.id) i
    cross join lateral (select count(*) as tries, coalesce(bool_or(p.state = 'pending'), false) as waits from app.payments p where p.org_id = org and p.invoice_id = i.id and p.kind = 'charge') a
    where m.org_id = org and m.id > coalesce(after, '00000000-0000-0000-0000-000000000000') and m.auto_renew and m.leaves_on is null and m.status in ('active', 'grace') and m.ends_on <= today and i.id is not null
      and exists (select from app.payment_methods x where x.org_id = m.org_id and x.person_id = m.person_id and x.removed_at is null)
      -- On the last day of the term, and after a refusal 3, 7 and 14 days later.
      and not a.waits and a.tries < 4 and today >= m.ends_on + (array[0, 3, 7, 14])[a.tries + 1]
    order by m.id limit most
$$;
comment on function app.renewals_to_charge(uuid, date, uuid, int) is 'Renewals that are due to be charged to a saved card today';

-- Reminders -----------------------------------------------------------------------------------------------------------------------------------

create function app_private.renewal_stage(status text, ends_on date, grace_until date, renewal_days int, is_charged boolean, today date) returns text language sql immutable as $$
  select case when status = 'active' and ends_on >= today and not is_charged then case when ends_on - 7 <= today then 'ends' when ends_on - renewal_days <= today then 'opens' end
    when status = 'grace' then 'grace'
    when status = 'lapsed' and today <= coalesce(grace_until, ends_on) + 14 then 'lapsed' end
$$;
comment on function app_private.renewal_stage(text, date, date, int, boolean, date) is 'What a member is to be reminded of: that they can renew, that the term ends within a week, that it is over, that the membership has lapsed';

create function app.renewal_stage_of(org uuid, membership uuid) returns text language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select app_private.renewal_stage(m.status, m.ends_on, m.grace_until, t.renewal_days, m.auto_renew and exists (select from app.payment_methods x
      where x.org_id = m.org_id and x.person_id = m.person_id and x.removed_at is null), app_private.today_of(org))
    from app.memberships m join app.membership_types t on t.org_id = m.org_id and t.id = m.type_id where m.org_id = org and m.id = membership and m.leaves_on is null
$$;
comment on function app.renewal_stage_of(uuid, uuid) is 'What a member is to be reminded of now; null once they have renewed';

create function app.remind_members(org uuid, today date, after uuid, most int) returns jsonb language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  mails jsonb;
  last uuid;
  seen int;
begin
  select count(*), (array_agg(d.id order by d.id desc))[1], jsonb_agg(jsonb_build_object('template', 'renewal-reminder', 'person', d.person_id, 'essential', true,
      'params', jsonb_build_object('membership', d.id, 'stage', d.stage), 'dedupe_key', concat_ws(':', 'renewal', d.id, d.ends_on, d.stage)) order by d.id) into seen, last, mails
    from (
      select m.id, m.person_id, m.ends_on, s.stage from app.memberships m
        join app.membership_types t on t.org_id = m.org_id and t.id = m.type_id and t.archived_at is null
        join app.people p on p.org_id = m.org_id and p.id = m.person_id and p.deleted_at is null and p.lifecycle not in ('deceased', 'merged', 'erased')
        cross join lateral (select app_private.renewal_stage(m.status, m.ends_on, m.grace_until, t.renewal_days, m.auto_renew and exists (select from app.payment_methods x
          where x.org_id = m.org_id and x.person_id = m.person_id and x.removed_at is null), today) as stage) s
        where m.org_id = org and m.id > coalesce(after, '00000000-0000-0000-0000-000000000000') and m.status in ('active', 'grace', 'lapsed') and m.ends_on <= today + t.renewal_days + 7
          and m.ends_on > today - 400 and m.leaves_on is null and s.stage is not null
          -- With auto-renewal the invoice itself says that the renewal is open.
          and not (s.stage = 'opens' and m.auto_renew)
          and not exists (select from app.mail_messages x where x.org_id = m.org_id and x.dedupe_key = concat_ws(':', 'renewal', m.id, m.ends_on, s.stage))
        order by m.id limit most) d;
  if mails is not null then perform app_private.add_mails(org, null, mails); end if;
  return jsonb_build_object('mails', seen, 'after', last, 'isLast', seen < most);
end $$;
comment on function app.remind_members(uuid, date, uuid, int) is 'Mails members whose term opens for renewal, ends, is over or has lapsed, each once for a term and stage, at most so many at a time';

create function app.remind_invoices(org uuid, today date, after uuid, most int) returns jsonb language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  mails jsonb;
  last uuid;
  seen int;
begin
  select count(*), (array_agg(d.id order by d.id desc))[1], jsonb_agg(jsonb_build_object('template', 'invoice-reminder', 'person', d.person_id, 'address', d.address, 'essential', true,
      'params', jsonb_build_object('invoice', d.id), 'dedupe_key', d.key) order by d.id) into seen, last, mails
    from (
      select i.id, i.person_id, case when i.person_id is null then c.contact_email end as address, concat_ws(':', 'overdue', i.id, s.days) as key from app.invoices i
        left join app.chapters c on c.org_id = i.org_id and c.id = i.chapter_id
        cross join lateral (select max(n) as days from unnest(array[3, 14, 30]) n where i.due_on + n <= today) s
        where i.org_id = org and i.id > coalesce(after, '00000000-0000-0000-0000-000000000000') and i.state in ('issued', 'partly_paid') and i.kind = 'invoice' and i.balance_amount > 0
          and i.due_on between today - 60 and today - 3 and (i.person_id is not null or c.contact_email <> '')
          -- Renewals have reminders of their own.
          and not exists (select from app.invoice_lines l join app.membership_terms t on t.org_id = l.org_id and t.id = l.subject_id
            join app.memberships m on m.org_id = t.org_id and m.id = t.membership_id and m.starts_on is not null
            where l.org_id = i.org_id and l.invoice_id = i.id and l.subject_type = 'membership_term')
          and not exists (select from app.mail_messages x where x.org_id = i.org_id and x.dedupe_key = concat_ws(':', 'overdue', i.id, s.days))
        order by i.id limit most) d;
  if mails is not null then perform app_private.add_mails(org, null, mails); end if;
  return jsonb_build_object('mails', seen, 'after', last, 'isLast', seen < most);
end $$;
comment on function app.remind_invoices(uuid, date, uuid, int) is 'Mails who owes an invoice that is 3, 14 or 30 days past its due date, each once; for renewals see app.remind_members';

create or replace function app_private.mail_issued(org uuid, invoices uuid[], again text) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare mails jsonb;
begin
  -- What is overdue and sent again is a reminder.
  select jsonb_agg(jsonb_build_object('template', case when again is not null and i.state in ('issued', 'partly_paid') and i.due_on < app_private.today_of(org) then 'invoice-reminder' else 'invoice' end,
      'person', i.person_id, 'address', case when i.person_id is null then nullif(c.contact_email, '') end, 'essential', true,
      'params', jsonb_build_object('invoice', i.id, 'byHand', again is not null), 'dedupe_key', concat_ws(':', 'invoice', i.id, again)) order by i.number_year, i.number_place) into mails
    from app.invoices i left join app.chapters c on c.org_id = i.org_id and c.id = i.chapter_id
    where i.org_id = org and i.id in (select u from unnest(invoices) u) and (i.person_id is not null or c.contact_email <> '')
      and (i.state in ('issued', 'partly_paid') or (again is not null and i.state not in ('draft', 'void')));
  if mails is null then return 0; end if;
  update app.invoices i set sent_at = now() where i.org_id = org and i.id in (select (m -> 'params' ->> 'invoice')::uuid from jsonb_array_elements(mails) m);
  return app_private.add_mails(org, app.account_id(), mails);
end $$;

select app_private.own_definers();
grant execute on function app.tell_of_application(uuid, uuid, text, jsonb), app.membership_of_term(uuid, uuid) to app_access, app_worker;
grant execute on function app.membership_notice(uuid, uuid), app.renewal_charge(uuid, uuid), app.renewals_to_charge(uuid, date, uuid, int), app.renewal_stage_of(uuid, uuid),
  app.remind_members(uuid, date, uuid, int), app.remind_invoices(uuid, date, uuid, int) to app_worker;
grant execute on function app_private.open_invoice_of(uuid, uuid), app_private.renewal_stage(text, date, date, int, boolean, date) to app_definer;
