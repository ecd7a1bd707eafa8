import type { Readable } from 'node:stream'
import type { Actor, ActorDb, ActorOptions } from '@guildhall/db'
import type { Compilable } from 'kysely'
import type { ApiKey } from '../sign-in/api-keys.ts'
import type { Caller } from '../sign-in/identity.ts'
import type { FindPeople } from '../lists/person-match.ts'
import type { Settlements } from '../settlements.ts'
import type { Services } from '../services.ts'

/** Reads a record anew as the caller may see it now; null for answers that no procedure reads by an id. */
export type RecordReader = (outputSchema: unknown, output: unknown, context: RequestContext) => Promise<{ output: unknown } | null>

export type Upload = { fileName: string; content: Readable }

/** What the HTTP layer hands to a procedure. */
export type RequestContext = {
  services: Services
  requestId: string
  ip: string
  header(name: string): string | undefined
  setHeader(name: string, value: string): void
  /** The file of a multipart request as it streams in; null when there is none. Only for procedures that declare `upload`. */
  upload(): Promise<Upload | null>
  isUpload: boolean
  /** The address carries a query. */
  hasQuery: boolean
  /** Told who was let in, so that an answer that takes its time ends when they may no longer have it. */
  admitted(caller: Caller): void
  /** Told which API key a request came with, also of one that is then refused. */
  usedKey(key: ApiKey): void
  /** For an answer that takes its time and depends on more than the account: asked every second while it is sent. */
  whileAllowed(check: () => Promise<boolean>): void
  /** Noted for the request's log line. */
  note(fields: Record<string, unknown>): void
  /** Reads anew what an earlier answer said. */
  readRecord: RecordReader
  findPeople: FindPeople
  settlements: Settlements
}

/** What a handler works with. Only procedures that need an actor have one that answers. */
export type CallerContext = RequestContext & {
  caller: Caller | null
  /** Nobody, who sees no row, in procedures that need no account. */
  actor: Actor
  /** One statement as the caller, in one trip. */
  read<T>(query: Compilable<T>): Promise<T[]>
  /** Several statements as the caller, in one transaction. */
  inTx<T>(run: (db: ActorDb) => Promise<T>, options?: ActorOptions): Promise<T>
  /** Version the client edited; present wherever the contract asks for If-Match. */
  ifMatch: number
}
