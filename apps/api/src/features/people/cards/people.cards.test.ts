import { expect } from 'vitest'
import sharp from 'sharp'
import { createApp } from '../../../app.ts'
import { test as base } from '../../../testing.ts'
import type { TestOrganisation, TestPerson } from '../../../testing.ts'
import { send } from '../../files/files.testing.ts'

type Card = {
  membership: { chapter: { name: string }; until: string | null } | null
  card: { id: string; state: string; address: string | null; validUntil: string; reason: string } | null
  may: { issue: boolean; revoke: boolean }
}
type Page = { status: number; text: string; headers: Record<string, unknown> }

/** An organisation with a chapter, its officer and a member; `scan` opens what a code says, as somebody at the door. */
const test = base.extend<{
  lyon: { org: TestOrganisation; chapterId: string; officer: TestPerson; member: TestPerson }
  cardOf: (who: TestPerson, whose?: TestPerson) => Promise<Card>
  issue: (who: TestPerson, whose?: TestPerson) => Promise<{ status: number; body: Card & { reason?: string } }>
  scan: (address: string | null | undefined, orgId?: string) => Promise<Page>
}>({
  lyon: async ({ admin, organisation, chapter, person }, use) => {
    const org = await organisation()
    await admin.query(`update app.organisations set idp_org_id = $1::text, name = 'The Society' where org_id = $1`, [org.id])
    const chapterId = await chapter(org, 'Lyon')
    await use({
      org,
      chapterId,
      officer: await person({ org, chapterId, grants: [{ role: 'chapter-admin', chapterId }] }),
      member: await person({ org, chapterId, givenName: 'Ada', familyName: 'Lovelace' }),
    })
  },
  cardOf: async ({ api }, use) => use(async (who, whose = who) => (await api.as(who).get(`/data/people/${whose.personId}/card`)).body),
  issue: async ({ api }, use) =>
    use(async (who, whose = who) => {
      const { status, body } = await api.as(who).post(`/data/people/${whose.personId}/card`)
      return { status, body: body }
    }),
  scan: async ({ api, lyon }, use) => {
    const apps: { close(): Promise<void> }[] = []
    await use(async (address, orgId = lyon.org.id) => {
      const app = await createApp({ ...api.services, config: { ...api.services.config, ORG_ID: orgId } })
      apps.push(app)
      const { statusCode, body, headers } = await app.inject({
        url: new URL(address ?? '', 'http://x').pathname,
        remoteAddress: '203.0.113.9',
      })
      return { status: statusCode, text: body, headers }
    })
    for (const app of apps) await app.close()
  },
})

/** What a refusal shows, without what differs between two pages of the same words. */
const words = ({ status, text }: Page) => `${status} ${text.replace(/<style>.*?<\/style>/s, '')}`

test('a member issues their card, whose code says that it is valid and nothing of who they are', async ({ lyon, issue, scan }) => {
  const { status, body } = await issue(lyon.member)
  expect(status).toBe(201)
  expect(body).toMatchObject({
    membership: { chapter: { name: 'Lyon' } },
    card: { state: 'eligible', reason: '' },
    may: { issue: true, revoke: false },
  })
  expect(body.card?.address).toMatch(/^http:\/\/localhost:3000\/public\/cards\/[\w-]{27}$/)
  const page = await scan(body.card?.address)
  expect(page.status).toBe(200)
  for (const part of ['<h1>Valid member card</h1>', 'The Society', 'Lyon', 'The holder has chosen not to show their name here.'])
    expect(page.text).toContain(part)
  expect(page.text).not.toContain('Lovelace')
  expect(page.text).not.toContain('<img')
  expect(page.text).not.toContain('<script')
  expect(page.headers).toMatchObject({ 'x-robots-tag': 'noindex', 'cache-control': 'no-store' })
  expect(page.text).toContain('<meta name="robots" content="noindex"/>')
})

test('the card is the same whenever it is looked at, and its token stands nowhere in the database', async ({
  admin,
  lyon,
  issue,
  cardOf,
}) => {
  const address = (await issue(lyon.member)).body.card?.address ?? ''
  expect((await cardOf(lyon.member)).card?.address).toBe(address)
  expect((await cardOf(lyon.officer, lyon.member)).card?.address).toBe(address)
  const { rows } = await admin.query<{ row: string }>(
    `select to_jsonb(c)::text as row from app.member_cards c where org_id = $1 union all select to_jsonb(l)::text from app.signed_links l where org_id = $1`,
    [lyon.org.id],
  )
  expect(rows.length).toBeGreaterThan(1)
  for (const { row } of rows) expect(row).not.toContain(address.split('/').at(-1))
})

test('name and picture show as their holder agreed, never those of a minor', async ({ api, admin, lyon: { member }, issue, scan }) => {
  const address = (await issue(member)).body.card?.address
  const picture = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#123456' } })
    .png()
    .toBuffer()
  expect((await send(api.app, member, `/pictures/person/${member.personId}`, 'me.png', picture)).status).toBe(201)
  const agree = (shown: boolean, withPicture: boolean) =>
    api.as(member).put(`/data/people/${member.personId}/public-name`, { shown, withPicture })

  expect((await agree(true, false)).body).toEqual({ shown: true, withPicture: false })
  expect((await scan(address)).text).toContain('Ada Lovelace')
  expect((await scan(address)).text).not.toContain('<img')
  expect((await agree(true, true)).body).toEqual({ shown: true, withPicture: true })
  expect((await scan(address)).text).toMatch(/<img class="face" src="data:image\/webp;base64,[\w+/=]{20,}" alt="Picture of the holder"\/>/)

  await admin.query(`insert into app.person_private (org_id, person_id, birth_date) values ($1, $2, now() - interval '10 years')`, [
    member.orgId,
    member.personId,
  ])
  const ofMinor = await scan(address)
  expect(ofMinor.text).toContain('Valid member card')
  expect(ofMinor.text).not.toMatch(/Lovelace|<img/)

  expect((await agree(false, true)).body).toEqual({ shown: false, withPicture: false })
})

test('a new code is the end of the old one, and revoked, ended, forged and foreign codes are refused in the same words', async ({
  api,
  admin,
  lyon,
  issue,
  cardOf,
  scan,
  organisation,
  person,
}) => {
  const old = (await issue(lyon.member)).body.card?.address
  const current = (await issue(lyon.member)).body.card?.address
  expect((await scan(current)).status).toBe(200)
  const forged = words(await scan(`/public/cards/${'A'.repeat(27)}`))
  expect(forged).toMatch(/^404 .*This card is not valid/s)
  expect(words(await scan(old))).toBe(forged)
  expect(words(await scan(current?.replace('/cards/', '/invitations/')))).toContain('404')

  const elsewhere = await organisation()
  await admin.query(`update app.organisations set idp_org_id = $1::text, name = 'The Society' where org_id = $1`, [elsewhere.id])
  const abroad = (await issue(await person({ org: elsewhere }))).body.card?.address
  expect(words(await scan(abroad))).toBe(forged)
  expect((await scan(abroad, elsewhere.id)).status).toBe(200)

  const revoke = (who: TestPerson, reason = 'Lent to somebody else') =>
    api.as(who).post(`/data/people/${lyon.member.personId}/card/revoke`, { reason })
  expect((await revoke(lyon.member)).status).toBe(403)
  expect((await revoke(lyon.officer)).status).toBe(200)
  expect(words(await scan(current))).toBe(forged)
  expect(await revoke(lyon.officer)).toMatchObject({ status: 409, body: { reason: 'card_none' } })
  expect(await cardOf(lyon.member)).toMatchObject({
    card: { state: 'revoked', address: null, reason: 'Lent to somebody else' },
    may: { issue: false, revoke: false },
  })
  // Nobody issues a card of their own anew that was taken from them; an officer does.
  expect(await issue(lyon.member)).toMatchObject({ status: 403, body: { reason: 'card_revoked' } })
  const anew = (await issue(lyon.officer, lyon.member)).body.card?.address
  expect((await scan(anew)).status).toBe(200)

  await admin.query(`update app.affiliations set ends_on = current_date - 3 where person_id = $1`, [lyon.member.personId])
  expect(words(await scan(anew))).toBe(forged)
  expect(await cardOf(lyon.member)).toMatchObject({ membership: null, card: { state: 'ended', address: null }, may: { issue: false } })
  expect(await issue(lyon.member)).toMatchObject({ status: 409, body: { reason: 'card_not_eligible' } })
  // Whoever is a member again has a valid card again.
  await admin.query(`update app.affiliations set ends_on = current_date + 9 where person_id = $1`, [lyon.member.personId])
  expect((await cardOf(lyon.member)).card).toMatchObject({ state: 'eligible', address: anew })
  expect((await cardOf(lyon.member)).membership?.until).toBe((await cardOf(lyon.member)).card?.validUntil)
})

test('a card is valid for its days, and for nobody whose record is closed or archived', async ({
  admin,
  lyon: { member },
  issue,
  scan,
}) => {
  const { card } = (await issue(member)).body
  const after = async (statement: string) => {
    await admin.query(statement, [member.personId])
    return (await scan(card?.address)).status
  }
  expect(await after(`update app.member_cards set valid_until = current_date - 2 where person_id = $1`)).toBe(404)
  expect(await after(`update app.member_cards set valid_until = current_date + 2 where person_id = $1`)).toBe(200)
  expect(await after(`update app.people set deleted_at = now() where id = $1`)).toBe(404)
  expect(await after(`update app.people set deleted_at = null where id = $1`)).toBe(200)
  expect(await after(`update app.people set lifecycle = 'deceased' where id = $1`)).toBe(404)
})

test('others see no card of a member, and issue or print none', async ({ api, chapter, lyon, person, issue }) => {
  await issue(lyon.member)
  const url = `/people/${lyon.member.personId}/card`
  const other = await person({ org: lyon.org, chapterId: lyon.chapterId })
  const east = await chapter(lyon.org, 'East')
  const officerElsewhere = await person({ org: lyon.org, chapterId: east, grants: [{ role: 'chapter-admin', chapterId: east }] })
  for (const who of [other, officerElsewhere]) {
    expect((await api.as(who).get(`/data${url}`)).status).toBe(403)
    expect((await api.as(who).post(`/data${url}`)).status).toBe(403)
    expect((await api.as(who).post(`/actions${url}/pdf`)).status).toBe(403)
    expect((await api.as(who).post(`/data${url}/revoke`, { reason: 'x' })).status).toBe(403)
  }
})

test('the card is printed as PDF by its holder and their officer, with the code of the valid card', async ({ api, lyon, issue }) => {
  const url = `/actions/people/${lyon.member.personId}/card/pdf`
  expect(await api.as(lyon.member).post(url)).toMatchObject({ status: 409, body: { reason: 'card_none' } })
  await issue(lyon.member)
  const { statusCode, headers, rawPayload } = await api.app.inject({
    method: 'POST',
    url,
    headers: { authorization: `Bearer ${lyon.officer.token}` },
  })
  expect([statusCode, headers['content-type']]).toEqual([200, 'application/pdf'])
  expect(String(headers['content-disposition'])).toContain('member-card.pdf')
  expect(rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
})
