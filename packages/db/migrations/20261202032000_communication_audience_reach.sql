-- Who of an audience a mail may be sent to, for those who write messages.

create function app.audience_reach(topic uuid, people uuid[]) returns table (person_id uuid, refusal text)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  if not (app.everywhere('messages.write') or app.scope('messages.write') <> '{}' or app.group_scope('messages.write') <> '{}') then
    raise exception 'not allowed' using errcode = '42501';
  end if;
  return query select r.person_id, r.refusal from app_private.mail_reach(app.org_id(), topic, people) r;
end $$;
comment on function app.audience_reach(uuid, uuid[]) is 'The rule that keeps a mail about a topic from each of these people, whom the actor sees; null where nothing does. Without addresses';

select app_private.own_definers();
grant execute on function app.audience_reach(uuid, uuid[]) to app_access;
