import type { FieldMapping } from '@guildhall/contract/features/integrations'
import { expect } from 'vitest'
import { test } from '../engine/integrations.engine.testing.ts'
import { sandbox } from './integrations.sandbox.actions.ts'

const both = (ours: string, theirs: string): FieldMapping => ({ ours, theirs, direction: 'both', rule: 'automatic' })
const mapping = [
  both('givenName', 'First name'),
  both('familyName', 'Last name'),
  both('primaryEmail', 'E-mail'),
  both('birthDate', 'Birth date'),
  both('tags', 'Tags'),
]

test('the sandbox is another system to try: its people come in, ours go there, and it keeps what was written', async ({
  synced,
  person,
  admin,
}) => {
  const { org, boss, connectionId } = synced
  await person({ org, givenName: 'Ada', familyName: 'Lake', email: 'ada@example.org' })
  expect(await boss.post(`/actions/connections/${connectionId}/test`, {})).toMatchObject({
    status: 200,
    body: { works: true, found: [{ name: 'people', value: '20' }] },
  })
  await synced.map(mapping)
  expect(await boss.get(`/data/connections/${connectionId}/mapping`)).toMatchObject({
    body: { theirs: expect.arrayContaining([{ key: 'E-mail', label: null, example: expect.any(String), isKey: true }]) },
  })
  const preview: { status: number; body: { records: { fields: unknown[] }[] } } = await boss.post(
    `/actions/connections/${connectionId}/mapping/preview`,
    {},
  )
  expect(preview).toMatchObject({ status: 200 })
  expect(preview.body.records).toHaveLength(5)
  const options = { connectorOf: () => sandbox }
  await synced.run({ isDry: true }, options)
  expect(await synced.run({}, options)).toMatchObject({ state: 'succeeded', in: { read: 20, created: 20 }, out: { created: 1 } })
  const { rows } = await admin.query('select external_id, held from app.sandbox_records where connection_id = $1', [connectionId])
  expect(rows).toMatchObject([{ held: { 'First name': 'Ada', 'E-mail': 'ada@example.org' } }])
  await admin.query(`update app.people set given_name = 'Adele' where org_id = $1 and given_name = 'Ada' and family_name = 'Lake'`, [
    org.id,
  ])
  expect(await synced.run({}, options)).toMatchObject({ in: { read: 21, unchanged: 21 }, out: { updated: 1, created: 0 } })
  expect(await synced.run({}, options)).toMatchObject({ in: { unchanged: 21, created: 0, updated: 0 }, out: { updated: 0, created: 0 } })
})

test('it lets rows fail where that is asked for, always the same ones', async ({ synced }) => {
  const { boss, connectionId } = synced
  const { body }: { body: { version: number } } = await boss.get(`/data/connections/${connectionId}`)
  expect(
    await boss.patch(`/data/connections/${connectionId}`, { settings: { people: 30, failEvery: 5 } }, { 'if-match': `"${body.version}"` }),
  ).toMatchObject({ status: 200 })
  await synced.map(mapping)
  const options = { connectorOf: () => sandbox }
  const dry = await synced.run({ isDry: true }, options)
  const real = await synced.run({}, options)
  expect(dry.in).toEqual(real.in)
  expect(real.state).toBe('partial')
  expect(real.in.failed).toBeGreaterThan(2)
  expect(real.in.failed + real.in.created).toBe(30)
  expect((await synced.errors()).every(({ code }) => code === 'sandbox_fails')).toBe(true)
})
