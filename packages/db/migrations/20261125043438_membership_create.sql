-- Membership types, who holds a membership of which type, and its terms.

select app_private.add_permission('memberships.read', 'org-owner', 'org-admin', 'chapter-admin', 'finance');
select app_private.add_permission('memberships.manage', 'org-owner', 'org-admin', 'chapter-admin');

-- Types ----------------------------------------------------------------------------------------------------------------------------

create table app.membership_types (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  name text not null check (char_length(name) between 1 and 100),
  description text not null default '' check (char_length(description) <= 500),
  period text not null check (period in ('rolling', 'fixed', 'lifetime')),
  months int check (months between 1 and 120),
  starts_month int check (starts_month between 1 and 12),
  starts_day int check (starts_day between 1 and 28),
  rollover_days int not null default 0 check (rollover_days between 0 and 366),
  grace_days int not null default 30 check (grace_days between 0 and 180),
  renewal_days int not null default 30 check (renewal_days between 0 and 180),
  needs_approval boolean not null default true,
  chapter_share_bps int not null default 0 check (chapter_share_bps between 0 and 10000),
  open_to text not null default 'everyone' check (open_to in ('everyone', 'members', 'officers')),
  questions text[] not null default '{}' check (cardinality(questions) <= 5),
  archived_at timestamptz,
  created_by uuid,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  constraint membership_type_period check (case period when 'rolling' then months is not null and starts_month is null and starts_day is null
    when 'fixed' then months = 12 and starts_month is not null and starts_day is not null
    else months is null and starts_month is null and starts_day is null end)
);
select app_private.add_money('app.membership_types', 'price', 0);
comment on table app.membership_types is 'Kinds of membership with their period, price and rules; a change never touches terms that exist';
comment on column app.membership_types.period is 'rolling: so many months from the first day; fixed: a year from one day of the calendar to the next; lifetime: without end';
comment on column app.membership_types.rollover_days is 'Of a fixed period: who joins so few days before the next one pays for that one too';
comment on column app.membership_types.renewal_days is 'So many days before its end a membership can be renewed';
comment on column app.membership_types.chapter_share_bps is 'Share of the price for the member''s chapter, in hundredths of a percent';
comment on column app.membership_types.open_to is 'Who may choose it: everyone signed in, people who have a membership, or officers for them';
create unique index membership_types_name on app.membership_types (org_id, lower(name)) where archived_at is null;

select app_private.protect('app.membership_types');
select app_private.keep_version('app.membership_types');
select app_private.keep_audit('app.membership_types', 'memberships.manage', 'id');
create policy membership_types_read on app.membership_types for select to app_access using (org_id = (select app.org_id()));
create policy membership_types_add on app.membership_types for insert to app_access
  with check (org_id = (select app.org_id()) and (select app.everywhere('memberships.manage')));
create policy membership_types_change on app.membership_types for update to app_access
  using (org_id = (select app.org_id()) and (select app.everywhere('memberships.manage')))
  with check (org_id = (select app.org_id()) and (select app.everywhere('memberships.manage')));
grant select, insert (org_id, name, description, period, months, starts_month, starts_day, rollover_days, grace_days, renewal_days, needs_approval,
    chapter_share_bps, open_to, questions, price_amount, price_currency, created_by),
  update (name, description, period, months, starts_month, starts_day, rollover_days, grace_days, renewal_days, needs_approval,
    chapter_share_bps, open_to, questions, price_amount, price_currency, archived_at) on app.membership_types to app_access;
grant select on app.membership_types to app_definer;

-- Memberships ----------------------------------------------------------------------------------------------------------------------

create table app.memberships (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  person_id uuid not null,
  type_id uuid not null,
  chapter_id uuid,
  status text not null check (status in ('applied', 'awaiting_approval', 'awaiting_payment', 'active', 'grace', 'lapsed', 'cancelled', 'suspended', 'declined', 'withdrawn')),
  auto_renew boolean not null default true,
  answers jsonb not null default '[]' check (jsonb_typeof(answers) = 'array' and octet_length(answers::text) <= 20000),
  applied_by uuid,
  decided_by uuid,
  decided_at timestamptz,
  reason text not null default '' check (char_length(reason) <= 500),
  starts_on date,
  ends_on date,
  grace_until date,
  paid_on date,
  override_status text check (override_status in ('active', 'grace', 'lapsed', 'suspended')),
  override_until date,
  override_reason text check (char_length(override_reason) between 1 and 500),
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, person_id) references app.people (org_id, id) on delete cascade,
  foreign key (org_id, type_id) references app.membership_types (org_id, id),
  foreign key (org_id, chapter_id) references app.chapters (org_id, id),
  constraint memberships_override check ((override_status is null) = (override_until is null) and (override_status is null) = (override_reason is null)),
  check (ends_on >= starts_on),
  check (grace_until >= ends_on)
);
comment on table app.memberships is 'Membership of a person in the organisation, of one type; its terms say from when to when it was paid or approved';
comment on column app.memberships.chapter_id is 'Chapter that the membership runs through and that has its share; null for the organisation itself';
comment on column app.memberships.reason is 'Why it was declined, cancelled or suspended';
comment on column app.memberships.starts_on is 'First day of the first settled term';
comment on column app.memberships.ends_on is 'Last day of the last settled term; null without one and for a lifetime';
comment on column app.memberships.override_status is 'What counts instead of the status until a day, for a reason';
create unique index memberships_open on app.memberships (org_id, person_id, type_id) where status not in ('declined', 'withdrawn', 'cancelled', 'lapsed');
create index memberships_by_person on app.memberships (org_id, person_id, id);
create index memberships_by_type on app.memberships (org_id, type_id, status);
create index memberships_by_chapter on app.memberships (org_id, chapter_id, status);
create index memberships_ending on app.memberships (org_id, status, ends_on, id);
create index memberships_overridden on app.memberships (org_id, override_until) where override_until is not null;

create table app.membership_terms (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  membership_id uuid not null,
  person_id uuid not null,
  status text not null default 'open' check (status in ('open', 'settled', 'void')),
  period text not null check (period in ('rolling', 'fixed', 'lifetime')),
  months int,
  starts_month int,
  starts_day int,
  rollover_days int not null default 0,
  grace_days int not null default 0,
  chapter_share_bps int not null default 0,
  starts_on date,
  ends_on date,
  settled_on date,
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, membership_id) references app.memberships (org_id, id) on delete cascade,
  foreign key (org_id, person_id) references app.people (org_id, id) on delete cascade,
  check ((status = 'settled') = (settled_on is not null)),
  check ((starts_on is not null) = (status = 'settled')),
  check (ends_on >= starts_on)
);
select app_private.add_money('app.membership_terms', 'price', 0);
comment on table app.membership_terms is 'A period of a membership, with the price and rules of the day it was offered; it has dates once it is settled, and not before';
create unique index membership_terms_open on app.membership_terms (org_id, membership_id) where status = 'open';
create index membership_terms_by_membership on app.membership_terms (org_id, membership_id, starts_on);
create index membership_terms_by_person on app.membership_terms (org_id, person_id);

select app_private.protect('app.memberships');
select app_private.keep_version('app.memberships');
select app_private.keep_audit('app.memberships', 'memberships.read');
select app_private.protect('app.membership_terms');
select app_private.keep_audit('app.membership_terms', 'memberships.read');
select app_private.share_history('memberships.read');

create policy memberships_read on app.memberships for select to app_access using (org_id = (select app.org_id())
  and ((select app.everywhere('memberships.read')) or person_id = (select app.person_id()) or chapter_id = any ((select app.scope('memberships.read'))::uuid[])));
create policy memberships_add on app.memberships for insert to app_access with check (org_id = (select app.org_id())
  and ((select app.everywhere('memberships.manage')) or chapter_id = any ((select app.scope('memberships.manage'))::uuid[])
    or (person_id = (select app.person_id()) and status in ('awaiting_approval', 'awaiting_payment'))));
create policy memberships_change on app.memberships for update to app_access
  using (org_id = (select app.org_id()) and ((select app.everywhere('memberships.manage')) or person_id = (select app.person_id())
    or chapter_id = any ((select app.scope('memberships.manage'))::uuid[])))
  with check (org_id = (select app.org_id()) and ((select app.everywhere('memberships.manage')) or person_id = (select app.person_id())
    or chapter_id = any ((select app.scope('memberships.manage'))::uuid[])));
create policy membership_terms_read on app.membership_terms for select to app_access using (org_id = (select app.org_id())
  and exists (select from app.memberships m where m.org_id = membership_terms.org_id and m.id = membership_terms.membership_id));
grant select, insert (org_id, person_id, type_id, chapter_id, status, auto_renew, answers, applied_by),
  update (type_id, chapter_id, status, auto_renew, decided_by, decided_at, reason, override_status, override_until, override_reason) on app.memberships to app_access;
grant select on app.membership_terms to app_access;
grant select, update on app.memberships to app_definer;
grant select, insert, update on app.membership_terms to app_definer;

-- Records of people who died, were merged or erased stay as they are.
create trigger memberships_open_insert after insert on app.memberships referencing new table as changed for each statement execute function app.person_record_guard('erased,merged,deceased');
create trigger memberships_open_update after update on app.memberships referencing new table as changed for each statement execute function app.person_record_guard('erased,merged,deceased');

-- What may follow what --------------------------------------------------------------------------------------------------------------

create function app_private.membership_moves(before text, after text) returns boolean language sql immutable as $$
  select before = after or (before, after) in (values
    ('applied', 'awaiting_approval'), ('applied', 'awaiting_payment'), ('applied', 'withdrawn'),
    ('awaiting_approval', 'awaiting_payment'), ('awaiting_approval', 'declined'), ('awaiting_approval', 'withdrawn'),
    ('awaiting_payment', 'active'), ('awaiting_payment', 'grace'), ('awaiting_payment', 'lapsed'), ('awaiting_payment', 'declined'), ('awaiting_payment', 'withdrawn'),
    ('active', 'grace'), ('active', 'lapsed'), ('active', 'cancelled'), ('active', 'suspended'),
    ('grace', 'active'), ('grace', 'lapsed'), ('grace', 'cancelled'), ('grace', 'suspended'),
    ('suspended', 'active'), ('suspended', 'grace'), ('suspended', 'lapsed'), ('suspended', 'cancelled'),
    ('lapsed', 'active'), ('lapsed', 'grace'), ('cancelled', 'active'), ('cancelled', 'grace'), ('cancelled', 'lapsed'),
    -- Only where the money of the first term went back.
    ('active', 'awaiting_payment'), ('grace', 'awaiting_payment'), ('lapsed', 'awaiting_payment'))
$$;
comment on function app_private.membership_moves(text, text) is 'Whether one status may follow another';

create function app_private.membership_by_dates(ends_on date, grace_until date, today date) returns text language sql immutable as $$
  select case when ends_on is null or ends_on >= today then 'active' when grace_until >= today then 'grace' else 'lapsed' end
$$;
comment on function app_private.membership_by_dates(date, date, date) is 'Status of a membership that has a settled term, by its last day';

create function app.term_starts(paid_on date, current_end date, grace_until date) returns date language sql immutable as $$
  select case when current_end is not null and paid_on <= coalesce(grace_until, current_end) then current_end + 1 else paid_on end
$$;
comment on function app.term_starts(date, date, date) is 'First day of a term: the day after the running one, also within its grace, else the day of payment';

create function app.term_ends(period text, months int, starts_month int, starts_day int, rollover_days int, starts_on date) returns date language sql immutable as $$
  select case period
    when 'rolling' then (starts_on + make_interval(months => months))::date - 1
    when 'fixed' then (select case when n.next - starts_on <= rollover_days then (n.next + interval '1 year')::date else n.next end - 1
      from (select case when make_date(extract(year from starts_on)::int, starts_month, starts_day) > starts_on then make_date(extract(year from starts_on)::int, starts_month, starts_day)
        else make_date(extract(year from starts_on)::int + 1, starts_month, starts_day) end as next) n)
  end
$$;
comment on function app.term_ends(text, int, int, int, int, date) is 'Last day of a term that starts on a day; null for a lifetime';

-- Free terms are settled at once; others when their invoice is paid.
create function app_private.term_paid(org uuid, term uuid) returns boolean language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select t.price_amount = 0 from app.membership_terms t where t.org_id = org and t.id = term
$$;
comment on function app_private.term_paid(uuid, uuid) is 'Whether nothing is owed for a term any more';

create function app_private.refresh_memberships(org uuid, ids uuid[], today date, revive boolean) returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
  update app.memberships m set starts_on = t.starts_on, ends_on = t.ends_on, grace_until = t.grace_until, paid_on = t.paid_on,
      status = case when m.status = 'suspended' or (m.status = 'cancelled' and not revive) then m.status
        when t.terms = 0 then 'awaiting_payment'
        else app_private.membership_by_dates(t.ends_on, t.grace_until, today) end
    from (select r.id, count(s.id) as terms, min(s.starts_on) as starts_on, max(s.settled_on) as paid_on,
        case when not bool_or(s.period = 'lifetime') then max(s.ends_on) end as ends_on,
        case when not bool_or(s.period = 'lifetime') then max(s.ends_on + s.grace_days) end as grace_until
      from unnest(ids) r (id) left join app.membership_terms s on s.org_id = org and s.membership_id = r.id and s.status = 'settled' group by r.id) t
    where m.org_id = org and m.id = t.id
$$;
comment on function app_private.refresh_memberships(uuid, uuid[], date, boolean) is 'Brings dates and status of memberships in line with their settled terms; a cancelled one comes back only when a new term was settled';

create function app.settle_membership_term(org uuid, term uuid, paid_on date) returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
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
  if t.id is null or t.status <> 'open' then return false; end if;
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
comment on function app.settle_membership_term(uuid, uuid, date) is 'Gives a paid term its dates and the membership its status; false when that was done before';

create function app_private.today_of(org uuid) returns date language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select (now() at time zone o.timezone)::date from app.organisations o where o.org_id = org
$$;
comment on function app_private.today_of(uuid) is 'The calendar day of an organisation, also for what no actor does';

create function app.unsettle_membership_term(org uuid, term uuid) returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  actor app.actor_context := app.actor();
  held uuid;
begin
  if actor.org_id is not null and actor.org_id <> org then raise exception 'this term belongs to another organisation' using errcode = '42501', constraint = 'membership_decided_above'; end if;
  select t.membership_id into held from app.membership_terms t where t.org_id = org and t.id = term;
  perform from app.memberships m where m.org_id = org and m.id = held for update;
  if app_private.term_paid(org, term) then
    raise exception 'this term is paid' using errcode = '23514', constraint = 'membership_paid';
  end if;
  -- Where a renewal is open already, the term is void and that one is what can be paid.
  update app.membership_terms t set settled_on = null, starts_on = null, ends_on = null,
      status = case when exists (select from app.membership_terms o where o.org_id = org and o.membership_id = held and o.status = 'open') then 'void' else 'open' end
    where t.org_id = org and t.id = term and t.status = 'settled';
  if not found then return false; end if;
  perform app_private.refresh_memberships(org, array[held], app_private.today_of(org), false);
  return true;
end $$;
comment on function app.unsettle_membership_term(uuid, uuid) is 'Takes its dates from a term whose money went back';

-- Who may decide what ----------------------------------------------------------------------------------------------------------------

create function app_private.decides_for(org uuid, requester uuid, chapter uuid) returns boolean language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  reach uuid[];
begin
  if requester = app.person_id() then return false; end if;
  if app.everywhere('memberships.manage') then return true; end if;
  reach := app.scope('memberships.manage');
  -- Of an officer who decides there, the tier above decides.
  return coalesce(chapter = any (reach), false) and not exists (
    select from app.position_holders h
    join app.positions p on p.org_id = h.org_id and p.id = h.position_id
    join app.role_permissions r on r.org_id = p.org_id and r.role_id = p.role_id and r.permission = 'memberships.manage'
    join app.chapter_ancestors a on a.org_id = p.org_id and a.chapter_id = chapter and a.ancestor_id = p.chapter_id
    join app.chapters c on c.org_id = p.org_id and c.id = p.chapter_id
    where h.org_id = org and h.person_id = requester and h.starts_on <= app.today() and (h.ends_on is null or h.ends_on >= app.today())
      and not coalesce(c.parent_id = any (reach), false));
end $$;
comment on function app_private.decides_for(uuid, uuid, uuid) is 'Whether the actor decides on the membership of a person in a chapter: not their own, and that of an officer only from the tier above';
create function app.decides_membership(person uuid, chapter uuid) returns boolean language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select app_private.decides_for(app.org_id(), person, chapter)
$$;
comment on function app.decides_membership(uuid, uuid) is 'Whether the actor decides on the membership of a person in a chapter';

-- As whoever writes, so that functions of the database, which settle terms, are told from people.
create function app_private.memberships_guard() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
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
    return null;
  end if;
  if exists (select from changed c join before b on b.org_id = c.org_id and b.id = c.id where not app.membership_may_become(b.status, c.status)) then
    raise exception 'a membership cannot go from one of these statuses to the other' using errcode = '23514', constraint = 'membership_move';
  end if;
  if exists (select from changed c join before b on b.org_id = c.org_id and b.id = c.id
      where ((c.status <> b.status and c.status not in ('cancelled', 'withdrawn')) or (c.override_status, c.override_until, c.override_reason, c.type_id, c.chapter_id)
          is distinct from (b.override_status, b.override_until, b.override_reason, b.type_id, b.chapter_id))
        and not app.decides_membership(b.person_id, b.chapter_id)) then
    raise exception 'this is decided by another officer, or by the chapter above' using errcode = '42501', constraint = 'membership_decided_above';
  end if;
  return null;
end $$;
comment on function app_private.memberships_guard() is 'Holds every change to the statuses that may follow; nobody decides their own, and what officers of a chapter ask for is decided above';
create function app.membership_may_become(before text, after text) returns boolean language sql immutable security definer set search_path = pg_catalog, pg_temp as $$
  -- Active, in grace and lapsed follow from terms; of these people only end a suspension.
  select app_private.membership_moves(before, after) and (before = after or after in ('awaiting_payment', 'declined', 'withdrawn', 'cancelled', 'suspended') and before not in ('active', 'grace', 'lapsed', 'suspended')
    or before in ('active', 'grace', 'suspended') and after in ('cancelled', 'suspended') or before = 'suspended' and after in ('active', 'grace', 'lapsed'))
$$;
comment on function app.membership_may_become(text, text) is 'Whether somebody may move a membership from one status to another; the rest follows from settled terms and the calendar';
create trigger memberships_guard_insert after insert on app.memberships referencing new table as changed for each statement execute function app_private.memberships_guard();
create trigger memberships_guard_update after update on app.memberships referencing old table as before new table as changed for each statement execute function app_private.memberships_guard();

create function app.open_membership_term(membership uuid) returns table (term uuid, amount bigint, currency text, settled boolean)
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid := app.org_id();
  today date := app.today();
  m app.memberships;
  t app.membership_types;
  made app.membership_terms;
  runs boolean;
begin
  select x.* into m from app.memberships x where x.org_id = org and x.id = membership
    and (x.person_id = app.person_id() or app.everywhere('memberships.manage') or x.chapter_id = any (app.scope('memberships.manage'))) for update;
  if m.id is null then raise exception 'this membership is not yours to renew' using errcode = '42501', constraint = 'membership_decided_above'; end if;
  select x.* into t from app.membership_types x where x.org_id = org and x.id = m.type_id;
  runs := app.everywhere('memberships.manage') or coalesce(m.chapter_id = any (app.scope('memberships.manage')), false);
  if m.status not in ('awaiting_payment', 'active', 'grace', 'lapsed') and not (m.status = 'cancelled' and runs) then
    raise exception 'a membership that is % has no next term', m.status using errcode = '23514', constraint = 'membership_no_renewal';
  end if;
  if m.starts_on is not null and m.ends_on is null then
    raise exception 'this membership has no end' using errcode = '23514', constraint = 'membership_lifetime';
  end if;
  if t.archived_at is not null then
    raise exception 'this type is archived. Change the type first' using errcode = '23514', constraint = 'membership_type_archived';
  end if;
  if not runs and m.ends_on - t.renewal_days > today then
    raise exception 'this membership cannot be renewed yet' using errcode = '23514', constraint = 'membership_too_early', detail = json_build_object('on', m.ends_on - t.renewal_days)::text;
  end if;
  select x.* into made from app.membership_terms x where x.org_id = org and x.membership_id = m.id and x.status = 'open';
  if made.id is null then
    insert into app.membership_terms (org_id, membership_id, person_id, period, months, starts_month, starts_day, rollover_days, grace_days, chapter_share_bps,
        price_amount, price_currency, created_by)
      values (org, m.id, m.person_id, t.period, t.months, t.starts_month, t.starts_day, case when m.status in ('active', 'grace') then 0 else t.rollover_days end,
        t.grace_days, t.chapter_share_bps, t.price_amount, t.price_currency, app.account_id())
      returning * into made;
  end if;
  return query select made.id, made.price_amount, made.price_currency, made.price_amount = 0 and app.settle_membership_term(org, made.id, today);
end $$;
comment on function app.open_membership_term(uuid) is 'The next term of a membership at the price of today, or the one that is open already; a free one is settled at once';

-- Whoever has no person gets one when they apply -------------------------------------------------------------------------------------

create function app.become_person() returns uuid language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  me app.accounts;
  made uuid;
  called text;
begin
  select a.* into me from app.accounts a where a.org_id = app.org_id() and a.id = app.account_id() for update;
  if me.id is null or me.person_id is not null then return me.person_id; end if;
  called := regexp_replace(btrim(coalesce(nullif(btrim(me.name), ''), split_part(me.email, '@', 1))), '\s+', ' ', 'g');
  insert into app.people (org_id, given_name, family_name, lifecycle, created_by)
    select me.org_id, left(case when called like '% %' then regexp_replace(called, ' [^ ]+$', '') else called end, 100),
      left(case when called like '% %' then regexp_replace(called, '^.* ', '') else '' end, 100), 'prospect', me.id
    returning id into made;
  if me.email is not null and me.email_verified then
    insert into app.person_emails (org_id, person_id, address, is_primary) values (me.org_id, made, me.email, true);
  end if;
  update app.accounts a set person_id = made where a.org_id = me.org_id and a.id = me.id;
  return made;
end $$;
comment on function app.become_person() is 'The person of the account that acts; made from its name and address when it has none';
grant insert (org_id, given_name, family_name, lifecycle, created_by) on app.people to app_definer;
grant insert (org_id, person_id, address, is_primary) on app.person_emails to app_definer;

-- A membership that counts puts its person into its chapter.
create function app_private.memberships_affiliate() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update app.affiliations a set ends_on = greatest(a.starts_on, app_private.today_of(a.org_id) - 1)
    from changed c where c.status in ('active', 'grace') and a.org_id = c.org_id and a.person_id = c.person_id and a.chapter_id = c.chapter_id and a.kind = 'applicant' and a.ends_on is null;
  insert into app.affiliations (org_id, person_id, chapter_id, kind, starts_on, is_primary)
    select distinct on (c.org_id, c.person_id) c.org_id, c.person_id, c.chapter_id, 'member', d.today,
      not exists (select from app.affiliations a where a.org_id = c.org_id and a.person_id = c.person_id and a.is_primary and a.ends_on is null)
    from changed c
    cross join lateral (select app_private.today_of(c.org_id) as today) d
    join app.people p on p.org_id = c.org_id and p.id = c.person_id and p.lifecycle not in ('deceased', 'merged', 'erased')
    where c.status in ('active', 'grace') and c.chapter_id is not null and not exists (select from app.affiliations a
      where a.org_id = c.org_id and a.person_id = c.person_id and a.chapter_id = c.chapter_id and a.kind = 'member' and (a.ends_on is null or a.ends_on >= d.today))
    order by c.org_id, c.person_id, c.id
    on conflict (org_id, person_id, starts_on, chapter_id, kind) do update set ends_on = null;
  return null;
end $$;
comment on function app_private.memberships_affiliate() is 'Whoever holds a membership that counts is a member of its chapter';
create trigger memberships_affiliate_insert after insert on app.memberships referencing new table as changed for each statement execute function app_private.memberships_affiliate();
create trigger memberships_affiliate_update after update on app.memberships referencing new table as changed for each statement execute function app_private.memberships_affiliate();
grant insert (org_id, person_id, chapter_id, kind, starts_on, is_primary), update (ends_on) on app.affiliations to app_definer;
-- What the database does by itself is nobody's reach; and an account may be given the person that its own application has just made.
do $$
declare
  r record;
  source text;
begin
  for r in select * from (values
    ('app.affiliations_reach()', 'if me is null or app.everywhere', 'if me is null or pg_trigger_depth() > 1 or app.everywhere'),
    ('app.accounts_guard()', 'perform app_private.hold_account_rights(new.org_id);', $g$if not (new.id = app.account_id() and old.person_id is null and (new.status, new.email, new.idp_roles, new.issuer, new.subject)
        is not distinct from (old.status, old.email, old.idp_roles, old.issuer, old.subject)
      and exists (select from app.people p where p.org_id = new.org_id and p.id = new.person_id and p.created_by = new.id and p.created_at = now() and p.lifecycle = 'prospect')) then
      perform app_private.hold_account_rights(new.org_id);
    end if;$g$)
  ) v (fn, was, becomes) loop
    source := pg_get_functiondef(r.fn::regprocedure);
    if position(r.was in source) = 0 then raise exception '% does not say %', r.fn, r.was; end if;
    execute replace(source, r.was, r.becomes);
  end loop;
end $$;

-- The daily run ----------------------------------------------------------------------------------------------------------------------

create function app.run_memberships(org uuid, today date) returns jsonb language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  actor app.actor_context := app.actor();
  ended int;
  graced int;
  lapsed int;
  opened int;
  free uuid[];
begin
  if actor.org_id is not null and (actor.org_id <> org or not app.everywhere('memberships.manage')) then
    raise exception 'memberships are run by administrators' using errcode = '42501', constraint = 'memberships_administrators';
  end if;
  update app.memberships m set override_status = null, override_until = null, override_reason = null where m.org_id = org and m.override_until < today;
  get diagnostics ended = row_count;
  update app.memberships m set status = 'grace' where m.org_id = org and m.status = 'active' and m.ends_on < today and m.grace_until >= today;
  get diagnostics graced = row_count;
  update app.memberships m set status = 'lapsed' where m.org_id = org and m.status in ('active', 'grace') and m.grace_until < today;
  get diagnostics lapsed = row_count;
  with fresh as (
    insert into app.membership_terms (org_id, membership_id, person_id, period, months, starts_month, starts_day, rollover_days, grace_days, chapter_share_bps, price_amount, price_currency)
      select m.org_id, m.id, m.person_id, t.period, t.months, t.starts_month, t.starts_day, 0, t.grace_days, t.chapter_share_bps, t.price_amount, t.price_currency
      from app.memberships m
      join app.membership_types t on t.org_id = m.org_id and t.id = m.type_id and t.archived_at is null and t.period <> 'lifetime'
      join app.people p on p.org_id = m.org_id and p.id = m.person_id and p.deleted_at is null and p.lifecycle not in ('deceased', 'merged', 'erased')
      where m.org_id = org and m.status in ('active', 'grace') and m.auto_renew and m.ends_on <= today + t.renewal_days
        and not exists (select from app.membership_terms o where o.org_id = m.org_id and o.membership_id = m.id and o.status = 'open')
      returning membership_id, id, price_amount
  )
  select count(*), coalesce(array_agg(f.id) filter (where f.price_amount = 0), '{}') into opened, free from fresh f;
  -- A free term begins the day after the running one.
  update app.membership_terms t set status = 'settled', settled_on = today, starts_on = m.ends_on + 1,
      ends_on = app.term_ends(t.period, t.months, t.starts_month, t.starts_day, t.rollover_days, m.ends_on + 1)
    from app.memberships m where t.org_id = org and t.id = any (free) and m.org_id = t.org_id and m.id = t.membership_id;
  perform app_private.refresh_memberships(org, (select coalesce(array_agg(t.membership_id), '{}') from app.membership_terms t where t.org_id = org and t.id = any (free)), today, false);
  return jsonb_build_object('overridesEnded', ended, 'toGrace', graced, 'lapsed', lapsed, 'renewalsOpened', opened, 'renewedFree', cardinality(free));
end $$;
comment on function app.run_memberships(uuid, date) is 'What the calendar does to memberships: overrides end, terms end, renewals open. The second run of a day changes nothing';

select app_private.own_definers();
grant execute on function app.settle_membership_term(uuid, uuid, date), app.unsettle_membership_term(uuid, uuid), app.run_memberships(uuid, date) to app_access, app_worker;
grant execute on function app.open_membership_term(uuid), app.become_person(), app.decides_membership(uuid, uuid), app.membership_may_become(text, text), app.term_starts(date, date, date),
  app.term_ends(text, int, int, int, int, date) to app_access;
grant execute on function app_private.membership_moves(text, text), app_private.membership_by_dates(date, date, date), app_private.term_paid(uuid, uuid),
  app_private.refresh_memberships(uuid, uuid[], date, boolean), app_private.today_of(uuid), app_private.decides_for(uuid, uuid, uuid),
  app.term_starts(date, date, date), app.term_ends(text, int, int, int, int, date) to app_definer;
