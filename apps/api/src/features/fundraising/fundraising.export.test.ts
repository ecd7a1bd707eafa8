import { expect } from 'vitest'
import type { Client } from '../../testing.ts'
import { test } from './fundraising.testing.ts'

type Export = { id: string; job: { status: string; error: unknown } }

test.extend<{ exported: (client: Client, request: Record<string, unknown>) => Promise<string[][]> }>({
  exported: async ({ worker: _ }, use) => {
    await use(async (client, request) => {
      const started = await client.post('/actions/exports', { format: 'csv', selection: { all: {}, except: [] }, ...request })
      expect(started.status, started.text).toBe(202)
      const { id } = started.body as Export
      const ended = async () => (await client.get(`/data/exports/${id}`)).body as Export
      await expect.poll(async () => (await ended()).job.status, { timeout: 60_000 }).toBe('done')
      const { text } = await client.get(`/actions/exports/${id}/file`)
      return text.replace(/^\ufeff/, '').trim().split(/\r?\n/).map((line) => line.split(',')) // prettier-ignore
    })
  },
})(
  'each list of fundraising is exported as its reader sees it, gifts and donors by who sees donors',
  async ({ api, boss, officer, org, west, person, fund, campaign, gift, exported }) => {
    const [main, library] = [await fund('Main'), await fund('Library')]
    const ada = await person({ org, chapterId: west, givenName: 'Ada', familyName: 'Byron' })
    const one = await campaign({ fundId: main.id, chapterId: west, goal: 10_000 })
    await gift(one, 3_000, { personId: ada.personId, reference: '1001', note: 'Shy', allocations: [{ fundId: main.id, amount: 1_000 }, { fundId: library.id, amount: 2_000 }] }) // prettier-ignore
    const pledge = {
      personId: ada.personId,
      campaignId: one.id,
      money: { amount: 9_000, currency: 'EUR' },
      pledgedOn: '2026-01-01',
      firstDueOn: '2026-02-01',
      instalments: 3,
    }
    expect((await boss.post('/data/pledges', pledge)).status).toBe(201)

    expect(await exported(boss, { list: 'campaigns', columns: ['name', 'raised', 'goal', 'reached', 'gifts'] })).toEqual([
      ['Name', 'Raised', 'Goal', 'Reached', 'Gifts'],
      ['Spring appeal', '30', '100', '30', '1'],
    ])
    expect(
      await exported(boss, { list: 'gifts', columns: ['donor', 'money', 'fund', 'reference', 'note', 'anonymous', 'campaign'] }),
    ).toEqual([
      ['Donor', 'Amount', 'Fund', 'Reference', 'Note', 'Anonymous', 'Campaign'],
      ['Ada Byron', '30', '"Main: 10.00; Library: 20.00"', '1001', 'Shy', 'no', 'Spring appeal'],
    ])
    expect(await exported(boss, { list: 'donors', columns: ['person', 'lifetime', 'gifts', 'recurring'] })).toEqual([
      ['Donor', 'Lifetime', 'Gifts', 'Gives regularly'],
      ['Ada Byron', '30', '1', 'no'],
    ])
    expect(await exported(boss, { list: 'pledges', columns: ['person', 'money', 'paid', 'open', 'overdue', 'instalments'] })).toEqual([
      ['Donor', 'Amount', 'Paid', 'Open', 'Overdue', 'Instalments'],
      ['Ada Byron', '90', '0', '90', '90', '3'],
    ])
    expect(await exported(boss, { list: 'recurring_gifts', columns: ['donor', 'money', 'given', 'gifts'] })).toEqual([
      ['Donor', 'Amount', 'Given so far', 'Gifts'],
    ])
    // A gift that an officer recorded, or that somebody gave, is theirs to look at and not to take away.
    const refused = async (client: Client, list: string) =>
      client.post('/actions/exports', { list, format: 'csv', columns: ['money'], selection: { all: {}, except: [] } })
    for (const client of [officer, api.as(ada)])
      for (const list of ['gifts', 'pledges', 'recurring_gifts']) expect((await refused(client, list)).status).toBe(403)
  },
)
