-- What people may be written to about: topics, who said yes or no to each, and the one question that every mail asks before it leaves.

create table app.topics (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  chapter_id uuid,
  name text not null check (char_length(name) between 1 and 80),
  name_key text not null generated always as (lower(name)) stored,
  description text not null default '' check (char_length(description) <= 300),
  kind text not null check (kind in ('essential', 'marketing')),
  default_opt text not null check (default_opt in ('in', 'out')),
  confirm boolean not null default false,
  position int not null default 0,
  archived_at timestamptz,
  created_by uuid,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, chapter_id) references app.chapters on delete cascade,
  foreign key (org_id, created_by) references app.accounts on delete set null (created_by),
  constraint topics_essential check (kind = 'marketing' or (default_opt = 'in' and not confirm)),
  constraint topics_confirm check (not confirm or default_opt = 'out')
);
comment on table app.topics is 'What mails are about, as people subscribe to it; of the whole organisation or of a chapter';
comment on column app.topics.kind is 'essential: reaches everybody who may get mail at all. Never changed, since an essential topic asks nobody';
comment on column app.topics.default_opt is 'Whether somebody who never chose is subscribed; of a chapter''s topic, whoever belongs to the chapter. Never changed, since it would subscribe people who did not ask';
comment on column app.topics.confirm is 'A subscription counts once it is confirmed by the link of a mail';
create unique index topics_name on app.topics (org_id, chapter_id, name_key) nulls not distinct where archived_at is null;
create index topics_by_position on app.topics (org_id, position, name_key, id);
create index topics_by_chapter on app.topics (org_id, chapter_id);
create index topics_by_creator on app.topics (org_id, created_by);
select app_private.protect('app.topics');
select app_private.keep_version('app.topics');
select app_private.keep_audit('app.topics', 'messages.manage', 'id');
do $$
declare
  keeps constant text := $p$org_id = (select app.org_id()) and ((select app.everywhere('messages.manage')) or chapter_id = any ((select app.scope('messages.manage'))::uuid[])
    or chapter_id = any ((select app.scope('messages.send'))::uuid[]))$p$;
begin
  execute format('create policy topics_read on app.topics for select to app_access using (org_id = (select app.org_id()))');
  execute format('create policy topics_add on app.topics for insert to app_access with check (created_by = (select app.account_id()) and %s)', keeps);
  execute format('create policy topics_change on app.topics for update to app_access using (%1$s) with check (%1$s)', keeps);
end $$;
grant select, insert (org_id, chapter_id, name, description, kind, default_opt, confirm, position, created_by),
  update (name, description, confirm, position, archived_at) on app.topics to app_access;
grant select on app.topics to app_definer;

create table app.consents (
  org_id uuid not null,
  id uuid not null default app.uuid7(),
  person_id uuid not null,
  topic_id uuid not null,
  state text not null check (state in ('subscribed', 'unsubscribed', 'pending')),
  at timestamptz not null default now(),
  source text not null check (source in ('profile', 'link', 'officer', 'import', 'public')),
  proof jsonb not null default '{}' check (jsonb_typeof(proof) = 'object' and octet_length(proof::text) <= 4000),
  by_account_id uuid,
  primary key (org_id, id),
  foreign key (org_id, person_id) references app.people on delete cascade,
  foreign key (org_id, topic_id) references app.topics on delete cascade,
  foreign key (org_id, by_account_id) references app.accounts on delete set null (by_account_id),
  constraint consents_once unique (org_id, person_id, topic_id)
);
comment on table app.consents is 'What a person last said about a topic; whoever said nothing has no row. Not in the audit log: consent_changes keeps every change';
comment on column app.consents.source is 'profile: the person, signed in. link: the person, by the link of a mail. officer: an officer, whose words about it are in proof';
comment on column app.consents.proof is 'What shows it: the mail whose link was used, an officer''s note, the file of an import';
create index consents_by_topic on app.consents (org_id, topic_id, state, person_id);
create index consents_by_account on app.consents (org_id, by_account_id);

create table app.consent_changes (
  org_id uuid not null,
  id uuid not null default app.uuid7(),
  person_id uuid not null,
  topic_id uuid not null,
  state text not null check (state in ('subscribed', 'unsubscribed', 'pending')),
  at timestamptz not null,
  source text not null,
  proof jsonb not null,
  by_account_id uuid,
  primary key (org_id, id),
  foreign key (org_id, person_id) references app.people on delete cascade,
  foreign key (org_id, topic_id) references app.topics on delete cascade,
  foreign key (org_id, by_account_id) references app.accounts on delete set null (by_account_id)
);
comment on table app.consent_changes is 'Every change of a consent, as the proof of it. Not in the audit log: it is the log';
create index consent_changes_by_person on app.consent_changes (org_id, person_id, at desc, id desc);
create index consent_changes_by_topic on app.consent_changes (org_id, topic_id, at desc);
create index consent_changes_by_account on app.consent_changes (org_id, by_account_id);

create table app.mail_preferences (
  org_id uuid not null,
  person_id uuid not null,
  opted_out_at timestamptz,
  paused_until timestamptz,
  primary key (org_id, person_id),
  foreign key (org_id, person_id) references app.people on delete cascade
);
comment on table app.mail_preferences is 'Who wants no mail but essential mail, for good or for some weeks. Not in the audit log: only the person changes it';

do $$
declare t text;
begin
  foreach t in array array['consents', 'consent_changes', 'mail_preferences'] loop
    perform app_private.protect(format('app.%I', t)::regclass);
    execute format($p$create policy %1$I on app.%2$I for select to app_access using (org_id = (select app.org_id()) and (person_id = (select app.person_id())
      or ((select app.everywhere('people.contact')) or exists (select from app.people_within('people.contact') w where w.org_id = %2$I.org_id and w.person_id = %2$I.person_id)
        or exists (select from app.people_led('people.contact') w where w.org_id = %2$I.org_id and w.person_id = %2$I.person_id))
      and exists (select from app.people p where p.org_id = %2$I.org_id and p.id = %2$I.person_id)))$p$, t || '_read', t);
    execute format('grant select on app.%I to app_access', t);
    execute format('grant select, insert, update, delete on app.%I to app_definer', t);
  end loop;
end $$;

create function app_private.consents_guard() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op = 'UPDATE' and old.state = 'unsubscribed' and new.state = 'subscribed' and new.source not in ('profile', 'link', 'public') then
    raise exception 'only the person subscribes again' using errcode = '23514', constraint = 'consent_withdrawn';
  end if;
  -- What a merge brings over has its history already.
  if pg_trigger_depth() = 1 then
    insert into app.consent_changes (org_id, person_id, topic_id, state, at, source, proof, by_account_id)
      values (new.org_id, new.person_id, new.topic_id, new.state, new.at, new.source, new.proof, new.by_account_id);
  end if;
  return null;
end $$;
comment on function app_private.consents_guard() is 'Keeps every change; and nobody but the person undoes an unsubscription, whoever writes the row';
create trigger consents_guard after insert or update on app.consents for each row execute function app_private.consents_guard();

-- Merged and erased people -----------------------------------------------------------------------------------------------------------

insert into app_private.person_references (tab, col, moves, why) values
  ('consents', 'person_id', false, 'Joined by consents_follow: of two answers about a topic the stricter stays'),
  ('consent_changes', 'person_id', false, 'Moved by consents_follow, with the consents'),
  ('mail_preferences', 'person_id', false, 'Joined by consents_follow: what either record wanted no more stays');

create function app_private.consent_strictness(state text) returns int language sql immutable set search_path = pg_catalog, pg_temp as $$
  select case state when 'unsubscribed' then 3 when 'pending' then 2 else 1 end
$$;
grant execute on function app_private.consent_strictness(text) to app_definer;

create function app_private.consents_follow() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if new.lifecycle = 'erased' then
    delete from app.consents c where c.org_id = new.org_id and c.person_id = new.id;
    delete from app.consent_changes c where c.org_id = new.org_id and c.person_id = new.id;
    delete from app.mail_preferences m where m.org_id = new.org_id and m.person_id = new.id;
    return null;
  end if;
  insert into app.consents as c (org_id, person_id, topic_id, state, at, source, proof, by_account_id)
    select g.org_id, new.merged_into, g.topic_id, g.state, g.at, g.source, g.proof, g.by_account_id
    from app.consents g where g.org_id = new.org_id and g.person_id = new.id
    on conflict on constraint consents_once do update set state = excluded.state, at = excluded.at, source = excluded.source, proof = excluded.proof,
      by_account_id = excluded.by_account_id
    where app_private.consent_strictness(excluded.state) > app_private.consent_strictness(c.state);
  delete from app.consents c where c.org_id = new.org_id and c.person_id = new.id;
  update app.consent_changes c set person_id = new.merged_into where c.org_id = new.org_id and c.person_id = new.id;
  insert into app.mail_preferences as m (org_id, person_id, opted_out_at, paused_until)
    select g.org_id, new.merged_into, g.opted_out_at, g.paused_until from app.mail_preferences g where g.org_id = new.org_id and g.person_id = new.id
    on conflict on constraint mail_preferences_pkey do update set opted_out_at = coalesce(m.opted_out_at, excluded.opted_out_at),
      paused_until = greatest(m.paused_until, excluded.paused_until);
  delete from app.mail_preferences m where m.org_id = new.org_id and m.person_id = new.id;
  return null;
end $$;
comment on function app_private.consents_follow() is 'Consents go with an erased person, and follow a merged one, where the stricter of two answers stays';
create trigger people_consents_erased after update of lifecycle on app.people for each row when (new.lifecycle = 'erased' and old.lifecycle <> 'erased')
  execute function app_private.consents_follow();
create trigger people_consents_merged after update of merged_into on app.people for each row
  when (new.merged_into is not null and new.merged_into is distinct from old.merged_into) execute function app_private.consents_follow();

-- Who may get a mail -----------------------------------------------------------------------------------------------------------------

create function app_private.mail_refusals(org uuid, topic uuid, marketing boolean, people uuid[]) returns table (person_id uuid, address text, refusal text)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp set plan_cache_mode = force_custom_plan as $$
declare
  t app.topics;
  today constant date := app_private.today_of(org);
begin
  select * into t from app.topics x where x.org_id = org and x.id = topic;
  return query
    select r.id, r.address, case
      when r.found is null or r.lifecycle = 'erased' then 'erased'
      when r.lifecycle in ('merged', 'deceased') then r.lifecycle
      when r.deleted_at is not null then 'archived'
      when r.status = 'suspended' then 'suspended'
      when marketing and r.do_not_contact then 'do_not_contact'
      when r.address is null then 'no_address'
      when s.reason in ('hard_bounce', 'complaint') then s.reason
      when not marketing then null
      when s.reason = 'manual' then 'manual'
      when s.reason = 'unsubscribed' or m.opted_out_at is not null then 'opted_out'
      when topic is not null and c.state in ('unsubscribed', 'pending') then c.state
      when topic is not null and (t.id is null or t.archived_at is not null) then 'not_subscribed'
      when m.paused_until > now() then 'paused'
      when topic is null or c.state = 'subscribed' then null
      when t.default_opt = 'in' and (t.chapter_id is null or r.id in (select f.person_id from app.affiliations f
        join app.chapter_ancestors x on x.org_id = f.org_id and x.chapter_id = f.chapter_id
        where f.org_id = org and x.ancestor_id = t.chapter_id and f.starts_on <= today and (f.ends_on is null or f.ends_on >= today))) then null
      else 'not_subscribed' end
    from (
      select w.id, p.id as found, p.lifecycle, p.deleted_at, p.do_not_contact, a.status, coalesce(a.email, e.address, o.address) as address
      from (select distinct u as id from unnest(people) u) w
      left join app.people p on p.org_id = org and p.id = w.id
      left join app.accounts a on a.org_id = org and a.person_id = w.id
      left join app.person_emails e on e.org_id = org and e.person_id = w.id and e.is_primary
      left join lateral (select x.address from app.person_emails x where a.email is null and e.address is null and x.org_id = org and x.person_id = w.id
        order by x.created_at, x.id limit 1) o on true
      offset 0) r
    left join app.mail_suppressions s on s.org_id = org and s.address_hash = encode(sha256(convert_to(lower(r.address), 'UTF8')), 'hex')
    left join app.mail_preferences m on m.org_id = org and m.person_id = r.id
    left join app.consents c on c.org_id = org and c.topic_id = topic and c.person_id = r.id;
end $$;
comment on function app_private.mail_refusals(uuid, uuid, boolean, uuid[]) is 'Where mail to these people goes, and the first rule that keeps it from them; marketing without a topic is any mail that is not essential';

create function app_private.mail_reach(org uuid, topic uuid, people uuid[]) returns table (person_id uuid, address text, refusal text)
  language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select r.person_id, r.address, r.refusal from app_private.mail_refusals(org, topic,
    topic is not null and coalesce((select t.kind <> 'essential' or t.archived_at is not null from app.topics t where t.org_id = org and t.id = topic), true), people) r
$$;
comment on function app_private.mail_reach(uuid, uuid, uuid[]) is 'Which of these people a mail about a topic may be sent to: refusal is null for them, and names the rule for the others. Without a topic, and for an essential one, only what keeps essential mail away counts. A million people at once is meant to be asked';

alter table app.mail_messages add column topic_id uuid;
alter table app.mail_messages add constraint mail_messages_topic foreign key (org_id, topic_id) references app.topics (org_id, id) on delete set null (topic_id);
comment on column app.mail_messages.topic_id is 'What it is about, where people subscribe to it: asked again as it leaves, and what its link unsubscribes from';
create index mail_messages_by_topic on app.mail_messages (org_id, topic_id);
grant select (topic_id) on app.mail_messages to app_access;

create or replace function app_private.mail_recipient(m app.mail_messages, out address text, out account uuid, out idp_roles text[], out language text, out refusal text)
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
  if refusal is null and p.id is not null and m.topic_id is not null then
    refusal := (select r.refusal from app_private.mail_reach(m.org_id, m.topic_id, array[p.id]) r);
  elsif refusal is null and not m.essential then
    refusal := (select case when x.opted_out_at is not null then 'opted_out' when x.paused_until > now() then 'paused' end
      from app.mail_preferences x where x.org_id = m.org_id and x.person_id = p.id);
  end if;
  if a.status = 'active' then
    account := a.id;
    idp_roles := a.idp_roles;
  end if;
  language := coalesce(nullif(a.preferences ->> 'locale', ''), a.locale, p.language);
end $$;
comment on function app_private.mail_recipient(app.mail_messages) is 'Where a mail goes as things stand, in which language, and why it goes nowhere. Nobody who is locked out, deceased, erased, merged or archived is written to; what people subscribe to is asked once more';

select app_private.own_definers();
