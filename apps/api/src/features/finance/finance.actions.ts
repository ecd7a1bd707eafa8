import { actions } from '../../platform/procedures/procedures.ts'
import { startRun, undoRun } from './finance.runs.public.ts'
import { invoicesBulk } from './finance.bulk.public.ts'
import { papers } from './papers/finance.papers.actions.ts'

const { bulk } = actions.finance.invoices

export const financeActions = actions.finance.router({
  papers,
  runs: {
    start: actions.finance.runs.start.handler(({ input, context }) => startRun(context, input)),
    undo: actions.finance.runs.undo.handler(({ input, context }) => undoRun(context, input)),
  },
  invoices: {
    bulk: {
      preview: bulk.preview.handler(({ input, context }) => invoicesBulk.preview(context, input)),
      run: bulk.run.handler(({ input, context }) => invoicesBulk.run(context, input)),
    },
  },
})
