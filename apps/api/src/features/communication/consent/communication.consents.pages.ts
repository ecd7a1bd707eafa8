import { createElement as h } from 'react'
import type { PublicPage } from '../../../platform/public-pages/public-pages.ts'
import { confirmByLink, consentByLink } from './communication.consents.public.queries.ts'

/** Confirms a subscription by the link of a mail. Looking at it confirms nothing: mail scanners look too. */
export const topicConfirmPage: PublicPage = {
  kind: 'link',
  purpose: 'topic-confirm',
  async show({ db, i18n, brand, idpOrg, secretHash }) {
    const asked = await consentByLink(db, idpOrg, secretHash)
    if (!asked) return undefined
    const values = { topic: asked.topic, organisation: brand.name }
    if (asked.state === 'subscribed')
      return { title: i18n._('You are subscribed'), body: h('p', null, i18n._('You get mails about {topic} from {organisation}.', values)) }
    if (asked.state === 'unsubscribed') return undefined
    return {
      title: i18n._('Confirm subscription'),
      body: h(
        'form',
        { method: 'post' },
        h('p', null, i18n._('You will get mails about {topic} from {organisation}. You can end them at any time.', values)),
        h('button', { type: 'submit', className: 'button' }, i18n._('Confirm subscription')),
      ),
    }
  },
  async act({ db, i18n, brand, idpOrg, secretHash }) {
    const done = await confirmByLink(db, idpOrg, secretHash)
    const values = { topic: done?.topic ?? '', organisation: brand.name }
    return done?.state === 'subscribed'
      ? { title: i18n._('You are subscribed'), body: h('p', null, i18n._('You get mails about {topic} from {organisation}.', values)) }
      : { title: i18n._('You are not subscribed'), body: h('p', null, i18n._('This subscription was ended. Nothing has changed.')) }
  },
}
