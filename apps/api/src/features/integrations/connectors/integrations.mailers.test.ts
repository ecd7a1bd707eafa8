import type { ValueTrace } from '@guildhall/contract/features/integrations'
import { describe, expect } from 'vitest'
import { figures, test } from './integrations.mailers.testing.ts'

const nothing = { state: 'succeeded', in: {}, out: {} }

describe.each(['listmonk', 'mailchimp'] as const)('%s and people, both ways', (kind) => {
  test('subscribers go there and come in once, as they agreed; the second run finds nothing to do', async ({ connect }) => {
    const office = await connect(kind)
    const { there } = office
    const ada = await office.member('Ada', 'ada@example.org', true)
    const bob = await office.member('Bob', 'bob@example.org')
    const cyd = await office.member('Cyd', 'cyd@example.org', false)
    const dee = await office.member('Dee', 'dee@example.org', true)
    there.add('dee@example.org', { given: 'Dee', family: 'Hall', says: 'no' })
    there.add('cyd@example.org', { given: 'Cyd', family: 'Hall' })
    there.add('eve@example.org', { given: 'Eve', family: 'Moss' })

    const planned = await office.run({ isDry: true })
    expect(office.writes()).toEqual([])
    const done = await office.run()
    expect(figures(done)).toEqual({ ...figures(planned), state: 'succeeded' })
    expect(figures(done)).toMatchObject({ in: { created: 1 }, out: { created: 1 } })
    expect(there.shown()).toEqual({
      'ada@example.org': ['Ada', true],
      // Withdrawn here: ends there as well.
      'cyd@example.org': ['Cyd', false],
      // Ended there: is not started again, and comes in.
      'dee@example.org': ['Dee', false],
      'eve@example.org': ['Eve', true],
    })
    const eve = (await office.personBy('eve@example.org')) ?? ''
    expect(await Promise.all([ada, bob, cyd, dee, eve].map(office.says))).toEqual([
      ['subscribed', 'officer'],
      ['nothing', null],
      ['unsubscribed', 'officer'],
      ['unsubscribed', 'connection'],
      ['subscribed', 'connection'],
    ])
    const { body } = await office.boss.get(`/data/people/${dee}/mail-choices`)
    expect(body).toMatchObject({ changes: [{ state: 'unsubscribed', source: 'connection', note: 'Our letters' }, { source: 'officer' }] })

    office.writes()
    expect(figures(await office.run())).toEqual(nothing)
    expect(office.writes()).toEqual([])

    const trace = async (personId: string) => {
      const { body } = await office.boss.get(`/data/people/${personId}/value-trace`)
      return tracesIn(body).map(({ field, direction, value, runId }) => [field, direction, value, runId === done.id])
    }
    expect(await trace(eve)).toEqual(expect.arrayContaining([['givenName', 'in', 'Eve', true]]))
    expect(await trace(ada)).toEqual(
      expect.arrayContaining([
        ['givenName', 'out', 'Ada', true],
        ['primaryEmail', 'out', 'ada@example.org', true],
        ['subscribed', 'out', 'yes', true],
      ]),
    )
    expect(await trace(cyd)).toEqual(expect.arrayContaining([['subscribed', 'out', 'no', true]]))
    expect(await trace(bob)).toEqual([])
  })

  test('unsubscriptions, names, tags and addresses follow in both directions, without a double', async ({ connect, admin }) => {
    const office = await connect(kind)
    const { there, boss } = office
    const ada = await office.member('Ada', 'ada@example.org', true)
    const bob = await office.member('Bob', 'bob@example.org', true)
    const cyd = await office.member('Cyd', 'cyd@example.org', true)
    await office.run({ isDry: true })
    await office.run()

    there.unsubscribe('ada@example.org')
    await office.record(bob, false)
    await admin.query(`update app.person_emails set address = 'cydney@example.org' where person_id = $1`, [cyd])
    await admin.query(`update app.people set given_name = 'Cydney' where id = $1`, [cyd])
    expect(figures(await office.run())).toMatchObject({ state: 'succeeded', in: { updated: 1 }, out: { updated: 2 } })
    expect(there.shown()).toEqual({
      'ada@example.org': ['Ada', false],
      'bob@example.org': ['Bob', false],
      'cydney@example.org': ['Cydney', true],
    })
    expect(await Promise.all([ada, bob].map(office.says))).toEqual([
      ['unsubscribed', 'connection'],
      ['unsubscribed', 'officer'],
    ])
    expect(figures(await office.run())).toEqual(nothing)

    // Who chooses it themselves starts again where it was ended from here; who ended it there starts again there.
    for (const personId of [ada, bob])
      await admin.query(`update app.consents set state = 'subscribed', source = 'profile', at = now() where person_id = $1`, [personId])
    expect(figures(await office.run())).toMatchObject({ state: 'succeeded', in: {}, out: { updated: 1 } })
    expect(there.shown()).toMatchObject({ 'ada@example.org': ['Ada', false], 'bob@example.org': ['Bob', true] })
    expect(figures(await office.run())).toEqual(nothing)
    const metric = await boss.get(`/data/connections/${office.connectionId}/metrics/unsubscribes?from=${day(-1)}&to=${day(1)}`)
    expect(metric).toMatchObject({ status: 200, body: { total: 1 } })
  })

  test('an erased person is deleted there, an archived one gets nothing more', async ({ connect, admin }) => {
    const office = await connect(kind)
    const ada = await office.member('Ada', 'ada@example.org', true)
    const bob = await office.member('Bob', 'bob@example.org', true)
    await office.run({ isDry: true })
    await office.run()
    await admin.query(`update app.people set lifecycle = 'erased' where id = $1`, [ada])
    await admin.query(`update app.people set deleted_at = now() where id = $1`, [bob])
    await office.run()
    expect(office.there.shown()['ada@example.org']).toBeUndefined()
    expect(office.there.shown()['bob@example.org']?.[1] ?? false).toBe(false)
    office.writes()
    await office.run()
    expect(office.writes()).toEqual([])
  })

  test('a connection that only writes there takes unsubscriptions in all the same, and no subscribers', async ({ connect }) => {
    const office = await connect(kind, { only: 'out' })
    const ada = await office.member('Ada', 'ada@example.org', true)
    office.there.add('eve@example.org', { given: 'Eve', family: 'Moss' })
    await office.run({ isDry: true })
    expect(figures(await office.run())).toEqual({ state: 'succeeded', in: {}, out: { created: 1 } })
    office.there.unsubscribe('ada@example.org')
    expect(figures(await office.run())).toEqual({ state: 'succeeded', in: { updated: 1 }, out: {} })
    expect([await office.says(ada), await office.personBy('eve@example.org')]).toEqual([['unsubscribed', 'connection'], undefined])
    expect(office.there.shown()).toEqual({ 'ada@example.org': ['Ada', false], 'eve@example.org': ['Eve', true] })
  })

  test('a lost answer and a limit in between make no double', async ({ connect }) => {
    const office = await connect(kind)
    for (let n = 0; n < 6; n++) await office.member(`M${n}`, `m${n}@example.org`, true)
    await office.run({ isDry: true })
    const isCreate = ({ method }: { method: string }) => method === 'POST'
    office.there.faults.push(
      { of: isCreate, does: 'lose' },
      { of: isCreate, does: { status: 429, body: {}, headers: { 'retry-after': '1' } } },
    )
    const done = await office.run()
    expect(Object.keys(office.there.shown()).length).toBe(6)
    if (done.state !== 'succeeded') await office.run()
    expect(Object.values(office.there.shown()).map(([, gets]) => gets)).toEqual(Array.from({ length: 6 }, () => true))
    expect(figures(await office.run())).toEqual(nothing)
  })

  test('without a topic nobody is made there, and consent stays where it is', async ({ connect }) => {
    const office = await connect(kind, { hasTopic: false })
    const ada = await office.member('Ada', 'ada@example.org', true)
    await office.member('Bob', 'bob@example.org', true)
    office.there.add('ada@example.org', { given: 'A.', family: 'Hall', says: 'no' })
    await office.run({ isDry: true })
    await office.run()
    expect(Object.keys(office.there.shown())).toEqual(['ada@example.org'])
    expect(await office.says(ada)).toEqual(['subscribed', 'officer'])
  })

  test('people who share an address are no subscriber twice', async ({ connect }) => {
    const office = await connect(kind)
    await office.member('Ada', 'family@example.org', true)
    await office.member('Bob', 'family@example.org', true)
    await office.member('Cyd', 'cyd@example.org', true)
    await office.run({ isDry: true })
    expect(figures(await office.run())).toMatchObject({ state: 'partial', out: { created: 2, failed: 1 } })
    const shown = { 'cyd@example.org': ['Cyd', true], 'family@example.org': [expect.stringMatching(/^(Ada|Bob)$/), true] }
    expect(office.there.shown()).toEqual(shown)
    const before = office.there.shown()
    office.writes()
    expect(figures(await office.run())).toMatchObject({ in: {}, out: { failed: 1 } })
    expect([office.there.shown(), office.writes()]).toEqual([before, []])
  })
})

const tracesIn = ({ fields }: ValueTrace) => fields
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
