import { reasons } from '@guildhall/contract/reasons'
import type { Reason } from '@guildhall/contract/reasons'
import { NewGroup } from '@guildhall/contract/features/groups'
import { i18n } from '@lingui/core'
import { expect, test } from 'vitest'
import { faultsOf } from './form-rules.ts'
import { problemOf } from './problem.ts'

const own = 'The server’s own words.'
const problem = (body: Record<string, unknown>) => problemOf(409, { detail: own, ...body }, { title: 'Conflict' })
const isReason = (name: string): name is Reason => name in reasons
const filled = (reason: Reason) => Object.fromEntries(reasons[reason].map((name) => [name, name === 'currency' ? 'EUR' : 3]))

test.each(Object.keys(reasons).filter(isReason))('%s is said in the words of the web app, of a request and of a field', async (reason) => {
  const params = filled(reason)
  const { message, errors } = await problem({ reason, params, errors: [{ path: 'name', code: reason, message: own, params }] })
  expect(message).not.toMatch(/^$|own words|undefined|NaN/)
  expect(errors).toEqual([{ path: 'name', code: reason, message }])
})

test('names and figures are shown as the reader writes them', async () => {
  const used = { reason: 'people_per_hour', params: { perHour: 3_000, againInSeconds: 1_700 } }
  expect((await problem(used)).message).toBe('Your account may read 3,000 people an hour. Try again in 29 minutes.')
  i18n.activate('en', ['de-DE'])
  expect((await problem(used)).message).toContain('3.000')
  i18n.activate('en')
  const circle = { reason: 'chapters_no_circle', params: { chapters: ['West', 'Quay', 'West'] } }
  expect((await problem(circle)).message).toContain('West → Quay → West')
})

test.each([
  ['that the contract does not list', { reason: 'another' }],
  ['that only programs cause', { reason: 'cursor' }],
  ['that came without its figures', { reason: 'people_per_hour' }],
])('a reason %s is said as the server wrote it', async (_, body) => {
  expect((await problem(body)).message).toBe(own)
})

test('a problem without a reason is said by its field, or by its status', async () => {
  const errors = [{ path: 'code', code: 'too_big', message: own, params: { origin: 'string', maximum: 20 } }]
  expect((await problem({ errors })).message).toBe('Shorten this to 20 characters.')
  expect((await problem({})).message).toBe('It conflicts with something that already exists.')
})

test('what the contract refuses in a form is said as the server’s answer would be', () => {
  expect(faultsOf(NewGroup, { name: '', code: 'x'.repeat(200), website: 'nowhere', phone: '1\u202E2' })).toMatchObject({
    name: 'Fill in this field.',
    code: expect.stringMatching(/^Shorten this to \d+ characters\.$/),
    website: 'Enter an address that starts with https://.',
    phone: 'Remove the character U+202E (direction override).',
  })
})
