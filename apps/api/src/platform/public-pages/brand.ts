import type { Schema } from '@guildhall/db'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { textsFor } from '../texts/texts.ts'
import type { Texts } from '../texts/texts.ts'

/** How an organisation shows itself to everybody. */
export type Brand = {
  orgId: string
  name: string
  locale: string
  contactEmail: string | null
  brandColor: string | null
  logoId: string | null
}

/** The organisation of this id, or the one that this installation serves. */
export async function brandOf(db: Kysely<Schema>, idpOrg: string | undefined, orgId: string | null): Promise<Brand | undefined> {
  const { rows } =
    await sql<Brand>`select org_id as "orgId", name, locale, contact_email as "contactEmail", brand_color as "brandColor", logo_id as "logoId"
    from app.public_brand(${idpOrg ?? null}, ${orgId})`.execute(db)
  return rows[0]
}

/** For documents, which are in the organisation's language. */
export async function letterheadOf(db: Kysely<Schema>, orgId: string): Promise<{ brand: Brand; i18n: Texts }> {
  const brand = await brandOf(db, undefined, orgId)
  if (!brand) throw new Error('there is no organisation to write for')
  return { brand, i18n: textsFor(undefined, brand.locale) }
}
