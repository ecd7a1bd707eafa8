import type { MessagePreview, MessageTemplate, MessageTemplateRow } from '@guildhall/contract/features/communication.templates'
import { documentOf } from '@guildhall/contract/formatted-document'
import sharp from 'sharp'
import { afterAll, expect } from 'vitest'
import { endWorld, test as base } from '../../../testing.ts'
import type { Client, TestOrganisation, TestPerson } from '../../../testing.ts'
import { fetched, send } from '../../files/files.testing.ts'

afterAll(endWorld)

const match = (version: number) => ({ 'if-match': `"${version}"` })
const text = (words: string) => ({ type: 'text', text: documentOf(words) })
const newsletter = {
  name: 'Newsletter',
  subject: 'News for {{first_name | you}}',
  preheader: 'What happened',
  body: { blocks: [text('{{salutation}},'), { type: 'button', label: 'Read', href: '/events' }] },
}

const test = base.extend<{ org: TestOrganisation; writer: TestPerson; office: Client; local: (chapterId: string) => Promise<Client> }>({
  org: async ({ organisation }, use) => use(await organisation()),
  writer: async ({ org, person }, use) => use(await person({ org, grants: [{ role: 'communications' }] })),
  office: async ({ api, writer }, use) => use(api.as(writer)),
  local: async ({ api, org, person }, use) =>
    use(async (chapterId) => api.as(await person({ org, chapterId, grants: [{ role: 'chapter-admin', chapterId }] }))),
})
const itemsOf = (answer: { body: unknown }) => (answer.body as { items: MessageTemplateRow[] }).items

test('a template is written, changed, copied, archived and brought back', async ({ office }) => {
  const made = (await office.post('/data/message-templates', newsletter)).body as MessageTemplate
  expect(made).toMatchObject({ ...newsletter, chapter: null, group: null, may: { edit: true }, version: 1 })
  expect(made.outline).toEqual([
    { type: 'text', words: '{{salutation}},' },
    { type: 'button', words: 'Read' },
  ])
  const change = { body: { blocks: [text('Hello')] } }
  const changed = (await office.patch(`/data/message-templates/${made.id}`, change, match(1))).body as MessageTemplate
  expect(changed).toMatchObject({ name: 'Newsletter', ...change, outline: [{ type: 'text', words: 'Hello' }], version: 2 })
  expect((await office.patch(`/data/message-templates/${made.id}`, { name: 'x' }, match(1))).status).toBe(412)
  const copy = await office.post(`/data/message-templates/${made.id}/copies`, { name: 'Copy' })
  expect(copy).toMatchObject({ status: 201, body: { name: 'Copy', subject: newsletter.subject, ...change } })
  expect((await office.post(`/data/message-templates/${made.id}/archive`, {}, match(2))).status).toBe(200)
  expect(itemsOf(await office.get('/data/message-templates')).map(({ name }) => name)).toEqual(['Copy'])
  expect(itemsOf(await office.get('/data/message-templates?archived=true')).map(({ name }) => name)).toEqual(['Newsletter'])
  expect((await office.post(`/data/message-templates/${made.id}/restore`, {}, match(3))).status).toBe(200)
  expect(itemsOf(await office.get('/data/message-templates?q=news')).map(({ name }) => name)).toEqual(['Copy', 'Newsletter'])
})

test('templates of the organisation are used by all who write, and kept by those who manage; others stay within their chapter', async ({
  api,
  chapter,
  local,
  office,
  org,
  person,
}) => {
  const [north, south] = [await chapter(org, 'North'), await chapter(org, 'South')]
  const [here, there] = [await local(north), await local(south)]
  const central = (await office.post('/data/message-templates', newsletter)).body as MessageTemplate
  const ours = (await here.post('/data/message-templates', { ...newsletter, name: 'Ours', chapterId: north })).body as MessageTemplate
  expect(ours).toMatchObject({ chapter: { id: north }, may: { edit: true } })
  expect(itemsOf(await here.get('/data/message-templates')).map(({ name, may }) => [name, may.edit])).toEqual([
    ['Newsletter', false],
    ['Ours', true],
  ])
  expect(itemsOf(await there.get('/data/message-templates')).map(({ name }) => name)).toEqual(['Newsletter'])
  expect((await there.get(`/data/message-templates/${ours.id}`)).status).toBe(404)
  expect((await here.patch(`/data/message-templates/${central.id}`, { name: 'x' }, match(1))).status).toBe(403)
  expect((await here.post('/data/message-templates', newsletter)).status).toBe(403)
  expect((await here.post('/data/message-templates', { ...newsletter, chapterId: south })).status).toBe(403)
  // What they may use they may copy to their own place.
  expect((await here.post(`/data/message-templates/${central.id}/copies`, { name: 'Mine', chapterId: north })).status).toBe(201)
  const member = api.as(await person({ org }))
  expect(itemsOf(await member.get('/data/message-templates'))).toEqual([])
  expect((await member.get(`/data/message-templates/${central.id}`)).status).toBe(404)
  expect((await member.post('/data/message-templates', newsletter)).status).toBe(403)
  expect((await member.post('/actions/message-preview', { body: newsletter.body })).status).toBe(403)
})

test('a draft is previewed as anybody whom its writer sees, with what is missing and wrong', async ({
  admin,
  office,
  org,
  person,
  writer,
}) => {
  const ada = await person({ org })
  await admin.query(`update app.people set given_name = '{{email}}', family_name = '<b>', preferred_name = '' where org_id = $1 and id = $2`, [org.id, ada.personId]) // prettier-ignore
  const body = { blocks: [text('{{salutation}} of {{member_no}} {{nonsense}}')] }
  const as = async (personId: string | null) =>
    office.post('/actions/message-preview', { subject: 'For {{first_name | you}}', body, personId })
  const { status, body: answer } = await as(ada.personId)
  const preview = answer as MessagePreview
  expect([status, preview.subject, preview.person?.id]).toEqual([200, 'For {{email}}', ada.personId])
  expect(preview.html).toContain('Dear {{email}} of  {{nonsense}}')
  expect(preview.html).toContain("default-src 'none'")
  expect(preview.text).toContain('Dear {{email}} of  {{nonsense}}')
  expect(preview.missing).toEqual(['member_no'])
  expect(preview.findings.map(({ name, problem, start }) => [name, problem, start])).toEqual([
    ['member_no', 'no_fallback', 18],
    ['nonsense', 'unknown', 32],
  ])
  expect((await as(null)).body).toMatchObject({ person: { id: writer.personId } })
  expect((await as('01920000-0000-7000-8000-000000000001')).status).toBe(404)
})

test('an event is drawn with its time and place, and one that is not there is told', async ({ admin, office, org }) => {
  const { rows } = await admin.query<{ id: string }>(
    `insert into app.events (org_id, title, starts_at, ends_at, timezone, venue_name, visibility, status, published_at)
     values ($1, 'Dinner', '2090-12-04T18:00Z', '2090-12-04T20:00Z', 'Europe/Berlin', 'Old Hall', 'public', 'published', now()) returning id`,
    [org.id],
  )
  const gone = '01920000-0000-7000-8000-000000000001'
  const blocks = [rows[0]?.id, gone].map((eventId) => ({ type: 'event', eventId }))
  const preview = (await office.post('/actions/message-preview', { body: { blocks } })).body as MessagePreview
  expect(preview.text).toContain(`Dinner\nMonday, December 4, 2090 at 7:00 PM GMT+1\nOld Hall\n`)
  expect(preview.text).toContain(`/public/events/${rows[0]?.id}`)
  expect(preview.gone).toEqual({ pictures: [], events: [gone] })
})

test('a picture of a message keeps its shape, and is for everybody once a message with it has gone out', async ({
  api,
  admin,
  chapter,
  local,
  office,
  org,
  person,
  writer,
}) => {
  const { id } = (await office.post('/data/message-pictures', {})).body as { id: string }
  const wide = await sharp({ create: { width: 2000, height: 500, channels: 4, background: '#34567880' } })
    .png()
    .toBuffer()
  const sent = await send(api.app, writer, `/pictures/message_picture/${id}`, 'wide.png', wide)
  expect(sent.status).toBe(201)
  const fileId = String(sent.body['pictureId'])
  const shape = async (content: Buffer) => {
    const { width, height, format } = await sharp(content).metadata()
    return [width, height, format]
  }
  expect(await shape((await fetched(api.app, writer, `/actions/pictures/${fileId}/large`)).content)).toEqual([1104, 276, 'webp'])
  const picture = { type: 'picture', fileId, alt: 'A line', width: 'full' }
  const preview = (await office.post('/actions/message-preview', { body: { blocks: [picture] } })).body as MessagePreview
  expect(preview.html).toContain('src="data:image/webp;base64,')
  expect(preview.gone.pictures).toEqual([])
  // Nobody reads it who does not write messages, and nobody at all by its address yet.
  const member = await person({ org })
  expect((await fetched(api.app, member, `/actions/pictures/${fileId}/small`)).status).toBe(404)
  const address = `/public/message-pictures/${fileId}`
  expect((await fetched(api.app, null, address)).status).toBe(404)
  // What somebody may not see they cannot show to everybody.
  const north = await chapter(org, 'North')
  const theirs = await local(north)
  const elsewhere = (await theirs.post('/actions/message-preview', { body: { blocks: [picture] } })).body as MessagePreview
  expect(elsewhere.gone.pictures).toEqual([])
  await admin.query('update app.message_pictures set published_at = now() where org_id = $1 and id = $2', [org.id, id])
  const { status, headers, content } = await fetched(api.app, null, address)
  expect([status, headers['content-type'], await shape(content)]).toEqual([200, 'image/jpeg', [1104, 276, 'jpeg']])
  expect((await fetched(api.app, null, '/public/message-pictures/x')).status).toBe(404)
})
