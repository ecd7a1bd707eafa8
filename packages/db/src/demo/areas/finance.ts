import type { DemoArea } from '../area.ts'

const rates: readonly [name: string, chargedTo: string, kind: string, amount: number, share: number][] = [
  ['National dues', 'person', 'member', 6000, 2500],
  ['Dues of alumni', 'person', 'alumni', 2000, 0],
  ['Insurance', 'chapter_per_member', 'member', 150, 0],
]

export const financeDemo: DemoArea = {
  table: 'dues_rates',
  rows: () =>
    rates.map(([name, charged_to, member_kind, price_amount, chapter_share_bps]) => ({
      name,
      charged_to,
      member_kind,
      period: 'year',
      price_amount,
      price_currency: 'EUR',
      chapter_share_bps,
      due_days: 30,
      tax_bps: 0,
      tax_note: '',
      version: 1,
    })),
}
