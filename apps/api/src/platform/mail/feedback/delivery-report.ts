import PostalMime from 'postal-mime'
import type { Attachment, Email } from 'postal-mime'
import { referenceIn, referenceOfAddress } from '../mail-reference.ts'
import type { MailReference } from '../mail-reference.ts'
import { hashOfBody } from './feedback.ts'
import type { Feedback, FeedbackKind } from './feedback.ts'

/** What a report may have; it brings at most the mail back that it is about. */
export const largestReport = 1_048_576

/**
 * Reads a mail that a mail server sent about one of ours: a delivery status notification (RFC 3464) or a complaint (ARF, RFC 5965). Null for any other,
 * such as an answer by somebody who is away. `recipients` are of its envelope, where they are known: our address for bounces names the mail.
 */
export async function readReport(source: Buffer, recipients: readonly string[] = []): Promise<Feedback | null> {
  let email: Email
  try {
    email = await PostalMime.parse(source, { maxNestingDepth: 20, maxHeadersSize: 262_144, attachmentEncoding: 'arraybuffer' })
  } catch {
    return null
  }
  const part = (type: string) => email.attachments.find(({ mimeType }) => mimeType === type)
  const status = part('message/delivery-status')
  const complaint = part('message/feedback-report')
  const about = complaint ?? status
  if (!about) return null
  const fields = blocksOf(textOf(about))
  const mail = mailOf(email, fields, recipients)
  const found = complaint ? { kind: complaintOf(fields), detail: '' } : worstOf(fields)
  if (!mail || !found?.kind) return null
  return { mail, kind: found.kind, at: timeOf(fields, email), detail: found.detail, eventId: hashOfBody(source) }
}

type Fields = Map<string, string>

const textOf = ({ content }: Attachment) => (typeof content === 'string' ? content : Buffer.from(new Uint8Array(content)).toString('utf8'))

/** Fields of a report: the first block is about the mail, each further one about a recipient. */
function blocksOf(text: string): Fields[] {
  return text
    .slice(0, 65_536)
    .replace(/\r\n?/g, '\n')
    .replace(/\n[ \t]+/g, ' ')
    .split(/\n{2,}/)
    .slice(0, 50)
    .map(
      (block) =>
        new Map(
          block.split('\n').flatMap((line) => {
            const colon = line.indexOf(':')
            return colon > 0 ? [[line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()] as const] : []
          }),
        ),
    )
    .filter(({ size }) => size > 0)
}

/** The mail it is about: by what came back of it, by the id of its envelope, or by the address that the report went to. */
function mailOf(email: Email, fields: readonly Fields[], recipients: readonly string[]): MailReference | null {
  const original = email.attachments.find(({ mimeType }) =>
    /^(message\/rfc822|message\/global|text\/rfc822-headers|message\/rfc822-headers)$/.test(mimeType),
  )
  const headers = original
    ? (textOf(original)
        .slice(0, 262_144)
        .split(/\r?\n\r?\n/)[0] ?? '')
    : ''
  const messageId = /^message-id:\s*(.*)$/im.exec(headers.replace(/\r?\n[ \t]+/g, ' '))?.[1] ?? ''
  const envelope = fields.map((block) => block.get('original-envelope-id') ?? '').join(' ')
  const addressed = [...recipients, ...(email.to ?? []).map(({ address }) => address ?? ''), email.deliveredTo ?? '']
  const found = referenceIn(messageId) ?? referenceIn(envelope) ?? referenceIn(email.inReplyTo ?? '')
  if (found) return found
  for (const address of addressed) {
    const tagged = referenceOfAddress(address)
    if (tagged) return tagged
  }
  return null
}

const complaintOf = (fields: readonly Fields[]): FeedbackKind | null =>
  // "not-spam" takes a complaint back, and "opt-out" and others say something else.
  fields.some((block) => /^(abuse|fraud|virus)$/i.test(block.get('feedback-type') ?? '')) ? 'complaint' : null

/** Each of our mails has one recipient; where a server names several, one that failed for good counts first. */
function worstOf(fields: readonly Fields[]): { kind: FeedbackKind; detail: string } | null {
  const told = fields.flatMap((block) => {
    const kind = kindOf(block)
    return kind ? [{ kind, detail: (block.get('diagnostic-code') ?? block.get('status') ?? '').replace(/^smtp;\s*/i, '') }] : []
  })
  for (const kind of ['hard_bounce', 'soft_bounce', 'delivered'] as const) {
    const found = told.find((one) => one.kind === kind)
    if (found) return found.kind === 'delivered' ? { ...found, detail: '' } : found
  }
  return null
}

const nobodyThere = /unknown|does(n.t| not) exist|no such|invalid recipient|not found|disabled|deactivated|inactive/i

function kindOf(block: Fields): FeedbackKind | null {
  const action = (block.get('action') ?? '').toLowerCase()
  if (action === 'delivered') return 'delivered'
  // "delayed" is not over yet, and whoever relays or expands it knows nothing of its end.
  if (action !== 'failed') return null
  const status = /\b([245])\.(\d{1,3})\.(\d{1,3})\b/.exec(block.get('status') ?? '')
  const [, kind = '5', subject = '0', detail = '0'] = status ?? []
  if (kind !== '5') return 'soft_bounce'
  // The address is not there: unknown, moved without a forwarding address, switched off, or at a domain that takes no mail.
  if (subject === '1' && detail !== '7' && detail !== '8') return 'hard_bounce'
  if (subject === '2' && detail === '1') return 'hard_bounce'
  if ((subject === '0' || subject === '5') && nobodyThere.test(block.get('diagnostic-code') ?? '')) return 'hard_bounce'
  return 'soft_bounce'
}

function timeOf(fields: readonly Fields[], email: Email): Date | null {
  const told = fields
    .map((block) => block.get('last-attempt-date') ?? block.get('arrival-date') ?? block.get('received-date'))
    .find(Boolean)
  const time = Date.parse(told ?? email.date ?? '')
  return Number.isNaN(time) ? null : new Date(time)
}
