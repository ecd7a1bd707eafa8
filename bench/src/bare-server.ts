/**
 * The least that could answer a page of people: node:http and pg, no token, no contract, no validation. Four trips to the database as the
 * same role, bound to the same actor, with the rows turned into JSON by PostgreSQL: what the product's own answer is compared with.
 * With ONE_TRIP it is the floor: nothing that asks a database as somebody can do less.
 */
import { createServer } from 'node:http'
import { createSigner } from '@guildhall/db/actor'
import { oneTrip } from '@guildhall/db/one-trip'
import pg from 'pg'

const { DATABASE_URL = '', ACTOR_KEY = '', ORG_ID = '', ACCOUNT_ID = '', IDP_ROLES = '', ONE_TRIP = '', PORT = '0' } = process.env
const connections = new pg.Pool({
  connectionString: DATABASE_URL,
  max: 16,
  options: '-c timezone=UTC -c search_path=app,extensions -c jit=off',
})
const sign = createSigner(ACTOR_KEY).actor
const actor = { orgId: ORG_ID, accountId: ACCOUNT_ID, idpRoles: IDP_ROLES.split(',').filter(Boolean) }

const columns = `p.id, p.display_name as "displayName", p.given_name as "givenName", p.family_name as "familyName", p.preferred_name as "preferredName",
  p.suffix, p.member_no as "memberNo", p.lifecycle,
  case when c.id is not null then json_build_object('id', c.id, 'name', c.name, 'code', c.code) end as "homeChapter",
  p.joined_on as "joinedOn", p.grad_year as "gradYear", p.employer, p.job_title as "jobTitle", p.deleted_at as "archivedAt", p.version,
  p.created_at as "createdAt", p.updated_at as "updatedAt", p.picture_id as "pictureId"`
/** The type and the last term of the membership that counts. */
const membership = `, (select json_build_object('id', s.membership_id, 'type', json_build_object('id', y.id, 'name', y.name), 'status', s.status,
    'startsOn', s.starts_on, 'endsOn', s.ends_on, 'autoRenew', s.auto_renew)
  from app.membership_standings s join app.membership_types y on y.org_id = s.org_id and y.id = s.type_id where s.org_id = p.org_id and s.person_id = p.id) as membership`
const page = (where: string, further = '') => `select coalesce(json_agg(row.item), '[]')::text as items from (
  select (select item from (select ${columns}${further}) item) as item from app.people p
  left join app.chapters c on c.org_id = p.org_id and c.id = p.home_chapter_id
  where p.deleted_at is null ${where} order by p.sort_name, p.id limit 51) row`
const counted = '(select count(*)::int from (select from app.people p where p.deleted_at is null limit 10001) counted)'
const first = { name: 'first', text: `select f.items, ${counted} as total from (${page('')}) f` }
const onward = 'and (p.sort_name, p.id) > ($1, $2::uuid)'
const next = { name: 'next', text: page(onward) }
const withMembership = { name: 'membership', text: page(onward, membership) }
type Statement = { name: string; text: string }

const bind = `select set_config('app.actor', $1, true)`
const asJson = (items: unknown, total: unknown) =>
  `{"items":${typeof items === 'string' ? items : '[]'},"total":${JSON.stringify(total ?? null)}}`

async function inFourTrips(client: pg.PoolClient, asked: Statement, values: string[]): Promise<string> {
  await client.query('begin')
  await client.query({ name: 'bind', text: bind, values: [sign(actor)] })
  const { rows } = await client.query<{ items: string; total?: number }>({ ...asked, values })
  await client.query('commit')
  return asJson(rows[0]?.items, rows[0]?.total)
}

async function inOneTrip(client: pg.PoolClient, { text }: Statement, values: string[]): Promise<string> {
  const [, result] = await oneTrip(
    client,
    [
      { text: bind, values: [sign(actor)] },
      { text, values },
    ],
    10_000,
  )
  const [items, total] = result?.rows[0] ?? []
  return asJson(items, total)
}

async function answer(asked: Statement, values: string[]): Promise<string> {
  const client = await connections.connect()
  try {
    return await (ONE_TRIP ? inOneTrip : inFourTrips)(client, asked, values)
  } finally {
    client.release()
  }
}

const server = createServer((request, response) => {
  const { searchParams } = new URL(request.url ?? '/', 'http://localhost')
  const [after, id] = [searchParams.get('after'), searchParams.get('id')]
  const following = searchParams.has('membership') ? withMembership : next
  const answered = after !== null && id !== null ? answer(following, [after, id]) : answer(first, [])
  answered.then(
    (body) => response.writeHead(200, { 'content-type': 'application/json' }).end(body),
    (error: unknown) => response.writeHead(500).end(String(error)),
  )
})
server.listen(Number(PORT), '127.0.0.1', () => process.send?.('ready'))
process.once('disconnect', () => process.exit(0))
