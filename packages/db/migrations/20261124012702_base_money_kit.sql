-- Money in a table, in one call: for migrations only, as the rest of the kit.

create function app_private.add_money(tab regclass, name text, lowest bigint default null, required boolean default true) returns void
  language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  -- What a number of the browsers holds exactly.
  most constant bigint := 9007199254740991;
  tab_name constant text := (select c.relname from pg_class c where c.oid = tab);
begin
  execute format('alter table %1$s add column %2$I bigint, add column %3$I text', tab, name || '_amount', name || '_currency');
  execute format($check$alter table %1$s add constraint %2$I check (%3$I between %4$s and %5$s and %6$I ~ '^[A-Z]{3}$')$check$,
    tab, tab_name || '_' || name || '_money', name || '_amount', coalesce(lowest, -most), most, name || '_currency');
  execute format('alter table %s add constraint %I check ((%I is null) = (%I is null))',
    tab, tab_name || '_' || name || '_whole', name || '_amount', name || '_currency');
  if required then
    execute format('alter table %s alter column %I set not null, alter column %I set not null', tab, name || '_amount', name || '_currency');
  end if;
end $$;
comment on function app_private.add_money(regclass, text, bigint, boolean) is 'Adds the columns <name>_amount, in the smallest unit of the currency, and <name>_currency, its ISO 4217 code, with their checks; for a table that has no rows yet, or with required false. lowest is the lowest amount: 0 for prices, 1 for payments, null for what may be below zero';
