import { expect } from 'vitest'
import { test } from '../../testing.ts'

const match = (version: number) => ({ 'if-match': `"${version}"` })

test('registrations of a person are read by those who run the events, and by nobody else', async ({ api, organisation, chapter, person }) => {
  const org = await organisation()
  const west = await chapter(org, 'West')
  const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
  const westBoss = api.as(await person({ org, grants: [{ role: 'chapter-admin', chapterId: west }] }))
  const one = await person({ org })
  const publish = async (title: string, chapterId: string | null) => {
    const { id, version } = (await boss.post('/data/events', { title, chapterId, startsAt: '2090-07-01T16:00:00Z', venueName: 'Park', visibility: 'public' })).body as { id: string; version: number } // prettier-ignore
    await boss.post(`/data/events/${id}/publish`, {}, match(version))
    await api.as(one).post(`/data/events/${id}/registrations`, {})
  }
  await publish('Picnic', west)
  await publish('Congress', null)
  const read = async (client: typeof boss, query = `?personId=${one.personId}`) => {
    const { items } = (await client.get(`/data/registrations${query}`)).body as { items: { event: { title: string }; ticketCode: string | null }[] }
    return items.map(({ event, ticketCode }) => [event.title, ticketCode !== null]).sort()
  }
  expect((await read(boss)).map(([title]) => title)).toEqual(['Congress', 'Picnic'])
  expect((await read(westBoss)).map(([title]) => title)).toEqual(['Picnic'])
  expect(await read(api.as(await person({ org })))).toEqual([])
  // One's own are what they were.
  expect(await read(api.as(one), '')).toEqual(await read(api.as(one)))
  expect(await read(api.as(one), '')).toHaveLength(2)
  expect(await read(boss, '')).toEqual([])
}) // prettier-ignore
