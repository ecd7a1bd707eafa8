import type { Schema } from '@guildhall/db'
import type { Kysely } from 'kysely'
import type { Services } from '../../../platform/services.ts'
import { keepOwnConnection, mailFigures, mailStanding } from '../connectors/integrations.figures.queries.ts'

const stuck = { reason: 'mail_waits', detail: 'Mail has waited for more than an hour. Check the mail server.' } as const

/** The mail server as a connection: there while the installation names one. */
export const mailOf = ({ config }: Pick<Services, 'config'>) => ({
  async keep(db: Kysely<Schema>, orgId: string) {
    const { heardAt, isStuck } = await mailStanding(db, orgId)
    const isConfigured = config.SMTP_URL !== undefined
    return keepOwnConnection(db, orgId, {
      connector: 'smtp',
      category: 'email',
      name: 'Mail server',
      isConfigured,
      heardAt,
      failure: isStuck ? stuck : null,
    })
  },
  count: mailFigures,
})
