-- A scan is dated within the event, and counts and places tell nothing of events that the caller does not see.

do $$
declare
  source text;
  changed text;
begin
  source := pg_get_functiondef('app.check_in(uuid, uuid, jsonb)'::regprocedure);
  changed := replace(source, 'perform app_private.hold_event(org, event);', '-- A device whose clock is wrong, or somebody who says so, cannot make a scan the first of all.
  scanned := greatest(scanned, least(e.starts_at, now()) - interval ''1 day'');
  perform app_private.hold_event(org, event);');
  if changed = source then raise exception 'app.check_in is written otherwise by now'; end if;
  execute changed;

  source := pg_get_functiondef('app.event_reconciled(uuid)'::regprocedure);
  changed := replace(source, 'begin
  return query', 'begin
  if org is not null and not exists (select from app.events e where e.org_id = org and e.id = event and app_private.runs_event(e, ''events.manage'')) then return; end if;
  return query');
  if changed = source then raise exception 'app.event_reconciled is written otherwise by now'; end if;
  execute changed;

  source := pg_get_functiondef('app.waiting_position(uuid)'::regprocedure);
  changed := replace(source, 'where r.org_id = (select app.org_id()) and r.id = registration and r.status = ''waitlisted''', 'where r.org_id = (select app.org_id()) and r.id = registration and r.status = ''waitlisted''
      and ((select app.person_id()) in (r.person_id, r.payer_id) or r.created_by = (select app.account_id()) or exists (select from app.events e where e.org_id = r.org_id and e.id = r.event_id
        and (app_private.runs_event(e, ''events.checkin'') or app_private.runs_event(e, ''events.manage''))))');
  if changed = source then raise exception 'app.waiting_position is written otherwise by now'; end if;
  execute changed;
end $$;
