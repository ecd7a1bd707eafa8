-- Mail is written down in the transaction that causes it, and sent by a worker afterwards.

create table app.mail_messages (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  template text not null check (template ~ '^[a-z][a-z-]{1,39}$'),
  account_id uuid,
  person_id uuid,
  address text check (char_length(address) between 3 and 320),
  to_administrators boolean not null default false,
  reply_to text check (char_length(reply_to) <= 320),
  params jsonb not null default '{}' check (jsonb_typeof(params) = 'object' and octet_length(params::text) <= 20000),
  essential boolean not null,
  dedupe_key text check (char_length(dedupe_key) between 1 and 200),
  state text not null default 'queued' check (state in ('queued', 'sending', 'sent', 'failed', 'suppressed', 'unknown')),
  attempts int not null default 0,
  next_at timestamptz not null default now(),
  paced boolean not null default false,
  lease_until timestamptz,
  handed_at timestamptz,
  sent_to text,
  outcome text not null default '' check (char_length(outcome) <= 60),
  answer text not null default '' check (char_length(answer) <= 300),
  trace text check (char_length(trace) <= 100),
  created_by uuid,
  created_at timestamptz not null default now(),
  settled_at timestamptz,
  primary key (org_id, id),
  unique (org_id, dedupe_key),
  foreign key (org_id, account_id) references app.accounts (org_id, id) on delete cascade,
  foreign key (org_id, person_id) references app.people (org_id, id) on delete cascade,
  foreign key (org_id, created_by) references app.accounts (org_id, id) on delete set null (created_by),
  constraint mail_messages_recipient check (num_nonnulls(account_id, person_id, address) = 1),
  constraint mail_messages_settled check ((settled_at is not null) = (state in ('sent', 'failed', 'suppressed', 'unknown')))
);
comment on table app.mail_messages is 'One mail to one recipient each, from the change that causes it to what became of it. Not in the audit log: each row is the record of one mail';
comment on column app.mail_messages.template is 'Which texts; the worker knows them by this name';
comment on column app.mail_messages.account_id is 'Recipient whose address is looked up when the mail is sent; so is that of person_id. Otherwise the address stands here';
comment on column app.mail_messages.to_administrators is 'Only while the address is one of the organisation''s administrators';
comment on column app.mail_messages.essential is 'Sent also to whoever unsubscribed from other mail';
comment on column app.mail_messages.dedupe_key is 'Two mails under the same key are one';
comment on column app.mail_messages.state is 'unknown: it was being handed to the mail server when the worker died, so it may have arrived; never sent again by itself';
comment on column app.mail_messages.paced is 'It has been given its turn, at next_at';
comment on column app.mail_messages.lease_until is 'Until when the worker that claimed it has it';
comment on column app.mail_messages.handed_at is 'When a worker began to hand it to the mail server';
comment on column app.mail_messages.outcome is 'Why it is as it is, as a code';
comment on column app.mail_messages.answer is 'What the mail server said last';
comment on column app.mail_messages.trace is 'Trace of the request that caused it';
create index mail_messages_due on app.mail_messages (next_at, id) where state = 'queued';
create index mail_messages_leased on app.mail_messages (lease_until) where state = 'sending';
create index mail_messages_by_created on app.mail_messages (org_id, created_at, id);
create index mail_messages_by_state on app.mail_messages (org_id, state, created_at, id);
create index mail_messages_by_account on app.mail_messages (org_id, account_id);
create index mail_messages_by_person on app.mail_messages (org_id, person_id);
create index mail_messages_by_creator on app.mail_messages (org_id, created_by);
select app_private.protect('app.mail_messages');
create policy mail_messages_read on app.mail_messages for select to app_access
  using (org_id = (select app.org_id()) and (select app.everywhere('account.manage')));
-- What a mail says may be for its recipient only.
grant select (org_id, id, template, account_id, person_id, address, essential, state, attempts, next_at, sent_to, outcome, answer, created_at, settled_at)
  on app.mail_messages to app_access;
grant select, insert, update, delete on app.mail_messages to app_definer;

create table app.mail_suppressions (
  org_id uuid not null references app.organisations on delete cascade,
  address_hash text not null check (address_hash ~ '^[0-9a-f]{64}$'),
  reason text not null check (reason in ('unsubscribed', 'manual', 'hard_bounce', 'complaint')),
  source text not null default '' check (char_length(source) <= 100),
  created_at timestamptz not null default now(),
  primary key (org_id, address_hash)
);
comment on table app.mail_suppressions is 'Addresses that get no mail, as hashes. unsubscribed and manual: essential mail only; hard_bounce and complaint: none at all. Not in the audit log: its source says where each comes from';
select app_private.protect('app.mail_suppressions');
grant select, insert, update, delete on app.mail_suppressions to app_definer;

create table app_private.mail_pace (
  place text primary key,
  free_at timestamptz not null
);
comment on table app_private.mail_pace is 'When the next mail to a domain, or to the hash of an address, may leave at its regular pace; of the whole installation, since receiving servers count so';
grant select, insert, update, delete on app_private.mail_pace to app_definer;

create function app_private.address_hash(address text) returns text language sql immutable set search_path = pg_catalog, pg_temp as $$
  select encode(sha256(convert_to(lower(address), 'UTF8')), 'hex')
$$;
comment on function app_private.address_hash(text) is 'What an address is suppressed and counted by';
grant execute on function app_private.address_hash(text) to app_definer;

-- Writing --------------------------------------------------------------------------------------------------------------------------

create function app_private.add_mail(org uuid, by uuid, mail jsonb) returns uuid
  language sql security definer set search_path = pg_catalog, pg_temp as $$
  insert into app.mail_messages (org_id, template, account_id, person_id, address, reply_to, params, essential, dedupe_key, trace, created_by)
    select org, m.template, m.account, m.person, m.address, m.reply_to, coalesce(m.params, '{}'), m.essential, m.dedupe_key, m.trace, by
    from jsonb_to_record(mail) m (template text, account uuid, person uuid, address text, reply_to text, params jsonb, essential boolean, dedupe_key text, trace text)
    on conflict (org_id, dedupe_key) do nothing
    returning id
$$;

create function app.queue_mail(mail jsonb) returns uuid language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare actor app.actor_context := app.actor();
begin
  if actor.org_id is null then raise exception 'only somebody who is signed in causes a mail' using errcode = '42501'; end if;
  if mail ->> 'address' is not null and not app.everywhere('account.manage') then
    raise exception 'only those who keep the accounts write to any address' using errcode = '42501';
  end if;
  return app_private.add_mail(actor.org_id, actor.account_id, mail);
end $$;
comment on function app.queue_mail(jsonb) is 'Writes a mail down that the actor causes, to an account or a person of the organisation; null when there is one under its key already';

create function app.queue_mail_for(org uuid, mail jsonb) returns uuid language sql security definer set search_path = pg_catalog, pg_temp as $$
  select app_private.add_mail(org, null, mail)
$$;
comment on function app.queue_mail_for(uuid, jsonb) is 'The same for jobs that nobody in particular asked for';

create function app.queue_administrator_mail(org uuid, mail jsonb) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare written int;
begin
  insert into app.mail_messages (org_id, template, address, to_administrators, reply_to, params, essential, dedupe_key, trace)
    select org, mail ->> 'template', r, true, mail ->> 'reply_to', coalesce(mail -> 'params', '{}'), true,
      (mail ->> 'dedupe_key') || ':' || left(app_private.address_hash(r), 16), mail ->> 'trace'
    from app.contact_recipients(org) r
    on conflict (org_id, dedupe_key) do nothing;
  get diagnostics written = row_count;
  return written;
end $$;
comment on function app.queue_administrator_mail(uuid, jsonb) is 'Writes a mail to each of the administrators down, whose addresses the request never sees; how many';

-- Sending --------------------------------------------------------------------------------------------------------------------------

create function app_private.mail_recipient(m app.mail_messages, out address text, out account uuid, out idp_roles text[], out language text, out refusal text)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  a app.accounts;
  p app.people;
begin
  if m.account_id is not null then
    select * into a from app.accounts x where x.org_id = m.org_id and x.id = m.account_id;
  elsif m.person_id is not null then
    select * into a from app.accounts x where x.org_id = m.org_id and x.person_id = m.person_id;
  else
    -- Whoever is locked out is not written to by their address either.
    select * into a from app.accounts x where x.org_id = m.org_id and x.status = 'suspended' and lower(x.email) = lower(m.address) limit 1;
  end if;
  select * into p from app.people x where x.org_id = m.org_id and x.id = coalesce(m.person_id, a.person_id);
  if a.status = 'suspended' then refusal := 'account_suspended';
  elsif p.lifecycle = 'deceased' then refusal := 'person_deceased';
  elsif p.lifecycle in ('erased', 'merged') or p.deleted_at is not null then refusal := 'person_' || case when p.lifecycle in ('erased', 'merged') then p.lifecycle else 'archived' end;
  elsif p.do_not_contact and not m.essential then refusal := 'do_not_contact';
  elsif m.to_administrators and not exists (select from app.contact_recipients(m.org_id) r where r = m.address) then refusal := 'no_administrator';
  end if;
  if refusal is not null then return; end if;
  address := coalesce(m.address, a.email,
    (select e.address from app.person_emails e where e.org_id = m.org_id and e.person_id = p.id order by e.is_primary desc, e.created_at, e.id limit 1));
  if address is null then
    refusal := 'no_address';
    return;
  end if;
  refusal := (select case when s.reason in ('hard_bounce', 'complaint') or not m.essential then s.reason end
    from app.mail_suppressions s where s.org_id = m.org_id and s.address_hash = app_private.address_hash(mail_recipient.address));
  if a.status = 'active' then
    account := a.id;
    idp_roles := a.idp_roles;
  end if;
  language := coalesce(nullif(a.preferences ->> 'locale', ''), a.locale, p.language);
end $$;
comment on function app_private.mail_recipient(app.mail_messages) is 'Where a mail goes as things stand, in which language, and why it goes nowhere. Nobody who is locked out, deceased, erased, merged or archived is written to';

create function app_private.mail_turn(place text, gap interval, ahead interval, waits boolean) returns timestamptz
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare turn timestamptz;
begin
  if gap <= interval '0' then return now(); end if;
  insert into app_private.mail_pace as p (place, free_at) values (mail_turn.place, now() + gap)
    on conflict on constraint mail_pace_pkey do update set free_at = greatest(p.free_at, now()) + gap
    returning free_at - gap - ahead into turn;
  return case when waits then greatest(turn, now()) else now() end;
end $$;
comment on function app_private.mail_turn(text, interval, interval, boolean) is 'Books the next turn at a place and answers when it is; ahead is how much may leave at once before the pace counts';

create function app.claim_mail(most int, lease interval, per_domain_minute int, per_address_hour int)
  returns table (org_id uuid, id uuid, attempt int, template text, params jsonb, essential boolean, to_address text, reply_to text, account_id uuid, idp_roles text[],
    language text, organisation text, locale text, timezone text, trace text)
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  m app.mail_messages;
  r record;
  turn timestamptz;
begin
  -- What a worker had claimed and not begun to hand over is anybody's; what it was handing over may have arrived.
  update app.mail_messages x set
      state = case when x.handed_at is null then 'queued' else 'unknown' end,
      outcome = case when x.handed_at is null then '' else 'worker_died' end,
      settled_at = case when x.handed_at is null then null else now() end,
      next_at = now(), lease_until = null
    where x.state = 'sending' and x.lease_until < now();
  for m in
    select x.* from app.mail_messages x where x.state = 'queued' and x.next_at <= now() order by x.next_at, x.id limit most for update skip locked
  loop
    select * into r from app_private.mail_recipient(m);
    if r.refusal is not null then
      update app.mail_messages x set state = 'suppressed', outcome = r.refusal, sent_to = null, settled_at = now() where x.org_id = m.org_id and x.id = m.id;
      continue;
    end if;
    if not m.paced then
      turn := greatest(
        app_private.mail_turn('@' || lower(split_part(r.address, '@', 2)), interval '1 minute' / nullif(per_domain_minute, 0), interval '10 seconds', not m.essential),
        app_private.mail_turn(app_private.address_hash(r.address), interval '1 hour' / nullif(per_address_hour, 0), interval '30 minutes', true));
      if turn > now() then
        update app.mail_messages x set paced = true, next_at = turn where x.org_id = m.org_id and x.id = m.id;
        continue;
      end if;
    end if;
    update app.mail_messages x set state = 'sending', attempts = x.attempts + 1, lease_until = now() + lease, handed_at = null, sent_to = r.address
      where x.org_id = m.org_id and x.id = m.id;
    return query select m.org_id, m.id, m.attempts + 1, m.template, m.params, m.essential, r.address, m.reply_to, r.account, r.idp_roles,
      r.language, o.name, o.locale, o.timezone, m.trace from app.organisations o where o.org_id = m.org_id;
  end loop;
end $$;
comment on function app.claim_mail(int, interval, int, int) is 'Mail that is due, for one worker until its lease ends, at most so much to one domain a minute and to one address an hour; essential mail does not wait for its domain';

create function app.hand_mail(org uuid, mail uuid, attempt int, lease interval) returns boolean
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update app.mail_messages x set handed_at = now(), lease_until = now() + lease
    where x.org_id = org and x.id = mail and x.attempts = attempt and x.state = 'sending' and x.handed_at is null and x.lease_until > now();
  return found;
end $$;
comment on function app.hand_mail(uuid, uuid, int, interval) is 'From now on the mail may arrive; false when it is not this worker''s any more';

create function app.settle_mail(org uuid, mail uuid, attempt int, new_state text, why text, said text, again interval, bounced boolean) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare settled app.mail_messages;
begin
  -- What was given up as unknown meanwhile is known now, if only late.
  update app.mail_messages x set state = new_state, outcome = why, answer = left(said, 300), lease_until = null, paced = false,
      handed_at = case when new_state = 'queued' then null else x.handed_at end,
      next_at = case when new_state = 'queued' then now() + again else x.next_at end,
      settled_at = case when new_state = 'queued' then null else now() end
    where x.org_id = org and x.id = mail and x.attempts = attempt
      and (x.state = 'sending' or (x.state = 'unknown' and new_state in ('sent', 'failed')))
    returning * into settled;
  if bounced and settled.sent_to is not null then
    insert into app.mail_suppressions as s (org_id, address_hash, reason, source)
      values (org, app_private.address_hash(settled.sent_to), 'hard_bounce', 'mail ' || mail)
      on conflict on constraint mail_suppressions_pkey do update set reason = 'hard_bounce', source = excluded.source where s.reason in ('unsubscribed', 'manual');
  end if;
end $$;
comment on function app.settle_mail(uuid, uuid, int, text, text, text, interval, boolean) is 'What became of an attempt; queued again for another one later. bounced: the address is refused for good';

create function app.hold_mail(before timestamptz) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare touched int;
begin
  update app.mail_messages x set state = 'failed', outcome = 'held', lease_until = null, settled_at = now()
    where x.state in ('queued', 'sending') and x.created_at <= before;
  get diagnostics touched = row_count;
  return touched;
end $$;
comment on function app.hold_mail(timestamptz) is 'Sends nothing of what waits and is older: it may have been sent by the installation that this one was copied from';

create function app.waiting_mail() returns table (waiting int, oldest_seconds float8) language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select count(*)::int, extract(epoch from now() - min(x.next_at))::float8 from app.mail_messages x where x.state = 'queued' and x.next_at <= now()
$$;
comment on function app.waiting_mail() is 'Mail that is due, and for how long the first has been';

create function app.purge_mail() returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
  delete from app.mail_messages x where x.settled_at < now() - interval '180 days';
  delete from app_private.mail_pace p where p.free_at < now() - interval '1 day'
$$;
comment on function app.purge_mail() is 'Forgets mail half a year after it was settled';

create function app.suppress_mail_of(org uuid, mail uuid) returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
  insert into app.mail_suppressions (org_id, address_hash, reason, source)
    select x.org_id, app_private.address_hash(x.sent_to), 'unsubscribed', 'mail ' || x.id from app.mail_messages x
    where x.org_id = org and x.id = mail and x.sent_to is not null
    on conflict on constraint mail_suppressions_pkey do nothing
$$;
comment on function app.suppress_mail_of(uuid, uuid) is 'No mail but essential mail to the address that this one went to';

-- Requests write mail to administrators without knowing whom.
drop function app.contact_recipient_keys(uuid);

select app_private.own_definers();
grant execute on function app.queue_mail(jsonb), app.queue_administrator_mail(uuid, jsonb) to app_access;
grant execute on function app.queue_mail_for(uuid, jsonb), app.claim_mail(int, interval, int, int), app.hand_mail(uuid, uuid, int, interval),
  app.settle_mail(uuid, uuid, int, text, text, text, interval, boolean), app.hold_mail(timestamptz), app.waiting_mail(), app.purge_mail() to app_worker;
grant execute on function app.suppress_mail_of(uuid, uuid) to app_access;
