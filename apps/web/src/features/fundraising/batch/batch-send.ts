import { readAmount } from '@guildhall/contract/money'
import type { GiftBatch } from '@guildhall/contract/features/fundraising.gifts'
import { useRef } from 'react'
import { useApi } from '../../../platform/api/api.tsx'
import { offlineMethod } from '../gifts/record-gift-values.ts'
import { isBlank } from './batch-rows.ts'
import type { BatchRow } from './batch-rows.ts'

export type BatchValues = {
  campaignId: string | null
  method: string
  receivedOn: string
  currency: string
  sendReceipts: boolean
  controlTotal: number | null | undefined
  controlCount: string
  rows: readonly BatchRow[]
}

export const giftBatch = (values: BatchValues, currency: string, locale: string | string[]): GiftBatch => ({
  campaignId: values.campaignId,
  method: offlineMethod(values.method),
  receivedOn: values.receivedOn,
  currency,
  sendReceipts: values.sendReceipts,
  rows: values.rows
    .filter((row) => !isBlank(row))
    .map(({ donor, amount, reference, fundId, note }) => {
      const read = readAmount(amount, currency, locale)
      return {
        ...(donor.personId ? { personId: donor.personId } : { donorName: donor.name.trim() }),
        amount: typeof read === 'number' ? read : 0,
        reference: reference.trim(),
        fundId: fundId || null,
        note: note.trim(),
      }
    }),
})

/** The same batch sent again, after an answer that was lost on its way, is recorded once. */
export function useSendOnce() {
  const { recordBatch } = useApi().data.fundraising.gifts
  const last = useRef({ said: '', key: '' })
  return (batch: GiftBatch) => {
    const said = JSON.stringify(batch)
    if (last.current.said !== said) last.current = { said, key: crypto.randomUUID() }
    return recordBatch.call(batch, { context: { idempotencyKey: last.current.key } })
  }
}
