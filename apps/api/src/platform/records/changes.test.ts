import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { describe, expect } from 'vitest'
import { test } from '../../testing.ts'
import type { TestPerson } from '../../testing.ts'
import { follow } from './changes-testing.ts'
import type { Follower } from './changes-testing.ts'

const is = (type: string) => (event: { type: string }) => event.type === type

/** Two servers over one database, and somebody who follows at the first. */
const staged = test.extend<{
  servers: { address: string; services: { changes: { open(): number } }; close(): Promise<void> }[]
  following: (who: TestPerson | { token: string }, server?: number) => Promise<Follower>
}>({
  servers: async ({ variant }, use) => {
    const made = await Promise.all([variant({}), variant({})])
    await use(
      await Promise.all(
        made.map(async ({ app, services }) => ({ address: await app.listen({ port: 0 }), services, close: () => app.close() })),
      ),
    )
  },
  following: async ({ servers }, use) => {
    const made: Follower[] = []
    await use(async ({ token }, server = 0) => {
      const follower = await follow(servers[server]?.address ?? '', token)
      made.push(follower)
      return follower
    })
    for (const follower of made) follower.leave()
  },
})

async function newJob(admin: pg.Pool, { orgId, accountId }: TestPerson) {
  const { rows } = await admin.query<{ id: string }>(
    `insert into app.job_progress (org_id, account_id, kind, title) values ($1, $2, 'export', 'Export of people') returning id`,
    [orgId, accountId],
  )
  return rows[0]?.id ?? ''
}
const move = (admin: pg.Pool, id: string, done: number, status = 'running') =>
  admin.query('update app.job_progress set done = $2, status = $3 where id = $1', [id, done, status])

/** Ends the connections that listen, as a restart of the database does. */
const cutOff = (admin: pg.Pool) =>
  admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query in ('select 1', 'listen "guildhall"')`,
  )

describe('what is told', () => {
  staged('begins with “ready”, is not compressed, and is kept by nobody on the way', async ({ following, person }) => {
    const follower = await following(await person())
    expect(follower.status).toBe(200)
    expect(await follower.until(is('ready'))).toEqual({ type: 'ready' })
    expect(follower.headers.get('content-type')).toBe('text/event-stream')
    expect(follower.headers.get('cache-control')).toBe('no-store')
    expect(follower.headers.get('content-encoding')).toBeNull()
  })

  staged(
    'is how far one’s own jobs are, and nobody else’s, whichever server is asked',
    async ({ following, person, organisation, admin }) => {
      const org = await organisation()
      const [ada, ben] = [await person({ org }), await person({ org, idpRoles: ['org-owner'] })]
      const hers = [await following(ada, 0), await following(ada, 1)]
      const his = await following(ben)
      for (const follower of [...hers, his]) await follower.until(is('ready'))
      const id = await newJob(admin, ada)
      await move(admin, id, 7)
      await move(admin, id, 12, 'done')
      for (const follower of hers) {
        expect(await follower.until((event) => event.type === 'job' && event.job.status === 'done')).toMatchObject({
          job: { id, done: 12 },
        })
      }
      await sleep(700)
      expect(his.events.filter(is('job'))).toEqual([])
    },
  )

  staged('is the state of the moment, however often it changed meanwhile', async ({ following, person, admin }) => {
    const ada = await person()
    const follower = await following(ada)
    await follower.until(is('ready'))
    const id = await newJob(admin, ada)
    for (let done = 1; done <= 200; done++) await move(admin, id, done)
    await follower.until((event) => event.type === 'job' && event.job.done === 200)
    expect(follower.events.length).toBeLessThan(40)
  })

  staged('goes on for a page that is loaded again before the stream it had is over', async ({ servers, following, person, admin }) => {
    const ada = await person()
    const first = await following(ada)
    await first.until(is('ready'))
    await move(admin, await newJob(admin, ada), 1)
    await first.until(is('job'))
    // Told just now, so that it rests and notices later that its reader is gone.
    first.leave()
    while (servers[0]?.services.changes.open() !== 0) await sleep(1)
    const second = await following(ada)
    await second.until(is('ready'))
    await sleep(700)
    const id = await newJob(admin, ada)
    await move(admin, id, 3)
    expect(await second.until((event) => event.type === 'job' && event.job.id === id)).not.toBeNull()
  })

  staged('is nothing of what was rolled back', async ({ following, person, admin }) => {
    const ada = await person()
    const follower = await following(ada)
    await follower.until(is('ready'))
    const client = await admin.connect()
    await client.query('begin')
    await client.query(`insert into app.job_progress (org_id, account_id, kind, title) values ($1, $2, 'export', 'x')`, [
      ada.orgId,
      ada.accountId,
    ])
    await client.query('rollback')
    client.release()
    await sleep(700)
    expect(follower.events.filter(is('job'))).toEqual([])
  })

  describe('rights', () => {
    staged('that were given and taken back', async ({ following, person, admin }) => {
      const ada = await person()
      const follower = await following(ada)
      await follower.until(is('ready'))
      const told = async (nth: number) => {
        await expect.poll(() => follower.events.filter(is('rights')).length, { timeout: 5_000 }).toBe(nth)
      }
      await admin.query(
        `insert into app.grants (org_id, account_id, role_id, scope_kind, starts_on) select $1, $2, id, 'org', '2020-01-01' from app.roles where org_id = $1 and key = 'chapter-admin'`,
        [ada.orgId, ada.accountId],
      )
      await told(1)
      await admin.query(`delete from app.role_permissions where org_id = $1 and role_id = (select id from app.roles where org_id = $1 and key = 'chapter-admin') and permission = 'people.write'`, [ada.orgId]) // prettier-ignore
      await told(2)
      await admin.query('delete from app.grants where account_id = $1', [ada.accountId])
      await told(3)
      await admin.query('delete from app.affiliations where person_id = $1', [ada.personId])
      await told(4)
    })

    staged('not where nothing changes for the reader', async ({ following, person, organisation, admin }) => {
      const org = await organisation()
      const [ada, ben] = [await person({ org }), await person({ org })]
      const follower = await following(ada)
      await follower.until(is('ready'))
      await admin.query(
        `insert into app.grants (org_id, account_id, role_id, scope_kind, starts_on) select $1, $2, id, 'org', '2020-01-01' from app.roles where org_id = $1 and key = 'chapter-admin'`,
        [org.id, ben.accountId],
      )
      await admin.query(`update app.organisations set name = 'Another' where org_id = $1`, [org.id])
      await sleep(2_500)
      expect(follower.events.filter(is('rights'))).toEqual([])
    })
  })
})

describe('G13 A14: a stream ends within five seconds', () => {
  const ends = {
    suspended: (admin: pg.Pool, { accountId }: TestPerson) =>
      admin.query(`update app.accounts set status = 'suspended' where id = $1`, [accountId]),
    no_account: (admin: pg.Pool, { accountId }: TestPerson) => admin.query('delete from app.accounts where id = $1', [accountId]),
    signed_out: (admin: pg.Pool, { accountId }: TestPerson) =>
      admin.query(`update app.accounts set tokens_valid_after = now() + interval '2 seconds' where id = $1`, [accountId]),
    pending: (admin: pg.Pool, { accountId }: TestPerson) =>
      admin.query(`update app.accounts set status = 'pending_link' where id = $1`, [accountId]),
  }
  for (const [reason, end] of Object.entries(ends)) {
    staged(`${reason}, with its reason`, async ({ following, person, admin }) => {
      const ada = await person()
      const follower = await following(ada)
      await follower.until(is('ready'))
      await end(admin, ada)
      expect(await follower.secondsToEnd(7)).toBeLessThan(5)
      expect(follower.events.at(-1)).toEqual({ type: 'ended', reason })
    })

    staged(`${reason}, even where nothing is told of it (the second guard)`, async ({ following, person, admin }) => {
      const ada = await person()
      const follower = await following(ada)
      await follower.until(is('ready'))
      await admin.query('alter table app.accounts disable trigger user')
      await end(admin, ada).finally(() => admin.query('alter table app.accounts enable trigger user'))
      expect(await follower.secondsToEnd(7)).toBeLessThan(5)
    })
  }

  staged('with its access token', async ({ following, person, token }) => {
    const exp = Math.floor(Date.now() / 1000) + 4
    const follower = await following({ token: await token(await person(), { exp }) })
    await follower.until(is('ready'))
    expect(await follower.secondsToEnd(8)).toBeLessThan(6)
    expect(follower.events.at(-1)).toEqual({ type: 'ended', reason: 'expired' })
  })

  staged('and goes on for whoever is left alone (the control)', async ({ following, person, admin }) => {
    const [ada, ben] = [await person(), await person()]
    const follower = await following(ada)
    await follower.until(is('ready'))
    await admin.query(`update app.accounts set status = 'suspended' where id = $1`, [ben.accountId])
    expect(await follower.secondsToEnd(7)).toBeNull()
  })

  staged('nothing is told after it', async ({ following, person, admin }) => {
    const ada = await person()
    const follower = await following(ada)
    await follower.until(is('ready'))
    await admin.query(`update app.accounts set status = 'suspended' where id = $1`, [ada.accountId])
    await newJob(admin, ada)
    await follower.secondsToEnd(7)
    expect(follower.events.filter(is('job'))).toEqual([])
  })
})

describe('it is bounded', () => {
  staged('ten streams of an account at a server; one that is left makes room', async ({ following, person }) => {
    const ada = await person()
    const followers: Follower[] = []
    for (let nth = 0; nth < 10; nth++) followers.push(await following(ada))
    expect(followers.map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect((await following(ada)).status).toBe(429)
    expect((await following(await person())).status).toBe(200)
    followers[0]?.leave()
    await expect.poll(async () => (await following(ada)).status, { timeout: 5_000 }).toBe(200)
  })

  staged('a reader that does not read costs nobody anything', async ({ servers, person, admin }) => {
    const ada = await person()
    const server = servers[0]
    const { port } = new URL(server?.address ?? '')
    const socket = connect({ port: Number(port), host: 'localhost' })
    await once(socket, 'connect')
    socket.pause()
    socket.write(`GET /data/me/changes HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${ada.token}\r\n\r\n`)
    await expect.poll(() => server?.services.changes.open(), { timeout: 5_000 }).toBe(1)
    for (let nth = 0; nth < 120; nth++) await newJob(admin, ada)
    socket.destroy()
    await expect.poll(() => server?.services.changes.open(), { timeout: 5_000 }).toBe(0)
  })

  test('without a token it is refused like everything else', async ({ api, person }) => {
    expect((await api.as(null).get('/data/me/changes')).status).toBe(401)
    expect((await api.as(await person({ status: 'suspended' })).get('/data/me/changes')).status).toBe(403)
    expect((await api.as(await person()).get('/data/me/changes?access_token=x')).status).toBe(400)
  })
})

describe('when something goes away', () => {
  staged('the connection that listens comes back, and what was missed is looked for', async ({ following, person, admin }) => {
    const [ada, ben] = [await person(), await person()]
    const [hers, his] = [await following(ada), await following(ben)]
    for (const follower of [hers, his]) await follower.until(is('ready'))
    await cutOff(admin)
    await admin.query(`update app.accounts set status = 'suspended' where id = $1`, [ben.accountId])
    await expect.poll(() => hers.events.filter(is('ready')).length, { timeout: 8_000 }).toBe(2)
    expect(await his.secondsToEnd(5)).not.toBeNull()
    const id = await newJob(admin, ada)
    expect(await hers.until(is('job'))).toMatchObject({ job: { id } })
  })

  staged('a server that stops ends its streams at once and takes no more; the other one does', async ({ servers, following, person }) => {
    const ada = await person()
    const follower = await following(ada)
    await follower.until(is('ready'))
    const closing = servers[0]?.close()
    expect(await follower.secondsToEnd(5)).toBeLessThan(2)
    await closing
    expect((await following(ada, 1)).status).toBe(200)
  })
})
