import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { truncate, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { dirname, join } from 'node:path'
import { mkdir } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { test } from '../../testing.ts'
import type { Variant } from '../../testing.ts'
import { hostileProvider, orgClaim } from '../sign-in/provider-testing.ts'
import type { HostileProvider } from '../sign-in/provider-testing.ts'

let provider: HostileProvider
beforeAll(async () => {
  provider = await hostileProvider()
})
afterAll(() => provider.stop())

type Member = { org: string; accountId: string; subject: string; token: string }
type Stage = {
  server: Variant
  address: string
  /** Somebody who may export people, by a grant. */
  member(): Promise<Member>
  /** A file of 256 MB that is theirs to download. */
  exported(member: Member): Promise<string>
  revoke: Record<'suspend' | 'delete' | 'remove the role of' | 'sign out' | 'leave alone', (member: Member) => Promise<unknown>>
}

const staged = test.extend<{ stage: Stage }>({
  stage: async ({ variant, organisation, admin }, use) => {
    const org = await organisation()
    const server = await variant({ ISSUER: provider.issuer })
    await use({
      server,
      address: await server.app.listen({ port: 0 }),
      async member() {
        const subject = randomUUID()
        const { rows } = await admin.query<{ id: string }>(
          `insert into app.accounts (org_id, issuer, subject, status) values ($1, $2, $3, 'active') returning id`,
          [org.id, provider.issuer, subject],
        )
        const accountId = rows[0]?.id ?? ''
        await admin.query(
          `insert into app.grants (org_id, account_id, role_id, scope_kind, starts_on) select $1, $2, id, 'org', '2020-01-01' from app.roles where org_id = $1 and key = 'chapter-admin'`,
          [org.id, accountId],
        )
        const iat = Math.floor(Date.now() / 1000) - 5
        return { org: org.id, accountId, subject, token: await provider.accessToken({ sub: subject, [orgClaim]: org.id, iat }) }
      },
      async exported({ accountId }) {
        const id = randomUUID()
        const key = `exports/${id}.csv`
        const job = await admin.query<{ id: string }>(
          `insert into app.job_progress (org_id, account_id, kind, title, status) values ($1, $2, 'export', 'x', 'done') returning id`,
          [org.id, accountId],
        )
        await admin.query(
          `insert into app.exports (org_id, id, account_id, list, format, spec, job_id, file_key) values ($1, $2, $3, 'people', 'csv', '{"columns":["displayName"],"selection":{"all":{}}}', $4, $5)`,
          [org.id, id, accountId, job.rows[0]?.id, key],
        )
        const path = join(server.services.config.FILES_DIR, key)
        await mkdir(dirname(path), { recursive: true })
        await writeFile(path, '')
        await truncate(path, 256 * 1024 * 1024)
        return `/actions/exports/${id}/file`
      },
      revoke: {
        suspend: ({ accountId }) => admin.query(`update app.accounts set status = 'suspended' where id = $1`, [accountId]),
        delete: ({ accountId }) => admin.query('delete from app.accounts where id = $1', [accountId]),
        'remove the role of': ({ accountId }) => admin.query('delete from app.grants where account_id = $1', [accountId]),
        'sign out': async ({ subject }) =>
          server.app.inject({
            method: 'POST',
            url: '/auth/backchannel-logout',
            payload: `logout_token=${await provider.logoutToken({ sub: subject })}`,
            headers: { 'content-type': 'application/x-www-form-urlencoded' },
          }),
        'leave alone': async () => {},
      },
    })
  },
})

async function open(address: string, path: string, token: string): Promise<IncomingMessage> {
  const asked = request(`${address}${path}`, { headers: { authorization: `Bearer ${token}` } }).end()
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  answer.on('error', () => {})
  return answer
}

const secondsUntilEnd = async (answer: IncomingMessage, patience: number): Promise<number | null> => {
  const start = performance.now()
  const ended = new Promise<number>((resolve) => answer.once('close', () => resolve((performance.now() - start) / 1000)))
  const gaveUp = new Promise<null>((resolve) => setTimeout(resolve, patience * 1000, null))
  return Promise.race([ended, gaveUp])
}

/** Reads slowly enough that nothing is over by itself. */
function trickle(answer: IncomingMessage): void {
  answer.on('data', () => {
    answer.pause()
    setTimeout(() => answer.resume(), 50)
  })
}

describe.concurrent('A14: what is under way ends within five seconds', () => {
  for (const how of ['suspend', 'delete', 'remove the role of', 'sign out'] as const) {
    staged(`a download, when you ${how} its reader`, async ({ stage, expect: expected }) => {
      const member = await stage.member()
      const answer = await open(stage.address, await stage.exported(member), member.token)
      expected(answer.statusCode).toBe(200)
      trickle(answer)
      await new Promise((resolve) => setTimeout(resolve, 1_500))
      await stage.revoke[how](member)
      const waited = await secondsUntilEnd(answer, 7)
      expected(waited).not.toBeNull()
      expected(waited).toBeLessThan(5)
      expected(answer.complete).toBe(false)
    })
  }

  staged('and nothing ends for a reader who is left alone (the control)', async ({ stage, expect: expected }) => {
    const member = await stage.member()
    const download = await open(stage.address, await stage.exported(member), member.token)
    trickle(download)
    await stage.revoke['leave alone'](member)
    expected(await secondsUntilEnd(download, 6)).toBeNull()
    download.destroy()
  })
})

staged('a file that was exported is not handed out once the right to export is gone', async ({ stage }) => {
  const member = await stage.member()
  const path = await stage.exported(member)
  await stage.revoke['remove the role of'](member)
  expect(await stage.server.as(member.token).get(path)).toMatchObject({ status: 403, body: { reason: 'export' } })
})
