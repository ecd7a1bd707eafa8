import { createHash } from 'node:crypto'
import type pg from 'pg'
import { ownerOf } from '../areas/integrations.ts'
import { instantOf } from '../days.ts'
import { idOf, random, streams } from '../random.ts'
import type { World } from '../world.ts'
import { insert } from './runs.ts'

/** A key whose secret nobody has, and an endpoint that is paused: nothing leaves while the demo runs. */
export async function addPrograms(client: pg.Client, world: World, chatId: string): Promise<number> {
  return (await addKey(client, world)) + (await addWebhook(client, world, chatId))
}

const idAt = (world: World, index: number, at: string) => idOf(world.seed, streams.syncRun, 20_000 + index, Date.parse(at))

async function addKey(client: pg.Client, world: World): Promise<number> {
  const at = instantOf(world.today - 50, 40_000)
  const own = { org_id: world.orgId, created_at: at, updated_at: at }
  const [account, key] = [idAt(world, 1, at), idAt(world, 2, at)]
  await insert(client, 'accounts', [
    { ...own, id: account, kind: 'service', name: 'Key Website', status: 'active', email_verified: false, idp_roles: [], version: 1 },
  ])
  await insert(client, 'api_keys', [
    {
      ...{ ...own, id: key, account_id: account, name: 'Website', purpose: 'Events on the public website', prefix: 'ghk_Dem0Site' },
      ...{
        secret_hash: createHash('sha256').update(`demo ${world.seed}`).digest('hex'),
        permissions: ['events.read'],
        per_minute: 300,
        version: 1,
      },
      ...{
        expires_at: instantOf(world.today + 40, 40_000),
        last_used_at: instantOf(world.today - 1, 80_400),
        created_by: ownerOf(world, 'owner'),
      },
    },
  ])
  const uses = Array.from({ length: 14 }, (_, nth) => 14 - nth).flatMap((daysAgo, nth) => {
    const { between } = random(world.seed, streams.syncRun, 21_000 + daysAgo)
    const use = (index: number, second: number, operation: string, status: number, count: number) => {
      const moment = instantOf(world.today - daysAgo, second)
      return {
        org_id: world.orgId,
        id: idAt(world, 100 + nth * 10 + index, moment),
        key_id: key,
        at: moment,
        operation,
        method: 'GET',
        status,
        count,
      }
    }
    return [
      use(1, 28_800, 'listEvents', 200, between(20, 60)),
      use(2, 61_200, 'listEvents', 200, between(20, 90)),
      use(3, 61_260, 'getEvent', 200, between(5, 30)),
      ...(daysAgo % 5 === 0 ? [use(4, 61_260, 'listPeople', 403, between(1, 3))] : []),
    ]
  })
  return 2 + (await insert(client, 'api_key_uses', uses))
}

async function addWebhook(client: pg.Client, world: World, chatId: string): Promise<number> {
  const at = instantOf(world.today - 45, 40_000)
  const stopped = instantOf(world.today - 2, 50_000)
  const [endpoint, chat] = [idAt(world, 3, at), idAt(world, 4, at)]
  const row = {
    org_id: world.orgId,
    created_by: ownerOf(world, 'owner'),
    secret_changed_at: at,
    version: 1,
    created_at: at,
    updated_at: stopped,
  }
  let rows = await insert(client, 'webhook_endpoints', [
    {
      ...{
        ...row,
        id: endpoint,
        name: 'Accounting',
        url: 'https://hooks.demo.example/guildhall',
        event_types: ['person.created', 'person.updated'],
      },
      ...{ state: 'paused', paused_at: stopped, connection_id: null },
    },
    // That of the chat, which is paused.
    {
      ...{
        ...row,
        id: chat,
        created_by: null,
        name: 'Office chat',
        url: 'https://chat.invalid/',
        event_types: ['chat.member', 'chat.gift'],
      },
      ...{ state: 'paused', paused_at: stopped, connection_id: chatId },
    },
  ])
  await insert(
    client,
    'webhook_health',
    [endpoint, chat].map((endpoint_id) => ({ org_id: world.orgId, endpoint_id })),
  )
  const told = Array.from({ length: 13 }, (_, nth) => ({ nth, daysAgo: 14 - nth }))
  const people = await client.query<{ id: string }>('select p.id from app.people p where p.org_id = $1 order by p.id desc limit 13', [
    world.orgId,
  ])
  const deliveries = told.map(({ nth, daysAgo }) => {
    const moment = instantOf(world.today - daysAgo, 52_000)
    const isDead = nth === 9
    return {
      nth,
      moment,
      isDead,
      event: idAt(world, 400 + nth, moment),
      delivery: idAt(world, 500 + nth, moment),
      personId: people.rows[nth]?.id ?? '',
    }
  })
  const of = { org_id: world.orgId }
  rows += await insert(
    client,
    'webhook_events',
    deliveries.map(({ event, moment, personId }) => ({
      ...{ ...of, id: event, type: 'person.updated', record_id: personId, record_version: 2, occurred_at: moment, fanned_at: moment },
      data: { personId, version: 2 },
    })),
  )
  rows += await insert(
    client,
    'webhook_deliveries',
    deliveries.map(({ event, delivery, moment, isDead }) => ({
      ...{
        ...of,
        id: delivery,
        endpoint_id: endpoint,
        event_id: event,
        event_type: 'person.updated',
        state: isDead ? 'dead' : 'delivered',
      },
      ...{
        attempts: isDead ? 8 : 1,
        tried: isDead ? 8 : 1,
        status: isDead ? 500 : 204,
        failure: null,
        queued_at: moment,
        next_attempt_at: moment,
      },
      ...{ tried_at: moment, delivered_at: isDead ? null : moment, given_up_at: isDead ? moment : null, created_at: moment },
    })),
  )
  rows += await insert(
    client,
    'webhook_attempts',
    deliveries.map(({ nth, delivery, moment, isDead }) => ({
      ...{
        ...of,
        id: idAt(world, 600 + nth, moment),
        delivery_id: delivery,
        at: moment,
        status: isDead ? 500 : 204,
        milliseconds: 80 + nth * 7,
      },
      answer: isDead ? 'Internal Server Error' : '',
    })),
  )
  await client.query(
    `insert into app.webhook_days (org_id, endpoint_id, day, delivered, failed, dead, milliseconds)
     select d.org_id, d.endpoint_id, d.created_at::date, count(*) filter (where d.state = 'delivered'), coalesce(sum(d.attempts) filter (where d.state = 'dead'), 0), count(*) filter (where d.state = 'dead'), 120 * count(*)
     from app.webhook_deliveries d where d.org_id = $1 and d.endpoint_id = $2 group by 1, 2, 3`,
    [world.orgId, endpoint],
  )
  return rows + 15
}
