-- Another type holds from the next term on: what is charged for it already is charged anew, unless somebody has begun to pay. Members change the type
-- themselves when their next term is due, to one that they could join without approval.

create function app.membership_may_switch(status text, leaves_on date, ends_on date, renewal_days int) returns boolean language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select leaves_on is null and (status in ('awaiting_payment', 'grace', 'lapsed') or (status = 'active' and ends_on - renewal_days <= app.today()))
$$;
comment on function app.membership_may_switch(text, date, date, int) is 'Whether it is time for a member to choose another type: their next term is due or can be renewed, and nothing that was paid is renamed long before it ends';

create function app.may_switch_membership(membership uuid, to_type uuid) returns boolean language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select exists (select from app.memberships m
    join app.membership_types f on f.org_id = m.org_id and f.id = m.type_id
    join app.membership_types t on t.org_id = m.org_id and t.id = to_type
    where m.org_id = app.org_id() and m.id = membership and m.person_id = app.person_id() and not app.membership_paused(m.person_id)
      and app.membership_may_switch(m.status, m.leaves_on, m.ends_on, f.renewal_days)
      and t.archived_at is null and not t.needs_approval and (t.open_to = 'everyone'
        or (t.open_to = 'members' and exists (select from app.memberships o where o.org_id = m.org_id and o.person_id = m.person_id and o.starts_on is not null))))
$$;
comment on function app.may_switch_membership(uuid, uuid) is 'Whether the actor may give a membership of their own another type without an officer';

create or replace function app_private.memberships_guard() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if current_user = 'app_definer' or app.org_id() is null then return null; end if;
  if tg_op = 'INSERT' then
    if exists (select from changed c where c.status not in ('awaiting_approval', 'awaiting_payment')) then
      raise exception 'a membership starts with an application or its first invoice' using errcode = '23514', constraint = 'membership_move';
    end if;
    if exists (select from changed c join app.membership_types t on t.org_id = c.org_id and t.id = c.type_id
        where t.archived_at is not null or (not app.decides_membership(c.person_id, c.chapter_id) and (t.open_to = 'officers' or (t.needs_approval and c.status <> 'awaiting_approval')
          or (t.open_to = 'members' and not exists (select from app.memberships o where o.org_id = c.org_id and o.person_id = c.person_id and o.starts_on is not null))))) then
      raise exception 'this type cannot be chosen' using errcode = '42501', constraint = 'membership_type_closed';
    end if;
    if exists (select from changed c where c.status <> 'awaiting_approval' and not app.decides_membership(c.person_id, c.chapter_id) and app.membership_paused(c.person_id)) then
      raise exception 'while a membership is paused, an officer approves another one' using errcode = '42501', constraint = 'membership_paused';
    end if;
    return null;
  end if;
  if exists (select from changed c join before b on b.org_id = c.org_id and b.id = c.id where not app.membership_may_become(b.status, c.status)) then
    raise exception 'a membership cannot go from one of these statuses to the other' using errcode = '23514', constraint = 'membership_move';
  end if;
  if exists (select from changed c join before b on b.org_id = c.org_id and b.id = c.id
      where ((c.status <> b.status and (c.status not in ('cancelled', 'withdrawn') or 'suspended' in (b.status, b.override_status))) or (c.override_status, c.override_until, c.override_reason, c.chapter_id)
          is distinct from (b.override_status, b.override_until, b.override_reason, b.chapter_id)
          or (c.type_id <> b.type_id and not (b.person_id = app.person_id() and app.may_switch_membership(b.id, c.type_id))))
        and not app.decides_membership(b.person_id, b.chapter_id)) then
    raise exception 'this is decided by another officer, or by the chapter above' using errcode = '42501', constraint = 'membership_decided_above';
  end if;
  if exists (select from changed c join before b on b.org_id = c.org_id and b.id = c.id and b.type_id <> c.type_id
      join app.membership_types t on t.org_id = c.org_id and t.id = c.type_id where t.archived_at is not null) then
    raise exception 'this type is archived' using errcode = '23514', constraint = 'membership_type_archived';
  end if;
  if exists (select from changed c join before b on b.org_id = c.org_id and b.id = c.id join app.membership_types t on t.org_id = b.org_id and t.id = b.type_id
      where (c.leaves_on is distinct from b.leaves_on and 'suspended' in (b.status, b.override_status)
          or t.leaving = 'end_of_term' and b.ends_on >= app.today() and ((c.status = 'cancelled' and b.status <> 'cancelled') or (c.leaves_on <> b.ends_on and c.leaves_on is distinct from b.leaves_on)))
        and not app.decides_membership(b.person_id, b.chapter_id)) then
    raise exception 'a membership of this type is left at the end of its term' using errcode = '42501', constraint = 'membership_leaves_at_end';
  end if;
  if exists (select from changed c join before b on b.org_id = c.org_id and b.id = c.id where c.leaves_on is distinct from b.leaves_on
      and (c.leaves_on < app.today() or (c.leaves_on is not null and c.status not in ('active', 'grace', 'suspended')))) then
    raise exception 'a membership ends on a day to come' using errcode = '23514', constraint = 'membership_leaves_on';
  end if;
  return null;
end $$;

create function app_private.memberships_of_other_type() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  r record;
begin
  for r in select c.org_id, array_agg(t.id order by t.id) as terms from changed c join before b on b.org_id = c.org_id and b.id = c.id and b.type_id <> c.type_id
      join app.membership_terms t on t.org_id = c.org_id and t.membership_id = c.id and t.status = 'open'
      -- What somebody has begun to pay stays.
      where not exists (select from app.invoice_lines l join app.invoices i on i.org_id = l.org_id and i.id = l.invoice_id
        where l.org_id = t.org_id and l.subject_type = 'membership_term' and l.subject_id = t.id and (i.paid_amount <> 0 or exists (
          select from app.payment_allocations a join app.payments p on p.org_id = a.org_id and p.id = a.payment_id
          where a.org_id = i.org_id and a.invoice_id = i.id and p.state = 'pending')))
      group by c.org_id loop
    perform app_private.release_subjects(r.org_id, 'membership_term', r.terms, 'Membership type changed');
    update app.membership_terms t set status = 'void' where t.org_id = r.org_id and t.id = any (r.terms);
  end loop;
  return null;
end $$;
comment on function app_private.memberships_of_other_type() is 'The open term of a membership that got another type is void, and its invoice with it, unless something was paid';
create trigger memberships_of_other_type after update on app.memberships referencing old table as before new table as changed for each statement execute function app_private.memberships_of_other_type();

select app_private.own_definers();
grant execute on function app.may_switch_membership(uuid, uuid), app.membership_may_switch(text, date, date, int) to app_access;
grant execute on function app.membership_may_switch(text, date, date, int), app.membership_paused(uuid) to app_definer;
