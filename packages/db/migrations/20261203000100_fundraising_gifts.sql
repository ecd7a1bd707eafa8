-- Gifts: what somebody gave or is about to give, what of it goes to which fund, and what the office notes about it.

create table app.gifts (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  campaign_id uuid,
  chapter_id uuid,
  person_id uuid,
  donor_name text not null default '' check (char_length(donor_name) <= 150),
  donor_email text not null default '' check (char_length(donor_email) <= 254),
  amount bigint not null check (amount between 1 and 9007199254740991),
  fee_covered bigint not null default 0,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  method text not null check (method in ('card', 'bank_transfer', 'cash', 'cheque', 'other')),
  status text not null default 'pending' check (status in ('pending', 'settled', 'partly_refunded', 'refunded', 'disputed', 'failed', 'cancelled', 'reversed')),
  refunded_amount bigint not null default 0,
  counts boolean not null default true,
  is_test boolean not null default false,
  is_anonymous boolean not null default false,
  tribute_kind text check (tribute_kind in ('honour', 'memory')),
  tribute_name text not null default '' check (char_length(tribute_name) <= 150),
  message text not null default '' check (char_length(message) <= 500),
  source text not null check (source in ('page', 'own', 'office', 'import', 'plan')),
  plan_id uuid,
  due_on date,
  instalment_id uuid,
  received_on date,
  settled_at timestamptz,
  share_chapter_id uuid,
  share_amount bigint not null default 0,
  wants_receipt_mail boolean not null default true,
  attempt uuid,
  batch_id uuid,
  twin_of_id uuid,
  thanked_at timestamptz,
  thanked_by uuid,
  thanked_how text check (thanked_how in ('mail', 'letter', 'call', 'other')),
  reassigned_at timestamptz,
  reassigned_by uuid,
  counted_amount bigint not null generated always as (case when counts and status in ('settled', 'partly_refunded') then amount - refunded_amount else 0 end) stored,
  donor_key text collate "C" not null generated always as (case when person_id is not null then person_id::text
    when donor_name = '' and donor_email = '' then id::text else app.fold(donor_name) || ' ' || lower(donor_email) end) stored,
  search text collate "C" not null generated always as (app.fold(donor_name || ' ' || donor_email || ' ' || tribute_name)) stored,
  created_by uuid,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- A gift stands under the day on which it came, and until then under the one on which it was begun.
  day date not null generated always as (coalesce(received_on, (created_at at time zone 'UTC')::date)) stored,
  primary key (org_id, id),
  unique (org_id, attempt),
  unique (org_id, plan_id, due_on),
  foreign key (org_id, campaign_id) references app.campaigns (org_id, id),
  foreign key (org_id, chapter_id) references app.chapters (org_id, id),
  foreign key (org_id, person_id) references app.people (org_id, id),
  foreign key (org_id, share_chapter_id) references app.chapters (org_id, id),
  foreign key (org_id, twin_of_id) references app.gifts (org_id, id),
  constraint gifts_fee check (fee_covered between 0 and amount - 1),
  constraint gifts_refunded check (refunded_amount between 0 and amount),
  constraint gifts_share check (share_amount between 0 and amount and (share_chapter_id is not null or share_amount = 0)),
  constraint gifts_tribute check ((tribute_kind is null) = (tribute_name = '')),
  constraint gifts_plan check ((plan_id is null) = (due_on is null)),
  constraint gifts_received check (status in ('pending', 'failed', 'cancelled') or (received_on is not null and settled_at is not null)),
  constraint gifts_thanked check ((thanked_at is null) = (thanked_how is null))
);
comment on table app.gifts is 'What somebody gave, or is about to give. What it is worth follows from its payments, and nothing is ever deleted';
comment on column app.gifts.chapter_id is 'That of its campaign, or of its fund without one; null for the whole organisation';
comment on column app.gifts.person_id is 'Who gave; null for others than people, for collections, and until a gift of somebody without an account has settled';
comment on column app.gifts.donor_name is 'As the donor typed it, or of a donor who is no person';
comment on column app.gifts.amount is 'All that was given, with the fee that the donor covers';
comment on column app.gifts.fee_covered is 'What of it the donor gave for the fee of the payment provider';
comment on column app.gifts.status is 'Follows from its payments; disputed, refunded and reversed ones are worth nothing';
comment on column app.gifts.counts is 'Whether it is worth anything; a test payment in production is not';
comment on column app.gifts.is_anonymous is 'The donor is named to nobody outside the office';
comment on column app.gifts.message is 'What the donor wrote';
comment on column app.gifts.source is 'page: by somebody without an account; own: signed in; office: recorded by hand; import; plan: a charge of a recurring gift';
comment on column app.gifts.due_on is 'The day of the recurring gift that it is for';
comment on column app.gifts.received_on is 'Day on which the money came';
comment on column app.gifts.share_amount is 'What the chapter has of it while all of it counts';
comment on column app.gifts.attempt is 'Made by the form: sent twice, it is the same gift';
comment on column app.gifts.batch_id is 'Recorded together with others';
comment on column app.gifts.twin_of_id is 'The gift that was paid twice: this one holds the second payment';
comment on column app.gifts.reassigned_at is 'When its campaign, its funds or its donor were last corrected';
comment on column app.gifts.counted_amount is 'What it is worth now: settled, less what was given back';
comment on column app.gifts.donor_key is 'Tells donors apart, also those that are no people';
-- Each order of the list, with the id that makes it unique.
create index gifts_by_campaign on app.gifts (org_id, campaign_id, id desc);
create index gifts_by_person on app.gifts (org_id, person_id, id desc);
create index gifts_by_chapter on app.gifts (org_id, chapter_id, id desc);
create index gifts_by_status on app.gifts (org_id, status, id desc);
create index gifts_by_day on app.gifts (org_id, received_on desc, id desc);
create index gifts_by_shown_day on app.gifts (org_id, day desc, id desc);
create index gifts_by_amount on app.gifts (org_id, amount desc, id desc);
create index gifts_by_campaign_day on app.gifts (org_id, campaign_id, received_on desc, id desc);
create index gifts_by_donor on app.gifts (org_id, donor_key, campaign_id);
create index gifts_by_share on app.gifts (org_id, share_chapter_id, id desc);
create index gifts_by_instalment on app.gifts (org_id, instalment_id);
create index gifts_by_twin on app.gifts (org_id, twin_of_id);
create index gifts_by_batch on app.gifts (org_id, batch_id, id) where batch_id is not null;
-- The charges of a recurring gift follow a first one, and imports tell of other years: nobody is thanked for them again.
create index gifts_to_thank on app.gifts (org_id, received_on, id) where thanked_at is null and counts and status in ('settled', 'partly_refunded') and source not in ('plan', 'import');
select app_private.protect('app.gifts');
select app_private.keep_version('app.gifts');
select app_private.keep_search('app.gifts');
select app_private.keep_audit('app.gifts', 'gifts.read', 'id');
select app_private.hide_in_audit('app.gifts', 'donor_name', 'donor_email', 'tribute_name', 'message', 'donor_key', 'counted_amount', 'attempt', 'settled_at', 'share_amount', 'search', 'day');
-- Whoever records gifts sees those they recorded, and no others.
create policy gifts_read on app.gifts for select to app_access using (org_id = (select app.org_id())
  and ((select app.everywhere('gifts.read')) or chapter_id = any ((select app.scope('gifts.read'))::uuid[]) or person_id = (select app.person_id())
    or (created_by = (select app.account_id()) and ((select app.everywhere('gifts.record')) or chapter_id = any ((select app.scope('gifts.record'))::uuid[])))));
grant select on app.gifts to app_access;
grant select, insert, update on app.gifts to app_definer;

-- Its history is for those who see donors, and never comes with a person: whoever looks after somebody's record does not see what they give.
create policy audit_entries_gifts_read on app.audit_entries for select to app_access using (org_id = (select app.org_id()) and needs = 'gifts.read'
  and ((select app.everywhere('gifts.read')) or chapter_id = any ((select app.scope('gifts.read'))::uuid[])));

create table app.gift_allocations (
  org_id uuid not null references app.organisations on delete cascade,
  gift_id uuid not null,
  fund_id uuid not null,
  place int not null default 1 check (place between 1 and 20),
  amount bigint not null check (amount between 1 and 9007199254740991),
  settled_amount bigint not null default 0,
  primary key (org_id, gift_id, fund_id),
  foreign key (org_id, gift_id) references app.gifts (org_id, id) on delete cascade,
  foreign key (org_id, fund_id) references app.funds (org_id, id),
  constraint gift_allocations_settled check (settled_amount between 0 and amount)
);
comment on table app.gift_allocations is 'What of a gift goes to which fund; always all of it. Not in the audit log: its gift has entries, also of what changes here';
comment on column app.gift_allocations.settled_amount is 'What the fund has of it now. Together what the gift is worth, to the last minor unit';
create index gift_allocations_by_fund on app.gift_allocations (org_id, fund_id, gift_id);
select app_private.protect('app.gift_allocations');
create policy gift_allocations_read on app.gift_allocations for select to app_access using (org_id = (select app.org_id())
  and exists (select from app.gifts g where g.org_id = gift_allocations.org_id and g.id = gift_allocations.gift_id));
grant select on app.gift_allocations to app_access;
grant select, insert, update, delete on app.gift_allocations to app_definer;

-- Always all of it --------------------------------------------------------------------------------------------------------------------------

create function app_private.gift_adds_up(org uuid, gift uuid) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  given bigint := (select g.amount from app.gifts g where g.org_id = org and g.id = gift);
  allocated bigint := (select coalesce(sum(a.amount), 0) from app.gift_allocations a where a.org_id = org and a.gift_id = gift);
begin
  if given <> allocated then
    raise exception 'a gift goes to its funds as a whole' using errcode = '23514', constraint = 'gift_allocation', detail = json_build_object('amount', given, 'allocated', allocated)::text;
  end if;
end $$;
comment on function app_private.gift_adds_up(uuid, uuid) is 'Refuses a gift of which more or less than all goes to its funds';
create function app_private.gifts_add_up() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform app_private.gift_adds_up(new.org_id, new.id);
  return null;
end $$;
comment on function app_private.gifts_add_up() is 'What gift_adds_up says, at the end of a transaction';
create function app_private.gift_allocations_add_up() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op <> 'INSERT' then perform app_private.gift_adds_up(old.org_id, old.gift_id); end if;
  if tg_op <> 'DELETE' then perform app_private.gift_adds_up(new.org_id, new.gift_id); end if;
  return null;
end $$;
comment on function app_private.gift_allocations_add_up() is 'What gift_adds_up says, at the end of a transaction';
create constraint trigger gifts_add_up after insert or update of amount on app.gifts deferrable initially deferred for each row execute function app_private.gifts_add_up();
create constraint trigger gift_allocations_add_up after insert or delete or update of amount, gift_id on app.gift_allocations deferrable initially deferred
  for each row execute function app_private.gift_allocations_add_up();

create type app_private.gift_part as (gift_id uuid, fund_id uuid, gets bigint);
create function app_private.spread_gifts(org uuid, gifts uuid[]) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare parts app_private.gift_part[];
begin
  -- By largest remainder: each fund has its part rounded down, and what is left goes to those that lost most. One gift after the other by its key, however many
  -- there are and whatever is known of the tables.
  parts := array(
    select row(s.gift_id, s.fund_id, s.gets)::app_private.gift_part from (
      select x.gift_id, x.fund_id, x.had, x.part + case when row_number() over (partition by x.gift_id order by x.lost desc, x.place, x.fund_id) <= x.worth - sum(x.part) over (partition by x.gift_id) then 1 else 0 end as gets
      from (
        select l.gift_id, l.fund_id, l.place, l.settled_amount as had, g.counted_amount as worth, div(l.amount::numeric * g.counted_amount, g.amount)::bigint as part, mod(l.amount::numeric * g.counted_amount, g.amount) as lost
        from unnest(gifts) u (id) cross join lateral (select y.* from app.gifts y where y.org_id = org and y.id = u.id offset 0) g
        cross join lateral (select y.* from app.gift_allocations y where y.org_id = org and y.gift_id = u.id offset 0) l
      ) x
    ) s where s.had <> s.gets);
  update app.gift_allocations a set settled_amount = s.gets from unnest(parts) s where a.org_id = org and a.gift_id = s.gift_id and a.fund_id = s.fund_id;
end $$;
comment on function app_private.spread_gifts(uuid, uuid[]) is 'Gives each fund its part of what gifts are worth now';

create function app_private.gifts_spread() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare m record;
begin
  for m in select c.org_id as org, array_agg(c.id) as gifts from changed c join before b on b.org_id = c.org_id and b.id = c.id
      where (b.counted_amount, b.amount) is distinct from (c.counted_amount, c.amount) group by c.org_id loop
    perform app_private.spread_gifts(m.org, m.gifts);
  end loop;
  return null;
end $$;
comment on function app_private.gifts_spread() is 'What funds have follows what their gifts are worth';
create trigger gifts_spread after update on app.gifts referencing old table as before new table as changed for each statement execute function app_private.gifts_spread();
create function app_private.gift_allocations_spread() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare m record;
begin
  for m in select c.org_id as org, array_agg(distinct c.gift_id) as gifts from changed c group by c.org_id loop
    perform app_private.spread_gifts(m.org, m.gifts);
  end loop;
  return null;
end $$;
comment on function app_private.gift_allocations_spread() is 'What funds have follows how their gifts are allocated';
create trigger gift_allocations_spread_insert after insert on app.gift_allocations referencing new table as changed for each statement execute function app_private.gift_allocations_spread();
create trigger gift_allocations_spread_update after update on app.gift_allocations referencing new table as changed for each statement execute function app_private.gift_allocations_spread();

create function app_private.gifts_stay() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  -- Only together with the whole organisation.
  if not exists (select from app.organisations o where o.org_id = old.org_id) then return old; end if;
  raise exception 'gifts are not deleted' using errcode = '23514', constraint = 'gifts_not_deleted';
end $$;
comment on function app_private.gifts_stay() is 'Refuses to delete gifts';
create trigger gifts_stay before delete on app.gifts for each row execute function app_private.gifts_stay();

-- What fixes a campaign -----------------------------------------------------------------------------------------------------------------------

create function app_private.campaigns_fixed() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if exists (select from app.gifts g where g.org_id = new.org_id and g.campaign_id = new.id) then
    if new.currency <> old.currency then
      raise exception 'somebody has given in this currency' using errcode = '23514', constraint = 'campaign_currency_fixed';
    end if;
    raise exception 'its gifts belong to its chapter' using errcode = '23514', constraint = 'campaign_chapter_fixed';
  end if;
  return new;
end $$;
comment on function app_private.campaigns_fixed() is 'Refuses another currency or chapter once there is a gift';
create trigger campaigns_fixed before update of currency, chapter_id on app.campaigns for each row
  when (new.currency <> old.currency or new.chapter_id is distinct from old.chapter_id) execute function app_private.campaigns_fixed();

-- Who may ----------------------------------------------------------------------------------------------------------------------------------

create function app_private.gift_right(org uuid, chapter uuid, wanted text) returns boolean language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare actor app.actor_context := app.actor();
begin
  if actor.org_id is null then return pg_has_role(session_user, 'app_worker', 'member'); end if;
  return actor.org_id = org and (app.everywhere(wanted) or coalesce(chapter = any (app.scope(wanted)), false));
end $$;
comment on function app_private.gift_right(uuid, uuid, text) is 'Whether the caller holds a permission where a gift belongs; a worker holds them all';

create function app.manages_gift(gift uuid) returns boolean language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce((select app_private.gift_right(g.org_id, g.chapter_id, 'gifts.manage') from app.gifts g where g.org_id = app.org_id() and g.id = gift), false)
$$;
comment on function app.manages_gift(uuid) is 'Whether the actor manages a gift';

create function app.gift_share(g app.gifts) returns bigint language sql immutable set search_path = pg_catalog, pg_temp as $$
  select round(g.share_amount::numeric * g.counted_amount / g.amount)::bigint
$$;
comment on function app.gift_share(app.gifts) is 'What the chapter that has a share of a gift has of what is left';

select app_private.own_definers();
revoke execute on function app.gift_share(app.gifts) from public;
grant execute on function app.gift_share(app.gifts) to app_access, app_worker, app_definer;
grant execute on function app.manages_gift(uuid) to app_access;
grant execute on function app_private.gift_adds_up(uuid, uuid), app_private.spread_gifts(uuid, uuid[]), app_private.gift_right(uuid, uuid, text) to app_definer;
