import { sql } from 'kysely'
import { createElement as h } from 'react'
import type { ReactNode } from 'react'
import { issueLink } from '../links/signed-links.ts'
import type { View } from '../public-pages/page-view.ts'
import type { PublicPage } from '../public-pages/public-pages.ts'
import type { Services } from '../services.ts'
import type { Texts } from '../texts/texts.ts'

const purpose = 'unsubscribe'
const day = 86_400_000

/** Where whoever gets this mail says that they want no more of the kind: of its topic, where it has one. */
export async function unsubscribeUrlOf({ database, config }: Services, mail: { orgId: string; id: string }): Promise<string> {
  const { path } = await database.withoutActor(async (db) => {
    // Not waited for on its way to the disk: the mail is marked as handed over after it, and that is on the disk only when this is.
    await sql`select set_config('synchronous_commit', 'off', true)`.execute(db)
    return issueLink(db, {
      purpose,
      subject: { type: 'mail', id: mail.id },
      expiresAt: new Date(Date.now() + 90 * day),
      uses: 'many',
      orgId: mail.orgId,
    })
  })
  return new URL(path, config.PUBLIC_URL).href
}

type Topic = {
  id: string
  name: string
  description: string
  kind: 'essential' | 'marketing'
  state: 'subscribed' | 'unsubscribed' | 'pending'
}
/** What the recipient of a mail about a topic is subscribed to. */
type Choices = { topicId: string; topics: Topic[]; essentialOnly: boolean; pausedUntil: string | null }

/**
 * Ends mails at one click (RFC 8058), or by a form. A mail about a topic leads to all topics of its recipient, and one click ends that topic only; of
 * any other mail, the address gets essential mail only. Looking at the page changes nothing.
 */
export const unsubscribePage: PublicPage = {
  kind: 'link',
  purpose,
  async show({ db, i18n, brand, idpOrg, secretHash }) {
    const { rows } = await choicesByLink(idpOrg, secretHash).execute(db)
    const choices = rows[0]?.choices
    return choices ? preferences(i18n, brand.name, choices) : plain(i18n, brand.name)
  },
  async act({ db, form, i18n, brand, idpOrg, secretHash }) {
    const choice = choiceOf(form)
    const { rows } = await sql<{
      done: boolean
    }>`select app.choose_mail_by_link(${idpOrg ?? null}, ${secretHash}, ${JSON.stringify(choice)}::jsonb) as done`.execute(db)
    if (!rows[0]?.done) {
      await sql`select app.suppress_mail_by_link(${idpOrg ?? null}, ${secretHash})`.execute(db)
      return {
        title: i18n._('You are unsubscribed'),
        body: h('p', null, i18n._('You will get no more of these mails from {organisation}.', { organisation: brand.name })),
      }
    }
    const after = (await choicesByLink(idpOrg, secretHash).execute(db)).rows[0]?.choices ?? undefined
    const said = h('p', { className: 'notice', role: 'status' }, saidOf(i18n, brand.name, choice, after))
    const title = choice.do === 'topic' ? i18n._('You are unsubscribed') : i18n._('Your choice is saved')
    return after ? preferences(i18n, brand.name, after, { title, said }) : { title, body: said }
  },
}

const choicesByLink = (idpOrg: string | undefined, secretHash: string) =>
  sql<{ choices: Choices | null }>`select app.mail_choices_by_link(${idpOrg ?? null}, ${secretHash}) as choices`

type Choice = { do: 'topic' | 'essential' | 'all' } | { do: 'save'; shown: string[]; on: string[] }

/** A mail program sends nothing but its one click; anything unknown is taken as that. */
function choiceOf(form: URLSearchParams): Choice {
  const what = form.get('do')
  if (what === 'save') return { do: 'save', shown: form.getAll('shown').slice(0, 500), on: form.getAll('on').slice(0, 500) }
  return { do: what === 'essential' || what === 'all' ? what : 'topic' }
}

function saidOf(i18n: Texts, organisation: string, choice: Choice, after: Choices | undefined): string {
  const topic = after?.topics.find(({ id }) => id === after.topicId)?.name
  if (choice.do === 'essential') return i18n._('From now on you only get mail from {organisation} that it has to send.', { organisation })
  if (choice.do === 'all') return i18n._('You get mail about the topics that are ticked again.')
  if (choice.do === 'save') {
    const waits = after?.topics.some(({ state }) => state === 'pending')
    return waits
      ? i18n._('Please confirm your subscription by the link in the mail that we sent you.')
      : i18n._('Your subscriptions are as ticked below.')
  }
  return topic
    ? i18n._('You will get no more mails about {topic} from {organisation}.', { topic, organisation })
    : i18n._('You will get no more of these mails from {organisation}.', { organisation })
}

/** The page of a mail without a topic. */
const plain = (i18n: Texts, organisation: string): View => ({
  title: i18n._('Unsubscribe'),
  body: h(
    'form',
    { method: 'post' },
    h('p', null, i18n._('You will only get mail from {organisation} that it has to send, such as invitations.', { organisation })),
    h('button', { type: 'submit', className: 'button' }, i18n._('Unsubscribe')),
    h('p', { className: 'quiet' }, i18n._('To choose what you get mail about, sign in and open Notifications in your profile.')),
  ),
})

function preferences(i18n: Texts, organisation: string, choices: Choices, done?: { title: string; said: ReactNode }): View {
  const { topics, topicId, essentialOnly } = choices
  const about = topics.find(({ id, kind, state }) => id === topicId && kind === 'marketing' && state !== 'unsubscribed')
  const button = (value: string, label: string) => h('button', { type: 'submit', name: 'do', value, className: 'button' }, label)
  return {
    title: done?.title ?? i18n._('Mail preferences'),
    body: h(
      'div',
      null,
      done?.said,
      about &&
        h(
          'form',
          { method: 'post' },
          h('p', null, i18n._('You get mails about {topic} from {organisation}.', { topic: about.name, organisation })),
          button('topic', i18n._('Unsubscribe from {topic}', { topic: about.name })),
        ),
      h('h2', null, i18n._('What you get mail about')),
      essentialOnly && h('p', null, i18n._('You only get essential mail, even for topics ticked here.')),
      h(
        'form',
        { method: 'post' },
        topics.map((topic) => topicLine(i18n, topic)),
        button('save', i18n._('Save')),
      ),
      h(
        'form',
        { method: 'post' },
        essentialOnly
          ? h('p', null, button('all', i18n._('Get mail about these topics again')))
          : h('p', null, button('essential', i18n._('Unsubscribe from all but essential mail'))),
        h(
          'p',
          { className: 'quiet' },
          i18n._('Essential mail is what {organisation} has to send, such as invoices and invitations to meetings.', { organisation }),
        ),
      ),
    ),
  }
}

function topicLine(i18n: Texts, { id, name, description, kind, state }: Topic) {
  const pending = state === 'pending' ? i18n._('to be confirmed by the link of a mail') : undefined
  const more = [description, kind === 'essential' ? i18n._('essential, always sent') : pending].filter(Boolean).join(' · ')
  const isFixed = kind === 'essential'
  return h(
    'p',
    { key: id },
    !isFixed && h('input', { type: 'hidden', name: 'shown', value: id }),
    h(
      'label',
      { className: 'choice' },
      h('input', { type: 'checkbox', name: 'on', value: id, defaultChecked: state !== 'unsubscribed', disabled: isFixed }),
      ' ',
      name,
    ),
    more && h('span', { className: 'quiet' }, ` ${more}`),
  )
}
