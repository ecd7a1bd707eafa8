import { expect } from 'vitest'
import { test } from '../../testing.ts'
import type { Client } from '../../testing.ts'

// Six devices at the door, two of them without network for two minutes. EVENT_DOOR=3000 npx vitest run apps/api/src/features/events/events.devices

const people = Number(process.env['EVENT_DOOR'] ?? 90)
const [online, offline] = [4, 2]

type Scan = { code: string; clientId: string; device: string; at: string }
type Roster = { items: { id: string; code: string }[] }

test(
  `${people} people, six devices, two of them offline: nobody is lost, nobody counts twice, and the first scan is the first`,
  { timeout: 60_000 + people * 100 },
  async ({ api, admin, organisation, person }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const facts = { title: 'Congress', startsAt: '2090-07-01T16:00:00Z', venueName: 'Hall', visibility: 'public' }
    const { id, version } = (await boss.post('/data/events', facts)).body as { id: string; version: number }
    await boss.post(`/data/events/${id}/publish`, {}, { 'if-match': `"${version}"` })
    for (let nth = 0; nth < people; nth++) await boss.post(`/data/events/${id}/registrations`, { name: `Guest ${nth}` })
    const tickets: Roster['items'] = []
    for (let after = ''; ; after = tickets.at(-1)?.id ?? '') {
      const { items } = (await boss.get(`/data/events/${id}/check-in/roster?limit=1000${after && `&after=${after}`}`)).body as Roster
      tickets.push(...items)
      if (items.length < 1000) break
    }
    expect(tickets).toHaveLength(people)

    const began = Date.now() - 120_000
    const firsts = new Map<string, number>()
    const scan = (device: number, nth: number, at: number): Scan => {
      const ticket = tickets[nth % people]
      if (!ticket) throw new Error('every ticket is in the roster')
      firsts.set(ticket.id, Math.min(at, firsts.get(ticket.id) ?? Number.POSITIVE_INFINITY))
      return { code: ticket.code, clientId: `device-${device}-${nth}`, device: `Door ${device}`, at: new Date(at).toISOString() }
    }
    const devices = await Promise.all(
      Array.from({ length: online + offline }, () => person({ org, idpRoles: ['event-manager'] }).then((made) => api.as(made))),
    )
    // Everybody is scanned by some device, every third one by two: at the front door and, a little later or earlier, by a device without network.
    const shares = devices.map((_, device) =>
      tickets.flatMap((__, nth) => (nth % devices.length === device ? [scan(device, nth, began + nth * 40)] : [])),
    )
    for (const [nth] of tickets.entries()) {
      const device = online + (nth % offline)
      if (nth % 3 === 0)
        shares[device]?.push({
          ...scan(device, nth, began + nth * 40 + (nth % 2 === 0 ? -15 : 15)),
          clientId: `device-${device}-${nth}-again`,
        })
    }
    const oneByOne = async (client: Client, scans: readonly Scan[]) => {
      for (const one of scans) {
        const answer = await client.post(`/data/events/${id}/check-ins`, one)
        expect(answer.status).toBe(200)
      }
    }
    // A device that comes back sends what it has in portions, and again those that it had no answer for.
    const allAtOnce = async (client: Client, scans: readonly Scan[]) => {
      for (let from = 0; from < scans.length; from += 50) {
        const batch = { scans: scans.slice(from, from + 50) }
        const answers = await Promise.all([
          client.post(`/data/events/${id}/check-ins/batch`, batch),
          client.post(`/data/events/${id}/check-ins/batch`, batch),
        ])
        expect(answers.map(({ status }) => status)).toEqual([200, 200])
      }
    }
    await Promise.all(devices.map((client, device) => (device < online ? oneByOne : allAtOnce)(client, shares[device] ?? [])))

    const { rows } = await admin.query<{ registration_id: string; live: number; first: Date; status: string }>(
      `select r.id as registration_id, count(c.id)::int as live, min(c.scanned_at) as first, r.status
     from app.registrations r left join app.check_ins c on c.registration_id = r.id and c.undone_at is null where r.event_id = $1 group by r.id, r.status`,
      [id],
    )
    expect(rows.filter(({ live, status }) => live !== 1 || status !== 'checked_in')).toEqual([])
    expect(rows.filter(({ registration_id, first }) => first.getTime() !== firsts.get(registration_id))).toEqual([])
    expect(await boss.get(`/data/events/${id}/capacity?limit=1`)).toMatchObject({
      body: { differences: 0, counts: { checkedIn: people, confirmed: 0 } },
    })
  },
)
