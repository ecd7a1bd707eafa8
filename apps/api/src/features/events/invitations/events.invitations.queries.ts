import type {
  EventInvitation,
  EventInvitationCounts,
  EventInvitationsMade,
  EventInvitationState,
} from '@guildhall/contract/features/events.invitations'
import type { EventQuestion, RegistrationStatus } from '@guildhall/contract/features/events'
import type { FormattedDocument } from '@guildhall/contract/formatted-document'
import type { ActorDb, Schema } from '@guildhall/db'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { orNull, personRef } from '../../../platform/lists/json-refs.ts'
import type { List } from '../../../platform/lists/list-page.ts'
import { statement } from '../../../platform/records/statement.ts'
import type { GuestRefusal, PublicEventFacts } from '../guests/events.guests.queries.ts'

// In these pieces `i` is the invitation, `s` how it stands, and `p` the person, left joined.

const from = (
  eventId: string,
) => sql`from app.event_invitations i join app.event_invitation_states(${eventId}::uuid) s on s.invitation = i.id
  left join app.people p on p.org_id = i.org_id and p.id = i.person_id`
export const invitationsList = (eventId: string, state: EventInvitationState | undefined): List<EventInvitation> => ({
  key: ['invitations to an event', eventId, state ?? null],
  item: sql`json_build_object('id', i.id, 'person', ${orNull('p', personRef)}, 'email', coalesce(i.email, ''), 'emailRemoved', i.email_removed_at is not null, 'state', s.state, 'mails', i.mails, 'mailedAt', i.mailed_at,
    'answeredAt', i.answered_at, 'createdAt', i.created_at)`,
  from: from(eventId),
  where: [sql`i.event_id = ${eventId}`, ...(state ? [sql<boolean>`s.state = ${state}`] : [])],
  order: [sql`i.id`],
  descending: true,
})
export const invitationCountsQuery = (eventId: string) =>
  statement(sql<EventInvitationCounts>`
    select count(*)::int as invited, count(*) filter (where s.state = 'waiting')::int as waiting, count(*) filter (where i.answer = 'accepted')::int as accepted,
      count(*) filter (where i.answer = 'declined')::int as declined, count(*) filter (where s.state = 'bounced')::int as bounced, count(*) filter (where i.answer is null)::int as open,
      count(*) filter (where i.answer is null and i.email_removed_at is null and not i.mail_due and i.mails < 3 and coalesce(i.mailed_at < now() - interval '1 day', true))::int as remindable
    from app.event_invitations i join app.event_invitation_states(${eventId}::uuid) s on s.invitation = i.id where i.event_id = ${eventId}`)

type Wanted = { personIds: readonly string[]; groupId?: string | undefined; chapterId?: string | undefined; emails: readonly string[] }
/** People whom the actor sees, each once, and addresses of nobody among them; who is registered already has accepted. */
/** Whether the caller sees everybody named, and each is still there to be invited. */
export async function seesAll(db: ActorDb, personIds: readonly string[]): Promise<boolean> {
  if (personIds.length === 0) return true
  const { rows } = await sql<{
    all: boolean
  }>`select not exists (select from unnest(${personIds}::uuid[]) x (id) where not exists (select from app.people p where p.id = x.id
    and p.deleted_at is null and p.lifecycle not in ('merged', 'erased'))) as all`.execute(db)
  return rows[0]?.all ?? false
}

export async function invite(
  db: ActorDb,
  { orgId, accountId }: { orgId: string; accountId: string },
  eventId: string,
  { personIds, groupId, chapterId, emails }: Wanted,
): Promise<EventInvitationsMade> {
  const { rows } = await sql<EventInvitationsMade>`
    with typed as materialized (select distinct on (lower(t.address)) t.address from unnest(${emails}::text[]) t (address) order by lower(t.address)),
    known as materialized (select distinct on (t.address) t.address, m.person_id from typed t join app.person_emails m on m.address_key = lower(t.address)
      join app.people p on p.org_id = m.org_id and p.id = m.person_id and p.deleted_at is null and p.lifecycle not in ('deceased', 'merged', 'erased') order by t.address, m.is_primary desc, m.person_id),
    whom as materialized (
      select p.id as person_id from (
        select x.id from unnest(${personIds}::uuid[]) x (id) union select k.person_id from known k
        union select g.person_id from app.group_members g where g.group_id = ${groupId ?? null}::uuid and g.status = 'active'
          and coalesce(g.starts_on <= app.today(), true) and coalesce(g.ends_on >= app.today(), true)
        union select a.person_id from app.affiliations a join app.chapter_ancestors n on n.org_id = a.org_id and n.chapter_id = a.chapter_id where n.ancestor_id = ${chapterId ?? null}::uuid
          and a.kind <> 'applicant' and a.starts_on <= app.today() and coalesce(a.ends_on >= app.today(), true)) x
        join app.people p on p.id = x.id and p.deleted_at is null and p.lifecycle not in ('deceased', 'merged', 'erased')),
    here as materialized (select r.person_id, lower(r.email) as email from app.registrations r where r.event_id = ${eventId} and r.status not in ('cancelled', 'rejected')),
    wanted as materialized (
      select w.person_id, null::text as email, exists (select from here h where h.person_id = w.person_id) as registered from whom w
      union all select null, t.address, exists (select from here h where h.email = lower(t.address)) from typed t where not exists (select from known k where k.address = t.address)),
    made as (
      insert into app.event_invitations (org_id, event_id, person_id, email, mail_due, answer, answered_at, created_by)
      select ${orgId}, ${eventId}, w.person_id, w.email, not w.registered, case when w.registered then 'accepted' end, case when w.registered then now() end, ${accountId} from wanted w
      on conflict do nothing returning answer)
    select count(*)::int as invited, count(*) filter (where m.answer is not null)::int as registered, (select count(*) from wanted)::int - count(*)::int as already from made m`.execute(
    db,
  )
  return rows[0] ?? { invited: 0, already: 0, registered: 0 }
}
export async function remindInvitations(db: ActorDb, eventId: string): Promise<number> {
  const { rows } = await sql<{ reminded: number }>`select app.remind_invitations(${eventId}::uuid) as reminded`.execute(db)
  return rows[0]?.reminded ?? 0
}
/** The event of an invitation that the actor may see. */
export const findInvitation = (db: ActorDb, id: string) =>
  db.selectFrom('app.event_invitations').select('event_id').where('id', '=', id).executeTakeFirst()
export async function revokeInvitation(db: ActorDb, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('app.event_invitations').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}
export async function declineInvitation(db: ActorDb, eventId: string): Promise<boolean> {
  const { rows } = await sql<{ done: boolean }>`select app.decline_invitation(${eventId}::uuid) as done`.execute(db)
  return rows[0]?.done ?? false
}

// By the worker -------------------------------------------------------------------------------------------------------------------------

/** Writes so many mails of invitations that are due; how many were looked at. */
export async function sendInvitations(db: Kysely<Schema>, orgId: string, most: number): Promise<number> {
  const { rows } = await sql<{ done: number }>`select app.send_event_invitations(${orgId}, ${most}) as done`.execute(db)
  return rows[0]?.done ?? 0
}
type InvitationNotice = PublicEventFacts & { answer: 'accepted' | 'declined' | null; closesAt: string; by: string; extra: string | null }
export async function findInvitationNotice(db: Kysely<Schema>, orgId: string, id: string): Promise<InvitationNotice | undefined> {
  const { rows } = await sql<{ notice: InvitationNotice | null }>`select app.event_invitation_mail(${orgId}, ${id}) as notice`.execute(db)
  return rows[0]?.notice ?? undefined
}

// By a link -----------------------------------------------------------------------------------------------------------------------------

export type LinkedInvitation = Omit<PublicEventFacts, 'status'> & {
  answer: 'accepted' | 'declined' | null
  /** Of the person who is invited; empty for an address. */
  name: string
  description: FormattedDocument
  cancelReason: string
  needsApproval: boolean
  waitingList: boolean
  registration: 'closed' | 'not_yet' | 'full' | 'open'
  tickets: { id: string; name: string; free: boolean }[]
  questions: EventQuestion[]
  /** Of the registration there is. */
  status: RegistrationStatus | null
}
export async function invitationByLink(db: Kysely<Schema>, idpOrg: string | undefined, secretHash: string) {
  const { rows } = await sql<{
    found: LinkedInvitation | null
  }>`select app.invitation_by_link(${idpOrg ?? null}, ${secretHash}) as found`.execute(db)
  return rows[0]?.found ?? undefined
}
export type InvitationRefusal = GuestRefusal | 'event_invitation_registered'
type Answered = { done: true; refused?: undefined } | { refused: InvitationRefusal }
type Answer = { isAccepted: boolean; wanted: Record<string, unknown> }
export async function answerInvitationByLink(
  db: Kysely<Schema>,
  idpOrg: string | undefined,
  secretHash: string,
  { isAccepted, wanted }: Answer,
) {
  const { rows } = await sql<{
    done: Answered | null
  }>`select app.answer_invitation_by_link(${idpOrg ?? null}, ${secretHash}, ${isAccepted}, ${JSON.stringify(wanted)}::jsonb) as done`.execute(
    db,
  )
  return rows[0]?.done ?? undefined
}
