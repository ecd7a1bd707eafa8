-- Renewals of many people are taken back together.

create function app.take_back_renewals(terms uuid[]) returns setof uuid language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid := app.org_id();
  mine uuid[] := (select array_agg(t.id order by t.id) from app.membership_terms t join app.memberships m on m.org_id = t.org_id and m.id = t.membership_id
    where t.org_id = org and t.id = any (terms) and t.status = 'open' and m.starts_on is not null
      and (app.everywhere('memberships.manage') or m.chapter_id = any (app.scope('memberships.manage')))
      -- What somebody has begun to pay stays.
      and not exists (select from app.invoice_lines l join app.invoices i on i.org_id = l.org_id and i.id = l.invoice_id
        where l.org_id = t.org_id and l.subject_type = 'membership_term' and l.subject_id = t.id and i.paid_amount <> 0));
begin
  if mine is null then return; end if;
  perform app_private.release_subjects(org, 'membership_term', mine, 'Renewals taken back');
  return query update app.membership_terms t set status = 'void' where t.org_id = org and t.id = any (mine) and t.status = 'open' returning t.id;
end $$;
comment on function app.take_back_renewals(uuid[]) is 'Voids open terms and their invoices, as far as the actor manages them and nothing was paid; which they were';

select app_private.own_definers();
grant execute on function app.take_back_renewals(uuid[]) to app_access;
