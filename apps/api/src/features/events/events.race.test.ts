import { expect } from 'vitest'
import { test } from '../../testing.ts'
import type { Client } from '../../testing.ts'

// Everybody at once for too few seats. EVENT_RACE=2000 npx vitest run apps/api/src/features/events/events.race

const rush = Number(process.env['EVENT_RACE'] ?? 24)
const seats = Math.max(2, Math.floor(rush / 20))

const registerAll = (clients: readonly Client[], eventId: string) =>
  Promise.all(clients.map((client) => client.post(`/data/events/${eventId}/registrations`, {})))
const statusesOf = (answers: readonly { body: unknown }[]) => answers.map(({ body }) => (body as { status?: string }).status)

test(
  `${rush} at once for ${seats} seats: not one too many, the others wait in order, and seats that come free go to the next`,
  {
    timeout: 60_000 + rush * 200,
  },
  async ({ api, admin, organisation, person }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const clients: Client[] = []
    for (let nth = 0; nth < rush; nth++) clients.push(api.as(await person({ org })))
    const facts = { title: 'Rush', startsAt: '2090-07-01T16:00:00Z', venueName: 'Park', visibility: 'public', capacity: seats }
    const event = (await boss.post('/data/events', facts)).body as { id: string; version: number }
    await boss.post(`/data/events/${event.id}/publish`, {}, { 'if-match': `"${event.version}"` })

    const answers = await registerAll(clients, event.id)
    expect(answers.filter(({ status }) => status !== 201)).toEqual([])
    const statuses = statusesOf(answers)
    expect(statuses.filter((status) => status === 'confirmed')).toHaveLength(seats)
    expect(statuses.filter((status) => status === 'waitlisted')).toHaveLength(rush - seats)
    const differences = async () => (await boss.get(`/data/events/${event.id}/capacity?limit=1`)).body
    expect(await differences()).toMatchObject({ differences: 0, counts: { taken: seats } })

    // All who have a seat give it back while others ask again: each seat is offered once, to those who wait longest.
    const seated = answers.flatMap(({ body }, nth) => {
      const { id, status } = body as { id: string; status: string }
      return status === 'confirmed' ? [{ id, client: clients[nth] }] : []
    })
    await Promise.all(seated.flatMap(({ id, client }) => client?.post(`/data/registrations/${id}/cancel`, {}) ?? []))
    await registerAll(
      seated.flatMap(({ client }) => client ?? []),
      event.id,
    )
    expect(await differences()).toMatchObject({ differences: 0, counts: { taken: seats, offered: seats } })
    const { rows } = await admin.query<{ offered: number; first: number }>(
      `select count(*) filter (where status = 'offered')::int as offered, max(waiting_place) filter (where status = 'offered') as first
      from app.registrations where event_id = $1`,
      [event.id],
    )
    expect(rows).toEqual([{ offered: seats, first: seats }])
  },
)

test('control: counting first and registering then gives away more seats than there are', async ({ api, admin, organisation, person }) => {
  const org = await organisation()
  const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
  const event = (await boss.post('/data/events', { title: 'Rush', startsAt: '2090-07-01T16:00:00Z', venueName: 'Park', capacity: 2 }))
    .body as { id: string }
  const naive = async (name: string) => {
    const connection = await admin.connect()
    try {
      // As if nobody held the row, and no trigger counted.
      await connection.query(`begin; set local session_replication_role = replica`)
      const { rows } = await connection.query<{ taken: number }>(
        'select count(*)::int as taken from app.registrations where event_id = $1',
        [event.id],
      )
      await connection.query('select pg_sleep(0.05)')
      if ((rows[0]?.taken ?? 0) < 2)
        await connection.query(
          `insert into app.registrations (org_id, event_id, status, cause, name, price_amount, price_currency) values ($1, $2, 'confirmed', 'registered', $3, 0, 'EUR')`,
          [org.id, event.id, name],
        )
      await connection.query('commit')
    } finally {
      connection.release()
    }
  }
  await Promise.all(['A', 'B', 'C', 'D', 'E', 'F'].map(naive))
  const { rows } = await admin.query<{ taken: number }>('select count(*)::int as taken from app.registrations where event_id = $1', [
    event.id,
  ])
  expect(rows[0]?.taken).toBeGreaterThan(2)
})
