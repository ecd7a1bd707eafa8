import * as z from 'zod'
import { post } from './base.ts'
import { Id, Instant, Job, Selection } from './shapes.ts'

// Changes of many records of a list at once, whatever the list.

/** What a bulk change came to. Rows that are not yours to change are counted and left alone. */
export const BulkCounts = z.object({
  matched: z.int().describe('Records selected that you can see'),
  changed: z.int(),
  unchanged: z.int().describe('Already as asked'),
  refused: z.int().describe('Not yours to change, or read-only'),
})
export type BulkCounts = z.infer<typeof BulkCounts>

const Named = z.array(z.object({ id: Id, name: z.string() }))
export const BulkPreview = BulkCounts.extend({
  sample: Named.describe('The first ten that would change'),
  refusedSample: Named.describe('The first ten that are not yours to change'),
  unchangedWhy: z
    .array(z.object({ reason: z.string(), total: z.int(), first: Named }))
    .optional()
    .describe('Why records stay as they are, the most frequent reason first, with the first ten of each; for changes that tell'),
})
export type BulkPreview = z.infer<typeof BulkPreview>

export const BulkResult = z.object({
  job: Job.describe('Done at once up to 5,000 records; above, running in the background'),
  counts: BulkCounts.nullable().describe('Null while it runs'),
  undoableUntil: Instant.nullable(),
})
export type BulkResult = z.infer<typeof BulkResult>

type Of<Change extends z.ZodType> = {
  /** Where the list is: `/groups`. */
  path: `/${string}`
  /** In the names of the operations: `Groups`; people were there first and have none. */
  name: string
  tag: string
  /** In the texts for developers. */
  records: string
  change: Change
  /** A change, for the documents. */
  example: z.input<Change>
  readsPeople?: number
}

/** What a list offers to change many of its records: a count beforehand, and the change. How far it is, stopping it and its undo are the same for all. */
export const bulkProcedures = <Change extends z.ZodType>({ path, name, tag, records, change, example, readsPeople }: Of<Change>) => {
  const BulkRequest = z
    .strictObject({ selection: Selection, change })
    .meta({ examples: [{ selection: { all: { q: 'smith' }, except: [] }, change: example }] })
  return {
    preview: post(`${path}/bulk/preview`, `preview${name}BulkChange`, {
      needs: 'signed-in',
      tag,
      status: 200,
      idempotent: false,
      summary: `What a change to many ${records} would come to; changes nothing`,
      ...(readsPeople && { readsPeople }),
    })
      .input(BulkRequest)
      .output(BulkPreview),
    run: post(`${path}/bulk`, `run${name}BulkChange`, {
      needs: 'signed-in',
      tag,
      status: 200,
      summary: `Change many ${records}: all of those you may change, or, on an error, none`,
    })
      .input(BulkRequest)
      .output(BulkResult),
  }
}
