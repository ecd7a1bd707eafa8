import type { Campaign, Fund } from '@guildhall/contract/features/fundraising'
import type { Gift } from '@guildhall/contract/features/fundraising.gifts'
import { expect } from 'vitest'
import { test as base } from '../../testing.ts'
import type { Client, TestOrganisation, TestPerson } from '../../testing.ts'

export const match = (version: number) => ({ 'if-match': `"${version}"` })
export const filterOf = (...conditions: { field: string; op?: string; value?: unknown }[]) =>
  `filter=${encodeURIComponent(JSON.stringify({ and: conditions.map(({ field, op = 'is', value }) => ({ or: [{ field, op, value }] })) }))}`

/** Made, or the test fails with what was answered. */
export function made<Row>({ status, body, text }: { status: number; body: Row; text: string }): Row {
  expect([200, 201], text).toContain(status)
  return body
}

/** An organisation with a chapter, its owner, an officer of the chapter, and what they raise money for. */
export const test = base.extend<{
  org: TestOrganisation
  west: string
  owner: TestPerson
  boss: Client
  officer: Client
  fund: (name?: string, more?: Record<string, unknown>) => Promise<Fund>
  /** Running, and giving to a fund of its own, unless stated. */
  campaign: (more?: Record<string, unknown>, status?: string) => Promise<Campaign>
  /** In cash and in euros unless stated. */
  gift: (campaign: Campaign | null, amount: number, more?: Record<string, unknown>, by?: Client) => Promise<Gift>
}>({
  org: async ({ organisation }, use) => use(await organisation()),
  west: async ({ chapter, org }, use) => use(await chapter(org, 'West')),
  owner: async ({ person, org }, use) => use(await person({ org, idpRoles: ['org-owner'] })),
  boss: async ({ api, owner }, use) => use(api.as(owner)),
  officer: async ({ api, person, org, west }, use) =>
    use(api.as(await person({ org, chapterId: west, grants: [{ role: 'chapter-admin', chapterId: west }] }))),
  fund: async ({ boss }, use) => {
    let count = 0
    await use(async (name = `Fund ${++count}`, more = {}) => made(await boss.post('/data/funds', { name, ...more })))
  },
  campaign: async ({ boss, fund }, use) => {
    await use(async (more = {}, status = 'active') => {
      const fundId = more['fundId'] === undefined ? (await fund()).id : more['fundId']
      const draft = made<Campaign>(await boss.post('/data/campaigns', { name: 'Spring appeal', ...more, fundId }))
      return status === 'draft' ? draft : made(await boss.post(`/data/campaigns/${draft.id}/status`, { status }, match(draft.version)))
    })
  },
  gift: async ({ boss }, use) => {
    await use(async (campaign, amount, more = {}, by = boss) =>
      made(
        await by.post('/data/gifts', {
          ...{ campaignId: campaign?.id ?? null, money: { amount, currency: 'EUR' }, method: 'cash', receivedOn: '2026-11-20' },
          ...(more['personId'] === undefined && { donorName: 'Hill Bakery' }),
          ...more,
        }),
      ),
    )
  },
})
