import { isAnyReason } from '@guildhall/contract/reasons'
import { problem, problemBody, toProblem } from '../../../platform/procedures/problem.ts'
import type { FieldRefusal } from '../../../platform/procedures/problem.ts'
import { faultOfGift } from './fundraising.gifts.rules.ts'
import type { CampaignFacts } from './fundraising.gifts.rules.ts'

type Row = { personId: string | null; donorName: string; amount: number; fundId: string | null }
type Batch = { currency: string; receivedOn: string; rows: readonly Row[] }

/** The first thing that keeps a batch from being recorded, with the row in which it stands. */
export function faultInBatch({ rows, ...same }: Batch, campaign: CampaignFacts | null, today: string): FieldRefusal | undefined {
  for (const [nth, { fundId, ...row }] of rows.entries()) {
    const allocations = fundId ? [{ fundId, amount: row.amount }] : []
    const wrong = faultOfGift({ ...same, ...row, isAnonymous: false, allocations }, campaign, today, {
      donor: `rows.${nth}.donorName`,
      currency: 'currency',
      receivedOn: 'receivedOn',
      campaignId: 'campaignId',
      allocations: `rows.${nth}.fundId`,
    })
    if (wrong) return wrong
  }
  return undefined
}

/** What the database refuses of a row says which one it is. */
export async function atRow<T>(nth: number, made: Promise<T>): Promise<T> {
  try {
    return await made
  } catch (error) {
    const known = toProblem(error)
    const { reason, params, detail } = known ? problemBody(known, '') : {}
    if ((known?.code !== 'UNPROCESSABLE_CONTENT' && known?.code !== 'CONFLICT') || detail === undefined || !isAnyReason(reason)) throw error
    throw problem(known.code, {
      reason,
      detail,
      errors: [{ path: `rows.${nth}`, code: reason, message: detail, ...(params && { params }) }],
      ...(params && { params }),
    })
  }
}
