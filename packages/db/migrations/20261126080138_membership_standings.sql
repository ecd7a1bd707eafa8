-- Lists of people show, filter and sort by the membership that counts: one narrow row for each person who has one.

create table app.membership_standings (
  org_id uuid not null references app.organisations on delete cascade,
  person_id uuid not null,
  membership_id uuid not null,
  type_id uuid not null,
  chapter_id uuid,
  status text not null,
  auto_renew boolean not null,
  starts_on date,
  ends_on date,
  primary key (org_id, person_id),
  foreign key (org_id, person_id) references app.people (org_id, id) on delete cascade,
  foreign key (org_id, membership_id) references app.memberships (org_id, id) on delete cascade
);
comment on table app.membership_standings is 'The membership that counts of each person, kept by triggers. Not in the audit log: it follows from memberships, which are';
comment on column app.membership_standings.status is 'The status of the membership, or the override while there is one';
comment on column app.membership_standings.starts_on is 'First day of the last settled term';
create index membership_standings_ending on app.membership_standings (org_id, ends_on, person_id);
create index membership_standings_by_status on app.membership_standings (org_id, status, ends_on, person_id);
create index membership_standings_by_type on app.membership_standings (org_id, type_id, person_id);
create index membership_standings_by_membership on app.membership_standings (org_id, membership_id);
select app_private.protect('app.membership_standings');
create policy membership_standings_read on app.membership_standings for select to app_access using (org_id = (select app.org_id())
  and ((select app.everywhere('memberships.read')) or person_id = (select app.person_id()) or chapter_id = any ((select app.scope('memberships.read'))::uuid[])));
grant select on app.membership_standings to app_access;
grant select, insert, update, delete on app.membership_standings to app_definer;

create function app_private.standing_rank(status text) returns int language sql immutable as $$
  select case status when 'active' then 0 when 'grace' then 1 when 'suspended' then 2 when 'lapsed' then 5 when 'cancelled' then 6
    when 'declined' then null when 'withdrawn' then null else 3 end
$$;
comment on function app_private.standing_rank(text) is 'Which of the memberships of a person counts: the lowest. Applications that came to nothing never do';

create function app_private.refresh_standings(org uuid, ids uuid[]) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if ids is null then return; end if;
  -- Of two who change memberships of a person at once, the second looks again after the first.
  perform from app.membership_standings s where s.org_id = org and s.person_id = any (ids) order by s.person_id for update;
  delete from app.membership_standings s where s.org_id = org and s.person_id = any (ids)
    and not exists (select from app.memberships m where m.org_id = org and m.person_id = s.person_id
      and app_private.standing_rank(coalesce(m.override_status, m.status)) is not null);
  insert into app.membership_standings as s (org_id, person_id, membership_id, type_id, chapter_id, status, auto_renew, starts_on, ends_on)
    select org, c.person_id, c.id, c.type_id, c.chapter_id, c.counts, c.auto_renew,
      (select max(t.starts_on) from app.membership_terms t where t.org_id = org and t.membership_id = c.id and t.status = 'settled'), c.ends_on
    from (select distinct on (m.person_id) m.person_id, m.id, m.type_id, m.chapter_id, coalesce(m.override_status, m.status) as counts, m.auto_renew, m.ends_on
      from (select distinct x.id from unnest(ids) x (id)) w join app.memberships m on m.org_id = org and m.person_id = w.id
      where app_private.standing_rank(coalesce(m.override_status, m.status)) is not null
      order by m.person_id, app_private.standing_rank(coalesce(m.override_status, m.status)), m.ends_on desc nulls first, m.id desc) c
    on conflict (org_id, person_id) do update set membership_id = excluded.membership_id, type_id = excluded.type_id, chapter_id = excluded.chapter_id,
        status = excluded.status, auto_renew = excluded.auto_renew, starts_on = excluded.starts_on, ends_on = excluded.ends_on
      where (s.membership_id, s.type_id, s.status, s.auto_renew) <> (excluded.membership_id, excluded.type_id, excluded.status, excluded.auto_renew)
        or (s.chapter_id, s.starts_on, s.ends_on) is distinct from (excluded.chapter_id, excluded.starts_on, excluded.ends_on);
end $$;
comment on function app_private.refresh_standings(uuid, uuid[]) is 'Brings the memberships that count in line with the memberships of people';

create function app_private.memberships_standing() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  r record;
begin
  if tg_op = 'UPDATE' then
    for r in select x.org_id, array_agg(distinct x.person_id) as ids from (
        select c.org_id, unnest(array[c.person_id, b.person_id]) as person_id from changed c join before b on b.org_id = c.org_id and b.id = c.id
        where (c.person_id, c.type_id, c.status, c.auto_renew) <> (b.person_id, b.type_id, b.status, b.auto_renew)
          or (c.chapter_id, c.override_status, c.starts_on, c.ends_on) is distinct from (b.chapter_id, b.override_status, b.starts_on, b.ends_on)) x
      group by x.org_id loop
      perform app_private.refresh_standings(r.org_id, r.ids);
    end loop;
  else
    for r in select c.org_id, array_agg(distinct c.person_id) as ids from changed c group by c.org_id loop
      perform app_private.refresh_standings(r.org_id, r.ids);
    end loop;
  end if;
  return null;
end $$;
comment on function app_private.memberships_standing() is 'The membership that counts follows the memberships of a person';
create trigger memberships_standing_insert after insert on app.memberships referencing new table as changed for each statement execute function app_private.memberships_standing();
create trigger memberships_standing_update after update on app.memberships referencing old table as before new table as changed for each statement execute function app_private.memberships_standing();
create trigger memberships_standing_delete after delete on app.memberships referencing old table as changed for each statement execute function app_private.memberships_standing();

create function app.refresh_standings(org uuid) returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
  select app_private.refresh_standings(org, array(select distinct m.person_id from app.memberships m where m.org_id = org))
$$;
comment on function app.refresh_standings(uuid) is 'Works out anew which membership of each person counts, after rows were loaded without triggers';

-- What people owe is looked up for each person of a list.
create index invoices_open_by_person on app.invoices (org_id, person_id, due_on) where kind = 'invoice' and state in ('issued', 'partly_paid');
create index invoices_paid_by_person on app.invoices (org_id, person_id) where kind = 'invoice' and state = 'paid';

select app_private.own_definers();
grant execute on function app_private.standing_rank(text), app_private.refresh_standings(uuid, uuid[]) to app_definer;

select app.refresh_standings(o) from app.org_ids() o;
