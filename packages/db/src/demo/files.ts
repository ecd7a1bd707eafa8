import type pg from 'pg'
import { organisationName } from './chapters.ts'
import { isoOf } from './days.ts'
import { drawnId } from './random.ts'
import { personId } from './world.ts'
import type { World } from './world.ts'

/** A file of the demo organisation whose content the caller makes and stores; `about` says what is on it. */
export type DemoFile = { orgId: string; id: string; content: 'face' | 'logo' | 'pdf' | 'csv'; about: { title: string; lines: string[] } }
/** Makes and stores the content of a file; answers how many bytes. */
export type KeepDemoFile = (file: DemoFile) => Promise<number>

type Subject = { id: string; recordId: string; name: string }

const faces = 90
/** One in so many chapters and groups has files. */
const share = 5

const papers = [
  { key: 'minutes', name: 'Minutes of the last meeting.pdf', type: 'application/pdf', content: 'pdf', daysAgo: 26 },
  { key: 'rules', name: 'How we work.pdf', type: 'application/pdf', content: 'pdf', daysAgo: 310 },
  { key: 'attendance', name: 'Attendance this year.csv', type: 'text/csv', content: 'csv', daysAgo: 12 },
] as const

/** Faces of the demo people and of officers, the logo, and papers of some chapters and groups. Answers how many rows. */
export async function addFiles(client: pg.Client, world: World, keep: KeepDemoFile): Promise<number> {
  const today = isoOf(world.today)
  const owner = [...world.personas].find(([, { demo }]) => demo.sub === 'secretary')?.[0] ?? 0
  const { rows: accounts } = await client.query<{ id: string }>('select id from app.accounts where org_id = $1 and person_id = $2', [
    world.orgId,
    personId(world, owner),
  ])
  const by = accounts[0]?.id
  if (!by) return 0
  const personas = [...world.personas.keys()].map((index) => personId(world, index))
  const { rows: people } = await client.query<Subject>(
    `select ${drawnId("'face ' || x.id")} as id, x.id as "recordId", x.display_name as name from (
       select p.id, p.display_name from app.people p where p.org_id = $1 and p.lifecycle = 'active' and (p.id = any ($2::uuid[])
         or p.id in (select h.person_id from app.position_holders h where h.org_id = $1 and (h.ends_on is null or h.ends_on >= $3)))
       order by p.id = any ($2::uuid[]) desc, p.id limit $4) x`,
    [world.orgId, personas, today, faces],
  )
  const { rows: logos } = await client.query<Subject>(
    `select ${drawnId("'logo ' || o.org_id")} as id, o.org_id as "recordId", o.name from app.organisations o where o.org_id = $1`,
    [world.orgId],
  )
  const add = (
    type: string,
    { id, recordId }: Subject,
    file: { use: string; name: string; media: string; bytes: number; daysAgo: number },
  ) =>
    client.query(
      `insert into app.files (org_id, id, record_type, record_id, use, name, type, bytes, added_by, created_by, created_at, updated_at)
       select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, t, t from (select $11::date - $12::int + interval '10 hours') x (t)`,
      [world.orgId, id, type, recordId, file.use, file.name, file.media, file.bytes, personId(world, owner), by, today, file.daysAgo],
    )
  let rows = 0
  for (const [type, content, subjects] of [
    ['person', 'face', people],
    ['organisation', 'logo', logos],
  ] as const) {
    const drawn = subjects.map(({ id, name }) => keep({ orgId: world.orgId, id, content, about: { title: name, lines: [] } }))
    for (const [nth, bytes] of (await Promise.all(drawn)).entries()) {
      const subject = subjects[nth]
      if (subject) await add(type, subject, { use: 'picture', name: `${content}.webp`, media: 'image/webp', bytes, daysAgo: 400 })
      rows += 1
    }
  }
  await client.query(
    `update app.people p set picture_id = f.id from app.files f where p.org_id = $1 and f.org_id = $1 and f.record_type = 'person' and f.record_id = p.id`,
    [world.orgId],
  )

  for (const type of ['chapter', 'group'] as const) {
    const { rows: some } = await client.query<{ id: string; name: string }>(
      `select r.id, r.name from app.${type}s r where r.org_id = $1 and get_byte(uuid_send(md5(r.id::text)::uuid), 3) % ${share} = 0 order by r.id limit 12`,
      [world.orgId],
    )
    for (const { id: recordId, name } of some)
      for (const paper of papers) {
        const { rows: ids } = await client.query<{ id: string }>(`select ${drawnId("$1::text || ' ' || $2::text")} as id`, [
          paper.key,
          recordId,
        ])
        const id = ids[0]?.id ?? ''
        const bytes = await keep({ orgId: world.orgId, id, content: paper.content, about: aboutOf(paper.key, name, world.today) })
        await add(type, { id, recordId, name }, { use: 'attachment', name: paper.name, media: paper.type, bytes, daysAgo: paper.daysAgo })
        rows += 1
      }
  }
  return rows
}

function aboutOf(key: (typeof papers)[number]['key'], name: string, today: number): DemoFile['about'] {
  switch (key) {
    case 'minutes':
      return {
        title: `${name}: minutes of ${isoOf(today - 28)}`,
        lines: [
          organisationName,
          '',
          '1. The minutes of the last meeting were approved.',
          '2. The treasurer reported; the accounts are in order.',
          '3. Next term: two talks, one visit and the annual dinner.',
          '4. A successor for the office of secretary is wanted.',
          '',
          `Next meeting: ${isoOf(today + 63)}`,
        ],
      }
    case 'rules':
      return {
        title: `${name}: how we work`,
        lines: [
          organisationName,
          '',
          'We meet once a month and are open to guests.',
          'Expenses up to 50 EUR need no approval; above that, ask the treasurer first.',
          'Photographs are published only with consent.',
          'Whoever runs an event writes a short report for the files.',
        ],
      }
    case 'attendance':
      return {
        title: 'Date,Members,Guests',
        lines: Array.from(
          { length: 9 },
          (_, nth) => `${isoOf(today - 28 * (9 - nth))},${12 + ((nth * 7 + name.length) % 15)},${(nth + name.length) % 5}`,
        ),
      }
  }
}
