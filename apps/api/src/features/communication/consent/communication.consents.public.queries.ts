import type { Schema } from '@guildhall/db'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'

// What the link of a confirmation mail opens, to whoever has it.

type Asked = { topic: string; state: 'subscribed' | 'unsubscribed' | 'pending' }

export async function consentByLink(db: Kysely<Schema>, idpOrg: string | undefined, secretHash: string): Promise<Asked | undefined> {
  const { rows } = await sql<{ asked: Asked | null }>`select app.consent_by_link(${idpOrg ?? null}, ${secretHash}) as asked`.execute(db)
  return rows[0]?.asked ?? undefined
}

export async function confirmByLink(db: Kysely<Schema>, idpOrg: string | undefined, secretHash: string): Promise<Asked | undefined> {
  const { rows } = await sql<{
    asked: Asked | null
  }>`select app.confirm_consent_by_link(${idpOrg ?? null}, ${secretHash}) as asked`.execute(db)
  return rows[0]?.asked ?? undefined
}
