import type { Export, ExportedList } from '@guildhall/contract/features/lists'
import readXlsxFile from 'read-excel-file/node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { jobHandlers } from '../../src/jobs.ts'
import { startJobs } from '../../src/platform/jobs/jobs.ts'
import type { RunningJobs } from '../../src/platform/jobs/jobs.ts'
import { mailTemplates } from '../../src/mails.ts'
import type { Mail } from '../../src/platform/mail/mail.ts'
import { startOutbox } from '../../src/platform/mail/outbox.ts'
import type { Outbox } from '../../src/platform/mail/outbox.ts'
import { createServices } from '../../src/platform/services.ts'
import type { Services } from '../../src/platform/services.ts'
import { send } from '../calls.ts'
import { setStage } from '../stage.ts'
import type { Caller, Stage } from '../stage.ts'
import { canariesIn, maySee } from './canaries.ts'

let stage: Stage
let services: Services
let jobs: RunningJobs
let outbox: Outbox
const mails: Mail[] = []

beforeAll(async () => {
  stage = await setStage('isolation')
  const { config, log } = stage.world.services
  const url = config.WORKER_DATABASE_URL ?? config.DATABASE_URL
  services = createServices(config, log, url)
  const mailer = { send: async (mail: Mail) => void mails.push(mail), check: async () => undefined, close: () => undefined }
  jobs = await startJobs({ url, handlers: jobHandlers({ ...services, mailer }), log })
  outbox = startOutbox({ ...services, mailer }, mailTemplates)
})
afterAll(async () => {
  await jobs.stop()
  await outbox.stop()
  await services.close()
  await stage.end()
})

const lists: ExportedList[] = ['people', 'groups', 'chapters', 'group_members', 'memberships', 'invoices', 'registrations', 'announcements']
const as = (caller: Caller, method: 'GET' | 'POST', url: string, body?: unknown) =>
  send(stage, { method, url, headers: {}, ...(body === undefined ? {} : { body }) }, caller.token)

async function fileOf(caller: Caller, made: Export): Promise<string> {
  for (;;) {
    const { job } = JSON.parse((await as(caller, 'GET', `/data/exports/${made.id}`)).body) as Export
    if (job.status === 'failed') throw new Error(`${caller.principal}: ${job.error?.detail ?? ''}`)
    if (job.status === 'done') break
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const { rawPayload } = await stage.world.app.inject({
    method: 'GET',
    url: `/actions/exports/${made.id}/file`,
    headers: { authorization: `Bearer ${caller.token ?? ''}` },
  })
  return made.format === 'csv' ? rawPayload.toString() : JSON.stringify(await readXlsxFile(rawPayload))
}

test('a file holds what its maker may see and nothing else, in any list, column and format', { timeout: 600_000 }, async () => {
  const findings: string[] = []
  const makers = Object.values(stage.callers).filter(({ token }) => token)
  const asked = await Promise.all(
    makers.flatMap((caller) =>
      lists.map(async (list) => {
        const { items } = JSON.parse((await as(caller, 'GET', `/data/exports/columns?list=${list}`)).body) as { items?: { key: string }[] }
        const format = caller.principal === 'owner' ? 'xlsx' : 'csv'
        const groupId = list === 'group_members' ? { groupId: stage.places.west['groupId'] } : {}
        const columns = items?.map(({ key }) => key) ?? ['displayName']
        const answer = await as(caller, 'POST', '/actions/exports', {
          list,
          format,
          columns,
          selection: { all: {}, except: [] },
          reason: 'Proof',
          ...groupId,
        })
        return { caller, list, answer }
      }),
    ),
  )
  const made = asked.filter(({ answer }) => answer.status === 202)
  for (const { caller, list, answer } of made) {
    const canaries = canariesIn(await fileOf(caller, JSON.parse(answer.body) as Export))
    for (const canary of canaries)
      if (!maySee(caller.principal, canary)) findings.push(`${caller.principal} exported ${canary.kind} of ${canary.at} with ${list}`)
    // A leader exports who comes to events of the group, which has none here.
    if (canaries.length === 0 && !(caller.principal === 'leader' && list === 'registrations'))
      findings.push(`${caller.principal} exported nothing of ${list}`)
  }
  expect(findings).toEqual([])
  expect(made.map(({ caller, list }) => `${caller.principal} ${list}`).sort()).toEqual(
    [
      ...['officer', 'admin', 'owner', 'stranger'].flatMap((who) =>
        lists.filter((list) => !(who === 'stranger' && list === 'group_members')).map((list) => `${who} ${list}`),
      ),
      'leader group_members',
      'leader registrations',
      'leader announcements',
      'communications announcements',
      'events registrations',
      'finance invoices',
    ].sort(),
  )
})

test('a selection of rows of another organisation exports none of them', async () => {
  const { owner } = stage.callers
  const ids = [stage.places.foreign['personId'], stage.places.west['personId']]
  const answer = await as(owner, 'POST', '/actions/exports', {
    list: 'people',
    format: 'csv',
    columns: ['displayName'],
    selection: { ids },
  })
  const file = await fileOf(owner, JSON.parse(answer.body) as Export)
  expect(canariesIn(file)).toEqual([{ kind: 'directory', at: 'west' }])
})

test('mails go to people of the own organisation and say nothing of another', { timeout: 60_000 }, async () => {
  const { owner, anonymous, stranger } = stage.callers
  await as(anonymous, 'POST', '/actions/site/contact', { name: 'Ada', email: 'ada@example.org', topic: 'Joining', message: 'How?' })
  expect((await as(owner, 'POST', '/data/accounts', { email: 'new@example.org' })).status).toBe(201)
  expect((await as(stranger, 'POST', '/data/accounts', { email: 'new@example.net' })).status).toBe(201)
  await expect
    .poll(() => mails.map(({ to }) => to), { timeout: 30_000 })
    .toEqual(expect.arrayContaining(['new@example.org', 'new@example.net']))
  await expect.poll(() => mails.length, { timeout: 30_000 }).toBeGreaterThanOrEqual(3)
  for (const mail of mails) {
    const ours = mail.to !== 'new@example.net'
    const abroad = canariesIn(JSON.stringify(mail)).filter(({ at }) => (at === 'foreign' || at === 'stranger') === ours)
    expect(abroad, mail.to).toEqual([])
  }
})

test('no line of the log holds a name, an address, a token or anything else that people entered', () => {
  const log = stage.logged.join('')
  expect(log).toContain('"msg":"request"')
  expect(canariesIn(log)).toEqual([])
  for (const { token } of Object.values(stage.callers)) if (token) expect(log.includes(token)).toBe(false)
  expect(log).not.toContain('ada@example.org')
})
