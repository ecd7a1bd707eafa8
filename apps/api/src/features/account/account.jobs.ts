import type { JobHandler } from '../../platform/jobs.ts'
import type { Services } from '../../platform/services.ts'
import { invitationOf } from './account.login.queries.ts'

/** Mails an invitation that was not taken up meanwhile. */
export const mailInvitation =
  ({ database, mailer, config }: Services): JobHandler =>
  async ({ org = '', account = '' }) => {
    const invitation = await invitationOf(database, org, account)
    if (!invitation) return
    const { name, email, organisation } = invitation
    await mailer.send({
      to: email,
      subject: `Your access to ${organisation}`,
      text: `${name ? `Hello ${name},\n\n` : ''}${organisation} has opened its member site to you.\nSign in with this e-mail address:\n\n${config.PUBLIC_URL}\n`,
      messageId: `<invitation-${account}@guildhall>`,
    })
  }
