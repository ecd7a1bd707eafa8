import type pg from 'pg'
import { addYears, isoOf, yearOf } from '../days.ts'
import { datedId, drawnId } from '../random.ts'
import { accountId } from '../world.ts'
import type { World } from '../world.ts'

type Fund = { key: string; name: string; code: string; description: string }
const funds: readonly Fund[] = [
  { key: 'general', name: 'General fund', code: '4000', description: 'Wherever it is needed most.' },
  {
    key: 'school',
    name: 'Field school scholarships',
    code: '4100',
    description: 'Two weeks in the field for students who could not pay for it.',
  },
  { key: 'library', name: 'Map library', code: '4200', description: 'Conservation, scanning and a reading room with light.' },
  {
    key: 'disaster',
    name: 'Disaster mapping',
    code: '4300',
    description: 'Maps within a day, for those who help after floods and earthquakes.',
  },
  { key: 'travel', name: 'Travel grants', code: '4400', description: 'Members under thirty who speak at a conference.' },
]

type Campaign = {
  key: 'kits' | 'winter' | 'library' | 'friends'
  name: string
  slug: string
  kind: 'appeal' | 'crowdfund' | 'memorial' | 'membership'
  status: 'draft' | 'active' | 'ended'
  fund: string
  others: readonly string[]
  summary: string
  story: readonly string[]
  thanks: string
  goalKind: 'amount' | 'recurring'
  /** Null where it follows from what was raised. */
  goal: number | null
  /** Days from today on which it was made, began and ends. */
  made: number
  from: number | null
  until: number | null
  suggested: readonly (readonly [amount: number, words: string])[]
  /** The chapter that has a part of each gift, by its place in the tree. */
  share?: readonly [chapter: number, bps: number]
}

/** The last of December before today, at least some weeks ago, as days from today. */
export const lastDecember = ({ today }: Pick<World, 'today'>) => {
  const last = (year: number) => addYears(Date.UTC(2000, 11, 31) / 86_400_000, year - 2000)
  return last(yearOf(today - 45) - 1) - today
}

const campaignsOf = (world: World): Campaign[] => {
  const december = lastDecember(world)
  const region = world.chapters.find(({ name }) => name === 'Nordic Region')?.index
  return [
    {
      key: 'kits',
      name: 'Field kits for the next generation',
      slug: 'field-kits',
      kind: 'appeal',
      status: 'active',
      fund: 'school',
      others: ['general', 'disaster', 'travel'],
      summary: 'A total station, a tripod and two poles: what every chapter needs to take students into the field.',
      story: [
        'Our chapters own eleven field kits. Nineteen of them have none, and their students learn surveying from slides.',
        'A kit costs 1,500 euro and lasts ten years. Forty students use it every year, most of them for the first time.',
        'What is left over after the last kit goes into scholarships for the field school.',
      ],
      thanks: 'Thank you. We write to everybody who gave as soon as the first kits are on their way.',
      goalKind: 'amount',
      goal: null,
      ...{ made: -160, from: -150, until: 60 },
      suggested: [
        [2500, 'a pole and a prism for one afternoon'],
        [4000, 'a day in the field for one student'],
        [10_000, 'a tripod that stands for ten years'],
        [25_000, 'a weekend in the field for a class'],
        [150_000, 'a whole kit for a chapter'],
      ],
      ...(world.biggest < 0 ? {} : { share: [world.biggest, 2000] as const }),
    },
    {
      key: 'winter',
      name: `Winter appeal ${yearOf(world.today + december)}`,
      slug: `winter-appeal-${yearOf(world.today + december)}`,
      kind: 'appeal',
      status: 'ended',
      fund: 'disaster',
      others: ['general', 'school'],
      summary: 'Volunteers drew maps of four flooded valleys within a day. The next flood will come; the servers should be there.',
      story: [
        'In spring, two hundred members mapped four valleys while the water was still rising. Rescue teams printed the maps the same night.',
        'This appeal pays for imagery, servers and the training of two hundred more volunteers.',
      ],
      thanks: 'Thank you for a winter appeal that went further than we had hoped.',
      goalKind: 'amount',
      goal: null,
      ...{ made: december - 85, from: december - 70, until: december },
      suggested: [
        [2000, 'an hour of satellite imagery'],
        [5000, 'the training of one volunteer'],
        [20_000, 'a server for a month'],
      ],
      ...(region === undefined ? {} : { share: [region, 1000] as const }),
    },
    {
      key: 'library',
      name: 'A reading room for the map library',
      slug: 'reading-room',
      kind: 'crowdfund',
      status: 'draft',
      fund: 'library',
      others: [],
      summary: 'Twelve seats, north light and a table for the large sheets.',
      story: ['Draft. Ask the architect for the drawing of the large table before this goes out.'],
      thanks: '',
      goalKind: 'amount',
      goal: 4_500_000,
      ...{ made: -9, from: 25, until: 150 },
      suggested: [
        [5000, 'a lamp'],
        [35_000, 'a chair with your name on it'],
      ],
    },
    {
      key: 'friends',
      name: 'Friends of the Meridian',
      slug: 'friends',
      kind: 'membership',
      status: 'active',
      fund: 'general',
      others: ['school', 'library', 'disaster'],
      summary: 'A little every month is what the Society plans with.',
      story: [
        'Appeals come and go. What the Society can plan with is what comes every month: it keeps the library open, the servers on and the office staffed.',
        'You can change, pause or stop your gift at any time, with the link in every receipt.',
      ],
      thanks: 'Welcome among the friends of the Meridian. Every receipt has a link with which you change, pause or stop your gift.',
      goalKind: 'recurring',
      goal: 60_000,
      ...{ made: -1_010, from: -1_000, until: null },
      suggested: [
        [500, 'keeps the map server on for a day'],
        [1000, 'an hour in the library for everybody'],
        [2500, 'a young member’s dues'],
      ],
    },
  ]
}

const documentOf = (lines: readonly string[]) => ({
  type: 'doc',
  content: lines.map((text) => ({ type: 'paragraph', content: [{ type: 'text', text }] })),
})

/** Funds, four campaigns, and what fees come to and how donors are thanked. The goals of two of them follow from what they raised. */
export async function addCampaigns(client: pg.Client, world: World): Promise<number> {
  const treasurer = [...world.personas].find(([, { demo }]) => demo.sub === 'finance')?.[0]
  const by = treasurer === undefined ? null : accountId(world, treasurer)
  const today = isoOf(world.today)
  let rows = 0
  const add = async (text: string, values: unknown[]) => {
    rows += (await client.query(text, values)).rowCount ?? 0
  }
  await client.query(
    `create temporary table demo_funds on commit drop as
     select f.*, ${drawnId("'fund ' || f.key")} as id from jsonb_to_recordset($1::jsonb) f (key text, name text, code text, description text)`,
    [JSON.stringify(funds)],
  )
  await add(
    `insert into app.funds (org_id, id, name, code, description, created_by, created_at, updated_at)
     select $1, f.id, f.name, f.code, f.description, $2, d.at, d.at from demo_funds f cross join lateral (select $3::date - 1095 + time '10:00' as at) d`,
    [world.orgId, by, today],
  )
  const campaigns = campaignsOf(world).map(({ story, suggested, share, others, ...campaign }) => ({
    ...campaign,
    story: documentOf(story),
    suggested: suggested.map(([amount, words]) => ({ amount, words })),
    others,
    share_chapter: share === undefined ? null : (world.chapters[share[0]]?.id ?? null),
    share_bps: share?.[1] ?? 0,
  }))
  await client.query(
    `create temporary table demo_campaigns on commit drop as
     select c.*, ${drawnId("'campaign ' || c.key")} as id, (select f.id from demo_funds f where f.key = c.fund) as fund_id, $2::date + c."from" as starts_on, $2::date + c.until as ends_on, $2::date + c.made + time '10:00' as made_at
     from jsonb_to_recordset($1::jsonb) c (key text, name text, slug text, kind text, status text, fund text, others jsonb, summary text, story jsonb, thanks text, "goalKind" text, goal bigint,
       made int, "from" int, until int, suggested jsonb, share_chapter uuid, share_bps int)`,
    [JSON.stringify(campaigns), today],
  )
  await add(
    `insert into app.campaigns (org_id, id, name, slug, kind, status, summary, story, currency, goal_kind, goal_value, starts_on, ends_on, suggested, min_amount, fund_id, thanks, share_chapter_id, share_bps,
       created_by, created_at, updated_at)
     select $1, c.id, c.name, c.slug, c.kind, c.status, c.summary, c.story, 'EUR', c."goalKind", c.goal, c.starts_on, c.ends_on, c.suggested, 500, c.fund_id, c.thanks, c.share_chapter, c.share_bps, $2, c.made_at, c.made_at
     from demo_campaigns c`,
    [world.orgId, by],
  )
  await add(
    `insert into app.campaign_funds (org_id, campaign_id, fund_id, place, created_at)
     select $1, c.id, f.id, o.place, c.made_at from demo_campaigns c cross join jsonb_array_elements_text(c.others) with ordinality o (key, place) join demo_funds f on f.key = o.key`,
    [world.orgId],
  )
  await add(
    `insert into app.fundraising_settings (org_id, id, fee_bps, fee_fixed, max_amount, thank_you_days, thank_you_subject, thank_you_body, updated_at)
     values ($1, ${datedId("'settings of fundraising'", "$2::timestamptz - interval '1000 days'")}, 140, 25, 2000000, 4, 'Thank you, {first_name}', $3, $2::timestamptz - interval '1000 days')`,
    [
      world.orgId,
      today,
      'Dear {first_name},\n\nyour gift of {amount} for “{campaign}” has arrived, and I would like to thank you in person.\n\nWith kind regards\nFarid Haddad, Treasurer\n{organisation}',
    ],
  )
  return rows
}

/** The appeal that is over reached its goal; the one that runs has come two thirds of the way. */
export async function setGoals(client: pg.Client, world: World): Promise<void> {
  await client.query(
    `update app.campaigns c set goal_value = case d.key when 'winter' then greatest(1, floor(t.counted_amount / 100000.0)) * 100000 else greatest(1, round(t.counted_amount * 1.5 / 500000.0)) * 500000 end
     from demo_campaigns d, app.campaign_totals t where c.org_id = $1 and c.id = d.id and t.org_id = c.org_id and t.campaign_id = c.id and d.key in ('winter', 'kits')`,
    [world.orgId],
  )
}
