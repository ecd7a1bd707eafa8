-- Memberships and their terms as another system kept them. An import writes what was: nothing is invoiced, mailed or charged by it, and from then on the
-- calendar moves these memberships like all others.

alter table app.imports drop constraint imports_kind_check,
  add constraint imports_kind_check check (kind ~ '^[a-z][a-z_]{1,39}$');

alter table app.memberships add column lifecycle_before text;
comment on column app.memberships.lifecycle_before is 'Of a membership that an import made: the status of the person before, which an undo restores';
alter table app.membership_terms add column imported boolean not null default false;
comment on column app.membership_terms.imported is 'Brought by an import: it was settled in another system, so no invoice stands behind it';
create unique index membership_terms_imported on app.membership_terms (org_id, membership_id, starts_on) where imported;
grant insert (org_id, id, person_id, type_id, chapter_id, status, auto_renew, applied_by, lifecycle_before), delete on app.memberships to app_definer;
grant delete on app.membership_terms to app_definer;
grant delete on app.affiliations to app_definer;

create or replace function app_private.term_paid(org uuid, term uuid) returns boolean language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select t.price_amount = 0 or t.imported or exists (select from app.invoice_lines l join app.invoices i on i.org_id = l.org_id and i.id = l.invoice_id
      where l.org_id = t.org_id and l.subject_type = 'membership_term' and l.subject_id = t.id and i.kind = 'invoice' and i.state = 'paid')
    from app.membership_terms t where t.org_id = org and t.id = term
$$;

create function app.import_memberships(rows jsonb) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare org constant uuid := app.org_id();
begin
  perform app_private.books_first(org);
  if exists (select from jsonb_to_recordset(rows) x (person_id uuid, chapter_id uuid) where not app.decides_membership(x.person_id, x.chapter_id)) then
    raise exception 'this is decided by another officer, or by the chapter above' using errcode = '42501', constraint = 'membership_decided_above';
  end if;
  -- Its terms follow in the same transaction, and say what it really is.
  insert into app.memberships (org_id, id, person_id, type_id, chapter_id, status, auto_renew, applied_by, lifecycle_before)
    select org, x.id, x.person_id, x.type_id, x.chapter_id, 'awaiting_payment', coalesce(x.auto_renew, true), app.account_id(), p.lifecycle
    from jsonb_to_recordset(rows) x (id uuid, person_id uuid, type_id uuid, chapter_id uuid, auto_renew boolean)
    join app.people p on p.org_id = org and p.id = x.person_id;
end $$;
comment on function app.import_memberships(jsonb) is 'Makes memberships that terms of an import are to hang on. For those who decide on them';

create function app_private.weigh_imported(org uuid, ids uuid[], said jsonb) returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
  -- That it was cancelled counts where it was said of the last term and nothing but an import has made terms of it; else the dates do.
  update app.memberships m set starts_on = t.starts_on, ends_on = t.ends_on, grace_until = t.grace_until, paid_on = t.paid_on,
      status = case when m.status = 'suspended' then m.status
        when t.terms = 0 then 'awaiting_payment'
        when said ? m.id::text and t.only_imported and said -> m.id::text ->> 'ends_on' is not distinct from t.ends_on::text then case
          when said -> m.id::text ->> 'status' = 'cancelled' then 'cancelled'
          else app_private.membership_by_dates(t.ends_on, t.grace_until, app_private.today_of(org)) end
        when m.status = 'cancelled' then m.status
        else app_private.membership_by_dates(t.ends_on, t.grace_until, app_private.today_of(org)) end
    from (select r.id, count(s.id) as terms, bool_and(s.imported) as only_imported, min(s.starts_on) as starts_on, max(s.settled_on) as paid_on,
        case when not bool_or(s.period = 'lifetime') then max(s.ends_on) end as ends_on,
        case when not bool_or(s.period = 'lifetime') then max(s.ends_on + s.grace_days) end as grace_until
      from unnest(ids) r (id) left join app.membership_terms s on s.org_id = org and s.membership_id = r.id and s.status = 'settled' group by r.id) t
    where m.org_id = org and m.id = t.id
$$;
comment on function app_private.weigh_imported(uuid, uuid[], jsonb) is 'Brings memberships in line with their terms after an import or its undo; said: by membership, the last day and the status of the last term that came';

create function app.import_membership_terms(rows jsonb) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org constant uuid := app.org_id();
  ids uuid[] := array(select distinct (x ->> 'membership_id')::uuid from jsonb_array_elements(rows) x);
begin
  perform app_private.books_first(org);
  perform from app.memberships m where m.org_id = org and m.id = any (ids) order by m.id for update;
  if exists (select from unnest(ids) u (id) where not exists (select from app.memberships m where m.org_id = org and m.id = u.id and app.decides_membership(m.person_id, m.chapter_id))) then
    raise exception 'this is decided by another officer, or by the chapter above' using errcode = '42501', constraint = 'membership_decided_above';
  end if;
  if exists (select from app.memberships m where m.org_id = org and m.id = any (ids) and m.status in ('applied', 'awaiting_approval', 'declined', 'withdrawn', 'suspended')
      or exists (select from app.membership_terms t where t.org_id = org and t.membership_id = any (ids) and t.status = 'open' and m.id = t.membership_id and m.starts_on is null and m.org_id = org)) then
    raise exception 'an application or a suspension is decided first' using errcode = '23514', constraint = 'membership_in_progress';
  end if;
  insert into app.membership_terms (org_id, id, membership_id, person_id, status, period, months, starts_month, starts_day, rollover_days, grace_days, chapter_share_bps,
      starts_on, ends_on, settled_on, created_by, price_amount, price_currency, imported)
    select org, x.id, m.id, m.person_id, 'settled', case when x.ends_on is null then 'lifetime' when t.period = 'lifetime' then 'rolling' else t.period end, t.months, t.starts_month, t.starts_day,
      t.rollover_days, case when x.stated = 'lapsed' then 0 else t.grace_days end, t.chapter_share_bps, x.starts_on, x.ends_on, x.settled_on, app.account_id(), x.price_amount, x.price_currency, true
    from jsonb_to_recordset(rows) x (id uuid, membership_id uuid, starts_on date, ends_on date, settled_on date, price_amount bigint, price_currency text, stated text)
    join app.memberships m on m.org_id = org and m.id = x.membership_id
    join app.membership_types t on t.org_id = org and t.id = m.type_id;
  if exists (select from app.membership_terms a join app.membership_terms b on b.org_id = org and b.membership_id = a.membership_id and b.id <> a.id and b.status = 'settled'
      and b.starts_on <= coalesce(a.ends_on, 'infinity') and coalesce(b.ends_on, 'infinity') >= a.starts_on
      where a.org_id = org and a.id in (select (x ->> 'id')::uuid from jsonb_array_elements(rows) x)) then
    raise exception 'this term overlaps with another one' using errcode = '23514', constraint = 'membership_term_overlap';
  end if;
  perform app_private.weigh_imported(org, ids, (select jsonb_object_agg(n.membership_id, jsonb_build_object('status', n.stated, 'ends_on', n.ends_on)) from (
    select distinct on (x.membership_id) x.membership_id, x.stated, x.ends_on from jsonb_to_recordset(rows) x (membership_id uuid, stated text, ends_on date)
      order by x.membership_id, x.ends_on desc nulls first) n));
end $$;
comment on function app.import_membership_terms(jsonb) is 'Terms that were settled in another system, each with its days and what was paid; stated is the status that the other system gave. For those who decide on the membership';

create function app.remove_imported_terms(keys jsonb) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org constant uuid := app.org_id();
  wanted uuid[] := array(select (k -> 'key' ->> 'id')::uuid from jsonb_array_elements(keys) k);
  ids uuid[];
  removed int;
begin
  perform app_private.books_first(org);
  ids := array(select distinct t.membership_id from app.membership_terms t where t.org_id = org and t.id = any (wanted));
  if exists (select from app.memberships m where m.org_id = org and m.id = any (ids) and not app.decides_membership(m.person_id, m.chapter_id)) then
    raise exception 'this is decided by another officer, or by the chapter above' using errcode = '42501', constraint = 'membership_decided_above';
  end if;
  if exists (select from app.membership_terms t where t.org_id = org and t.id = any (wanted) and not t.imported) then
    raise exception 'only terms of an import are removed' using errcode = '23514', constraint = 'membership_term_stays';
  end if;
  -- The place in a chapter that came with the same term goes with it.
  delete from app.affiliations a using app.membership_terms t, app.memberships m
    where t.org_id = org and t.id = any (wanted) and m.org_id = org and m.id = t.membership_id and a.org_id = org and a.person_id = m.person_id and a.chapter_id = m.chapter_id
      and a.kind = 'member' and a.created_at = t.created_at and a.version = 1;
  delete from app.membership_terms t where t.org_id = org and t.id = any (wanted);
  get diagnostics removed = row_count;
  perform app_private.weigh_imported(org, ids, '{}');
  return removed;
end $$;
comment on function app.remove_imported_terms(jsonb) is 'Removes terms that an import brought, for its undo; how many';

create function app.remove_imported_memberships(ids uuid[]) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org constant uuid := app.org_id();
  gone jsonb;
begin
  perform app_private.books_first(org);
  with removed as (
    delete from app.memberships m where m.org_id = org and m.id = any (ids) and m.lifecycle_before is not null and app.decides_membership(m.person_id, m.chapter_id)
      and not exists (select from app.membership_terms t where t.org_id = org and t.membership_id = m.id)
    returning m.person_id, m.lifecycle_before)
  select coalesce(jsonb_agg(jsonb_build_object('person', r.person_id, 'before', r.lifecycle_before)), '[]') into gone from removed r;
  update app.people p set lifecycle = x.before from jsonb_to_recordset(gone) x (person uuid, before text)
    where p.org_id = org and p.id = x.person and p.lifecycle in ('prospect', 'active', 'alumni', 'former') and p.lifecycle <> x.before
      and not exists (select from app.memberships m where m.org_id = org and m.person_id = p.id and m.id <> all (ids) and app_private.membership_counted(m.status));
end $$;
comment on function app.remove_imported_memberships(uuid[]) is 'Removes memberships of an import whose terms are all gone, and gives their people the status they had before';

-- Whose membership lapsed elsewhere before it came here was told so there.
do $$
declare source text := pg_get_functiondef('app.remind_members(uuid, date, uuid, int)'::regprocedure);
begin
  if position('order by m.id limit most' in source) = 0 then raise exception 'app.remind_members does not say what it did'; end if;
  execute replace(source, 'order by m.id limit most', $s$and not (s.stage = 'lapsed' and exists (select from app.membership_terms i where i.org_id = m.org_id and i.membership_id = m.id and i.imported
            and (i.created_at at time zone (select o.timezone from app.organisations o where o.org_id = org))::date > coalesce(m.grace_until, m.ends_on)))
        order by m.id limit most$s$);
end $$;

select app_private.own_definers();
grant execute on function app.import_memberships(jsonb), app.import_membership_terms(jsonb), app.remove_imported_terms(jsonb), app.remove_imported_memberships(uuid[]) to app_access;
grant execute on function app_private.weigh_imported(uuid, uuid[], jsonb) to app_definer;
