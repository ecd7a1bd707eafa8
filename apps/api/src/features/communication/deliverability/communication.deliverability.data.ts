import { problem } from '../../../platform/procedures/problem.ts'
import { data } from '../../../platform/procedures/procedures.ts'
import { readOne } from '../../../platform/records/statement.ts'
import { mailFiguresQuery } from './communication.deliverability.queries.ts'
import { isStuck } from './communication.deliverability.rules.ts'

export const deliverability = data.communication.deliverability.handler(async ({ input, context }) => {
  const { services } = context
  const { item, may } = await readOne(context, mailFiguresQuery())
  if (!may) throw problem('FORBIDDEN')
  const { backlog, ...figures } = item
  const { config } = services
  return {
    ...figures,
    // Kept for minutes, so that the DNS is rarely waited for.
    sender: await services.senderDomain.read(input.fresh),
    intakes: [
      ...(config.MAILGUN_SIGNING_KEY ? (['mailgun'] as const) : []),
      ...(config.SENDGRID_PUBLIC_KEY ? (['sendgrid'] as const) : []),
      ...(config.MAIL_REPORT_TOKEN ? (['report'] as const) : []),
    ],
    backlog: {
      waiting: backlog.waiting,
      oldestSeconds: backlog.oldestSeconds,
      lastSentAt: backlog.lastSentAt === null ? null : new Date(backlog.lastSentAt).toISOString(),
      isStuck: isStuck(backlog),
    },
  }
})
