import type pg from 'pg'
import { test as base } from '../../testing.ts'
import type { Client, TestPerson } from '../../testing.ts'

export const match = (version: number) => ({ 'if-match': `"${version}"` })
export type Made = {
  id: string
  version: number
  state: string
  endsOn: string | null
  lapsesOn: string | null
  may: Record<string, boolean>
}
export const made = ({ body }: { body: never }): Made => body
export const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

/** Types of an organisation by key. */
export async function typesOf(admin: pg.Pool, orgId: string): Promise<Record<string, string>> {
  const { rows } = await admin.query<{ key: string; id: string }>('select key, id from app.relationship_types where org_id = $1', [orgId])
  return Object.fromEntries(rows.map(({ key, id }) => [key, id]))
}

export const born = (admin: pg.Pool, { orgId, personId }: TestPerson, birthDate: string) =>
  admin.query(
    `insert into app.person_private (org_id, person_id, birth_date) values ($1, $2, $3) on conflict (org_id, person_id) do update set birth_date = excluded.birth_date`,
    [orgId, personId, birthDate],
  )

export const relate = (client: Client, typeId: string | undefined, from: TestPerson, to: TestPerson, more: Record<string, unknown> = {}) =>
  client.post('/data/relationships', { typeId, fromPersonId: from.personId, toPersonId: to.personId, ...more })
export const step = (client: Client, { id, version }: Made, what: string, body: Record<string, unknown> = {}) =>
  client.post(`/data/relationships/${id}/${what}`, body, match(version))

type Inbox = { items: { kind: string; params: { outcome?: string }; person: { displayName: string } | null }[] }
/** What somebody was told, newest first: the kind, how it ended, and about whom. */
export async function inbox(client: Client): Promise<string[]> {
  const { body } = await client.get('/data/notifications')
  const { items }: Inbox = body
  return items.map(({ kind, params, person }) => [kind, params.outcome, person?.displayName].filter(Boolean).join(' '))
}

/** An administrator, officers of two chapters, members of both, and the types by key. */
export const test = base.extend<{
  cast: {
    types: Record<string, string>
    boss: Client
    west: Client
    east: Client
    ann: TestPerson
    ben: TestPerson
    cleo: TestPerson
    as(person: TestPerson): Client
    someone(givenName: string, chapterId?: string): Promise<TestPerson>
    chapters: { west: string; east: string }
    orgId: string
  }
}>({
  cast: async ({ api, admin, organisation, chapter, person }, use) => {
    const org = await organisation()
    const [west, east] = [await chapter(org, 'West'), await chapter(org, 'East')]
    const someone = (givenName: string, chapterId = west) => person({ org, chapterId, givenName, familyName: 'Vale' })
    const officer = async (chapterId: string) => api.as(await person({ org, chapterId, grants: [{ role: 'chapter-admin', chapterId }] }))
    await use({
      types: await typesOf(admin, org.id),
      boss: api.as(await person({ org, idpRoles: ['org-admin'], givenName: 'Boss' })),
      west: await officer(west),
      east: await officer(east),
      ann: await someone('Ann'),
      ben: await someone('Ben'),
      cleo: await someone('Cleo', east),
      as: (who) => api.as(who),
      someone,
      chapters: { west, east },
      orgId: org.id,
    })
  },
})

/** Relationships as somebody sees them. */
export async function list(client: Client, query = ''): Promise<Made[]> {
  const { body } = await client.get(`/data/relationships${query}`)
  const { items }: { items: Made[] } = body
  return items
}
