import type pg from 'pg'
import { isoOf } from './days.ts'
import { drawn, drawnId } from './random.ts'
import { accountId, personId } from './world.ts'
import type { World } from './world.ts'

type Told = {
  by: string
  /** The chapter that its author presides over or the group that they lead; otherwise the organisation. */
  of?: 'chapter' | 'group'
  audience: 'officers' | 'members' | 'everybody'
  pinned?: true
  title: string
  text: readonly string[]
  /** Days from today; a draft has no start. */
  from?: number
  until?: number
  /** Of a thousand accounts, how many have read it. */
  read?: number
}

const told: readonly Told[] = [
  {
    by: 'comms',
    audience: 'everybody',
    title: 'New website, same address',
    text: ['The public pages of the Society have a new face. If a link of yours is broken, write to the office and we will mend it.'],
    from: -312,
    until: -280,
    read: 610,
  },
  {
    by: 'owner',
    audience: 'members',
    pinned: true,
    title: 'Nominations for the council are open',
    text: [
      'Four seats of the council are up for election. Any member of two years or more may stand, and any two members may nominate somebody.',
      'Send nominations to the Secretary General; they are published with the papers of the general assembly.',
    ],
    from: -205,
    until: -170,
    read: 580,
  },
  {
    by: 'comms',
    audience: 'members',
    title: 'Members’ library: loans by post again',
    text: ['The map library lends by post again. Two items at a time, for six weeks; return postage is on us.'],
    from: -96,
    until: -40,
    read: 470,
  },
  {
    by: 'secretary',
    audience: 'officers',
    title: 'Chapter reports are due at the end of the month',
    text: [
      'Please send the report of your chapter by the last day of the month: officers, figures of members, events held and planned.',
      'Chapters that have not reported cannot apply for the travel fund of next year.',
    ],
    from: -9,
    until: 21,
    read: 540,
  },
  {
    by: 'chapter',
    of: 'chapter',
    audience: 'members',
    title: 'Nordic summit: call for talks',
    text: ['This year’s summit is about coasts that move. Propose a talk of twenty minutes or a poster; students are especially welcome.'],
    from: -6,
    until: 30,
    read: 350,
  },
  {
    by: 'comms',
    audience: 'members',
    pinned: true,
    title: 'General assembly: send in motions now',
    text: [
      'The general assembly meets online and in Greenwich. Motions need the names of five members and reach the office three weeks before.',
      'The agenda and the accounts are mailed to every member two weeks before.',
    ],
    from: -3,
    until: 25,
    read: 310,
  },
  {
    by: 'leader',
    of: 'group',
    audience: 'members',
    title: 'Mentors and mentees: sign up for the spring round',
    text: ['Twelve pairs met every month last year. Say in the discussion what you would like to learn, or what you can teach.'],
    from: -2,
    until: 40,
    read: 280,
  },
  {
    by: 'comms',
    audience: 'everybody',
    title: 'The office is closed over the holidays',
    text: ['The office is closed for two weeks. Payments and registrations go on as usual; letters are answered when we are back.'],
    from: 18,
    until: 34,
  },
  {
    by: 'comms',
    audience: 'members',
    title: 'Survey about the monthly letter',
    text: ['Five questions, three minutes: what do you read, what do you skip, and what is missing?'],
  },
]

const bodyOf = (text: readonly string[]) => ({
  type: 'doc',
  content: text.map((words) => ({ type: 'paragraph', content: [{ type: 'text', text: words }] })),
})

/** Announcements of the past year and the weeks to come, and who has read them. Answers how many rows. */
export async function addAnnouncements(client: pg.Client, world: World): Promise<number> {
  const today = isoOf(world.today)
  let rows = 0
  const add = async (text: string, values: unknown[]) => {
    rows += (await client.query(text, values)).rowCount ?? 0
  }
  const indexOf = (sub: string) => [...world.personas].find(([, { demo }]) => demo.sub === sub)?.[0]
  const leader = [...world.personas.values()].find(({ leads }) => leads !== undefined)
  const group = world.groups.all.find(({ name }) => name === leader?.leads)?.id ?? null

  for (const { by, of, audience, pinned = false, title, text, from = null, until = null, read = 0 } of told) {
    const author = indexOf(by)
    if (author === undefined || (of === 'group' && group === null)) continue
    const id = drawnId("'announcement ' || $1::uuid || $2::text")
    await add(
      `insert into app.announcements (org_id, id, chapter_id, group_id, title, body, audience, pinned, starts_at, ends_at, published_at, author_id, created_by, created_at, updated_at)
       select $1, ${id}, case when $3 then (select s.chapter_id from app.position_holders h join app.positions s on s.org_id = h.org_id and s.id = h.position_id
           where h.org_id = $1 and h.person_id = $4 and h.starts_on <= $9::date and (h.ends_on is null or h.ends_on >= $9::date)
           order by h.starts_on limit 1) end,
         $5::uuid, $2, $6, $7, $8, $9::date + $10::int + time '07:30', $9::date + $11::int + time '18:00',
         case when $10::int is not null then least($9::date + $10::int, $9::date - 1) + time '07:10' end, $4, $12, w.at, w.at
       from (select least($9::date + coalesce($10::int, 0), $9::date) - 2 + time '15:20' as at) w`,
      [
        world.orgId,
        title,
        of === 'chapter',
        personId(world, author),
        of === 'group' ? group : null,
        JSON.stringify(bodyOf(text)),
        audience,
        pinned,
        today,
        from,
        until,
        accountId(world, author),
      ],
    )
    if (read > 0 && from !== null)
      await add(
        `insert into app.announcement_reads (org_id, announcement_id, account_id, read_at)
         select a.org_id, a.id, b.account_id, a.starts_at + ${drawn('a.id::text || b.account_id')} * (least(a.ends_at, $3::date) - a.starts_at) / 1000
         from app.announcements a cross join lateral (select distinct b.account_id from app_private.belonging(a.org_id, $3::date) b
           where b.place = coalesce(a.chapter_id, a.group_id, a.org_id) and b.rank <= app_private.audience_rank(a.audience)) b
         where a.org_id = $1 and a.id = ${id} and ${drawn("b.account_id || 'read' || a.id")} < $4`,
        [world.orgId, title, today, read],
      )
  }
  return rows
}
