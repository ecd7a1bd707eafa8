import { NewExport } from '@guildhall/contract/features/lists'
import type { Export, ExportedList } from '@guildhall/contract/features/lists'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import * as z from 'zod'
import { jobOf } from '../../platform/jobs/job-progress.ts'
import { statement } from '../../platform/records/statement.ts'
import type { Cell } from '../../platform/files/table-writer.ts'
import { chaptersExport } from '../chapters/chapters.export.public.ts'
import { announcementsExport } from '../communication/announcements/communication.announcements.export.public.ts'
import { deliveriesExport, messagesExport } from '../communication/sending/communication.messages.export.public.ts'
import { eventsExport } from '../events/list/events.list.export.public.ts'
import { registrationsExport } from '../events/attendees/events.attendees.export.public.ts'
import { invoicesExport } from '../finance/finance.export.public.ts'
import { membershipsExport } from '../membership/membership.export.public.ts'
import { groupMembersExport, groupsExport } from '../groups/groups.export.public.ts'
import { paymentsExport } from '../payments/payments.export.public.ts'
import { listableFields } from '../fields/fields.public.ts'
import { peopleExport } from '../people/list/people.export.public.ts'
import { relationshipsExport } from '../relationships/relationships.export.public.ts'
import type { ExportField, ExportRequest, ExportSource } from '../../platform/lists/export-source.ts'
import {
  campaignsExport,
  donorsExport,
  giftsExport,
  pledgesExport,
  recurringGiftsExport,
} from '../fundraising/fundraising.export.public.ts'

/** Every list that can be exported. */
const exportSources: Readonly<Record<ExportedList, ExportSource>> = {
  people: peopleExport,
  groups: groupsExport,
  chapters: chaptersExport,
  group_members: groupMembersExport,
  memberships: membershipsExport,
  invoices: invoicesExport,
  events: eventsExport,
  payments: paymentsExport,
  registrations: registrationsExport,
  announcements: announcementsExport,
  messages: messagesExport,
  message_deliveries: deliveriesExport,
  campaigns: campaignsExport,
  gifts: giftsExport,
  donors: donorsExport,
  recurring_gifts: recurringGiftsExport,
  pledges: pledgesExport,
  relationships: relationshipsExport,
}

/** A list as the caller may export it, with the fields of the organisation. */
export async function exportSource(db: ActorDb, list: ExportedList): Promise<ExportSource> {
  const source = exportSources[list]
  return source.withFields ? source.withFields.add(await listableFields(db, source.withFields.of)) : source
}

// Rows --------------------------------------------------------------------------------------------------------------------------------

const whereOf = (source: ExportSource, request: ExportRequest) => {
  const { from, where } = source.rows(request)
  return sql`${from} where ${sql.join(
    where.map((condition) => sql`(${condition})`),
    sql` and `,
  )}`
}

export async function mayExport(db: ActorDb, source: ExportSource, request: ExportRequest): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`select ${source.may(request)} as may`.execute(db)
  return rows[0]?.may ?? false
}

/** How many rows an export would have; counting stops at `atMost`. */
/** Whose rows are people, which count towards what one account may read in an hour. */
export const listsPeople = (list: ExportedList) => ofPeople.has(list)
const ofPeople = new Set<ExportedList>([
  'people',
  'group_members',
  'memberships',
  'registrations',
  'message_deliveries',
  'donors',
  'relationships',
])

export async function countRows(db: ActorDb, source: ExportSource, request: ExportRequest, atMost: number): Promise<number> {
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int as n from (select ${whereOf(source, request)} limit ${sql.lit(atMost)}) x`.execute(db)
  return rows[0]?.n ?? 0
}

/** Ids of all rows in their order, packed: 16 bytes each, so that a million fit into little memory and later changes cannot shift a page. */
export async function rowIds(db: ActorDb, source: ExportSource, request: ExportRequest): Promise<Buffer> {
  const { id, order, descending } = source.rows(request)
  const direction = descending ? sql`desc` : sql`asc`
  const { rows } = await sql<{ ids: string | null }>`select string_agg(replace(x.id::text, '-', ''), '') as ids from (
    select ${id} as id ${whereOf(source, request)} order by ${sql.join(order.map((column) => sql`${column} ${direction}`))}) x`.execute(db)
  return Buffer.from(rows[0]?.ids ?? '', 'hex')
}

/** Cells of the rows of these ids, in their order; a row that is gone or hidden by now is left out. */
export async function readRows(
  db: ActorDb,
  source: ExportSource,
  request: ExportRequest,
  fields: readonly ExportField[],
  ids: readonly string[],
): Promise<Cell[][]> {
  const { id, from } = source.rows(request)
  const { rows } = await sql<{ rows: Cell[][] }>`select coalesce(json_agg(x.cells order by x.n), '[]') as rows from (
    select json_build_array(${sql.join(fields.map((field) => field.cell))}) as cells, array_position(${ids}::uuid[], ${id}) as n ${from} where ${id} = any (${ids}::uuid[])) x`.execute(
    db,
  )
  return rows[0]?.rows ?? []
}

// The export itself -------------------------------------------------------------------------------------------------------------------

const exportItem = sql<Export>`json_build_object('id', x.id, 'list', x.list, 'format', x.format, 'reason', x.reason, 'rows', x.rows, 'job', ${jobOf('j')},
  'createdAt', x.created_at, 'expiresAt', x.expires_at, 'downloadable', x.file_key is not null and x.expires_at > now())`
const exportFrom = sql`from app.exports x join app.job_progress j on j.org_id = x.org_id and j.id = x.job_id`

export const exportsQuery = () =>
  statement(
    sql<{
      items: Export[]
    }>`select coalesce(json_agg(y.item), '[]') as items from (select ${exportItem} as item ${exportFrom} order by x.created_at desc, x.id limit 100) y`,
  )

export const exportQuery = (exportId: string) =>
  statement(sql<{ item: Export }>`select ${exportItem} as item ${exportFrom} where x.id = ${exportId}`)

export async function insertExport(
  db: ActorDb,
  { orgId, accountId }: { orgId: string; accountId: string },
  jobId: string,
  request: NewExport,
): Promise<string> {
  const { list, format, reason = '', ...spec } = request
  const { id } = await db
    .insertInto('app.exports')
    .values({ org_id: orgId, account_id: accountId, list, format, reason, job_id: jobId, spec: JSON.stringify(spec) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export type StoredExport = {
  id: string
  list: ExportedList
  format: Export['format']
  reason: string
  spec: unknown
  jobId: string
  fileKey: string | null
  expired: boolean
  createdAt: string
}

export async function findExport(db: ActorDb, exportId: string): Promise<StoredExport | undefined> {
  const { rows } =
    await sql<StoredExport>`select id, list, format, reason, spec, job_id as "jobId", file_key as "fileKey", expires_at <= now() as expired, created_at as "createdAt"
    from app.exports where id = ${exportId}`.execute(db)
  return rows[0]
}

const Spec = z.object(NewExport.shape).pick({ columns: true, selection: true, sort: true, groupId: true })

/** What was asked for, as it was stored. */
export const exportRequest = ({ spec }: StoredExport) => Spec.parse(spec)

/** The file is there: noted with the export and in the audit log. */
export async function finishExport(
  db: ActorDb,
  { id, list, format, reason }: StoredExport,
  fileKey: string,
  rows: number,
  columns: readonly string[],
): Promise<void> {
  await db.updateTable('app.exports').set({ file_key: fileKey, rows }).where('id', '=', id).execute()
  const diff = Object.fromEntries(Object.entries({ list, format, rows, reason, columns }).map(([key, value]) => [key, value]))
  await sql`select app.record_audit('export', ${list}, ${id}::uuid, ${JSON.stringify(diff)}::jsonb)`.execute(db)
}
