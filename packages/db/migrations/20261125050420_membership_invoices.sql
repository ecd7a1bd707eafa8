-- A term that costs something is charged by an invoice, and settled once that is paid.

select app_private.register_invoice_subject('membership_term', 'memberships.manage',
  $$select t.person_id, m.chapter_id, t.price_amount, t.price_currency from app.membership_terms t
    join app.memberships m on m.org_id = t.org_id and m.id = t.membership_id where t.org_id = $1 and t.id = $2 and t.status = 'open'$$);

create or replace function app_private.term_paid(org uuid, term uuid) returns boolean language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select t.price_amount = 0 or exists (select from app.invoice_lines l join app.invoices i on i.org_id = l.org_id and i.id = l.invoice_id
      where l.org_id = t.org_id and l.subject_type = 'membership_term' and l.subject_id = t.id and i.kind = 'invoice' and i.state = 'paid')
    from app.membership_terms t where t.org_id = org and t.id = term
$$;

create function app.charge_membership_terms(org uuid, most int) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  actor app.actor_context := app.actor();
  r record;
  made int := 0;
begin
  if actor.org_id is not null and (actor.org_id <> org or not app.everywhere('memberships.manage')) then
    raise exception 'memberships are run by administrators' using errcode = '42501', constraint = 'memberships_administrators';
  end if;
  for r in select t.id, t.person_id, t.price_amount, t.price_currency, t.chapter_share_bps, m.chapter_id, y.name, m.ends_on
      from app.membership_terms t
      join app.memberships m on m.org_id = t.org_id and m.id = t.membership_id and m.status in ('awaiting_payment', 'active', 'grace')
      join app.membership_types y on y.org_id = m.org_id and y.id = m.type_id
      where t.org_id = org and t.status = 'open' and t.price_amount > 0
        and not exists (select from app.invoice_lines l join app.invoices i on i.org_id = l.org_id and i.id = l.invoice_id
          where l.org_id = t.org_id and l.subject_type = 'membership_term' and l.subject_id = t.id and i.state <> 'void')
      order by t.id limit most loop
    perform app.issue_invoice(org, app.draft_invoice(org, jsonb_build_object('personId', r.person_id, 'currency', r.price_currency, 'reason', r.name,
      'dedupeKey', 'membership_term:' || r.id,
      'dueOn', case when r.ends_on >= app_private.today_of(org) then r.ends_on end,
      'lines', jsonb_build_array(jsonb_build_object('text', r.name, 'amount', r.price_amount, 'subjectType', 'membership_term', 'subjectId', r.id)
        || case when r.chapter_id is null or r.chapter_share_bps = 0 then '{}'
          else jsonb_build_object('shareChapterId', r.chapter_id, 'shareAmount', round(r.price_amount::numeric * r.chapter_share_bps / 10000)) end))));
    made := made + 1;
  end loop;
  return made;
end $$;
comment on function app.charge_membership_terms(uuid, int) is 'Issues the invoices of open terms that have none; how many. Stopped halfway, the next call goes on';

select app_private.own_definers();
grant execute on function app.charge_membership_terms(uuid, int) to app_access, app_worker;
