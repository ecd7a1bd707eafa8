import { sql } from 'kysely'
import { createElement as h } from 'react'
import { issueLink } from '../links/signed-links.ts'
import type { PublicPage } from '../public-pages/public-pages.ts'
import type { Services } from '../services.ts'

const purpose = 'unsubscribe'
const day = 86_400_000

/** Where whoever gets this mail says that they want no more of the kind. */
export async function unsubscribeUrlOf({ database, config }: Services, mail: { orgId: string; id: string }): Promise<string> {
  const { path } = await database.withoutActor((db) =>
    issueLink(db, {
      purpose,
      subject: { type: 'mail', id: mail.id },
      expiresAt: new Date(Date.now() + 90 * day),
      uses: 'many',
      orgId: mail.orgId,
    }),
  )
  return new URL(path, config.PUBLIC_URL).href
}

/** The address gets essential mail only, once the form is sent: by hand, or by a mail program at one click (RFC 8058). */
export const unsubscribePage: PublicPage = {
  kind: 'link',
  purpose,
  async show({ i18n, brand: { name } }) {
    return {
      title: i18n._('Unsubscribe'),
      body: h(
        'form',
        { method: 'post' },
        h(
          'p',
          null,
          i18n._('You will only get mail from {organisation} that it has to send, such as invitations.', { organisation: name }),
        ),
        h('button', { type: 'submit', className: 'button' }, i18n._('Unsubscribe')),
        h('p', { className: 'quiet' }, i18n._('To choose what you get mail about, sign in and open Notifications in your profile.')),
      ),
    }
  },
  async act({ db, i18n, brand, idpOrg, secretHash }) {
    await sql`select app.suppress_mail_by_link(${idpOrg ?? null}, ${secretHash})`.execute(db)
    return {
      title: i18n._('You are unsubscribed'),
      body: h('p', null, i18n._('You will get no more of these mails from {organisation}.', { organisation: brand.name })),
    }
  },
}
