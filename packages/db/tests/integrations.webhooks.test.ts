import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expected, tryAll } from './matrix.ts'
import { setStage } from './stage.ts'
import type { Place, Stage } from './stage.ts'

const types = [
  ...['created', 'updated', 'archived', 'erased'].map((what) => `person.${what}`),
  ...['started', 'ended'].map((what) => `affiliation.${what}`),
  ...['applied', 'activated', 'renewed', 'lapsed', 'cancelled'].map((what) => `membership.${what}`),
  ...['published', 'updated', 'cancelled'].map((what) => `event.${what}`),
  ...['created', 'cancelled', 'checked_in'].map((what) => `registration.${what}`),
  ...['settled', 'refunded'].map((what) => `gift.${what}`),
  'message.sent',
  ...['created', 'updated', 'closed'].map((what) => `chapter.${what}`),
  ...['created', 'updated', 'archived'].map((what) => `group.${what}`),
]

let stage: Stage
beforeAll(async () => {
  stage = await setStage()
  for (const { orgId, account } of [stage.west, stage.foreign])
    await stage.admin.query(
      `with e as (insert into app.webhook_endpoints (org_id, name, url, event_types, created_by) values ($1, 'Website', 'https://hooks.example.org/in', '{message.sent}', $2) returning id),
         s as (insert into app.webhook_secrets (org_id, endpoint_id, sealed, hint) select $1, id, '\\x01', 'abc=' from e),
         v as (insert into app.webhook_events (org_id, type, record_id, record_version, data, fanned_at) values ($1, 'message.sent', app.uuid7(), 1, '{}', now()) returning id),
         d as (insert into app.webhook_deliveries (org_id, endpoint_id, event_id, event_type, state, given_up_at) select $1, e.id, v.id, 'message.sent', 'dead', now() from e, v returning id),
         w as (insert into app.webhook_days (org_id, endpoint_id, day) select $1, id, current_date from e)
       insert into app.webhook_attempts (org_id, delivery_id, at, milliseconds) select $1, id, now(), 5 from d`,
      [orgId, account],
    )
})
afterAll(() => stage.end())

const ofOrg = ({ orgId }: Place) => `org_id = '${orgId}'`
const columns = ['west', 'foreign'] as const
/** Who manages integrations of the whole organisation, and nobody else: not officers of a chapter, who manage those of their own. */
const grid = (allowed: string) =>
  expected(`
             west  foreign
    owner      ${allowed}  -
    admin      ${allowed}  -
    officer    -  -
    former     -  -
    safeguarding  -  -
    finance    -  -
    communications  -  -
    events     -  -
    leader     -  -
    member     -  -
    guest      -  -
    suspended  -  -
    stranger   -  ${allowed}`)

describe('who manages webhooks', () => {
  test('are owners and administrators; removing is the work of a function', async () => {
    const endpoints = {
      table: 'webhook_endpoints',
      row: ofOrg,
      insert: ({ orgId }: Place) =>
        `(org_id, name, url, event_types, created_by) values ('${orgId}', 'New', 'https://a.example', '{gift.settled}', app.account_id())`,
      update: `name = 'x'`,
      remove: true as const,
    }
    expect(await tryAll(stage, endpoints, columns)).toBe(grid('SIU'))
  })

  test('also of secrets, whose bytes nobody reads', async () => {
    const secrets = { table: 'webhook_secrets', row: ofOrg, update: `expires_at = now()`, remove: true as const }
    expect(await tryAll(stage, secrets, columns)).toBe(grid('SUD'))
    const sealed = stage.database.asActor(stage.actors.owner, (db) => db.selectFrom('app.webhook_secrets').select('sealed').execute())
    await expect(sealed).rejects.toMatchObject({ code: '42501' })
  })

  test.each(['webhook_health', 'webhook_events', 'webhook_deliveries', 'webhook_days'])(
    'see %s, which only the worker writes',
    async (table) => {
      expect(await tryAll(stage, { table, row: ofOrg, remove: true }, columns)).toBe(grid('S'))
    },
  )
})

describe('what happens becomes an event', () => {
  /** Events of a fresh organisation whose endpoint wants all of a kind, in their order. */
  const eventsOf = async (kind: string, act: (org: Org) => Promise<unknown>) => {
    const org = await found(kind)
    await act(org)
    const { rows } = await stage.admin.query<{ type: string; record_version: number; data: Record<string, unknown> }>(
      `select type, record_version, data from app.webhook_events where org_id = $1 order by occurred_at, id`,
      [org.id],
    )
    return rows
  }
  type Org = { id: string; root: string; run: (text: string, ...values: unknown[]) => Promise<string> }
  const found = async (kind: string): Promise<Org> => {
    const slug = `w${randomUUID().slice(0, 12)}`
    const run = async (text: string, ...values: unknown[]) => {
      const { rows } = await stage.admin.query<{ id: string }>(text, [id, ...values])
      return rows[0]?.id ?? ''
    }
    const { rows } = await stage.admin.query<{ id: string }>('select app.found_organisation($1, $1, $1, null) as id', [slug])
    const id = rows[0]?.id ?? ''
    const root = await run(`insert into app.chapters (org_id, name, code) values ($1, 'Root', 'Root') returning id`)
    await run(
      `insert into app.webhook_endpoints (org_id, name, url, event_types) values ($1, 'All', 'https://hooks.example.org', $2) returning id`,
      types.filter((type) => type.startsWith(`${kind}.`)),
    )
    return { id, root, run }
  }
  const person = ({ run }: Org) =>
    run(`insert into app.people (org_id, given_name, family_name) values ($1, 'Canary', 'Yellow') returning id`)
  const told = (rows: { type: string; record_version: number }[]) => rows.map(({ type, record_version }) => `${type} ${record_version}`)

  test('of people, with ids and versions and no names', async () => {
    const rows = await eventsOf('person', async (org) => {
      const id = await person(org)
      await org.run(`update app.people set job_title = 'Canary keeper' where org_id = $1 and id = $2`, id)
      await org.run(
        `insert into app.person_emails (org_id, person_id, address, is_primary) values ($1, $2, 'canary@example.org', true)`,
        id,
      )
      await org.run(`update app.people set deleted_at = now() where org_id = $1 and id = $2`, id)
      await org.run(`update app.people set lifecycle = 'erased', deleted_at = null where org_id = $1 and id = $2`, id)
      await org.run(`delete from app.people where org_id = $1 and id = $2`, id)
      const gone = await person(org)
      await org.run(`delete from app.people where org_id = $1 and id = $2`, gone)
    })
    expect(told(rows)).toEqual([
      'person.created 1',
      'person.updated 2',
      'person.updated 2',
      'person.archived 3',
      'person.erased 4',
      'person.created 1',
      'person.erased 1',
    ])
    expect(JSON.stringify(rows).toLowerCase()).not.toContain('canary')
    expect(Object.keys(rows[0]?.data ?? {}).sort()).toEqual(['homeChapterId', 'mergedInto', 'personId', 'version'])
  })

  test('of somebody who comes with an address in one transaction once', async () => {
    const rows = await eventsOf('person', ({ run }) =>
      run(
        `with p as (insert into app.people (org_id, given_name) values ($1, 'New') returning id)
         insert into app.person_emails (org_id, person_id, address, is_primary) select $1, id, 'new@example.org', true from p`,
      ),
    )
    expect(told(rows)).toEqual(['person.created 1'])
  })

  test('of affiliations', async () => {
    const rows = await eventsOf('affiliation', async (org) => {
      const id = await person(org)
      const one = await org.run(
        `insert into app.affiliations (org_id, person_id, chapter_id, starts_on) values ($1, $2, $3, '2020-01-01') returning id`,
        id,
        org.root,
      )
      await org.run(`update app.affiliations set ends_on = '2026-06-30' where org_id = $1 and id = $2`, one)
    })
    expect(told(rows)).toEqual(['affiliation.started 1', 'affiliation.ended 2'])
    expect(rows[1]?.data).toMatchObject({ kind: 'member', startsOn: '2020-01-01', endsOn: '2026-06-30' })
  })

  test('of memberships: each way from one state to the next', async () => {
    const rows = await eventsOf('membership', async (org) => {
      const id = await person(org)
      const type = await org.run(
        `insert into app.membership_types (org_id, name, period, months, price_amount, price_currency) values ($1, 'Full', 'rolling', 12, 0, 'EUR') returning id`,
      )
      const one = await org.run(
        `insert into app.memberships (org_id, person_id, type_id, status) values ($1, $2, $3, 'awaiting_approval') returning id`,
        id,
        type,
      )
      for (const set of [
        `status = 'active', starts_on = '2026-01-01', ends_on = '2026-12-31'`,
        `auto_renew = false`,
        `ends_on = '2027-12-31'`,
        `status = 'lapsed'`,
        `status = 'active', ends_on = '2028-12-31'`,
        `status = 'cancelled'`,
      ])
        await org.run(`update app.memberships set ${set} where org_id = $1 and id = $2`, one)
    })
    expect(rows.map(({ type }) => type)).toEqual([
      'membership.applied',
      'membership.activated',
      'membership.renewed',
      'membership.lapsed',
      'membership.renewed',
      'membership.cancelled',
    ])
  })

  test('of events and registrations; drafts are told to nobody', async () => {
    const event = ({ run }: Org) =>
      run(
        `insert into app.events (org_id, title, venue_name, starts_at, ends_at, timezone) values ($1, 'Secret title', 'Secret hall', now() + interval '1 day', now() + interval '2 days', 'UTC') returning id`,
      )
    const rows = await eventsOf('event', async (org) => {
      const id = await event(org)
      for (const set of [
        `summary = 'Draft'`,
        `status = 'published', published_at = now()`,
        `summary = 'Public'`,
        `status = 'cancelled', cancelled_at = now()`,
      ])
        await org.run(`update app.events set ${set} where org_id = $1 and id = $2`, id)
    })
    expect(rows.map(({ type }) => type)).toEqual(['event.published', 'event.updated', 'event.cancelled'])
    expect(JSON.stringify(rows)).not.toMatch(/Secret|Public|Draft/)
    const archived = await eventsOf('event', async (org) => {
      const id = await event(org)
      for (const set of [
        `status = 'published', published_at = now()`,
        `status = 'archived', archived_at = now()`,
        `status = 'published', archived_at = null`,
        `status = 'cancelled', cancelled_at = now()`,
        `status = 'archived', archived_at = now()`,
        `status = 'cancelled', archived_at = null`,
      ])
        await org.run(`update app.events set ${set} where org_id = $1 and id = $2`, id)
      // As dates of a series are made.
      await org.run(
        `insert into app.events (org_id, title, venue_name, starts_at, ends_at, timezone, status, published_at)
         values ($1, 'Next', 'Hall', now() + interval '1 day', now() + interval '2 days', 'UTC', 'published', now())`,
      )
    })
    expect(archived.map(({ type }) => type)).toEqual(['event.published', 'event.updated', 'event.cancelled', 'event.published'])
    const registered = await eventsOf('registration', async (org) => {
      const id = await event(org)
      await org.run(`update app.events set status = 'published', published_at = now() where org_id = $1 and id = $2`, id)
      for (const set of [
        `status = 'checked_in', cause = 'checked_in', checked_in_at = now()`,
        `status = 'cancelled', cause = 'cancelled', cancelled_at = now()`,
      ]) {
        const one = await org.run(
          `insert into app.registrations (org_id, event_id, status, cause, name, email, price_amount, price_currency, confirmed_at)
           values ($1, $2, 'confirmed', 'registered', 'Canary', app.uuid7() || '@canary.example', 0, 'EUR', now()) returning id`,
          id,
        )
        await org.run(`update app.registrations set ${set} where org_id = $1 and id = $2`, one)
      }
    })
    expect(registered.map(({ type }) => type)).toEqual([
      'registration.created',
      'registration.checked_in',
      'registration.created',
      'registration.cancelled',
    ])
    expect(JSON.stringify(registered)).not.toMatch(/canary/i)
  })

  test('of gifts, without donor and amount', async () => {
    const rows = await eventsOf('gift', async ({ run }) => {
      const id = await run(
        `with f as (insert into app.funds (org_id, name) values ($1, 'General') returning id),
           g as (insert into app.gifts (org_id, donor_name, amount, currency, method, source) values ($1, 'Canary', 5000, 'EUR', 'cash', 'office') returning id)
         insert into app.gift_allocations (org_id, gift_id, fund_id, amount) select $1, g.id, f.id, 5000 from f, g returning gift_id as id`,
      )
      await run(`update app.gifts set status = 'settled', received_on = current_date, settled_at = now() where org_id = $1 and id = $2`, id)
      await run(`update app.gifts set status = 'partly_refunded', refunded_amount = 1000 where org_id = $1 and id = $2`, id)
    })
    expect(rows.map(({ type }) => type)).toEqual(['gift.settled', 'gift.refunded'])
    const tested = await eventsOf('gift', ({ run }) =>
      run(
        `with f as (insert into app.funds (org_id, name) values ($1, 'General') returning id),
           g as (insert into app.gifts (org_id, amount, currency, method, source, status, received_on, settled_at, is_test, counts) values ($1, 5000, 'EUR', 'card', 'page', 'settled', current_date, now(), true, false) returning id)
         insert into app.gift_allocations (org_id, gift_id, fund_id, amount) select $1, g.id, f.id, 5000 from f, g`,
      ),
    )
    expect(tested).toEqual([])
    expect(JSON.stringify(rows)).not.toMatch(/canary|5000/i)
  })

  test('of chapters and groups', async () => {
    const rows = await eventsOf('chapter', async ({ run, root }) => {
      const id = await run(`insert into app.chapters (org_id, parent_id, name, code) values ($1, $2, 'New', 'New') returning id`, root)
      await run(`update app.chapters set city = 'Lyon' where org_id = $1 and id = $2`, id)
      await run(`update app.chapters set status = 'closed', closed_on = current_date where org_id = $1 and id = $2`, id)
    })
    expect(rows.map(({ type }) => type)).toEqual(['chapter.created', 'chapter.updated', 'chapter.closed'])
    const groups = await eventsOf('group', async ({ run }) => {
      const id = await run(`insert into app.groups (org_id, name) values ($1, 'Choir') returning id`)
      await run(`update app.groups set phone = '1' where org_id = $1 and id = $2`, id)
      await run(`update app.groups set archived_at = now() where org_id = $1 and id = $2`, id)
    })
    expect(groups.map(({ type }) => type)).toEqual(['group.created', 'group.updated', 'group.archived'])
  })

  test('of messages that were sent', async () => {
    const rows = await eventsOf('message', async ({ run }) => {
      const id = await run(`insert into app.messages (org_id, name) values ($1, 'News') returning id`)
      for (const set of [`status = 'sending', send_at = now(), started_at = now()`, `status = 'sent', finished_at = now()`])
        await run(`update app.messages set ${set} where org_id = $1 and id = $2`, id)
    })
    expect(rows.map(({ type }) => type)).toEqual(['message.sent'])
  })

  test('only where somebody wants it, and not of another organisation or of a change that was rolled back', async () => {
    const wants = await found('gift')
    const id = await person(wants)
    await wants.run(`update app.people set job_title = 'x' where org_id = $1 and id = $2`, id)
    const other = await found('person')
    const client = await stage.admin.connect()
    await client.query('begin')
    await client.query(`insert into app.people (org_id, given_name) values ($1, 'Undone')`, [other.id])
    await client.query('rollback')
    client.release()
    const { rows } = await stage.admin.query('select from app.webhook_events where org_id = any ($1)', [[wants.id, other.id]])
    expect(rows).toEqual([])
  })

  test('and a delivery for each endpoint that there is by then, a portion at a time', async () => {
    const wants = await found('person')
    const client = await stage.admin.connect()
    await client.query('begin')
    await client.query('select now()')
    // Made while the change is under way, and before it is written.
    await wants.run(
      `insert into app.webhook_endpoints (org_id, name, url, event_types) values ($1, 'Late', 'https://hooks.example.org', '{person.created}') returning id`,
    )
    for (let nth = 0; nth < 3; nth += 1) await client.query(`insert into app.people (org_id, given_name) values ($1, 'Slow')`, [wants.id])
    await client.query('commit')
    await client.query('begin')
    await client.query(`update app.webhook_events set fanned_at = now() where fanned_at is null and org_id <> $1`, [wants.id])
    await client.query(`create or replace function app_private.worker_only() returns void language sql as 'select'`)
    const { rows } = await client.query<{ seen: number }>('select app.fan_out_webhooks(100) as seen')
    const made = await client.query<{ name: string; n: number }>(
      `select e.name, count(*)::int as n from app.webhook_deliveries d join app.webhook_endpoints e on e.id = d.endpoint_id where d.org_id = $1 group by 1 order by 1`,
      [wants.id],
    )
    await client.query('rollback')
    client.release()
    expect([rows[0]?.seen, made.rows]).toEqual([
      2,
      [
        { name: 'All', n: 2 },
        { name: 'Late', n: 2 },
      ],
    ])
  })

  test('of 5,000 people in one statement, each with its own line', async () => {
    const { id, run } = await found('person')
    await run(`insert into app.people (org_id, given_name, family_name) select $1, 'Bulk', n::text from generate_series(1, 5000) n`)
    const { rows } = await stage.admin.query<{ n: number }>(
      'select count(distinct record_id)::int as n from app.webhook_events where org_id = $1',
      [id],
    )
    expect(rows[0]?.n).toBe(5_000)
  })
})
