import { LineTree } from '@guildhall/contract/features/relationships.lines'
import type { LineNode } from '@guildhall/contract/features/relationships.lines'
import type pg from 'pg'
import { expect } from 'vitest'
import { test as base } from '../../../testing.ts'
import type { Client, TestOrganisation, TestPerson } from '../../../testing.ts'

export function made<Row>({ status, body, text }: { status: number; body: Row; text: string }): Row {
  expect([200, 201], text).toContain(status)
  return body
}

export type More = { kind?: string; since?: string | null; until?: string | null; state?: string }
/** Somebody of the organisation; `birthDate` makes minors. */
export type Someone = { name?: string; chapterId?: string; birthDate?: string; lifecycle?: string }

/** An organisation with people in two chapters, and links between them that are written as they stand. */
export const test = base.extend<{
  org: TestOrganisation
  west: string
  east: string
  owner: TestPerson
  boss: Client
  someone: (about?: Someone) => Promise<string>
  /** The first stands above the second. */
  link: (parent: string, child: string, more?: More) => Promise<string>
  /** Many at once: pairs of numbers of the people. */
  linkAll: (
    people: readonly string[],
    links: readonly { parent: number; child: number; since?: string | null; until?: string | null }[],
    kind?: string,
  ) => Promise<string[]>
  crowd: (count: number, name: string) => Promise<string[]>
}>({
  org: async ({ organisation }, use) => use(await organisation()),
  west: async ({ chapter, org }, use) => use(await chapter(org, 'West')),
  east: async ({ chapter, org }, use) => use(await chapter(org, 'East')),
  owner: async ({ person, org }, use) => use(await person({ org, idpRoles: ['org-owner'] })),
  boss: async ({ api, owner }, use) => use(api.as(owner)),
  someone: async ({ admin, org }, use) => {
    let count = 0
    await use(async ({ name = `Person ${++count}`, chapterId = org.rootChapterId, birthDate, lifecycle = 'active' } = {}) => {
      const id = await oneId(admin, 'insert into app.people (org_id, given_name, lifecycle) values ($1, $2, $3) returning id', [
        org.id,
        name,
        lifecycle,
      ])
      await admin.query(
        `insert into app.affiliations (org_id, person_id, chapter_id, starts_on, is_primary) values ($1, $2, $3, '2020-01-01', true)`,
        [org.id, id, chapterId],
      )
      if (birthDate)
        await admin.query('insert into app.person_private (org_id, person_id, birth_date) values ($1, $2, $3)', [org.id, id, birthDate])
      return id
    })
  },
  link: async ({ admin, org }, use) =>
    use((parent, child, { kind = 'lineage', since = '2021-05-01', until = null, state = until === null ? 'active' : 'ended' } = {}) =>
      oneId(
        admin,
        `insert into app.relationships (org_id, type_id, from_person_id, to_person_id, starts_on, ends_on, state)
         select $1, t.id, $3, $4, $5, $6, $7 from app.relationship_types t where t.org_id = $1 and t.key = $2 returning id`,
        [org.id, kind, parent, child, since, until, state],
      ),
    ),
  crowd: async ({ admin, org }, use) =>
    use(async (count, name) => {
      const { rows } = await admin.query<{ id: string }>(
        `insert into app.people (org_id, given_name, family_name) select $1, $2, 'No ' || n from generate_series(1, $3::int) n returning id`,
        [org.id, name, count],
      )
      return rows.map(({ id }) => id)
    }),
  linkAll: async ({ admin, org }, use) =>
    use(async (people, links, kind = 'lineage') => {
      const client = await admin.connect()
      try {
        // What the table keeps is not what is looked at here, and each row would look at all others.
        await client.query(`begin; set local session_replication_role = replica`)
        const { rows } = await client.query<{ id: string }>(
          `insert into app.relationships (org_id, type_id, from_person_id, to_person_id, starts_on, ends_on, state)
           select $1, t.id, x.f, x.t, x.s, x.e, case when x.e is null then 'active' else 'ended' end
           from unnest($3::uuid[], $4::uuid[], $5::date[], $6::date[]) with ordinality x (f, t, s, e, n)
           join app.relationship_types t on t.org_id = $1 and t.key = $2 order by x.n returning id`,
          [
            ...[org.id, kind, links.map(({ parent }) => people[parent]), links.map(({ child }) => people[child])],
            ...[links.map(({ since }) => since ?? null), links.map(({ until }) => until ?? null)],
          ],
        )
        await client.query('commit')
        return rows.map(({ id }) => id)
      } catch (error) {
        await client.query('rollback')
        throw error
      } finally {
        client.release()
      }
    }),
})

async function oneId(admin: pg.Pool, text: string, values: unknown[]): Promise<string> {
  const { rows } = await admin.query<{ id: string }>(text, values)
  const id = rows[0]?.id
  if (id === undefined) throw new Error(`nothing came of ${text}`)
  return id
}

export const query = (asked: Record<string, string | number | undefined>): string =>
  Object.entries(asked)
    .flatMap(([key, value]) => (value === undefined ? [] : [`${key}=${encodeURIComponent(value)}`]))
    .join('&')

type TreeAsked = { kind?: string; rootId?: string; asOf?: string; depth?: number; limit?: number; cursor?: string; chapterId?: string }
/** Held against the contract, which answers that are written as JSON leave without. */
export const treeOf = async (client: Client, { kind, ...asked }: TreeAsked): Promise<LineTree> =>
  LineTree.strict().parse(made(await client.get(`/data/lines/tree?${query({ kind, ...asked })}`)))

/** All pages of a tree, put together. */
export async function wholeTree(client: Client, asked: TreeAsked): Promise<LineNode[]> {
  const nodes: LineNode[] = []
  for (let cursor: string | undefined, pages = 0; ; pages++) {
    expect(pages).toBeLessThan(1_000)
    const page = await treeOf(client, { ...asked, ...(cursor !== undefined && { cursor }) })
    nodes.push(...page.nodes)
    if (page.nextCursor === null) {
      expect(nodes).toHaveLength(page.total)
      return nodes
    }
    cursor = page.nextCursor
  }
}

export const names = (nodes: readonly LineNode[]): string[] => nodes.map(({ record }) => record.name)

/** All pages of a list. */
export async function wholeList<Item>(client: Client, path: string): Promise<Item[]> {
  const items: Item[] = []
  for (let cursor = ''; ;) {
    const page = made<{ items: Item[]; nextCursor: string | null }>(await client.get(`${path}${cursor}`))
    items.push(...page.items)
    if (page.nextCursor === null) return items
    cursor = `&cursor=${encodeURIComponent(page.nextCursor)}`
  }
}
