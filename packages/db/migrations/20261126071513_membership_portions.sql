-- The daily run works in portions, each a transaction of its own: what was done stays when a worker is killed, and nobody waits long for the books.

drop function app.run_memberships(uuid, date);
drop function app.charge_membership_terms(uuid, int);

create function app_private.runs_memberships(org uuid) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare actor app.actor_context := app.actor();
begin
  if actor.org_id is not null and (actor.org_id <> org or not app.everywhere('memberships.manage')) then
    raise exception 'memberships are run by administrators' using errcode = '42501', constraint = 'memberships_administrators';
  end if;
  -- Before any row, as everybody does who writes in the books.
  perform app_private.books_first(org);
end $$;
comment on function app_private.runs_memberships(uuid) is 'The caller runs the memberships of an organisation, or is a worker; whoever else writes in its books waits';

create function app_private.charge_terms(org uuid, terms uuid[]) returns uuid[] language sql security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce(array_agg(i.invoice), '{}') from app.issue_invoices(org, (select array_agg(d.invoice order by d.place) from app.draft_invoices(org, (
    select coalesce(jsonb_agg(jsonb_build_object('personId', t.person_id, 'currency', t.price_currency, 'reason', y.name, 'dedupeKey', 'membership_term:' || t.id,
        'dueOn', case when m.ends_on >= app_private.today_of(org) then m.ends_on end,
        'lines', jsonb_build_array(jsonb_build_object('text', y.name, 'amount', t.price_amount, 'subjectType', 'membership_term', 'subjectId', t.id)
          || case when m.chapter_id is null or t.chapter_share_bps = 0 then '{}'
            else jsonb_build_object('shareChapterId', m.chapter_id, 'shareAmount', round(t.price_amount::numeric * t.chapter_share_bps / 10000)) end)) order by t.id), '[]')
    from app.membership_terms t
    join app.memberships m on m.org_id = t.org_id and m.id = t.membership_id
    join app.membership_types y on y.org_id = m.org_id and y.id = m.type_id
    where t.org_id = org and t.id = any (terms))) d)) i
$$;
comment on function app_private.charge_terms(uuid, uuid[]) is 'Issues the invoices of open terms; their ids';

create function app.run_memberships(org uuid, today date, after uuid default null, most int default 1000) returns jsonb language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  ended int := 0;
  graced int := 0;
  gone int := 0;
  opened int := 0;
  room int := most;
  due uuid[] := '{}';
  free uuid[] := '{}';
  priced uuid[] := '{}';
  invoices uuid[] := '{}';
begin
  perform app_private.runs_memberships(org);
  -- A row that somebody else holds is left for the next run: they wait for the books, which are held here.
  if after is null then
    update app.memberships m set override_status = null, override_until = null, override_reason = null
      where m.org_id = org and m.id in (select x.id from app.memberships x where x.org_id = org and x.override_until < today limit room for update skip locked);
    get diagnostics ended = row_count;
    room := room - ended;
    update app.memberships m set status = 'grace' where m.org_id = org and m.id in (select x.id from app.memberships x
      where x.org_id = org and x.status = 'active' and x.ends_on < today and x.grace_until >= today limit room for update skip locked);
    get diagnostics graced = row_count;
    room := room - graced;
    update app.memberships m set status = 'lapsed' where m.org_id = org and m.id in (select x.id from app.memberships x
      where x.org_id = org and x.status in ('active', 'grace') and x.ends_on < today and x.grace_until < today limit room for update skip locked);
    get diagnostics gone = row_count;
    room := room - gone;
  end if;
  select coalesce(array_agg(d.id order by d.id), '{}') into due from (
    select m.id from app.memberships m
      join app.membership_types t on t.org_id = m.org_id and t.id = m.type_id and t.archived_at is null and t.period <> 'lifetime'
      join app.people p on p.org_id = m.org_id and p.id = m.person_id and p.deleted_at is null and p.lifecycle not in ('deceased', 'merged', 'erased')
      where m.org_id = org and m.id > coalesce(after, '00000000-0000-0000-0000-000000000000') and m.status in ('active', 'grace') and m.auto_renew and m.ends_on <= today + t.renewal_days
        and not exists (select from app.membership_terms o where o.org_id = m.org_id and o.membership_id = m.id and o.status = 'open')
      order by m.id limit room for update of m skip locked) d;
  with fresh as (
    insert into app.membership_terms (org_id, membership_id, person_id, period, months, starts_month, starts_day, rollover_days, grace_days, chapter_share_bps, price_amount, price_currency)
      select m.org_id, m.id, m.person_id, t.period, t.months, t.starts_month, t.starts_day, 0, t.grace_days, t.chapter_share_bps, t.price_amount, t.price_currency
      from app.memberships m join app.membership_types t on t.org_id = m.org_id and t.id = m.type_id where m.org_id = org and m.id = any (due)
      returning id, price_amount
  )
  select count(*), coalesce(array_agg(f.id) filter (where f.price_amount = 0), '{}'), coalesce(array_agg(f.id) filter (where f.price_amount > 0), '{}')
    into opened, free, priced from fresh f;
  if free <> '{}' then
    -- A free term begins the day after the running one.
    update app.membership_terms t set status = 'settled', settled_on = today, starts_on = m.ends_on + 1,
        ends_on = app.term_ends(t.period, t.months, t.starts_month, t.starts_day, t.rollover_days, m.ends_on + 1)
      from app.memberships m where t.org_id = org and t.id = any (free) and m.org_id = t.org_id and m.id = t.membership_id;
    perform app_private.refresh_memberships(org, (select array_agg(t.membership_id) from app.membership_terms t where t.org_id = org and t.id = any (free)), today, false);
  end if;
  if priced <> '{}' then invoices := app_private.charge_terms(org, priced); end if;
  return jsonb_build_object('overridesEnded', ended, 'toGrace', graced, 'lapsed', gone, 'renewalsOpened', opened, 'renewedFree', cardinality(free), 'invoices', cardinality(invoices),
    'after', coalesce(due[cardinality(due)], after), 'isLast', room > cardinality(due));
end $$;
comment on function app.run_memberships(uuid, date, uuid, int) is 'What the calendar does to memberships, at most so many at a time: overrides end, terms end, renewals open and are charged. after is the membership that the portion before ended with. The second run of a day changes nothing';

create function app.charge_membership_terms(org uuid, after uuid, most int) returns jsonb language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  last uuid;
  found_terms uuid[];
begin
  perform app_private.runs_memberships(org);
  select coalesce(array_agg(d.id), '{}'), (array_agg(d.membership_id order by d.membership_id desc))[1] into found_terms, last from (
    select t.id, t.membership_id from app.membership_terms t
      join app.memberships m on m.org_id = t.org_id and m.id = t.membership_id and m.status in ('awaiting_payment', 'active', 'grace')
      where t.org_id = org and t.status = 'open' and t.price_amount > 0 and t.membership_id > coalesce(after, '00000000-0000-0000-0000-000000000000')
        -- One that was voided by hand is not charged again by the calendar.
        and not exists (select from app.invoice_lines l where l.org_id = t.org_id and l.subject_type = 'membership_term' and l.subject_id = t.id)
      order by t.membership_id limit most) d;
  if found_terms <> '{}' then perform app_private.charge_terms(org, found_terms); end if;
  return jsonb_build_object('invoices', cardinality(found_terms), 'after', last, 'isLast', cardinality(found_terms) < most);
end $$;
comment on function app.charge_membership_terms(uuid, uuid, int) is 'Issues the invoices of open terms that have none, at most so many at a time';

select app_private.own_definers();
grant execute on function app.run_memberships(uuid, date, uuid, int), app.charge_membership_terms(uuid, uuid, int) to app_access, app_worker;
grant execute on function app_private.runs_memberships(uuid), app_private.charge_terms(uuid, uuid[]), app_private.books_first(uuid) to app_definer;
