import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { Schema } from '@guildhall/db'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { problem } from '../procedures/problem.ts'

/** The record that a link is about, such as `{ type: 'person', id }`. */
export type LinkSubject = { type: string; id: string }
export type OpenedLink = { orgId: string; linkId: string; subject: LinkSubject; expiresAt: string }
/** A link as somebody brings it; `idpOrg` is the organisation that this installation serves (ORG_ID), if it serves one. */
export type BroughtLink = { purpose: string; token: string; idpOrg: string | undefined }

type NewLink = {
  /** The public page that the link leads to, such as `invitations`: a link for one purpose opens no other. */
  purpose: string
  subject: LinkSubject
  /** At most 400 days away. */
  expiresAt: Date
  uses: 'one' | 'many'
  /** For jobs that run for no account; the organisation of the actor otherwise. */
  orgId?: string
  /** Of a link that is shown again, which its caller can make anew; 160 bits that nobody guesses. Random otherwise. */
  token?: string
}

/**
 * Makes a link in the caller's transaction, which has to know that the actor may hand out the subject. The token is told this once: only its hash
 * is kept.
 */
export async function issueLink(
  tx: Kysely<Schema>,
  { purpose, subject, expiresAt, uses, orgId, token = randomBytes(20).toString('base64url') }: NewLink,
): Promise<{ linkId: string; token: string; path: string }> {
  const rest = sql`${purpose}, ${subject.type}, ${subject.id}, ${hashOf(token)}, ${expiresAt.toISOString()}, ${uses === 'one'}`
  const made = orgId ? sql`app.issue_link_for(${orgId}, ${rest})` : sql`app.issue_link(${rest})`
  const { rows } = await sql<{ id: string }>`select ${made} as id`.execute(tx)
  return { linkId: rows[0]?.id ?? '', token, path: `/public/${purpose}/${token}` }
}

/** What a link is about, or undefined for every link that is not valid, for whatever reason. Looking does not use it up. */
export const openLink = (db: Kysely<Schema>, link: BroughtLink) => look(db, sql`app.open_link`, link)

/** The same, and counts the use in the caller's transaction: of two who use a link for a single use at once, one gets undefined. */
export const useLink = (tx: Kysely<Schema>, link: BroughtLink) => look(tx, sql`app.use_link`, link)

/** Ends every link of a purpose about a subject; how many there were. */
export async function revokeLinks(tx: Kysely<Schema>, purpose: string, subject: LinkSubject): Promise<number> {
  const { rows } = await sql<{ ended: number }>`select app.revoke_links(${purpose}, ${subject.type}, ${subject.id}) as ended`.execute(tx)
  return rows[0]?.ended ?? 0
}

/** The one refusal: it does not tell a forged link from one that expired, was revoked, was used, or belongs to another organisation. */
export const linkRefused = () => problem('NOT_FOUND', { reason: 'link_invalid', detail: 'This link is not valid (any more).' })

async function look(db: Kysely<Schema>, does: ReturnType<typeof sql>, { purpose, token, idpOrg }: BroughtLink) {
  const { rows } = await sql<OpenedLink>`
    select l.org_id as "orgId", l.id as "linkId", json_build_object('type', l.subject_type, 'id', l.subject_id) as subject,
      l.expires_at as "expiresAt"
    from ${does}(${idpOrg ?? null}, ${purpose}, ${hashOf(token)}) l`.execute(db)
  return rows[0]
}

// Without a key: nobody guesses 160 random bits, so nobody finds them from their hash either.
export const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')

/**
 * 160 bits from the id of a row and the server's key. Since the token is kept nowhere, whoever reads the database can make none, and yet it can be
 * shown again. `what` keeps the tokens of one kind of row from being those of another.
 */
export const tokenFromId = (
  key: string,
  what: 'member card' | 'calendar feed' | 'pledge instalment',
  { orgId, id }: { orgId: string; id: string },
) => createHmac('sha256', key).update(`${what}\n${orgId}\n${id}`).digest().subarray(0, 20).toString('base64url')
