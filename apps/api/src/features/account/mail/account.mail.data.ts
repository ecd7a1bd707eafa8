import { listPage } from '../../../platform/lists/list-page.ts'
import { mustFind, problem } from '../../../platform/procedures/problem.ts'
import { data } from '../../../platform/procedures/procedures.ts'
import { cancelMail, findMail, mailsList, retryMail } from './account.mail.queries.ts'

const { mails: procedures } = data.account

export const mails = procedures.router({
  list: procedures.list.handler(({ input, context }) => listPage(context, mailsList(input), input)),

  retry: procedures.retry.handler(({ input: { mailId }, context }) =>
    context.inTx(async (db) => {
      mustFind(await findMail(db, mailId))
      if (!(await retryMail(db, mailId))) throw problem('CONFLICT', { reason: 'mail_not_failed', detail: 'This mail has not failed.' })
      return mustFind(await findMail(db, mailId))
    }),
  ),

  cancel: procedures.cancel.handler(({ input: { mailId }, context }) =>
    context.inTx(async (db) => {
      mustFind(await findMail(db, mailId))
      if (!(await cancelMail(db, mailId)))
        throw problem('CONFLICT', { reason: 'mail_not_waiting', detail: 'This mail is no longer waiting to be sent.' })
      return mustFind(await findMail(db, mailId))
    }),
  ),
})
