import type { StatementAsked } from '@guildhall/contract/features/finance'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { BooksDb } from '../finance.invoices.queries.ts'
import type { StatementPaper } from './finance.statements.rules.ts'

/** Null of accounts that the caller does not see. */
export async function findStatement(
  tx: BooksDb,
  orgId: string,
  { owedById, since, until, currency }: StatementAsked,
): Promise<StatementPaper | null> {
  const { rows } = await sql<{ paper: StatementPaper | null }>`
    select app.statement_of(${orgId}, ${owedById}, ${since}, ${until}, ${currency ?? null}) as paper`.execute(tx)
  return rows[0]?.paper ?? null
}

/** How many mails that makes. */
export async function mailStatement(tx: ActorDb, orgId: string, { owedById, since, until, currency }: StatementAsked): Promise<number> {
  const { rows } = await sql<{ mails: number }>`
    select app.mail_statement(${orgId}, ${owedById}, ${since}, ${until}, ${currency ?? null}) as mails`.execute(tx)
  return rows[0]?.mails ?? 0
}
