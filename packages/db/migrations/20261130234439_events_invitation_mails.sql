-- The address of an outsider who was invited to an event and did not come leaves the record of their mails with the invitation. That a mail was sent, and
-- what became of it, stays until mails are removed.

create or replace function app.purge_invitations() returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
  update app.event_invitations i set email = null, email_removed_at = now(), mail_due = false
    from app.events e
    where e.org_id = i.org_id and e.id = i.event_id and i.email is not null and e.ends_at < now() - interval '30 days'
      -- Whoever came, as far as anybody can tell, stays in the list of those who did.
      and not exists (select from app.registrations r where r.org_id = i.org_id and r.event_id = i.event_id and lower(r.email) = lower(i.email) and app_private.survey_for(r))
      and not exists (select from app.person_emails m join app.people p on p.org_id = m.org_id and p.id = m.person_id
        where m.org_id = i.org_id and m.address_key = lower(i.email) and p.deleted_at is null and p.lifecycle not in ('merged', 'erased'));
  -- A statement of its own, which sees what the one before has removed. What a mail server answered may repeat the address.
  update app.mail_messages x set address = '***', sent_to = null, answer = ''
    from app.event_invitations i
    where i.email_removed_at > now() - interval '200 days' and x.org_id = i.org_id and x.batch_id = i.id and x.template = 'event-invitation'
      and x.address <> '***' and x.settled_at is not null
$$;
comment on function app.purge_invitations() is 'Removes addresses of outsiders who were invited to an event and did not come, 30 days after it, from invitations and their mails; for the worker';
