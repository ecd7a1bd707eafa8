-- Many invoices mailed, or their debtors reminded, at once.

create function app_private.reminder_pace(org uuid) returns int language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce(min(w.day - w.before), 7) from (
    select d.day, lag(d.day) over (order by d.day) as before
      from (select distinct unnest(coalesce((select s.reminder_days from app.finance_settings s where s.org_id = org), '{3,14,30}')) as day) d) w where w.before is not null
$$;
comment on function app_private.reminder_pace(uuid) is 'Days that lie between two reminders of an invoice at least: as many as between the reminder days that are closest to each other, 7 where there are no two';

create function app.reminder_pace() returns int language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select app_private.reminder_pace(app.org_id())
$$;
comment on function app.reminder_pace() is 'Days that lie between two reminders of an invoice at least';

-- For many at once what app_private.mail_recipient says of one essential mail.
create function app_private.unreachable_debtors(org uuid, invoices uuid[]) returns table (invoice uuid, reason text) language sql stable security definer rows 100
  set search_path = pg_catalog, pg_temp as $$
  select i.id, w.reason
    from app.invoices i
    left join app.people p on p.org_id = i.org_id and p.id = i.person_id
    left join app.accounts a on a.org_id = i.org_id and a.person_id = i.person_id
    left join app.chapters c on c.org_id = i.org_id and c.id = i.chapter_id
    cross join lateral (select case when i.person_id is null then nullif(c.contact_email, '') else coalesce(a.email,
      (select e.address from app.person_emails e where e.org_id = i.org_id and e.person_id = i.person_id order by e.is_primary desc, e.created_at, e.id limit 1)) end as address) t
    cross join lateral (select case
      when a.status = 'suspended' or (i.person_id is null and exists (
        select from app.accounts x where x.org_id = i.org_id and x.status = 'suspended' and lower(x.email) = lower(t.address))) then 'suspended'
      when p.lifecycle in ('deceased', 'erased', 'merged') or p.deleted_at is not null then 'gone'
      when t.address is null then 'no_address'
      when exists (select from app.mail_suppressions s where s.org_id = i.org_id and s.address_hash = app_private.address_hash(t.address)
        and s.reason in ('hard_bounce', 'complaint')) then 'suppressed' end as reason) w
    where i.org_id = org and (invoices is null or i.id = any (invoices)) and i.kind = 'invoice' and i.state in ('issued', 'partly_paid') and w.reason is not null
$$;
comment on function app_private.unreachable_debtors(uuid, uuid[]) is 'Open invoices whose debtors no mail reaches, and why; all of them where invoices is null';

create function app.unreachable_debtors() returns table (invoice uuid, reason text) language plpgsql stable security definer rows 100 set search_path = pg_catalog, pg_temp as $$
declare
  org constant uuid := app.org_id();
  everywhere constant boolean := app.everywhere('finance.manage');
  mine constant uuid[] := app.scope('finance.manage');
begin
  return query select u.invoice, u.reason from app_private.unreachable_debtors(org, null) u
    where everywhere or exists (select from app.invoices i where i.org_id = org and i.id = u.invoice and i.books_chapter_id = any (mine));
end $$;
comment on function app.unreachable_debtors() is 'Open invoices in the books that the caller keeps whose debtors no mail reaches, and why';

-- What is overdue and sent again by hand is a reminder, and counts as one.
do $$
declare
  source constant text := pg_get_functiondef('app_private.mail_issued(uuid,uuid[],text)'::regprocedure);
  changed constant text := replace(source, 'update app.invoices i set sent_at = now() where',
    $x$update app.invoices i set reminded_at = now() where i.org_id = org and i.id in (
    select (m -> 'params' ->> 'invoice')::uuid from jsonb_array_elements(mails) m where m ->> 'template' = 'invoice-reminder');
  update app.invoices i set sent_at = now() where$x$);
begin
  if changed = source then raise exception 'app_private.mail_issued is written otherwise by now'; end if;
  execute changed;
end $$;

-- The calendar keeps to the pace, too, after a reminder by hand.
do $$
declare
  source constant text := pg_get_functiondef('app.remind_invoices(uuid,date,uuid,int)'::regprocedure);
  changed constant text := replace(source, '(i.reminded_at at time zone zone)::date < i.due_on + s.days)',
    '(i.reminded_at at time zone zone)::date < least(i.due_on + s.days, today - pace + 1))');
begin
  if changed = source then raise exception 'app.remind_invoices is written otherwise by now'; end if;
  execute replace(changed, '  mails jsonb;', E'  pace constant int := app_private.reminder_pace(org);\n  mails jsonb;');
end $$;

create function app.send_invoices(org uuid, invoices uuid[]) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform app_private.books_open(org);
  if exists (select from app.invoices i where i.org_id = org and i.id = any (invoices) and not app_private.keeps_books(org, i.books_chapter_id)) then
    raise exception 'not allowed' using errcode = '42501';
  end if;
  return app_private.mail_issued(org, (select array_agg(i.id) from app.invoices i where i.org_id = org and i.id = any (invoices) and i.kind = 'invoice'
    and i.sent_at is null and not exists (select from app_private.unreachable_debtors(org, invoices) u where u.invoice = i.id)), null);
end $$;
comment on function app.send_invoices(uuid, uuid[]) is 'Mails open invoices that were not mailed yet to whoever owes them and has an address; how many';

create function app.remind_debtors(org uuid, invoices uuid[]) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  today constant date := app_private.today_of(org);
  zone constant text := (select o.timezone from app.organisations o where o.org_id = org);
  mails jsonb;
begin
  perform app_private.books_open(org);
  if exists (select from app.invoices i where i.org_id = org and i.id = any (invoices) and not app_private.keeps_books(org, i.books_chapter_id)) then
    raise exception 'not allowed' using errcode = '42501';
  end if;
  select jsonb_agg(jsonb_build_object('template', 'invoice-reminder', 'person', i.person_id, 'address', case when i.person_id is null then c.contact_email end, 'essential', true,
      'params', jsonb_build_object('invoice', i.id), 'dedupe_key', concat_ws(':', 'reminded', i.id, today)) order by i.id) into mails
    from app.invoices i left join app.chapters c on c.org_id = i.org_id and c.id = i.chapter_id
    where i.org_id = org and i.id = any (invoices) and i.kind = 'invoice' and i.state in ('issued', 'partly_paid') and i.balance_amount > 0 and i.due_on < today
      and (i.reminded_at is null or (i.reminded_at at time zone zone)::date <= today - app_private.reminder_pace(org))
      and not exists (select from app_private.unreachable_debtors(org, invoices) u where u.invoice = i.id);
  if mails is null then return 0; end if;
  update app.invoices i set reminded_at = now() where i.org_id = org and i.id in (select (m -> 'params' ->> 'invoice')::uuid from jsonb_array_elements(mails) m);
  return app_private.add_mails(org, app.account_id(), mails);
end $$;
comment on function app.remind_debtors(uuid, uuid[]) is 'Reminds the debtors of overdue invoices, none of them again within the pace of reminders; how many mails that makes';

select app_private.own_definers();
grant execute on function app.reminder_pace(), app.unreachable_debtors(), app.send_invoices(uuid, uuid[]), app.remind_debtors(uuid, uuid[]) to app_access;
grant execute on function app_private.reminder_pace(uuid), app_private.unreachable_debtors(uuid, uuid[]) to app_definer;
