import { renderPdf } from '../../../platform/pdf/render-pdf.ts'
import { mustFind } from '../../../platform/procedures/problem.ts'
import { actions } from '../../../platform/procedures/procedures.ts'
import { letterheadOf } from '../../../platform/public-pages/brand.ts'
import { findGivingPaper } from './fundraising.statements.queries.ts'
import { statementDocument, statementFile } from './fundraising.statements.rules.ts'
import { mailStatements } from './fundraising.statements.runs.public.ts'

const { donors } = actions.fundraising

export const donorsActions = donors.router({
  /** In the organisation's language, laid out outside the transaction that reads what it says. */
  printStatement: donors.printStatement.handler(async ({ input, context }) => {
    const { orgId } = context.actor
    const { paper, i18n } = await context.inTx(async (db) => ({
      paper: mustFind(await findGivingPaper(db, orgId, input)),
      ...(await letterheadOf(db, orgId)),
    }))
    const content = await renderPdf(statementDocument(i18n, paper))
    return new File([new Uint8Array(content)], statementFile(paper), { type: 'application/pdf' })
  }),
  mailStatements: donors.mailStatements.handler(({ input, context }) => mailStatements(context, input)),
})
