import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { compose, openDatabase } from '../database.ts'
import type { Database } from '../database.ts'
import { copyTemplate } from '../testing.ts'
import type { TestDatabase } from '../testing.ts'
import { addDemoCovers } from './covers.ts'
import { demoIsLoaded, loadDemo, relinkDemoAccounts } from './load.ts'
import { demoPeople } from './personas.ts'

const issuer = 'http://localhost:3001'
let stage: TestDatabase
let admin: pg.Client
let database: Database
let orgId: string

beforeAll(async () => {
  stage = await copyTemplate(inject('testServer'), 'demo')
  ;({ orgId } = await loadDemo({ adminUrl: stage.adminUrl, size: 'demo', issuer, today: new Date().toISOString().slice(0, 10) }))
  admin = new pg.Client({ connectionString: stage.adminUrl })
  await admin.connect()
  database = openDatabase({ url: stage.apiUrl, actorKey: stage.actorKey, poolSize: 2 })
})
afterAll(async () => {
  await database.close()
  await admin.end()
})

const rows = async <T extends pg.QueryResultRow>(text: string, values: unknown[] = [orgId]) => (await admin.query<T>(text, values)).rows

async function actorOf(sub: string) {
  const [account] = await rows<{ id: string; idp_roles: string[] }>(
    'select id, idp_roles from app.accounts where org_id = $1 and issuer = $2 and subject = $3',
    [orgId, issuer, sub],
  )
  return { orgId, accountId: account!.id, idpRoles: account!.idp_roles }
}
type Reach = { permission: string; everywhere: boolean; chapters: string[]; groups: string[] }
const permissions = compose.selectFrom(sql<Reach>`app.permissions()`.as('p')).selectAll()
const rightsOf = async (sub: string) =>
  new Map((await database.read(await actorOf(sub), permissions)).map((reach) => [reach.permission, reach] as const))
const everywhere = async (sub: string) => [...(await rightsOf(sub)).values()].filter((reach) => reach.everywhere).map((reach) => reach.permission).sort() // prettier-ignore
const visiblePeople = async (sub: string) => {
  const counted = compose.selectFrom('app.people').select((of) => of.fn.countAll<number>().as('count'))
  return (await database.read(await actorOf(sub), counted))[0]!.count
}

test('every id is one that the API answers', async () => {
  const tables = await rows<{ name: string }>(
    `select table_name as name from information_schema.columns where table_schema = 'app' and column_name = 'id' and data_type = 'uuid' and $1::uuid is not null`,
  )
  const odd = tables.map(({ name }) => `select id from app.${name} where org_id = $1 and id::text !~ '^.{14}[1-8].{4}[89ab]'`)
  expect(await rows(odd.join(' union all '))).toEqual([])
})

test('the demo organisation is loaded once', async () => {
  expect(await demoIsLoaded(stage.adminUrl)).toBe(true)
  await expect(loadDemo({ adminUrl: stage.adminUrl, size: 'small', issuer, today: '2026-01-01' })).rejects.toThrow(
    'already has the demo organisation',
  )
})

test('every demo person but the guest is someone in the directory, under the name and address of the sign-in page', async () => {
  const linked = await rows<{ subject: string; status: string; display_name: string | null; address: string | null }>(
    `select a.subject, a.status, p.display_name, e.address from app.accounts a left join app.people p on p.org_id = a.org_id and p.id = a.person_id
     left join app.person_emails e on e.org_id = p.org_id and e.person_id = p.id and e.is_primary where a.org_id = $1 and a.subject = any ($2)`,
    [orgId, demoPeople.map(({ sub }) => sub)],
  )
  expect(new Map(linked.map(({ subject, ...rest }) => [subject, rest]))).toEqual(
    new Map(
      demoPeople.map(({ sub, givenName, familyName, email }) => [
        sub,
        {
          status: sub === 'suspended' ? 'suspended' : 'active',
          display_name: sub === 'guest' ? null : `${givenName} ${familyName}`,
          address: sub === 'guest' ? null : email,
        },
      ]),
    ),
  )
})

test('owner and secretary run the organisation', async () => {
  for (const sub of ['owner', 'secretary']) {
    expect(await everywhere(sub)).toContain('organisation.manage')
    expect(await visiblePeople(sub)).toBe(2_400)
  }
})

test('announcements fill the year, and are read by those they are addressed to', async () => {
  const [of] = await rows<{ over: number; shown: number; later: number; drafts: number; stray: number }>(
    `select count(*) filter (where ends_at < now())::int as over, count(*) filter (where now() between starts_at and ends_at)::int as shown,
       count(*) filter (where starts_at > now())::int as later, count(*) filter (where published_at is null)::int as drafts,
       (select count(*)::int from app.announcement_reads r join app.announcements n on n.org_id = r.org_id and n.id = r.announcement_id where r.org_id = $1
         and (r.read_at > now() or r.account_id not in (select b.account_id from app_private.belonging(n.org_id, current_date) b
           where b.place = coalesce(n.chapter_id, n.group_id, n.org_id) and b.rank <= app_private.audience_rank(n.audience)))) as stray
     from app.announcements a where a.org_id = $1`,
  )
  expect(of).toEqual({ over: 3, shown: 4, later: 1, drafts: 1, stray: 0 })
})

test('automations are running for months, with a log for each person that says what every step did', async () => {
  const automations = await rows<Record<string, unknown>>(
    `select a.name, a.status, count(r.id) filter (where r.state = 'active')::int as inside, count(r.id) filter (where r.state = 'done')::int as done, count(r.id) filter (where r.state = 'stopped')::int as stopped,
       count(r.id) filter (where r.state = 'exited')::int as exited from app.automations a left join app.automation_runs r on r.org_id = a.org_id and r.automation_id = a.id where a.org_id = $1 group by a.org_id, a.id order by a.name`,
  )
  expect(automations.map(({ name, status }) => [name, status])).toEqual([
    ['Before a membership lapses', 'active'],
    ['Welcome series', 'active'],
    ['Win back lapsed members', 'draft'],
  ])
  for (const { done } of automations.filter(({ status }) => status === 'active')) expect(done).toBeGreaterThan(3)
  expect(automations.reduce((sum, { inside }) => sum + Number(inside), 0)).toBeGreaterThan(3)
  // Everybody who came to a mail has a delivery that says the same, in the message with which the worker goes on.
  const [mails] = await rows<Record<string, number>>(
    `select count(*)::int as mails, count(d.id)::int as delivered, (count(*) filter (where d.opened_at is not null))::int as opened, (count(*) filter (where d.clicked_at is not null))::int as clicked,
       (count(*) filter (where m.edition <> concat_ws(' ', t.id, t.version, m.topic_id, a.activated_by)))::int as outdated, count(distinct d.message_id)::int as messages
     from app.automation_log l join app.automations a on a.org_id = l.org_id and a.id = l.automation_id join jsonb_array_elements(a.steps) s on s ->> 'id' = l.step and s ->> 'kind' = 'mail'
     left join app.message_deliveries d on d.org_id = l.org_id and d.run_id = l.run_id and d.step = l.step and d.id::text = l.detail ->> 'delivery' and (d.state = 'skipped') = (l.kind = 'skipped') and d.created_at = l.at
     left join app.messages m on m.org_id = d.org_id and m.id = d.message_id and m.automation_id = a.id left join app.message_templates t on t.org_id = a.org_id and t.id::text = s ->> 'templateId'
     where l.org_id = $1`,
  )
  expect(mails).toMatchObject({ outdated: 0, messages: 1, delivered: mails!.mails })
  expect(mails!.mails).toBeGreaterThan(mails!.opened!)
  expect(mails!.opened).toBeGreaterThan(mails!.clicked!)
  expect(mails!.clicked).toBeGreaterThan(0)
  // Each begins by entering, says nothing of the time to come, ends once if it has ended, and waits for as long as its last line says.
  const [odd] = await rows<Record<string, number>>(
    `select (select count(*)::int from app.automation_log where org_id = $1 and at > now()) as early,
       (select count(*)::int from app.automation_runs r where r.org_id = $1 and not exists (select from app.automation_log l where l.org_id = r.org_id and l.run_id = r.id and l.step = 'enter' and l.at = r.entered_at)) as unentered,
       (select count(*)::int from app.automation_runs r where r.org_id = $1 and (r.state = 'active') = exists (select from app.automation_log l where l.org_id = r.org_id and l.run_id = r.id and l.step = 'end')) as unended,
       (select count(*)::int from app.automation_runs r where r.org_id = $1 and r.state = 'active' and r.next_at is distinct from
         (select (l.detail ->> 'until')::timestamptz from app.automation_log l where l.org_id = r.org_id and l.run_id = r.id and l.step = r.waits)) as unwaited,
       (select count(*)::int from app.automation_log l where l.org_id = $1 and l.kind = 'assigned' and not exists (select from app.follow_ups f where f.org_id = l.org_id and f.run_id = l.run_id and f.id::text = l.detail ->> 'followUp' and f.created_at = l.at)) as untold,
       (select count(*)::int from app.follow_ups f where f.org_id = $1 and f.done_at is null and f.due_on < current_date - 30) as forgotten`,
  )
  expect(odd).toEqual({ early: 0, unentered: 0, unended: 0, unwaited: 0, untold: 0, forgotten: 0 })
  // The worker goes on from there: of what happened before today it lets nobody enter once more.
  const late = await rows(
    `select e.occasion from app.automations a cross join lateral app_private.automation_occasions(a, current_date - 7, current_date - 1) e
     where a.org_id = $1 and a.status = 'active' and app_private.automation_reaches(a, e.person_id, current_date)
       and not exists (select from app.automation_runs r where r.org_id = a.org_id and r.automation_id = a.id and r.occasion = e.occasion)`,
  )
  expect(late).toEqual([])
})

test('saved audiences say when a message to them was last sent', async () => {
  const used = await rows(
    `select a.name, a.last_used_at is not null as used from app.audiences a where a.org_id = $1 and a.last_used_at is not distinct from
       (select max(m.started_at) from app.messages m cross join lateral jsonb_array_elements(m.audience -> 'include') part where m.org_id = a.org_id and part ->> 'id' = a.id::text and m.started_at > a.created_at) order by a.name`,
  )
  expect(used).toEqual([
    { name: 'Active members', used: true },
    { name: 'Alumni', used: true },
    { name: expect.stringContaining('Friends of'), used: false },
    { name: expect.stringContaining('Not yet in'), used: false },
  ])
})

test('a year of messages was sent, with counts that agree with what is kept of each', async () => {
  const states = await rows<{ status: string; count: number }>(
    `select status, count(*)::int as count from app.messages where org_id = $1 group by 1 order by 1`,
  )
  expect(states.filter(({ status }) => status !== 'sent').map(({ status, count }) => [status, count])).toEqual(
    ['cancelled', 'draft', 'failed', 'in_review', 'scheduled'].map((status) => [status, 1]),
  )
  expect(states.find(({ status }) => status === 'sent')!.count).toBeGreaterThan(18)
  const counted = (table: string, extra = '') => `select message_id${extra}, what, n from app.${table} where org_id = $1`
  const kept = (extra = '') => `select d.message_id${extra}, w.what, count(*)::int from app.message_deliveries d
    cross join lateral (values (d.state), ('skipped:' || d.skip_reason), (case when d.opened_at is not null then 'opened' end), (case when d.clicked_at is not null then 'clicked' end),
      (case when d.unsubscribed_at is not null then 'unsubscribed' end)) w (what) where d.org_id = $1 and w.what is not null`
  const ofKept = `message_id in (select message_id from app.message_deliveries where org_id = $1)`
  for (const [table, extra] of [
    ['message_counts', ''],
    ['message_chapters', ', chapter_id'],
  ] as const) {
    const made = `${counted(table, extra)} and ${ofKept}`
    const is = `${kept(extra)} ${extra && 'and d.chapter_id is not null'} group by d.message_id${extra}, w.what`
    expect([table, await rows(`(${made} except ${is}) union all (${is} except ${made})`)]).toEqual([table, []])
  }
  const [of] = await rows<Record<string, number>>(
    `select (select count(*)::int from app.message_deliveries where org_id = $1 and step is null) as kept, (select count(*)::int from app_private.message_news where org_id = $1) as news,
       (select count(*)::int from app.messages m where m.org_id = $1 and m.status = 'sent' and not exists (select from app.message_counts c where c.org_id = m.org_id and c.message_id = m.id)) as uncounted,
       (select count(*)::int from app.message_deliveries where org_id = $1 and greatest(settled_at, opened_at, clicked_at, unsubscribed_at) > now()) as early,
       (select count(*)::int from app.messages where org_id = $1 and (status = 'sent' and finished_at > now() or status = 'scheduled' and send_at < now())) as odd,
       (select count(*)::int from app.message_links l join app.message_counts c on c.org_id = l.org_id and c.message_id = l.message_id and c.what = 'clicked'
         where l.org_id = $1 and (l.people > c.n or l.clicks < l.people)) as overcounted`,
  )
  expect(of).toEqual({ kept: expect.any(Number), news: 0, uncounted: 0, early: 0, odd: 0, overcounted: 0 })
  expect(of!.kept).toBeGreaterThan(3_000)
  expect(of!.kept).toBeLessThanOrEqual(6_000)
  const [templates] = await rows<{ count: number }>(
    `select count(*)::int as count from app.message_templates where org_id = $1 and jsonb_array_length(body -> 'blocks') > 1 and jsonb_array_length(outline) > 1`,
  )
  expect(templates!.count).toBe(5)
})

test('the regional president runs her region and what is below it, and nothing beside it', async () => {
  const rights = await rightsOf('chapter')
  const below = await rows<{ id: string }>(
    `select a.chapter_id as id from app.chapter_ancestors a join app.chapters c on c.org_id = a.org_id and c.id = a.ancestor_id
     where a.org_id = $1 and c.name = 'Nordic Region'`,
  )
  expect(below).toHaveLength(6)
  expect(new Set(rights.get('people.write')?.chapters)).toEqual(new Set(below.map(({ id }) => id)))
  expect(rights.get('people.write')?.everywhere).toBe(false)
  expect(rights.has('account.manage')).toBe(false)
})

test.each([
  ['finance', ['groups.read', 'people.contact', 'people.directory']],
  ['comms', ['groups.read', 'people.contact', 'people.directory', 'views.share']],
  ['events', ['groups.read', 'people.directory']],
  ['member', ['groups.read', 'people.directory']],
])('%s has these rights over people, groups and chapters in the whole organisation', async (sub, permissions) => {
  // The tests of other areas say who has rights there.
  expect(
    (await everywhere(sub)).filter((right) => /^(account|audit|chapters|groups|organisation|people|positions|views)\./.test(right)),
  ).toEqual(permissions)
  expect(await visiblePeople(sub)).toBeGreaterThan(2_300)
})

test('the group leader manages one group, whose members’ addresses come with it', async () => {
  const rights = await rightsOf('leader')
  const [group] = await rows<{ id: string }>(`select id from app.groups where org_id = $1 and name = 'Early Career Network'`)
  expect(rights.get('groups.manage')?.groups).toEqual([group!.id])
  expect(rights.get('people.contact')?.groups).toEqual([group!.id])
})

test('guest and suspended see nobody', async () => {
  for (const sub of ['guest', 'suspended']) {
    expect(await rightsOf(sub)).toEqual(new Map())
    expect(await visiblePeople(sub)).toBe(0)
  }
})

test('bell, outgoing mail, member card and tags of groups and chapters have something to show', async () => {
  const told = await rows<{ subject: string; unread: number; mailed: number; cards: number }>(
    `select a.subject, count(*) filter (where n.read_at is null)::int as unread,
       (select count(*)::int from app.mail_messages m where m.org_id = a.org_id and m.account_id = a.id and m.state = 'sent' and m.sent_to = a.email) as mailed,
       (select count(*)::int from app.member_cards c where c.org_id = a.org_id and c.person_id = a.person_id and c.valid_until > current_date) as cards
     from app.notifications n join app.accounts a on a.org_id = n.org_id and a.id = n.account_id where n.org_id = $1 group by a.org_id, a.id, a.subject order by a.subject`,
  )
  expect(told).toEqual(['leader', 'member', 'secretary'].map((subject) => ({ subject, unread: 1, mailed: 2, cards: 1 })))
  const tagged = await rows<{ records: string; count: number }>(
    `select record_type as records, count(*)::int as count from app.record_tags where org_id = $1 group by 1 order by 1`,
  )
  expect(tagged.map(({ records }) => records)).toEqual(['chapter', 'group'])
  for (const { count } of tagged) expect(count).toBeGreaterThan(5)
})

test('every reference leads somewhere', async () => {
  // Loading skips the checks of foreign keys; this asks them all.
  const references = await rows<{ table: string; columns: string; target: string; targets: string }>(
    `select c.conrelid::regclass::text as table, c.confrelid::regclass::text as target,
       (select string_agg('r.' || quote_ident(a.attname), ', ' order by k.n) from unnest(c.conkey) with ordinality k (num, n) join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.num) as columns,
       (select string_agg('t.' || quote_ident(a.attname), ', ' order by k.n) from unnest(c.confkey) with ordinality k (num, n) join pg_attribute a on a.attrelid = c.confrelid and a.attnum = k.num) as targets
     from pg_constraint c where c.contype = 'f' and c.connamespace = 'app'::regnamespace`,
    [],
  )
  expect(references.length).toBeGreaterThan(30)
  for (const { table, columns, target, targets } of references) {
    const [broken] = await rows<{ count: string }>(
      `select count(*) from ${table} r where num_nulls(${columns}) = 0 and not exists (select from ${target} t where (${targets}) = (${columns}))`,
      [],
    )
    expect([table, columns, broken!.count]).toEqual([table, columns, '0'])
  }
})

test('the audit chain holds, and every demo person’s page has a history', async () => {
  const verified = await database.read(
    await actorOf('owner'),
    compose.selectFrom(sql<{ checked: number; first_broken: number | null }>`app.verify_audit()`.as('v')).selectAll(),
  )
  expect(verified[0]!.first_broken).toBe(null)
  expect(verified[0]!.checked).toBeGreaterThan(20_000)
  const [without] = await rows<{ count: string }>(
    `select count(*) from app.people p where p.org_id = $1 and not exists (select from app.audit_entries e where e.org_id = p.org_id and e.person_id = p.id)`,
  )
  expect(without!.count).toBe('0')
  const [signed] = await rows<{ share: number }>(
    'select avg((account_id is not null)::int)::float as share from app.audit_entries where org_id = $1',
  )
  expect(signed!.share).toBeGreaterThan(0.9)
})

test('after a change of the provider’s address the same people sign in again', async () => {
  const moved = 'http://localhost:4001'
  expect(await relinkDemoAccounts({ adminUrl: stage.adminUrl, issuer: moved })).toBeGreaterThan(1_000)
  const [left] = await rows<{ count: string }>('select count(*) from app.accounts where org_id = $1 and issuer <> $2', [orgId, moved])
  expect(left!.count).toBe('0')
  expect(await relinkDemoAccounts({ adminUrl: stage.adminUrl, issuer })).toBeGreaterThan(1_000)
  expect(await relinkDemoAccounts({ adminUrl: stage.adminUrl, issuer })).toBe(0)
})

test('invoices are numbered and issued as the settings say, and accounts of a person and a chapter have statements that add up', async () => {
  type Paper = {
    opening: number
    closing: number
    entries: { amount: number }[]
    seller: { name: string; address: string }
    billing: object
  }
  const [settings] = await rows<{ legal_name: string; address: string; due_days: number; odd: number; numbered: number }>(
    `select s.legal_name, s.address, s.due_days, count(i.id)::int as numbered,
       count(*) filter (where i.number <> app_private.number_text(app_private.number_format(i.org_id, i.kind), i.number_year, i.number_place) or i.seller ->> 'name' <> s.legal_name)::int as odd
     from app.finance_settings s join app.invoices i on i.org_id = s.org_id and i.number is not null where s.org_id = $1 group by s.org_id, s.id`,
  )
  expect(settings).toMatchObject({ due_days: 21, odd: 0 })
  expect(settings!.numbered).toBeGreaterThan(1_000)
  const owing = await rows<{ id: string; kind: string; balance: number }>(
    `(select a.person_id as id, 'member' as kind, null::int as balance from app.accounts a where a.org_id = $1 and a.subject = 'member')
     union all (select i.chapter_id, 'chapter', null from app.invoices i where i.org_id = $1 and i.chapter_id is not null and i.balance_amount > 0 order by i.id limit 1)`,
  )
  expect(owing.map(({ kind }) => kind)).toEqual(['member', 'chapter'])
  const finance = await actorOf('finance')
  for (const { id, kind } of owing) {
    const asked = sql<{ paper: Paper }>`(select app.statement_of(${orgId}, ${id}, current_date - 1200, current_date, null) as paper)`
    const [found] = await database.read(finance, compose.selectFrom(asked.as('s')).selectAll())
    const { opening, closing, entries, seller } = found!.paper
    expect(seller).toMatchObject({ name: settings!.legal_name, address: settings!.address })
    expect([kind, entries.length > 1]).toEqual([kind, true])
    expect([kind, entries.reduce((sum, { amount }) => sum + amount, opening)]).toEqual([kind, closing])
    expect([kind, closing > 0]).toEqual([kind, true])
  }
})

test('events have people, and counts and capacity ledgers that agree with them', async () => {
  const differing = await database.read(
    await actorOf('owner'),
    compose
      .selectFrom('app.events as e')
      .innerJoin(sql<{ what: string }>`lateral app.event_reconciled(e.id)`.as('d'), (join) => join.onTrue())
      .select(['e.title', 'd.what']),
  )
  expect(differing).toEqual([])
  const [over] = await rows<{ count: number }>(
    `select count(*)::int as count from app.event_ledger l join app.events e on e.org_id = l.org_id and e.id = l.event_id where l.org_id = $1 and (l.taken < 0 or l.taken > e.capacity)`,
  )
  expect(over!.count).toBe(0)
  const [kinds] = await rows<Record<string, number>>(
    `select count(*) filter (where e.starts_at < now() - interval '680 days')::int as "twoYearsAgo", count(*) filter (where e.starts_at > now() + interval '90 days')::int as "monthsAhead",
       count(*) filter (where e.status = 'draft' and e.template_name is null)::int as drafts, count(*) filter (where e.template_name is not null)::int as templates,
       count(*) filter (where e.status = 'cancelled')::int as cancelled, count(*) filter (where e.mode = 'hybrid')::int as hybrid, count(*) filter (where e.series_id is not null)::int as repeating,
       count(*) filter (where n.waiting > 0 and n.taken = e.capacity)::int as "waitingLists", max(n.taken)::int as largest, sum(n.checked_in)::int as "checkedIn",
       count(distinct e.chapter_id)::int as chapters, count(distinct e.group_id)::int as groups
     from app.events e join app.event_counts n on n.org_id = e.org_id and n.event_id = e.id where e.org_id = $1`,
  )
  const atLeast = { twoYearsAgo: 10, monthsAhead: 10, drafts: 3, templates: 3, cancelled: 2, hybrid: 20, repeating: 26, waitingLists: 2, largest: 550, checkedIn: 2_000, chapters: 30, groups: 8 } // prettier-ignore
  for (const [what, least] of Object.entries(atLeast)) expect([what, kinds![what]! >= least]).toEqual([what, true])
  const [unpaid] = await rows<{ count: number }>(
    `select count(*)::int as count from app.registrations r where r.org_id = $1 and r.status in ('confirmed', 'checked_in') and r.price_amount > 0 and not app_private.registration_paid(r.org_id, r.id)`,
  )
  expect(unpaid!.count).toBe(0)
})

test('events have messages that were sent, covers that several share, and views of their list', async () => {
  const kept: string[] = []
  const shown = await addDemoCovers({
    adminUrl: stage.adminUrl,
    keep: async (cover, org, fileId) => {
      kept.push(`${cover} ${org} ${fileId}`)
      return 1_000
    },
  })
  // One for events each, and one for each campaign that has a page.
  expect(kept).toHaveLength(7)
  expect(shown).toBeGreaterThan(15)
  const [covers] = await rows<{ count: number }>(
    `select count(distinct f.id)::int as count from app.events e join app.files f on f.org_id = e.org_id and f.id = e.cover_file_id and f.use = 'picture' where e.org_id = $1 and e.cover_alt <> ''`,
  )
  expect(covers!.count).toBe(4)
  const messages = await rows<{ kind: string; reached: number; early: boolean }>(
    `select m.kind, min(m.recipients)::int as reached, bool_or(m.state <> 'sent' or m.sent_at > now() or m.created_at < e.published_at) as early from app.event_messages m
     join app.events e on e.org_id = m.org_id and e.id = m.event_id where m.org_id = $1 and m.kind in ('message', 'reminder') group by m.kind order by m.kind`,
  )
  expect(messages.map(({ kind, early }) => [kind, early])).toEqual([
    ['message', false],
    ['reminder', false],
  ])
  for (const { reached } of messages) expect(reached).toBeGreaterThan(0)
  const seen = compose.selectFrom('app.saved_views').select('name').where('list', '=', 'events').orderBy('name')
  expect((await database.read(await actorOf('leader'), seen)).map(({ name }) => name)).toEqual([
    'Full, with a waiting list',
    'Open to everybody',
  ])
})

test('three years of gifts came, most of them in December, with plans, pledges and a queue of thanks', async () => {
  const [kinds] = await rows<Record<string, number>>(
    `select count(*)::int as gifts, count(*) filter (where extract(month from g.received_on) = 12)::int as december, count(*) filter (where g.method = 'cheque')::int as cheques,
       count(*) filter (where g.method = 'card')::int as cards, count(*) filter (where g.is_anonymous)::int as anonymous, count(*) filter (where g.tribute_kind is not null)::int as tributes,
       count(*) filter (where g.status in ('refunded', 'partly_refunded'))::int as refunds, count(*) filter (where g.status = 'disputed')::int as disputes, count(*) filter (where g.person_id is null and g.source = 'office')::int as firms,
       count(*) filter (where g.source = 'plan')::int as charges, count(*) filter (where g.received_on < current_date - 900)::int as "longAgo", count(distinct g.person_id)::int as donors,
       (select count(*)::int from app.recurring_plans p where p.org_id = $1) as plans, (select count(distinct p.status)::int from app.recurring_plans p where p.org_id = $1) as standings,
       (select count(*)::int from app.pledges p where p.org_id = $1) as pledges, (select count(*)::int from app.chapter_payouts p where p.org_id = $1) as payouts from app.gifts g where g.org_id = $1`,
  )
  const atLeast = { gifts: 800, december: 120, cheques: 90, cards: 400, anonymous: 20, tributes: 15, refunds: 5, disputes: 1, firms: 20, charges: 200, longAgo: 10, donors: 120, plans: 40, standings: 5, pledges: 12, payouts: 2 } // prettier-ignore
  for (const [what, least] of Object.entries(atLeast)) expect([what, kinds![what]! >= least]).toEqual([what, true])
  expect(kinds!['gifts']).toBeLessThan(1_200)
  const campaigns = await rows<{ status: string; share: number | null }>(
    `select c.status, case when c.goal_kind = 'amount' and t.counted_amount > 0 then round(t.counted_amount::numeric / c.goal_value, 2)::float end as share
     from app.campaigns c join app.campaign_totals t on t.org_id = c.org_id and t.campaign_id = c.id where c.org_id = $1 order by c.status, share`,
  )
  expect(campaigns.map(({ status }) => status)).toEqual(['active', 'active', 'draft', 'ended'])
  expect(campaigns[0]!.share).toBeGreaterThan(0.6)
  expect(campaigns[0]!.share).toBeLessThan(0.75)
  expect(campaigns[3]!.share).toBeGreaterThanOrEqual(1)
  const [odd] = await rows<Record<string, number>>(
    `select count(*) filter (where g.created_at > now() or g.received_on > current_date)::int as early, count(*) filter (where g.thanked_at < g.received_on or g.thanked_at > now())::int as thanked,
       count(*) filter (where g.counted_amount > 0 and g.source <> 'plan' and g.thanked_at is null)::int as queue,
       count(*) filter (where g.amount <> (select sum(a.amount) from app.gift_allocations a where a.org_id = g.org_id and a.gift_id = g.id))::int as allocated from app.gifts g where g.org_id = $1`,
  )
  expect(odd).toEqual({ early: 0, thanked: 0, queue: expect.any(Number), allocated: 0 })
  expect(odd!['queue']).toBeGreaterThan(9)
  expect(odd!['queue']).toBeLessThan(26)
})

test('treasurer and member see of gifts what is theirs to see', async () => {
  const counted = (table: 'app.gifts' | 'app.recurring_plans' | 'app.campaigns') =>
    compose.selectFrom(table).select((of) => of.fn.countAll<number>().as('count'))
  const seen = async (sub: string, table: Parameters<typeof counted>[0]) =>
    (await database.read(await actorOf(sub), counted(table)))[0]!.count
  const [all] = await rows<{ gifts: number }>('select count(*)::int as gifts from app.gifts where org_id = $1')
  expect(await seen('finance', 'app.gifts')).toBe(all!.gifts)
  expect(await seen('finance', 'app.campaigns')).toBe(4)
  expect(await seen('member', 'app.gifts')).toBeGreaterThan(8)
  expect(await seen('member', 'app.gifts')).toBeLessThan(30)
  expect(await seen('member', 'app.recurring_plans')).toBe(1)
  expect(await seen('member', 'app.campaigns')).toBe(3)
  expect(await seen('comms', 'app.gifts')).toBe(0)
})

test('twelve years of bigs and littles stand in lines of thirteen generations, each kept within a chapter', async () => {
  const lines = `with recursive links as (select r.*, l.home_chapter_id <> b.home_chapter_id as across, b.lifecycle as above, l.joined_on from app.relationships r
      join app.relationship_types t on t.org_id = r.org_id and t.id = r.type_id and t.key = 'lineage' join app.people b on b.org_id = r.org_id and b.id = r.from_person_id
      join app.people l on l.org_id = r.org_id and l.id = r.to_person_id where r.org_id = $1),
    down as (select l.from_person_id as id, 0 as depth from links l where l.from_person_id not in (select x.to_person_id from links x)
      union all select l.to_person_id, d.depth + 1 from down d join links l on l.from_person_id = d.id)`
  const [of] = await rows<Record<string, number>>(
    `${lines} select (select count(distinct d.id)::int from down d) as people, (select max(d.depth) from down d) as depth, (select count(*)::int from links) as links,
      (select count(distinct l.to_person_id)::int from links l) as littles, (select count(*)::int from links l where l.across) as across, (select count(*)::int from links l where l.above = 'former') as former,
      (select (extract(year from age(min(l.starts_on))))::int from links l) as years, (select count(*)::int from links l where l.starts_on < l.joined_on or l.starts_on >= current_date) as odd`,
  )
  expect(of).toMatchObject({ depth: 12, across: 0, former: 3, odd: 0 })
  expect(of!.links).toBe(of!.littles)
  expect(of!.people).toBeGreaterThan(2_400 / 6)
  expect(of!.people).toBeLessThan(2_400 / 3.5)
  expect(of!.years).toBeGreaterThanOrEqual(10)
  // The demo member has somebody above and below.
  const around = await database.read(
    await actorOf('member'),
    compose
      .selectFrom('app.relationships as r')
      .innerJoin('app.relationship_types as t', 't.id', 'r.type_id')
      .select(['t.key', 'r.state', sql<boolean>`r.from_person_id = app.person_id()`.as('first')]),
  )
  const own = around.map(({ key, state, first }) => `${key} ${state}${first ? ' first' : ''}`)
  expect(own).toEqual(expect.arrayContaining(['lineage active', 'lineage active first', 'mentor proposed', 'guardian active first']))
})

test('families have something to act on: two children of the demo member, one without a guardian, one of age soon, one guardian too young', async () => {
  const children = await rows<{
    name: string
    age: number
    guardians: number
    younger: number
    proposed: number
    soon: boolean
    member: boolean
  }>(
    `select p.display_name as name, extract(year from age(c.birth_date))::int as age, c.birth_date + interval '18 years' <= current_date + 60 as soon,
       count(*) filter (where r.state = 'active')::int as guardians, count(*) filter (where r.state = 'proposed')::int as proposed,
       count(*) filter (where r.state = 'active' and g.birth_date > c.birth_date)::int as younger, coalesce(bool_or(a.subject = 'member'), false) as member
     from app.people p join app.person_private c on c.org_id = p.org_id and c.person_id = p.id
     left join (select r.* from app.relationships r join app.relationship_types t on t.org_id = r.org_id and t.id = r.type_id and t.key = 'guardian') r on r.org_id = p.org_id and r.to_person_id = p.id
     left join app.person_private g on g.org_id = r.org_id and g.person_id = r.from_person_id left join app.accounts a on a.org_id = r.org_id and a.person_id = r.from_person_id
     where p.org_id = $1 and p.minor_until is not null and p.lifecycle = 'active' group by p.id, p.display_name, c.birth_date order by p.id`,
  )
  expect(children.length).toBeGreaterThan(20)
  expect(children.filter(({ guardians }) => guardians === 0)).toEqual([expect.objectContaining({ proposed: 1 })])
  expect(children.filter(({ soon }) => soon)).toEqual([expect.objectContaining({ age: 17 })])
  expect(children.filter(({ younger }) => younger > 0)).toHaveLength(1)
  expect(children.some(({ guardians, younger }) => guardians === 2 && younger === 0)).toBe(true)
  const ofMember = children.filter(({ member }) => member)
  expect(ofMember.map(({ age }) => age).sort()).toEqual([12, 9])
  expect(ofMember.every(({ name }) => name.endsWith(' Silva'))).toBe(true)
  const family = compose.selectFrom(sql<{ grants: string }>`app.my_family()`.as('f')).selectAll()
  expect((await database.read(await actorOf('member'), family)).map(({ grants }) => grants)).toEqual(['manage', 'manage'])
  const [of] = await rows<Record<string, number>>(
    `select count(*) filter (where x.children > 1)::int as several, max(x.children)::int as most from (select count(*) as children from app.relationships r
       join app.relationship_types t on t.org_id = r.org_id and t.id = r.type_id and t.key = 'guardian' where r.org_id = $1 and r.state = 'active' group by r.from_person_id) x`,
  )
  expect(of!.several).toBeGreaterThan(0)
  expect(of!.most).toBeLessThan(4)
  const toAnswer = async (sub: string) =>
    (await database.read(await actorOf(sub), compose.selectFrom(sql<{ id: string }>`app.relationships_to_answer()`.as('w')).selectAll()))
      .length
  expect([await toAnswer('member'), await toAnswer('secretary'), await toAnswer('leader')]).toEqual([1, 2, 0])
})

test.each(['owner', 'secretary', 'finance', 'chapter', 'comms', 'events', 'leader', 'member'])(
  '%s has events to look forward to',
  async (sub) => {
    const [ahead] = await rows<{ count: number }>(
      `select count(*)::int as count from app.registrations r join app.accounts a on a.org_id = r.org_id and a.person_id = r.person_id and a.subject = $2
       join app.events e on e.org_id = r.org_id and e.id = r.event_id where r.org_id = $1 and e.starts_at > now() and e.status = 'published' and r.status in ('confirmed', 'waitlisted', 'offered')`,
      [orgId, sub],
    )
    expect(ahead!.count).toBeGreaterThan(1)
  },
)
