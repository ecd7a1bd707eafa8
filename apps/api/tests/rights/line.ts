import type { AnyContractProcedure } from '@orpc/contract'
import type { Right } from './grid.ts'

/** What is said of one procedure: who may call it on what, and what the answer must show. */
export type Line = {
  right: Right
  /** Which row of the stage a parameter means, where that is not the one of its own name; of a parameter that is one of a list, which. */
  ids: Readonly<Record<string, string>>
  /** What to send instead of what the contract's example or schema suggests; a text `$name` is that row's id. */
  send: Readonly<Record<string, unknown>> | null
  /** Kinds of data, as canaries.ts has them, that an allowed answer shows: of the place asked about, or of every place where the caller may see them. */
  shows: readonly string[]
  /** A write by its method that leaves everything as it was. */
  changesNothing: boolean
  /** Further statuses a refusal may have, where the state of things refuses and not a right. */
  refusedWith: readonly number[]
  /** Tables in which a refusal leaves a note. */
  notedIn: readonly string[]
}
/** The end of the one invitation link that the stage has, to the west. */
export const invitationToken = 'the-token-of-an-invitation'

type More = Partial<Omit<Line, 'right'>>

const usual: Omit<Line, 'right'> = { ids: {}, send: null, shows: [], changesNothing: false, refusedWith: [], notedIn: [] }
export const may = (right: Right, more: More = {}): Line => ({ ...usual, ...more, right })
/** A line for every procedure of a contract; one without does not compile. */
export type PolicyOf<Contract> = {
  [Key in keyof Contract as keyof Contract[Key] extends never ? never : Key]: Contract[Key] extends AnyContractProcedure
    ? Line
    : PolicyOf<Contract[Key]>
}

/** Makes what stands of an area in one place, by the names that parameters have. */
export type AreaRows = (place: {
  add: (table: string, row: Record<string, unknown>) => Promise<string>
  /** For what functions of the database do. */
  run: (statement: string, values: unknown[]) => Promise<unknown>
  orgId: string
  chapterId: string
  /** People of the chapter: the one with everything, and others. */
  people: { personId: string; blankPersonId: string; otherPersonId: string }
  /** A text that only those may meet who may see this kind of data. */
  canary: (kind: string) => string
}) => Promise<Record<string, string>>
