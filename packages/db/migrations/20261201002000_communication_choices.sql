-- Choices about mail: by the person, signed in or by the link of a mail; by officers, with what shows it; and addresses that get none.

create table app.suppression_changes (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  address_hash text not null,
  action text not null check (action in ('added', 'released')),
  reason text not null,
  note text not null check (char_length(note) <= 500),
  by_account_id uuid,
  at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, by_account_id) references app.accounts on delete set null (by_account_id)
);
comment on table app.suppression_changes is 'Addresses that were suppressed by hand or released, by whom and why. Not in the audit log: it is the log';
create index suppression_changes_by_address on app.suppression_changes (org_id, address_hash, at desc);
create index suppression_changes_by_account on app.suppression_changes (org_id, by_account_id);
select app_private.protect('app.suppression_changes');
grant select, insert on app.suppression_changes to app_definer;
create index mail_suppressions_by_time on app.mail_suppressions (org_id, created_at desc);

-- Consents -------------------------------------------------------------------------------------------------------------------------

create function app_private.put_consent(org uuid, person uuid, topic uuid, wanted text, how text, shown_by jsonb, by_account uuid) returns text
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  t app.topics;
  c app.consents;
  p app.people;
  becomes text := wanted;
begin
  select * into t from app.topics x where x.org_id = org and x.id = topic;
  select * into p from app.people x where x.org_id = org and x.id = person;
  if t.id is null or t.archived_at is not null then
    raise exception 'nobody subscribes to an archived topic' using errcode = '23514', constraint = 'topic_archived';
  end if;
  if t.kind = 'essential' then
    raise exception 'an essential topic reaches everybody' using errcode = '23514', constraint = 'topic_essential';
  end if;
  if p.lifecycle in ('erased', 'merged', 'deceased') then perform app_private.refuse_closed(p.lifecycle); end if;
  -- Two answers at once about the same topic follow one another.
  perform pg_advisory_xact_lock(hashtextextended(person::text || topic::text, 0));
  select * into c from app.consents x where x.org_id = org and x.person_id = person and x.topic_id = topic;
  if wanted = 'subscribed' and c.state is distinct from 'subscribed' and (t.confirm or (how = 'officer' and c.state is not null)) then
    becomes := 'pending';
  end if;
  if becomes = c.state and becomes <> 'pending' then return becomes; end if;
  if becomes = 'pending' and how = 'officer' then
    if exists (select from app.consent_changes x where x.org_id = org and x.person_id = person and x.topic_id = topic and x.state = 'pending'
        and x.source = 'officer' and x.at > now() - interval '7 days') then
      raise exception 'the person was asked within the last seven days' using errcode = '23514', constraint = 'consent_asked';
    end if;
    if exists (select from app_private.mail_refusals(org, null, true, array[person]) r where r.refusal is not null) then
      raise exception 'the person cannot be asked by mail' using errcode = '23514', constraint = 'consent_unreachable';
    end if;
  end if;
  if becomes is distinct from c.state or how = 'officer' then
    insert into app.consents as x (org_id, person_id, topic_id, state, source, proof, by_account_id)
      values (org, person, topic, becomes, how, shown_by, by_account)
      on conflict on constraint consents_once do update set state = excluded.state, at = now(), source = excluded.source, proof = excluded.proof,
        by_account_id = excluded.by_account_id
      returning * into c;
  end if;
  if becomes = 'pending' then
    perform app_private.add_mail(org, by_account, jsonb_build_object('template', 'topic-confirm', 'person', person, 'essential', true,
      'params', jsonb_build_object('consent', c.id), 'dedupe_key', concat_ws(':', 'topic-confirm', c.id, to_char(now() at time zone 'UTC', 'YYYYMMDDHH24'))));
  end if;
  return becomes;
end $$;
comment on function app_private.put_consent(uuid, uuid, uuid, text, text, jsonb, uuid) is 'The one way to a consent. It becomes pending, and a mail asks the person, where the topic wants that, and where an officer subscribes somebody who had an opinion; that mail leaves once an hour at most';

create function app.choose_topic(topic uuid, subscribed boolean) returns text language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if app.person_id() is null then raise exception 'only people subscribe' using errcode = '42501', constraint = 'account_without_person'; end if;
  return app_private.put_consent(app.org_id(), app.person_id(), topic, case when subscribed then 'subscribed' else 'unsubscribed' end, 'profile', '{}', app.account_id());
end $$;
comment on function app.choose_topic(uuid, boolean) is 'What the person who is signed in says about a topic';

create function app.record_consent(person uuid, topic uuid, subscribed boolean, note text) returns text language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if not (app.everywhere('people.write') or exists (select from app.people_within('people.write') w where w.org_id = app.org_id() and w.person_id = person))
      or person = any (app.my_records()) then
    raise exception 'not allowed' using errcode = '42501';
  end if;
  return app_private.put_consent(app.org_id(), person, topic, case when subscribed then 'subscribed' else 'unsubscribed' end, 'officer',
    jsonb_build_object('note', note), app.account_id());
end $$;
comment on function app.record_consent(uuid, uuid, boolean, text) is 'What an officer notes down that somebody else said about a topic, and where it was said';

create function app_private.addresses_of(org uuid, person uuid) returns text[] language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select array_agg(distinct app_private.address_hash(x)) from (
    select a.email from app.accounts a where a.org_id = org and a.person_id = person and a.email is not null
    union all select e.address from app.person_emails e where e.org_id = org and e.person_id = person) u (x)
$$;
comment on function app_private.addresses_of(uuid, uuid) is 'The addresses of a person, as they are suppressed';

create function app_private.set_mail_preferences(org uuid, person uuid, essential_only boolean, paused timestamptz) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into app.mail_preferences as m (org_id, person_id, opted_out_at, paused_until) values (org, person, case when essential_only then now() end, paused)
    on conflict on constraint mail_preferences_pkey do update set opted_out_at = case when essential_only then coalesce(m.opted_out_at, now()) end, paused_until = excluded.paused_until;
  if not essential_only then
    delete from app.mail_suppressions s where s.org_id = org and s.reason = 'unsubscribed' and s.address_hash = any (app_private.addresses_of(org, person));
  end if;
end $$;
comment on function app_private.set_mail_preferences(uuid, uuid, boolean, timestamptz) is 'Whether somebody gets essential mail only. Who wants all mail again takes back what their addresses unsubscribed from, never a bounce or a complaint';

create function app.choose_mail(essential_only boolean, paused timestamptz) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if app.person_id() is null then raise exception 'only people choose' using errcode = '42501', constraint = 'account_without_person'; end if;
  perform app_private.set_mail_preferences(app.org_id(), app.person_id(), essential_only, paused);
end $$;
comment on function app.choose_mail(boolean, timestamptz) is 'Whether the person who is signed in gets essential mail only, for good or until a day';

create function app_private.topics_of(org uuid, person uuid) returns jsonb language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name, 'description', t.description, 'kind', t.kind, 'confirm', t.confirm,
      'chapter', case when h.id is not null then jsonb_build_object('id', h.id, 'name', h.name) end,
      'state', coalesce(c.state, case when t.default_opt = 'in' then 'subscribed' else 'unsubscribed' end), 'at', c.at, 'source', c.source)
    order by t.position, t.name_key, t.id), '[]')
  from app.topics t
  left join app.chapters h on h.org_id = t.org_id and h.id = t.chapter_id
  left join app.consents c on c.org_id = t.org_id and c.topic_id = t.id and c.person_id = topics_of.person
  where t.org_id = topics_of.org and t.archived_at is null and (t.chapter_id is null or c.id is not null or exists (select from app.affiliations f
    join app.chapter_ancestors x on x.org_id = f.org_id and x.chapter_id = f.chapter_id and x.ancestor_id = t.chapter_id
    where f.org_id = topics_of.org and f.person_id = topics_of.person and f.starts_on <= app_private.today_of(topics_of.org)
      and (f.ends_on is null or f.ends_on >= app_private.today_of(topics_of.org))))
$$;
comment on function app_private.topics_of(uuid, uuid) is 'Topics that concern a person, and whether they are subscribed: those of the organisation, of their chapters, and those they ever spoke about';

create function app_private.reach_of(org uuid, person uuid, topic uuid) returns jsonb language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select jsonb_build_object('refusal', r.refusal, 'essentialToo', e.refusal is not null, 'until', case when r.refusal = 'paused' then m.paused_until end,
    'since', case when r.refusal in ('unsubscribed', 'pending') then c.at
      when r.refusal = 'opted_out' then coalesce(m.opted_out_at, s.created_at)
      when r.refusal in ('hard_bounce', 'complaint', 'manual') then s.created_at end)
  from (select x.refusal, x.address from app_private.mail_refusals(org, topic,
      coalesce((select t.kind <> 'essential' from app.topics t where t.org_id = org and t.id = topic), true), array[person]) x) r
  cross join (select x.refusal from app_private.mail_reach(org, null, array[person]) x) e
  left join app.mail_preferences m on m.org_id = org and m.person_id = person
  left join app.consents c on c.org_id = org and c.person_id = person and c.topic_id = topic
  left join app.mail_suppressions s on s.org_id = org and s.address_hash = app_private.address_hash(r.address)
$$;
comment on function app_private.reach_of(uuid, uuid, uuid) is 'The rule that keeps mail about a topic, or any mail that is not essential, from a person, and since when';

create function app_private.may_contact(person uuid) returns boolean language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select person = app.person_id() or app.everywhere('people.contact')
    or exists (select from app.people_within('people.contact') w where w.org_id = app.org_id() and w.person_id = may_contact.person)
    or exists (select from app.people_led('people.contact') w where w.org_id = app.org_id() and w.person_id = may_contact.person)
$$;
comment on function app_private.may_contact(uuid) is 'Whether the actor sees how to reach a person';

create function app.mail_choices(person uuid) returns jsonb language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  if not coalesce(app_private.may_contact(person), false) then raise exception 'not allowed' using errcode = '42501'; end if;
  return jsonb_build_object('topics', app_private.topics_of(app.org_id(), person), 'reach', app_private.reach_of(app.org_id(), person, null),
    'essentialOnly', coalesce((select m.opted_out_at is not null from app.mail_preferences m where m.org_id = app.org_id() and m.person_id = person), false)
      or exists (select from app.mail_suppressions s where s.org_id = app.org_id() and s.reason = 'unsubscribed' and s.address_hash = any (app_private.addresses_of(app.org_id(), person))),
    'pausedUntil', (select m.paused_until from app.mail_preferences m where m.org_id = app.org_id() and m.person_id = person and m.paused_until > now()));
end $$;
comment on function app.mail_choices(uuid) is 'What somebody is subscribed to, for themselves and for those who see how to reach them';

create function app.mail_reach_of(person uuid, topic uuid) returns jsonb language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  if not coalesce(app_private.may_contact(person), false) then raise exception 'not allowed' using errcode = '42501'; end if;
  return app_private.reach_of(app.org_id(), person, topic);
end $$;
comment on function app.mail_reach_of(uuid, uuid) is 'Why somebody cannot be written to, for those who see how to reach them';

create function app.topic_counts() returns table (topic_id uuid, subscribed int, pending int, unsubscribed int) language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  org constant uuid := app.org_id();
  today constant date := app_private.today_of(org);
  everybody int;
begin
  if not (app.everywhere('messages.write') or app.scope('messages.write') <> '{}') then return; end if;
  select count(*) into everybody from app.people p where p.org_id = org and p.deleted_at is null and p.lifecycle not in ('deceased', 'erased', 'merged');
  return query
    select t.id, (case when t.default_opt = 'out' then n.yes when t.chapter_id is null then everybody - n.open - n.no
        else n.yes + (select count(distinct f.person_id) from app.affiliations f
          join app.chapter_ancestors x on x.org_id = f.org_id and x.chapter_id = f.chapter_id and x.ancestor_id = t.chapter_id
          join app.people p on p.org_id = f.org_id and p.id = f.person_id and p.deleted_at is null and p.lifecycle not in ('deceased', 'erased', 'merged')
          where f.org_id = org and f.starts_on <= today and (f.ends_on is null or f.ends_on >= today)
            and not exists (select from app.consents c where c.org_id = org and c.topic_id = t.id and c.person_id = f.person_id)) end)::int,
      n.open::int, n.no::int
    from app.topics t
    cross join lateral (select count(*) filter (where c.state = 'subscribed') as yes, count(*) filter (where c.state = 'pending') as open, count(*) filter (where c.state = 'unsubscribed') as no
      from app.consents c join app.people p on p.org_id = c.org_id and p.id = c.person_id and p.deleted_at is null and p.lifecycle not in ('deceased', 'erased', 'merged')
      where c.org_id = org and c.topic_id = t.id) n
    where t.org_id = org;
end $$;
comment on function app.topic_counts() is 'How many people are subscribed to each topic, for those who write mails somewhere; nothing for others';

-- By the link of a mail --------------------------------------------------------------------------------------------------------------

create function app_private.mail_of_link(idp_org text, secret_hash text, out org uuid, out mail uuid, out topic uuid, out person uuid)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare next uuid;
begin
  select x.org_id, x.id, x.topic_id, coalesce(x.person_id, a.person_id) into org, mail, topic, person from app.open_link(idp_org, 'unsubscribe', secret_hash) l
    join app.mail_messages x on x.org_id = l.org_id and x.id = l.subject_id
    left join app.accounts a on a.org_id = x.org_id and a.id = x.account_id
    where l.subject_type = 'mail' and x.topic_id is not null;
  -- The link of a record that was merged is about the one that stands for the person since.
  for i in 1..10 loop
    select p.merged_into into next from app.people p where p.org_id = mail_of_link.org and p.id = mail_of_link.person;
    exit when next is null;
    person := next;
  end loop;
  if exists (select from app.people p where p.org_id = mail_of_link.org and p.id = mail_of_link.person and p.lifecycle in ('erased', 'deceased')) then person := null; end if;
end $$;
comment on function app_private.mail_of_link(text, text) is 'Which mail about which topic to whom a link is of; nothing for a mail without a topic';

create function app.mail_choices_by_link(idp_org text, secret_hash text) returns jsonb language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select jsonb_build_object('topicId', l.topic, 'topics', app_private.topics_of(l.org, l.person),
    'essentialOnly', exists (select from app.mail_preferences m where m.org_id = l.org and m.person_id = l.person and m.opted_out_at is not null)
      or exists (select from app.mail_suppressions s where s.org_id = l.org and s.reason = 'unsubscribed' and s.address_hash = any (app_private.addresses_of(l.org, l.person))),
    'pausedUntil', (select m.paused_until from app.mail_preferences m where m.org_id = l.org and m.person_id = l.person and m.paused_until > now()))
  from app_private.mail_of_link(idp_org, secret_hash) l where l.person is not null
$$;
comment on function app.mail_choices_by_link(text, text) is 'What the recipient of a mail is subscribed to; null for a mail without a topic';

create function app.choose_mail_by_link(idp_org text, secret_hash text, choice jsonb) returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  l record;
  t record;
  shown_by jsonb;
begin
  select * into l from app_private.mail_of_link(idp_org, secret_hash);
  if l.person is null then return false; end if;
  shown_by := jsonb_build_object('mail', l.mail);
  for t in select x.id, x.state, x.kind from jsonb_to_recordset(app_private.topics_of(l.org, l.person)) x (id uuid, state text, kind text) loop
    if t.kind = 'essential' then continue; end if;
    if choice ->> 'do' = 'topic' and t.id = l.topic and t.state <> 'unsubscribed' then
      perform app_private.put_consent(l.org, l.person, t.id, 'unsubscribed', 'link', shown_by, null);
    elsif choice ->> 'do' = 'save' and choice -> 'shown' ? t.id::text and (choice -> 'on' ? t.id::text) <> (t.state <> 'unsubscribed') then
      perform app_private.put_consent(l.org, l.person, t.id, case when choice -> 'on' ? t.id::text then 'subscribed' else 'unsubscribed' end, 'link', shown_by, null);
    end if;
  end loop;
  -- A topic that concerns the person no more, such as that of a chapter they left, ends all the same.
  if choice ->> 'do' = 'topic' and not exists (select from app.consents c where c.org_id = l.org and c.person_id = l.person and c.topic_id = l.topic and c.state = 'unsubscribed')
      and exists (select from app.topics x where x.org_id = l.org and x.id = l.topic and x.kind = 'marketing' and x.archived_at is null) then
    perform app_private.put_consent(l.org, l.person, l.topic, 'unsubscribed', 'link', shown_by, null);
  end if;
  if choice ->> 'do' in ('essential', 'all') then
    perform app_private.set_mail_preferences(l.org, l.person, choice ->> 'do' = 'essential', null);
  end if;
  return true;
end $$;
comment on function app.choose_mail_by_link(text, text, jsonb) is 'What the recipient of a mail says by its link: no more of its topic, a choice of topics, essential mail only, or all mail again. False for a mail without a topic';

create function app.consent_by_link(idp_org text, secret_hash text) returns jsonb language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select jsonb_build_object('topic', t.name, 'state', c.state) from app.open_link(idp_org, 'topic-confirm', secret_hash) l
  join app.consents c on c.org_id = l.org_id and c.id = l.subject_id
  join app.topics t on t.org_id = c.org_id and t.id = c.topic_id and t.archived_at is null
  where l.subject_type = 'consent'
$$;
comment on function app.consent_by_link(text, text) is 'Which subscription a link confirms, and how it stands';

create function app.confirm_consent_by_link(idp_org text, secret_hash text) returns jsonb language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update app.consents c set state = 'subscribed', at = now(), source = 'link', proof = jsonb_build_object('link', l.id), by_account_id = null
    from app.open_link(idp_org, 'topic-confirm', secret_hash) l
    where l.subject_type = 'consent' and c.org_id = l.org_id and c.id = l.subject_id and c.state = 'pending'
      and exists (select from app.topics t where t.org_id = c.org_id and t.id = c.topic_id and t.archived_at is null);
  return app.consent_by_link(idp_org, secret_hash);
end $$;
comment on function app.confirm_consent_by_link(text, text) is 'Confirms a subscription that waits for it; one that was ended since stays ended';

create function app.consent_to_confirm(org uuid, consent uuid) returns table (topic text, asked_by_officer boolean) language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select t.name, c.source = 'officer' from app.consents c join app.topics t on t.org_id = c.org_id and t.id = c.topic_id and t.archived_at is null
  where c.org_id = org and c.id = consent and c.state = 'pending'
$$;
comment on function app.consent_to_confirm(uuid, uuid) is 'What the mail that asks for it says; nothing when nothing is to be confirmed any more';

-- Addresses --------------------------------------------------------------------------------------------------------------------------

create function app_private.must_manage_messages() returns void language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  if not app.everywhere('messages.manage') then raise exception 'not allowed' using errcode = '42501'; end if;
end $$;
comment on function app_private.must_manage_messages() is 'Refuses whoever does not look after the mailings of the organisation';

create function app.suppressed_addresses(address text) returns table (reason text, source text, note text, since timestamptz) language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform app_private.must_manage_messages();
  return query select s.reason, s.source, coalesce((select c.note from app.suppression_changes c where c.org_id = s.org_id and c.address_hash = s.address_hash and c.action = 'added'
      and c.at >= s.created_at order by c.at desc limit 1), ''), s.created_at
    from app.mail_suppressions s where s.org_id = app.org_id() and (suppressed_addresses.address is null or s.address_hash = app_private.address_hash(trim(suppressed_addresses.address)))
    order by s.created_at desc limit 100;
end $$;
comment on function app.suppressed_addresses(text) is 'Why an address gets no mail; without one, the latest hundred, of which nobody can tell the addresses';

create function app.suppression_counts() returns table (reason text, count int) language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform app_private.must_manage_messages();
  return query select s.reason, count(*)::int from app.mail_suppressions s where s.org_id = app.org_id() group by s.reason;
end $$;
comment on function app.suppression_counts() is 'How many addresses get no mail, by reason';

create function app.suppress_address(address text, note text) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare added int;
begin
  perform app_private.must_manage_messages();
  insert into app.mail_suppressions (org_id, address_hash, reason, source) values (app.org_id(), app_private.address_hash(trim(address)), 'manual', 'by hand')
    on conflict on constraint mail_suppressions_pkey do nothing;
  get diagnostics added = row_count;
  if added > 0 then
    insert into app.suppression_changes (org_id, address_hash, action, reason, note, by_account_id)
      values (app.org_id(), app_private.address_hash(trim(address)), 'added', 'manual', suppress_address.note, app.account_id());
  end if;
end $$;
comment on function app.suppress_address(text, text) is 'No mail but essential mail to an address; one that is suppressed already stays as it is';

create function app.release_address(address text, note text, asked boolean) returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare s app.mail_suppressions;
begin
  perform app_private.must_manage_messages();
  select * into s from app.mail_suppressions x where x.org_id = app.org_id() and x.address_hash = app_private.address_hash(trim(address)) for update;
  if s.org_id is null then return false; end if;
  if s.reason in ('complaint', 'unsubscribed') and not asked then
    raise exception 'only the person asks for mail again' using errcode = '23514', constraint = 'suppression_of_person';
  end if;
  delete from app.mail_suppressions x where x.org_id = s.org_id and x.address_hash = s.address_hash;
  insert into app.suppression_changes (org_id, address_hash, action, reason, note, by_account_id) values (s.org_id, s.address_hash, 'released', s.reason, release_address.note, app.account_id());
  return true;
end $$;
comment on function app.release_address(text, text, boolean) is 'Lets an address get mail again; after a complaint or an unsubscription only when its person asked. False when it is not suppressed';

select app_private.own_definers();
grant execute on function app.choose_topic(uuid, boolean), app.record_consent(uuid, uuid, boolean, text), app.choose_mail(boolean, timestamptz), app.mail_choices(uuid), app.mail_reach_of(uuid, uuid),
  app.topic_counts(), app.mail_choices_by_link(text, text), app.choose_mail_by_link(text, text, jsonb), app.consent_by_link(text, text), app.confirm_consent_by_link(text, text),
  app.suppressed_addresses(text), app.suppression_counts(), app.suppress_address(text, text), app.release_address(text, text, boolean) to app_access;
grant execute on function app.consent_to_confirm(uuid, uuid) to app_worker;
