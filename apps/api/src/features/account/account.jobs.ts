import * as z from 'zod'
import { issueLink } from '../../platform/links/signed-links.ts'
import type { MailTemplate } from '../../platform/mail/templates.ts'
import { invitationOf, waitingRequest } from './account.login.queries.ts'

/** An invitation that was not taken up meanwhile. */
export const invitationMail: MailTemplate<{ account: string }> = {
  key: 'invitation',
  essential: true,
  params: z.object({ account: z.uuid() }),
  async write({ i18n, params, organisation, database }) {
    const invitation = await invitationOf(database, organisation.id, params.account)
    if (!invitation) return null
    const { name, until } = invitation
    // The token is told here only; what is kept is its hash.
    const expiresAt = until === null ? new Date(Date.now() + 14 * 86_400_000) : new Date(until)
    const subject = { type: 'account', id: params.account }
    const { path } = await database.withoutActor((db) =>
      issueLink(db, { purpose: 'invitations', subject, expiresAt, uses: 'one', orgId: organisation.id }),
    )
    return {
      subject: i18n._('Your access to {organisation}', { organisation: organisation.name }),
      ...(name ? { greeting: i18n._('Hello {name},', { name }) } : {}),
      paragraphs: [
        i18n._('{organisation} has invited you to its member site. Sign in to accept the invitation.', { organisation: organisation.name }),
      ],
      action: { label: i18n._('Accept invitation'), path },
      after: [
        i18n._('This invitation is for you alone and expires on {date}.', {
          date: i18n.date(expiresAt.toISOString(), organisation.timezone),
        }),
      ],
    }
  },
}

/** Tells an administrator of somebody who asks for access, unless that was decided meanwhile. */
export const accessRequestMail: MailTemplate<{ account: string }> = {
  key: 'access-request',
  essential: true,
  params: z.object({ account: z.uuid() }),
  async write({ i18n, params, organisation, database }) {
    const request = await waitingRequest(database, organisation.id, params.account)
    if (!request) return null
    const { name, email, verified, message } = request
    const address = email && (verified ? `<${email}>` : i18n._('<{email}> (not verified)', { email }))
    const who = [name, address].filter(Boolean).join(' ') || i18n._('Someone without a name')
    return {
      subject: i18n._('{who} asks for access to {organisation}', {
        who: name || email || i18n._('Someone'),
        organisation: organisation.name,
      }),
      paragraphs: [i18n._('{who} signed in and asks for access to {organisation}.', { who, organisation: organisation.name })],
      ...(message ? { quote: message } : {}),
      action: { label: i18n._('Approve or decline'), path: '/account-management/requests' },
    }
  },
}
