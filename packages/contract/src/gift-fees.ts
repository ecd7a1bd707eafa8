/** What a payment provider takes of a card payment: a share in hundredths of a percent, and an amount on top. */
type Fees = { feeBps: number; feeFixed: number }

/** What a donor adds so that the whole gift arrives: the provider takes its share of the addition too. Rounded up, in the smallest unit. */
export function feeToCover(amount: number, { feeBps, feeFixed }: Fees): number {
  const left = BigInt(10_000 - feeBps)
  const total = ((BigInt(amount) + BigInt(feeFixed)) * 10_000n + left - 1n) / left
  return Number(total) - amount
}
