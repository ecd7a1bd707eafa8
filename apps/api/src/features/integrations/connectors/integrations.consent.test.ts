import { describe, expect, test } from 'vitest'
import { baseAfterPush, consentStep } from './integrations.consent.rules.ts'
import type { ConsentBase, ConsentStep, OurConsent, TheirConsent } from './integrations.consent.rules.ts'

const both = { takesYes: true, gives: true }
const rows: [string, ConsentBase, OurConsent, TheirConsent, ConsentStep][] = [
  ['a subscriber of ours is subscribed there', null, 'yes', null, { theirs: 'yes', base: 'yes' }],
  ['nobody is subscribed there who said nothing here', null, null, null, { base: null }],
  ['a subscription there of somebody who said nothing here comes in', null, null, 'yes', { ours: 'yes', base: 'there' }],
  ['it is offered once only', 'there', null, 'yes', { base: 'there' }],
  ['it counts as agreed once it is here', 'there', 'yes', 'yes', { base: 'yes' }],
  ['an unsubscription there comes in', 'yes', 'yes', 'no', { ours: 'no', base: 'no' }],
  ['also of somebody met for the first time', null, 'yes', 'no', { ours: 'no', base: 'no' }],
  ['also of somebody who said nothing here', null, null, 'no', { ours: 'no', base: 'no' }],
  ['blocking somebody there is one', 'yes', 'yes', 'blocked', { ours: 'no', base: 'no' }],
  ['a withdrawal here goes there', 'yes', 'no', 'yes', { theirs: 'no', base: 'withheld' }],
  ['also of somebody met for the first time', null, 'no', 'yes', { theirs: 'no', base: 'withheld' }],
  ['a person who is no longer subscribed here is not subscribed there', 'yes', null, 'yes', { theirs: 'no', base: 'withheld' }],
  ['what we ended there is no news from there', 'withheld', 'no', 'no', { base: 'withheld' }],
  ['and starts again when the person subscribes here again', 'withheld', 'yes', 'no', { theirs: 'yes', base: 'yes' }],
  ['unless they were blocked there since', 'withheld', 'yes', 'blocked', { ours: 'no', base: 'no' }],
  ['who unsubscribed there is never subscribed there by us', 'no', 'yes', 'no', { base: 'no' }],
  ['not even after somebody removed them there', 'no', 'yes', null, { base: 'no' }],
  ['who was removed there stays removed', 'yes', 'yes', null, { base: 'no' }],
  ['an open question there is left alone', 'yes', 'no', 'pending', { base: 'yes' }],
  ['both agree', 'yes', 'yes', 'yes', { base: 'yes' }],
]

describe('consent of a person', () => {
  test.each(rows)('%s', (_name, base, ours, theirs, step) => {
    expect(consentStep({ base, ours, theirs, ...both })).toEqual(step)
  })

  test('a connection that only writes there takes unsubscriptions in, and no subscriptions', () => {
    const out = { takesYes: false, gives: true }
    expect(consentStep({ base: 'yes', ours: 'yes', theirs: 'no', ...out })).toEqual({ ours: 'no', base: 'no' })
    expect(consentStep({ base: null, ours: null, theirs: 'yes', ...out })).toEqual({ base: 'there' })
  })

  test('a connection that only reads changes nothing there', () => {
    const only = { takesYes: true, gives: false }
    for (const theirs of ['yes', 'no', 'blocked', 'pending', null] as const) {
      for (const ours of ['yes', 'no', null] as const) {
        for (const base of ['yes', 'no', 'withheld', 'there', 'declined', null] as const)
          expect(consentStep({ base, ours, theirs, ...only })).not.toHaveProperty('theirs')
      }
    }
  })

  test('in every case the next step finds nothing to do', () => {
    for (const theirs of ['yes', 'no', 'blocked', 'pending', null] as const) {
      for (const ours of ['yes', 'no', null] as const) {
        for (const base of ['yes', 'no', 'withheld', 'there', 'declined', null] as const) {
          const step = consentStep({ base, ours, theirs, ...both })
          const again = consentStep({ base: step.base, ours: step.ours ?? ours, theirs: step.theirs ?? theirs, ...both })
          expect({ base, ours, theirs, again }).toEqual({ base, ours, theirs, again: { base: again.base } })
        }
      }
    }
  })

  test('a yes that was not taken is no agreement: what they say there comes in, and nothing is pushed again', () => {
    const step = consentStep({ base: null, ours: 'yes', theirs: null, ...both })
    expect(baseAfterPush(null, step, 'yes')).toBe('yes')
    expect(baseAfterPush(null, step, 'no')).toBe('declined')
    expect(consentStep({ base: 'declined', ours: 'yes', theirs: 'no', ...both })).toEqual({ ours: 'no', base: 'no' })
    expect(consentStep({ base: 'declined', ours: 'yes', theirs: null, ...both })).toEqual({ base: 'no' })
    expect(consentStep({ base: 'declined', ours: 'yes', theirs: 'yes', ...both })).toEqual({ base: 'yes' })
  })

  test('a no is agreed unless they still get mail there', () => {
    const step = consentStep({ base: 'yes', ours: 'no', theirs: 'yes', ...both })
    expect([baseAfterPush('yes', step, 'no'), baseAfterPush('yes', step, 'pending'), baseAfterPush('yes', step, 'yes')]).toEqual([
      'withheld',
      'withheld',
      'yes',
    ])
    expect(baseAfterPush('there', { base: 'there' }, 'yes')).toBe('there')
  })
})
