-- Gifts that another system kept. They have settled there, so no receipt is issued for them here, and an import that is undone takes them away again.

alter table app.gifts add column foreign_id text not null default '' check (char_length(foreign_id) <= 100);
comment on column app.gifts.foreign_id is 'Its id in the system that it was imported from';
create unique index gifts_by_foreign_id on app.gifts (org_id, foreign_id) where foreign_id <> '';

create or replace function app_private.gifts_stay() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  -- Only together with the whole organisation, or when the import that brought it is undone.
  if not exists (select from app.organisations o where o.org_id = old.org_id) then return old; end if;
  if old.source = 'import' and old.status = 'cancelled' and not exists (select from app.payments p where p.org_id = old.org_id and p.gift_id = old.id) then return old; end if;
  raise exception 'gifts are not deleted' using errcode = '23514', constraint = 'gifts_not_deleted';
end $$;
grant delete on app.gifts to app_definer;

drop function if exists app.import_gifts(jsonb);
create function app.import_gifts(rows jsonb) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org constant uuid := app.org_id();
  zone constant text := (select o.timezone from app.organisations o where o.org_id = org);
  wrong text;
begin
  perform app_private.books_open(org);
  -- The import has asked all of this before, row by row; this is what keeps it.
  select case when x.campaign_id is not null and (c.id is null or c.status = 'draft') then 'gift_campaign_unknown' when x.currency <> c.currency then 'gift_currency'
      when x.person_id is not null and p.id is null then 'gift_person_unknown' when x.received_on > app.today() then 'payment_in_future'
      when f.known is distinct from jsonb_array_length(x.allocations) then 'gift_fund_unknown' when f.allocated <> x.amount then 'gift_allocation' end into wrong
    from jsonb_to_recordset(rows) x (campaign_id uuid, person_id uuid, amount bigint, currency text, received_on date, allocations jsonb)
    left join app.campaigns c on c.org_id = org and c.id = x.campaign_id
    left join app.people p on p.org_id = org and p.id = x.person_id and p.lifecycle not in ('merged', 'erased')
    cross join lateral (select count(distinct k.id) as known, sum(a.amount) as allocated from jsonb_to_recordset(x.allocations) a (fund_id uuid, amount bigint)
      left join app.funds k on k.org_id = org and k.id = a.fund_id and k.archived_at is null) f
    where (x.campaign_id is not null and (c.id is null or c.status = 'draft')) or x.currency <> c.currency or (x.person_id is not null and p.id is null) or x.received_on > app.today()
      or f.known is distinct from jsonb_array_length(x.allocations) or f.allocated <> x.amount limit 1;
  if wrong is not null then raise exception 'a gift cannot be imported like this' using errcode = '23514', constraint = wrong; end if;
  if exists (select from jsonb_to_recordset(rows) x (campaign_id uuid, allocations jsonb) left join app.campaigns c on c.org_id = org and c.id = x.campaign_id
      left join app.funds f on f.org_id = org and f.id = (x.allocations -> 0 ->> 'fund_id')::uuid
      where not app_private.gift_right(org, case when x.campaign_id is not null then c.chapter_id else f.chapter_id end, 'gifts.manage')) then
    raise exception 'not allowed' using errcode = '42501';
  end if;
  with said as materialized (
    select x.*, c.id as campaign, case when c.id is not null then c.chapter_id else f.chapter_id end as chapter_id, c.share_chapter_id, round(x.amount::numeric * coalesce(c.share_bps, 0) / 10000)::bigint as share,
      app.uuid7() as payment_id, least(now(), (x.received_on + time '12:00') at time zone zone) as came_at
    from jsonb_to_recordset(rows) x (id uuid, person_id uuid, donor_name text, donor_email text, campaign_id uuid, amount bigint, currency text, received_on date, method text, reference text, is_anonymous boolean,
      tribute_kind text, tribute_name text, message text, note text, foreign_id text, allocations jsonb)
    left join app.campaigns c on c.org_id = org and c.id = x.campaign_id left join app.funds f on f.org_id = org and f.id = (x.allocations -> 0 ->> 'fund_id')::uuid),
  gift as (
    insert into app.gifts (org_id, id, campaign_id, chapter_id, person_id, donor_name, donor_email, amount, currency, method, status, is_anonymous, tribute_kind, tribute_name, message, source, received_on, settled_at,
        share_chapter_id, share_amount, wants_receipt_mail, foreign_id, created_by)
      select org, s.id, s.campaign, s.chapter_id, s.person_id, s.donor_name, s.donor_email, s.amount, s.currency, s.method, 'settled', s.is_anonymous, s.tribute_kind, s.tribute_name, s.message, 'import', s.received_on, s.came_at,
        s.share_chapter_id, s.share, false, s.foreign_id, app.account_id() from said s),
  part as (
    insert into app.gift_allocations (org_id, gift_id, fund_id, place, amount, settled_amount)
      select org, s.id, (a.value ->> 'fund_id')::uuid, a.place, (a.value ->> 'amount')::bigint, (a.value ->> 'amount')::bigint from said s cross join jsonb_array_elements(s.allocations) with ordinality a (value, place)),
  noted as (insert into app.giving_notes (org_id, gift_id, note) select org, s.id, s.note from said s where s.note <> '')
  insert into app.payments (org_id, id, kind, method, amount, currency, person_id, received_on, reference, gift_id, state, settled_at, imported, created_by)
    select org, s.payment_id, 'manual', s.method, s.amount, s.currency, s.person_id, s.received_on, s.reference, s.id, 'settled', s.came_at, true, app.account_id() from said s;
end $$;
comment on function app.import_gifts(jsonb) is 'Gifts that another system kept, with the payments that settled them there. For those who manage the gifts';

create function app.remove_imported_gifts(keys jsonb) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org constant uuid := app.org_id();
  wanted constant uuid[] := array(select (k -> 'key' ->> 'id')::uuid from jsonb_array_elements(keys) k);
  removed int;
begin
  perform app_private.books_open(org);
  perform from app.gifts g where g.org_id = org and g.id = any (wanted) order by g.id for update;
  if exists (select from app.gifts g where g.org_id = org and g.id = any (wanted) and (g.source <> 'import' or not app_private.gift_right(org, g.chapter_id, 'gifts.manage'))) then
    raise exception 'not allowed' using errcode = '42501';
  end if;
  if exists (select from app.payments p where p.org_id = org and p.gift_id = any (wanted) and (not p.imported or p.state <> 'settled' or p.refunded_amount > 0)) then
    raise exception 'a gift that was refunded is not removed' using errcode = '23514', constraint = 'gifts_not_deleted';
  end if;
  -- First it is worth nothing, which all totals follow; then it is gone.
  update app.gifts g set status = 'cancelled' where g.org_id = org and g.id = any (wanted);
  delete from app.payments p where p.org_id = org and p.gift_id = any (wanted);
  delete from app.gift_allocations a where a.org_id = org and a.gift_id = any (wanted);
  delete from app.gifts g where g.org_id = org and g.id = any (wanted);
  get diagnostics removed = row_count;
  return removed;
end $$;
comment on function app.remove_imported_gifts(jsonb) is 'Removes gifts that an import brought and of which nothing was given back, for its undo; how many';

select app_private.own_definers();
grant execute on function app.import_gifts(jsonb), app.remove_imported_gifts(jsonb) to app_access;
