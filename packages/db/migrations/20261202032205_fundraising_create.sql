-- Fundraising: campaigns, the funds that gifts go to, and who may do what. Gifts, plans, pledges and what they come to follow in migrations of their own.

select app_private.add_permission('fundraising.read', 'org-owner', 'org-admin', 'chapter-admin', 'event-manager', 'finance', 'communications', 'member');
select app_private.add_permission('fundraising.manage', 'org-owner', 'org-admin', 'chapter-admin', 'finance');
select app_private.add_permission('gifts.read', 'org-owner', 'org-admin', 'finance');
select app_private.add_permission('gifts.record', 'org-owner', 'org-admin', 'finance', 'chapter-admin');
select app_private.add_permission('gifts.manage', 'org-owner', 'org-admin', 'finance');

-- Funds ------------------------------------------------------------------------------------------------------------------------------

create table app.funds (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  chapter_id uuid,
  name text not null check (char_length(name) between 1 and 150),
  code text not null default '' check (char_length(code) <= 40),
  description text not null default '' check (char_length(description) <= 2000),
  sort_name text collate "C" not null generated always as (app.fold(name)) stored,
  search text collate "C" not null generated always as (app.fold(name || ' ' || code)) stored,
  archived_at timestamptz,
  created_by uuid,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, chapter_id) references app.chapters (org_id, id)
);
comment on table app.funds is 'What gifts are meant for: each gift is allocated to one fund or to several';
comment on column app.funds.chapter_id is 'Where it belongs; null for the whole organisation';
comment on column app.funds.code is 'How the accounts call it';
create unique index fund_name_taken on app.funds (org_id, lower(name)) where archived_at is null;
create index funds_by_name on app.funds (org_id, sort_name, id);
create index funds_by_chapter on app.funds (org_id, chapter_id);
select app_private.protect('app.funds');
select app_private.keep_version('app.funds');
select app_private.keep_search('app.funds');
select app_private.keep_audit('app.funds', 'fundraising.manage', 'id');
select app_private.kept_by_chapters('app.funds', 'fundraising.read', 'fundraising.manage');
grant select, insert (org_id, chapter_id, name, code, description, created_by), update (chapter_id, name, code, description, archived_at) on app.funds to app_access;
grant select on app.funds to app_definer;

-- Campaigns ----------------------------------------------------------------------------------------------------------------------------

create table app.campaigns (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  chapter_id uuid,
  name text not null check (char_length(name) between 1 and 150),
  slug text not null,
  kind text not null default 'appeal' check (kind in ('appeal', 'crowdfund', 'memorial', 'membership')),
  status text not null default 'draft' check (status in ('draft', 'active', 'paused', 'ended')),
  visibility text not null default 'public' check (visibility in ('public', 'members', 'unlisted')),
  summary text not null default '' check (char_length(summary) <= 300),
  story jsonb not null default '{"type": "doc", "content": []}' check (app.formatted_text(story, 50000)),
  cover_file_id uuid,
  cover_alt text not null default '' check (char_length(cover_alt) <= 300),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  goal_kind text not null default 'amount' check (goal_kind in ('amount', 'gifts', 'donors', 'recurring')),
  goal_value bigint check (goal_value between 1 and 9007199254740991),
  starts_on date,
  ends_on date,
  suggested jsonb not null default '[]' check (jsonb_typeof(suggested) = 'array' and jsonb_array_length(suggested) <= 6 and octet_length(suggested::text) <= 4000),
  min_amount bigint not null default 100 check (min_amount between 1 and 9007199254740991),
  max_amount bigint check (max_amount between 1 and 9007199254740991),
  allows_recurring boolean not null default true,
  allows_cover_fees boolean not null default true,
  fund_id uuid,
  thanks text not null default '' check (char_length(thanks) <= 1000),
  share_chapter_id uuid,
  share_bps int not null default 0 check (share_bps between 0 and 10000),
  sort_name text collate "C" not null generated always as (app.fold(name)) stored,
  search text collate "C" not null generated always as (app.fold(name || ' ' || summary)) stored,
  archived_at timestamptz,
  created_by uuid,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, chapter_id) references app.chapters (org_id, id),
  foreign key (org_id, share_chapter_id) references app.chapters (org_id, id),
  foreign key (org_id, fund_id) references app.funds (org_id, id),
  foreign key (org_id, cover_file_id) references app.files (org_id, id) on delete set null (cover_file_id),
  constraint campaign_slug check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and char_length(slug) <= 80),
  constraint campaign_ends check (ends_on >= starts_on),
  constraint campaign_fund_needed check (status = 'draft' or fund_id is not null),
  constraint campaign_max_amount check (max_amount >= min_amount),
  constraint campaign_share check ((share_chapter_id is not null) = (share_bps > 0))
);
comment on table app.campaigns is 'What money is raised for, with a goal, a page and the amounts it suggests';
comment on column app.campaigns.chapter_id is 'Where it belongs; null for the whole organisation';
comment on column app.campaigns.slug is 'Its address: /give/{slug}';
comment on column app.campaigns.visibility is 'public: listed for everybody; unlisted: for everybody who has its address; members: for who is signed in';
comment on column app.campaigns.goal_value is 'In minor units where the goal is an amount, or what recurring gifts come to in a month';
comment on column app.campaigns.currency is 'Of all its gifts; fixed once there is one';
comment on column app.campaigns.suggested is 'Amounts to choose from, each {"amount": minor units, "words": what it does}';
comment on column app.campaigns.min_amount is 'The least that can be given on its page';
comment on column app.campaigns.fund_id is 'Where its gifts go unless the donor or the office chooses others';
comment on column app.campaigns.thanks is 'Shown and mailed to who gave';
comment on column app.campaigns.share_bps is 'What share_chapter_id has of each gift, in hundredths of a percent';
-- Each order of the list, with the id that makes it unique.
create unique index campaign_slug_taken on app.campaigns (org_id, slug);
create index campaigns_by_name on app.campaigns (org_id, sort_name, id);
create index campaigns_by_status on app.campaigns (org_id, status, id);
create index campaigns_by_created on app.campaigns (org_id, created_at, id);
create index campaigns_by_end on app.campaigns (org_id, ends_on, id);
create index campaigns_by_chapter on app.campaigns (org_id, chapter_id, id);
create index campaigns_by_share on app.campaigns (org_id, share_chapter_id);
create index campaigns_by_fund on app.campaigns (org_id, fund_id);
create index campaigns_by_cover on app.campaigns (org_id, cover_file_id);

select app_private.protect('app.campaigns');
select app_private.keep_version('app.campaigns');
select app_private.keep_search('app.campaigns');
select app_private.keep_audit('app.campaigns', 'fundraising.manage', 'id');
select app_private.hide_in_audit('app.campaigns', 'story');
select app_private.share_history('fundraising.manage');
select app_private.register_record('campaign', 'app.campaigns', 'fundraising.manage');

-- A draft is for those who manage it.
create policy campaigns_read on app.campaigns for select to app_access using (org_id = (select app.org_id())
  and ((select app.everywhere('fundraising.manage')) or chapter_id = any ((select app.scope('fundraising.manage'))::uuid[])
    or (status <> 'draft' and ((select app.everywhere('fundraising.read')) or chapter_id = any ((select app.scope('fundraising.read'))::uuid[])))));
create policy campaigns_add on app.campaigns for insert to app_access with check (org_id = (select app.org_id()) and created_by = (select app.account_id())
  and ((select app.everywhere('fundraising.manage')) or chapter_id = any ((select app.scope('fundraising.manage'))::uuid[])));
create policy campaigns_change on app.campaigns for update to app_access
  using (org_id = (select app.org_id()) and ((select app.everywhere('fundraising.manage')) or chapter_id = any ((select app.scope('fundraising.manage'))::uuid[])))
  with check (org_id = (select app.org_id()) and ((select app.everywhere('fundraising.manage')) or chapter_id = any ((select app.scope('fundraising.manage'))::uuid[])));
grant select,
  insert (org_id, chapter_id, name, slug, kind, status, visibility, summary, story, cover_file_id, cover_alt, currency, goal_kind, goal_value, starts_on, ends_on, suggested, min_amount, max_amount,
    allows_recurring, allows_cover_fees, fund_id, thanks, share_chapter_id, share_bps, created_by),
  update (chapter_id, name, slug, kind, status, visibility, summary, story, cover_file_id, cover_alt, currency, goal_kind, goal_value, starts_on, ends_on, suggested, min_amount, max_amount,
    allows_recurring, allows_cover_fees, fund_id, thanks, share_chapter_id, share_bps, archived_at) on app.campaigns to app_access;
grant select on app.campaigns to app_definer;

create table app.campaign_funds (
  org_id uuid not null references app.organisations on delete cascade,
  campaign_id uuid not null,
  fund_id uuid not null,
  place int not null default 1 check (place between 1 and 100),
  created_at timestamptz not null default now(),
  primary key (org_id, campaign_id, fund_id),
  foreign key (org_id, campaign_id) references app.campaigns (org_id, id) on delete cascade,
  foreign key (org_id, fund_id) references app.funds (org_id, id)
);
comment on table app.campaign_funds is 'What donors may choose beside the fund of the campaign';
create index campaign_funds_by_fund on app.campaign_funds (org_id, fund_id);
select app_private.protect('app.campaign_funds');
select app_private.keep_audit('app.campaign_funds', 'fundraising.manage', 'campaign_id');
create policy campaign_funds_read on app.campaign_funds for select to app_access using (org_id = (select app.org_id())
  and exists (select from app.campaigns c where c.org_id = campaign_funds.org_id and c.id = campaign_funds.campaign_id));
create policy campaign_funds_add on app.campaign_funds for insert to app_access with check (org_id = (select app.org_id())
  and exists (select from app.campaigns c where c.org_id = campaign_funds.org_id and c.id = campaign_funds.campaign_id
    and ((select app.everywhere('fundraising.manage')) or c.chapter_id = any ((select app.scope('fundraising.manage'))::uuid[]))));
create policy campaign_funds_remove on app.campaign_funds for delete to app_access using (org_id = (select app.org_id())
  and exists (select from app.campaigns c where c.org_id = campaign_funds.org_id and c.id = campaign_funds.campaign_id
    and ((select app.everywhere('fundraising.manage')) or c.chapter_id = any ((select app.scope('fundraising.manage'))::uuid[]))));
grant select, delete, insert (org_id, campaign_id, fund_id, place) on app.campaign_funds to app_access;
grant select on app.campaign_funds to app_definer;

-- What a campaign may become ---------------------------------------------------------------------------------------------------------------

create function app_private.slug_of(org uuid, called text) returns text language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  plain constant text := coalesce(nullif(btrim(left(regexp_replace(app.fold(called), '[^a-z0-9]+', '-', 'g'), 60), '-'), ''), 'campaign');
begin
  return (select case n when 1 then plain else plain || '-' || n end from generate_series(1, 100000) n
    where not exists (select from app.campaigns c where c.org_id = org and c.slug = case n when 1 then plain else plain || '-' || n end) order by n limit 1);
end $$;
comment on function app_private.slug_of(uuid, text) is 'An address that no campaign of the organisation has yet, made of a name';

create function app_private.campaigns_kept() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  -- What it may become, in the order of its life.
  ways constant jsonb := '{"draft": ["active"], "active": ["paused", "ended"], "paused": ["active", "ended"], "ended": ["active"]}';
  s jsonb;
begin
  if new.slug is null then new.slug := app_private.slug_of(new.org_id, new.name);
  -- Said only to whoever may write it at all: this comes before the policies.
  elsif exists (select from app.campaigns c where c.org_id = new.org_id and c.slug = new.slug and c.id <> new.id)
    and new.org_id = app.org_id() and (app.everywhere('fundraising.manage') or new.chapter_id = any (app.scope('fundraising.manage'))) then
    raise exception 'another campaign has this address' using errcode = '23505', constraint = 'campaign_slug_taken';
  end if;
  if tg_op = 'INSERT' or new.suggested is distinct from old.suggested then
    for s in select x from jsonb_array_elements(new.suggested) x loop
      if jsonb_typeof(s) <> 'object' or jsonb_typeof(s -> 'amount') is distinct from 'number' or (s ->> 'amount')::numeric not between 1 and 9007199254740991
        or (s ->> 'amount')::numeric % 1 <> 0 or char_length(coalesce(s ->> 'words', '')) > 80 then
        raise exception 'a suggested amount has an amount and at most 80 letters' using errcode = '23514', constraint = 'campaign_suggested';
      end if;
    end loop;
  end if;
  if new.fund_id is not null and (tg_op = 'INSERT' or new.fund_id is distinct from old.fund_id)
    and exists (select from app.funds f where f.org_id = new.org_id and f.id = new.fund_id and f.archived_at is not null) then
    raise exception 'this fund is archived' using errcode = '23514', constraint = 'fund_archived';
  end if;
  if tg_op = 'INSERT' then
    if new.status not in ('draft', 'active') then
      raise exception 'a campaign begins as a draft' using errcode = '23514', constraint = 'campaign_status', detail = json_build_object('from', 'draft', 'to', new.status)::text;
    end if;
    return new;
  end if;
  if new.status <> old.status and not (ways -> old.status ? new.status) then
    raise exception 'a campaign that is % does not become %', old.status, new.status
      using errcode = '23514', constraint = 'campaign_status', detail = json_build_object('from', old.status, 'to', new.status)::text;
  end if;
  if new.status = 'active' and old.status = 'ended' and new.ends_on < app_private.today_in(new.org_id) then
    raise exception 'its last day is over' using errcode = '23514', constraint = 'campaign_over', detail = json_build_object('on', new.ends_on)::text;
  end if;
  return new;
end $$;
comment on function app_private.campaigns_kept() is 'Keeps a campaign to the order of its life, and gives a new one an address';
create trigger campaigns_kept before insert or update on app.campaigns for each row execute function app_private.campaigns_kept();

create function app_private.funds_kept() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if new.archived_at is null and exists (select from app.funds f where f.org_id = new.org_id and lower(f.name) = lower(new.name) and f.id <> new.id and f.archived_at is null)
    and new.org_id = app.org_id() and (app.everywhere('fundraising.manage') or new.chapter_id = any (app.scope('fundraising.manage'))) then
    raise exception 'another fund has this name' using errcode = '23505', constraint = 'fund_name_taken';
  end if;
  if tg_op = 'UPDATE' and new.archived_at is not null and old.archived_at is null
    and exists (select from app.campaigns c where c.org_id = new.org_id and c.fund_id = new.id and c.status in ('active', 'paused') and c.archived_at is null) then
    raise exception 'a campaign that runs gives to this fund' using errcode = '23514', constraint = 'fund_in_use';
  end if;
  return new;
end $$;
comment on function app_private.funds_kept() is 'Refuses two open funds of one name, and to archive a fund that a running campaign gives to';
create trigger funds_kept before insert or update on app.funds for each row execute function app_private.funds_kept();

-- The cover of a campaign is a picture of its own, as that of an event ---------------------------------------------------------------------

drop index app.files_one_picture;
create unique index files_one_picture on app.files (org_id, record_type, record_id) where use = 'picture' and removed_at is null and record_type not in ('event', 'campaign');
comment on column app.files.use is 'attachment: listed with its record; picture: its face, or the cover of an event or a campaign';
create index files_campaign_pictures on app.files (created_at) where use = 'picture' and record_type = 'campaign';

create policy files_campaign_covers on app.files for select to app_access
  using (use = 'picture' and record_type = 'campaign' and exists (select from app.campaigns c where c.org_id = files.org_id and c.cover_file_id = files.id));

create function app_private.campaigns_cover() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if not exists (select from app.files f where f.org_id = new.org_id and f.id = new.cover_file_id and f.use = 'picture' and f.record_type = 'campaign' and f.record_id = new.id) then
    raise exception 'the cover of a campaign is a picture of this campaign' using errcode = '23514', constraint = 'campaign_cover';
  end if;
  return new;
end $$;
comment on function app_private.campaigns_cover() is 'A cover is a picture of the campaign';
create trigger campaigns_cover_new before insert on app.campaigns for each row when (new.cover_file_id is not null) execute function app_private.campaigns_cover();
create trigger campaigns_cover_change before update of cover_file_id on app.campaigns for each row
  when (new.cover_file_id is not null and new.cover_file_id is distinct from old.cover_file_id) execute function app_private.campaigns_cover();

create function app_private.campaigns_cover_changed() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update app.files f set removed_at = case when f.id = new.cover_file_id then null else now() end
    where f.org_id = new.org_id and f.use = 'picture' and (f.id = new.cover_file_id and f.removed_at is not null or f.id = old.cover_file_id and f.removed_at is null);
  return null;
end $$;
comment on function app_private.campaigns_cover_changed() is 'Removes the picture that the campaign shows no more, and brings one back that it shows again';
create trigger campaigns_cover_changed after update of cover_file_id on app.campaigns for each row when (new.cover_file_id is distinct from old.cover_file_id)
  execute function app_private.campaigns_cover_changed();

create or replace function app.purge_files() returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
  delete from app.files f where f.removed_at < now() - interval '7 days';
  delete from app.files f where f.use = 'picture' and f.record_type = 'event' and f.created_at < now() - interval '7 days'
    and not exists (select from app.events e where e.org_id = f.org_id and e.cover_file_id = f.id);
  delete from app.files f where f.use = 'picture' and f.record_type = 'campaign' and f.created_at < now() - interval '7 days'
    and not exists (select from app.campaigns c where c.org_id = f.org_id and c.cover_file_id = f.id);
  delete from app.loose_files l using app.files f where l.due_at <= now() and f.org_id = l.org_id and f.id = l.file_id
$$;
comment on function app.purge_files() is 'Forgets files that were removed 7 days ago, and pictures that no event and no campaign has shown since; for the worker';

-- Settings ----------------------------------------------------------------------------------------------------------------------------------

create table app.fundraising_settings (
  org_id uuid not null unique references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  fee_bps int not null default 0 check (fee_bps between 0 and 2000),
  fee_fixed bigint not null default 0 check (fee_fixed between 0 and 100000),
  max_amount bigint default 10000000 check (max_amount between 1 and 9007199254740991),
  thank_you_days int not null default 3 check (thank_you_days between 1 and 90),
  thank_you_subject text not null default '' check (char_length(thank_you_subject) <= 150),
  thank_you_body text not null default '' check (char_length(thank_you_body) <= 2000),
  version int not null default 1,
  updated_at timestamptz not null default now(),
  primary key (org_id, id)
);
comment on table app.fundraising_settings is 'What an organisation keeps about gifts. Without a row, as the defaults say';
comment on column app.fundraising_settings.fee_bps is 'What the payment provider takes of a gift, in hundredths of a percent; fee_fixed comes on top. Donors may cover it';
comment on column app.fundraising_settings.max_amount is 'The most that somebody gives online at once; null for no limit';
comment on column app.fundraising_settings.thank_you_days is 'Within so many days everybody who gave is thanked by somebody';
comment on column app.fundraising_settings.thank_you_subject is 'Where a letter of thanks begins; whoever thanks changes it';
select app_private.protect('app.fundraising_settings');
select app_private.keep_version('app.fundraising_settings');
select app_private.keep_audit('app.fundraising_settings', 'gifts.read');
-- What a fee comes to is reckoned on every form.
create policy fundraising_settings_read on app.fundraising_settings for select to app_access using (org_id = (select app.org_id()));
create policy fundraising_settings_add on app.fundraising_settings for insert to app_access with check (org_id = (select app.org_id()) and (select app.everywhere('gifts.manage')));
create policy fundraising_settings_change on app.fundraising_settings for update to app_access
  using (org_id = (select app.org_id()) and (select app.everywhere('gifts.manage'))) with check (org_id = (select app.org_id()) and (select app.everywhere('gifts.manage')));
grant select, insert (org_id), update (fee_bps, fee_fixed, max_amount, thank_you_days, thank_you_subject, thank_you_body) on app.fundraising_settings to app_access;
grant select on app.fundraising_settings to app_definer;

create function app_private.most_at_once(org uuid) returns bigint language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select case when s.org_id is null then 10000000 else s.max_amount end from (select 1) one left join app.fundraising_settings s on s.org_id = org
$$;
comment on function app_private.most_at_once(uuid) is 'The most that somebody gives online at once, null for no limit';
create function app_private.gift_fee(org uuid, base bigint) returns bigint language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce((select ceil((base::numeric * s.fee_bps + s.fee_fixed::numeric * 10000) / (10000 - s.fee_bps))::bigint from app.fundraising_settings s where s.org_id = org), 0)
$$;
comment on function app_private.gift_fee(uuid, bigint) is 'What has to be given on top, so that after the provider''s fee this amount is left';

select app_private.own_definers();
grant execute on function app_private.slug_of(uuid, text), app_private.gift_fee(uuid, bigint), app_private.most_at_once(uuid) to app_definer;
