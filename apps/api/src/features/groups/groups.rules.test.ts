import { expect, test } from 'vitest'
import { whyNotJoin } from './groups.rules.ts'

const membership = { memberId: 'm', role: 'member', title: '', startsOn: null } as const

test.each([
  ['already_requested', { mine: { ...membership, status: 'requested' }, archivedAt: null, joinPolicy: 'request' }],
  ['already_joined', { mine: { ...membership, status: 'active' }, archivedAt: null, joinPolicy: 'open' }],
  ['group_archived', { mine: null, archivedAt: '2026-01-01T00:00:00Z', joinPolicy: 'open' }],
  ['invite_only', { mine: null, archivedAt: null, joinPolicy: 'invite' }],
  ['no_person', { mine: null, archivedAt: null, joinPolicy: 'open' }],
] as const)('says %s to whoever cannot join for that', (reason, group) => {
  expect(whyNotJoin(group)).toMatchObject({ reason })
})
