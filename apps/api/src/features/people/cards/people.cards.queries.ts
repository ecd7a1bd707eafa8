import type { MemberCard } from '@guildhall/contract/features/people'
import type { ActorDb, Schema } from '@guildhall/db'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { chapterRef, orNull } from '../../../platform/lists/json-refs.ts'
import { isOpen, mayWrite } from '../rights/people.rights.queries.ts'

/** The card as its row has it; whether its code still opens is for the link to say. */
type CardRow = Pick<MemberCard, 'holder' | 'membership'> & {
  card: (Omit<NonNullable<MemberCard['card']>, 'address'> & { isOver: boolean }) | null
  isOwn: boolean
  mayWrite: boolean
}

/** Nothing for a person whom the caller does not see; `may` says whether the card is theirs to see. */
export async function findCard(db: ActorDb, personId: string): Promise<CardRow | undefined> {
  const { rows } = await sql<CardRow>`
    select json_build_object('displayName', p.display_name, 'memberNo', p.member_no, 'pictureId', p.picture_id) as holder,
      case when c.id is not null then json_build_object('chapter', ${orNull('c', chapterRef)}, 'until', v.until) end as membership,
      (select json_build_object('id', m.id, 'state', m.state, 'validUntil', least(m.valid_until, v.until), 'issuedAt', m.created_at, 'reason', m.reason,
          'isOver', m.state <> 'eligible' or c.id is null or m.valid_until < (select app.today()))
        from app.member_cards m where m.org_id = p.org_id and m.person_id = p.id order by m.created_at desc, m.id desc limit 1) as card,
      coalesce(p.id = (select app.person_id()), false) as "isOwn", ${isOpen} and ${mayWrite} as "mayWrite"
    from app.people p
    left join lateral app.card_standing(p.id) v on true
    left join app.chapters c on c.org_id = p.org_id and c.id = v.chapter_id
    where p.id = ${personId} and (p.deleted_at is null or ${mayWrite})`.execute(db)
  return rows[0]
}

/** The person that the caller is. */
export async function ownPerson(db: ActorDb): Promise<string | null> {
  const { rows } = await sql<{ id: string | null }>`select app.person_id() as id`.execute(db)
  return rows[0]?.id ?? null
}

export async function insertCard(db: ActorDb, orgId: string, personId: string): Promise<{ id: string; validUntil: string }> {
  const { rows } = await sql<{ id: string; validUntil: string }>`
    insert into app.member_cards (org_id, person_id) values (${orgId}, ${personId}) returning id, valid_until as "validUntil"`.execute(db)
  const [card] = rows
  if (!card) throw new Error('a member card was written and is not there')
  return card
}

export const endCard = (db: ActorDb, cardId: string, reason: string) =>
  db
    .updateTable('app.member_cards')
    .set({ state: 'revoked', reason })
    .where('id', '=', cardId)
    .where('state', '=', 'eligible')
    .executeTakeFirst()

export type ShownCard = { name: string | null; pictureId: string | null; chapter: string; validUntil: string }

/** What the code of a card shows to whoever scans it, while the card is valid. */
export async function cardByLink(db: Kysely<Schema>, idpOrg: string | undefined, secretHash: string): Promise<ShownCard | undefined> {
  const { rows } = await sql<ShownCard>`select name, picture_id as "pictureId", chapter, valid_until as "validUntil"
    from app.card_by_link(${idpOrg ?? null}, ${secretHash})`.execute(db)
  return rows[0]
}
