import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createOutgoing } from '@guildhall/api/platform/outgoing/outgoing'
import { createStripe } from '@guildhall/api/platform/payments/stripe'
import { openAdmin } from '@guildhall/db/admin'
import { loadDemo } from '@guildhall/db/demo'
import { copyTemplate } from '@guildhall/db/testing'
import { expect, inject, test } from 'vitest'
import { keepDemoPayments } from './demo-payments.ts'
import { startPaymentCompanion } from './payment-companion.ts'

test('the companion knows the payments and cards of the demo: nothing differs, and refunds and recurring gifts go on', async () => {
  const { adminUrl } = await copyTemplate(inject('testServer'), 'demo_payments')
  const { orgId } = await loadDemo({
    adminUrl,
    size: 'small',
    issuer: 'http://localhost:3001',
    today: new Date().toISOString().slice(0, 10),
  })
  const dataDir = mkdtempSync(join(tmpdir(), 'guildhall-test-'))
  const companion = await startPaymentCompanion({ port: 0, dataDir, webhookUrl: 'http://127.0.0.1:9/' })
  try {
    await keepDemoPayments(adminUrl, companion)
    const provider = createStripe({
      ...{ key: companion.secretKey, secrets: [companion.webhookSecret], apiUrl: companion.url },
      outgoing: createOutgoing({ allowed: [new URL(companion.url).host], userAgent: 'test' }),
    })
    const theirs: object[] = []
    for await (const { paymentId, intentId, state, money, refundedAmount } of provider.listSince(new Date(0)))
      theirs.push({ payment: paymentId, intent: intentId, state, ...money, refunded: refundedAmount })
    expect(theirs.length).toBeGreaterThan(50)
    const [found] = await openAdmin(adminUrl, (query) =>
      query<{ differing: number }>(`select app.note_payment_differences($1, $2::jsonb, '2000-01-01') as differing`, [
        orgId,
        JSON.stringify(theirs),
      ]),
    )
    expect(found?.differing).toBe(0)

    const card = companion.state.methods.find(({ behaviour }) => behaviour === 'pays')
    const money = { amount: 1_000, currency: 'EUR' }
    const charged = await provider.chargeSaved({
      ...{ paymentId: '0193-payment', orgId, money, text: 'Gift' },
      ...{ customerId: card?.customer ?? '', methodId: card?.id ?? '' },
    })
    expect(charged).toMatchObject({ state: 'settled', money })
  } finally {
    await companion.stop()
    rmSync(dataDir, { recursive: true })
  }
})
