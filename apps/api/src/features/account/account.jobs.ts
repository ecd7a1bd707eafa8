import type { JobHandler } from '../../platform/jobs/jobs.ts'
import type { Services } from '../../platform/services.ts'
import { administrators } from './account.administrators.queries.ts'
import { invitationOf, waitingRequest } from './account.login.queries.ts'

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

/** Tells one administrator of somebody who asks for access, unless that was decided meanwhile. */
export const mailAccessRequest =
  ({ database, mailer, config }: Services): JobHandler =>
  async ({ org = '', account = '', to = '' }) => {
    const request = await waitingRequest(database, org, account)
    const recipient = (await database.withoutActor((db) => administrators(db, org))).find(({ key }) => key === to)
    if (!request || !recipient) return
    const { name, email, verified, message, organisation } = request
    const who = [name, email && `<${email}>${verified ? '' : ' (not verified)'}`].filter(Boolean).join(' ') || 'Somebody without a name'
    await mailer.send({
      to: recipient.address,
      subject: `${name || email || 'Somebody'} asks for access to ${organisation}`,
      text: `${who} signed in and asks for access to ${organisation}.\n${message ? `\n${message}\n` : ''}\nLet them in or turn them down under Accounts:\n${config.PUBLIC_URL.replace(/\/$/, '')}/account-management\n`,
      messageId: `<access-${account}-${to}@guildhall>`,
    })
  }
