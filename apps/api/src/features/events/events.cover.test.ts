import type { Event } from '@guildhall/contract/features/events'
import sharp from 'sharp'
import { afterAll, expect } from 'vitest'
import { createApp } from '../../app.ts'
import { endWorld, test as base } from '../../testing.ts'
import type { Client, TestOrganisation, TestPerson } from '../../testing.ts'
import { fetched, send } from '../files/files.testing.ts'
import { sweepFiles } from '../files/files.jobs.ts'

afterAll(endWorld)

const match = (version: number) => ({ 'if-match': `"${version}"` })
const harbour = (background: string) =>
  sharp({ create: { width: 400, height: 400, channels: 3, background } })
    .jpeg()
    .toBuffer()
const lecture = { title: 'Lecture', startsAt: '2090-07-01T16:00:00Z', timezone: 'Europe/Berlin', venueName: 'Hall' }

const test = base.extend<{
  boss: TestPerson & { org: TestOrganisation }
  office: Client
  /** An event with what is sent, published unless it shall stay a draft. */
  event: (more?: Record<string, unknown>, published?: boolean) => Promise<Event>
  /** Uploads a picture for an event and makes it the cover. */
  cover: (event: Event, more?: Record<string, unknown>) => Promise<{ pictureId: string; event: Event }>
}>({
  boss: async ({ organisation, person }, use) => {
    const org = await organisation()
    await use({ ...(await person({ org, idpRoles: ['org-admin'] })), org })
  },
  office: async ({ api, boss }, use) => use(api.as(boss)),
  event: async ({ office }, use) => {
    await use(async (more = {}, published = true) => {
      const draft = (await office.post('/data/events', { ...lecture, ...more })).body as Event
      return published ? (await office.post(`/data/events/${draft.id}/publish`, {}, match(draft.version))).body : draft
    })
  },
  cover: async ({ api, boss, office }, use) => {
    await use(async ({ id, version }, more = {}) => {
      const { body } = await send(api.app, boss, `/pictures/event/${id}`, 'hall.jpg', await harbour('#345678'))
      const pictureId = String(body['pictureId'])
      const change = { coverFileId: pictureId, coverAlt: 'The harbour at night', ...more }
      const { body: changed } = await office.patch(`/data/events/${id}`, change, match(version))
      return { pictureId, event: changed }
    })
  },
})

test('a picture is uploaded, cut to the frame of a cover, and shown by the event and in lists', async ({
  api,
  boss,
  office,
  event,
  cover,
}) => {
  const made = await event()
  const { pictureId, event: changed } = await cover(made)
  expect(changed).toMatchObject({ coverFileId: pictureId, coverAlt: 'The harbour at night' })
  const { body } = await office.get('/data/events')
  expect((body as { items: Event[] }).items).toMatchObject([{ coverFileId: pictureId, coverAlt: 'The harbour at night' }])
  const size = async (name: string) => {
    const { status, content } = await fetched(api.app, boss, `/actions/pictures/${pictureId}/${name}`)
    const { width, height, format } = await sharp(content).metadata()
    return [status, width, height, format]
  }
  expect(await size('large')).toEqual([200, 1280, 720, 'webp'])
  expect(await size('small')).toEqual([200, 480, 270, 'webp'])
  // It is no file of the event.
  expect(((await office.get(`/data/files?recordType=event&recordId=${made.id}`)).body as { items: unknown[] }).items).toEqual([])
})

test('who may not change the event uploads nothing; who does not see it sees no picture; what is no picture of an event is no cover', async ({
  api,
  organisation,
  boss,
  office,
  person,
  event,
  cover,
}) => {
  const member = await person({ org: boss.org })
  const open = await event()
  const draft = await event({}, false)
  const picture = await harbour('#123456')
  expect((await send(api.app, member, `/pictures/event/${open.id}`, 'a.jpg', picture)).status).toBe(403)
  expect((await send(api.app, member, `/pictures/event/${draft.id}`, 'a.jpg', picture)).status).toBe(404)
  expect(await send(api.app, boss, `/pictures/event/${open.id}`, 'a.jpg', Buffer.from('no picture'))).toMatchObject({ status: 415 })

  const { pictureId, event: covered } = await cover(draft)
  const seen = async (who: TestPerson) => (await fetched(api.app, who, `/actions/pictures/${pictureId}/small`)).status
  expect([await seen(boss), await seen(member)]).toEqual([200, 404])
  await office.post(`/data/events/${draft.id}/publish`, {}, match(covered.version))
  expect(await seen(member)).toBe(200)
  const stranger = await person({ org: await organisation() })
  expect(await seen(stranger)).toBe(404)

  const { body: file } = await send(api.app, boss, `/files/event/${open.id}`, 'a.jpg', picture)
  const { body: face } = await send(api.app, boss, `/pictures/person/${boss.personId}`, 'a.jpg', picture)
  for (const coverFileId of [file['id'], face['pictureId'], boss.personId])
    expect(await office.patch(`/data/events/${open.id}`, { coverFileId }, match(open.version))).toMatchObject({
      status: 422,
      body: { reason: 'event_cover' },
    })
  // Somebody who runs another event does not get hold of a picture that they do not see.
  const hidden = await cover(await event({}, false))
  const foreign = api.as(await person({ org: await organisation(), idpRoles: ['org-admin'] }))
  expect(await foreign.post('/data/events', { ...lecture, coverFileId: hidden.pictureId })).toMatchObject({
    status: 422,
    body: { reason: 'event_cover' },
  })
})

test('copies, and what is made from a template, show it too, each for who sees that event', async ({
  api,
  boss,
  office,
  person,
  event,
  cover,
}) => {
  const member = await person({ org: boss.org })
  const draft = await event({}, false)
  const { pictureId } = await cover(draft)
  const template = (await office.post(`/data/events/${draft.id}/copy`, { templateName: 'Lectures' })).body as Event
  const copy = (await office.post(`/data/events/${template.id}/copy`, { startsAt: '2090-09-01T16:00:00Z' })).body as Event
  expect(copy).toMatchObject({ coverFileId: pictureId, coverAlt: 'The harbour at night' })
  const small = `/actions/pictures/${pictureId}/small`
  expect((await fetched(api.app, member, small)).status).toBe(404)
  // A member sees the copy, and with it a picture that hangs on a draft.
  expect((await office.post(`/data/events/${copy.id}/publish`, {}, match(copy.version))).status).toBe(200)
  expect((await fetched(api.app, member, small)).status).toBe(200)
})

test('every event of a series has the words for its picture', async ({ admin, office, event, cover }) => {
  const soon = new Date(Date.now() + 3 * 86_400_000).toISOString()
  const draft = await event({ startsAt: soon, endsAt: new Date(Date.parse(soon) + 3_600_000).toISOString() }, false)
  const { pictureId, event: covered } = await cover(draft)
  const untilOn = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10)
  const repeating = await office.patch(`/data/events/${draft.id}`, { repeats: { every: 'week', untilOn } }, match(covered.version))
  expect(repeating).toMatchObject({ status: 200 })
  const published = await office.post(`/data/events/${draft.id}/publish`, {}, match((repeating.body as Event).version))
  const { seriesId } = published.body as Event
  const { rows } = await admin.query<{ cover_file_id: string; cover_alt: string }>(
    'select cover_file_id, cover_alt from app.events where series_id = $1',
    [seriesId],
  )
  expect(rows.length).toBeGreaterThan(1)
  expect(new Set(rows.map((row) => `${row.cover_file_id} ${row.cover_alt}`))).toEqual(new Set([`${pictureId} The harbour at night`]))
})

test('a picture goes with the last event that shows it, and its content with it', async ({
  api,
  admin,
  variant,
  boss,
  office,
  event,
  cover,
}) => {
  const worker = await variant({ DATABASE_URL: api.services.config.WORKER_DATABASE_URL ?? '' })
  const sweep = () => sweepFiles(worker.services)({}, { id: 'test', signal: new AbortController().signal })
  const status = async (id: string) => (await fetched(api.app, boss, `/actions/pictures/${id}/large`)).status
  const older = (id: string) =>
    admin.query(`update app.files set created_at = now() - interval '8 days', removed_at = removed_at - interval '8 days' where id = $1`, [
      id,
    ])

  const { pictureId, event: first } = await cover(await event())
  const copy = (await office.post(`/data/events/${first.id}/copy`, { startsAt: '2090-09-01T16:00:00Z' })).body as Event
  const without = (await office.patch(`/data/events/${first.id}`, { coverFileId: null }, match(first.version))).body as Event
  await older(pictureId)
  await sweep()
  expect(await status(pictureId)).toBe(200)
  // Taken off and put back within the week, it is the same picture.
  const bare = (await office.patch(`/data/events/${copy.id}`, { coverFileId: null }, match(copy.version))).body as Event
  expect(await status(pictureId)).toBe(404)
  const back = (await office.patch(`/data/events/${copy.id}`, { coverFileId: pictureId }, match(bare.version))).body as Event
  expect(await status(pictureId)).toBe(200)
  expect((await office.patch(`/data/events/${copy.id}`, { coverFileId: null }, match(back.version))).status).toBe(200)
  await older(pictureId)
  // Uploaded, and never chosen.
  const { body } = await send(api.app, boss, `/pictures/event/${first.id}`, 'a.jpg', await harbour('#abcdef'))
  await older(String(body['pictureId']))
  await sweep()
  await sweep()
  for (const id of [pictureId, String(body['pictureId'])]) {
    expect(await api.services.files.size(`files/${boss.orgId}/${id}/large`)).toBeNull()
    expect((await office.patch(`/data/events/${without.id}`, { coverFileId: id }, match(without.version))).status).toBe(422)
  }
})

test('the public page and the preview of its link show it while everybody may open the event', async ({
  api,
  admin,
  boss,
  office,
  event,
  cover,
}) => {
  await admin.query(`update app.organisations set idp_org_id = $1::text where org_id = $1`, [boss.orgId])
  const app = await createApp({ ...api.services, config: { ...api.services.config, ORG_ID: boss.orgId } })
  try {
    const { pictureId, event: open } = await cover(await event({ visibility: 'public' }))
    const path = `/public/events/${open.id}`
    const page = await app.inject({ url: path })
    expect(page.body).toContain('alt="The harbour at night"')
    const address = /property="og:image" content="([^"]+)"/.exec(page.body)?.[1] ?? ''
    expect(new URL(address).pathname).toBe(`${path}/pictures/${pictureId}`)
    const picture = await app.inject({ url: new URL(address).pathname })
    expect([picture.statusCode, picture.headers['content-type']]).toEqual([200, 'image/jpeg'])
    expect((await sharp(picture.rawPayload).metadata()).width).toBe(1280)
    const other = await cover(await event({ visibility: 'members' }))
    expect((await app.inject({ url: `/public/events/${other.event.id}/pictures/${other.pictureId}` })).statusCode).toBe(404)
    expect((await app.inject({ url: `${path}/pictures/${other.pictureId}` })).statusCode).toBe(404)
    const kept = (await office.patch(`/data/events/${open.id}`, { visibility: 'members' }, match(open.version))).status
    expect([kept, (await app.inject({ url: `${path}/pictures/${pictureId}` })).statusCode]).toEqual([200, 404])
  } finally {
    await app.close()
  }
})
