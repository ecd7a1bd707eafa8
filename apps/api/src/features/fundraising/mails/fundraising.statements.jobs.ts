import * as z from 'zod'
import type { MailTemplate } from '../../../platform/mail/templates.ts'
import { attached } from '../../finance/papers/finance.papers.public.ts'
import { findGivingPaper } from '../donors/fundraising.statements.queries.ts'
import { statementDocument, statementFile, statementTitle } from '../donors/fundraising.statements.rules.ts'

/** What somebody gave in a period, as it is when the mail leaves. */
export const givingStatementMail: MailTemplate<{ run: string; person: string; since: string; until: string }> = {
  key: 'giving-statement',
  essential: true,
  params: z.object({ run: z.uuid(), person: z.uuid(), since: z.iso.date(), until: z.iso.date() }),
  async write({ i18n, params, organisation, database }) {
    const { person: personId, since, until } = params
    const paper = await database.withoutActor((db) => findGivingPaper(db, organisation.id, { personId, since, until }))
    // Refunded since: there is nothing to state any more.
    if (!paper || paper.totals.length === 0) return null
    const title = statementTitle(i18n, paper)
    return {
      subject: i18n._('{title} from {organisation}', { title, organisation: organisation.name }),
      paragraphs: [
        i18n._('Thank you for everything you gave. Your statement is attached.'),
        ...paper.totals.map(({ amount, currency }) => i18n._('Total: {money}', { money: i18n.money(amount, currency) })),
      ],
      attachments: [await attached(statementFile(paper), statementDocument(i18n, paper))],
    }
  },
}
