import { createHash, randomUUID } from 'node:crypto'
import { testDatabase } from '@guildhall/db/testing'
import { openDatabase } from '@guildhall/db'
import type { Database } from '@guildhall/db'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { issueLink, openLink, revokeLinks, useLink } from './signed-links.ts'

type Office = { orgId: string; actor: { orgId: string; accountId: string; idpRoles: string[] } }

let admin: pg.Pool
let database: Database
let worker: Database
let ours: Office
let theirs: Office

async function office(): Promise<Office> {
  const { rows } = await admin.query<{ id: string }>('select app.found_organisation($1, $1, $1, null) as id', [
    `l${randomUUID().slice(0, 8)}`,
  ])
  const orgId = rows[0]?.id ?? ''
  await admin.query('update app.organisations set idp_org_id = $1::text where org_id = $1', [orgId])
  const made = await admin.query<{ id: string }>(
    `insert into app.accounts (org_id, issuer, subject, status) values ($1, 'https://issuer.example', $2, 'active') returning id`,
    [orgId, randomUUID()],
  )
  return { orgId, actor: { orgId, accountId: made.rows[0]?.id ?? '', idpRoles: [] } }
}

beforeAll(async () => {
  const found = await testDatabase()
  admin = new pg.Pool({ connectionString: found.adminUrl, max: 2 })
  database = openDatabase({ url: found.apiUrl, actorKey: found.actorKey, poolSize: 4 })
  worker = openDatabase({ url: found.workerUrl, actorKey: found.actorKey, poolSize: 1 })
  ours = await office()
  theirs = await office()
})
afterAll(async () => {
  await database.close()
  await worker.close()
  await admin.end()
})

const tomorrow = () => new Date(Date.now() + 86_400_000)
const person = () => ({ type: 'person', id: randomUUID() })
const issue = ({ actor } = ours, uses: 'one' | 'many' = 'one', subject = person()) =>
  database.asActor(actor, (tx) => issueLink(tx, { purpose: 'visits', subject, expiresAt: tomorrow(), uses }))
const open = (token: string, { purpose = 'visits', idpOrg = ours.orgId }: { purpose?: string; idpOrg?: string | undefined } = {}) =>
  database.withoutActor((db) => openLink(db, { purpose, token, idpOrg }))
const use = (token: string, idpOrg: string | undefined = ours.orgId) =>
  database.withoutActor((db) => useLink(db, { purpose: 'visits', token, idpOrg }))

test('a link opens what it is about, to whoever has it, and is kept as a hash only', async () => {
  const subject = person()
  const { token, path } = await issue(ours, 'one', subject)
  expect(token).toMatch(/^[\w-]{27}$/)
  expect(path).toBe(`/public/visits/${token}`)
  expect(await open(token)).toMatchObject({ orgId: ours.orgId, subject })
  // An installation that serves several organisations knows by the link which one is meant.
  expect(await database.withoutActor((db) => openLink(db, { purpose: 'visits', token, idpOrg: undefined }))).toMatchObject({ subject })
  const { rows } = await admin.query<{ row: string }>('select to_jsonb(l)::text as row from app.signed_links l where org_id = $1', [
    ours.orgId,
  ])
  expect(rows.length).toBeGreaterThan(0)
  expect(rows.map(({ row }) => row).join()).not.toContain(token)

  // Whoever reads the table has nothing to open a link with: the hash is no token, nor is part of one.
  const { rows: kept } = await admin.query<{ hash: string }>('select secret_hash as hash from app.signed_links where subject_id = $1', [
    subject.id,
  ])
  expect(kept[0]?.hash).toBe(createHash('sha256').update(token).digest('hex'))
  for (const guess of [kept[0]?.hash ?? '', token.slice(0, -1), `${token}A`, token.toUpperCase()]) expect(await open(guess)).toBeUndefined()
})

/** What each kind of link that is not valid lacks, and the condition of the database that keeps it shut. */
const invalid: [what: string, guard: string, make: () => Promise<string>][] = [
  ['is forged', 'l.secret_hash = FUNCTION.secret_hash and', async () => (await issue(), 'A'.repeat(27))],
  ['is for something else', 'and l.purpose = FUNCTION.purpose', async () => aged(`purpose = 'visitors'`)],
  [
    'has expired',
    'and l.expires_at > statement_timestamp()',
    async () => aged(`created_at = now() - interval '2 days', expires_at = now()`),
  ],
  ['was revoked', 'and l.revoked_at is null', async () => aged('revoked_at = now()')],
  ['was used', 'and (l.uses = 0 or not l.single_use)', async () => aged('uses = 1')],
  [
    'is another organisation’s',
    'and (idp_org is null or l.org_id = (select app.token_organisation(idp_org)))',
    async () => (await issue(theirs)).token,
  ],
]
async function aged(change: string) {
  const { token, linkId } = await issue()
  await admin.query(`update app.signed_links set ${change} where id = $1`, [linkId])
  return token
}

for (const [what, guard, make] of invalid) {
  test(`a link that ${what} is refused without saying so, and would open without its guard`, async () => {
    const token = await make()
    expect(await open(token)).toBeUndefined()
    expect(await use(token)).toBeUndefined()
    const client = await admin.connect()
    try {
      await client.query('begin')
      for (const name of ['open_link', 'use_link']) {
        const { rows } = await client.query<{ body: string }>(`select pg_get_functiondef($1::regproc) as body`, [`app.${name}`])
        const without = (rows[0]?.body ?? '').replace(guard.replace('FUNCTION', name), '')
        expect(without).not.toBe(rows[0]?.body)
        await client.query(without)
        const hash = `encode(sha256(convert_to($3, 'UTF8')), 'hex')`
        expect((await client.query(`select from app.${name}($1, $2, ${hash})`, [ours.orgId, 'visits', token])).rowCount).toBeGreaterThan(0)
      }
    } finally {
      await client.query('rollback')
      client.release()
    }
  })
}

test('what is no token at all is looked up like one', async () => {
  for (const token of ['', 'x', '%00', "' or true --", 'A'.repeat(5_000)]) expect(await open(token)).toBeUndefined()
})

test('somebody who is signed in opens the links of their own organisation only', async () => {
  const { token } = await issue(theirs)
  const asActor = ({ actor }: Office) => database.asActor(actor, (db) => openLink(db, { purpose: 'visits', token, idpOrg: undefined }))
  expect(await asActor(ours)).toBeUndefined()
  expect(await asActor(theirs)).toMatchObject({ orgId: theirs.orgId })
})

test('of twenty who use a link at once, one does; a link for many uses serves all of them', async () => {
  const { token } = await issue()
  const race = async (raced: string) =>
    (await Promise.all(Array.from({ length: 20 }, () => use(raced)))).filter((found) => found !== undefined)
  expect(await race(token)).toHaveLength(1)
  expect(await open(token)).toBeUndefined()
  const many = await issue(ours, 'many')
  expect(await race(many.token)).toHaveLength(20)
  expect(await open(many.token)).toBeDefined()
})

test('a use that is rolled back leaves the link for another try', async () => {
  const { token } = await issue()
  await expect(
    database.withoutActor(async (tx) => {
      expect(await useLink(tx, { purpose: 'visits', token, idpOrg: ours.orgId })).toBeDefined()
      throw new Error('what the link was for failed')
    }),
  ).rejects.toThrow('failed')
  expect(await use(token)).toBeDefined()
})

test('revoking ends the links of one subject, in one organisation, and says how many', async () => {
  const subject = person()
  const [first, second] = [await issue(ours, 'many', subject), await issue(ours, 'one', subject)]
  const [others, foreign] = [await issue(), await issue(theirs, 'one', subject)]
  expect(await database.asActor(ours.actor, (tx) => revokeLinks(tx, 'visits', subject))).toBe(2)
  expect(await database.asActor(ours.actor, (tx) => revokeLinks(tx, 'visits', subject))).toBe(0)
  expect([await open(first.token), await open(second.token)]).toEqual([undefined, undefined])
  expect(await open(others.token)).toBeDefined()
  expect(await open(foreign.token, { idpOrg: theirs.orgId })).toBeDefined()
})

test('only somebody signed in issues a link, or a job for an organisation; nobody issues one for years', async () => {
  const link = { purpose: 'visits', subject: person(), expiresAt: tomorrow(), uses: 'one' } as const
  await expect(database.withoutActor((tx) => issueLink(tx, link))).rejects.toThrow('signed in')
  await expect(database.withoutActor((tx) => issueLink(tx, { ...link, orgId: ours.orgId }))).rejects.toThrow('permission denied')
  const { token } = await worker.withoutActor((tx) => issueLink(tx, { ...link, orgId: ours.orgId }))
  expect(await open(token)).toMatchObject({ subject: link.subject })
  const expiresAt = new Date(Date.now() + 401 * 86_400_000)
  await expect(database.asActor(ours.actor, (tx) => issueLink(tx, { ...link, expiresAt }))).rejects.toThrow('signed_links_lifetime')
  await expect(database.asActor(ours.actor, (tx) => openRows(tx))).rejects.toThrow('permission denied')
})
const openRows = (tx: Parameters<Parameters<Database['asActor']>[1]>[0]) => tx.selectFrom('app.signed_links').selectAll().execute()

test('daily upkeep forgets what opens nothing any more', async () => {
  const [expired, revoked, used, valid] = [await issue(), await issue(), await issue(), await issue()]
  await admin.query(`update app.signed_links set created_at = now() - interval '2 days', expires_at = now() where id = $1`, [
    expired.linkId,
  ])
  await admin.query('update app.signed_links set revoked_at = now() where id = $1', [revoked.linkId])
  await use(used.token)
  await admin.query('set role app_worker; select app.purge_links(); reset role')
  const { rows } = await admin.query<{ id: string }>('select id from app.signed_links where id = any ($1)', [
    [expired, revoked, used, valid].map(({ linkId }) => linkId),
  ])
  expect(rows.map(({ id }) => id).sort()).toEqual([used.linkId, valid.linkId].sort())
})
