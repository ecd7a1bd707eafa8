-- The list of outgoing mail, for those who keep the accounts: what became of each, another try of what failed, and what waits is called off.
-- And the logo beside name and colour, for mails and public pages.

alter table app.mail_messages
  add column subject text not null default '' check (char_length(subject) <= 500),
  add column to_key text generated always as (lower(coalesce(sent_to, address))) stored;
comment on column app.mail_messages.subject is 'Its subject, once it was written; the rest of a mail is kept nowhere';
comment on column app.mail_messages.to_key is 'The address it goes to, in lower case, by which it is looked up';
create index mail_messages_by_address on app.mail_messages (org_id, to_key, created_at, id);
create index mail_messages_by_template on app.mail_messages (org_id, template, created_at, id);
grant select (subject, to_key) on app.mail_messages to app_access;

-- With the subject; callers of before leave it out.
drop function app.hand_mail(uuid, uuid, int, interval);
create function app.hand_mail(org uuid, mail uuid, attempt int, lease interval, new_subject text default '') returns boolean
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update app.mail_messages x set handed_at = now(), lease_until = now() + lease, subject = left(new_subject, 500)
    where x.org_id = org and x.id = mail and x.attempts = attempt and x.state = 'sending' and x.handed_at is null and x.lease_until > now();
  return found;
end $$;
comment on function app.hand_mail(uuid, uuid, int, interval, text) is 'From now on the mail may arrive; false when it is not this worker''s any more';

create function app.retry_mail(mail uuid) returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if not app.everywhere('account.manage') then raise exception 'only those who keep the accounts send mail again' using errcode = '42501'; end if;
  update app.mail_messages x set state = 'queued', outcome = '', answer = '', next_at = now(), paced = false, lease_until = null, handed_at = null, settled_at = null
    where x.org_id = app.org_id() and x.id = mail and x.state in ('failed', 'unknown');
  return found;
end $$;
comment on function app.retry_mail(uuid) is 'Another try of a mail that failed, or of which nobody knows whether it arrived; false for any other';

create function app.cancel_mail(mail uuid) returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if not app.everywhere('account.manage') then raise exception 'only those who keep the accounts call mail off' using errcode = '42501'; end if;
  update app.mail_messages x set state = 'suppressed', outcome = 'cancelled', settled_at = now()
    where x.org_id = app.org_id() and x.id = mail and x.state = 'queued';
  return found;
end $$;
comment on function app.cancel_mail(uuid) is 'A mail that waits goes to nobody; false for one that is being sent or was';

drop function app.public_brand(text, uuid);
create function app.public_brand(idp_org text, org uuid)
  returns table (org_id uuid, name text, locale text, contact_email text, brand_color text, logo_id uuid)
  language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select o.org_id, o.name, o.locale, o.contact_email, o.brand_color,
    (select f.id from app.files f where f.org_id = o.org_id and f.record_type = 'organisation' and f.record_id = o.org_id and f.use = 'picture' and f.removed_at is null)
  from app.organisations o where o.org_id = coalesce(org, app.token_organisation(idp_org))
$$;
comment on function app.public_brand(text, uuid) is 'How an organisation shows itself on public pages and in mails: the one of a link, or the one that this installation shows';

select app_private.own_definers();
grant execute on function app.hand_mail(uuid, uuid, int, interval, text) to app_worker;
grant execute on function app.public_brand(text, uuid) to app_access, app_worker;
grant execute on function app.retry_mail(uuid), app.cancel_mail(uuid) to app_access;
