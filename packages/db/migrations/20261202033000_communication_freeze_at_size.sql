-- Recipients become deliveries in a time that grows with their number: neither taking them out nor looking for their addresses compares each with every other,
-- whatever the planner knows of rows that have only just come in.

create or replace function app.freeze_messages(most int) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp set plan_cache_mode = force_custom_plan as $$
declare
  m app.messages;
  people uuid[];
  cap int;
  above int;
  reached int;
  is_marketing boolean;
begin
  perform app_private.worker_only();
  select x.* into m from app_private.message_runs r join app.messages x on x.org_id = r.org_id and x.id = r.message_id and x.status in ('sending', 'paused')
    where r.stage = 'freezing' order by x.send_at, x.id limit 1 for update of r skip locked;
  if m.id is null then return 0; end if;
  people := array(select q.person_id from app_private.message_people q where q.org_id = m.org_id and q.message_id = m.id order by q.person_id limit most);
  select t.kind <> 'essential' into is_marketing from app.topics t where t.org_id = m.org_id and t.id = m.topic_id;
  select case when is_marketing then s.most_per_week end, s.review_above into cap, above from app.communication_settings s where s.org_id = m.org_id;
  if cardinality(people) > 0 then
    -- They are the first of the order, so that everybody up to the last of them is one of them.
    delete from app_private.message_people p where p.org_id = m.org_id and p.message_id = m.id and p.person_id <= people[cardinality(people)];
    with reach as materialized (select r.person_id, r.address, r.refusal from app_private.mail_reach(m.org_id, m.topic_id, people) r),
      judged as materialized (
        select r.person_id, r.address, case when r.person_id not in (select s.person_id from app_private.in_message_scope(m, people) s) then 'out_of_scope' when r.refusal is not null then r.refusal
            -- What this message itself has written does not count yet: each person is looked at once.
            when cap is not null and app_private.messages_this_week(m.org_id, r.person_id) >= cap then 'too_many' end as refusal
          from reach r),
      -- Of an address that has its mail already, from this portion or an earlier one, nothing is written here.
      put as (
        insert into app.message_deliveries (org_id, message_id, person_id, chapter_id, address, state)
          select m.org_id, m.id, j.person_id, p.home_chapter_id, j.address, 'queued' from judged j join app.people p on p.org_id = m.org_id and p.id = j.person_id
          where j.refusal is null order by j.person_id on conflict do nothing returning person_id)
    insert into app.message_deliveries (org_id, message_id, person_id, chapter_id, address, state, skip_reason, settled_at)
      select m.org_id, m.id, j.person_id, p.home_chapter_id, j.address, 'skipped', coalesce(j.refusal, 'duplicate'), now()
        from judged j join app.people p on p.org_id = m.org_id and p.id = j.person_id
        where j.refusal is not null or j.person_id not in (select x.person_id from put x)
      on conflict on constraint message_deliveries_person do nothing;
    return cardinality(people);
  end if;
  -- All are there: what they are more than was said, or nobody at all, shows now.
  select count(*) into reached from (select from app.message_deliveries d where d.org_id = m.org_id and d.message_id = m.id and d.state = 'queued' limit coalesce(above, 500) + 1) d;
  if reached = 0 then
    update app.messages x set status = 'failed', failure = 'nobody', finished_at = now() where x.org_id = m.org_id and x.id = m.id;
    delete from app_private.message_runs r where r.org_id = m.org_id and r.message_id = m.id;
  elsif reached > coalesce(above, 500) and (m.approved_by is null or m.approved_by = m.sender_id) then
    perform app_private.forget_deliveries(m.org_id, m.id);
    update app.messages x set status = 'in_review', failure = 'review', started_at = null, submitted_at = now() where x.org_id = m.org_id and x.id = m.id;
    perform app_private.tell(m.org_id, null, app_private.message_reviewers(m), jsonb_build_object('kind', 'message-review', 'record', m.id, 'chapter', m.chapter_id, 'group', m.group_id, 'essential', false,
      'mail', 'instant', 'params', jsonb_build_object('title', m.name)));
  else
    update app_private.message_runs r set stage = 'feeding', paced_at = now() where r.org_id = m.org_id and r.message_id = m.id;
  end if;
  return 1;
end $$;
