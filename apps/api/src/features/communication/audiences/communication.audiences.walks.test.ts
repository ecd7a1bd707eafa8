import type { AudienceDefinition, AudiencePart } from '@guildhall/contract/features/communication.audiences'
import type pg from 'pg'
import { expect } from 'vitest'
import { test } from '../../../testing.ts'
import type { Client, TestOrganisation } from '../../../testing.ts'

// Random definitions over random people, held against sets of a few lines.

type Person = {
  id: string
  lifecycle: string
  archived: boolean
  chapters: { chapter: number; kind: string; over: boolean }[]
  groups: number[]
  status: string | null
}
type Group = { id: string; people: Set<string> }
const kinds = ['member', 'alumni', 'advisor', 'friend', 'applicant']
const lifecycles = ['active', 'active', 'alumni', 'prospect', 'deceased']
const statuses = ['confirmed', 'cancelled', 'waitlisted', null]
/** Parent of each chapter below the root, which is 0. */
const parents = [null, 0, 1, 0, 3]

/** The same numbers from the same seed. */
function randomFrom(seed: number) {
  let state = seed
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
  const below = (most: number) => Math.floor(next() * most)
  const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item
  return { below, pick, chance: (share: number) => next() < share }
}

const isBelow = (chapter: number, ancestor: number): boolean => {
  if (chapter === ancestor) return true
  const parent = parents[chapter]
  return parent !== null && parent !== undefined && isBelow(parent, ancestor)
}

async function settle(admin: pg.Pool, org: TestOrganisation, chapters: string[], random: ReturnType<typeof randomFrom>) {
  const people: Person[] = []
  for (let nth = 0; nth < 40; nth += 1) {
    const lifecycle = random.pick(lifecycles)
    const { rows } = await admin.query<{ id: string }>(
      'insert into app.people (org_id, given_name, family_name) values ($1, $2, $3) returning id',
      [org.id, `P${nth}`, random.chance(0.3) ? 'Smith' : 'Jones'],
    )
    people.push({
      id: rows[0]?.id ?? '',
      lifecycle,
      archived: random.chance(0.1),
      chapters: chapters.flatMap((_, chapter) =>
        random.chance(0.3) ? [{ chapter, kind: random.pick(kinds), over: random.chance(0.2) }] : [],
      ),
      groups: [0, 1].filter(() => random.chance(0.4)),
      status: random.pick(statuses),
    })
  }
  const groups: Group[] = []
  for (const nth of [0, 1]) {
    const { rows } = await admin.query<{ id: string }>(`insert into app.groups (org_id, name) values ($1, $2) returning id`, [
      org.id,
      `G${nth}`,
    ])
    groups.push({ id: rows[0]?.id ?? '', people: new Set(people.filter((person) => person.groups.includes(nth)).map(({ id }) => id)) })
  }
  const { rows } = await admin.query<{ id: string }>(
    `insert into app.events (org_id, title, starts_at, ends_at, timezone, status, published_at) values ($1, 'Ball', now() + interval '1 day', now() + interval '25 hours', 'UTC', 'published', now()) returning id`,
    [org.id],
  )
  const eventId = rows[0]?.id ?? ''
  for (const { id, lifecycle, archived, chapters: belongs, groups: of, status } of people) {
    for (const { chapter, kind, over } of belongs)
      await admin.query(
        `insert into app.affiliations (org_id, person_id, chapter_id, kind, starts_on, ends_on) values ($1, $2, $3, $4, '2020-01-01', case when $5 then '2021-01-01'::date end)`,
        [org.id, id, chapters[chapter], kind, over],
      )
    for (const group of of)
      await admin.query(`insert into app.group_members (org_id, group_id, person_id, starts_on) values ($1, $2, $3, '2020-01-01')`, [
        org.id,
        groups[group]?.id,
        id,
      ])
    if (status)
      await admin.query(
        `insert into app.registrations (org_id, event_id, person_id, name, status, cause, price_amount, price_currency, waiting_place) values ($1, $2, $3, 'X', $4::text, 'registered', 0, 'EUR', case when $4::text = 'waitlisted' then 1 end)`,
        [org.id, eventId, id, status],
      )
    await admin.query(`update app.people set lifecycle = $2, deleted_at = case when $3 then now() end where id = $1`, [
      id,
      lifecycle,
      archived,
    ])
  }
  return { people, groups, eventId }
}

test(
  'whom a definition finds is what sets say, whatever is included, excluded and saved',
  { timeout: 300_000 },
  async ({ api, admin, organisation, chapter, person }) => {
    const random = randomFrom(20261130)
    const org = await organisation()
    const chapters = [org.rootChapterId]
    for (const [nth, parent] of parents.entries())
      if (parent !== null) chapters.push(await chapter(org, `C${nth}`, chapters[parent] ?? org.rootChapterId))
    const { people, groups, eventId } = await settle(admin, org, chapters, random)
    const me = api.as(await person({ org, chapterId: null, idpRoles: ['org-admin'] }))
    const officer = api.as(
      await person({ org, chapterId: chapters[1] ?? '', grants: [{ role: 'chapter-admin', chapterId: chapters[1] ?? '' }] }),
    )
    const belongs = (chosen: Person, at: number, isPart: boolean) =>
      chosen.chapters.some(({ chapter: where, kind, over }) => !over && (!isPart || kind !== 'applicant') && isBelow(where, at))
    const saved: { id: string; definition: AudienceDefinition; scope: number | null }[] = []

    const part = (): AudiencePart => {
      switch (random.below(saved.length > 0 ? 7 : 6)) {
        case 0:
          return { kind: 'people' }
        case 1:
          return {
            kind: 'people',
            filter: {
              and: [{ or: [{ field: 'lifecycle', op: random.pick(['in', 'notIn'] as const), value: [random.pick(lifecycles)] }] }],
            },
          }
        case 2:
          return {
            kind: 'persons',
            ids: people
              .filter(() => random.chance(0.2))
              .map(({ id }) => id)
              .concat(people[0]?.id ?? ''),
          }
        case 3:
          return { kind: 'chapter', id: chapters[random.below(chapters.length)] ?? '', below: random.chance(0.5) }
        case 4:
          return { kind: 'group', id: random.pick(groups).id }
        case 5:
          return { kind: 'event', id: eventId, statuses: [random.pick(['confirmed', 'cancelled', 'waitlisted'] as const)] }
        default:
          return { kind: 'audience', id: random.pick(saved).id }
      }
    }
    const definition = (): AudienceDefinition => ({
      include: Array.from({ length: random.below(4) }, part),
      exclude: Array.from({ length: random.below(3) }, part),
    })
    const finds = (asked: AudiencePart, chosen: Person): boolean => {
      switch (asked.kind) {
        case 'people': {
          const condition = asked.filter?.and[0]?.or[0]
          if (!condition) return true
          return (condition.value as string[]).includes(chosen.lifecycle) === (condition.op === 'in')
        }
        case 'persons':
          return asked.ids.includes(chosen.id)
        case 'chapter': {
          const at = chapters.indexOf(asked.id)
          return asked.below
            ? belongs(chosen, at, true)
            : chosen.chapters.some(({ chapter: where, kind, over }) => where === at && !over && kind !== 'applicant')
        }
        case 'group':
          return groups.some(({ id, people: members }) => id === asked.id && members.has(chosen.id))
        case 'event':
          return asked.statuses.some((status) => status === chosen.status)
        case 'audience':
          return saved.some(({ id, definition: inner, scope }) => id === asked.id && isIn(inner, scope, chosen))
      }
    }
    const isIn = ({ include, exclude }: AudienceDefinition, scope: number | null, chosen: Person): boolean =>
      (scope === null || belongs(chosen, scope, false)) &&
      include.some((asked) => finds(asked, chosen)) &&
      !exclude.some((asked) => finds(asked, chosen))

    const found = async (client: Client, asked: AudienceDefinition, scope: number | null) => {
      const { status, body } = await client.post('/data/audiences/people', {
        definition: asked,
        scope: scope === null ? {} : { chapterId: chapters[scope] },
        limit: 200,
      })
      expect(status, JSON.stringify([body, asked])).toBe(200)
      return (body as { items: { person: { id: string } }[] }).items.map(({ person: { id } }) => id).toSorted()
    }
    const known = new Set(people.map(({ id }) => id))
    let notEmpty = 0
    for (let turn = 0; turn < 50; turn += 1) {
      const asked = definition()
      const scope = random.chance(0.5) ? null : 1
      const expected = people
        .filter((chosen) => !chosen.archived && isIn(asked, scope, chosen))
        .map(({ id }) => id)
        .toSorted()
      expect(
        (await found(me, asked, scope)).filter((id) => known.has(id)),
        JSON.stringify(asked),
      ).toEqual(expected)
      // Events are not the officer's to see, nor audiences of others.
      if (scope === 1 && [...asked.include, ...asked.exclude].every(({ kind }) => kind !== 'event' && kind !== 'audience'))
        expect(
          (await found(officer, asked, scope)).filter((id) => known.has(id)),
          JSON.stringify(asked),
        ).toEqual(expected)
      if (expected.length > 0) notEmpty += 1
      const depth = ({ include, exclude }: AudienceDefinition) => [...include, ...exclude].some(({ kind }) => kind === 'audience')
      if (turn % 8 === 0 && !depth(asked)) {
        const { body } = await me.post('/data/audiences', {
          name: `A${turn}`,
          definition: asked,
          chapterId: scope === null ? null : chapters[scope],
        })
        saved.push({ id: (body as { id: string }).id, definition: asked, scope })
      }
    }
    expect(notEmpty).toBeGreaterThan(15)
    expect(saved.length).toBeGreaterThan(3)
  },
)
