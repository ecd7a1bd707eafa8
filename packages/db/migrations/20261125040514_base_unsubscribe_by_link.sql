-- Whoever unsubscribes an address holds the link that was mailed to it; the id of a mail is no proof of that.

create function app.suppress_mail_by_link(idp_org text, secret_hash text) returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
  insert into app.mail_suppressions (org_id, address_hash, reason, source)
    select x.org_id, app_private.address_hash(x.sent_to), 'unsubscribed', 'mail ' || x.id from app.open_link(idp_org, 'unsubscribe', secret_hash) l
    join app.mail_messages x on x.org_id = l.org_id and x.id = l.subject_id
    where l.subject_type = 'mail' and x.sent_to is not null
    on conflict on constraint mail_suppressions_pkey do nothing
$$;
comment on function app.suppress_mail_by_link(text, text) is 'No mail but essential mail to the address that the mail with this link went to';
drop function app.suppress_mail_of(uuid, uuid);
select app_private.own_definers();
grant execute on function app.suppress_mail_by_link(text, text) to app_access;
