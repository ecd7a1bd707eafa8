import type { ActorDb } from '@guildhall/db'
import type { RowError } from '../connectors/integrations.connector.rules.ts'

/** Values by the key of our field, in normal form: trimmed, e-mail addresses in lower case, days as 2026-11-30. Absent: not the owner's to see. */
export type Values = Readonly<Record<string, string | null>>

export type OurRecord = {
  id: string
  name: string
  values: Values
  /** Nothing about it may be written any more: archived, deceased, merged, erased, cancelled. */
  isClosed: boolean
  /** It is none of this connection's: of a chapter that the connection does not reach. */
  isOutside: boolean
}

/** One of ours that is to be written: `values` only holds what changes. Without an id it is made. */
export type Write = { id: string | null; values: Values; externalId: string }

/** What a run works with, as the account that owns the connection. */
export type OursReach = {
  db: ActorDb
  orgId: string
  accountId: string
  connection: { id: string; name: string; chapterId: string | null; settings: Readonly<Record<string, string | number | boolean>> }
  /** Our field by which records find each other the first time. */
  matchBy: string | null
  /** Keys of our fields that the mapping names. */
  fields: readonly string[]
  /** Today by the calendar of the organisation. */
  today: string
}

export type Normal = { value: string | null } | { error: RowError }

/** Our side of a connection: people, events. Made anew in each transaction of a run. */
export type OurSide = {
  /** Fields that hold several texts, joined by joinTexts: they are compared and merged text by text. */
  sets: ReadonlySet<string>
  /** A text of theirs as our field would hold it. */
  normal(field: string, text: string | null): Normal
  /** Records by id, those that the owner sees; more than 500 are never asked for. */
  read(ids: readonly string[]): Promise<Map<string, OurRecord>>
  /** Keeps others from changing these records until the transaction ends, so that what is read now is what is written over. */
  lock(ids: readonly string[]): Promise<void>
  /** Which of ours have these values; more than one id says that it is not certain. Records that are closed are left out. */
  match(field: string, values: readonly string[]): Promise<Map<string, string[]>>
  /**
   * Writes, and answers the id of each in the same order. Throws what the database says when it refuses one: the caller then tries each alone. `faultOf` says
   * of a write before it is tried why it cannot be, where that is known.
   */
  write(writes: readonly Write[]): Promise<string[]>
  faultOf(write: Write, before: OurRecord | undefined): RowError | null
  /** Nothing is made of such a row that is here for the first time, and nothing is wrong with it. */
  passesOver?(values: Values): boolean
  /** Ours that are not tied to this connection and may go there, in order of their ids, after one. */
  untied(after: string | null, limit: number): Promise<string[]>
  /** Puts away what somebody wants to be removed because the other side removed it. */
  remove(id: string): Promise<void>
}

/** What ties a kind of our records to connections. */
export type Ours = {
  entity: 'person' | 'event'
  open(reach: OursReach): Promise<OurSide>
}
