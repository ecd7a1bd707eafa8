import { Writable } from 'node:stream'
import { describe, expect } from 'vitest'
import { createApp } from '../../../app.ts'
import { createLog } from '../../../platform/observability/log.ts'
import { test as base } from '../../../testing.ts'
import type { TestOrganisation } from '../../../testing.ts'

type Answer = { status: number; text: string; headers: Record<string, unknown> }
type Visitor = (url: string, headers?: Record<string, string>, method?: 'GET' | 'HEAD') => Promise<Answer>

/** An installation for one organisation with a published chapter, Lyon, and somebody without an account who opens its pages. */
const test = base.extend<{
  visit: (orgId: string, ip?: string) => Promise<Visitor>
  lyon: { org: TestOrganisation; chapterId: string; open: Visitor }
}>({
  visit: async ({ api }, use) => {
    const apps: { close(): Promise<void> }[] = []
    await use(async (orgId, ip = '203.0.113.9') => {
      const app = await createApp({ ...api.services, config: { ...api.services.config, ORG_ID: orgId } })
      apps.push(app)
      return async (url, headers = {}, method = 'GET') => {
        const { statusCode, body, headers: answered } = await app.inject({ method, url, headers, remoteAddress: ip })
        return { status: statusCode, text: body, headers: answered }
      }
    })
    for (const app of apps) await app.close()
  },
  lyon: async ({ admin, organisation, chapter, visit }, use) => {
    const org = await organisation()
    await admin.query(
      `update app.organisations set idp_org_id = $1::text, public_chapters = true, name = 'The Society' where org_id = $1`,
      [org.id],
    )
    const chapterId = await chapter(org, 'Lyon')
    await admin.query(
      `update app.chapters set code = 'FR/LYO', about = 'We meet <b>often</b>.', city = 'Lyon', contact_email = 'lyon@example.org',
        website = 'https://lyon.example.org/', public_page = true where id = $1`,
      [chapterId],
    )
    await use({ org, chapterId, open: await visit(org.id) })
  },
})
const page = '/public/chapters/FR%2FLYO'

describe('the page of a chapter', () => {
  test('shows everybody what the chapter says of itself, as text', async ({ lyon: { open, chapterId } }) => {
    const { status, text, headers } = await open(page)
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    for (const part of [
      '<h1>Lyon</h1>',
      'The Society',
      'We meet &lt;b&gt;often&lt;/b&gt;.',
      'mailto:lyon%40example.org',
      'lyon.example.org',
    ])
      expect(text).toContain(part)
    expect(text).toContain('rel="canonical" href="http://localhost:3000/public/chapters/FR%2FLYO"')
    expect((await open(`/public/chapters/${chapterId}`)).text).toBe(text)
  })

  test('says the name of the organisation once where the chapter has the same', async ({ lyon: { chapterId, open }, admin }) => {
    const named = async () => (await open(page)).text.match(/>The Society</g)?.length
    expect(await named()).toBe(1)
    await admin.query(`update app.chapters set name = 'The Society' where id = $1`, [chapterId])
    // The page's title and its heading.
    expect(await named()).toBe(2)
  })

  test('is there while it is published, the chapter active and chapters shown at all, and not a moment longer', async ({
    lyon: { org, chapterId, open },
    admin,
    chapter,
    organisation,
    visit,
  }) => {
    const conditions: [string, string][] = [
      [`update app.chapters set public_page = false where id = $1`, `update app.chapters set public_page = true where id = $1`],
      [`update app.chapters set status = 'suspended' where id = $1`, `update app.chapters set status = 'active' where id = $1`],
      [
        `update app.organisations set public_chapters = false where org_id = (select org_id from app.chapters where id = $1)`,
        `update app.organisations set public_chapters = true where org_id = (select org_id from app.chapters where id = $1)`,
      ],
    ]
    const missing = await open('/public/chapters/nowhere')
    expect(missing).toMatchObject({ status: 404, text: expect.stringContaining('Page not found') })
    expect(missing.text).toContain('The Society')
    for (const [off, on] of conditions) {
      await admin.query(off, [chapterId])
      expect(await open(page)).toMatchObject({ status: 404, text: missing.text, headers: { 'cache-control': 'no-store' } })
      await admin.query(on, [chapterId])
      expect(await open(page)).toMatchObject({ status: 200 })
    }
    expect(await open(`/public/chapters/${await chapter(org, 'Arles')}`)).toMatchObject({ status: 404 })
    const elsewhere = await visit((await organisation()).id)
    expect(await elsewhere(page)).toMatchObject({ status: 404 })
  })

  test('names those in office who agreed to it and are of age, and nobody else', async ({
    lyon: { org, chapterId, open },
    admin,
    person,
    api,
  }) => {
    const office = async (title: string, personId: string | null, startsOn = '2020-01-01', endsOn: string | null = null) => {
      const { rows } = await admin.query<{ id: string }>(
        `insert into app.positions (org_id, chapter_id, title, max_holders) values ($1, $2, $3, 9) on conflict (org_id, chapter_id, title_key) do update set title = $3 returning id`,
        [org.id, chapterId, title],
      )
      await admin.query(
        `insert into app.position_holders (org_id, position_id, person_id, starts_on, ends_on) values ($1, $2, $3, $4, $5)`,
        [org.id, rows[0]?.id, personId, startsOn, endsOn],
      )
    }
    const shown = await person({ org, givenName: 'Ada', familyName: 'Agreed' })
    const silent = await person({ org, givenName: 'Sil', familyName: 'Ent' })
    const former = await person({ org, givenName: 'For', familyName: 'Mer' })
    const minor = await person({ org, givenName: 'Mi', familyName: 'Nor' })
    await office('President', shown.personId)
    await office('Treasurer', silent.personId)
    await office('Archivist', former.personId, '2020-01-01', '2021-01-01')
    await office('Youth', minor.personId)
    await admin.query(`update app.people set minor_until = current_date + 10 where id = $1`, [minor.personId])
    for (const { personId, ...one } of [shown, former, minor])
      expect(await api.as({ personId, ...one }).put(`/data/people/${personId}/public-name`, { shown: true })).toMatchObject({ status: 200 })
    const { text } = await open(page)
    expect(text).toContain('<dt>President</dt><dd>Ada Agreed</dd>')
    expect(text).toContain('<dt>Treasurer</dt><dd>–</dd>')
    expect(text).toContain('<dt>Youth</dt><dd>–</dd>')
    expect(text).not.toMatch(/Archivist|Ent\b|Mer\b|Nor\b/)
    await api.as(shown).put(`/data/people/${shown.personId}/public-name`, { shown: false })
    expect((await open(page)).text).not.toContain('Ada')
  })

  test('lists active sub-chapters and leads to those that have a page', async ({ lyon: { org, chapterId, open }, admin, chapter }) => {
    const [first, , third] = [
      await chapter(org, 'Croix-Rousse', chapterId),
      await chapter(org, 'Vaise', chapterId),
      await chapter(org, 'Asleep', chapterId),
    ]
    await admin.query(`update app.chapters set code = 'CR', public_page = true where id = $1`, [first])
    await admin.query(`update app.chapters set status = 'dormant' where id = $1`, [third])
    const { text } = await open(page)
    expect(text).toContain('<a href="/public/chapters/CR">Croix-Rousse</a>')
    expect(text).toContain('<li>Vaise</li>')
    expect(text).not.toContain('Asleep')
    expect((await open('/public/chapters/CR')).text).toContain('<a href="/public/chapters/FR%2FLYO">Lyon</a>')
  })

  test('runs nothing, sets no cookie and is kept for a minute, until it changes', async ({ lyon: { chapterId, open }, admin }) => {
    const { headers, text } = await open(page)
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]{44}'; .*base-uri 'none'; frame-ancestors 'none'$/,
    )
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=60',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
    expect(String(headers['vary'])).toContain('accept-language')
    expect(headers['set-cookie']).toBeUndefined()
    expect(text).not.toMatch(/<script|\son\w+=|\sstyle=/i)
    const tag = String(headers['etag'])
    expect(await open(page, { 'if-none-match': tag })).toMatchObject({ status: 304, text: '' })
    expect(await open(page, {}, 'HEAD')).toMatchObject({ status: 200, text: '', headers: { etag: tag } })
    await admin.query(`update app.chapters set about = 'We moved.' where id = $1`, [chapterId])
    expect(await open(page, { 'if-none-match': tag })).toMatchObject({ status: 200, text: expect.stringContaining('We moved.') })
  })

  test('is in the reader’s language and direction, and in the organisation’s colour', async ({ lyon: { org, open }, admin }) => {
    expect((await open(page, { 'accept-language': 'ar' })).text).toMatch(/<html lang="ar" dir="rtl">.*جهة الاتصال/s)
    expect((await open(page, { 'accept-language': 'xx' })).text).toContain('<html lang="en" dir="ltr">')
    await admin.query(`update app.organisations set brand_color = '#ffcc00' where org_id = $1`, [org.id])
    const { text, headers } = await open(page)
    expect(text).toContain('--brand:#ffcc00;--on-brand:#000000')
    expect(headers['content-security-policy']).toContain('sha256-')
  })

  test('opens so often a minute from one place', async ({ lyon: { org }, visit }) => {
    const open = await visit(org.id, '198.51.100.20')
    for (let i = 0; i < 120; i++) await open('/public/nothing')
    expect(await open(page)).toMatchObject({ status: 429, headers: { 'retry-after': '60' } })
    const neighbour = await visit(org.id, '198.51.100.21')
    expect(await neighbour(page)).toMatchObject({ status: 200 })
  })
})

describe('the preview of a chapter’s page', () => {
  test('opens for an hour by a link that an officer makes, published or not', async ({
    lyon: { org, chapterId, open },
    admin,
    person,
    api,
  }) => {
    await admin.query(`update app.chapters set public_page = false where id = $1`, [chapterId])
    const officer = await person({ org, idpRoles: ['org-admin'] })
    const member = await person({ org })
    const url = `/data/chapters/${chapterId}/page-previews`
    expect(await api.as(member).post(url)).toMatchObject({ status: 403 })
    const { status, body } = await api.as(officer).post(url)
    expect(status).toBe(201)
    const { path } = body as { path: string }
    expect(await open(path)).toMatchObject({
      status: 200,
      text: expect.stringMatching(/Preview\..*We meet/s),
      headers: { 'cache-control': 'no-store' },
    })
    expect(await open(page)).toMatchObject({ status: 404 })
    const { rows } = await admin.query(
      `select from app.signed_links where subject_id = $1 and expires_at < now() + interval '61 minutes'`,
      [chapterId],
    )
    expect(rows).toHaveLength(1)
    const refused = await open(`${path}x`)
    expect(refused).toMatchObject({ status: 404, text: expect.stringContaining('This link is not valid (any more)') })
    expect(await open(path.replace('chapter-previews', 'invitations'))).toMatchObject({ status: 404, text: refused.text })
  })

  test('answers a forged, an expired, a revoked and a foreign link alike', async ({
    lyon: { org, chapterId },
    visit,
    person,
    api,
    admin,
    organisation,
    chapter,
  }) => {
    const other = await organisation()
    const made = async (where: TestOrganisation, id: string, change?: string) => {
      const officer = await person({ org: where, idpRoles: ['org-admin'] })
      const { path } = (await api.as(officer).post(`/data/chapters/${id}/page-previews`)).body as { path: string }
      if (change) await admin.query(`update app.signed_links set ${change} where subject_id = $1 and revoked_at is null`, [id])
      return path
    }
    const valid = await made(org, chapterId)
    const links = {
      forged: `${valid.slice(0, -5)}AAAAA`,
      expired: await made(org, await chapter(org, 'Old'), `created_at = now() - interval '2 days', expires_at = now()`),
      revoked: await made(org, await chapter(org, 'Shut'), 'revoked_at = now()'),
      foreign: await made(other, await chapter(other, 'Abroad')),
    }
    const open = await visit(org.id, '198.51.100.60')
    const said = async (path: string) => {
      const { status, text, headers } = await open(path)
      const { date: _date, 'x-request-id': _id, ...kept } = headers
      return { status, text, headers: kept }
    }
    const forged = await said(links.forged)
    expect(forged.status).toBe(404)
    for (const path of [links.expired, links.revoked, links.foreign]) expect(await said(path)).toEqual(forged)
    // The control: the same visitor opens the valid one.
    expect((await said(valid)).status).toBe(200)
  })

  test('refuses who tries many links, and never who has a valid one', async ({ lyon: { org, chapterId }, visit, person, api }) => {
    const officer = await person({ org, idpRoles: ['org-admin'] })
    const { path } = (await api.as(officer).post(`/data/chapters/${chapterId}/page-previews`)).body as { path: string }
    const open = await visit(org.id, '198.51.100.40')
    const statuses = []
    for (let i = 0; i < 12; i++) statuses.push((await open(`/public/chapter-previews/${'A'.repeat(26)}${i}`)).status)
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 404), 429, 429])
    expect(await open(path)).toMatchObject({ status: 200 })
  })
})

test('what is opened by a link leaves no secret in the log', async ({ lyon: { chapterId, org }, person, variant, api }) => {
  const officer = await person({ org, idpRoles: ['org-admin'] })
  const { path } = (await api.as(officer).post(`/data/chapters/${chapterId}/page-previews`)).body as { path: string }
  const lines: string[] = []
  const { app } = await variant(
    { LOG_LEVEL: 'info' },
    createLog('info', new Writable({ write: (line, _encoding, done) => (lines.push(String(line)), done()) })),
  )
  await app.inject({ method: 'GET', url: path })
  await app.inject({ method: 'GET', url: `/public/none/${path.split('/').at(-1)}` })
  expect(lines.join('\n')).toContain('/public/chapter-previews/:token')
  expect(lines.join('\n')).not.toContain(path.split('/').at(-1))
})
