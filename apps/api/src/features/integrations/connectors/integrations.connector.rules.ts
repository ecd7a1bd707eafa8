import type * as z from 'zod'
import type { Outgoing, OutgoingAnswer } from '../../../platform/outgoing/outgoing.ts'

/** A record of the other side; values by the names that its own fields have there. `isGone`: it was removed there. */
export type Remote = {
  externalId: string
  version: string | null
  values: Readonly<Record<string, string | null>>
  isGone?: boolean
}

/** With what a connector asks the other side: nothing of ours but what somebody typed in when connecting it. */
export type Reach = {
  connectionId: string
  settings: Readonly<Record<string, string | number | boolean>>
  secrets: Readonly<Record<string, string>>
  /** Asked through `ask` of integrations.connector.actions.ts. */
  outgoing: Pick<Outgoing, 'request'>
  signal: AbortSignal
  /** Today by the calendar of the organisation. */
  today: string
  timezone: string
  /** What the other side says about how much of its allowance is used, where it does. */
  onQuota?: (percent: number) => void
  /** What the sandbox holds, since its other side is a table here. Without it, it has only what it begins with. */
  sandbox?: SandboxStore
}
export type SandboxRecord = { externalId: string; held: Readonly<Record<string, string | null>>; changes: number; isGone: boolean }
export type SandboxStore = {
  all(): Promise<SandboxRecord[]>
  put(records: readonly Pick<SandboxRecord, 'externalId' | 'held' | 'isGone'>[]): Promise<void>
}

/** One of ours for the other side. Without an external id it is created, or found by its key when an attempt that was lost created it. */
export type Push = {
  ourId: string
  externalId: string | null
  values: Readonly<Record<string, string | null>>
  /**
   * It gets nothing from us any more. `erase`: the person was erased here, and is deleted there for good. `remove`: merged, archived, or out of the reach of
   * the connection; unsubscribed and put away there. Values are then not read.
   */
  stop?: 'erase' | 'remove'
}
/** `values` are what the other side holds now, by its names, where it gives them back; they count as agreed, so that the next run finds nothing to do. */
export type Pushed =
  | { ourId: string; externalId: string; version: string | null; values?: Readonly<Record<string, string | null>> }
  | { ourId: string; error: RowError }
export type RowError = { code: string; message: string }
export type BadRow = RowError & { row: string }

/**
 * `isWhole` false: rows that are missing from this pass say nothing, since only what changed was asked for. `isFresh` with the first part: nothing has changed
 * since the last run, so there is nothing to read. `mark` is kept with the connection when the pass ends and comes with the next one.
 */
export type Pulled = {
  rows: readonly Remote[]
  bad: readonly BadRow[]
  cursor: string | null
  total: number | null
  isWhole?: boolean
  isFresh?: boolean
  mark?: string | null
  /** All fields that the other side has now: a run stops where one that is mapped is not among them. */
  columns?: readonly string[]
}
export type TheirField = { key: string; label: string | null; example: string | null; isKey: boolean }

/** All calls throw a ConnectorError when the other side cannot be asked, and reach outside only by `reach.outgoing`. */
export type SyncConnector = {
  test(reach: Reach): Promise<{ name: string; value: string }[]>
  theirs(reach: Reach): Promise<TheirField[]>
  /** In stable order, from `cursor` on; the last part has none. `mark` is what the last whole pass left. */
  pull?(reach: Reach, cursor: string | null, mark: string | null): Promise<Pulled>
  /** At most 500 at a time; safe to repeat. May answer fewer than it was given: the others were not reached, and are asked for again. Throws when none was. */
  push?(reach: Reach, rows: readonly Push[]): Promise<Pushed[]>
  /** An update is pushed with all mapped values, not only with those that changed. */
  pushesWhole?: boolean
  /** Their field that says 'yes' or 'no' to being written to. It is tied to our field `subscribed`, whatever the mapping says: a no of either side counts. */
  consent?: string
}

export type ConnectorCode = 'unauthorized' | 'not_found' | 'rate_limited' | 'unreachable' | 'bad_answer' | 'too_large' | 'refused'

type Said = { retryAfterSeconds?: number | null; message?: string; cause?: unknown }
/** Why the other side could not be asked. `message` is English, for those who repair it, and never what the other side answered. */
export class ConnectorError extends Error {
  readonly code: ConnectorCode
  readonly retryAfterSeconds: number | null
  constructor(code: ConnectorCode, message: string, { retryAfterSeconds = null, cause }: Omit<Said, 'message'>) {
    super(message, { cause })
    this.code = code
    this.retryAfterSeconds = retryAfterSeconds
  }
}

const usualMessages: Record<ConnectorCode, string> = {
  unauthorized: 'The other side does not accept the credentials.',
  not_found: 'The other side has nothing at this address.',
  rate_limited: 'The other side asks to wait.',
  unreachable: 'The other side cannot be reached.',
  bad_answer: 'The other side gave an answer that cannot be read.',
  too_large: 'The answer of the other side is too large.',
  refused: 'This address may not be asked.',
}

export const connectorError = (code: ConnectorCode, { message = usualMessages[code], ...said }: Said = {}): ConnectorError =>
  new ConnectorError(code, message, said)

export const isConnectorError = (error: unknown): error is ConnectorError => error instanceof ConnectorError

/** Another try may help: the other side is away, or asks to wait. */
export const isPassing = ({ code }: ConnectorError): boolean => code === 'unreachable' || code === 'rate_limited'

/** Seconds, or a date as HTTP writes it. */
export function retryAfter(header: string | string[] | undefined, now = Date.now()): number | null {
  const value = (Array.isArray(header) ? header[0] : header)?.trim() ?? ''
  if (/^\d{1,9}$/.test(value)) return Number(value)
  const at = value === '' ? Number.NaN : Date.parse(value)
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1_000))
}

/** A JSON answer; anything else cannot be read. The caller checks its shape. */
export function jsonOf(answer: OutgoingAnswer): unknown {
  try {
    const read: unknown = JSON.parse(answer.body.toString('utf8'))
    return read
  } catch {
    throw connectorError('bad_answer')
  }
}

/** What was answered, where it has this shape; `who` is called so otherwise. */
export function shaped<T>(shape: z.ZodType<T>, answer: unknown, who: string): T {
  const { success, data } = shape.safeParse(answer)
  if (!success) throw connectorError('bad_answer', { message: `The address does not answer as ${who} does.` })
  return data
}

/** The beginning of a text. Half of a character, which no database takes, is none. */
export const cut = (text: string, most: number): string => text.slice(0, most).toWellFormed()

/** A value of theirs as it is shown beside the name of its field: short, and nothing in it that the database does not take. */
export const exampleOf = (text: string | null | undefined): string | null =>
  cut(text ?? '', 100)
    .replaceAll('\0', '')
    .trim() || null

export const textSetting = (reach: Pick<Reach, 'settings'>, name: string): string => {
  const value = reach.settings[name]
  return value === undefined || value === false ? '' : String(value).trim()
}
