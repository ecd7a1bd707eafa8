-- Member cards: who has one, what its code shows to whoever scans it, and who may end it.

create table app.member_cards (
  org_id uuid not null,
  id uuid not null default app.uuid7(),
  person_id uuid not null,
  state text not null default 'eligible' check (state in ('eligible', 'ended', 'revoked')),
  valid_until date not null,
  reason text not null default '' check (char_length(reason) <= 500),
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  primary key (org_id, id),
  foreign key (org_id, person_id) references app.people (org_id, id) on delete cascade,
  constraint member_cards_ended check ((ended_at is null) = (state = 'eligible')),
  constraint member_cards_reason check ((reason <> '') = (state = 'revoked'))
);
comment on table app.member_cards is 'Member cards. The code of a card is a signed link about it; its token follows from the id of the card and a key of the server, so that the card can be shown again';
comment on column app.member_cards.state is 'eligible: its code is valid while its holder is a member; ended: another card replaced it; revoked: taken away by an officer, for the reason given';
comment on column app.member_cards.valid_until is 'Last day of its code; the card is valid no longer than its holder is a member';
comment on column app.member_cards.reason is 'Why it was revoked; the holder reads it';
create unique index member_cards_one on app.member_cards (org_id, person_id) where state = 'eligible';
create index member_cards_by_person on app.member_cards (org_id, person_id, created_at, id);
select app_private.protect('app.member_cards');
select app_private.keep_audit('app.member_cards', 'people.contact');
grant select, update on app.member_cards to app_definer;
grant select, insert (org_id, id, person_id), update (state, reason) on app.member_cards to app_access;

do $$
declare
  officers constant text := $p$ (select app.everywhere('people.write'))
    or exists (select from app.people_within('people.write') w where w.org_id = member_cards.org_id and w.person_id = member_cards.person_id) $p$;
begin
  execute format($p$ create policy member_cards_read on app.member_cards for select to app_access
    using (org_id = (select app.org_id()) and (person_id = (select app.person_id()) or %s)) $p$, officers);
  execute format($p$ create policy member_cards_add on app.member_cards for insert to app_access
    with check (org_id = (select app.org_id()) and (person_id = (select app.person_id()) or %s)) $p$, officers);
  execute format($p$ create policy member_cards_change on app.member_cards for update to app_access
    using (org_id = (select app.org_id()) and (%1$s)) with check (org_id = (select app.org_id()) and (%1$s)) $p$, officers);
end $$;

create trigger member_cards_open_insert after insert on app.member_cards referencing new table as changed
  for each statement execute function app.person_record_guard('erased,merged,deceased');

-- Who has a card ---------------------------------------------------------------------------------------------------------------------
create function app_private.card_valid(org uuid, person uuid) returns table (chapter_id uuid, until date)
  language sql stable set search_path = pg_catalog, pg_temp as $$
  select a.chapter_id, a.ends_on from app.affiliations a
  join app.people p on p.org_id = a.org_id and p.id = a.person_id and p.deleted_at is null and p.lifecycle not in ('deceased', 'merged', 'erased')
  cross join lateral (select (now() at time zone o.timezone)::date as today from app.organisations o where o.org_id = a.org_id) d
  where a.org_id = org and a.person_id = person and a.kind = 'member' and a.starts_on <= d.today and (a.ends_on is null or a.ends_on >= d.today)
  order by a.ends_on desc nulls first, a.is_primary desc, a.starts_on, a.id limit 1
$$;
comment on function app_private.card_valid(uuid, uuid) is 'Why somebody has a member card today: in which chapter they are a member, and until when if that is known; no row for who is none. The one place that decides it';
revoke execute on function app_private.card_valid(uuid, uuid) from public;
grant execute on function app_private.card_valid(uuid, uuid) to app_definer;

create function app.card_standing(person uuid) returns table (chapter_id uuid, until date)
  language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select v.chapter_id, v.until from app_private.card_valid((select app.org_id()), person) v
  where person = (select app.person_id()) or (select app.everywhere('people.write'))
    or exists (select from app.people_within('people.write') w where w.org_id = (select app.org_id()) and w.person_id = person)
$$;
comment on function app.card_standing(uuid) is 'The same for the person themselves and for whoever keeps their record';

create function app.member_cards_issue() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  basis record;
  today date;
begin
  -- What is loaded or restored says everything itself.
  if (app.actor()).org_id is null then return new; end if;
  today := app.today();
  select * into basis from app_private.card_valid(new.org_id, new.person_id);
  if not found then
    raise exception 'only somebody who is a member today has a member card' using errcode = '23514', constraint = 'card_not_eligible';
  end if;
  if new.person_id = any (app.my_records()) and 'revoked' = (select c.state from app.member_cards c
      where c.org_id = new.org_id and c.person_id = new.person_id order by c.created_at desc, c.id desc limit 1) then
    raise exception 'nobody replaces a card of their own that was revoked' using errcode = '42501', constraint = 'card_revoked';
  end if;
  new.valid_until := least(basis.until, today + 365);
  -- A new code is the end of the old one.
  update app.member_cards c set state = 'ended', ended_at = now() where c.org_id = new.org_id and c.person_id = new.person_id and c.state = 'eligible';
  return new;
end $$;
comment on function app.member_cards_issue() is 'A card is for who is a member, ends the one before it, and replaces none of one''s own that was revoked';
create trigger member_cards_issue before insert on app.member_cards for each row execute function app.member_cards_issue();

create function app.member_cards_revoke() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if (app.actor()).org_id is null or pg_trigger_depth() > 1 then return new; end if;
  if old.state <> 'eligible' or new.state <> 'revoked' then
    raise exception 'a card that has ended stays as it is' using errcode = '23514', constraint = 'card_ended';
  end if;
  new.ended_at := now();
  return new;
end $$;
comment on function app.member_cards_revoke() is 'All that is done to a card by hand is to revoke it';
create trigger member_cards_revoke before update on app.member_cards for each row execute function app.member_cards_revoke();

-- What its code shows ------------------------------------------------------------------------------------------------------------------
alter table app.public_names add column with_picture boolean not null default false;
comment on table app.public_names is 'People who agreed to be named on public pages: in their offices and on their member card';
comment on column app.public_names.with_picture is 'Whether their picture is shown as well when somebody checks their member card';
grant insert (with_picture), update (with_picture) on app.public_names to app_access;
create policy public_names_change on app.public_names for update to app_access
  using (org_id = (select app.org_id()) and person_id = (select app.person_id()))
  with check (org_id = (select app.org_id()) and person_id = (select app.person_id()));

drop function app.card_by_link(text, text);
create function app.card_by_link(idp_org text, secret_hash text) returns table (name text, picture_id uuid, chapter text, valid_until date)
  language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select n.name, case when n.name is not null and g.with_picture then p.picture_id end, h.name, least(c.valid_until, v.until)
  from app.open_link(idp_org, 'cards', secret_hash) l
  join app.member_cards c on c.org_id = l.org_id and c.id = l.subject_id and c.state = 'eligible'
  join app.people p on p.org_id = c.org_id and p.id = c.person_id
  cross join lateral app_private.card_valid(c.org_id, c.person_id) v
  join app.chapters h on h.org_id = c.org_id and h.id = v.chapter_id
  cross join lateral (select (now() at time zone r.timezone)::date as today from app.organisations r where r.org_id = c.org_id) o
  cross join lateral (select app_private.public_name(p.org_id, p.id) as name) n
  left join app.public_names g on g.org_id = p.org_id and g.person_id = p.id
  where l.subject_type = 'member_card' and c.valid_until >= o.today
$$;
comment on function app.card_by_link(text, text) is 'What the code of a member card shows while the card is valid: chapter and last day, and the name and picture of a holder who agreed to that';

select app_private.own_definers();
grant execute on function app.card_by_link(text, text), app.card_standing(uuid) to app_access;
