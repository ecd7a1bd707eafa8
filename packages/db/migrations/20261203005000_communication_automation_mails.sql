-- Mails of automations: a mail step sends what its template says to the person of the run. What a template says is kept as a message the first time it is sent, and
-- again whenever it has changed, so that deliveries, reports, links, unsubscribing and the outbox work as for messages that somebody sends. Such a message is never a draft
-- and never "being sent": its deliveries come one by one, each once for a run and step.

alter table app.automations drop constraint automations_pause_reason_check;
alter table app.automations add constraint automations_pause_reason_check check (pause_reason in ('by_hand', 'sender_gone', 'filter_broken', 'mail_broken', 'complaints'));

alter table app.messages add column automation_id uuid, add column automation_step text check (char_length(automation_step) <= 20), add column edition text check (char_length(edition) <= 200);
alter table app.messages add constraint messages_automation foreign key (org_id, automation_id) references app.automations (org_id, id) on delete cascade;
alter table app.messages add constraint messages_edition unique (org_id, automation_id, automation_step, edition);
alter table app.messages add constraint messages_of_automation check (num_nonnulls(automation_id, automation_step, edition) in (0, 3) and (automation_id is null or status = 'sent'));
comment on column app.messages.automation_id is 'The automation whose mail it is; it goes to the people of its runs, to each when their step comes, and is sent for as long as the automation runs';
comment on column app.messages.automation_step is 'The step that sends it';
comment on column app.messages.edition is 'Template, its version, topic and sender: with another one the step sends another message';

alter table app.message_deliveries add column run_id uuid not null default '00000000-0000-0000-0000-000000000000', add column step text check (char_length(step) <= 20);
alter table app.message_deliveries add constraint message_deliveries_run check ((step is null) = (run_id = '00000000-0000-0000-0000-000000000000'));
alter table app.message_deliveries drop constraint message_deliveries_person;
alter table app.message_deliveries add constraint message_deliveries_person unique (org_id, message_id, person_id, run_id);
comment on column app.message_deliveries.run_id is 'The run of an automation that it was written for, nil where it was none: somebody who enters again gets the message again. No key, since a run goes before its mail';
comment on column app.message_deliveries.step is 'The step of the run';
drop index app.message_deliveries_address;
create unique index message_deliveries_address on app.message_deliveries (org_id, message_id, lower(address)) where state <> 'skipped' and address is not null and step is null;
-- What keeps a step from sending twice.
create unique index message_deliveries_once on app.message_deliveries (org_id, run_id, step) where step is not null;
create index message_deliveries_waiting on app.message_deliveries (org_id, id) where step is not null and state = 'queued' and fed_at is null;
grant select (run_id, step) on app.message_deliveries to app_access;
grant insert on app.messages to app_definer;

create or replace function app_private.messages_stay() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare t app.topics;
begin
  if new.topic_id is not null and (tg_op = 'INSERT' or new.topic_id is distinct from old.topic_id) then
    select x.* into t from app.topics x where x.org_id = new.org_id and x.id = new.topic_id;
    if t.archived_at is not null then raise exception 'this topic is archived' using errcode = '23514', constraint = 'message_topic_archived'; end if;
    if t.chapter_id is not null and not exists (select from app.chapter_ancestors n where n.org_id = new.org_id and n.ancestor_id = t.chapter_id
        and n.chapter_id = coalesce(new.chapter_id, (select g.chapter_id from app.groups g where g.org_id = new.org_id and g.id = new.group_id))) then
      raise exception 'a topic of another chapter' using errcode = '23514', constraint = 'message_topic_elsewhere';
    end if;
  end if;
  if tg_op = 'INSERT' then return new; end if;
  if old.automation_id is not null and (new.status, new.archived_at) is distinct from (old.status, old.archived_at) then
    raise exception 'its automation decides when it is sent' using errcode = '23P01', constraint = 'message_move', detail = json_build_object('status', old.status)::text;
  end if;
  if old.status <> 'draft' and (new.topic_id, new.name, new.subject, new.preheader, new.body, new.from_name, new.reply_to, new.audience, new.pace)
      is distinct from (old.topic_id, old.name, old.subject, old.preheader, old.body, old.from_name, old.reply_to, old.audience, old.pace) then
    raise exception 'only a draft is changed' using errcode = '23P01', constraint = 'message_not_draft';
  end if;
  if new.archived_at is not null and old.archived_at is null and old.status not in ('draft', 'sent', 'cancelled', 'failed') then
    raise exception 'a message is archived before it is sent or after' using errcode = '23P01', constraint = 'message_at_work';
  end if;
  return new;
end $$;
comment on function app_private.messages_stay() is 'What was submitted, scheduled or sent stays as it was, and what an automation sends stays sent; the topic of a message is one of the organisation, or of a chapter that the message belongs to';

-- One step of one run --------------------------------------------------------------------------------------------------------------------

create function app_private.automation_message(a app.automations, step text, t app.message_templates, topic uuid) returns uuid language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  key constant text := concat_ws(' ', t.id, t.version, topic, a.activated_by);
  found_id uuid;
begin
  select m.id into found_id from app.messages m where m.org_id = a.org_id and m.automation_id = a.id and m.automation_step = step and m.edition = key;
  if found_id is not null then return found_id; end if;
  insert into app.messages (org_id, chapter_id, topic_id, name, subject, preheader, body, status, sender_id, created_by, started_at, automation_id, automation_step, edition)
    values (a.org_id, a.chapter_id, topic, left(a.name || ': ' || t.name, 120), t.subject, t.preheader, t.body, 'sent', a.activated_by, a.activated_by, now(), a.id, step, key)
    on conflict on constraint messages_edition do nothing returning id into found_id;
  return coalesce(found_id, (select m.id from app.messages m where m.org_id = a.org_id and m.automation_id = a.id and m.automation_step = step and m.edition = key));
end $$;
comment on function app_private.automation_message(app.automations, text, app.message_templates, uuid) is 'The message that a step sends as its template is now, kept the first time';

create or replace function app_private.automation_mail(a app.automations, r app.automation_runs, s jsonb) returns jsonb language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  t app.message_templates;
  about app.topics;
  reach record;
  message uuid;
  why text;
  written uuid;
begin
  select x.* into t from app.message_templates x where x.org_id = a.org_id and x.id = (s ->> 'templateId')::uuid and x.archived_at is null and x.version = (s ->> 'version')::int;
  select x.* into about from app.topics x where x.org_id = a.org_id and x.id = (s ->> 'topicId')::uuid and x.archived_at is null
    and (x.chapter_id is null or exists (select from app.chapter_ancestors n where n.org_id = x.org_id and n.ancestor_id = x.chapter_id and n.chapter_id = a.chapter_id));
  if t.id is null or about.id is null then return null; end if;
  message := app_private.automation_message(a, r.step, t, about.id);
  select x.* into reach from app_private.mail_reach(a.org_id, about.id, array[r.person_id]) x;
  why := case when reach.person_id is null then 'no_address' when reach.refusal is not null then reach.refusal
    when about.kind <> 'essential' and app_private.messages_this_week(a.org_id, r.person_id) >= (select c.most_per_week from app.communication_settings c where c.org_id = a.org_id) then 'too_many' end;
  insert into app.message_deliveries (org_id, message_id, person_id, chapter_id, address, state, skip_reason, settled_at, run_id, step)
    select a.org_id, message, p.id, p.home_chapter_id, reach.address, case when why is null then 'queued' else 'skipped' end, why, case when why is not null then now() end, r.id, r.step
      from app.people p where p.org_id = a.org_id and p.id = r.person_id returning id into written;
  return jsonb_strip_nulls(jsonb_build_object('kind', case when why is null then 'mailed' else 'skipped' end, 'reason', why, 'delivery', written));
end $$;
comment on function app_private.automation_mail(app.automations, app.automation_runs, jsonb) is 'Writes the mail of a step to the person of a run, or down why they get none; nothing where the template or the topic is not any more what the worker read';

create or replace function app.step_runs(org uuid, automation uuid, moves jsonb, note jsonb) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  a app.automations;
  r app.automation_runs;
  m jsonb;
  s jsonb;
  told jsonb;
  made int := 0;
begin
  select x.* into a from app.automations x where x.org_id = org and x.id = automation and x.status = 'active' for share;
  for m in select value from jsonb_array_elements(moves) where a.id is not null loop
    select x.* into r from app.automation_runs x where x.org_id = org and x.automation_id = a.id and x.id = (m ->> 'run')::uuid and x.state = 'active'
      and x.step is not distinct from m ->> 'from' and x.next_at <= now() for update;
    continue when r.id is null;
    begin
      -- Steps that were moved while the automation was paused are done once all the same.
      if m ->> 'does' is not null and not exists (select from app.automation_log l where l.org_id = org and l.run_id = r.id and l.step = m ->> 'from') then
        s := (select e from jsonb_array_elements(a.steps) e where e ->> 'id' = m ->> 'from');
        told := case m ->> 'does' when 'mail' then app_private.automation_mail(a, r, s || jsonb_build_object('version', m -> 'version')) when 'tag' then app_private.automation_tag(r, s)
          when 'task' then app_private.automation_task(a, r, s, note) else jsonb_build_object('kind', m ->> 'does') || coalesce(m -> 'detail', '{}') end;
        -- Nobody goes past a mail that was not what it was when it was looked at: the next round looks at it again.
        continue when told is null;
        -- Done once: a second line about the same step of the same run breaks the key, and undoes its effect.
        insert into app.automation_log (org_id, run_id, step, automation_id, kind, detail) values (org, r.id, m ->> 'from', a.id, told ->> 'kind', told - 'kind');
      end if;
      if m ->> 'end' is not null then
        insert into app.automation_log (org_id, run_id, step, automation_id, kind, detail)
          values (org, r.id, 'end', a.id, m ->> 'end', jsonb_strip_nulls(jsonb_build_object('rule', m ->> 'rule')));
      end if;
      update app.automation_runs x set step = m ->> 'next', waits = m ->> 'waits', next_at = case when m ->> 'end' is null then coalesce((m ->> 'at')::timestamptz, now()) end,
          state = coalesce(m ->> 'end', 'active'), ended_by = m ->> 'rule', ended_at = case when m ->> 'end' is not null then now() end
        where x.org_id = org and x.id = r.id;
      made := made + 1;
    exception when deadlock_detected or serialization_failure then raise;
    when others then
      insert into app.automation_log (org_id, run_id, step, automation_id, kind, detail)
        values (org, r.id, 'end', a.id, 'failed', jsonb_build_object('rule', sqlstate, 'step', m ->> 'from')) on conflict do nothing;
      update app.automation_runs x set state = 'failed', ended_by = sqlstate, ended_at = now(), next_at = null, waits = null where x.org_id = org and x.id = r.id;
    end;
  end loop;
  return made;
end $$;

-- Leaving --------------------------------------------------------------------------------------------------------------------------------

create function app.feed_automations(most int) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare fed int;
begin
  perform app_private.worker_only();
  -- Archiving called off what waited; what waits since was asked for once more. Pausing waits for what is given here, or is passed by here: it looks
  -- for what stands in the outbox, and would not see what is on its way there.
  with chosen as (
    select d.org_id, d.id, d.person_id, d.address, d.message_id, m.topic_id, m.sender_id, t.kind = 'essential' as essential
      from app.message_deliveries d join app.messages m on m.org_id = d.org_id and m.id = d.message_id
        join app.automations a on a.org_id = m.org_id and a.id = m.automation_id and a.status <> 'paused'
        join app.topics t on t.org_id = m.org_id and t.id = m.topic_id join app.organisations o on o.org_id = d.org_id
        left join app.communication_settings s on s.org_id = d.org_id
      where d.step is not null and d.state = 'queued' and d.fed_at is null
        and (t.kind = 'essential' or s.quiet_from is null or not app_private.within_hours((now() at time zone o.timezone)::time, s.quiet_from, s.quiet_until))
      order by d.id limit most for update of d skip locked for share of a skip locked),
  marked as (update app.message_deliveries d set fed_at = now() from chosen c where d.org_id = c.org_id and d.id = c.id returning d.org_id, d.id),
  written as (
    insert into app.mail_messages (org_id, id, template, person_id, address, params, essential, topic_id, batch_id, created_by)
      select c.org_id, c.id, 'message', c.person_id, c.address, jsonb_build_object('delivery', c.id), c.essential, c.topic_id, c.message_id, c.sender_id
        from chosen c join marked k on k.org_id = c.org_id and k.id = c.id on conflict on constraint mail_messages_pkey do nothing returning id)
  select count(*) into fed from written;
  return fed;
end $$;
comment on function app.feed_automations(int) is 'Gives mails of automations to the outbox, those that are not essential only outside the quiet hours; how many';

create function app_private.hold_mails(org uuid, deliveries uuid[], for_good boolean) returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
  with mine as materialized (select d.id from app.message_deliveries d where d.org_id = org and d.id = any (deliveries) and d.state = 'queued' order by d.id for update),
    gone as (delete from app.mail_messages q using mine where q.org_id = org and q.id = mine.id and q.state = 'queued' returning q.id)
  update app.message_deliveries d set fed_at = null, state = case when for_good then 'cancelled' else d.state end, settled_at = case when for_good then now() end
    from mine where d.org_id = org and d.id = mine.id and (d.id in (select g.id from gone g) or not exists (select from app.mail_messages q where q.org_id = org and q.id = d.id))
$$;
comment on function app_private.hold_mails(uuid, uuid[], boolean) is 'Removes mails from the outbox that have not begun to leave; for good, or until they are given to it again';

create function app_private.automations_hold_mails() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform app_private.hold_mails(new.org_id, array(select d.id from app.messages m join app.message_deliveries d on d.org_id = m.org_id and d.message_id = m.id and d.state = 'queued'
    where m.org_id = new.org_id and m.automation_id = new.id), new.status = 'archived');
  return null;
end $$;
comment on function app_private.automations_hold_mails() is 'Mails of an automation that have not left stay while it is paused, and are called off when it is archived';
create trigger automations_hold_mails after update of status on app.automations for each row
  when (new.status is distinct from old.status and new.status in ('paused', 'archived')) execute function app_private.automations_hold_mails();

create function app_private.runs_call_off_mails() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform app_private.hold_mails(new.org_id, array(select d.id from app.message_deliveries d where d.org_id = new.org_id and d.run_id = new.id and d.step is not null and d.state = 'queued'), true);
  return null;
end $$;
comment on function app_private.runs_call_off_mails() is 'Of a run that is stopped nothing leaves any more';
create trigger runs_call_off_mails after update of state on app.automation_runs for each row when (new.state = 'stopped' and old.state = 'active')
  execute function app_private.runs_call_off_mails();

create or replace function app_private.pause_messages(org uuid, reason text) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  m record;
  stopped int := 0;
  halted int;
begin
  for m in select x.id from app.messages x join app.topics t on t.org_id = x.org_id and t.id = x.topic_id and t.kind <> 'essential'
      where x.org_id = org and x.status = 'sending' for update of x loop
    update app.messages x set status = 'paused', failure = reason where x.org_id = org and x.id = m.id;
    perform app_private.unfeed_message(org, m.id, false);
    stopped := stopped + 1;
  end loop;
  update app.automations a set status = 'paused', pause_reason = 'complaints' where a.org_id = org and a.status = 'active'
    and exists (select from app.topics t where t.org_id = org and t.id = any (app_private.automation_topics(a)) and t.kind <> 'essential');
  get diagnostics halted = row_count;
  return stopped + halted;
end $$;
comment on function app_private.pause_messages(uuid, text) is 'Pauses all messages of an organisation that are being sent and the automations that send, save essential ones; how many';

create or replace function app.purge_messages(most int) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare gone int;
begin
  perform app_private.worker_only();
  delete from app.message_deliveries d using (
    select x.org_id, x.id from app.messages m join app.message_deliveries x on x.org_id = m.org_id and x.message_id = m.id
      where m.finished_at < now() - interval '18 months' or (m.automation_id is not null and x.settled_at < now() - interval '18 months') limit most) o where d.org_id = o.org_id and d.id = o.id;
  get diagnostics gone = row_count;
  return gone;
end $$;
comment on function app.purge_messages(int) is 'Forgets deliveries 18 months after their message, or where an automation sends it after they were settled; its counts stay. How many';

do $$
declare
  retry text := pg_get_functiondef('app.retry_deliveries(uuid,text[])'::regprocedure);
  retry_new text := replace(retry, $t$if again > 0 and m.status = 'sent' then$t$, $t$if again > 0 and m.status = 'sent' and m.automation_id is null then$t$);
begin
  -- What an automation sends is fed again without anything being done to its message.
  if retry_new = retry then raise exception 'app.retry_deliveries is written otherwise by now'; end if;
  execute retry_new;
end $$;

select app_private.own_definers();
do $$
declare f regprocedure;
begin
  for f in select p.oid from pg_proc p where p.pronamespace = 'app_private'::regnamespace and p.proname in ('automation_message', 'hold_mails') loop
    execute format('revoke execute on function %s from public', f);
    execute format('grant execute on function %s to app_definer', f);
  end loop;
end $$;
revoke execute on function app.feed_automations(int) from public;
grant execute on function app.feed_automations(int) to app_worker;
