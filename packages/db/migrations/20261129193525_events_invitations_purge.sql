-- Addresses of outsiders who were invited to an event and did not come: gone 30 days after it. That somebody was invited, and what they answered, stays for the figures.

alter table app.event_invitations add column email_removed_at timestamptz;
comment on column app.event_invitations.email_removed_at is 'When the address of somebody who did not come was removed, a while after the event';
alter table app.event_invitations drop constraint event_invitations_whom,
  add constraint event_invitations_whom check (num_nonnulls(person_id, email, email_removed_at) = 1);

create function app.purge_invitations() returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
  update app.event_invitations i set email = null, email_removed_at = now(), mail_due = false
    from app.events e
    where e.org_id = i.org_id and e.id = i.event_id and i.email is not null and e.ends_at < now() - interval '30 days'
      -- Whoever came, as far as anybody can tell, stays in the list of those who did.
      and not exists (select from app.registrations r where r.org_id = i.org_id and r.event_id = i.event_id and lower(r.email) = lower(i.email) and app_private.survey_for(r))
      and not exists (select from app.person_emails m join app.people p on p.org_id = m.org_id and p.id = m.person_id
        where m.org_id = i.org_id and m.address_key = lower(i.email) and p.deleted_at is null and p.lifecycle not in ('merged', 'erased'))
$$;
comment on function app.purge_invitations() is 'Removes addresses of outsiders who were invited to an event and did not come, 30 days after it; for the worker';
-- Nobody is reminded whose address is gone, should the event be moved to a later day.
do $$
declare
  source text := pg_get_functiondef('app.remind_invitations(uuid)'::regprocedure);
  changed text := replace(source, 'and i.answer is null and not i.mail_due', 'and i.answer is null and i.email_removed_at is null and not i.mail_due');
begin
  if changed = source then raise exception 'app.remind_invitations is written otherwise by now'; end if;
  execute changed;
end $$;

select app_private.own_definers();
revoke all on function app.purge_invitations() from public;
grant execute on function app.purge_invitations() to app_worker;
