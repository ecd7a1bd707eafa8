-- Money that comes back, as in a dispute that is won, gives a term its dates again although a renewal was open when it went.
CREATE OR REPLACE FUNCTION app.settle_membership_term(org uuid, term uuid, paid_on date)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $$
declare
  actor app.actor_context := app.actor();
  m app.memberships;
  t app.membership_terms;
  first date;
begin
  if actor.org_id is not null and actor.org_id <> org then raise exception 'this term belongs to another organisation' using errcode = '42501', constraint = 'membership_decided_above'; end if;
  select x.* into m from app.memberships x join app.membership_terms y on y.org_id = x.org_id and y.membership_id = x.id
    where x.org_id = org and y.id = term for update of x;
  select y.* into t from app.membership_terms y where y.org_id = org and y.id = term for update;
  -- A term that was void because its money had gone back, as in a dispute, counts again when that comes back; of what was ended nothing does.
  if t.id is null or t.status = 'settled'
    or (t.status = 'void' and (m.status in ('applied', 'awaiting_approval', 'declined', 'withdrawn', 'cancelled') or not app_private.term_paid(org, term))) then return false; end if;
  if m.status in ('applied', 'awaiting_approval', 'declined', 'withdrawn') then
    raise exception 'this application has not been approved' using errcode = '23514', constraint = 'membership_not_approved';
  end if;
  if not app_private.term_paid(org, term) then
    raise exception 'this term has not been paid' using errcode = '23514', constraint = 'membership_not_paid';
  end if;
  first := app.term_starts(paid_on, case when m.status <> 'cancelled' then m.ends_on end, m.grace_until);
  update app.membership_terms y set status = 'settled', settled_on = paid_on, starts_on = first,
      ends_on = app.term_ends(t.period, t.months, t.starts_month, t.starts_day, t.rollover_days, first)
    where y.org_id = org and y.id = term;
  perform app_private.refresh_memberships(org, array[m.id], app_private.today_of(org), true);
  return true;
end $$;
