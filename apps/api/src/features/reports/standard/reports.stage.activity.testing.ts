import type pg from 'pg'
import { dayFrom } from './reports.random.testing.ts'
import type { Random } from './reports.random.testing.ts'
import type { Add, Stage } from './reports.stage.writer.testing.ts'

export async function addGiving(add: Add, people: readonly string[], { today, chapters }: Stage, random: Random): Promise<void> {
  const places = [...Object.values(chapters), null]
  const [general = '', library = ''] = await add(
    'funds',
    ['General', 'Library'].map((name) => ({ name, code: '', description: '' })),
  )
  const campaigns = await add(
    'campaigns',
    ['Spring', 'Autumn'].map((name, nth) => ({
      ...{
        name,
        slug: `${name.toLowerCase()}-${random.below(1e6)}`,
        kind: 'appeal',
        status: 'active',
        visibility: 'public',
        summary: '',
        story: {},
        chapter_id: null,
      },
      ...{
        currency: 'EUR',
        goal_kind: 'amount',
        suggested: [],
        min_amount: 100,
        allows_recurring: true,
        allows_cover_fees: false,
        fund_id: nth ? library : general,
      },
      ...{ thanks: '', share_bps: 0 },
    })),
  )
  const gifts = Array.from({ length: 160 }, () => {
    const amount = 100 * (1 + random.below(500))
    const status = random.one(['settled', 'settled', 'settled', 'settled', 'partly_refunded', 'refunded', 'failed', 'disputed'])
    const received_on = dayFrom(today, -random.below(1400))
    const person_id = random.chance(80) ? random.one(people) : null
    return {
      ...{ campaign_id: random.chance(70) ? random.one(campaigns) : null, chapter_id: random.one(places), person_id },
      ...{
        donor_name: person_id === null ? random.one(['Hill Bakery', 'Bridge Inn', 'Anna']) : '',
        donor_email: '',
        amount,
        fee_covered: 0,
      },
      ...{ currency: random.chance(90) ? 'EUR' : 'USD', method: random.one(['cash', 'card', 'cheque']), status, counts: random.chance(94) },
      ...{
        refunded_amount: status === 'refunded' ? amount : status === 'partly_refunded' ? 50 : 0,
        is_test: false,
        is_anonymous: false,
        tribute_name: '',
        message: '',
      },
      ...{
        source: 'office',
        received_on,
        settled_at: `${received_on}T12:00:00Z`,
        share_amount: 0,
        wants_receipt_mail: false,
        foreign_id: '',
      },
    }
  })
  const ids = await add('gifts', gifts)
  await add(
    'gift_allocations',
    gifts.flatMap(({ amount, status, counts, refunded_amount }, nth) => {
      const worth = counts && (status === 'settled' || status === 'partly_refunded') ? amount - refunded_amount : 0
      const part = random.chance(30) ? 50 : amount
      const shared = Math.min(part, worth)
      const first = { gift_id: ids[nth], fund_id: general, place: 1, amount: part, settled_amount: shared }
      return part === amount
        ? [first]
        : [first, { gift_id: ids[nth], fund_id: library, place: 2, amount: amount - part, settled_amount: worth - shared }]
    }),
  )
  const pledges = Array.from({ length: 20 }, () => ({
    ...{
      person_id: random.one(people),
      campaign_id: random.one([...campaigns, null]),
      fund_id: general,
      chapter_id: random.one(places),
      amount: 3000,
      open_amount: 2000,
    },
    ...{
      paid_amount: 0,
      currency: random.chance(85) ? 'EUR' : 'USD',
      pledged_on: dayFrom(today, -400),
      status: random.chance(85) ? 'open' : 'fulfilled',
      cancel_reason: '',
    },
  }))
  const pledged = await add('pledges', pledges)
  await add(
    'pledge_instalments',
    pledged.flatMap((pledge_id) =>
      [1, 2, 3].map((place) => ({
        pledge_id,
        place,
        due_on: dayFrom(today, 40 - random.below(300)),
        amount: 1000,
        state: random.chance(75) ? 'due' : 'waived',
      })),
    ),
  )
  await add(
    'recurring_plans',
    Array.from({ length: 25 }, () => {
      const status = random.one(['active', 'active', 'past_due', 'paused', 'pending'])
      const person_id = random.one(people)
      return {
        ...{
          person_id,
          donor_name: '',
          donor_email: '',
          campaign_id: null,
          fund_id: general,
          chapter_id: random.one(places),
          amount: 100 * (1 + random.below(50)),
        },
        ...{
          fee_covered: 0,
          currency: random.chance(85) ? 'EUR' : 'USD',
          interval: random.one(['month', 'quarter', 'year']),
          status,
          failures: status === 'past_due' ? 1 : 0,
        },
        ...{
          started_on: status === 'pending' ? null : dayFrom(today, -300),
          next_on: status === 'pending' ? null : dayFrom(today, 10),
          retry_on: status === 'past_due' ? dayFrom(today, 2) : null,
          first_failed_on: status === 'past_due' ? dayFrom(today, -2) : null,
        },
        ...{ stop_reason: '', is_anonymous: false, is_test: false, counts: random.chance(90) },
      }
    }),
  )
}

export async function addEvents(add: Add, people: readonly string[], { today, chapters }: Stage, random: Random): Promise<void> {
  const places = [...Object.values(chapters), null]
  const events = Array.from({ length: 24 }, (_, nth) => {
    const starts = dayFrom(today, 30 - random.below(900))
    const status = random.one(['published', 'published', 'published', 'cancelled', 'draft'])
    const at = status === 'draft' ? null : `${dayFrom(today, -1000)}T00:00:00Z`
    return {
      ...{
        chapter_id: random.one(places),
        title: `Event ${nth}`,
        summary: '',
        description: {},
        status,
        kind: random.one(['meeting', 'social', 'training']),
      },
      ...{
        starts_at: `${starts}T10:00:00Z`,
        ends_at: `${starts}T12:00:00Z`,
        timezone: 'UTC',
        mode: 'in_person',
        venue_name: '',
        venue_address: '',
      },
      ...{
        visibility: 'members',
        needs_approval: false,
        waiting_list: true,
        offer_minutes: 60,
        guests_per_person: 0,
        shows_attendees: false,
      },
      ...{ series_exception: false, records_attendance: false, cancel_reason: '', sequence: 0, cover_alt: '', published_at: at },
      ...{ cancelled_at: status === 'cancelled' ? at : null },
    }
  })
  const ids = await add('events', events)
  await add(
    'registrations',
    events.flatMap(({ chapter_id, status }, nth) =>
      status === 'draft'
        ? []
        : people
            .filter(() => random.chance(15))
            .map((person_id) => {
              const guest = random.chance(20)
              const seat = random.one(['confirmed', 'confirmed', 'checked_in', 'checked_in', 'cancelled'])
              return {
                ...{
                  event_id: ids[nth],
                  chapter_id,
                  person_id: guest ? null : person_id,
                  status: seat,
                  cause: 'registered',
                  name: 'Somebody',
                  email: '',
                  answers: [],
                },
                ...{ source: 'self', reason: '', refund_amount: 0, ticket_version: 1, price_amount: 0, price_currency: 'EUR' },
                ...{ checked_in_at: seat === 'checked_in' ? new Date().toISOString() : null },
              }
            }),
    ),
  )
}

export async function addMessages(
  admin: pg.ClientBase,
  add: Add,
  people: readonly string[],
  { org, today, chapters }: Stage,
  random: Random,
): Promise<void> {
  const places = [...Object.values(chapters), null]
  const messages = Array.from({ length: 10 }, (_, nth) => {
    const sent = nth > 1
    return {
      ...{
        chapter_id: random.one(places),
        name: `Message ${nth}`,
        subject: 'Hello',
        preheader: '',
        body: {},
        from_name: 'Office',
        audience: {},
        decided_note: '',
        failure: '',
      },
      ...{ status: sent ? 'sent' : 'draft', started_at: sent ? `${dayFrom(today, -random.below(800))}T09:00:00Z` : null },
    }
  })
  const ids = await add('messages', messages)
  await add(
    'message_deliveries',
    messages.flatMap(({ started_at }, nth) =>
      started_at === null
        ? []
        : people
            .filter(() => random.chance(50))
            .map((person_id) => {
              const state = random.one([
                'sent',
                'delivered',
                'delivered',
                'soft_bounce',
                'hard_bounce',
                'complaint',
                'failed',
                'skipped',
                'queued',
              ])
              const arrived = state === 'delivered'
              return {
                ...{
                  message_id: ids[nth],
                  person_id,
                  state,
                  skip_reason: state === 'skipped' ? 'no_address' : null,
                  created_at: started_at,
                },
                ...{
                  opened_at: arrived && random.chance(50) ? started_at : null,
                  clicked_at: arrived && random.chance(20) ? started_at : null,
                },
                ...{ unsubscribed_at: arrived && random.chance(5) ? started_at : null },
              }
            }),
    ),
  )
  // What the worker counts every second, of rows that came as they are now.
  await admin.query(
    `insert into app.message_counts (org_id, message_id, what, n)
       select d.org_id, d.message_id, w.what, count(*) from app.message_deliveries d
         cross join lateral (values (d.state), (case when d.opened_at is not null then 'opened' end), (case when d.clicked_at is not null then 'clicked' end),
           (case when d.unsubscribed_at is not null then 'unsubscribed' end)) w (what)
       where d.org_id = $1 and w.what is not null group by 1, 2, 3 on conflict do nothing`,
    [org.id],
  )
  await admin.query('delete from app_private.message_news where org_id = $1', [org.id])
}

/** Addresses that refuse mail, and relationships that wait for an answer. */
export async function addGaps(admin: pg.ClientBase, people: readonly string[], { org, today }: Stage, random: Random): Promise<void> {
  for (const nth of [3, 17, 31])
    await admin.query(
      `insert into app.mail_suppressions (org_id, address_hash, reason) values ($1, encode(sha256(convert_to($2, 'UTF8')), 'hex'), $3)`,
      [org.id, `p${nth}@example.org`, random.one(['hard_bounce', 'complaint', 'unsubscribed'])],
    )
  for (const [nth, from] of people.slice(0, 20).entries())
    await admin.query(
      `insert into app.relationships (org_id, type_id, from_person_id, to_person_id, state, created_at)
         select $1, t.id, $2, $3, $4, ($5::date + time '12:00') at time zone 'UTC' from app.relationship_types t where t.org_id = $1 and t.key = 'mentor'`,
      [org.id, from, people[nth + 20], random.one(['proposed', 'proposed', 'active', 'rejected']), dayFrom(today, -random.below(80))],
    )
}
