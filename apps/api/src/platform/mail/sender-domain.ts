import { Resolver } from 'node:dns/promises'
import type { SenderRecord } from '@guildhall/contract/features/communication.deliverability'
import type { Config } from '../config.ts'
import { dkimOf, dkimRecordOf } from './dkim.ts'
import { senderOf } from './mail.ts'

export type SenderState = { address: string; domain: string | null; checkedAt: string | null; records: SenderRecord[] }
export type SenderDomain = { read(fresh?: boolean): Promise<SenderState> }

type Settings = Pick<
  Config,
  'MAIL_FROM' | 'SMTP_URL' | 'MAIL_BOUNCE_ADDRESS' | 'DKIM_DOMAIN' | 'DKIM_SELECTOR' | 'DKIM_PRIVATE_KEY' | 'DNS_SERVERS'
>
type Found = Pick<SenderRecord, 'state' | 'reason'> & { wanted?: string | null }

const keptMs = 5 * 60_000
const freshMs = 10_000

/** The records by which receiving servers judge the sender, asked at most every few minutes however many look at them. */
export function createSenderDomain(config: Settings): SenderDomain {
  let known: { at: number; state: Promise<SenderState> } | undefined
  return {
    read(fresh = false) {
      const now = Date.now()
      if (!known || now - known.at > (fresh ? freshMs : keptMs)) known = { at: now, state: examineSender(config) }
      return known.state
    },
  }
}

/** Domains that nobody but their own network knows (RFC 2606, 6761). */
const isPublic = (domain: string) => domain.includes('.') && !/(^|\.)(localhost|local|internal|test|invalid|example)$/i.test(domain)

export async function examineSender(config: Settings): Promise<SenderState> {
  const { address } = senderOf(config.MAIL_FROM)
  const domain = address.split('@')[1]?.toLowerCase() ?? ''
  if (!isPublic(domain)) return { address, domain: null, checkedAt: null, records: [] }
  const resolver = new Resolver({ timeout: 1_500, tries: 2 })
  if (config.DNS_SERVERS.length > 0) resolver.setServers(config.DNS_SERVERS)
  const bounces = config.MAIL_BOUNCE_ADDRESS?.split('@')[1]?.toLowerCase()
  const records = await Promise.all([
    spfOf(resolver, bounces ?? domain, config.SMTP_URL),
    dkimStateOf(resolver, domain, config),
    dmarcOf(resolver, domain),
    ...(bounces === undefined ? [] : [returnPathOf(resolver, bounces, config.SMTP_URL)]),
  ])
  return { address, domain, checkedAt: new Date().toISOString(), records }
}

type Place = Pick<SenderRecord, 'kind' | 'name' | 'type'>

/** Looks one record up and judges it; a server that does not answer says nothing of the record. */
async function look(place: Place, ask: () => Promise<string[]>, judge: (found: string[]) => Found): Promise<SenderRecord> {
  try {
    const found = await ask()
    const { wanted = null, ...judged } = judge(found)
    return { ...place, ...judged, found: found.slice(0, 5).map((one) => one.slice(0, 1_000)), wanted }
  } catch {
    return { ...place, state: 'unknown', reason: 'no_answer', found: [], wanted: null }
  }
}

/** What stands at a name; nothing where there is no such name, or no such record at it. */
async function none<T>(asked: Promise<T[]>): Promise<T[]> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOTFOUND' || error.code === 'ENODATA')) return []
    throw error
  }
}

const textsAt = async (resolver: Resolver, name: string) => (await none(resolver.resolveTxt(name))).map((parts) => parts.join(''))

/** What senders known to us have included into the SPF record. */
const includes: [host: RegExp, include: string][] = [
  [/(^|\.)mailgun\.org$/i, 'mailgun.org'],
  [/(^|\.)sendgrid\.net$/i, 'sendgrid.net'],
  [/(^|\.)amazonaws\.com$/i, 'amazonses.com'],
  [/(^|\.)(gmail|google)\.com$/i, '_spf.google.com'],
  [/(^|\.)(office365|outlook)\.com$/i, 'spf.protection.outlook.com'],
  [/(^|\.)brevo\.com$|(^|\.)sendinblue\.com$/i, 'spf.brevo.com'],
  [/(^|\.)mailjet\.com$/i, 'spf.mailjet.com'],
]

/** Servers compare the domain that mail comes back to. */
function spfOf(resolver: Resolver, domain: string, smtpUrl: string | undefined): Promise<SenderRecord> {
  const host = smtpUrl === undefined ? '' : new URL(smtpUrl).hostname
  const include = includes.find(([known]) => known.test(host))?.[1]
  const ours = include ? `include:${include}` : isPublic(host) ? `a:${host}` : 'mx'
  const place: Place = { kind: 'spf', name: domain, type: 'TXT' }
  const ask = async () => (await textsAt(resolver, domain)).filter((text) => /^v=spf1(\s|$)/i.test(text))
  return look(place, ask, ([record, ...further]) => {
    if (record === undefined) return { state: 'fault', reason: 'spf_missing', wanted: `v=spf1 ${ours} ~all` }
    if (further.length > 0) return { state: 'fault', reason: 'spf_several' }
    const terms = record.toLowerCase().split(/\s+/)
    if (terms.some((term) => term === '+all' || term === 'all'))
      return { state: 'fault', reason: 'spf_open', wanted: record.replace(/\s\+?all\b/i, ' ~all') }
    // Only of a sender that we know is it certain what has to stand there.
    if (include && !terms.some((term) => term.endsWith(`:${include}`) || term === `redirect=${include}`))
      return { state: 'warning', reason: 'spf_without_sender', wanted: record.replace(/^v=spf1/i, `v=spf1 include:${include}`) }
    return { state: 'ok', reason: 'spf_ok' }
  })
}

function dkimStateOf(resolver: Resolver, domain: string, config: Settings): Promise<SenderRecord> | SenderRecord {
  const dkim = dkimOf(config)
  if (!dkim)
    return {
      kind: 'dkim',
      state: 'unknown',
      reason: 'dkim_by_server',
      name: `…._domainkey.${domain}`,
      type: 'TXT',
      found: [],
      wanted: null,
    }
  const { name, value, publicKey } = dkimRecordOf(dkim)
  const place: Place = { kind: 'dkim', name, type: 'TXT' }
  return look(
    place,
    () => textsAt(resolver, name),
    (found) => {
      const keys = found.map((text) => /(?:^|;)\s*p=([^;]*)/i.exec(text)?.[1]?.replace(/\s/g, '')).filter((key) => key !== undefined)
      if (keys.length === 0) return { state: 'fault', reason: 'dkim_missing', wanted: value }
      if (!keys.includes(publicKey)) return { state: 'fault', reason: 'dkim_other_key', wanted: value }
      const ofDomain = dkim.domain.toLowerCase()
      if (domain !== ofDomain && !domain.endsWith(`.${ofDomain}`) && !ofDomain.endsWith(`.${domain}`))
        return { state: 'warning', reason: 'dkim_other_domain' }
      return { state: 'ok', reason: 'dkim_ok' }
    },
  )
}

/** That of the domain, or else of one above it. */
function dmarcOf(resolver: Resolver, domain: string): Promise<SenderRecord> {
  const labels = domain.split('.')
  const names = Array.from({ length: Math.min(labels.length - 1, 5) }, (_, at) => `_dmarc.${labels.slice(at).join('.')}`)
  const place: Place = { kind: 'dmarc', name: names[0] ?? '', type: 'TXT' }
  const ask = async () => {
    for (const name of names) {
      const found = (await textsAt(resolver, name)).filter((text) => /^v=DMARC1\s*(;|$)/i.test(text))
      if (found.length > 0) return found
    }
    return []
  }
  return look(place, ask, ([record, ...further]) => {
    if (record === undefined) return { state: 'fault', reason: 'dmarc_missing', wanted: 'v=DMARC1; p=none' }
    if (further.length > 0) return { state: 'fault', reason: 'dmarc_several' }
    return /;\s*p\s*=\s*(quarantine|reject)\b/i.test(record)
      ? { state: 'ok', reason: 'dmarc_ok' }
      : { state: 'warning', reason: 'dmarc_only_watches', wanted: 'v=DMARC1; p=quarantine' }
  })
}

function returnPathOf(resolver: Resolver, domain: string, smtpUrl: string | undefined): Promise<SenderRecord> {
  const host = smtpUrl === undefined ? '' : new URL(smtpUrl).hostname
  const place: Place = { kind: 'return_path', name: domain, type: 'MX' }
  const ask = async () => (await none(resolver.resolveMx(domain))).map(({ priority, exchange }) => `${priority} ${exchange}`)
  return look(place, ask, (found) =>
    found.length > 0
      ? { state: 'ok', reason: 'return_path_ok' }
      : { state: 'fault', reason: 'return_path_missing', wanted: isPublic(host) ? `10 ${host}` : null },
  )
}
