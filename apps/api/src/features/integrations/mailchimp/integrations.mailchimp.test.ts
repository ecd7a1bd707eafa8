import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Push, Reach } from '../connectors/integrations.connector.rules.ts'
import { reachOf } from '../connectors/integrations.remote.testing.ts'
import type { RemoteRequest } from '../connectors/integrations.remote.testing.ts'
import { mailchimp } from './integrations.mailchimp.actions.ts'
import { apiAddress, memberId, readMembers } from './integrations.mailchimp.rules.ts'
import { contactIdOf, startMailchimp } from './integrations.mailchimp.testing.ts'

let there: Awaited<ReturnType<typeof startMailchimp>>
let reach: ReturnType<typeof reachOf>
beforeEach(async () => {
  there = await startMailchimp()
  reach = reachOf(there, there.settings, { key: there.key })
})
afterEach(async () => {
  await reach.close()
  await there.close()
})

const part = async (cursor: string | null, mark: string | null = null, asked: Reach = reach) => {
  const read = await mailchimp.pull?.(asked, cursor, mark)
  if (!read) throw new Error('it reads')
  return read
}
const push = (...rows: Push[]) => mailchimp.push?.(reach, rows) ?? Promise.resolve([])
const ada = (more: Partial<Push> = {}): Push => ({
  ourId: 'ada',
  externalId: null,
  values: { email: 'Ada@Example.org', FNAME: 'Ada', LNAME: 'Lovelace', tags: 'board; press', subscribed: 'yes' },
  ...more,
})
const id = contactIdOf('ada@example.org')
const batch = ({ method, path }: RemoteRequest) => method === 'POST' && path === '/3.0/lists/a1b2c3d4e5'

describe('asking Mailchimp', () => {
  test('says which audience it is, by id or name', async () => {
    there.add({ email: 'ada@example.org' })
    for (const list of [there.list.id, 'friends'])
      expect(await mailchimp.test({ ...reach, settings: { ...there.settings, list } })).toEqual([
        { name: 'list', value: 'Friends' },
        { name: 'subscribers', value: '1' },
      ])
  })

  test.each([
    ['a wrong key', { secrets: { key: 'abc-us6' } }, 'unauthorized'],
    ['an id that no audience has', { settings: { list: 'ffffffffff' } }, 'not_found'],
    ['a name that no audience has', { settings: { list: 'Nothing' } }, 'not_found'],
    ['a key without its data centre', { secrets: { key: 'abc' }, settings: { address: '' } }, 'unauthorized'],
  ])(
    '%s is refused',
    async (_name, { secrets, settings }: { secrets?: Record<string, string>; settings?: Record<string, string> }, code) => {
      const asked = { ...reach, settings: { ...there.settings, ...settings }, secrets: secrets ?? reach.secrets }
      await expect(mailchimp.test(asked)).rejects.toMatchObject({ code })
    },
  )

  test('the key says where', () => {
    expect(apiAddress('0123-us21', '')).toBe('https://us21.api.mailchimp.com/3.0')
    for (const key of ['0123-evil.example/', '0123-us6.evil.example', '0123-us6@evil.example', '0123-us6\n', '0123-us6#'])
      expect(() => apiAddress(key, '')).toThrow('data centre')
  })

  test('an answer that no pass can go on from is a bad one', () => {
    const member = { id: 'a', email_address: 'ada@example.org', status: 'subscribed', last_changed: 'yesterday' }
    expect(() => readMembers({ members: [member], total_items: 1 })).toThrow('as Mailchimp does')
  })

  test('names merge fields without addresses', async () => {
    there.add({ email: 'ada@example.org', merge: { FNAME: 'Ada' } })
    expect(await mailchimp.theirs(reach)).toEqual([
      { key: 'email', label: null, isKey: true, example: 'ada@example.org' },
      { key: 'subscribed', label: null, isKey: false, example: 'yes' },
      { key: 'tags', label: null, isKey: false, example: null },
      { key: 'FNAME', label: 'First Name', isKey: false, example: 'Ada' },
      { key: 'LNAME', label: 'Last Name', isKey: false, example: null },
      { key: 'MEMBERNO', label: 'Member number', isKey: false, example: null },
    ])
  })
})

describe('reading members', () => {
  /** A pass to its end; `between` happens between two parts. */
  async function pass(mark: string | null, between: (n: number) => void = () => {}) {
    const rows: string[] = []
    let read = await part(null, mark)
    for (let n = 0; ; n++) {
      rows.push(...read.rows.map(({ values }) => values['email'] ?? ''))
      if (read.cursor === null) return { rows, mark: read.mark ?? null, isWhole: read.isWhole }
      between(n)
      read = await part(read.cursor, mark)
    }
  }

  test('with values as texts, and what each says', async () => {
    there.add({ email: 'Ada@Example.org', merge: { FNAME: 'Ada', MEMBERNO: 7, ADDRESS: { city: 'London' } }, tags: ['press', 'board'] })
    for (const status of ['unsubscribed', 'cleaned', 'pending', 'transactional'] as const)
      there.add({ email: `${status}@example.org`, status })
    const { rows, total } = await part(null)
    expect(rows[0]).toEqual({
      ...{ externalId: id, version: '2026-11-01T10:00:01+00:00' },
      values: { email: 'ada@example.org', subscribed: 'yes', tags: 'board; press', FNAME: 'Ada', LNAME: null, MEMBERNO: '7' },
    })
    expect(rows.map(({ values }) => values['subscribed'])).toEqual(['yes', 'no', 'pending', 'pending', null])
    expect(total).toBe(5)
  })

  test('misses none that changes or leaves between the parts, and none twice', async () => {
    for (let n = 0; n < 2_500; n++) there.add({ email: `m${n}@example.org` })
    const moved: string[] = []
    const { rows, isWhole } = await pass(null, (n) => {
      for (const email of [`m${n * 3}@example.org`, `m${n * 3 + 1}@example.org`]) {
        there.unsubscribe(email)
        moved.push(email)
      }
      there.rows.delete(memberId(`m${n * 3 + 2}@example.org`))
    })
    expect(new Set(rows).size).toBe(2_500)
    expect(rows.length).toBe(2_500 + moved.length)
    expect(isWhole).toBe(true)
  })

  test('reads thousands that changed in one second, and says when one may be missing', async () => {
    there.clock.step = 0
    for (let n = 0; n < 2_300; n++) there.add({ email: `m${n}@example.org` })
    there.clock.step = 1_000
    there.add({ email: 'later@example.org' })
    const whole = await pass(null)
    expect([new Set(whole.rows).size, whole.rows.length, whole.isWhole]).toEqual([2_301, 2_301, true])
    const shifted = await pass(null, (n) => {
      if (n === 0) there.rows.delete(memberId('m0@example.org'))
    })
    expect(shifted.isWhole).toBe(false)
  })

  test('a change during a pass is read again by the next one, however long the pass took', async () => {
    const now = Date.now()
    there.clock.now = now - 86_400_000
    for (let n = 0; n < 1_500; n++) there.add({ email: `m${n}@example.org` })
    const { mark } = await pass(null, () => {
      there.clock.now = now + 60_000
      there.unsubscribe('m1@example.org')
      there.clock.now = now + 3_600_000
      there.unsubscribe('m2@example.org')
    })
    expect((await pass(mark)).rows).toEqual(['m1@example.org', 'm2@example.org'])
  })

  test('then only what changed, and all of it once a day', async () => {
    there.add({ email: 'ada@example.org' })
    there.clock.now += 3_600_000
    there.add({ email: 'bob@example.org' })
    const first = await pass(null)
    there.clock.now += 3_600_000
    there.unsubscribe('ada@example.org')
    const second = await pass(first.mark)
    expect([second.rows.includes('ada@example.org'), second.isWhole]).toEqual([true, false])
    expect((await pass(second.mark)).rows).toEqual(['ada@example.org'])
    const tomorrow = await part(null, second.mark, { ...reach, today: '2026-11-29' })
    expect([tomorrow.rows.length, tomorrow.isWhole]).toEqual([2, true])
  })
})

describe('writing members', () => {
  test('makes one, changes it, and repeats without another', async () => {
    const [made] = await push(ada())
    const values = { email: 'ada@example.org', subscribed: 'yes', tags: 'board; press', FNAME: 'Ada', LNAME: 'Lovelace', MEMBERNO: null }
    expect(made).toMatchObject({ ourId: 'ada', externalId: id, values })
    const change = ada({ externalId: id, values: { LNAME: null, MEMBERNO: '7', tags: 'press; staff' } })
    await push(change)
    expect(await push(change)).toMatchObject([{ externalId: id, values: { LNAME: null, MEMBERNO: '7', tags: 'press; staff' } }])
    expect(there.seen('ada@example.org')).toEqual({
      status: 'subscribed',
      merge: { FNAME: 'Ada', LNAME: '', MEMBERNO: '7' },
      tags: ['press', 'staff'],
    })
    expect(there.rows.size).toBe(1)
  })

  test('500 new ones are one request; a lost answer makes no second ones', async () => {
    const rows = Array.from({ length: 500 }, (_, n) => ada({ ourId: `p${n}`, values: { email: `p${n}@example.org`, subscribed: 'yes' } }))
    there.faults.push({ of: batch, does: 'lose' })
    await expect(push(...rows)).rejects.toMatchObject({ code: 'unreachable' })
    expect([there.rows.size, there.requests.filter(batch).length]).toEqual([500, 1])
    const again = await push(...rows)
    expect([again.length, again.filter((one) => 'error' in one).length, there.rows.size]).toEqual([500, 0, 500])
  })

  test('a new address stays the same member, on either side and when the answer is lost; one that is taken is named', async () => {
    await push(ada())
    const change = ada({ externalId: id, values: { email: 'countess@example.org' } })
    there.faults.push({ of: ({ method }) => method === 'PATCH', does: 'lose' })
    await expect(push(change)).rejects.toMatchObject({ code: 'unreachable' })
    expect(await push(change)).toMatchObject([{ externalId: id, values: { email: 'countess@example.org', FNAME: 'Ada' } }])
    there.changeAddress('countess@example.org', 'ada.l@example.org')
    expect((await part(null)).rows).toMatchObject([{ externalId: id, values: { email: 'ada.l@example.org' } }])
    expect(await push(ada({ externalId: id, values: { FNAME: 'Augusta' } }))).toMatchObject([
      { externalId: id, values: { FNAME: 'Augusta' } },
    ])
    expect(there.rows.size).toBe(1)
    there.add({ email: 'taken@example.org' })
    expect(await push(ada({ externalId: id, values: { email: 'taken@example.org' } }))).toMatchObject([
      { error: { code: 'address_taken' } },
    ])
  })

  test('says of each row what Mailchimp does not take', async () => {
    there.forgotten.add(memberId('gone@example.org'))
    there.add({ email: 'away@example.org', status: 'archived' })
    const rows = ['fake@example.org', 'gone@example.org', 'away@example.org', 'good@example.org'].map((email) =>
      ada({ ourId: email, values: { email, subscribed: 'yes' } }),
    )
    const done = await push(
      ...rows,
      ada({ ourId: 'none', values: {} }),
      ada({ ourId: 'left', externalId: contactIdOf('left@example.org'), values: { FNAME: 'x' } }),
    )
    expect(new Map(done.map((one) => [one.ourId, 'error' in one ? one.error.code : 'made']))).toEqual(
      new Map([
        ['none', 'no_email'],
        ['fake@example.org', 'refused_there'],
        ['gone@example.org', 'forgotten_there'],
        ['good@example.org', 'made'],
        ['away@example.org', 'archived_there'],
        ['left', 'gone_there'],
      ]),
    )
    there.add({ email: 'ada@example.org' })
    expect(await push(ada({ externalId: id, values: { MEMBERNO: 'seven' } }))).toMatchObject([{ error: { code: 'refused_there' } }])
  })

  test('a limit in the middle keeps what is done', async () => {
    for (let n = 0; n < 8; n++) there.add({ email: `p${n}@example.org` })
    const rows = Array.from({ length: 8 }, (_, n) =>
      ada({ ourId: `p${n}`, externalId: contactIdOf(`p${n}@example.org`), values: { FNAME: 'P' } }),
    )
    let left = 4
    there.faults.push({ of: ({ method }) => method === 'PATCH' && left-- <= 0, does: { status: 429, body: {} } })
    const done = await push(...rows)
    expect(done.length).toBeGreaterThan(0)
    expect(done.length).toBeLessThan(8)
    there.faults.push({ of: () => true, does: { status: 429, body: {}, headers: { 'retry-after': '12' } } })
    await expect(push(...rows)).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 12 })
  })
})

describe('consent', () => {
  test('who ended it there is not subscribed by a first meeting, and keeps tags of others', async () => {
    there.add({ email: 'ada@example.org', status: 'unsubscribed', isOwnWord: true, tags: ['old'] })
    expect(await push(ada())).toMatchObject([{ externalId: id, values: { subscribed: 'no', FNAME: 'Ada', tags: 'board; old; press' } }])
    expect(there.seen('ada@example.org')?.status).toBe('unsubscribed')
  })

  test('ends there and starts again; who ended it themselves is named', async () => {
    await push(ada())
    expect(await push(ada({ externalId: id, values: { subscribed: 'no' } }))).toMatchObject([{ values: { subscribed: 'no' } }])
    expect(await push(ada({ externalId: id, values: { subscribed: 'yes' } }))).toMatchObject([{ values: { subscribed: 'yes' } }])
    there.unsubscribe('ada@example.org')
    expect(await push(ada({ externalId: id, values: { subscribed: 'yes' } }))).toMatchObject([{ error: { code: 'compliance_state' } }])
    expect(there.seen('ada@example.org')?.status).toBe('unsubscribed')
  })

  test('without consent a new member is known and not subscribed', async () => {
    await push(ada({ values: { email: 'ada@example.org' } }))
    expect(there.seen('ada@example.org')?.status).toBe('transactional')
    await push(ada())
    expect(there.seen('ada@example.org')?.status).toBe('subscribed')
  })

  test('one out of reach is archived and can come back, an erased person is deleted for good; both again without harm', async () => {
    await push(ada())
    const stopped = { ourId: 'ada', externalId: id, version: null }
    for (let n = 0; n < 2; n++) expect(await push(ada({ externalId: id, values: {}, stop: 'remove' }))).toEqual([stopped])
    expect(there.seen('ada@example.org')?.status).toBe('archived')
    expect((await part(null)).rows).toEqual([])
    await push(ada({ externalId: id, values: { subscribed: 'yes' } }))
    expect(there.seen('ada@example.org')?.status).toBe('subscribed')
    for (let n = 0; n < 2; n++) expect(await push(ada({ externalId: id, values: {}, stop: 'erase' }))).toEqual([stopped])
    expect([there.rows.size, there.forgotten.has(memberId('ada@example.org'))]).toEqual([0, true])
  })
})
