import type { ExportedList } from '@guildhall/contract/features/lists'
import { Readable } from 'node:stream'
import { plainText } from '../../platform/files/table-writer.ts'
import type { Pages, TableColumn } from '../../platform/files/table-writer.ts'
import { renderPdf } from '../../platform/pdf/render-pdf.ts'
import type { letterheadOf } from '../../platform/public-pages/brand.ts'
import type { Texts } from '../../platform/texts/texts.ts'

/** A list without a title here goes by its own name. */
const titles = (i18n: Texts): Partial<Record<string, string>> => ({
  people: i18n._('Member directory'),
  groups: i18n._('Groups'),
  chapters: i18n._('Chapters'),
  group_members: i18n._('Group members'),
  memberships: i18n._('Memberships'),
  invoices: i18n._('Invoices'),
  registrations: i18n._('Registrations'),
  announcements: i18n._('Announcements'),
  messages: i18n._('E-mails'),
  message_deliveries: i18n._('Recipients'),
})

/** The list as a document to read and print; rows are few enough to be laid out at once. */
export async function pdfTable(
  { brand, i18n }: Awaited<ReturnType<typeof letterheadOf>>,
  list: ExportedList,
  columns: readonly TableColumn[],
  pages: Pages,
): Promise<Readable> {
  const rows: string[][] = []
  for await (const page of pages) for (const row of page) rows.push(columns.map(({ kind }, at) => plainText(row[at] ?? null, kind)))
  const count = i18n._('{count, plural, one {# row} other {# rows}}', { count: rows.length })
  const document = await renderPdf({
    kind: 'table',
    language: i18n.language,
    title: titles(i18n)[list] ?? list.replaceAll('_', ' '),
    facts: [brand.name, i18n.date(new Date().toISOString()), count],
    footer: i18n._('Page {page} of {pages}', { page: '{page}', pages: '{pages}' }),
    columns: columns.map(({ header }) => header),
    rows,
  })
  return Readable.from([document])
}
