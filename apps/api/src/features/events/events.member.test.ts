import { describe, expect } from 'vitest'
import { test } from '../../testing.ts'
import type { Client } from '../../testing.ts'

const match = (version: number) => ({ 'if-match': `"${version}"` })
type Event = { id: string; version: number; ticketTypes: { id: string }[]; questions: { id: string }[] }
type Registration = { id: string; status: string; invoice: { id: string } | null; price: { amount: number } }

async function published(boss: Client, more: Record<string, unknown> = {}): Promise<Event> {
  const facts = { title: 'Picnic', startsAt: '2090-07-01T16:00:00Z', venueName: 'Park', visibility: 'public', timezone: 'Europe/Lisbon' }
  const event = (await boss.post('/data/events', { ...facts, ...more })).body as Event
  return (await boss.post(`/data/events/${event.id}/publish`, {}, match(event.version))).body
}
const register = async (client: Client, event: { id: string }, more: Record<string, unknown> = {}) =>
  (await client.post(`/data/events/${event.id}/registrations`, more)).body as Registration
const price = (client: Client, event: { id: string }, more: Record<string, unknown> = {}) =>
  client.post(`/data/events/${event.id}/registrations/price`, more)

const ticket = { name: 'Standard', price: { amount: 2000, currency: 'EUR' }, maxPerOrder: 5 }

describe('the price before registering', () => {
  test('is what registering charges, with guests and a promo code, and registers nobody', async ({ api, organisation, person }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const me = api.as(await person({ org }))
    const event = await published(boss, {
      guestsPerPerson: 2,
      ticketTypes: [ticket],
      promoCodes: [{ code: 'EARLY', percent: 25, usesLimit: 2 }],
    })
    const wanted = { ticketTypeId: event.ticketTypes[0]?.id, promoCode: ' early ' }
    expect(await price(me, event, { ...wanted, guests: 1 })).toMatchObject({
      status: 200,
      body: { price: 1500, guestPrice: 1500, total: 3000, currency: 'EUR' },
    })
    expect(await me.get(`/data/events/${event.id}`)).toMatchObject({ body: { taken: 0, mine: null } })
    expect(await price(me, event, { ...wanted, promoCode: 'LATE' })).toMatchObject({ status: 422, body: { reason: 'promo_code_invalid' } })
    expect(await price(me, event, { ...wanted, guests: 2 })).toMatchObject({ status: 409, body: { reason: 'promo_code_used_up' } })
    expect(await register(me, event, { ...wanted, guests: [{ name: 'Kim' }] })).toMatchObject({ price: { amount: 1500 } })
    expect(await price(me, event, wanted)).toMatchObject({ status: 409, body: { reason: 'promo_code_used_up' } })
  })

  test('of somebody else is told to those who run the event only, and of a hidden event to nobody', async ({
    api,
    organisation,
    person,
  }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const [me, other] = [api.as(await person({ org })), await person({ org })]
    const event = await published(boss, { ticketTypes: [ticket] })
    const wanted = { ticketTypeId: event.ticketTypes[0]?.id, personId: other.personId }
    expect(await price(me, event, wanted)).toMatchObject({ status: 403, body: { reason: 'registration_for_others' } })
    expect(await price(boss, event, wanted)).toMatchObject({ status: 200, body: { total: 2000 } })
    const hidden = await published(boss, { visibility: 'invite' })
    expect((await price(me, hidden)).status).toBe(404)
  })
})

test('one click is offered where nothing has to be chosen, answered or paid', async ({ api, organisation, person }) => {
  const org = await organisation()
  const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
  const free = { ...ticket, price: { amount: 0, currency: 'EUR' } }
  const clicks = async (more: Record<string, unknown>) => (await published(boss, more)) as Event & { oneClick: boolean }
  expect(await clicks({})).toMatchObject({ oneClick: true })
  expect(await clicks({ ticketTypes: [free, { ...free, name: 'Crew', audience: 'staff' }] })).toMatchObject({ oneClick: true })
  expect(await clicks({ ticketTypes: [free, { ...free, name: 'Late' }] })).toMatchObject({ oneClick: false })
  expect(await clicks({ ticketTypes: [ticket] })).toMatchObject({ oneClick: false })
  expect(await clicks({ questions: [{ text: 'Diet?' }] })).toMatchObject({ oneClick: false })
})

test('answers are changed until the event begins, by whoever comes and those who run it', async ({ api, admin, organisation, person }) => {
  const org = await organisation()
  const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
  const [me, other] = [api.as(await person({ org })), api.as(await person({ org }))]
  const event = await published(boss, { questions: [{ text: 'Diet?', kind: 'choice', options: ['None', 'Vegan'], required: true }] })
  const said = (value: unknown) => ({ answers: [{ questionId: event.questions[0]?.id, value }] })
  const mine = await register(me, event, said('None'))
  const answer = (client: Client, body: Record<string, unknown>) => client.post(`/data/registrations/${mine.id}/answers`, body)
  expect(await answer(me, said('Vegan'))).toMatchObject({ status: 200, body: { answers: [{ value: 'Vegan' }], may: { answer: true } } })
  expect(await answer(me, said('Meat'))).toMatchObject({ status: 422, body: { reason: 'answer_wrong' } })
  expect(await answer(me, { answers: [] })).toMatchObject({ status: 422, body: { reason: 'answer_needed' } })
  expect((await answer(other, said('None'))).status).toBe(404)
  await admin.query(`update app.events set starts_at = now() - interval '1 hour', ends_at = now() + interval '1 hour' where id = $1`, [
    event.id,
  ])
  expect(await answer(me, said('None'))).toMatchObject({ status: 409, body: { reason: 'registration_move' } })
  expect(await answer(boss, said('None'))).toMatchObject({ status: 200, body: { answers: [{ value: 'None' }] } })
})

test('own registrations of an event are those one made for oneself, also of those who run it', async ({ api, organisation, person }) => {
  const org = await organisation()
  const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
  const me = api.as(await person({ org }))
  const event = await published(boss, { guestsPerPerson: 1 })
  await register(boss, event, { name: 'Kim Larsen' })
  await register(boss, event)
  const mine = await register(me, event, { guests: [{ name: 'Ada' }] })
  const own = async (client: Client) =>
    ((await client.get(`/data/events/${event.id}/registrations?own=true`)).body as { items: { id: string }[] }).items
  expect(await own(boss)).toHaveLength(1)
  expect((await own(me)).map(({ id }) => id)).toContain(mine.id)
  expect(await own(me)).toHaveLength(2)
})

test('the ticket is a PDF for whoever has a seat, and for nobody else', async ({ api, organisation, person }) => {
  const org = await organisation()
  const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
  const [one, two] = [api.as(await person({ org })), api.as(await person({ org }))]
  const event = await published(boss, { capacity: 1 })
  const [seated, waiting] = [await register(one, event), await register(two, event)]
  const print = (client: Client, { id }: { id: string }) => client.post(`/actions/registrations/${id}/ticket/pdf`, {})
  const printed = await print(one, seated)
  expect(printed.status).toBe(200)
  expect(printed.text).toContain('%PDF-')
  expect(await print(two, waiting)).toMatchObject({ status: 409, body: { reason: 'ticket_none' } })
  expect((await print(two, seated)).status).toBe(404)
})
