-- Recurring gifts are charged to a saved card on their day. A charge that fails is tried again 3, 7 and 14 days after the first failure; then the plan ends.
-- Donors stop and pause what they give themselves, also by the link in every receipt.

create function app_private.plan_follows(g app.gifts, is_fresh boolean) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org constant uuid := g.org_id;
  today constant date := app_private.today_in(org);
  p app.recurring_plans;
  tries int;
  came boolean;
  following date;
begin
  -- As it is by now: what called this has changed it.
  select x.* into g from app.gifts x where x.org_id = org and x.id = g.id;
  select x.* into p from app.recurring_plans x where x.org_id = org and x.id = g.plan_id for update;
  came := g.settled_at is not null;
  if g.source <> 'plan' then
    -- The first gift begins the plan, also where its donor had given up before.
    if came and g.counts and (p.status = 'pending' or (p.status = 'cancelled' and p.stopped_by is null)) and g.person_id is not null
      and exists (select from app.payments q where q.org_id = org and q.gift_id = g.id and q.settled_at is not null and q.saves_method) then
      update app.gifts x set due_on = g.received_on where x.org_id = org and x.id = g.id and x.due_on <> g.received_on;
      update app.recurring_plans x set status = 'active', person_id = g.person_id, started_on = g.received_on, next_on = app_private.plan_day_after(g.received_on, x.interval, g.received_on),
          amount = g.amount, fee_covered = g.fee_covered, stopped_at = null, is_test = g.is_test, counts = g.counts
        where x.org_id = org and x.id = p.id;
    -- Given up, or paid on a page from before it was to be given again and again.
    elsif (came or g.status in ('failed', 'cancelled')) and p.status = 'pending' then
      update app.recurring_plans x set status = 'cancelled', stopped_at = now() where x.org_id = org and x.id = p.id;
    elsif not came and g.status = 'pending' and p.status = 'cancelled' and p.stopped_by is null then
      update app.recurring_plans x set status = 'pending', stopped_at = null where x.org_id = org and x.id = p.id;
    end if;
    return;
  end if;
  if p.status not in ('active', 'past_due', 'paused') then return; end if;
  if came then
    if not is_fresh then return; end if;
    -- Days that were missed are not made up for.
    following := greatest(p.next_on, app_private.plan_day_after(p.started_on, p.interval, greatest(g.due_on, today)));
    update app.recurring_plans x set failures = 0, first_failed_on = null, retry_on = null,
        next_on = following, status = case when p.ends_on < following then 'completed' when p.status = 'past_due' then 'active' else p.status end,
        paused_until = case when p.ends_on < following then null else p.paused_until end
      where x.org_id = org and x.id = p.id;
    return;
  end if;
  if p.status = 'paused' or g.due_on <> p.next_on then return; end if;
  -- A page to pay on that was left is no charge that failed.
  select count(*) into tries from app.payments q where q.org_id = org and q.gift_id = g.id and q.kind = 'charge' and q.state in ('failed', 'cancelled');
  if tries <= p.failures then return; end if;
  if tries >= 4 then
    update app.recurring_plans x set status = 'cancelled', failures = 4, first_failed_on = coalesce(p.first_failed_on, today), retry_on = null, stopped_at = now(), stopped_by = 'failures'
      where x.org_id = org and x.id = p.id;
    perform app_private.add_mail(org, null, jsonb_build_object('template', 'plan-stopped', 'person', p.person_id, 'essential', true, 'params', jsonb_build_object('plan', p.id), 'dedupe_key', concat_ws(':', 'plan-stopped', p.id)));
  else
    update app.recurring_plans x set status = 'past_due', failures = tries, first_failed_on = coalesce(p.first_failed_on, today), retry_on = coalesce(p.first_failed_on, today) + (array[3, 7, 14])[tries]
      where x.org_id = org and x.id = p.id;
    if p.failures = 0 then
      perform app_private.add_mail(org, null, jsonb_build_object('template', 'plan-charge-failed', 'person', p.person_id, 'essential', true, 'params', jsonb_build_object('plan', p.id, 'gift', g.id),
        'dedupe_key', concat_ws(':', 'plan-charge-failed', g.id)));
    end if;
  end if;
end $$;
comment on function app_private.plan_follows(app.gifts, boolean) is 'What a gift means for the plan that it is a part of: it begins, goes on, is tried again or ends';

create function app.plans_due(org uuid, most int default 1000) returns setof uuid language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare today constant date := app_private.today_in(org);
begin
  perform app_private.worker_only();
  perform app_private.books_open(org);
  update app.recurring_plans p set status = 'active', paused_until = null, next_on = case when p.next_on < today then app_private.plan_day_after(p.started_on, p.interval, today - 1) else p.next_on end
    where p.org_id = org and p.status = 'paused' and p.paused_until <= today;
  update app.recurring_plans p set status = 'completed' where p.org_id = org and p.status = 'active' and p.ends_on < p.next_on;
  return query
    select p.id from app.recurring_plans p
      where p.org_id = org and p.status in ('active', 'past_due') and coalesce(p.retry_on, p.next_on) <= today
        and exists (select from app.people x where x.org_id = org and x.id = p.person_id and x.lifecycle not in ('deceased', 'merged', 'erased') and x.deleted_at is null)
        and not exists (select from app.gifts g join app.payments q on q.org_id = g.org_id and q.gift_id = g.id and q.state = 'pending' where g.org_id = org and g.plan_id = p.id and g.due_on = p.next_on)
      order by p.id limit most;
end $$;
comment on function app.plans_due(uuid, int) is 'Plans that are to be charged today; those whose pause is over go on, and those whose last day has come are completed. For the worker';

create function app.begin_plan_charge(org uuid, plan uuid, real_money boolean, counted boolean) returns uuid language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  today constant date := app_private.today_in(org);
  p app.recurring_plans;
  c app.campaigns;
  g app.gifts;
  base bigint;
begin
  perform app_private.books_open(org);
  select x.* into p from app.recurring_plans x where x.org_id = org and x.id = plan for update;
  if not app_private.gift_right(org, p.chapter_id, 'gifts.manage') then raise exception 'not allowed' using errcode = '42501'; end if;
  if p.id is null or p.status not in ('active', 'past_due') or coalesce(p.retry_on, p.next_on) > today or p.ends_on < p.next_on then return null; end if;
  select x.* into g from app.gifts x where x.org_id = org and x.plan_id = plan and x.due_on = p.next_on for update;
  if g.id is null then
    select x.* into c from app.campaigns x where x.org_id = org and x.id = p.campaign_id;
    base := p.amount - p.fee_covered;
    insert into app.gifts (org_id, campaign_id, chapter_id, person_id, donor_name, donor_email, amount, fee_covered, currency, method, counts, is_test, is_anonymous, source, plan_id, due_on, share_chapter_id, share_amount)
      values (org, p.campaign_id, p.chapter_id, p.person_id, p.donor_name, p.donor_email, p.amount, p.fee_covered, p.currency, 'card', counted, not real_money, p.is_anonymous, 'plan', p.id, p.next_on,
        c.share_chapter_id, round(base::numeric * coalesce(c.share_bps, 0) / 10000)::bigint)
      returning * into g;
    insert into app.gift_allocations (org_id, gift_id, fund_id, amount) values (org, g.id, p.fund_id, p.amount);
  elsif g.settled_at is not null or exists (select from app.payments q where q.org_id = org and q.gift_id = g.id and q.state = 'pending') then
    return null;
  elsif g.amount <> p.amount then
    -- Its donor gives another amount since the first try.
    perform app_private.scale_gift(org, g.id, p.amount);
    update app.gifts x set fee_covered = p.fee_covered where x.org_id = org and x.id = g.id returning * into g;
  end if;
  -- Without a card the charge has failed before it began.
  if not exists (select from app.payment_methods m where m.org_id = org and m.plan_id = p.id and m.removed_at is null) then
    insert into app.payments (org_id, kind, method, amount, currency, gift_id, person_id, provider, state, failure, is_test, counts)
      values (org, 'charge', 'card', g.amount, g.currency, g.id, p.person_id, 'stripe', 'failed', 'declined', not real_money, counted);
    return null;
  end if;
  return (app_private.begin_gift_payment(g, 'charge', null, false, false, real_money, counted)).payment_id;
end $$;
comment on function app.begin_plan_charge(uuid, uuid, boolean, boolean) is 'An attempt to charge the gift of a plan that is due, the same gift at every try; null where there is nothing to charge, or no card. For the worker, and for those who manage gifts';

create function app_private.alter_plan(p app.recurring_plans, said jsonb, who text) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org constant uuid := p.org_id;
  today constant date := app_private.today_in(org);
  does constant text := said ->> 'do';
  c app.campaigns;
  base bigint := coalesce((said ->> 'amount')::bigint, p.amount - p.fee_covered);
  fee bigint := p.fee_covered;
  most bigint;
begin
  if p.status in ('cancelled', 'completed') then raise exception 'this recurring gift is over' using errcode = '23514', constraint = 'plan_over'; end if;
  if does = 'stop' then
    update app.recurring_plans x set status = 'cancelled', stopped_at = now(), stopped_by = who, stop_reason = coalesce(said ->> 'reason', ''), retry_on = null, paused_until = null where x.org_id = org and x.id = p.id;
  elsif p.status = 'pending' then raise exception 'this recurring gift has not begun' using errcode = '23514', constraint = 'plan_pending';
  elsif does = 'pause' then
    if (said ->> 'until')::date <= today then raise exception 'a pause ends on a later day' using errcode = '23514', constraint = 'plan_pause_until'; end if;
    update app.recurring_plans x set status = 'paused', paused_until = (said ->> 'until')::date, retry_on = null, failures = 0, first_failed_on = null where x.org_id = org and x.id = p.id;
  elsif does = 'resume' then
    if p.status <> 'paused' then return; end if;
    update app.recurring_plans x set status = 'active', paused_until = null, next_on = case when p.next_on < today then app_private.plan_day_after(p.started_on, p.interval, today - 1) else p.next_on end
      where x.org_id = org and x.id = p.id;
  elsif does = 'change' then
    select x.* into c from app.campaigns x where x.org_id = org and x.id = p.campaign_id;
    if said ? 'ends_on' and (said ->> 'ends_on')::date <= today then raise exception 'it ends on a later day' using errcode = '23514', constraint = 'plan_ends'; end if;
    if base <> p.amount - p.fee_covered or said ? 'covers_fees' then
      most := least(c.max_amount, app_private.most_at_once(org));
      if base < coalesce(c.min_amount, 1) then
        raise exception 'this is less than the least' using errcode = '23514', constraint = 'gift_too_small', detail = json_build_object('least', coalesce(c.min_amount, 1), 'currency', p.currency)::text;
      end if;
      if base > most then raise exception 'this is more than the most' using errcode = '23514', constraint = 'gift_too_large', detail = json_build_object('most', most, 'currency', p.currency)::text; end if;
      fee := case when coalesce((said ->> 'covers_fees')::boolean, p.fee_covered > 0) then app_private.gift_fee(org, base) else 0 end;
    end if;
    update app.recurring_plans x set amount = base + fee, fee_covered = fee, ends_on = case when said ? 'ends_on' then (said ->> 'ends_on')::date else x.ends_on end where x.org_id = org and x.id = p.id;
  elsif does = 'retry' then
    if p.status <> 'past_due' then raise exception 'no charge has failed' using errcode = '23514', constraint = 'plan_not_failed'; end if;
    update app.recurring_plans x set retry_on = today where x.org_id = org and x.id = p.id;
  else raise exception 'unknown change' using errcode = '22023';
  end if;
  -- What was due and did not come is not tried again.
  if does in ('stop', 'pause') then
    update app.gifts g set status = 'cancelled' where g.org_id = org and g.plan_id = p.id and g.source = 'plan' and g.status = 'pending'
      and not exists (select from app.payments q where q.org_id = org and q.gift_id = g.id and q.state = 'pending');
  end if;
end $$;
comment on function app_private.alter_plan(app.recurring_plans, jsonb, text) is 'Pauses, resumes, changes or stops a recurring gift';

create function app_private.plan_to_change(plan uuid, out p app.recurring_plans, out who text) language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare org uuid := app.org_id();
begin
  perform app_private.books_open(org);
  select x.* into p from app.recurring_plans x where x.org_id = org and x.id = plan for update;
  if p.id is null then raise exception 'there is no such recurring gift' using errcode = '23503', constraint = 'plan_unknown'; end if;
  who := case when p.person_id = app.person_id() then 'donor' when app_private.gift_right(org, p.chapter_id, 'gifts.manage') then 'office' end;
  if who is null then raise exception 'not allowed' using errcode = '42501'; end if;
end $$;
comment on function app_private.plan_to_change(uuid) is 'A plan of the actor''s own, or one that they manage; nobody else changes it before this transaction ends';
create function app.hold_plan(plan uuid, known int) returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare h record;
begin
  select * into h from app_private.plan_to_change(plan);
  return (h.p).version = known;
end $$;
comment on function app.hold_plan(uuid, int) is 'Locks a recurring gift that somebody is about to change; whether it is still as they know it';
create function app.change_plan(plan uuid, said jsonb) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare h record;
begin
  select * into h from app_private.plan_to_change(plan);
  perform app_private.alter_plan(h.p, said, h.who);
end $$;
comment on function app.change_plan(uuid, jsonb) is 'Pauses, resumes, changes or stops a recurring gift; for its donor and for those who manage gifts';

create function app_private.plan_of_link(idp_org text, secret_hash text, out org uuid, out plan uuid) language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select l.org_id, l.subject_id from app.open_link(idp_org, 'recurring-gifts', secret_hash) l where l.subject_type = 'recurring_plan'
$$;
comment on function app_private.plan_of_link(text, text) is 'The recurring gift that a link is about';
create function app.plan_by_link(idp_org text, secret_hash text) returns jsonb language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select jsonb_build_object('orgId', p.org_id, 'planId', p.id, 'status', p.status, 'amount', p.amount, 'feeCovered', p.fee_covered, 'currency', p.currency, 'interval', p.interval, 'startedOn', p.started_on,
      'nextOn', p.next_on, 'retryOn', p.retry_on, 'pausedUntil', p.paused_until, 'endsOn', p.ends_on, 'stoppedAt', p.stopped_at, 'stoppedBy', p.stopped_by, 'campaign', c.name, 'slug', c.slug, 'fund', f.name,
      'minAmount', coalesce(c.min_amount, 1), 'maxAmount', coalesce(least(c.max_amount, app_private.most_at_once(p.org_id)), 1000000000000), 'today', app_private.today_in(p.org_id),
      'given', coalesce(n.given, 0), 'gifts', coalesce(n.gifts, 0), 'cardBrand', m.brand, 'cardLast4', m.last4, 'mayPay', p.status = 'past_due')
    from app_private.plan_of_link(idp_org, secret_hash) l join app.recurring_plans p on p.org_id = l.org and p.id = l.plan
    join app.funds f on f.org_id = p.org_id and f.id = p.fund_id
    left join app.campaigns c on c.org_id = p.org_id and c.id = p.campaign_id
    left join lateral (select sum(g.counted_amount) as given, count(*) as gifts from app.gifts g where g.org_id = p.org_id and g.plan_id = p.id and g.counted_amount > 0) n on true
    left join lateral (select x.brand, x.last4 from app.payment_methods x where x.org_id = p.org_id and x.plan_id = p.id and x.removed_at is null order by x.id desc limit 1) m on true
    where p.status <> 'pending'
$$;
comment on function app.plan_by_link(text, text) is 'What whoever has the link in a receipt is shown of the recurring gift; nobody''s name';
create function app.change_plan_by_link(idp_org text, secret_hash text, said jsonb) returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  l record;
  p app.recurring_plans;
begin
  select * into l from app_private.plan_of_link(idp_org, secret_hash);
  if l.plan is null then return false; end if;
  perform app_private.books_first(l.org);
  select x.* into p from app.recurring_plans x where x.org_id = l.org and x.id = l.plan and x.status <> 'pending' for update;
  if p.id is null then return false; end if;
  perform app_private.alter_plan(p, said, 'donor');
  return true;
end $$;
comment on function app.change_plan_by_link(text, text, jsonb) is 'Pauses, resumes, changes or stops the recurring gift that a link is about, for whoever has the link; false where it is not valid';

create function app.begin_plan_payment_by_link(idp_org text, secret_hash text, real_money boolean, counted boolean) returns app.payment_begun
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  l record;
  p app.recurring_plans;
  g app.gifts;
begin
  select * into l from app_private.plan_of_link(idp_org, secret_hash);
  if l.plan is null then return null; end if;
  perform app_private.books_first(l.org);
  select x.* into p from app.recurring_plans x where x.org_id = l.org and x.id = l.plan for update;
  select x.* into g from app.gifts x where x.org_id = l.org and x.plan_id = p.id and x.due_on = p.next_on and x.settled_at is null for update;
  if p.status <> 'past_due' or g.id is null then return null; end if;
  -- A charge that is under way may still succeed.
  if exists (select from app.payments q where q.org_id = l.org and q.gift_id = g.id and q.kind = 'charge' and q.state = 'pending') then return null; end if;
  if g.amount <> p.amount then
    -- Its donor gives another amount since the first try, which is what the page says.
    perform app_private.scale_gift(l.org, g.id, p.amount);
    update app.gifts x set fee_covered = p.fee_covered where x.org_id = l.org and x.id = g.id returning * into g;
  end if;
  return app_private.begin_gift_payment(g, 'checkout', null, true, false, real_money, counted);
end $$;
comment on function app.begin_plan_payment_by_link(text, text, boolean, boolean) is 'Begins to pay what a recurring gift has due after a charge failed, with a card that it charges from then on; for whoever has the link';

create function app_private.recurring_plans_cards() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update app.payment_methods m set removed_at = now(), updated_at = now() from changed c join before b on b.org_id = c.org_id and b.id = c.id
    where c.status in ('cancelled', 'completed') and b.status <> c.status and m.org_id = c.org_id and m.plan_id = c.id and m.removed_at is null;
  return null;
end $$;
comment on function app_private.recurring_plans_cards() is 'The card of a recurring gift goes with it';
create trigger recurring_plans_cards after update on app.recurring_plans referencing old table as before new table as changed for each statement execute function app_private.recurring_plans_cards();
create function app_private.payment_methods_of_plan() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if exists (select from app.recurring_plans p where p.org_id = new.org_id and p.id = new.plan_id and p.status in ('cancelled', 'completed')) then new.removed_at := now(); end if;
  return new;
end $$;
comment on function app_private.payment_methods_of_plan() is 'A card that is saved with a recurring gift that was stopped meanwhile is forgotten at once';
create trigger payment_methods_of_plan before insert on app.payment_methods for each row when (new.plan_id is not null) execute function app_private.payment_methods_of_plan();
create function app.plan_cards_to_forget(org uuid) returns setof uuid language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform app_private.worker_only();
  return query update app.payment_methods m set forgotten_at = now() where m.org_id = org and m.plan_id is not null and m.removed_at is not null and m.forgotten_at is null returning m.id;
end $$;
comment on function app.plan_cards_to_forget(uuid) is 'Removed cards of recurring gifts, each once, for the worker that has the provider forget them';

create function app.plan_mail(org uuid, plan uuid) returns jsonb language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform app_private.worker_only();
  return (select jsonb_build_object('planId', p.id, 'status', p.status, 'amount', p.amount, 'currency', p.currency, 'interval', p.interval, 'nextOn', p.next_on, 'retryOn', p.retry_on, 'failures', p.failures,
      'stoppedAt', p.stopped_at, 'stoppedBy', p.stopped_by, 'campaign', c.name, 'slug', c.slug, 'personId', p.person_id, 'donorEmail', p.donor_email, 'hasCard', m.last4 is not null, 'last4', m.last4,
      'failure', (select q.failure from app.gifts g join app.payments q on q.org_id = g.org_id and q.gift_id = g.id where g.org_id = org and g.plan_id = p.id and g.due_on = p.next_on order by q.id desc limit 1))
    from app.recurring_plans p left join app.campaigns c on c.org_id = p.org_id and c.id = p.campaign_id
    left join lateral (select x.last4 from app.payment_methods x where x.org_id = p.org_id and x.plan_id = p.id and x.removed_at is null order by x.id desc limit 1) m on true
    where p.org_id = org and p.id = plan);
end $$;
comment on function app.plan_mail(uuid, uuid) is 'What a mail about a recurring gift says, for the worker that writes it';

-- Pledges ---------------------------------------------------------------------------------------------------------------------------------------

create function app_private.pledge_to_manage(pledge uuid) returns app.pledges language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid := app.org_id();
  l app.pledges;
begin
  perform app_private.books_open(org);
  select x.* into l from app.pledges x where x.org_id = org and x.id = pledge for update;
  if l.id is null then raise exception 'there is no such pledge' using errcode = '23503', constraint = 'pledge_unknown'; end if;
  if not app_private.gift_right(org, l.chapter_id, 'gifts.manage') then raise exception 'not allowed' using errcode = '42501'; end if;
  return l;
end $$;
comment on function app_private.pledge_to_manage(uuid) is 'A pledge that the actor manages; nobody else changes it before this transaction ends';
create function app.hold_pledge(pledge uuid, known int) returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  return (app_private.pledge_to_manage(pledge)).version = known;
end $$;
comment on function app.hold_pledge(uuid, int) is 'Locks a pledge that somebody is about to change; whether it is still as they know it';

create function app_private.write_instalments(l app.pledges, wanted jsonb) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  kept int := (select count(*) from app.pledge_instalments i where i.org_id = l.org_id and i.pledge_id = l.id and i.state = 'paid');
begin
  if jsonb_array_length(wanted) + kept > 120 or jsonb_array_length(wanted) + kept = 0 then
    raise exception 'a pledge has at most 120 instalments' using errcode = '23514', constraint = 'pledge_instalments_count';
  end if;
  -- What was paid stays; of all else nothing hangs on a row.
  update app.gifts g set instalment_id = null where g.org_id = l.org_id and g.instalment_id in (select i.id from app.pledge_instalments i where i.org_id = l.org_id and i.pledge_id = l.id and i.state <> 'paid');
  delete from app.pledge_instalments i where i.org_id = l.org_id and i.pledge_id = l.id and i.state <> 'paid';
  insert into app.pledge_instalments (org_id, pledge_id, place, due_on, amount)
    select l.org_id, l.id, x.n, (x.value ->> 'due_on')::date, (x.value ->> 'amount')::bigint from jsonb_array_elements(wanted) with ordinality x (value, n);
  update app.pledge_instalments i set place = s.place
    from (select x.id, row_number() over (order by x.due_on, x.place, x.id) as place from app.pledge_instalments x where x.org_id = l.org_id and x.pledge_id = l.id) s
    where i.org_id = l.org_id and i.id = s.id and i.place <> s.place;
end $$;
comment on function app_private.write_instalments(app.pledges, jsonb) is 'Gives a pledge these instalments beside those that were paid, in the order of their days';

create function app.record_pledge(said jsonb) returns uuid language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid := app.org_id();
  c app.campaigns;
  f app.funds;
  l app.pledges;
begin
  perform app_private.books_open(org);
  c := app_private.campaign_for(org, (said ->> 'campaign_id')::uuid, said ->> 'currency');
  select x.* into f from app.funds x where x.org_id = org and x.id = coalesce((said ->> 'fund_id')::uuid, c.fund_id);
  if f.id is null and said ->> 'fund_id' is null then raise exception 'choose a fund' using errcode = '23514', constraint = 'gift_fund_needed'; end if;
  if f.id is null then raise exception 'there is no such fund' using errcode = '23503', constraint = 'gift_fund_unknown'; end if;
  if f.archived_at is not null then raise exception 'this fund is archived' using errcode = '23514', constraint = 'fund_archived'; end if;
  perform app_private.open_person(org, (said ->> 'person_id')::uuid);
  if coalesce((said ->> 'pledged_on')::date, app.today()) > app.today() then raise exception 'what was not promised yet cannot be recorded' using errcode = '23514', constraint = 'pledge_in_future'; end if;
  insert into app.pledges (org_id, person_id, campaign_id, fund_id, chapter_id, amount, currency, pledged_on, created_by)
    values (org, (said ->> 'person_id')::uuid, c.id, f.id, case when c.id is not null then c.chapter_id else f.chapter_id end, (said ->> 'amount')::bigint,
      coalesce(said ->> 'currency', c.currency, (select o.currency from app.organisations o where o.org_id = org)), coalesce((said ->> 'pledged_on')::date, app.today()), app.account_id())
    returning * into l;
  if not app_private.gift_right(org, l.chapter_id, 'gifts.manage') then raise exception 'not allowed' using errcode = '42501'; end if;
  perform app_private.write_instalments(l, coalesce(nullif(said -> 'instalments', 'null'), jsonb_build_array(jsonb_build_object('due_on', l.pledged_on, 'amount', l.amount))));
  perform app_private.write_note(org, null, l.id, said ->> 'note');
  return l.id;
end $$;
comment on function app.record_pledge(jsonb) is 'Writes down what somebody has promised, with its instalments, which come to all of it; for those who manage gifts';

create function app.change_pledge(pledge uuid, said jsonb) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare l app.pledges := app_private.pledge_to_manage(pledge);
begin
  if said ? 'note' then perform app_private.write_note(l.org_id, null, l.id, said ->> 'note'); end if;
  if coalesce((said ->> 'cancelled')::boolean, false) then
    update app.pledges x set status = 'cancelled', open_amount = 0, next_due_on = null, cancelled_at = now(), cancel_reason = coalesce(said ->> 'reason', '')
      where x.org_id = l.org_id and x.id = l.id and x.status <> 'cancelled';
    return;
  end if;
  if l.status = 'cancelled' and said ->> 'cancelled' is not null then
    update app.pledges x set status = 'open', cancelled_at = null, cancel_reason = '' where x.org_id = l.org_id and x.id = l.id returning * into l;
    perform app_private.count_pledges(l.org_id, array[l.id]);
  end if;
  if said ->> 'amount' is not null or said ->> 'instalments' is not null then
    if l.status = 'cancelled' then raise exception 'this pledge is over' using errcode = '23514', constraint = 'pledge_over'; end if;
    if said ->> 'amount' is not null then
      -- What is open follows below, and is never more than all.
      update app.pledges x set amount = (said ->> 'amount')::bigint, open_amount = 0 where x.org_id = l.org_id and x.id = l.id returning * into l;
    end if;
    if said ->> 'instalments' is not null then perform app_private.write_instalments(l, said -> 'instalments'); else perform app_private.count_pledges(l.org_id, array[l.id]); end if;
  end if;
end $$;
comment on function app.change_pledge(uuid, jsonb) is 'Changes what is still to come of a pledge, its note, or whether it is cancelled; what is left out stays. For those who manage gifts';

create function app.waive_instalment(instalment uuid, waived boolean) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid := app.org_id();
  i app.pledge_instalments;
  l app.pledges;
begin
  select x.* into i from app.pledge_instalments x where x.org_id = org and x.id = instalment;
  if i.id is null then raise exception 'there is no such instalment' using errcode = '23503', constraint = 'instalment_unknown'; end if;
  l := app_private.pledge_to_manage(i.pledge_id);
  select x.* into i from app.pledge_instalments x where x.org_id = org and x.id = instalment for update;
  if i.state = 'paid' or l.status = 'cancelled' then raise exception 'this instalment is not due any more' using errcode = '23514', constraint = 'instalment_not_due'; end if;
  update app.pledge_instalments x set state = case when waived then 'waived' else 'due' end where x.org_id = org and x.id = instalment and x.state <> case when waived then 'waived' else 'due' end;
end $$;
comment on function app.waive_instalment(uuid, boolean) is 'Expects an instalment no more, or again; for those who manage gifts';

create function app_private.count_pledges(org uuid, pledges uuid[]) returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
  update app.pledges l set status = s.status, open_amount = s.open, paid_amount = s.paid, next_due_on = s.next_on
    from (
      select x.id, case when x.status = 'cancelled' then 'cancelled' when coalesce(i.due, 0) > 0 then 'open' else 'fulfilled' end as status,
        case when x.status = 'cancelled' then 0 else coalesce(i.due, 0) end as open, coalesce(i.paid, 0) as paid, case when x.status <> 'cancelled' then i.next_on end as next_on
      from app.pledges x left join lateral (select sum(y.amount) filter (where y.state = 'due') as due, sum(y.amount) filter (where y.state = 'paid') as paid, min(y.due_on) filter (where y.state = 'due') as next_on from app.pledge_instalments y where y.org_id = x.org_id and y.pledge_id = x.id) i on true
      where x.org_id = org and x.id = any (pledges)
    ) s
    where l.org_id = org and l.id = s.id and (l.status, l.open_amount, l.paid_amount, l.next_due_on) is distinct from (s.status, s.open, s.paid, s.next_on)
$$;
comment on function app_private.count_pledges(uuid, uuid[]) is 'What of pledges is still to come, and whether they are fulfilled: nothing is due any more, it was paid or waived';
create function app_private.pledge_instalments_count() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare m record;
begin
  for m in select c.org_id as org, array_agg(distinct c.pledge_id) as pledges from changed c group by c.org_id loop
    perform app_private.count_pledges(m.org, m.pledges);
  end loop;
  return null;
end $$;
comment on function app_private.pledge_instalments_count() is 'Pledges follow their instalments';
create trigger pledge_instalments_count_insert after insert on app.pledge_instalments referencing new table as changed for each statement execute function app_private.pledge_instalments_count();
create trigger pledge_instalments_count_update after update on app.pledge_instalments referencing new table as changed for each statement execute function app_private.pledge_instalments_count();
create trigger pledge_instalments_count_delete after delete on app.pledge_instalments referencing old table as changed for each statement execute function app_private.pledge_instalments_count();

create function app_private.pledge_adds_up() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  row jsonb := to_jsonb(case when tg_op = 'DELETE' then old else new end);
  pledge constant uuid := case when tg_table_name = 'pledges' then row ->> 'id' else row ->> 'pledge_id' end;
  promised bigint := (select l.amount from app.pledges l where l.org_id = (row ->> 'org_id')::uuid and l.id = pledge);
  planned bigint := (select coalesce(sum(i.amount), 0) from app.pledge_instalments i where i.org_id = (row ->> 'org_id')::uuid and i.pledge_id = pledge);
begin
  if promised <> planned then
    raise exception 'instalments come to the whole pledge' using errcode = '23514', constraint = 'pledge_instalments', detail = json_build_object('amount', promised, 'planned', planned)::text;
  end if;
  return null;
end $$;
comment on function app_private.pledge_adds_up() is 'Refuses instalments that come to more or less than the pledge, at the end of a transaction';
create constraint trigger pledges_add_up after insert or update of amount on app.pledges deferrable initially deferred for each row execute function app_private.pledge_adds_up();
create constraint trigger pledge_instalments_add_up after insert or delete or update of amount, pledge_id on app.pledge_instalments deferrable initially deferred
  for each row execute function app_private.pledge_adds_up();

create function app_private.person_mailable(org uuid, person uuid) returns boolean language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  m app.mail_messages;
  r record;
begin
  m.org_id := org;
  m.person_id := person;
  m.essential := true;
  m.to_administrators := false;
  select * into r from app_private.mail_recipient(m);
  return r.refusal is null;
end $$;
comment on function app_private.person_mailable(uuid, uuid) is 'Whether a mail about their own money reaches a person';

create function app.remind_pledge(pledge uuid) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  l app.pledges := app_private.pledge_to_manage(pledge);
  i app.pledge_instalments;
  mails int;
begin
  select x.* into i from app.pledge_instalments x where x.org_id = l.org_id and x.pledge_id = l.id and x.state = 'due' order by x.due_on, x.place limit 1;
  if i.id is null or l.status <> 'open' then raise exception 'nothing is due' using errcode = '23514', constraint = 'pledge_nothing_due'; end if;
  if not app_private.person_mailable(l.org_id, l.person_id) then raise exception 'no mail reaches them' using errcode = '23514', constraint = 'pledge_unreachable'; end if;
  mails := app_private.add_mails(l.org_id, app.account_id(), jsonb_build_array(jsonb_build_object('template', 'pledge-reminder', 'person', l.person_id, 'essential', true, 'params', jsonb_build_object('instalment', i.id),
    'dedupe_key', concat_ws(':', 'pledge', i.id, app.today()))));
  if mails = 0 then raise exception 'they were reminded today' using errcode = '23514', constraint = 'pledge_reminded'; end if;
  return mails;
end $$;
comment on function app.remind_pledge(uuid) is 'Mails who has pledged a reminder of the first instalment that is due, at most once a day; for those who manage gifts';

create function app.remind_pledges(org uuid, today date, after uuid, most int) returns jsonb language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  mails jsonb;
  last uuid;
  seen int;
begin
  perform app_private.worker_only();
  perform app_private.books_open(org);
  select count(*), (array_agg(d.id order by d.id desc))[1], jsonb_agg(jsonb_build_object('template', 'pledge-reminder', 'person', d.person_id, 'essential', true, 'params', jsonb_build_object('instalment', d.id),
      'dedupe_key', concat_ws(':', 'pledge', d.id, d.stage)) order by d.id) into seen, last, mails
    from (select i.id, l.person_id, case when i.due_on < today then 'overdue' else 'soon' end as stage from app.pledge_instalments i join app.pledges l on l.org_id = i.org_id and l.id = i.pledge_id and l.status = 'open'
      where i.org_id = org and i.id > coalesce(after, '00000000-0000-0000-0000-000000000000') and i.state = 'due' and i.due_on between today - 30 and today + 7
        -- One that was written down only days before is not announced.
        and (i.due_on < today or l.created_at < now() - interval '1 day')
      order by i.id limit most) d;
  return jsonb_build_object('mails', case when mails is null then 0 else app_private.add_mails(org, null, mails) end, 'after', last, 'isLast', seen < most);
end $$;
comment on function app.remind_pledges(uuid, date, uuid, int) is 'Reminds of instalments seven days before their day and once it is over, each once, a portion of them; for the worker';

create function app.instalment_mail(org uuid, instalment uuid) returns jsonb language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform app_private.worker_only();
  return (select jsonb_build_object('instalmentId', i.id, 'pledgeId', l.id, 'personId', l.person_id, 'state', i.state, 'pledgeStatus', l.status, 'amount', i.amount, 'currency', l.currency, 'dueOn', i.due_on,
      'isOverdue', i.state = 'due' and l.status = 'open' and i.due_on < app_private.today_in(org), 'left', l.open_amount, 'campaign', c.name, 'campaignId', c.id, 'slug', c.slug, 'fund', f.name,
      'transfer', app_private.transfer_facts(org))
    from app.pledge_instalments i join app.pledges l on l.org_id = i.org_id and l.id = i.pledge_id join app.funds f on f.org_id = l.org_id and f.id = l.fund_id
    left join app.campaigns c on c.org_id = l.org_id and c.id = l.campaign_id where i.org_id = org and i.id = instalment);
end $$;
comment on function app.instalment_mail(uuid, uuid) is 'What a reminder of an instalment says, for the worker that writes it';
create function app_private.transfer_facts(org uuid) returns jsonb language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select jsonb_build_object('accountHolder', s.account_holder, 'accountNumber', s.account_number, 'bankCode', s.bank_code, 'bankName', s.bank_name, 'transferNote', s.transfer_note)
    from app.payment_settings s where s.org_id = org and s.account_number <> ''
$$;
comment on function app_private.transfer_facts(uuid) is 'The account that money is transferred to; null without one';

-- Merged, erased, deceased --------------------------------------------------------------------------------------------------------------------------

insert into app_private.person_references (tab) values ('gifts'), ('recurring_plans'), ('pledges');
insert into app_private.person_references (tab, col, moves, why) values
  ('campaign_donors', 'person_id', false, 'Calculated from the gifts'),
  ('donors', 'person_id', false, 'Calculated from the gifts'),
  ('donor_years', 'person_id', false, 'Calculated from the gifts'),
  ('giving_run_items', 'person_id', false, 'What a run told this record at its time');

create function app_private.people_leave_gifts() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  -- Nobody who died or was erased is charged any more.
  update app.recurring_plans p set status = 'cancelled', stopped_at = now(), stopped_by = 'office', stop_reason = '', retry_on = null, paused_until = null
    where p.org_id = new.org_id and p.person_id = new.id and p.status in ('pending', 'active', 'past_due', 'paused');
  if new.lifecycle = 'erased' then
    delete from app.giving_notes n using app.gifts g where g.org_id = new.org_id and g.person_id = new.id and n.org_id = g.org_id and n.gift_id = g.id;
    delete from app.giving_notes n using app.pledges l where l.org_id = new.org_id and l.person_id = new.id and n.org_id = l.org_id and n.pledge_id = l.id;
    update app.gifts g set donor_name = '', donor_email = '', message = '', tribute_kind = null, tribute_name = ''
      where g.org_id = new.org_id and g.person_id = new.id and (g.donor_name, g.donor_email, g.message, g.tribute_name) <> ('', '', '', '');
    update app.recurring_plans p set donor_name = '', donor_email = '', stop_reason = '' where p.org_id = new.org_id and p.person_id = new.id and (p.donor_name, p.donor_email, p.stop_reason) <> ('', '', '');
  end if;
  return null;
end $$;
comment on function app_private.people_leave_gifts() is 'Of somebody who was erased a gift stays, and nothing that they wrote; who died or was erased gives nothing any more by themselves';
create trigger people_leave_gifts after update of lifecycle on app.people for each row when (new.lifecycle in ('erased', 'deceased') and old.lifecycle <> new.lifecycle) execute function app_private.people_leave_gifts();

select app_private.own_definers();
grant execute on function app_private.plan_follows(app.gifts, boolean), app_private.alter_plan(app.recurring_plans, jsonb, text), app_private.plan_to_change(uuid), app_private.plan_of_link(text, text),
  app_private.pledge_to_manage(uuid), app_private.write_instalments(app.pledges, jsonb), app_private.count_pledges(uuid, uuid[]), app_private.person_mailable(uuid, uuid), app_private.transfer_facts(uuid) to app_definer;
grant execute on function app.hold_plan(uuid, int), app.change_plan(uuid, jsonb), app.plan_by_link(text, text), app.change_plan_by_link(text, text, jsonb), app.hold_pledge(uuid, int), app.record_pledge(jsonb),
  app.change_pledge(uuid, jsonb), app.waive_instalment(uuid, boolean), app.remind_pledge(uuid), app.begin_plan_payment_by_link(text, text, boolean, boolean), app.begin_plan_charge(uuid, uuid, boolean, boolean) to app_access;
grant execute on function app.plans_due(uuid, int), app.begin_plan_charge(uuid, uuid, boolean, boolean), app.plan_mail(uuid, uuid), app.plan_cards_to_forget(uuid), app.remind_pledges(uuid, date, uuid, int),
  app.instalment_mail(uuid, uuid) to app_worker;
