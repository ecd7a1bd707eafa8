import type { Schema } from '@guildhall/db'
import type { Kysely } from 'kysely'
import type { Services } from '../../../platform/services.ts'
import { keepOwnConnection, paymentFigures, paymentStanding } from '../connectors/integrations.figures.queries.ts'

const provider = 'stripe'
const unheard = {
  reason: 'payments_unheard',
  detail: 'Payments settle, but their notices do not arrive. Check the webhook at the payment provider.',
} as const

/** The payment provider as a connection: there while the installation names one. */
export const paymentsOf = ({ payments }: Pick<Services, 'payments'>) => ({
  async keep(db: Kysely<Schema>, orgId: string) {
    const { heardAt, isUnheard } = await paymentStanding(db, orgId, provider)
    const isConfigured = payments !== undefined
    const name = payments?.isLive === false ? 'Stripe (test mode)' : 'Stripe'
    return keepOwnConnection(db, orgId, {
      connector: 'stripe',
      category: 'payments',
      name,
      isConfigured,
      heardAt,
      failure: isUnheard ? unheard : null,
    })
  },
  count: (db: Kysely<Schema>, orgId: string, wanted: { since: Date; isWhole: boolean }) => paymentFigures(db, orgId, provider, wanted),
})
