import type { Schema } from '@guildhall/db'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'

type ChapterName = { name: string; code: string | null }
/** What the page of a chapter shows; a code only where there is a page to lead to. */
export type ChapterPage = {
  code: string
  name: string
  about: string
  city: string
  contactEmail: string
  website: string
  charteredOn: string | null
  parent: ChapterName | null
  offices: { title: string; names: string[] }[]
  subchapters: (ChapterName & { city: string })[]
}

export async function publicChapter(db: Kysely<Schema>, idpOrg: string | undefined, key: string): Promise<ChapterPage | undefined> {
  const { rows } = await sql<{ page: ChapterPage | null }>`select app.public_chapter(${idpOrg ?? null}, ${key}) as page`.execute(db)
  return rows[0]?.page ?? undefined
}

export async function previewOfChapter(
  db: Kysely<Schema>,
  idpOrg: string | undefined,
  secretHash: string,
): Promise<ChapterPage | undefined> {
  const { rows } = await sql<{ page: ChapterPage | null }>`select app.preview_chapter(${idpOrg ?? null}, ${secretHash}) as page`.execute(db)
  return rows[0]?.page ?? undefined
}
