-- Invoices and receipts reach who pays them: by mail with the document, and to be fetched. Every settled payment has a receipt that says what it is worth now.

select app_private.hide_in_audit('app.invoices', 'sent_at');
select app_private.hide_in_audit('app.receipts', 'sent_at');

create function app_private.add_mails(org uuid, by uuid, mails jsonb) returns int language sql security definer set search_path = pg_catalog, pg_temp as $$
  with added as (
    insert into app.mail_messages (org_id, template, account_id, person_id, address, reply_to, params, essential, dedupe_key, trace, created_by)
      select org, m.template, m.account, m.person, m.address, m.reply_to, coalesce(m.params, '{}'), m.essential, m.dedupe_key, m.trace, by
      from jsonb_to_recordset(mails) m (template text, account uuid, person uuid, address text, reply_to text, params jsonb, essential boolean, dedupe_key text, trace text)
      on conflict (org_id, dedupe_key) do nothing
      returning id
  )
  select count(*)::int from added
$$;
comment on function app_private.add_mails(uuid, uuid, jsonb) is 'Writes many mails down at once, each once under its key; how many';

-- Documents -----------------------------------------------------------------------------------------------------------------------------

create function app_private.sees_books(org uuid, books_chapter uuid, person uuid) returns boolean language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare actor app.actor_context := app.actor();
begin
  if actor.org_id is null then return pg_has_role(session_user, 'app_worker', 'member'); end if;
  return actor.org_id = org and (app.everywhere('finance.read') or coalesce(books_chapter = any (app.scope('finance.read')), false) or coalesce(person = app.person_id(), false));
end $$;
comment on function app_private.sees_books(uuid, uuid, uuid) is 'Whether the caller sees what stands in the books of a chapter and was issued to a person; a worker sees all';

create function app.invoice_paper(org uuid, invoice uuid) returns jsonb language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select jsonb_build_object('kind', i.kind, 'state', i.state, 'number', coalesce(i.number, i.foreign_number), 'issuedOn', i.issued_on, 'dueOn', i.due_on, 'paidOn', i.paid_on, 'currency', i.currency,
      'billing', i.billing, 'seller', coalesce(i.seller, app_private.seller_of(org)), 'reason', i.reason, 'note', i.note, 'total', i.total_amount, 'paid', i.paid_amount, 'credited', i.credited_amount,
      'balance', i.balance_amount, 'corrects', (select coalesce(c.number, c.foreign_number) from app.invoices c where c.org_id = org and c.id = i.credits_id),
      'lines', (select coalesce(jsonb_agg(jsonb_build_object('text', l.text, 'net', l.net_amount, 'taxBps', l.tax_bps, 'taxNote', l.tax_note, 'tax', l.tax_amount) order by l.place), '[]')
        from app.invoice_lines l where l.org_id = org and l.invoice_id = i.id))
    from app.invoices i where i.org_id = org and i.id = invoice and i.issued_on is not null and app_private.sees_books(org, i.books_chapter_id, i.person_id)
$$;
comment on function app.invoice_paper(uuid, uuid) is 'What an issued invoice or credit note says, for those who see it';

create function app.receipt_paper(org uuid, receipt uuid) returns jsonb language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select jsonb_build_object('state', r.state, 'number', r.number, 'issuedOn', r.issued_on, 'receivedOn', r.received_on, 'currency', r.currency, 'amount', r.amount, 'billing', r.billing, 'seller', r.seller,
      'lines', r.lines, 'replaces', (select x.number from app.receipts x where x.org_id = org and x.id = r.replaces_id))
    from app.receipts r where r.org_id = org and r.id = receipt and app_private.sees_books(org, r.books_chapter_id, r.person_id)
$$;
comment on function app.receipt_paper(uuid, uuid) is 'What a receipt says, for those who see it';

-- Mail ------------------------------------------------------------------------------------------------------------------------------------

create function app_private.mail_issued(org uuid, invoices uuid[], again text) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare mails jsonb;
begin
  select jsonb_agg(jsonb_build_object('template', 'invoice', 'person', i.person_id, 'address', case when i.person_id is null then nullif(c.contact_email, '') end, 'essential', true,
      'params', jsonb_build_object('invoice', i.id, 'byHand', again is not null), 'dedupe_key', concat_ws(':', 'invoice', i.id, again)) order by i.number_year, i.number_place) into mails
    from app.invoices i left join app.chapters c on c.org_id = i.org_id and c.id = i.chapter_id
    where i.org_id = org and i.id in (select u from unnest(invoices) u) and (i.person_id is not null or c.contact_email <> '')
      and (i.state in ('issued', 'partly_paid') or (again is not null and i.state not in ('draft', 'void')));
  if mails is null then return 0; end if;
  update app.invoices i set sent_at = now() where i.org_id = org and i.id in (select (m -> 'params' ->> 'invoice')::uuid from jsonb_array_elements(mails) m);
  return app_private.add_mails(org, app.account_id(), mails);
end $$;
comment on function app_private.mail_issued(uuid, uuid[], text) is 'Mails issued invoices to whoever owes them, once; again, under a key of its own, as often as somebody asks for it';

create function app.mail_invoices(org uuid, invoices uuid[], again text default null) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare i app.invoices;
begin
  perform app_private.books_open(org);
  for i in select x.* from app.invoices x where x.org_id = org and x.id in (select u from unnest(invoices) u) and not app_private.keeps_books(org, x.books_chapter_id) loop
    if again is not null or not (i.created_by = app.account_id() and app_private.orders(org, i)) then raise exception 'not allowed' using errcode = '42501'; end if;
  end loop;
  return app_private.mail_issued(org, invoices, again);
end $$;
comment on function app.mail_invoices(uuid, uuid[], text) is 'Mails issued invoices to whoever owes them, each once unless again says otherwise; how many mails that makes. For those who keep the books, and for what somebody ordered';

create or replace function app_private.charge_terms(org uuid, terms uuid[]) returns uuid[] language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare issued uuid[];
begin
  select coalesce(array_agg(i.invoice), '{}') into issued from app.issue_invoices(org, (select array_agg(d.invoice order by d.place) from app.draft_invoices(org, (
    select coalesce(jsonb_agg(jsonb_build_object('personId', t.person_id, 'currency', t.price_currency, 'reason', y.name, 'dedupeKey', 'membership_term:' || t.id,
        'dueOn', case when m.ends_on >= app_private.today_of(org) then m.ends_on end,
        'lines', jsonb_build_array(jsonb_build_object('text', y.name, 'amount', t.price_amount, 'subjectType', 'membership_term', 'subjectId', t.id)
          || case when m.chapter_id is null or t.chapter_share_bps = 0 then '{}'
            else jsonb_build_object('shareChapterId', m.chapter_id, 'shareAmount', round(t.price_amount::numeric * t.chapter_share_bps / 10000)) end)) order by t.id), '[]')
    from app.membership_terms t
    join app.memberships m on m.org_id = t.org_id and m.id = t.membership_id
    join app.membership_types y on y.org_id = m.org_id and y.id = m.type_id
    where t.org_id = org and t.id = any (terms))) d)) i;
  perform app_private.mail_issued(org, issued, null);
  return issued;
end $$;
comment on function app_private.charge_terms(uuid, uuid[]) is 'Issues the invoices of open terms and mails them; their ids';

-- Receipts ------------------------------------------------------------------------------------------------------------------------------------

create function app_private.write_receipt(p app.payments, before app.receipts, why text) returns uuid language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org constant uuid := p.org_id;
  today constant date := app_private.today_in(org);
  taken int;
  made uuid;
begin
  if before.id is not null then update app.receipts r set state = 'replaced' where r.org_id = org and r.id = before.id; end if;
  taken := app_private.take_number(org, 'receipt', extract(year from today)::int);
  insert into app.receipts (org_id, payment_id, person_id, chapter_id, books_chapter_id, number, number_year, number_place, replaces_id, reason, amount, currency, issued_on, received_on, billing, seller, lines, created_by)
    values (org, p.id, p.person_id, p.chapter_id, p.books_chapter_id, concat('R-', extract(year from today), '-', lpad(taken::text, greatest(5, length(taken::text)), '0')), extract(year from today)::int, taken,
      before.id, coalesce(why, ''), p.amount - p.refunded_amount, p.currency, today,
      coalesce(p.received_on, (select (p.settled_at at time zone o.timezone)::date from app.organisations o where o.org_id = org), today),
      app_private.billing_of(org, p.person_id, p.chapter_id), app_private.seller_of(org),
      (select coalesce(jsonb_agg(jsonb_build_object('invoice', coalesce(i.number, i.foreign_number), 'text', i.reason, 'amount', a.amount - a.refunded_amount) order by i.id), '[]')
        from app.payment_allocations a join app.invoices i on i.org_id = a.org_id and i.id = a.invoice_id where a.org_id = org and a.payment_id = p.id and a.amount > a.refunded_amount), app.account_id())
    returning id into made;
  return made;
end $$;
comment on function app_private.write_receipt(app.payments, app.receipts, text) is 'A receipt for what is left of a payment, in place of the one before';

create or replace function app.issue_receipt(org uuid, payment uuid, why text default null) returns uuid language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  p app.payments;
  before app.receipts;
begin
  perform app_private.books_open(org);
  select * into p from app.payments x where x.org_id = org and x.id = payment for update;
  if p.id is null or p.state not in ('settled', 'partly_refunded') then
    raise exception 'receipts are for settled payments' using errcode = '23514', constraint = 'payment_not_settled';
  end if;
  select * into before from app.receipts r where r.org_id = org and r.payment_id = payment and r.state = 'issued' for update;
  -- Once, whoever settles; a correction is asked for with its reason, by those who keep the books.
  if before.id is not null and why is null then return before.id; end if;
  if why is not null and not app_private.keeps_books(org, p.books_chapter_id) then raise exception 'not allowed' using errcode = '42501'; end if;
  return app_private.write_receipt(p, before, why);
end $$;

create function app_private.bring_receipt(org uuid, payment uuid) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  p app.payments;
  before app.receipts;
  made uuid;
begin
  select * into p from app.payments x where x.org_id = org and x.id = payment;
  select * into before from app.receipts r where r.org_id = org and r.payment_id = payment and r.state = 'issued' for update;
  if p.counts and p.state in ('settled', 'partly_refunded') and num_nonnulls(p.person_id, p.chapter_id) > 0 then
    if before.id is not null and before.amount = p.amount - p.refunded_amount then return; end if;
    made := app_private.write_receipt(p, before, case when p.refunded_amount > 0 then 'Refund' end);
    -- Whom no address is known of fetches it.
    if p.person_id is not null or exists (select from app.chapters c where c.org_id = org and c.id = p.chapter_id and c.contact_email <> '') then
      update app.receipts r set sent_at = now() where r.org_id = org and r.id = made;
      perform app_private.add_mails(org, app.account_id(), jsonb_build_array(jsonb_build_object('template', 'receipt', 'person', p.person_id,
        'address', case when p.person_id is null then (select c.contact_email from app.chapters c where c.org_id = org and c.id = p.chapter_id) end,
        'essential', true, 'params', jsonb_build_object('receipt', made), 'dedupe_key', 'receipt:' || made)));
    end if;
  -- A dispute that is open decides nothing yet.
  elsif before.id is not null and (p.state in ('refunded', 'reversed') or p.dispute_state = 'lost') then
    update app.receipts r set state = 'void' where r.org_id = org and r.id = before.id;
  end if;
end $$;
comment on function app_private.bring_receipt(uuid, uuid) is 'The receipt of a payment says what is left of it: issued once it has settled, replaced after a refund of a part, void when nothing is left';

do $$
declare source text := pg_get_functiondef('app_private.apply_payment(uuid,uuid)'::regprocedure);
begin
  if source !~ 'return next a\.invoice_id;\s+end loop;\s+end' then raise exception 'app_private.apply_payment is written otherwise by now'; end if;
  execute regexp_replace(source, '(return next a\.invoice_id;\s+end loop;)', E'\\1\n  perform app_private.bring_receipt(org, payment);');
end $$;
comment on function app_private.apply_payment(uuid, uuid) is 'Brings what a payment pays and its receipt in line with its state, under locks of its invoices; answers the invoices that changed';

select app_private.own_definers();
grant execute on function app.invoice_paper(uuid, uuid), app.receipt_paper(uuid, uuid), app.mail_invoices(uuid, uuid[], text) to app_access, app_worker;
grant execute on function app_private.add_mails(uuid, uuid, jsonb), app_private.sees_books(uuid, uuid, uuid), app_private.mail_issued(uuid, uuid[], text), app_private.charge_terms(uuid, uuid[]),
  app_private.write_receipt(app.payments, app.receipts, text), app_private.bring_receipt(uuid, uuid) to app_definer;
