-- What a hidden comment says is again read only by its author and those who look after the record. rewrite_follower had lost the reads of a table when
-- it learnt kept_for, so that the next type of record to be registered opened such tables to everyone who sees the record.

create or replace function app_private.rewrite_follower(f app_private.record_followers) returns void language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  reads constant text := app_private.record_condition(f.tab, f.reads);
begin
  execute format('drop policy if exists %1$I on app.%5$I; drop policy if exists %2$I on app.%5$I; drop policy if exists %3$I on app.%5$I; drop policy if exists %4$I on app.%5$I',
    f.tab || '_read', f.tab || '_add', f.tab || '_change', f.tab || '_remove', f.tab);
  execute format('create policy %I on app.%I for select to app_access using (%s)', f.tab || '_read', f.tab, reads);
  if f.adds is not null then
    execute format('create policy %I on app.%I for insert to app_access with check (%s)', f.tab || '_add', f.tab, app_private.record_condition(f.tab, f.adds));
  end if;
  if f.changes is not null then
    execute format('create policy %I on app.%I for update to app_access using (%3$s) with check (%3$s)', f.tab || '_change', f.tab, app_private.record_condition(f.tab, f.changes));
  end if;
  if f.removes is not null then
    execute format('create policy %I on app.%I for delete to app_access using (%s)', f.tab || '_remove', f.tab, app_private.record_condition(f.tab, f.removes));
  end if;
  execute format('drop policy if exists %I on app.%I', f.tab || '_kept', f.tab);
  if f.kept_for is not null then
    execute format('create policy %I on app.%I as restrictive for select to app_access using ((%s) or (%s))',
      f.tab || '_kept', f.tab, f.open_when, app_private.record_condition(f.tab, f.kept_for));
  end if;
end $$;

select app_private.rewrite_follower(f) from app_private.record_followers f where f.reads <> 'see';
