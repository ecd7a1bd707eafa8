import { mayInChapter } from '../../../platform/lists/json-refs.ts'
import { standardBy, standardChoices } from '@guildhall/contract/features/reports.standard'
import { sql } from 'kysely'
import type { Condition, FactReport, Source, Sql } from './reports.facts.queries.ts'
import { measuresOf, percent } from './reports.facts.rules.ts'
import type { Asked } from './reports.facts.rules.ts'
import { during, groupOf, grouped, within } from './reports.grouping.queries.ts'

// Gifts count while something of them is left, and test gifts never: app.gifts.counted_amount says both. Money of other currencies is not added up.

const mine = ({ currency }: Asked, column: Sql): Condition => sql`${column} = ${currency}`
const worth = (asked: Asked): Condition[] => [
  sql`g.counted_amount > 0`,
  during(sql`g.received_on`, asked),
  within(asked, 'gifts.read', sql`g.chapter_id`),
]

/** A gift, as `g`. */
export const gift = {
  kind: sql`'gift'`,
  id: sql`g.id`,
  person: sql`g.person_id`,
  name: sql`case when g.person_id is null then g.donor_name end`,
  chapter: sql`g.chapter_id`,
  detail: sql`g.method`,
  on: sql`g.received_on`,
}
/** The donor instead; who is no person is shown by a gift of theirs. */
const donor = {
  kind: sql`case when g.person_id is null then 'gift' else 'person' end`,
  id: sql`coalesce(g.person_id, g.id)`,
  detail: sql`null`,
  on: sql`null`,
}

const money = (asked: Asked) => ({ when: mine(asked, sql`g.currency`), weighs: sql`g.counted_amount`, money: true }) as const

export const giving: FactReport = {
  by: standardBy.giving,
  dimensions: (asked) => [groupOf(asked)],
  measures: measuresOf('giving', {
    // Totals of campaigns do not say how many gave.
    gifts: { of: ({ raised, gifts }) => (!gifts && raised ? null : (gifts ?? null)) },
    donors: { of: ({ raised, donors }) => (!donors && raised ? null : (donors ?? null)) },
    average: { behind: 'gifts', of: ({ raised, gifts }) => (gifts ? Math.round((raised ?? 0) / gifts) : null) },
  }),
  sources: (asked) => {
    const key = grouped(asked, { day: sql`g.received_on`, chapter: sql`g.chapter_id` })
    return [
      {
        tables: sql`app.gifts g`,
        where: worth(asked),
        keys: [key],
        record: gift,
        weights: {
          raised: money(asked),
          gifts: { when: mine(asked, sql`g.currency`) },
          donors: { when: mine(asked, sql`g.currency`), once: sql`g.donor_key`, record: donor },
          otherCurrency: { when: sql`g.currency <> ${asked.currency}` },
        },
      },
      totalsOfCampaigns(asked),
    ]
  },
  picture: ({ by }) => (by === 'chapter' || by === 'region' ? 'table' : 'line'),
}

/** What campaigns came to, for those who look after them and may not see single gifts. */
const totalsOfCampaigns = (asked: Asked): Source => ({
  tables: sql`app.campaign_days d join app.campaigns c on c.org_id = d.org_id and c.id = d.campaign_id`,
  where: [
    mine(asked, sql`d.currency`),
    during(sql`d.day`, asked),
    within(asked, 'fundraising.manage', sql`c.chapter_id`),
    sql`not ${mayInChapter('gifts.read', sql`c.chapter_id`)}`,
  ],
  keys: [grouped(asked, { day: sql`d.day`, chapter: sql`c.chapter_id` })],
  record: {
    ...{ kind: sql`'campaign'`, id: sql`c.id`, key: sql`c.id || ' ' || d.day`, name: sql`c.name` },
    ...{ chapter: sql`c.chapter_id`, detail: sql`null`, on: sql`d.day` },
  },
  weights: { raised: { when: sql`d.amount > d.refunded`, weighs: sql`d.amount - d.refunded`, money: true } },
})

export const topDonors: FactReport = {
  by: standardBy['top-donors'],
  dimensions: () => [{ key: 'donor', kind: 'person', names: 'person' }],
  measures: measuresOf('top-donors'),
  sources: (asked) => [
    {
      tables: sql`app.gifts g`,
      where: [...worth(asked), mine(asked, sql`g.currency`)],
      keys: [sql`case when g.person_id is not null then g.person_id::text else 'other:' || md5(g.donor_key) end`],
      label: sql`case when g.person_id is null then g.donor_name end`,
      record: gift,
      weights: { raised: { weighs: sql`g.counted_amount`, money: true }, gifts: {} },
      rankBy: 'raised',
    },
  ],
  picture: () => 'table',
  mostRows: 100,
}

export const funds: FactReport = {
  by: standardBy.funds,
  dimensions: () => [
    { key: 'fund', kind: 'record', names: 'fund' },
    { key: 'campaign', kind: 'record', names: 'campaign' },
  ],
  measures: measuresOf('funds'),
  sources: (asked) => [
    {
      tables: sql`app.allocations_received(${asked.since ?? '-infinity'}::date, ${asked.until}::date) a join app.gifts g on g.id = a.gift_id`,
      where: [...worth(asked), mine(asked, sql`g.currency`)],
      keys: [sql`a.fund_id::text`, sql`g.campaign_id::text`],
      record: { ...gift, key: sql`g.id || ' ' || a.fund_id` },
      weights: { raised: { weighs: sql`a.settled_amount`, money: true }, gifts: {} },
    },
  ],
  picture: () => 'bars',
}

/** In which years people gave, as rows of person and year: from what is counted, or from the gifts of the chapters that the reader sees. */
const years = (asked: Asked): Sql => {
  const everywhere = sql`(select app.everywhere('gifts.read'))`
  const ofGifts = sql`select g.person_id, extract(year from g.received_on)::int as year from app.gifts g
    where g.counted_amount > 0 and g.person_id is not null and ${mine(asked, sql`g.currency`)} and ${within(asked, 'gifts.read', sql`g.chapter_id`)}`
  return asked.chapterId === null
    ? sql`select y.person_id, y.year from app.donor_years y where ${everywhere} and y.amount > 0 union ${ofGifts} and not ${everywhere}`
    : sql`${ofGifts} group by 1, 2`
}
const shownYears = 10

const donorYears = (asked: Asked): Source => {
  const last = Number(asked.today.slice(0, 4))
  const state = (...wanted: string[]) => ({ when: sql<never>`x.state in (${sql.join(wanted.map((each) => sql.lit(each)))})` })
  return {
    tables: sql`(
      select d.person_id, y.year, case when y.year = any (d.years)
          then case when d.first = y.year then 'new' when y.year - 1 = any (d.years) then 'kept' else 'returned' end
          when y.year - 1 = any (d.years) then 'lybunt' when d.first < y.year then 'sybunt' end as state
      from (select g.person_id, min(g.year) as first, array_agg(g.year) as years from (${years(asked)}) g group by g.person_id) d
        cross join generate_series(${sql.lit(last - shownYears + 1)}, ${sql.lit(last)}) y (year)) x`,
    where: [sql`x.state is not null`],
    keys: [sql`x.year || '-01-01'`],
    record: {
      kind: sql`'person'`,
      id: sql`x.person_id`,
      key: sql`x.person_id || ' ' || x.year`,
      person: sql`x.person_id`,
      chapter: sql`(select p.home_chapter_id from app.people p where p.id = x.person_id)`,
      detail: sql`x.state`,
    },
    weights: {
      donors: state('new', 'kept', 'returned'),
      new: state('new'),
      kept: state('kept'),
      returned: state('returned'),
      lybunt: state('lybunt'),
      sybunt: state('sybunt'),
    },
  }
}

/** Somebody is counted in every year. */
const overlaps = { adds: false } as const

export const donorRetention: FactReport = {
  by: standardBy['donor-retention'],
  dimensions: () => [{ key: 'year', kind: 'day', bucket: 'year' }],
  measures: measuresOf('donor-retention', {
    donors: overlaps,
    new: overlaps,
    kept: overlaps,
    returned: overlaps,
    lybunt: overlaps,
    sybunt: overlaps,
    retained: { ...overlaps, behind: 'kept', of: ({ kept, lybunt }) => percent(kept, (kept ?? 0) + (lybunt ?? 0)) },
  }),
  sources: (asked) => [donorYears(asked)],
  picture: () => 'table',
}

const { status: statuses } = standardChoices['recurring-giving']

export const recurringGiving: FactReport = {
  by: standardBy['recurring-giving'],
  dimensions: () => [{ key: 'status', kind: 'choice', order: statuses }],
  measures: measuresOf('recurring-giving'),
  sources: (asked) => [
    {
      tables: sql`app.recurring_plans p`,
      where: [sql`p.counts and not p.is_test`, within(asked, 'gifts.read', sql`p.chapter_id`)],
      keys: [sql`p.status`],
      record: {
        kind: sql`'plan'`,
        id: sql`p.id`,
        person: sql`p.person_id`,
        name: sql`case when p.person_id is null then p.donor_name end`,
        chapter: sql`p.chapter_id`,
        detail: sql`p.interval`,
        on: sql`p.next_on`,
      },
      weights: {
        plans: { when: mine(asked, sql`p.currency`) },
        perYear: {
          when: mine(asked, sql`p.currency`),
          weighs: sql`p.amount * case p.interval when 'month' then 12 when 'quarter' then 4 else 1 end`,
          money: true,
        },
        otherCurrency: { when: sql`p.currency <> ${asked.currency}` },
      },
    },
  ],
  picture: () => 'table',
}

export const pledgesOverdue: FactReport = {
  by: standardBy['pledges-overdue'],
  dimensions: () => [{ key: 'donor', kind: 'person', names: 'person' }],
  measures: measuresOf('pledges-overdue', { days: { adds: false, behind: 'instalments' } }),
  sources: (asked) => {
    const late = sql`${asked.today}::date - i.due_on`
    return [
      {
        tables: sql`app.pledge_instalments i join app.pledges p on p.id = i.pledge_id`,
        where: [
          sql`i.state = 'due' and i.due_on < ${asked.today}::date and p.status = 'open'`,
          within(asked, 'gifts.read', sql`p.chapter_id`),
        ],
        keys: [sql`p.person_id::text`],
        record: {
          kind: sql`'pledge'`,
          id: sql`p.id`,
          key: sql`i.id::text`,
          person: sql`p.person_id`,
          chapter: sql`p.chapter_id`,
          detail: late,
          on: sql`i.due_on`,
        },
        weights: {
          overdue: { when: mine(asked, sql`p.currency`), weighs: sql`i.amount`, money: true },
          instalments: { when: mine(asked, sql`p.currency`) },
          days: { when: mine(asked, sql`p.currency`), weighs: late, most: true },
          otherCurrency: { when: sql`p.currency <> ${asked.currency}` },
        },
        rankBy: 'overdue',
      },
    ]
  },
  picture: () => 'table',
}
