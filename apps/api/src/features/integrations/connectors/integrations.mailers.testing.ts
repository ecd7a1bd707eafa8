import type { ConnectorKey, FieldMapping, SyncDirection, SyncRun } from '@guildhall/contract/features/integrations'
import type { Pool } from 'pg'
import { expect } from 'vitest'
import { createServices } from '../../../platform/services.ts'
import { test as base } from '../../../testing.ts'
import type { Client, TestOrganisation, Variant } from '../../../testing.ts'
import { workSync } from '../engine/integrations.sync.jobs.ts'
import type { SyncOptions } from '../engine/integrations.running.jobs.ts'
import type { Remote } from './integrations.remote.testing.ts'
import { startListmonk } from '../listmonk/integrations.listmonk.testing.ts'
import { startMailchimp } from '../mailchimp/integrations.mailchimp.testing.ts'

/** A mail service with one list, whichever it is. */
type Mailer = Pick<Remote, 'host' | 'requests' | 'faults' | 'close'> & {
  connector: ConnectorKey
  settings: Record<string, string>
  secrets: Record<string, string>
  mapping: FieldMapping[]
  add(email: string, names?: { given: string; family: string; says?: 'yes' | 'no' }): void
  /** By address: the given name there, and whether they get mail. */
  shown(): Record<string, [string, boolean]>
  tagsOf(email: string): string[]
  unsubscribe(email: string): void
}
const both = (ours: string, theirs: string): FieldMapping => ({ ours, theirs, direction: 'both', rule: 'automatic' })
const textIn = (value: unknown) => (typeof value === 'string' ? value : '')
const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

async function listmonkMailer(): Promise<Mailer> {
  const there = await startListmonk()
  return {
    ...there,
    connector: 'listmonk',
    secrets: { token: there.credentials.token },
    mapping: [
      both('primaryEmail', 'email'),
      both('givenName', 'attribs.first_name'),
      both('familyName', 'attribs.last_name'),
      both('tags', 'attribs.tags'),
      both('subscribed', 'subscribed'),
      { ours: 'fullName', theirs: 'name', direction: 'out', rule: 'automatic' },
    ],
    add: (email, { given, family, says = 'yes' } = { given: 'Some', family: 'Body' }) =>
      void there.add({
        email,
        name: `${given} ${family}`,
        attribs: { first_name: given, last_name: family },
        lists: { 3: says === 'yes' ? 'confirmed' : 'unsubscribed' },
      }),
    shown: () =>
      Object.fromEntries(
        [...there.rows.values()].map((row) => [
          row.email,
          [textIn(row.attribs['first_name']), row.lists.get(3) === 'confirmed' && row.status === 'enabled'],
        ]),
      ),
    tagsOf: (email) => there.seen(email).flatMap(({ attribs }) => textsOf(attribs['tags'])),
  }
}

async function mailchimpMailer(): Promise<Mailer> {
  const there = await startMailchimp()
  return {
    ...there,
    connector: 'mailchimp',
    secrets: { key: there.key },
    mapping: [
      both('primaryEmail', 'email'),
      both('givenName', 'FNAME'),
      both('familyName', 'LNAME'),
      both('tags', 'tags'),
      both('subscribed', 'subscribed'),
    ],
    add: (email, { given, family, says = 'yes' } = { given: 'Some', family: 'Body' }) =>
      void there.add({
        email,
        merge: { FNAME: given, LNAME: family },
        status: says === 'yes' ? 'subscribed' : 'unsubscribed',
        isOwnWord: says === 'no',
      }),
    shown: () =>
      Object.fromEntries([...there.rows.values()].map((row) => [row.email, [textIn(row.merge['FNAME']), row.status === 'subscribed']])),
    tagsOf: (email) => there.seen(email)?.tags ?? [],
  }
}
const mailers = { listmonk: listmonkMailer, mailchimp: mailchimpMailer }

/** An organisation with a topic and a mail service that an administrator connected and mapped over HTTP. */
type Office = {
  org: TestOrganisation
  boss: Client
  product: Variant
  there: Mailer
  topicId: string
  connectionId: string
  /** A person of ours; `says` is what an officer noted down. */
  member(given: string, email: string, says?: boolean): Promise<string>
  record(personId: string, subscribed: boolean): Promise<void>
  /** Whether somebody is subscribed here, and by which source. */
  says(personId: string): Promise<[string, string | null]>
  personBy(email: string): Promise<string | undefined>
  run(options?: { isDry?: boolean } & SyncOptions): Promise<SyncRun>
  /** Requests that change something there, since the last call. */
  writes(): string[]
}
type Connect = (kind: keyof typeof mailers, options?: { hasTopic?: boolean; only?: SyncDirection }) => Promise<Office>

export const test = base.extend<{ connect: Connect }>({
  connect: async ({ variant, organisation, person, admin }, use) => {
    const ends: (() => Promise<void>)[] = []
    await use(async (kind, { hasTopic = true, only } = {}) => {
      const there = await mailers[kind]()
      ends.push(there.close)
      const product = await variant({ OUTGOING_ALLOW: there.host })
      const org = await organisation()
      const owner = await person({ org, idpRoles: ['org-owner'] })
      const boss = product.as(owner.token)
      const { config, log } = product.services
      const worker = createServices(config, log, config.WORKER_DATABASE_URL)
      ends.push(() => worker.close())

      const made = await boss.post('/data/communication/topics', { name: 'News' })
      expect(made).toMatchObject({ status: 201 })
      const topicId = idIn(made.body)
      const settings = { ...there.settings, topic: hasTopic ? 'news' : '' }
      const connected = await boss.post('/actions/connections', { connector: kind, name: 'Our letters', settings, secrets: there.secrets })
      expect(connected).toMatchObject({ status: 201, body: { state: 'connected' } })
      const connectionId = idIn(connected.body)
      const { body } = await boss.get(`/data/connections/${connectionId}/mapping`)
      const mapped = await boss.patch(
        `/data/connections/${connectionId}/mapping`,
        {
          mapping: only ? there.mapping.flatMap((one) => (one.ours === 'subscribed' ? [] : { ...one, direction: only })) : there.mapping,
          matchBy: 'primaryEmail',
        },
        { 'if-match': `"${versionIn(body)}"` },
      )
      expect(mapped).toMatchObject({ status: 200 })
      let seen = 0
      const record = async (personId: string, subscribed: boolean) => {
        const answer = await boss.post(`/data/people/${personId}/consents`, { personId, topicId, subscribed, note: 'On the phone' })
        expect(answer).toMatchObject({ status: 200 })
      }

      const office: Office = {
        ...{ org, boss, product, there, topicId, connectionId },
        member: async (given, email, says) => {
          const { personId } = await person({ org, givenName: given, familyName: 'Hall', email })
          if (says !== undefined) await record(personId ?? '', says)
          return personId ?? ''
        },
        record,
        says: (personId) => saidOf(admin, personId, topicId),
        personBy: async (email) => {
          const { rows } = await admin.query<{ id: string }>(
            'select person_id as id from app.person_emails where org_id = $1 and address_key = $2',
            [org.id, email],
          )
          expect(rows.length).toBeLessThan(2)
          return rows[0]?.id
        },
        run: async ({ isDry = false, ...options } = {}) => {
          const started = await boss.post(`/actions/connections/${connectionId}/runs`, { isDry })
          expect(started).toMatchObject({ status: 202 })
          const runId = idIn(started.body)
          const quick = { pause: async () => undefined, ...options }
          await workSync(worker, { orgId: org.id, accountId: owner.accountId, runId }, new AbortController().signal, quick)
          return (await boss.get(`/data/connections/${connectionId}/runs/${runId}`)).body
        },
        writes: () => {
          const fresh = there.requests.slice(seen)
          seen = there.requests.length
          return fresh.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`)
        },
      }
      return office
    })
    for (const end of ends) await end()
  },
})

const idIn = (body: { id: string }) => body.id
const versionIn = (body: { version: number }) => body.version

async function saidOf(admin: Pool, personId: string, topicId: string): Promise<[string, string | null]> {
  const { rows } = await admin.query<{ state: string; source: string }>(
    'select state, source from app.consents where person_id = $1 and topic_id = $2',
    [personId, topicId],
  )
  return [rows[0]?.state ?? 'nothing', rows[0]?.source ?? null]
}

/** What a run wrote, without the figures that were nothing. */
export const figures = ({ state, in: theirs, out }: SyncRun) => ({
  state,
  in: Object.fromEntries(
    Object.entries(theirs).filter(([key, value]) => value > 0 && key !== 'read' && key !== 'unchanged' && key !== 'skipped'),
  ),
  out: Object.fromEntries(
    Object.entries(out).filter(([key, value]) => value > 0 && key !== 'read' && key !== 'unchanged' && key !== 'skipped'),
  ),
})
