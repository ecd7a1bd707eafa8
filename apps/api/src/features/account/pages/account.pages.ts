import { createElement as h } from 'react'
import type { PublicPage } from '../../../platform/public-pages/public-pages.ts'
import { invitedByLink } from './account.pages.queries.ts'

/** Where an invitation leads that was mailed: who invites into what. Accepting it takes signing in, which this page leads to. */
export const invitationPage: PublicPage = {
  kind: 'link',
  purpose: 'invitations',
  async show({ db, idpOrg, secretHash, token, brand, i18n }) {
    const invitation = await invitedByLink(db, idpOrg, secretHash)
    if (!invitation) return undefined
    const { invited, inviter } = invitation
    const organisation = brand.name
    return {
      title: i18n._('Join {organisation}', { organisation }),
      body: h(
        'div',
        null,
        invited ? h('p', null, i18n._('Hello {name},', { name: invited })) : null,
        h(
          'p',
          null,
          inviter
            ? i18n._('{inviter} invites you to the member site of {organisation}.', { inviter, organisation })
            : i18n._('You are invited to the member site of {organisation}.', { organisation }),
        ),
        h('p', null, h('a', { className: 'button', href: `/profile?invitation=${token}` }, i18n._('Sign in and accept'))),
        h('p', { className: 'quiet' }, i18n._('Did you not expect this invitation? Close this page; nothing happens until you sign in.')),
      ),
    }
  },
}
