import type pg from 'pg'
import { dayOf, instantOf, isoOf } from '../days.ts'
import { drawn, idOf, streams } from '../random.ts'
import { accountId } from '../world.ts'
import type { World } from '../world.ts'
import { addDeliveries } from './deliveries.ts'
import { bodyOf, linksOf } from './pieces.ts'
import { savedAudience } from './saved-audiences.ts'
import { alumniReport, appeal, ballots, groupNotes, invitation, letterPieces, letters, notices, report, secondAppeal, survey, thanks, tour } from './texts.ts' // prettier-ignore
import type { Note } from './texts.ts'

type Topic = 'Newsletter' | 'Membership and meetings' | 'Events near you' | 'Appeals'
type Demo = {
  note: Note
  topic: Topic
  /** When it was, or would have been, sent. */
  day: number
  status?: 'draft' | 'in_review' | 'scheduled' | 'cancelled' | 'failed'
  include: object
  chapter?: string
  group?: string
}

const everybody = { kind: 'people' }
const members = { kind: 'people', filter: { and: [{ or: [{ field: 'lifecycle', op: 'in', value: ['active'] }] }] } }
const monthNames = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'] // prettier-ignore
/** Days before today on which a chapter invites to an event that is a few weeks away. */
const invitationDays = [-262, -171, -97, -46, -16]

/** The day itself, or the Friday before: the first day of 1970 was a Thursday. */
const workday = (day: number) => day - Math.max(0, ((day + 3) % 7) - 4)

/** A year of messages, what became of each, and the settings they were sent under. Answers how many rows. */
export async function addMessages(client: pg.Client, world: World): Promise<number> {
  const indexOf = (sub: string) => [...world.personas].find(([, { demo }]) => demo.sub === sub)?.[0]
  const [author, approver] = ['comms', 'secretary'].map((sub) => {
    const index = indexOf(sub)
    return index === undefined ? null : accountId(world, index)
  })
  const leader = [...world.personas.values()].find(({ leads }) => leads !== undefined)
  const group = world.groups.all.find(({ name }) => name === leader?.leads)?.id

  const demos: Demo[] = [
    ...lettersOf(world),
    ...notices.map(([day, note]): Demo => ({ note, topic: 'Membership and meetings', day, include: members })),
    ...(await invitationsOf(client, world)),
    ...(group ? groupNotes.map(([day, note]): Demo => ({ note, topic: 'Events near you', day, include: { kind: 'group', id: group }, group })) : []),
    { note: appeal, topic: 'Appeals', day: -152, include: everybody },
    { note: tour, topic: 'Events near you', day: -33, status: 'cancelled', include: members },
    { note: thanks, topic: 'Events near you', day: -24, status: 'failed', include: { kind: 'people', q: 'map fair helpers' } },
    { note: secondAppeal, topic: 'Appeals', day: 4, status: 'in_review', include: everybody },
    { note: survey, topic: 'Newsletter', day: 7, status: 'scheduled', include: members },
    { note: report, topic: 'Newsletter', day: 0, status: 'draft', include: members },
    { note: ballots, topic: 'Membership and meetings', day: -12, include: savedAudience(world, 'Active members') },
    { note: alumniReport, topic: 'Newsletter', day: -5, include: savedAudience(world, 'Alumni') },
  ] // prettier-ignore
  const topics = await client.query<{ id: string; name: string }>('select id, name from app.topics where org_id = $1', [world.orgId])
  const rows = demos.map(({ note, topic, day, status, include, chapter = null, group: of = null }, nth) => {
    // Between nine and four, and not all at the same minute.
    const sent = workday(world.today + day)
    const at = instantOf(sent, 32_400 + ((nth * 4_567) % 25_200))
    const isOver = status === undefined
    const written = Math.min(sent, world.today) - 3
    const wasReviewed = chapter === null && of === null && (isOver || status === 'scheduled' || status === 'cancelled')
    const submitted = status === 'draft' ? null : instantOf(Math.min(sent, world.today) - 2, 51_000 + nth * 60)
    const created = instantOf(written, 36_000 + nth * 60)
    return {
      id: idOf(world.seed, streams.message, nth, Date.parse(created)),
      name: note.name,
      subject: note.subject,
      preheader: note.preheader,
      body: bodyOf(note.pieces),
      links: linksOf(note.pieces),
      chapter_id: chapter,
      group_id: of,
      topic_id: topics.rows.find(({ name }) => name === topic)?.id ?? null,
      from_name: chapter === null && of === null ? 'Meridian Society' : '',
      audience: { include: [include], exclude: [] },
      status: status ?? 'sent',
      send_at: status === 'draft' ? null : at,
      sender_id: status === 'draft' ? null : author,
      submitted_at: wasReviewed || status === 'in_review' ? submitted : null,
      approved_by: wasReviewed ? approver : null,
      approved_at: wasReviewed ? instantOf(Math.min(sent, world.today) - 1, 40_000) : null,
      started_at: isOver || status === 'failed' ? at : null,
      // Those that were sent: when the last of them left.
      finished_at: status === 'cancelled' ? instantOf(sent - 1, 61_200) : status === 'failed' ? at : null,
      failure: status === 'failed' ? 'nobody' : '',
      created_by: author,
      created_at: created,
      updated_at: isOver || status === 'failed' ? at : created,
    }
  })
  const names = Object.keys(rows[0] ?? {})
    .filter((name) => name !== 'links')
    .join(', ')
  const added = await client.query(
    `insert into app.messages (org_id, ${names}) select $1, ${names} from jsonb_populate_recordset(null::app.messages, $2::jsonb)`,
    [world.orgId, JSON.stringify(rows)],
  )
  const linked = await client.query(
    `insert into app.message_links (org_id, message_id, number, url) select $1, x.id, l.place, l.url from jsonb_to_recordset($2::jsonb) x (id uuid, links text[], status text)
     cross join unnest(x.links) with ordinality l (url, place) where x.status = 'sent'`,
    [world.orgId, JSON.stringify(rows)],
  )
  await client.query(
    `insert into app.communication_settings (org_id, id, review_above, most_per_week, reply_to, counts_clicks, counts_opens, quiet_from, quiet_until, updated_at)
     values ($1, $2, 500, 4, 'office@example.org', true, true, '21:00', '07:00', $3)`,
    [
      world.orgId,
      idOf(world.seed, streams.communicationSettings, 0, Date.parse(instantOf(world.today - 380, 36_000))),
      instantOf(world.today - 380, 36_000),
    ],
  )
  return (added.rowCount ?? 0) + (linked.rowCount ?? 0) + 1 + (await addDeliveries(client, world))
}

/** One on the first Tuesday of each of the last twelve months that had one. */
function lettersOf({ today }: World): Demo[] {
  const iso = isoOf(today)
  const tuesdays = Array.from({ length: 13 }, (_, back) => {
    const first = dayOf(new Date(Date.UTC(Number(iso.slice(0, 4)), Number(iso.slice(5, 7)) - 1 - back, 1)).toISOString().slice(0, 10))
    return first + ((5 - (first % 7) + 7) % 7)
  })
  return tuesdays
    .filter((tuesday) => tuesday < today)
    .slice(0, 12)
    .reverse()
    .flatMap((tuesday): Demo[] => {
      const of = Number(isoOf(tuesday).slice(5, 7)) - 1
      const letter = letters[of]
      if (!letter) return []
      const { subject, preheader } = letter
      const note = { name: `Newsletter, ${monthNames[of] ?? ''}`, subject, preheader, pieces: letterPieces(letter) }
      return [{ note, topic: 'Newsletter', day: tuesday - today, include: everybody }]
    })
}

async function invitationsOf(client: pg.Client, world: World): Promise<Demo[]> {
  const invited: Demo[] = []
  for (const day of invitationDays) {
    const { rows } = await client.query<{ id: string; title: string; summary: string; chapter_id: string; name: string }>(
      `select e.id, e.title, e.summary, e.chapter_id, c.name from app.events e join app.chapters c on c.org_id = e.org_id and c.id = e.chapter_id
       where e.org_id = $1 and c.depth > 1 and e.group_id is null and e.status = 'published' and e.starts_at between $2::date + $3::int + 8 and $2::date + $3::int + 36 and not c.id = any ($4)
       order by ${drawn('e.id::text')}, e.id limit 1`,
      [world.orgId, isoOf(world.today), day, invited.flatMap(({ chapter }) => chapter ?? [])],
    )
    for (const { chapter_id: chapter, name, ...event } of rows)
      invited.push({
        note: invitation(name, event),
        topic: 'Events near you',
        day,
        include: { kind: 'chapter', id: chapter, below: true },
        chapter,
      })
  }
  return invited
}
