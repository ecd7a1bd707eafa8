import type pg from 'pg'
import { dayFrom } from './reports.random.testing.ts'
import type { Random } from './reports.random.testing.ts'
import { addEvents, addGaps, addGiving, addMessages } from './reports.stage.activity.testing.ts'
import { writerOf } from './reports.stage.writer.testing.ts'
import type { Add, Stage } from './reports.stage.writer.testing.ts'

// An organisation with random rows of everything that standard reports count. What was written is read back as it stands, so that a test
// counts the rows themselves and shares no statement with the reports.

/** In one transaction, since a gift and the funds that it goes to are entered together. */
export async function fill(pool: pg.Pool, stage: Stage, random: Random): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await fillIn(client, stage, random)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

async function fillIn(admin: pg.ClientBase, stage: Stage, random: Random): Promise<void> {
  const { add } = writerOf(admin, stage.org.id)
  const { today, chapters } = stage
  const places = Object.values(chapters)
  const past = (most: number) => dayFrom(today, -random.below(most))
  const people = await add(
    'people',
    Array.from({ length: 60 }, (_, nth) => ({
      given_name: `Given ${nth % 50}`,
      middle_name: '',
      family_name: `Family ${nth % 50}`,
      suffix: '',
      preferred_name: '',
      lifecycle: random.chance(5) ? 'deceased' : random.one(['active', 'active', 'alumni', 'prospect', 'former']),
      member_no: random.chance(70) ? `M${nth}` : null,
    })),
  )
  const alive = await living(admin, stage, people)
  await add(
    'affiliations',
    people.flatMap((person_id) =>
      [...new Set([random.one(places), random.one(places)])].flatMap((chapter_id, nth) => {
        const starts_on = past(1500)
        const ends_on = random.chance(40) ? dayFrom(starts_on, random.below(1300)) : null
        return {
          person_id,
          chapter_id,
          kind: random.one(['member', 'member', 'alumni', 'friend']),
          starts_on,
          ends_on,
          is_primary: nth === 0 && ends_on === null,
        }
      }),
    ),
  )
  await addContacts(add, people, random)
  await addMemberships(add, alive, stage, random)
  await addOffices(add, alive, stage, random)
  await addGiving(add, people, stage, random)
  await addEvents(add, people, stage, random)
  await addMessages(admin, add, people, stage, random)
  await addGaps(admin, alive, stage, random)
}

async function living(admin: pg.ClientBase, { org }: Stage, people: readonly string[]): Promise<string[]> {
  const { rows } = await admin.query<{ id: string }>(
    `select id from app.people where org_id = $1 and id = any ($2) and lifecycle <> 'deceased' order by id`,
    [org.id, people],
  )
  return rows.map(({ id }) => id)
}

async function addContacts(add: Add, people: readonly string[], random: Random): Promise<void> {
  await add(
    'person_emails',
    people.flatMap((person_id, nth) =>
      random.chance(80)
        ? { person_id, address: `p${nth % 55}@example.org`, label: '', is_primary: true, visible_to: random.one(['officers', 'members']) }
        : [],
    ),
  )
  await add(
    'person_phones',
    people.flatMap((person_id, nth) =>
      random.chance(60) ? { person_id, number: `+49 30 ${1_000_000 + nth}`, label: '', is_primary: true, visible_to: 'officers' } : [],
    ),
  )
  await add(
    'person_private',
    people.flatMap((person_id, nth) =>
      random.chance(60) ? { person_id, birth_date: `19${60 + (nth % 3)}-05-0${1 + (nth % 2)}`, gender: '' } : [],
    ),
  )
}

async function addMemberships(add: Add, people: readonly string[], { today, chapters }: Stage, random: Random): Promise<void> {
  const places = [...Object.values(chapters), null]
  const types = await add(
    'membership_types',
    ['Full', 'Student', 'Family'].map((name) => ({
      ...{
        name,
        description: '',
        period: 'rolling',
        months: 12,
        rollover_days: 0,
        grace_days: 30,
        renewal_days: 30,
        needs_approval: false,
      },
      ...{ chapter_share_bps: 0, open_to: 'everyone', questions: [], price_amount: 0, price_currency: 'EUR', leaving: 'any_time' },
    })),
  )
  type Term = { starts_on: string; ends_on: string | null; grace_days: number }
  const holders = people.flatMap((person_id) => (random.chance(15) ? [] : random.chance(25) ? [person_id, person_id] : [person_id]))
  const taken = new Set<string>()
  const made = holders.flatMap((person_id) => {
    const type_id = random.one(types)
    if (taken.has(person_id + type_id)) return []
    taken.add(person_id + type_id)
    const waiting = random.chance(12)
    const terms: Term[] = []
    for (let at = dayFrom(today, -random.below(2500)); !waiting && at <= today && terms.length < 7;) {
      const ends_on = random.chance(4) ? null : dayFrom(at, 100 + random.below(400))
      terms.push({ starts_on: at, ends_on, grace_days: random.one([0, 14, 30, 90]) })
      if (ends_on === null || random.chance(15)) break
      at = dayFrom(ends_on, 1 + (random.chance(20) ? random.below(200) : 0))
    }
    const last = terms.at(-1)
    const ends_on = last?.ends_on ?? null
    const grace_until = last && ends_on !== null ? dayFrom(ends_on, last.grace_days) : null
    const byDates = ends_on === null || ends_on >= today ? 'active' : (grace_until ?? '') >= today ? 'grace' : 'lapsed'
    const status = !last
      ? random.one(['awaiting_approval', 'awaiting_payment'])
      : random.chance(10)
        ? 'cancelled'
        : random.chance(6) && byDates === 'active'
          ? 'suspended'
          : byDates
    const cancelled_on = status === 'cancelled' ? dayFrom(today, -random.below(700)) : null
    const row = { person_id, type_id, chapter_id: random.one(places), status, auto_renew: random.chance(50), answers: [], reason: '' }
    return { terms, row: { ...row, starts_on: terms[0]?.starts_on ?? null, ends_on, grace_until, cancelled_on } }
  })
  const ids = await add(
    'memberships',
    made.map(({ row }) => row),
  )
  await add(
    'membership_terms',
    made.flatMap(({ terms, row }, nth) =>
      terms.map((term) => ({
        ...{
          membership_id: ids[nth],
          person_id: row.person_id,
          status: 'settled',
          period: 'rolling',
          months: 12,
          rollover_days: 0,
          chapter_share_bps: 0,
        },
        ...{ ...term, settled_on: term.starts_on, price_amount: 0, price_currency: 'EUR', imported: false },
      })),
    ),
  )
}

async function addOffices(add: Add, people: readonly string[], { today, chapters }: Stage, random: Random): Promise<void> {
  const positions = await add(
    'positions',
    Object.values(chapters).flatMap((chapter_id) =>
      ['President', 'Treasurer', 'Secretary'].map((title) => ({
        ...{
          chapter_id,
          title,
          term_months: random.one([12, 24, null]),
          max_holders: 20,
          mandatory: random.chance(70),
          member_only: false,
        },
      })),
    ),
  )
  await add(
    'position_holders',
    positions.flatMap((position_id) =>
      Array.from({ length: random.below(4) }, (_, nth) => {
        // Nobody takes an office twice on one day.
        const starts_on = dayFrom(today, -4 * random.below(375) - nth)
        const ends_on = random.chance(70) ? dayFrom(starts_on, 100 + random.below(1600)) : null
        return { position_id, person_id: random.one(people), starts_on, ends_on, note: '' }
      }),
    ),
  )
}
