import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { mailTemplates } from '../../../mails.ts'
import type { Mail } from '../../../platform/mail/mail.ts'
import { sendDue } from '../../../platform/mail/outbox.ts'
import { createServices } from '../../../platform/services.ts'
import type { Services } from '../../../platform/services.ts'
import { test as base } from '../../../testing.ts'
import type { Client, TestOrganisation } from '../../../testing.ts'
import { sendingRound } from './communication.sending.jobs.ts'

/** A worker whose mail server is a list; one that refuses or hangs is set by `refuse`. */
export type Post = {
  services: Services
  sent: Mail[]
  refuse: (mail: Mail) => void | Promise<void>
  /** Until there is nothing to do at once. */
  work(): Promise<void>
  /** Everything but handing over. */
  prepare(): Promise<void>
}

export const test = base.extend<{ post: Post }>({
  post: async ({ api, admin }, use) => {
    const worker = createServices(api.services.config, api.services.log, api.services.config.WORKER_DATABASE_URL)
    const post: Post = {
      sent: [],
      refuse: () => {},
      services: {
        ...worker,
        mailer: {
          send: async (mail: Mail) => {
            await post.refuse(mail)
            post.sent.push(mail)
          },
          check: async () => {},
          close: () => {},
        },
      },
      async prepare() {
        for (let busy = true; busy;) busy = await sendingRound(post.services)
      },
      async work() {
        await post.prepare()
        for (let claimed = 1; claimed > 0;) {
          ;({ claimed } = await sendDue(post.services, mailTemplates))
          // Tests do not wait for the turn of a domain.
          await admin.query(`update app.mail_messages set next_at = now() where state = 'queued' and paced`)
          await post.prepare()
        }
      },
    }
    await use(post)
    await worker.close()
  },
})

export async function topicOf(
  admin: pg.Pool,
  org: TestOrganisation,
  more: { kind?: 'essential' | 'marketing'; optIn?: boolean } = {},
): Promise<string> {
  const { rows } = await admin.query<{ id: string }>(
    `insert into app.topics (org_id, name, kind, default_opt) values ($1, $2, $3, 'in') returning id`,
    [org.id, `News ${randomUUID().slice(0, 8)}`, more.kind ?? 'marketing'],
  )
  return rows[0]?.id ?? ''
}

/** People of a chapter without an account, each with an address; `at` gives several the same one. */
export async function peopleOf(admin: pg.Pool, org: TestOrganisation, count: number, more: { chapterId?: string; at?: string } = {}) {
  const key = randomUUID().slice(0, 8)
  const { rows } = await admin.query<{ id: string }>(
    `with made as (insert into app.people (org_id, given_name, family_name) select $1, 'Kim', 'Number ' || n from generate_series(1, $2::int) n returning id, family_name),
       joined as (insert into app.affiliations (org_id, person_id, chapter_id, starts_on, is_primary) select $1, id, $3, '2020-01-01', true from made),
       written as (insert into app.person_emails (org_id, person_id, address, is_primary)
         select $1, id, coalesce($4, 'p' || replace(family_name, ' ', '') || '@' || $5 || '.example'), true from made)
     select id from made order by family_name`,
    [org.id, count, more.chapterId ?? org.rootChapterId, more.at ?? null, key],
  )
  return rows.map(({ id }) => id)
}

export const textBody = (...paragraphs: string[]) => ({
  blocks: [
    {
      type: 'text',
      text: { type: 'doc', content: paragraphs.map((text) => ({ type: 'paragraph', content: [{ type: 'text', text }] })) },
    },
  ],
})
export const persons = (ids: readonly string[]) => ({ include: [{ kind: 'persons', ids }], exclude: [] })

export type MessageAnswer = {
  id: string
  version: number
  status: string
  counts: Record<string, number>
  may: Record<string, boolean>
  sendAt: string | null
  failure: string
  note: string
}
/** Calls about one message that know its version. */
export function messageCalls(client: Client) {
  const act = async (message: Pick<MessageAnswer, 'id' | 'version'>, name: string, body: object = {}) =>
    client.post(`/data/messages/${message.id}/${name}`, body, { 'if-match': String(message.version) })
  return {
    act,
    async make(facts: object): Promise<MessageAnswer> {
      const { status, body, text } = await client.post('/data/messages', {
        name: 'News',
        subject: 'What is new',
        body: textBody('Hello {{first_name | friend}}'),
        ...facts,
      })
      if (status !== 201) throw new Error(text)
      return body
    },
    async get(id: string): Promise<MessageAnswer> {
      return (await client.get(`/data/messages/${id}`)).body
    },
    /** One step that has to be possible. */
    async step(message: Pick<MessageAnswer, 'id' | 'version'>, name: string, body: object = {}): Promise<MessageAnswer> {
      const answer = await act(message, name, body)
      if (answer.status !== 200) throw new Error(`${name}: ${answer.status} ${answer.text}`)
      return answer.body
    },
  }
}
/** Its 60 seconds are over. */
export const due = (admin: pg.Pool, id: string) =>
  admin.query(`update app.messages set send_at = now() - interval '1 second' where id = $1 and status = 'scheduled'`, [id])
