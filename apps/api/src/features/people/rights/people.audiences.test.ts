import type { AudienceView, Person } from '@guildhall/contract/features/people'
import { describe, expect } from 'vitest'
import { test } from '../../../testing.ts'
import type { Client } from '../../../testing.ts'

const audiencesOf = async (client: Client) => ((await client.get('/data/me/audiences')).body as { items: AudienceView[] }).items

const adult = '1980-01-01'
const minor = `${new Date().getUTCFullYear() - 10}-01-01`

// What is told must be what people of that kind are answered over HTTP, whatever the organisation opens and whoever it is about.
describe.each([
  { reach: 'organisation', born: adult, seen: { elsewhere: ['members'], chapter: ['members'], officer: ['members', 'officers'] } },
  { reach: 'chapter', born: adult, seen: { elsewhere: null, chapter: [], officer: ['members', 'officers'] } },
  { reach: 'organisation', born: minor, seen: { elsewhere: null, chapter: null, officer: null } },
  { reach: 'chapter', born: minor, seen: { elsewhere: null, chapter: null, officer: null } },
] as const)('somebody born $born, where members see the $reach', ({ reach, born, seen }) => {
  test('is told what members elsewhere, members and officers of the own chapter do see', async ({ api, organisation, person, chapter }) => {
    const org = await organisation({ directoryReach: reach })
    const west = await chapter(org, 'West')
    const subject = await person({ org, chapterId: west })
    const self = api.as(subject)
    const url = `/data/people/${subject.personId}`
    for (const visibleTo of ['members', 'officers']) {
      await self.post(`${url}/emails`, { address: `${visibleTo}@x.org`, visibleTo })
      await self.post(`${url}/phones`, { number: visibleTo === 'members' ? '+4930901820' : '+4930901821', visibleTo })
    }
    // Whether somebody counts as a minor is for others to say.
    const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
    expect((await owner.patch(`${url}/private`, { birthDate: born })).status).toBe(200)

    const readers = {
      elsewhere: api.as(await person({ org, chapterId: await chapter(org, 'East') })),
      chapter: api.as(await person({ org, chapterId: west })),
      officer: api.as(await person({ org, chapterId: west, grants: [{ role: 'chapter-admin', chapterId: west }] })),
    }
    for (const contactFor of ['members', 'officers'] as const) {
      await self.patch(`${url}/contact`, { city: 'Bern', visibleTo: contactFor })
      const own = (await self.get(url)).body as Person
      const told = await audiencesOf(self)
      expect(told.map(({ audience }) => audience)).toEqual(['elsewhere', 'chapter', 'officer'])
      for (const { audience, seesPerson, sees } of told) {
        expect([audience, seesPerson ? sees.toSorted() : null]).toEqual([audience, seen[audience]])
        const answer = await readers[audience].get(url)
        expect([audience, answer.status]).toEqual([audience, seesPerson ? 200 : 404])
        if (!seesPerson) continue
        const found = answer.body as Person
        const open = <Entry extends { visibleTo: 'members' | 'officers' }>(entries: Entry[]) =>
          entries.filter(({ visibleTo }) => sees.includes(visibleTo))
        expect([audience, found.emails, found.phones]).toEqual([audience, open(own.emails), open(own.phones)])
        expect([audience, found.contact !== null]).toEqual([audience, sees.includes(contactFor)])
      }
    }
  })
})

test('who belongs to no chapter any more has no chapter to be seen by, and who is nobody is seen by nobody', async ({
  api,
  organisation,
  person,
  admin,
}) => {
  const org = await organisation()
  const former = await person({ org })
  await admin.query(
    `update app.affiliations set starts_on = current_date - 10, ends_on = current_date - 5 where org_id = $1 and person_id = $2`,
    [org.id, former.personId],
  )
  expect(await audiencesOf(api.as(former))).toEqual([{ audience: 'elsewhere', seesPerson: true, sees: ['members'] }])
  expect(await audiencesOf(api.as(await person({ org, chapterId: null })))).toEqual([])
  expect((await api.as(null).get('/data/me/audiences')).status).toBe(401)
})
