-- Pledges: what somebody has promised to give, in instalments. Money that is promised stands apart from money that came.

create table app.pledges (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  person_id uuid not null,
  campaign_id uuid,
  fund_id uuid not null,
  chapter_id uuid,
  amount bigint not null check (amount between 1 and 9007199254740991),
  open_amount bigint not null default 0,
  paid_amount bigint not null default 0,
  next_due_on date,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  pledged_on date not null,
  status text not null default 'open' check (status in ('open', 'fulfilled', 'cancelled')),
  cancelled_at timestamptz,
  cancel_reason text not null default '' check (char_length(cancel_reason) <= 500),
  created_by uuid,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, person_id) references app.people (org_id, id),
  foreign key (org_id, campaign_id) references app.campaigns (org_id, id),
  foreign key (org_id, fund_id) references app.funds (org_id, id),
  foreign key (org_id, chapter_id) references app.chapters (org_id, id),
  constraint pledges_open check (open_amount between 0 and amount),
  constraint pledges_cancelled check ((status = 'cancelled') = (cancelled_at is not null))
);
comment on table app.pledges is 'What somebody has promised to give';
comment on column app.pledges.open_amount is 'What of it is still to come: its instalments that are due, while it is open';
comment on column app.pledges.paid_amount is 'Its instalments that were paid';
comment on column app.pledges.next_due_on is 'Day of the first instalment that is due';
create index pledges_by_person on app.pledges (org_id, person_id, id desc);
create index pledges_by_campaign on app.pledges (org_id, campaign_id, id desc);
create index pledges_by_chapter on app.pledges (org_id, chapter_id, id desc);
create index pledges_by_fund on app.pledges (org_id, fund_id);
create index pledges_by_status on app.pledges (org_id, status, id desc);
create index pledges_by_day on app.pledges (org_id, pledged_on desc, id desc);
create index pledges_by_due on app.pledges (org_id, next_due_on, id);
create index pledges_by_amount on app.pledges (org_id, amount desc, id desc);
select app_private.protect('app.pledges');
select app_private.keep_version('app.pledges');
select app_private.keep_audit('app.pledges', 'gifts.read', 'id');
create policy pledges_read on app.pledges for select to app_access using (org_id = (select app.org_id())
  and ((select app.everywhere('gifts.read')) or chapter_id = any ((select app.scope('gifts.read'))::uuid[]) or person_id = (select app.person_id())));
grant select on app.pledges to app_access;
grant select, insert, update on app.pledges to app_definer;

create table app.pledge_instalments (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  pledge_id uuid not null,
  place int not null check (place between 1 and 120),
  due_on date not null,
  amount bigint not null check (amount between 1 and 9007199254740991),
  state text not null default 'due' check (state in ('due', 'paid', 'waived')),
  gift_id uuid,
  primary key (org_id, id),
  unique (org_id, pledge_id, place) deferrable initially deferred,
  foreign key (org_id, pledge_id) references app.pledges (org_id, id) on delete cascade,
  foreign key (org_id, gift_id) references app.gifts (org_id, id),
  constraint pledge_instalments_paid check ((state = 'paid') = (gift_id is not null))
);
comment on table app.pledge_instalments is 'What of a pledge comes when; overdue is one that is due and whose day is over';
comment on column app.pledge_instalments.gift_id is 'What paid it';
create index pledge_instalments_by_gift on app.pledge_instalments (org_id, gift_id);
create index pledge_instalments_due on app.pledge_instalments (org_id, due_on, id) where state = 'due';
select app_private.protect('app.pledge_instalments');
select app_private.keep_audit('app.pledge_instalments', 'gifts.read', 'pledge_id');
create policy pledge_instalments_read on app.pledge_instalments for select to app_access using (org_id = (select app.org_id())
  and exists (select from app.pledges p where p.org_id = pledge_instalments.org_id and p.id = pledge_instalments.pledge_id));
grant select on app.pledge_instalments to app_access;
grant select, insert, update, delete on app.pledge_instalments to app_definer;

alter table app.gifts add foreign key (org_id, instalment_id) references app.pledge_instalments (org_id, id);

-- A note is the office's own: a donor sees their gift and their pledge, and not what stands here.
create table app.giving_notes (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  gift_id uuid,
  pledge_id uuid,
  note text not null check (char_length(note) between 1 and 500),
  primary key (org_id, id),
  unique (org_id, gift_id),
  unique (org_id, pledge_id),
  foreign key (org_id, gift_id) references app.gifts (org_id, id) on delete cascade,
  foreign key (org_id, pledge_id) references app.pledges (org_id, id) on delete cascade,
  constraint giving_notes_one check (num_nonnulls(gift_id, pledge_id) = 1)
);
comment on table app.giving_notes is 'What the office notes about a gift or a pledge, for those who see donors and for whoever recorded it. Not in the audit log: it is a note, and goes with the person';
select app_private.protect('app.giving_notes');
create policy giving_notes_read on app.giving_notes for select to app_access using (org_id = (select app.org_id())
  and ((select app.everywhere('gifts.read'))
    or exists (select from app.gifts g where g.org_id = giving_notes.org_id and g.id = giving_notes.gift_id
      and (g.chapter_id = any ((select app.scope('gifts.read'))::uuid[])
        or (g.created_by = (select app.account_id()) and ((select app.everywhere('gifts.record')) or g.chapter_id = any ((select app.scope('gifts.record'))::uuid[])))))
    or exists (select from app.pledges p where p.org_id = giving_notes.org_id and p.id = giving_notes.pledge_id and p.chapter_id = any ((select app.scope('gifts.read'))::uuid[]))));
grant select on app.giving_notes to app_access;
grant select, insert, update, delete on app.giving_notes to app_definer;
