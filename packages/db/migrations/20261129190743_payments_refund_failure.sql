-- Why the payment provider did not give a refund: until now only that it failed was kept.

alter table app.refunds add column failure text
  check (failure in ('balance', 'card_closed', 'declined', 'disputed', 'refunded_before', 'too_much', 'cancelled', 'unknown')),
  add constraint refunds_failure_state check (failure is null or state = 'failed');
comment on column app.refunds.failure is 'Why it failed, as far as the payment provider says; null too for those that failed before this was kept';

-- With a default, since workers of the version before call it with two values while both run.
drop function app.fail_refund(uuid, uuid);
create function app.fail_refund(org uuid, refund uuid, why text default 'unknown') returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
  update app.refunds r set state = 'failed', failure = why, updated_at = now() where r.org_id = org and r.id = refund and r.state = 'pending' and r.provider_refund is null
$$;
comment on function app.fail_refund(uuid, uuid, text) is 'The provider does not give this refund, and why';
revoke all on function app.fail_refund(uuid, uuid, text) from public;
grant execute on function app.fail_refund(uuid, uuid, text) to app_worker;

-- A refund may also fail days later, when the bank of the payer sends it back.
do $$
declare
  source text := pg_get_functiondef('app.apply_reading(uuid, uuid, int, jsonb)'::regprocedure);
  changed text := replace(replace(replace(replace(source,
    'settled_at = case when r ->> ''state'' = ''settled'' then coalesce(f.settled_at, now()) end
      where',
    'settled_at = case when r ->> ''state'' = ''settled'' then coalesce(f.settled_at, now()) end,
        failure = case when r ->> ''state'' = ''failed'' then coalesce(r ->> ''failure'', f.failure, ''unknown'') end
      where'),
    'and (f.provider_refund, f.state) is distinct from (r ->> ''id'', r ->> ''state'')',
    'and (f.provider_refund, f.state, f.failure) is distinct from (r ->> ''id'', r ->> ''state'', case when r ->> ''state'' = ''failed'' then coalesce(r ->> ''failure'', f.failure, ''unknown'') end)'),
    'reason, state, provider_refund, settled_at)', 'reason, state, provider_refund, settled_at, failure)'),
    'case when r ->> ''state'' = ''settled'' then now() end
      where', 'case when r ->> ''state'' = ''settled'' then now() end,
          case when r ->> ''state'' = ''failed'' then coalesce(r ->> ''failure'', ''unknown'') end
      where');
begin
  if (select count(*) from regexp_matches(changed, 'f\.failure|r ->> ''failure''|settled_at, failure\)', 'g')) <> 7 then raise exception 'app.apply_reading is written otherwise by now'; end if;
  execute changed;
end $$;

select app_private.own_definers();
