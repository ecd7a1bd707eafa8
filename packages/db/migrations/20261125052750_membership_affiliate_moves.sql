-- Only a membership that came to count, or moved to another chapter, makes an affiliation: one that was ended stays so, whatever else changes.

create or replace function app_private.memberships_affiliate() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  ids uuid[];
begin
  if tg_op = 'UPDATE' then
    ids := (select array_agg(c.id) from changed c join before b on b.org_id = c.org_id and b.id = c.id
      where c.status in ('active', 'grace') and c.chapter_id is not null
        and (b.status not in ('active', 'grace') or b.chapter_id is distinct from c.chapter_id));
  else
    ids := (select array_agg(c.id) from changed c where c.status in ('active', 'grace') and c.chapter_id is not null);
  end if;
  if ids is null then return null; end if;
  update app.affiliations a set ends_on = greatest(a.starts_on, app_private.today_of(a.org_id) - 1)
    from changed c where c.id = any (ids) and a.org_id = c.org_id and a.person_id = c.person_id and a.chapter_id = c.chapter_id and a.kind = 'applicant' and a.ends_on is null;
  insert into app.affiliations (org_id, person_id, chapter_id, kind, starts_on, is_primary)
    select distinct on (c.org_id, c.person_id, c.chapter_id) c.org_id, c.person_id, c.chapter_id, 'member', d.today,
      not exists (select from app.affiliations a where a.org_id = c.org_id and a.person_id = c.person_id and a.is_primary and a.ends_on is null)
        and row_number() over (partition by c.org_id, c.person_id order by c.chapter_id, c.id) = 1
    from changed c
    join (select o.org_id, app_private.today_of(o.org_id) as today from app.organisations o where o.org_id in (select x.org_id from changed x)) d on d.org_id = c.org_id
    join app.people p on p.org_id = c.org_id and p.id = c.person_id and p.lifecycle not in ('deceased', 'merged', 'erased')
    where c.id = any (ids) and not exists (select from app.affiliations a
      where a.org_id = c.org_id and a.person_id = c.person_id and a.chapter_id = c.chapter_id and a.kind = 'member' and (a.ends_on is null or a.ends_on >= d.today))
    order by c.org_id, c.person_id, c.chapter_id, c.id
    on conflict (org_id, person_id, starts_on, chapter_id, kind) do update set ends_on = null;
  return null;
end $$;
drop trigger memberships_affiliate_update on app.memberships;
create trigger memberships_affiliate_update after update on app.memberships referencing old table as before new table as changed for each statement execute function app_private.memberships_affiliate();
select app_private.own_definers();
