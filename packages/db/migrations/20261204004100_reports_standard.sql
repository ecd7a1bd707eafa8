-- What standard reports count where no policy may hide rows from the count: seats of offices, and addresses that refuse mail.

create function app.officers_on(day date) returns table (position_id uuid, people int)
  language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select h.position_id, count(distinct h.person_id)::int from app.position_holders h
  where h.org_id = (select app.org_id()) and h.starts_on <= day and (h.ends_on is null or h.ends_on >= day)
  group by h.position_id
$$;
comment on function app.officers_on(date) is 'How many people held each office on a day, whether or not the actor may see who';

create function app.people_refusing_mail() returns setof uuid language plpgsql stable security definer set search_path = pg_catalog, pg_temp rows 1000 as $$
declare
  org constant uuid := app.org_id();
  everywhere constant boolean := app.everywhere('people.contact');
  chapters constant uuid[] := app.scope('people.contact');
  today constant date := app.today();
begin
  if not exists (select from app.mail_suppressions s where s.org_id = org and s.reason in ('hard_bounce', 'complaint')) then return; end if;
  return query
    select e.person_id from app.person_emails e join app.people p on p.org_id = org and p.id = e.person_id
    where e.org_id = org and e.is_primary and (everywhere or exists (select from app.affiliations a where a.org_id = org and a.person_id = p.id
        and a.chapter_id = any (chapters) and a.starts_on <= today and (a.ends_on is null or a.ends_on >= today)))
      -- The hash of app_private.address_hash, written out: a million calls take longer than a million hashes.
      and encode(sha256(convert_to(lower(e.address), 'UTF8')), 'hex') in (
        select s.address_hash from app.mail_suppressions s where s.org_id = org and s.reason in ('hard_bounce', 'complaint'));
end $$;
comment on function app.people_refusing_mail() is 'People whose primary address gets no mail since it bounced or complained, among those of the chapters whose addresses the actor sees';

-- Terms and allocations follow the rights of their membership and gift. A report reads so many of them that asking the policy for each takes longer
-- than the report: these functions give them without a name or an amount that the actor could read anything from, to be joined with what policies show.

create function app_private.counts_memberships() returns boolean language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select app.everywhere('memberships.read') or app.scope('memberships.read') <> '{}'
$$;
comment on function app_private.counts_memberships() is 'Whether the actor reads memberships anywhere';

create function app.terms_begun(first date, last date) returns table (term_id uuid, membership_id uuid, starts_on date)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp set plan_cache_mode = force_custom_plan rows 100000 as $$
declare org constant uuid := app.org_id();
begin
  if not app_private.counts_memberships() then return; end if;
  return query select t.id, t.membership_id, t.starts_on from app.membership_terms t
    where t.org_id = org and t.status = 'settled' and t.starts_on between first and last;
end $$;
comment on function app.terms_begun(date, date) is 'Settled terms that begin within these days; to be joined with the memberships that the actor sees';

create function app.terms_on(day date) returns table (membership_id uuid, ends_on date, grace_until date)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp set plan_cache_mode = force_custom_plan rows 100000 as $$
declare org constant uuid := app.org_id();
begin
  if not app_private.counts_memberships() then return; end if;
  return query select t.membership_id, max(coalesce(t.ends_on, 'infinity')), max(coalesce(t.ends_on + t.grace_days, 'infinity')) from app.membership_terms t
    where t.org_id = org and t.status = 'settled' and t.starts_on <= day group by t.membership_id;
end $$;
comment on function app.terms_on(date) is 'How far the terms of each membership reach that had begun by a day; to be joined with the memberships that the actor sees';

create function app.terms_of(memberships uuid[]) returns table (membership_id uuid, starts_on date, ends_on date, grace_until date)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp set plan_cache_mode = force_custom_plan rows 100000 as $$
declare org constant uuid := app.org_id();
begin
  if not app_private.counts_memberships() then return; end if;
  return query select t.membership_id, t.starts_on, coalesce(t.ends_on, 'infinity'), coalesce(t.ends_on + t.grace_days, 'infinity') from unnest(memberships) m (id)
    join app.membership_terms t on t.org_id = org and t.membership_id = m.id and t.status = 'settled';
end $$;
comment on function app.terms_of(uuid[]) is 'Settled terms of memberships that the actor sees';

create function app.allocations_received(first date, last date) returns table (gift_id uuid, fund_id uuid, settled_amount bigint)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp set plan_cache_mode = force_custom_plan rows 100000 as $$
declare org constant uuid := app.org_id();
begin
  if not (app.everywhere('gifts.read') or app.scope('gifts.read') <> '{}') then return; end if;
  return query select a.gift_id, a.fund_id, a.settled_amount from app.gifts g join app.gift_allocations a on a.org_id = g.org_id and a.gift_id = g.id
    where g.org_id = org and g.counted_amount > 0 and g.received_on between first and last and a.settled_amount > 0;
end $$;
comment on function app.allocations_received(date, date) is 'What funds have of gifts that came within these days; to be joined with the gifts that the actor sees';

-- Who joined in a year, and what was given in it, without a look at every row.
create index memberships_by_start on app.memberships (org_id, starts_on, id) where starts_on is not null;
create index membership_terms_settled on app.membership_terms (org_id, membership_id, starts_on) include (ends_on, grace_days) where status = 'settled';
create index membership_terms_begun on app.membership_terms (org_id, starts_on) include (id, membership_id) where status = 'settled';
create index affiliations_members_joined on app.affiliations (org_id, starts_on) include (chapter_id, person_id, ends_on) where kind = 'member';
create index affiliations_members_left on app.affiliations (org_id, ends_on) include (chapter_id, person_id) where kind = 'member' and ends_on is not null;
create index gifts_counted on app.gifts (org_id, received_on) include (currency, counted_amount, donor_key, chapter_id, person_id, campaign_id) where counted_amount > 0;

select app_private.own_definers();
grant execute on function app.officers_on(date), app.people_refusing_mail(), app.terms_begun(date, date), app.terms_on(date), app.terms_of(uuid[]),
  app.allocations_received(date, date) to app_access;
grant execute on function app_private.counts_memberships() to app_definer;
