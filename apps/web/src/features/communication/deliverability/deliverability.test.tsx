import { configure, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Deliverability } from '@guildhall/contract/features/communication.deliverability'
import { fake } from '../../../testing/fake-api.ts'
import { renderWithApi } from '../../../testing/render-with-api.tsx'
import { DeliverabilityTab } from './deliverability-tab.tsx'

configure({ asyncUtilTimeout: 15_000 })

const none = { mails: 0, delivered: 0, softBounces: 0, hardBounces: 0, complaints: 0 }
const quiet: Deliverability = {
  sender: { address: 'news@guild.org', domain: null, checkedAt: null, records: [] },
  intakes: [],
  week: none,
  month: none,
  days: [
    { day: '2026-11-22', ...none },
    { day: '2026-11-23', ...none },
  ],
  domains: [],
  backlog: { waiting: 0, oldestSeconds: null, lastSentAt: null, isStuck: false },
  alarm: null,
}
const show = (found: Partial<Deliverability>) =>
  renderWithApi(<DeliverabilityTab />, {
    data: { communication: { deliverability: fake.data.communication.deliverability.handler(() => ({ ...quiet, ...found })) } },
  })

test('each record of the domain says how it is, and what is missing can be copied', async () => {
  show({
    sender: {
      address: 'news@guild.org',
      domain: 'guild.org',
      checkedAt: '2026-11-23T12:00:00Z',
      records: [
        { kind: 'spf', state: 'ok', reason: 'spf_ok', name: 'guild.org', type: 'TXT', found: ['v=spf1 mx ~all'], wanted: null },
        {
          kind: 'dmarc',
          state: 'fault',
          reason: 'dmarc_missing',
          name: '_dmarc.guild.org',
          type: 'TXT',
          found: [],
          wanted: 'v=DMARC1; p=none',
        },
      ],
    },
  })
  expect(await screen.findByText('Needs fixing')).toBeVisible()
  expect(screen.getByText('v=DMARC1; p=none')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Copy DMARC record' })).toBeEnabled()
  expect(screen.queryByRole('button', { name: 'Copy SPF record' })).toBeNull()
})

test('alarms stand above all: complaints, and mail that does not leave', async () => {
  show({
    alarm: { level: 'pause', raisedAt: '2026-11-23T12:00:00Z', mails: 2000, complaints: 7 },
    backlog: { waiting: 3, oldestSeconds: 900, lastSentAt: null, isStuck: true },
    domains: [{ ...none, domain: 'one.example', mails: 200, hardBounces: 4 }],
  })
  expect(await screen.findByText('Messages were paused')).toBeVisible()
  expect(screen.getByText(/3 mails are waiting/)).toBeVisible()
  expect(screen.getByRole('row', { name: /one\.example 200 0 2%/ })).toBeVisible()
})
