-- The end of a term is told to holders without an account by mail; where there is no address either, administrators are told.

create or replace function app.notify_ending_terms(org uuid, today date, note jsonb) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  r record;
  told int := 0;
begin
  for r in
    select h.id, h.person_id, h.ends_on, s.title, s.chapter_id, own.account_id is null as bare, mail.address is not null as reachable,
      (select array_agg(distinct a.id) from app.accounts a where a.org_id = org and (a.person_id = h.person_id or a.person_id in (
        select o.person_id from app.position_holders o join app.positions p on p.org_id = o.org_id and p.id = o.position_id
        where o.org_id = org and p.chapter_id = s.chapter_id and p.role_id is not null and o.starts_on <= today and (o.ends_on is null or o.ends_on >= today))
        -- Somebody has to tell the holder.
        or (own.account_id is null and mail.address is null and exists (select from app.roles x
          join app.role_permissions y on y.org_id = x.org_id and y.role_id = x.id and y.permission = 'organisation.manage'
          where x.org_id = org and x.key = any (a.idp_roles))))) as recipients
    from app.position_holders h
    join app.positions s on s.org_id = h.org_id and s.id = h.position_id
    join app.people q on q.org_id = h.org_id and q.id = h.person_id and q.deleted_at is null and q.lifecycle not in ('deceased', 'erased', 'merged')
    left join lateral (select a.id as account_id from app.accounts a where a.org_id = h.org_id and a.person_id = h.person_id and a.status = 'active' limit 1) own on true
    left join lateral (select e.address from app.person_emails e where e.org_id = h.org_id and e.person_id = h.person_id limit 1) mail on true
    where h.org_id = org and h.starts_on <= today and h.ends_on between today and today + 30
      -- Whoever goes on in the same office is not at its end.
      and not exists (select from app.position_holders n where n.org_id = h.org_id and n.position_id = h.position_id and n.person_id = h.person_id
        and n.starts_on between h.ends_on and h.ends_on + 1)
  loop
    told := told + app_private.tell(org, null, coalesce(r.recipients, '{}'), note || jsonb_build_object('person', r.person_id, 'chapter', r.chapter_id,
      'params', jsonb_build_object('title', r.title, 'on', r.ends_on), 'dedupe_key', 'term:' || r.id || ':' || r.ends_on));
    if r.bare and r.reachable then
      insert into app.mail_messages (org_id, template, person_id, params, essential, dedupe_key)
        values (org, 'term-ending', r.person_id, jsonb_build_object('holder', r.id, 'on', r.ends_on), true, 'term:' || r.id || ':' || r.ends_on)
        on conflict (org_id, dedupe_key) do nothing;
    end if;
  end loop;
  return told;
end $$;
comment on function app.notify_ending_terms(uuid, date, jsonb) is 'Tells holders of offices that end within 30 days, by mail where they have no account, and the officers of their chapters, once for each term; administrators too where a holder has neither account nor address. How many accounts are told';

create function app.ending_term(org uuid, holder uuid) returns table (title text, chapter text, ends_on date) language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select s.title, c.name, h.ends_on from app.position_holders h
  join app.positions s on s.org_id = h.org_id and s.id = h.position_id
  join app.chapters c on c.org_id = s.org_id and c.id = s.chapter_id
  where h.org_id = org and h.id = holder
$$;
comment on function app.ending_term(uuid, uuid) is 'A term of office as its holder is told of its end; for the worker that mails the notice';

select app_private.own_definers();
grant execute on function app.notify_ending_terms(uuid, date, jsonb), app.ending_term(uuid, uuid) to app_worker;
