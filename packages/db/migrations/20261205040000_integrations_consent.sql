-- Consent that connections exchange: who may get mail of a topic in another system, and what people said there. Nobody is subscribed here by it who has ever
-- chosen; an unsubscription always counts.

alter table app.consents drop constraint consents_source_check;
alter table app.consents add constraint consents_source_check check (source in ('profile', 'link', 'officer', 'import', 'public', 'connection'));
comment on column app.consents.source is 'profile: the person, signed in. link: the person, by the link of a mail. officer: an officer, whose words about it are in proof. connection: the person, in another system, which proof names';

create function app.connection_consents(topic uuid, people uuid[]) returns table (person_id uuid, says text)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp set plan_cache_mode = force_custom_plan as $$
declare
  org constant uuid := app.org_id();
  everywhere constant boolean := app.everywhere('people.contact');
begin
  return query
    select r.person_id, case
      when r.refusal in ('not_subscribed', 'pending') then null
      when r.refusal is not null or exists (select from app.mail_suppressions s where s.org_id = org and s.address_hash = any (app_private.addresses_of(org, r.person_id))) then 'no'
      else 'yes' end
    from app_private.mail_refusals(org, topic, true, array(select p.id from app.people p where p.org_id = org and p.id = any (people)
      and (everywhere or p.id in (select w.person_id from app.people_within('people.contact') w where w.org_id = org)))) r;
end $$;
comment on function app.connection_consents(uuid, uuid[]) is 'What these people say about mail of a topic, as another system may be told: yes; no where anything keeps mail from them; null of who never chose. Without a topic, of any mail that is not essential. Of people whom the actor may contact';

create function app.consents_from_connection(connection uuid, topic uuid, people uuid[], wanted boolean[]) returns table (person_id uuid, says text)
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org constant uuid := app.org_id();
  everywhere constant boolean := app.everywhere('people.write');
  c app.connections;
  confirms boolean;
  one record;
begin
  select * into c from app.connections x where x.org_id = org and x.id = connection and x.id = any (app.managed_connections());
  if c.id is null then raise exception 'not allowed' using errcode = '42501'; end if;
  confirms := (select t.confirm from app.topics t where t.org_id = org and t.id = topic);
  -- One order for all, so that two runs about the same people wait for each other and no longer.
  for one in select p.id, bool_and(u.w) as subscribes from unnest(people, wanted) u (p, w) join app.people p on p.org_id = org and p.id = u.p
      where p.lifecycle not in ('erased', 'merged', 'deceased') and (everywhere
        or p.id in (select w.person_id from app.people_within('people.write') w where w.org_id = org)
        or exists (select from app.external_refs r where r.org_id = org and r.connection_id = connection and r.person_id = p.id))
      group by p.id order by p.id loop
    perform pg_advisory_xact_lock(hashtextextended(one.id::text || topic::text, 0));
    if not one.subscribes then
      perform app_private.put_consent(org, one.id, topic, 'unsubscribed', 'connection',
        jsonb_build_object('note', c.name, 'connection', c.id, 'connector', c.connector), null);
    elsif not coalesce(confirms, true) and not exists (select from app.consents x where x.org_id = org and x.topic_id = topic and x.person_id = one.id)
        and exists (select from app_private.mail_refusals(org, topic, true, array[one.id]) r where r.refusal = 'not_subscribed') then
      perform app_private.put_consent(org, one.id, topic, 'subscribed', 'connection',
        jsonb_build_object('note', c.name, 'connection', c.id, 'connector', c.connector), null);
    end if;
  end loop;
  return query select * from app.connection_consents(topic, people);
end $$;
comment on function app.consents_from_connection(uuid, uuid, uuid[], boolean[]) is 'What people said in a connected system about a topic. An unsubscription counts always; a subscription only of who never chose here, of a topic that asks for no confirmation. Answers what they say afterwards';

grant execute on function app.connection_consents(uuid, uuid[]), app.consents_from_connection(uuid, uuid, uuid[], boolean[]) to app_access;

select app_private.own_definers();
