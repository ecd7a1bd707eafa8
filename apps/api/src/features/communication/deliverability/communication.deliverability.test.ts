import { expect } from 'vitest'
import { test } from '../../../testing.ts'
import { isStuck } from './communication.deliverability.rules.ts'

test('those who keep the messages see how mail of their organisation arrives; others do not', async ({
  api,
  organisation,
  person,
  admin,
}) => {
  const org = await organisation()
  const [owner, member] = [await person({ org, idpRoles: ['org-owner'] }), await person({ org })]
  const elsewhere = await organisation()
  for (const { id } of [org, elsewhere])
    await admin.query(
      `insert into app.mail_messages (org_id, template, address, sent_to, essential, state, attempts, handed_at, settled_at, bounce, bounced_at)
        select $1, 'test-notice', d, d, true, 'sent', 1, now() - n * interval '9 days', now(), b, case when b is not null then now() end
        from (values ('a@one.example', 0, null), ('b@one.example', 1, 'hard'), ('c@two.example', 0, 'soft'), ('d@old.example', 9, null)) v (d, n, b)`,
      [id],
    )
  const { status, body } = await api.as(owner).get('/data/communication/deliverability')
  expect(status).toBe(200)
  const none = { mails: 0, delivered: 0, softBounces: 0, hardBounces: 0, complaints: 0 }
  expect(body).toMatchObject({
    sender: { domain: null, records: [] },
    intakes: [],
    week: { ...none, mails: 2, softBounces: 1 },
    month: { ...none, mails: 3, softBounces: 1, hardBounces: 1 },
    domains: [
      { ...none, domain: 'one.example', mails: 2, hardBounces: 1 },
      { ...none, domain: 'two.example', mails: 1, softBounces: 1 },
    ],
    backlog: { waiting: 0, oldestSeconds: null, isStuck: false },
    alarm: null,
  })
  const { days } = body as { days: { day: string; mails: number }[] }
  expect(days).toHaveLength(30)
  expect(days.map(({ mails }) => mails).filter(Boolean)).toEqual([1, 2])
  expect((await api.as(member).get('/data/communication/deliverability')).status).toBe(403)
  expect((await api.as(null).get('/data/communication/deliverability')).status).toBe(401)
})

test('mail that is due while none leaves is an alarm within a minute; a turn that has not come is none', () => {
  const now = Date.parse('2026-11-23T12:00:00Z')
  const quiet = { waiting: 0, oldestSeconds: null, stuckSeconds: null, lastSentAt: null }
  const at = (seconds: number) => new Date(now - seconds * 1_000).toISOString()
  expect(isStuck(quiet, now)).toBe(false)
  expect(isStuck({ ...quiet, waiting: 3, oldestSeconds: 20 }, now)).toBe(false)
  expect(isStuck({ ...quiet, waiting: 3, oldestSeconds: 60 }, now)).toBe(true)
  expect(isStuck({ ...quiet, waiting: 3, oldestSeconds: 600, lastSentAt: at(5) }, now)).toBe(false)
  expect(isStuck({ ...quiet, waiting: 3, oldestSeconds: 600, lastSentAt: at(500) }, now)).toBe(true)
  // Put off again and again: none is due at this moment.
  expect(isStuck({ ...quiet, stuckSeconds: 600, lastSentAt: at(900) }, now)).toBe(true)
})
