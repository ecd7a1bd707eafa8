import { describe, expect, vi } from 'vitest'
import { operations } from '../../../tests/operations.ts'
import { test } from '../../testing.ts'
import type { NewPerson, TestOrganisation } from '../../testing.ts'

const bounds = { PEOPLE_PER_HOUR: '40,60,100' }

/** An organisation with 50 people in its root chapter. */
async function peopled(
  admin: { query(text: string, values: unknown[]): Promise<unknown> },
  org: TestOrganisation,
): Promise<TestOrganisation> {
  await admin.query(
    `with p as (insert into app.people (org_id, given_name, family_name) select $1, 'Kim', 'Person ' || n from generate_series(1, 50) n returning id)
     insert into app.affiliations (org_id, person_id, chapter_id, starts_on, is_primary) select $1, p.id, $2, '2020-01-01', true from p`,
    [org.id, org.rootChapterId],
  )
  return org
}

const readers: [string, (org: TestOrganisation) => NewPerson, number][] = [
  ['a member', () => ({}), 40],
  ['an officer of a chapter', ({ rootChapterId }) => ({ grants: [{ role: 'chapter-admin', chapterId: rootChapterId }] }), 60],
  ['who sees everybody and how to reach them', () => ({ grants: [{ role: 'org-admin' }] }), 100],
]

describe.each(readers)('%s', (_name, made, perHour) => {
  test(`reads ${perHour} people an hour, in whatever list, and is told how many they are and when it goes on`, async ({
    admin,
    organisation,
    person,
    variant,
  }) => {
    const org = await peopled(admin, await organisation())
    const server = await variant(bounds)
    const reader = server.as((await person({ org, ...made(org) })).token)
    const { as } = server
    const other = as((await person({ org })).token)
    const urls = ['/data/people?limit=10', `/data/chapters/${org.rootChapterId}/members?limit=10`, '/data/people?q=kim&limit=10&sort=match']
    for (let read = 0; read < perHour; read += 10) expect((await reader.get(urls[(read / 10) % 3] ?? '')).status).toBe(200)
    for (const url of [...urls, '/data/people?limit=1']) {
      const { status, body, headers } = await reader.get(url)
      expect([status, body]).toMatchObject([429, { code: 'TOO_MANY_REQUESTS', reason: 'people_per_hour', params: { perHour } }])
      expect(Number(headers['retry-after'])).toBeGreaterThan(3_500)
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(3_600)
    }
    // What has no people in it is answered as before, and so is everybody else.
    expect((await reader.get('/data/chapters')).status).toBe(200)
    expect((await other.get('/data/people?limit=10')).status).toBe(200)
    await admin.query(`update app.use_counts set since = now() - interval '61 minutes' where org_id = $1 and operation = 'readPeople'`, [
      org.id,
    ])
    const now = performance.now.bind(performance)
    vi.spyOn(performance, 'now').mockImplementation(() => now() + 3_700_000)
    try {
      expect((await reader.get('/data/people?limit=10')).status).toBe(200)
    } finally {
      vi.restoreAllMocks()
    }
  })
})

test('two servers share the bound, and a server that starts anew knows what was read', async ({ admin, organisation, person, variant }) => {
  const org = await peopled(admin, await organisation())
  const { token } = await person({ org })
  const [one, two] = [await variant({ PEOPLE_PER_HOUR: '400,400,400' }), await variant({ PEOPLE_PER_HOUR: '400,400,400' })]
  let read = 0
  const page = async (server: typeof one) => {
    const { status, body } = await server.as(token).get('/data/people?limit=10')
    if (status === 200) read += (body as { items: unknown[] }).items.length
    return status
  }
  while ((await page(one)) === 200) await page(two)
  await two.services.reading.close()
  // At most a twentieth of the bound and a page for each of the two beyond it.
  expect(read).toBeGreaterThanOrEqual(400)
  expect(read).toBeLessThanOrEqual(400 + 2 * (20 + 10))
  await one.services.reading.close()
  const third = await variant({ PEOPLE_PER_HOUR: '400,400,400' })
  const before = read
  while ((await page(third)) === 200) expect(read - before).toBeLessThanOrEqual(30)
  expect(read - before).toBeLessThanOrEqual(30)
})

test('requests at the same moment do not get past the bound together', async ({ admin, organisation, person, variant }) => {
  const org = await peopled(admin, await organisation())
  const reader = (await variant(bounds)).as((await person({ org })).token)
  const answers = await Promise.all(Array.from({ length: 40 }, () => reader.get('/data/people?limit=10')))
  const read = answers.filter(({ status }) => status === 200).length * 10
  expect(read).toBeLessThanOrEqual(40)
  expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThan(0)
})

test('an export of more people than are left is refused before it begins, and one that is made counts', async ({
  admin,
  organisation,
  person,
  variant,
}) => {
  const org = await peopled(admin, await organisation())
  const me = await person({ org, chapterId: null, grants: [{ role: 'org-admin' }] })
  const server = await variant(bounds)
  const client = server.as(me.token)
  const selection = { all: {}, except: [] }
  const ask = () => client.post('/actions/exports', { list: 'people', format: 'csv', columns: ['displayName'], selection })
  expect((await ask()).status).toBe(202)
  const actor = { orgId: org.id, accountId: me.accountId, idpRoles: [] }
  await server.services.reading.take(actor, 60)
  await expect(server.services.reading.take(actor, 50)).rejects.toMatchObject({ status: 429, data: { reason: 'people_per_hour' } })
  expect((await ask()).body).toMatchObject({ status: 429, reason: 'people_per_hour', params: { perHour: 100 } })
  // A refusal counted nothing.
  expect((await client.get('/data/people?limit=40')).status).toBe(200)
})

test('a page of people costs no trip of its own to be counted: hundreds of requests make a few', async ({
  admin,
  organisation,
  person,
  variant,
}) => {
  const org = await peopled(admin, await organisation())
  const server = await variant({ PEOPLE_PER_HOUR: '1000000,1000000,1000000' })
  const reader = server.as((await person({ org })).token)
  const told = vi.spyOn(server.services.database, 'read')
  for (let i = 0; i < 200; i++) await reader.get('/data/people?limit=10')
  expect(told.mock.calls.length - 200).toBeLessThanOrEqual(3)
})

/** Reads with names of people that are not counted, and why. */
const uncounted: Record<string, string> = {
  getMe: 'oneself',
  getHome: 'a few names beside the counts, the same ones every time',
  listAccounts: 'accounts, for those who manage them, and the own one',
  getAccount: 'accounts, for those who manage them, and the own one',
  listAudit: 'who changed what, for those who may read the log',
  getChapter: 'those in office, who are known to everybody',
  getGroup: 'leaders and titles, at most 50',
  listGroups: 'those whom a field of a group names, as its leaders are named',
  listChapters: 'those whom a field of a chapter names, as its officers are named',
  listComments: 'those who take part in a discussion that the reader sees',
  getComment: 'those who take part in a discussion that the reader sees',
  listFiles: 'who added a file, beside the file',
  listPersonTimeline: 'who did it, beside what happened to one person',
  listNotes: 'who noted it, beside the note about one person',
  getNote: 'who noted it, beside the note about one person',
  getHeldMembership: 'the one whose membership it is',
  listHeldMembershipsOfPerson: 'the one whose memberships they are',
  listMyMemberships: 'oneself',
  listTransfersOfPerson: 'the one whose transfers they are',
  listMails: 'to whom mail went, for those who manage the accounts',
  getPayment: 'who paid, beside the payment',
  listNotifications: 'those about whom one is told',
  getEvent: 'who runs the event, beside the event',
  getRegistration: 'the one who comes',
  listAnnouncements: 'who wrote it, beside the announcement',
  listCurrentAnnouncements: 'who wrote it, beside the announcement',
  getAnnouncement: 'who wrote it, beside the announcement',
  getAutomation: 'with whose rights it runs, beside the automation',
  listAutomationsOfPerson: 'the one who is in them',
  listMyRegistrations: 'oneself',
}

test('every read whose answer has people in it is counted', () => {
  const naming = operations.filter(({ method, responses, successStatus }) => {
    const answer = JSON.stringify(responses[successStatus] ?? {})
    return method === 'GET' && answer.includes('"displayName"')
  })
  expect(
    naming
      .filter(({ readsPeople }) => !readsPeople)
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual(Object.keys(uncounted).toSorted())
})

test('people in a small picture are counted one by one', async ({ admin, organisation, person, variant }) => {
  const org = await organisation()
  const reader = await person({ org, idpRoles: ['org-admin'] })
  const { rows } = await admin.query<{ id: string }>(
    `with p as (insert into app.people (org_id, given_name, family_name) select $1, 'Kim', 'Person ' || n from generate_series(1, 8) n returning id), c as (select min(id::text)::uuid as id from p)
     insert into app.relationships (org_id, type_id, from_person_id, to_person_id) select $1, t.id, c.id, p.id
       from p, c, app.relationship_types t where p.id <> c.id and t.org_id = $1 and t.key = 'mentor' returning from_person_id as id`,
    [org.id],
  )
  const narrow = await variant(bounds)
  const picture = await narrow.as(reader.token).get(`/data/people/${rows[0]?.id}/relationship-graph`)
  expect((picture.body as { people: unknown[] }).people).toHaveLength(8)
  await narrow.services.reading.close()
  const counted = await admin.query(`select uses from app.use_counts where operation = 'readPeople' and who = $1`, [reader.accountId])
  expect(counted.rows).toEqual([{ uses: 8 }])
})
