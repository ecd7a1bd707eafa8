import type { ContactMessage, ContactRequest, Menu, PublicChapter } from '@guildhall/contract/features/site'
import type { ActorDb, Schema } from '@guildhall/db'
import { sql } from 'kysely'
import type { Kysely, RawBuilder, SqlBool } from 'kysely'
import type { List } from '../../platform/lists/list-page.ts'

/** The organisation that the public pages of this installation are about. */
export async function publicOrganisation(db: Kysely<Schema>, idpOrg: string | undefined) {
  const { rows } = await sql<{ id: string; name: string; locale: string; contactEmail: string | null }>`
    select org_id as id, name, locale, contact_email as "contactEmail" from app.public_organisation(${idpOrg ?? null})`.execute(db)
  return rows[0]
}

/** The database says which chapters these are, for whoever asks; a reader's own rights add nothing. */
export const publicChaptersList = (idpOrg: string | undefined, q: string): List<PublicChapter> => ({
  key: ['public-chapters', idpOrg ?? null, q],
  item: sql<PublicChapter>`json_build_object('name', c.name, 'code', c.code, 'city', c.city, 'parent', c.parent,
    'contactEmail', c.contact_email, 'website', c.website,
    'hasPage', c.has_page)`,
  from: sql`from app.public_chapters(${idpOrg ?? null}, ${q}) c`,
  where: [],
  order: [sql`c.search`, sql`c.code`],
})

export async function submitContact(
  db: Kysely<Schema>,
  orgId: string,
  reference: string,
  { name, email, topic, message }: ContactRequest,
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select app.submit_contact(${orgId}, ${reference}, ${name}, ${email}, ${topic}, ${message}) as id`.execute(db)
  return rows[0]?.id ?? ''
}

export async function contactNotice(db: Kysely<Schema>, orgId: string, messageId: string) {
  const { rows } = await sql<{ reference: string; name: string; email: string; topic: string; message: string }>`
    select reference, name, email, topic, message from app.contact_message(${orgId}, ${messageId})`.execute(db)
  return rows[0]
}

const item = sql<ContactMessage>`json_build_object('id', m.id, 'reference', m.reference, 'name', m.name, 'email', m.email, 'topic', m.topic, 'message', m.message,
  'handledAt', m.handled_at, 'createdAt', m.created_at)`

export function contactMessagesList({ handled }: { handled?: boolean | undefined }): List<ContactMessage> {
  const where: RawBuilder<SqlBool>[] = []
  if (handled !== undefined) where.push(handled ? sql`m.handled_at is not null` : sql`m.handled_at is null`)
  return {
    key: ['contact-messages', handled ?? null],
    item,
    from: sql`from app.contact_messages m`,
    where,
    order: [sql`m.created_at`, sql`m.id`],
    descending: true,
  }
}

/** Marks a message; one that is handled keeps the time when it first was. */
export async function setHandled(db: ActorDb, messageId: string, handled: boolean): Promise<ContactMessage | undefined> {
  await db
    .updateTable('app.contact_messages')
    .set({ handled_at: handled ? sql<string>`coalesce(handled_at, now())` : null })
    .where('id', '=', messageId)
    .execute()
  const { rows } = await sql<{
    item: ContactMessage
  }>`select ${item} as item from app.contact_messages m where m.id = ${messageId}`.execute(db)
  return rows[0]?.item
}

/** Names come from the records themselves, as the reader sees them: a pin tells nothing that its record does not. */
export async function readMenu(db: ActorDb): Promise<Menu> {
  const { rows } = await sql<Menu>`
    select (select coalesce(json_agg(json_build_object('kind', pin ->> 'kind', 'id', pin ->> 'id',
        'label', coalesce(p.display_name, c.name, g.name)) order by position), '[]')
      from app.accounts a
      cross join lateral jsonb_array_elements(a.preferences -> 'pins') with ordinality pinned (pin, position)
      left join app.people p on p.org_id = a.org_id and p.id = case pin ->> 'kind' when 'person' then (pin ->> 'id')::uuid end and p.deleted_at is null
      left join app.chapters c on c.org_id = a.org_id and c.id = case pin ->> 'kind' when 'chapter' then (pin ->> 'id')::uuid end
      left join app.groups g on g.org_id = a.org_id and g.id = case pin ->> 'kind' when 'group' then (pin ->> 'id')::uuid end
      where a.id = (select app.account_id())) as pins,
    json_build_object(
      'home', (select coalesce(max(total), 0) from app.waiting_requests(1)),
      'account', (select least(1000, (select count(*) from (select from app.accounts
          where status = 'pending_link' and (select app.everywhere('account.manage')) limit 1000) asking)
        + (select count(*) from (select from app.contact_messages where handled_at is null limit 1000) open)))) as waiting`.execute(db)
  const [row] = rows
  if (!row) throw new Error('the menu answered nothing')
  return row
}
