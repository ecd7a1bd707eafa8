-- An instalment of a pledge is paid by card: by who promised it while signed in, or without signing in by the link in a reminder.

create function app_private.begin_instalment(org uuid, instalment uuid, account uuid, real_money boolean, counted boolean) returns app.payment_begun
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  i app.pledge_instalments;
  l app.pledges;
  c app.campaigns;
  g app.gifts;
begin
  perform app_private.books_first(org);
  select x.* into i from app.pledge_instalments x where x.org_id = org and x.id = instalment for update;
  select x.* into l from app.pledges x where x.org_id = org and x.id = i.pledge_id;
  if l.id is null then raise exception 'there is no such instalment' using errcode = '23503', constraint = 'instalment_unknown'; end if;
  if i.state <> 'due' or l.status = 'cancelled' then raise exception 'this instalment is not due any more' using errcode = '23514', constraint = 'instalment_not_due'; end if;
  -- However often and by whichever way it is begun: as long as no money has come it is one gift.
  select x.* into g from app.gifts x
    where x.org_id = org and x.instalment_id = i.id and x.source in ('own', 'page') and x.settled_at is null and x.person_id = l.person_id and x.amount = i.amount and x.currency = l.currency
    order by x.id desc limit 1 for update;
  if g.id is null then
    select x.* into c from app.campaigns x where x.org_id = org and x.id = l.campaign_id;
    insert into app.gifts (org_id, campaign_id, chapter_id, person_id, amount, currency, method, counts, is_test, source, instalment_id, share_chapter_id, share_amount, created_by)
      values (org, l.campaign_id, l.chapter_id, l.person_id, i.amount, l.currency, 'card', counted, not real_money, case when account is null then 'page' else 'own' end, i.id,
        c.share_chapter_id, round(i.amount::numeric * coalesce(c.share_bps, 0) / 10000)::bigint, account)
      returning * into g;
    insert into app.gift_allocations (org_id, gift_id, fund_id, amount) values (org, g.id, l.fund_id, g.amount);
  end if;
  -- The page leads back to where it was opened from: one that was opened the other way ends.
  return app_private.begin_gift_payment(g, 'checkout', account, false,
    exists (select from app.payments p where p.org_id = org and p.gift_id = g.id and p.kind = 'checkout' and p.state = 'pending' and p.created_by is distinct from account), real_money, counted);
end $$;
comment on function app_private.begin_instalment(uuid, uuid, uuid, boolean, boolean) is 'A gift that waits for its payment and pays an instalment of a pledge; begun again, it is the same';

create function app.begin_instalment(instalment uuid, real_money boolean, counted boolean) returns app.payment_begun language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org constant uuid := app.org_id();
  me constant uuid := app.account_id();
begin
  perform app_private.books_open(org);
  if me is null or not exists (select from app.pledge_instalments i join app.pledges l on l.org_id = i.org_id and l.id = i.pledge_id
      where i.org_id = org and i.id = instalment and l.person_id = app.person_id()) then
    raise exception 'not allowed' using errcode = '42501';
  end if;
  return app_private.begin_instalment(org, instalment, me, real_money, counted);
end $$;
comment on function app.begin_instalment(uuid, boolean, boolean) is 'Begins to pay an instalment of a pledge of the actor''s own';

create function app_private.instalment_of_link(idp_org text, secret_hash text, out org uuid, out instalment uuid) language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  -- Of somebody who was erased nothing is told, and nothing is given in their name.
  select k.org_id, i.id from app.open_link(idp_org, 'pledges', secret_hash) k
    join app.pledge_instalments i on i.org_id = k.org_id and i.id = k.subject_id
    join app.pledges l on l.org_id = i.org_id and l.id = i.pledge_id
    join app.people p on p.org_id = l.org_id and p.id = l.person_id and p.lifecycle <> 'erased' and p.deleted_at is null
    where k.subject_type = 'pledge_instalment'
$$;
comment on function app_private.instalment_of_link(text, text) is 'The instalment of a pledge that a link is about';

create function app.instalment_by_link(idp_org text, secret_hash text) returns jsonb language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select jsonb_build_object('amount', i.amount, 'currency', l.currency, 'dueOn', i.due_on, 'state', i.state, 'pledgeStatus', l.status, 'campaign', c.name, 'fund', f.name,
      'isWaiting', exists (select from app.gifts g join app.payments p on p.org_id = g.org_id and p.gift_id = g.id and p.state = 'pending' and p.provider_session is not null
        where g.org_id = i.org_id and g.instalment_id = i.id),
      'transfer', app_private.transfer_facts(k.org))
    from app_private.instalment_of_link(idp_org, secret_hash) k
    join app.pledge_instalments i on i.org_id = k.org and i.id = k.instalment
    join app.pledges l on l.org_id = i.org_id and l.id = i.pledge_id
    join app.funds f on f.org_id = l.org_id and f.id = l.fund_id
    left join app.campaigns c on c.org_id = l.org_id and c.id = l.campaign_id
$$;
comment on function app.instalment_by_link(text, text) is 'What the link in a reminder shows of an instalment to anyone who has it; nobody''s name';

create function app.begin_instalment_by_link(idp_org text, secret_hash text, real_money boolean, counted boolean) returns app.payment_begun
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare k record;
begin
  select * into k from app_private.instalment_of_link(idp_org, secret_hash);
  if k.instalment is null then return null; end if;
  return app_private.begin_instalment(k.org, k.instalment, null, real_money, counted);
end $$;
comment on function app.begin_instalment_by_link(text, text, boolean, boolean) is 'Begins to pay the instalment that a link is about, for anyone who has the link; null where it is not valid';

-- Money may come twice for one instalment: by card and as a cheque. It is paid once, by the gift that came first; should that one go back, by the other.
do $$
declare
  source text := pg_get_functiondef('app_private.gifts_follow(uuid,uuid[])'::regprocedure);
  changed text := replace(source,
    $x$update app.pledge_instalments i set state = case when g.counted_amount > 0 then 'paid' else 'due' end, gift_id = case when g.counted_amount > 0 then g.id end
      where$x$,
    $x$update app.pledge_instalments i set state = case when k.id is null then 'due' else 'paid' end, gift_id = k.id
      from (select (select y.id from app.gifts y where y.org_id = org and y.instalment_id = g.instalment_id and y.counted_amount > 0 order by y.id = g.id desc, y.id limit 1) as id) k
      where$x$);
begin
  if changed = source then raise exception 'app_private.gifts_follow is written otherwise by now'; end if;
  execute changed;
end $$;

select app_private.own_definers();
grant execute on function app_private.begin_instalment(uuid, uuid, uuid, boolean, boolean), app_private.instalment_of_link(text, text) to app_definer;
grant execute on function app.begin_instalment(uuid, boolean, boolean), app.instalment_by_link(text, text), app.begin_instalment_by_link(text, text, boolean, boolean) to app_access;
