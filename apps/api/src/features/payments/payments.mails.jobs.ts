import * as z from 'zod'
import { issueLink } from '../../platform/links/signed-links.ts'
import type { MailTemplate } from '../../platform/mail/templates.ts'
import { failedCharge } from './payments.queries.ts'

const linkDays = 30

/** A saved card that was not charged: declined, or its bank asks its owner, who pays with the link. Nothing to tell once the invoice is paid. */
export const chargeFailedMail: MailTemplate<{ payment: string }> = {
  key: 'charge-failed',
  essential: true,
  params: z.object({ payment: z.uuid() }),
  async write({ i18n, params, organisation, database }) {
    const failed = await database.withoutActor((db) => failedCharge(db, organisation.id, params.payment))
    if (!failed) return null
    const { invoiceId, amount, currency, failure } = failed
    const number = failed.number ?? ''
    const { path } = await database.withoutActor((db) =>
      issueLink(db, {
        ...{ purpose: 'pay', subject: { type: 'invoice', id: invoiceId }, uses: 'many', orgId: organisation.id },
        expiresAt: new Date(Date.now() + linkDays * 86_400_000),
      }),
    )
    const told = { money: i18n.money(amount, currency), number }
    return {
      subject:
        failure === 'confirmation_needed'
          ? i18n._('Confirm your payment to {organisation}', { organisation: organisation.name })
          : i18n._('Your payment to {organisation} was declined', { organisation: organisation.name }),
      paragraphs: [
        failure === 'confirmation_needed'
          ? i18n._('We tried to charge {money} for invoice {number} to your saved card. Your bank asks you to confirm this payment.', told)
          : i18n._('We tried to charge {money} for invoice {number} to your saved card. The card was declined.', told),
      ],
      action: { label: i18n._('Pay now'), path },
      after: [i18n._('Until you pay, nothing changes: what you have paid for stays as it is.')],
    }
  },
}
