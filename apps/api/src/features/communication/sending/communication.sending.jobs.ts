import { setTimeout as sleep } from 'node:timers/promises'
import { eventsIn, picturesIn } from '@guildhall/contract/message-blocks'
import { publicMessagePicturePath } from '@guildhall/contract/public-paths'
import type { Actor } from '@guildhall/db'
import { LRUCache } from 'lru-cache'
import * as z from 'zod'
import type { Config } from '../../../platform/config.ts'
import type { MailBrand } from '../../../platform/mail/layout.ts'
import { jobActor } from '../../../platform/jobs/job-progress.ts'
import type { AnyTemplate, Writing } from '../../../platform/mail/templates.ts'
import { toProblem } from '../../../platform/procedures/problem.ts'
import type { Services } from '../../../platform/services.ts'
import { audienceSql } from '../audiences/communication.audiences.public.ts'
import { fillMessage, prepareMessage } from '../body/communication.body.rules.ts'
import type { Prepared } from '../body/communication.body.rules.ts'
import type { EventFacts } from '../body/communication.blocks.rules.ts'
import { mergeValuesOf, publishPictures, readEventFacts, readOwnMergeRow, seenPictures } from '../body/communication.merge.queries.ts'
import { linkToken } from './communication.links.rules.ts'
import {
  addRecipients,
  audienceOf,
  beginAudience,
  countMessages,
  failMessage,
  feedAutomations,
  feedMessages,
  findDeliveryMail,
  findMessageToWrite,
  freezeMessages,
  keepLinks,
  messagesToFind,
  startMessages,
  sweepMessages,
} from './communication.sending.queries.ts'
import type { StoredMessage } from './communication.sending.queries.ts'

/** So many deliveries become mail at a time; and so many wait in the outbox at most, which is what a pause takes back at once. */
const fedAtOnce = 2_000
const fedAhead = 20_000
const frozenAtOnce = 20_000
const idleMs = 1_000
const patienceMs = 5_000
const audienceMs = 600_000

export type Sending = { stop(): Promise<void> }

/** Moves messages on until it is stopped: starts what is due, finds recipients, hands them to the outbox. Any number of workers may. */
export function startSending(services: Services): Sending {
  const stopping = new AbortController()
  const rest = (ms: number) => sleep(ms, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined)
  const running = (async () => {
    while (!stopping.signal.aborted) {
      try {
        if (!(await sendingRound(services))) await rest(idleMs)
      } catch (error) {
        services.log.warn({ err: error }, 'messages wait for the database')
        await rest(patienceMs)
      }
    }
  })()
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}

/** One round; true when there is more to do at once. Each step is a transaction of its own, so that whoever dies leaves whole steps. */
export async function sendingRound(services: Services): Promise<boolean> {
  const { database } = services
  await database.withoutActor(startMessages)
  for (const message of await database.withoutActor(messagesToFind)) await findAudience(services, message)
  const limit = { statementTimeoutMs: 120_000 }
  const frozen = await database.withoutActor((db) => freezeMessages(db, frozenAtOnce), limit)
  await database.withoutActor((db) => feedMessages(db, fedAtOnce, fedAhead), limit)
  await database.withoutActor((db) => feedAutomations(db, fedAtOnce), limit)
  const swept = await database.withoutActor((db) => sweepMessages(db, frozenAtOnce), limit)
  const counted = await database.withoutActor((db) => countMessages(db, 50_000), limit)
  return frozen > 0 || swept > 0 || counted >= 50_000
}

type Found = Awaited<ReturnType<typeof messagesToFind>>[number]
/** Whom a message goes to, as whoever sends it sees people: in one transaction, so that a worker that dies found nobody. */
async function findAudience({ database, log }: Services, message: Found): Promise<void> {
  const { orgId, id, senderId, idpRoles } = message
  const fail = (why: string) => database.withoutActor((db) => failMessage(db, orgId, id, why))
  const sender = senderId === null || idpRoles === null ? null : await jobActor(database, orgId, senderId)
  // The account of an API key that is over is active still: waited for, its messages would keep back those of everybody else.
  if (!sender) return fail('sender')
  const scope = { chapterId: message.chapterId, groupId: message.groupId }
  try {
    await database.asActor(
      sender,
      async (db) => {
        if (await beginAudience(db, id))
          await addRecipients(db, id, await audienceSql(db, audienceOf(message.audience), scope, 'messages.send'))
      },
      { statementTimeoutMs: audienceMs },
    )
  } catch (error) {
    const status = toProblem(error)?.status
    if (status === 403) return fail('sender')
    if (status === 422) return fail('audience')
    log.error({ err: error, message: id }, 'the audience of a message could not be found')
  }
}

// Writing ---------------------------------------------------------------------------------------------------------------------------------

/** Laid out once for each message, its version and language; a brand that changes is seen a minute later. */
const laidOut = new LRUCache<string, Promise<LaidOut>>({ max: 200, ttl: 60_000 })
type LaidOut = { prepared: Prepared; numbers: ReadonlyMap<string, number> }

type LayingOut = { id: string; message: StoredMessage; writer: Actor | undefined; isTest: boolean }
async function layOut(writing: Writing<unknown>, brand: MailBrand, { id, message, writer, isTest }: LayingOut): Promise<LaidOut> {
  const { database, organisation, config, i18n } = writing
  const { subject, preheader, body, imprint } = message
  const { events, pictures } = await inserted(writing, message, writer)
  const prepared = await prepareMessage({
    ...{ subject, preheader, body, imprint },
    ...{ language: i18n.language, brand, publicUrl: config.PUBLIC_URL },
    events,
    pictureUrl: (fileId) => (pictures.has(fileId) ? new URL(publicMessagePicturePath(fileId), config.PUBLIC_URL).href : undefined),
    reason: reasonFor(writing, message),
    offers: { preferences: message.essential !== true, unsubscribe: message.essential !== true },
  })
  const counted = message.countsClicks && !isTest ? prepared.links.filter((url) => /^https?:/.test(url)) : []
  const numbers =
    counted.length > 0 ? await database.withoutActor((db) => keepLinks(db, organisation.id, id, counted)) : new Map<string, number>()
  return { prepared, numbers }
}

/** Why somebody gets a message, in its language. */
function reasonFor({ i18n, organisation }: Writing<unknown>, { essential, topic, chapter, group }: StoredMessage): string | undefined {
  const from = chapter ?? group
  const names = { from: from === null ? organisation.name : `${from} (${organisation.name})`, topic: topic ?? '' }
  if (essential !== false) return undefined
  return i18n._('You are receiving this mail from {from} because you are subscribed to “{topic}”.', names)
}

/** Events and pictures in a message, as its writer sees them; its pictures have an address for everybody from now on. */
async function inserted({ database, i18n }: Writing<unknown>, { body }: StoredMessage, writer: Actor | undefined) {
  const [eventIds, pictureIds] = [eventsIn(body), picturesIn(body)]
  if (eventIds.length + pictureIds.length === 0) return { events: new Map<string, EventFacts>(), pictures: new Set<string>() }
  // Rather not at all than with less than its writer saw.
  if (!writer) throw new Error('who sent this message is not active any more, so nobody can say what it shows')
  return database.asActor(writer, async (db) => {
    await publishPictures(db, pictureIds)
    return { events: await readEventFacts(db, eventIds, i18n), pictures: new Set(await seenPictures(db, pictureIds)) }
  })
}

const addressOf = (config: Config, path: string, token: string) => new URL(`/public/${path}/${token}`, config.PUBLIC_URL).href

/** One delivery of a message, as long as its person may still get it. */
export const messageMail: AnyTemplate = {
  key: 'message',
  essential: false,
  async compose(writing) {
    const { database, organisation, config, mailId } = writing
    const { delivery } = z.object({ delivery: z.uuid() }).parse(writing.params)
    const mail = await database.withoutActor((db) => findDeliveryMail(db, organisation.id, delivery))
    if (mail.refusal !== undefined) return { refusal: mail.refusal }
    const message = await storedMessage(writing, mail.messageId, mail.version)
    if (!message) return null
    const { fromName, replyTo, countsOpens } = message
    return {
      ...(fromName && { fromName }),
      ...(replyTo && { replyTo }),
      async layOut({ brand, unsubscribeUrl }) {
        const key = [mail.messageId, mail.version, writing.i18n.language].join(' ')
        const { prepared, numbers } = await remembered(laidOut, key, () =>
          layOut(writing, brand, { id: mail.messageId, message, writer: senderOf(organisation.id, message), isTest: false }),
        )
        const token = (link: number) => linkToken(config.ACTOR_KEY, { orgId: organisation.id, deliveryId: mailId, link })
        return fillMessage(prepared, mergeValuesOf(mail.values ?? undefined, organisation.name, writing.i18n), {
          unsubscribeUrl,
          rewriteLink(href) {
            const number = numbers.get(href)
            return number === undefined ? href : addressOf(config, 'follow', token(number))
          },
          ...(countsOpens && { openUrl: `${addressOf(config, 'seen', token(0))}.gif` }),
        })
      },
    }
  },
}

/** A message as its writer would get it, before anybody else does. */
export const messageTestMail = {
  key: 'message-test',
  essential: true,
  params: z.object({ message: z.uuid() }),
  write: () => null,
}
export const messageTestTemplate: AnyTemplate = {
  key: messageTestMail.key,
  essential: messageTestMail.essential,
  async compose(writing) {
    const { database, organisation, i18n } = writing
    const { message: id } = messageTestMail.params.parse(writing.params)
    const message = await database.withoutActor((db) => findMessageToWrite(db, organisation.id, id))
    if (!message) return null
    const { fromName, replyTo } = message
    return {
      ...(fromName && { fromName }),
      ...(replyTo && { replyTo }),
      async layOut({ brand }) {
        const writer = writing.recipient ?? undefined
        const { prepared } = await layOut(writing, brand, { id, message: { ...message, essential: true }, writer, isTest: true })
        const row = writer && (await database.asActor(writer, readOwnMergeRow))
        const written = fillMessage(prepared, mergeValuesOf(row, organisation.name, i18n), {})
        return { ...written, subject: i18n._('Test: {subject}', { subject: written.subject }) }
      },
    }
  },
}

const senderOf = (orgId: string, { senderId, senderRoles }: StoredMessage): Actor | undefined =>
  senderId === null ? undefined : { orgId, accountId: senderId, idpRoles: senderRoles ?? [] }

const stored = new LRUCache<string, Promise<{ message: StoredMessage | undefined }>>({ max: 200, ttl: 60_000 })
const storedMessage = async ({ database, organisation }: Writing<unknown>, id: string, version: number) => {
  const found = await remembered(stored, [id, version].join(' '), async () => ({
    message: await database.withoutActor((db) => findMessageToWrite(db, organisation.id, id)),
  }))
  return found.message
}

async function remembered<Value extends object>(cache: LRUCache<string, Promise<Value>>, key: string, make: () => Promise<Value>) {
  const known = cache.get(key)
  if (known) return known
  const made = make()
  cache.set(key, made)
  made.catch(() => cache.delete(key))
  return made
}
