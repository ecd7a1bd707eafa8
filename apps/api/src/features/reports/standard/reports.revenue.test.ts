import { StandardQuestion } from '@guildhall/contract/features/reports'
import type { ReportAnswer, ReportRecord } from '@guildhall/contract/features/reports'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { test } from '../../../testing.ts'
import type { TestPerson } from '../../../testing.ts'
import { frameFor } from '../reports.frame.queries.ts'
import { standardAnswerers } from './reports.standard.queries.ts'

type Event = { id: string; version: number; ticketTypes: { id: string }[] }
type Registration = { id: string; invoice: { id: string } | null }
const match = (version: number) => ({ 'if-match': `"${version}"` })

test('revenue of events is what was paid and not given back, also for those who only keep the books', async ({
  api,
  organisation,
  chapter,
  person,
}) => {
  const org = await organisation()
  const [east, west] = [await chapter(org, 'East'), await chapter(org, 'West')]
  const owner = await person({ org, idpRoles: ['org-owner'] })
  const boss = api.as(owner)
  const books = api.as(await person({ org, idpRoles: ['finance'] }))
  const draft = (await boss.post('/data/events', {
    ...{ title: 'Gala', startsAt: '2090-07-01T16:00:00Z', venueName: 'Hall', visibility: 'public', chapterId: east },
    ticketTypes: [{ name: 'Standard', price: { amount: 1500, currency: 'EUR' } }],
  })) as { body: Event }
  const event = (await boss.post(`/data/events/${draft.body.id}/publish`, {}, match(draft.body.version))).body as Event
  const register = async () => {
    const ticketTypeId = event.ticketTypes[0]?.id
    return (await api.as(await person({ org })).post(`/data/events/${event.id}/registrations`, { ticketTypeId })).body as Registration
  }
  const pay = async ({ invoice }: Registration) => {
    const allocations = [{ invoiceId: invoice?.id, amount: 1500 }]
    const money = { amount: 1500, currency: 'EUR' }
    const { body } = await books.post('/data/payments', { method: 'cash', money, receivedOn: '2026-11-20', allocations })
    return body as { id: string; version: number }
  }
  await pay(await register())
  const back = await pay(await register())
  await register()

  const range = { since: '2090-01-01', until: '2090-12-31' }
  const ask = async (who: TestPerson, roles: string[], more: Record<string, unknown> = {}) =>
    api.services.database.asActor({ orgId: org.id, accountId: who.accountId, idpRoles: roles }, async (db) => {
      const question = StandardQuestion.parse({ kind: 'standard', report: 'events', range, ...more })
      const frame = await frameFor(db, question)
      const { answer, behind, listTotal } = standardAnswerers.events
      const figure = { keys: [], measure: 'revenue' }
      const list = behind(question, frame, figure)
      const { rows } = await sql<{ item: ReportRecord }>`select ${list.item} as item ${list.from}`.execute(db)
      return {
        answer: await answer(db, question, frame),
        rows: rows.map(({ item }) => item),
        sum: await listTotal(db, question, frame, figure),
      }
    })
  const values = ({ rows, total }: ReportAnswer) => [rows.map(({ keys, values: of }) => [keys[0]?.value, ...of]), total]

  const all = await ask(owner, ['org-owner'])
  expect(values(all.answer)).toEqual([[['2090-07-01', 1, 2, 0, null, 3000]], [1, 2, 0, null, 3000]])
  expect(all.rows).toMatchObject([{ kind: 'event', id: event.id, name: 'Gala', amount: { amount: 3000, currency: 'EUR' } }])
  expect(all.sum).toBe(3000)

  expect(
    await books.post(
      `/actions/payments/${back.id}/refund`,
      { amount: 1500, reason: 'Ill' },
      { ...match(((await books.get(`/data/payments/${back.id}`)).body as { version: number }).version), ...books.proof },
    ),
  ).toMatchObject({ status: 200 })
  const treasurer = (chapterId: string) => person({ org, chapterId, grants: [{ role: 'finance', chapterId }] })
  const eastern = await ask(await treasurer(east), [], { by: 'chapter' })
  // No seats for those who do not run the event.
  expect(values(eastern.answer)).toEqual([[[east, 1, 0, 0, null, 1500]], [1, 0, 0, null, 1500]])
  expect(eastern.sum).toBe(1500)
  expect(values((await ask(await treasurer(west), [], { by: 'chapter' })).answer)).toEqual([[], [0, 0, 0, null, 0]])
})

test('somebody whom the reader may not see counts, and is not named', async ({ api, admin, organisation, chapter, person }) => {
  const org = await organisation()
  const east = await chapter(org, 'East')
  const officer = await person({ org, chapterId: east, grants: [{ role: 'chapter-admin', chapterId: east }] })
  const minor = await person({ org, chapterId: east, givenName: 'Kim', familyName: 'Minor' })
  await admin.query(
    `insert into app.person_private (org_id, person_id, birth_date) values ($1, $2, current_date - 3000)
       on conflict (org_id, person_id) do update set birth_date = excluded.birth_date`,
    [org.id, minor.personId],
  )
  await api.services.database.asActor({ orgId: org.id, accountId: officer.accountId, idpRoles: [] }, async (db) => {
    const question = StandardQuestion.parse({ kind: 'standard', report: 'members-by-chapter' })
    const frame = await frameFor(db, question)
    const { answer, behind } = standardAnswerers['members-by-chapter']
    expect((await answer(db, question, frame)).total[0]).toBe(2)
    const list = behind(question, frame, { keys: [east], measure: 'members' })
    const { rows } = await sql<{ item: ReportRecord }>`select ${list.item} as item ${list.from}`.execute(db)
    expect(rows.map(({ item }) => [item.personId, item.name]).sort()).toEqual(
      [
        [null, ''],
        [officer.personId, expect.stringContaining('Test')],
      ].sort(),
    )
    expect(JSON.stringify(rows)).not.toContain('Kim')
  })
})
