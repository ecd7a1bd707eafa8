import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Pulled, Push, Reach } from '../connectors/integrations.connector.rules.ts'
import { reachOf } from '../connectors/integrations.remote.testing.ts'
import { listmonk } from './integrations.listmonk.actions.ts'
import { startListmonk } from './integrations.listmonk.testing.ts'

let there: Awaited<ReturnType<typeof startListmonk>>
let reach: ReturnType<typeof reachOf>
beforeEach(async () => {
  there = await startListmonk()
  reach = reachOf(there, there.settings, { token: there.credentials.token })
})
afterEach(async () => {
  await reach.close()
  await there.close()
})

const pull = async (asked: Reach = reach) => {
  const rows = []
  let parts = 0
  for (let cursor: string | null = null, isFirst = true; isFirst || cursor !== null; isFirst = false) {
    const part: Pulled | undefined = await listmonk.pull?.(asked, cursor, null)
    rows.push(...(part?.rows ?? []))
    cursor = part?.cursor ?? null
    parts += 1
  }
  return { rows, parts }
}
const push = (...rows: Push[]) => listmonk.push?.(reach, rows) ?? Promise.resolve([])
const ada = (more: Partial<Push> = {}): Push => ({
  ourId: 'ada',
  externalId: null,
  values: { email: 'ada@example.org', name: 'Ada Lovelace', 'attribs.city': 'London', 'attribs.tags': 'board; press', subscribed: 'yes' },
  ...more,
})
const post = ({ method, path }: { method: string; path: string }) => method === 'POST' && path === '/api/subscribers'

describe('asking listmonk', () => {
  test('says what the list is, by number, name or UUID', async () => {
    there.add({ email: 'ada@example.org' })
    for (const list of ['3', 'newsletter', there.lists[0]?.uuid ?? '']) {
      expect(await listmonk.test({ ...reach, settings: { ...there.settings, list } })).toEqual([
        { name: 'list', value: 'Newsletter' },
        { name: 'opt-in', value: 'single' },
        { name: 'subscribers', value: '1' },
      ])
    }
  })

  test.each([
    ['a wrong token', { secrets: { token: 'tok-2' } }, 'unauthorized'],
    ['a list that is not there', { settings: { list: '99' } }, 'not_found'],
    ['a name that no list has', { settings: { list: 'Nothing' } }, 'not_found'],
  ])(
    '%s is refused',
    async (_name, { secrets, settings }: { secrets?: Record<string, string>; settings?: Record<string, string> }, code) => {
      const asked = { ...reach, settings: { ...there.settings, ...settings }, secrets: secrets ?? reach.secrets }
      await expect(listmonk.test(asked)).rejects.toMatchObject({ code })
      await expect(pull(asked)).rejects.toMatchObject({ code })
    },
  )

  test('names the right that the API user lacks', async () => {
    there.rights.query = false
    await expect(listmonk.test(reach)).rejects.toMatchObject({ code: 'unauthorized', message: expect.stringContaining('sql_query') })
  })

  test('a server that is something else cannot be read, and one that is away is unreachable', async () => {
    there.faults.push({ of: () => true, does: { status: 200, body: { hello: 'world' } } })
    await expect(listmonk.test(reach)).rejects.toMatchObject({ code: 'bad_answer' })
    there.faults.push({ of: () => true, does: { status: 429, headers: { 'retry-after': '7' } } })
    await expect(listmonk.test(reach)).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 7 })
    there.faults.push({ of: () => true, does: 'cut' })
    await expect(listmonk.test(reach)).rejects.toMatchObject({ code: 'unreachable' })
  })

  test('lists attributes that are there beside the usual ones', async () => {
    there.add({ email: 'ada@example.org', name: 'Ada', attribs: { shoe_size: 38, nested: { a: 1 } } })
    const fields = await listmonk.theirs(reach)
    expect(fields.filter(({ isKey }) => isKey)).toEqual([{ key: 'email', label: null, example: 'ada@example.org', isKey: true }])
    expect(fields).toContainEqual({ key: 'attribs.shoe_size', label: 'shoe_size', example: '38', isKey: false })
    expect(fields.map(({ key }) => key)).toEqual(expect.arrayContaining(['name', 'subscribed', 'attribs.first_name', 'attribs.tags']))
    expect(fields.map(({ key }) => key)).not.toContain('attribs.nested')
  })

  test('shows of long values what the database takes', async () => {
    there.add({ email: 'ada@example.org', attribs: { about: `${'a'.repeat(99)}😀`, [`x${'y'.repeat(300)}`]: 1 } })
    const fields = await listmonk.theirs(reach)
    expect(fields.find(({ key }) => key === 'attribs.about')?.example).toBe(`${'a'.repeat(99)}\ufffd`)
    expect(fields.some(({ key }) => key.length > 200)).toBe(false)
  })
})

describe('reading subscribers', () => {
  test('page by page, each once, while some leave the list', async () => {
    for (let n = 1; n <= 420; n++) there.add({ email: `s${n}@example.org` })
    there.add({ email: 'elsewhere@example.org', lists: { 4: 'confirmed' } })
    const first = await listmonk.pull?.(reach, null, null)
    expect([first?.rows.length, first?.total]).toEqual([200, 420])
    for (let n = 1; n <= 10; n++) there.rows.get(n)?.lists.delete(3)
    const second = await listmonk.pull?.(reach, first?.cursor ?? null, null)
    const third = await listmonk.pull?.(reach, second?.cursor ?? null, null)
    const read = [first, second, third].flatMap((part) => part?.rows.map(({ externalId }) => Number(externalId)) ?? [])
    expect(read).toEqual(Array.from({ length: 420 }, (_, n) => n + 1))
    expect(third?.cursor).toBe(null)
  })

  test('with values as texts, and what each says', async () => {
    there.add({
      email: 'Ada@Example.org',
      name: ' Ada ',
      attribs: { city: 'London', age: 36, vip: true, tags: ['press', 'board'], none: null },
    })
    there.add({ email: 'no@example.org', lists: { 3: 'unsubscribed' } })
    there.add({ email: 'blocked@example.org', status: 'blocklisted', lists: { 3: 'unsubscribed' } })
    there.add({ email: 'open@example.org', lists: { 3: 'unconfirmed' } })
    const { rows } = await pull()
    expect(rows[0]?.values).toEqual({
      ...{ email: 'ada@example.org', name: 'Ada', subscribed: 'yes' },
      ...{ 'attribs.city': 'London', 'attribs.age': '36', 'attribs.vip': 'true', 'attribs.tags': 'board; press', 'attribs.none': null },
    })
    expect(rows.map(({ values }) => values['subscribed'])).toEqual(['yes', 'no', 'blocked', 'yes'])
    there.add({ email: 'asked@example.org', lists: { 4: 'unconfirmed' } })
    const board = await pull({ ...reach, settings: { ...there.settings, list: 'Board' } })
    expect(board.rows.map(({ values }) => values['subscribed'])).toEqual(['pending'])
  })
})

describe('writing subscribers', () => {
  test('makes one, changes it, and repeats without another', async () => {
    const [made] = await push(ada())
    const values = {
      email: 'ada@example.org',
      name: 'Ada Lovelace',
      'attribs.city': 'London',
      'attribs.tags': 'board; press',
      subscribed: 'yes',
    }
    expect(made).toEqual({ ourId: 'ada', externalId: '1', version: expect.any(String), values })
    expect(there.seen('ada@example.org')).toEqual([
      { id: 1, name: 'Ada Lovelace', status: 'enabled', attribs: { city: 'London', tags: ['board', 'press'] }, list: 'confirmed' },
    ])
    const change = ada({ externalId: '1', values: { 'attribs.city': 'Paris', 'attribs.tags': null } })
    await push(change)
    await push(change)
    expect(there.seen('ada@example.org')).toEqual([
      { id: 1, name: 'Ada Lovelace', status: 'enabled', attribs: { city: 'Paris', tags: [] }, list: 'confirmed' },
    ])
    expect([there.rows.size, there.optins]).toEqual([1, []])
  })

  test('a lost answer makes no second one', async () => {
    there.faults.push({ of: post, does: 'lose' })
    await expect(push(ada())).rejects.toMatchObject({ code: 'unreachable' })
    expect(there.rows.size).toBe(1)
    expect(await push(ada())).toEqual([expect.objectContaining({ ourId: 'ada', externalId: '1' })])
    expect(there.rows.size).toBe(1)
  })

  test('a new address stays the same subscriber; one that is taken is named', async () => {
    await push(ada())
    expect(await push(ada({ externalId: '1', values: { email: 'countess@example.org' } }))).toEqual([
      expect.objectContaining({ externalId: '1' }),
    ])
    expect(there.seen('countess@example.org')).toHaveLength(1)
    there.add({ email: 'taken@example.org' })
    const [taken] = await push(ada({ externalId: '1', values: { email: 'taken@example.org' } }))
    expect(taken).toMatchObject({ error: { code: 'address_taken' } })
    const [bad, gone, none] = await Promise.all([
      push(ada({ values: { email: 'no address' } })),
      push(ada({ externalId: '77', values: { name: 'Nobody' } })),
      push(ada({ values: { name: 'Nobody' } })),
    ])
    expect([bad[0], gone[0], none[0]]).toMatchObject([
      { error: { code: 'refused_there' } },
      { error: { code: 'gone_there' } },
      { error: { code: 'no_email' } },
    ])
  })

  test('a limit in the middle keeps what is done', async () => {
    const rows = Array.from({ length: 10 }, (_, n) => ada({ ourId: `p${n}`, values: { email: `p${n}@example.org`, subscribed: 'yes' } }))
    let left = 6
    there.faults.push({ of: (request) => post(request) && left-- <= 0, does: { status: 429, headers: { 'retry-after': '1' } } })
    const done = await push(...rows)
    expect(done.length).toBeGreaterThan(0)
    expect(done.length).toBeLessThan(10)
    await push(...rows.filter(({ ourId }) => !done.some((one) => one.ourId === ourId)))
    expect(there.rows.size).toBe(10)
  })

  test('a version without PATCH keeps lists and attributes', async () => {
    there.rights.patch = false
    const { id } = there.add({
      email: 'ada@example.org',
      name: 'Ada',
      attribs: { city: 'London', own: 'x' },
      lists: { 3: 'confirmed', 4: 'confirmed' },
    })
    await push(ada({ externalId: String(id), values: { 'attribs.city': 'Paris' } }))
    expect(there.seen('ada@example.org')).toEqual([
      { id, name: 'Ada', status: 'enabled', attribs: { city: 'Paris', own: 'x' }, list: 'confirmed' },
    ])
    expect(there.rows.get(id)?.lists.get(4)).toBe('confirmed')
  })
})

describe('consent', () => {
  test('who ended it there is not subscribed by a first meeting', async () => {
    for (const status of ['enabled', 'blocklisted']) {
      const email = `${status}@example.org`
      there.add({ email, status, lists: { 3: 'unsubscribed' } })
      const [met] = await push(ada({ values: { email, 'attribs.city': 'Paris', subscribed: 'yes' } }))
      expect(met).toMatchObject({ values: { subscribed: status === 'enabled' ? 'no' : 'blocked' } })
      expect(there.seen(email)).toMatchObject([{ status, attribs: { city: 'Paris' }, list: 'unsubscribed' }])
    }
  })

  test('a subscriber who is not on the list yet joins it', async () => {
    there.add({ email: 'ada@example.org', lists: { 4: 'unconfirmed' } })
    await push(ada())
    expect(there.seen('ada@example.org')).toMatchObject([{ list: 'confirmed' }])
    expect([there.rows.size, there.optins]).toEqual([1, []])
  })

  test('ends there and starts again, and never for who is blocklisted', async () => {
    await push(ada())
    expect(await push(ada({ externalId: '1', values: { subscribed: 'no' } }))).toMatchObject([{ values: { subscribed: 'no' } }])
    expect(await push(ada({ externalId: '1', values: { subscribed: 'yes' } }))).toMatchObject([{ values: { subscribed: 'yes' } }])
    there.unsubscribe('ada@example.org', true)
    expect(await push(ada({ externalId: '1', values: { subscribed: 'yes' } }))).toMatchObject([{ values: { subscribed: 'blocked' } }])
    expect(there.seen('ada@example.org')).toMatchObject([{ status: 'blocklisted', list: 'unsubscribed' }])
  })

  test('an erased person is deleted, one out of reach leaves the list, both again without harm', async () => {
    const { id } = there.add({ email: 'ada@example.org', lists: { 3: 'confirmed', 4: 'confirmed' } })
    const stopped = { ourId: 'ada', externalId: String(id), version: null }
    for (let n = 0; n < 2; n++) expect(await push(ada({ externalId: String(id), values: {}, stop: 'remove' }))).toEqual([stopped])
    expect([...(there.rows.get(id)?.lists.keys() ?? [])]).toEqual([4])
    for (let n = 0; n < 2; n++) expect(await push(ada({ externalId: String(id), values: {}, stop: 'erase' }))).toEqual([stopped])
    expect(there.rows.size).toBe(0)
  })
})
