import { randomUUID } from 'node:crypto'
import type { ReportSchedule, SavedReport } from '@guildhall/contract/features/reports'
import { parse } from 'csv-parse/sync'
import type pg from 'pg'
import { describe, expect } from 'vitest'
import { mailTemplates } from '../../../mails.ts'
import type { Mail } from '../../../platform/mail/mail.ts'
import { sendDue } from '../../../platform/mail/outbox.ts'
import { runScheduled, tickSchedules } from '../../../platform/schedules/schedules.ts'
import { createServices } from '../../../platform/services.ts'
import type { Services } from '../../../platform/services.ts'
import { test as base } from '../../../testing.ts'
import type { TestOrganisation, TestPerson } from '../../../testing.ts'
import { reportJobs, reportSchedules } from '../reports.jobs.ts'

type Clockwork = {
  worker: Services
  /** Lets the workers look at this time, and work until nothing is left to do for the organisation. */
  at(now: string): Promise<void>
  work(): Promise<void>
  /** What was mailed to this address since it was asked for last. */
  mails(address: string): Promise<Mail[]>
}

const test = base.extend<{ clockwork: (org: TestOrganisation) => Clockwork }>({
  clockwork: async ({ api, admin }, use) => {
    const worker = createServices(api.services.config, api.services.log, api.services.config.WORKER_DATABASE_URL)
    await use((org) => clockworkOf(worker, admin, org))
    await worker.close()
  },
})

function clockworkOf(worker: Services, admin: pg.Pool, org: TestOrganisation): Clockwork {
  const schedules = reportSchedules(worker)
  const handlers = { scheduled: runScheduled(worker, schedules), reports: reportJobs(worker) }
  const job = () => ({ id: randomUUID(), signal: new AbortController().signal })
  const sent: Mail[] = []
  const work = async () => {
    for (;;) {
      const { rows } = await admin.query<{ id: string; name: keyof typeof handlers; data: Record<string, string> }>(
        `select id, name, data from pgboss.job where name in ('scheduled', 'reports') and state = 'created' and $1 in (data ->> 'org', data ->> 'orgId')
           and (name = 'reports' or data ->> 'schedule' = 'reports') order by created_on`,
        [org.id],
      )
      if (rows.length === 0) return
      for (const { id, name, data } of rows) {
        // Twice, and at once: what comes again adds nothing.
        await Promise.all([handlers[name](data, job()), handlers[name](data, job())])
        await admin.query(`update pgboss.job set state = 'completed' where id = $1`, [id])
      }
    }
  }
  return {
    worker,
    work,
    at: async (now) => {
      const tick = () => tickSchedules(worker, schedules, async () => new Date(now))({}, job())
      await Promise.all([tick(), tick()])
      await work()
    },
    mails: async (address) => {
      const mailer = { ...worker.mailer, send: async (mail: Mail) => void sent.push(mail) }
      for (let claimed = 1; claimed > 0;) ({ claimed } = await sendDue({ ...worker, mailer }, mailTemplates))
      const found = sent.filter(({ to }) => to === address)
      sent.splice(0, sent.length, ...sent.filter(({ to }) => to !== address))
      return found
    },
  }
}

const csvOf = (mail: Mail | undefined): string[][] => {
  const file = mail?.attachments?.find(({ name }) => name.endsWith('.csv'))
  return file ? parse(Buffer.from(file.content), { bom: true, relax_column_count: true }) : []
}
const question = { kind: 'own', subject: 'memberships', measures: ['memberships'], groupBy: [{ field: 'chapter' }] }
type Made = { status: number; body: ReportSchedule }

/** One membership in each of two chapters; the owner sees both, an officer of the first only theirs. */
async function stage({
  admin,
  organisation,
  person,
  chapter,
}: {
  admin: pg.Pool
  organisation: () => Promise<TestOrganisation>
  person: (made: object) => Promise<TestPerson>
  chapter: (org: TestOrganisation, name: string) => Promise<string>
}) {
  const org = await organisation()
  // 07:00 in Lisbon is 07:00 UTC in winter; its day is the organisation's.
  await admin.query(`update app.organisations set timezone = 'Europe/Lisbon' where org_id = $1`, [org.id])
  const [west, east] = [await chapter(org, 'West'), await chapter(org, 'East')]
  const type = await admin.query<{ id: string }>(
    `insert into app.membership_types (org_id, name, period, months, price_amount, price_currency) values ($1, 'Full', 'rolling', 12, 1000, 'EUR') returning id`,
    [org.id],
  )
  for (const chapterId of [west, east]) {
    const member = await person({ org, chapterId })
    await admin.query(`insert into app.memberships (org_id, person_id, type_id, chapter_id, status) values ($1, $2, $3, $4, 'active')`, [
      org.id,
      member.personId,
      type.rows[0]?.id,
      chapterId,
    ])
  }
  const mine = `${randomUUID()}@example.org`
  const theirs = `${randomUUID()}@example.org`
  const owner = await person({ org, idpRoles: ['org-owner'], email: mine })
  const officer = await person({ org, chapterId: west, grants: [{ role: 'chapter-admin', chapterId: west }], email: theirs })
  return { org, owner, officer, mine, theirs }
}

describe('a report that is mailed', () => {
  test('reaches each recipient once a day, with what they themselves may see', async ({
    api,
    admin,
    organisation,
    person,
    chapter,
    clockwork,
  }) => {
    const { org, owner, officer, mine, theirs } = await stage({ admin, organisation, person, chapter })
    const as = api.as(owner)
    const report: { body: SavedReport } = await as.post('/data/reports', { name: '=Members', question })
    const made: Made = await as.post('/data/report-schedules', {
      ...{ reportId: report.body.id, cadence: 'daily', formats: ['csv', 'pdf'] },
      accountIds: [owner.accountId, officer.accountId],
    })
    expect(made).toMatchObject({ status: 201, body: { cadence: 'daily', lastSentAt: null, failure: null, pausedAt: null } })
    // Days to come, so that the first run is after the day on which it was made.
    const next = made.body.nextOn
    const clock = clockwork(org)
    await clock.at(`${next}T06:00:00Z`)
    await clock.at(`${next}T06:59:00Z`)
    expect([await clock.mails(mine), await clock.mails(theirs)]).toEqual([[], []])
    await clock.at(`${next}T07:00:30Z`)
    await clock.at(`${next}T07:01:30Z`)
    const [own, others] = [await clock.mails(mine), await clock.mails(theirs)]
    expect([own.length, others.length]).toEqual([1, 1])
    expect(own[0]?.subject).toContain('Members')
    expect(csvOf(own[0]).slice(0, 4)).toEqual([
      ['Chapter', 'Memberships'],
      ['East', '1'],
      ['West', '1'],
      ['Total', '2'],
    ])
    expect(csvOf(others[0]).slice(0, 3)).toEqual([
      ['Chapter', 'Memberships'],
      ['West', '1'],
      ['Total', '1'],
    ])
    expect(csvOf(own[0]).map(([first]) => first)).toContain("'=Members")
    const pdf = own[0]?.attachments?.find(({ name }) => name.endsWith('.pdf'))
    expect(
      Buffer.from(pdf?.content ?? '')
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-')
    const seen: { body: { items: ReportSchedule[] } } = await as.get('/data/report-schedules')
    expect(seen.body.items).toMatchObject([{ id: made.body.id, failure: null, recipients: [{}, {}], version: 1 }])
    expect(seen.body.items[0]?.lastSentAt).not.toBeNull()
    expect((seen.body.items[0]?.nextOn ?? '') > next).toBe(true)
    // Neither the officer nor the audit log knows of the schedule.
    expect(await api.as(officer).get('/data/report-schedules')).toMatchObject({ body: { items: [] } })
  })

  test('is mailed at once to whoever asks, and once where two ask together', async ({
    api,
    admin,
    organisation,
    person,
    chapter,
    clockwork,
  }) => {
    const { org, owner, mine } = await stage({ admin, organisation, person, chapter })
    const as = api.as(owner)
    const report: { body: SavedReport } = await as.post('/data/reports', { name: 'Members', question })
    const made: Made = await as.post('/data/report-schedules', {
      ...{ reportId: report.body.id, cadence: 'monthly', formats: ['csv'], accountIds: [owner.accountId] },
    })
    expect(made.body.nextOn.slice(8)).toBe('01')
    const url = `/actions/report-schedules/${made.body.id}/send`
    const answers = await Promise.all([1, 2].map(() => as.post(url, undefined, { 'if-match': '"1"' })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412])
    const clock = clockwork(org)
    await clock.work()
    expect(await clock.mails(mine)).toHaveLength(1)
    expect(await as.post(url, undefined, { 'if-match': '"2"' })).toMatchObject({ status: 200, body: { version: 3 } })
    await clock.work()
    expect(await clock.mails(mine)).toHaveLength(1)

    // Paused, it waits; going on, it begins with its next day.
    const paused: Made = await as.patch(
      `/data/report-schedules/${made.body.id}`,
      { isPaused: true, cadence: 'daily' },
      { 'if-match': '"3"' },
    )
    expect(paused).toMatchObject({ status: 200, body: { cadence: 'daily', version: 4 } })
    expect(paused.body.pausedAt).not.toBeNull()
    await clock.at(`${made.body.nextOn}T06:00:00Z`)
    await clock.at(`${made.body.nextOn}T07:00:30Z`)
    expect(await clock.mails(mine)).toHaveLength(0)
    expect(await as.patch(`/data/report-schedules/${made.body.id}`, { isPaused: false }, { 'if-match': '"4"' })).toMatchObject({
      body: { pausedAt: null },
    })
    expect(await as.del(`/data/report-schedules/${made.body.id}`, undefined, { 'if-match': '"4"' })).toMatchObject({ status: 412 })
    expect(await as.del(`/data/report-schedules/${made.body.id}`, undefined, { 'if-match': '"5"' })).toMatchObject({ status: 204 })
  })

  test('passes over who lost the right, and says so', async ({ api, admin, organisation, person, chapter, clockwork }) => {
    const { org, owner, officer, mine, theirs } = await stage({ admin, organisation, person, chapter })
    const as = api.as(owner)
    const report: { body: SavedReport } = await as.post('/data/reports', { name: 'Members', question })
    const to = (accountIds: string[]) => ({ reportId: report.body.id, cadence: 'daily', formats: ['csv'], accountIds })
    expect(await api.as(officer).post('/data/report-schedules', to([officer.accountId]))).toMatchObject({ status: 404 })
    expect(await as.post('/data/report-schedules', to([randomUUID()]))).toMatchObject({
      status: 422,
      body: { reason: 'report_recipient_unknown' },
    })
    const made: Made = await as.post('/data/report-schedules', to([owner.accountId, officer.accountId]))
    const url = `/actions/report-schedules/${made.body.id}/send`
    await admin.query('delete from app.grants where account_id = $1', [officer.accountId])
    const clock = clockwork(org)
    await as.post(url, undefined, { 'if-match': '"1"' })
    await clock.work()
    expect([(await clock.mails(mine)).length, (await clock.mails(theirs)).length]).toEqual([1, 0])
    const failureOf = async () => {
      const { body }: { body: { items: ReportSchedule[] } } = await as.get('/data/report-schedules')
      return body.items[0]?.failure
    }
    expect(await failureOf()).toMatchObject({ reason: 'report_recipient_lost_right' })

    // The owner may no longer share: nobody is mailed, and the schedule says why.
    await admin.query(`update app.accounts set idp_roles = '{}' where id = $1`, [owner.accountId])
    await admin.query(
      `insert into app.grants (org_id, account_id, role_id, scope_kind) select $1, $2, r.id, 'org' from app.roles r where r.org_id = $1 and r.key = 'finance'`,
      [org.id, owner.accountId],
    )
    await admin.query(`update app.report_schedules set next_on = '2000-01-01' where org_id = $1`, [org.id])
    await clock.at('2027-03-01T06:00:00Z')
    await clock.at('2027-03-02T07:30:00Z')
    expect([(await clock.mails(mine)).length, (await clock.mails(theirs)).length]).toEqual([0, 0])
    const { rows } = await admin.query<{ reason: string }>(
      `select failure ->> 'reason' as reason from app.report_schedules where org_id = $1`,
      [org.id],
    )
    expect(rows).toEqual([{ reason: 'report_owner_lost_right' }])
  })

  test('is noted with its mail, also by a worker that dies right after', async ({
    api,
    admin,
    organisation,
    person,
    chapter,
    clockwork,
  }) => {
    const { org, owner, mine } = await stage({ admin, organisation, person, chapter })
    const as = api.as(owner)
    const report: { body: SavedReport } = await as.post('/data/reports', { name: 'Members', question })
    const made: Made = await as.post('/data/report-schedules', {
      ...{ reportId: report.body.id, cadence: 'daily', formats: ['csv'], accountIds: [owner.accountId] },
    })
    await as.post(`/actions/report-schedules/${made.body.id}/send`, undefined, { 'if-match': '"1"' })
    const clock = clockwork(org)
    const job = { id: randomUUID(), signal: new AbortController().signal }
    const mail = { kind: 'mail', orgId: org.id, accountId: owner.accountId, scheduleId: made.body.id, slot: 'now-2' }
    await reportJobs(clock.worker)(mail, job)
    const { rows } = await admin.query<{ id: string }>('select id from app.report_runs where org_id = $1', [org.id])
    // What it does without an actor after the answer, it does not live to do.
    const dying = { ...clock.worker.database, withoutActor: () => Promise.reject(new Error('killed')) }
    const run = { kind: 'run', orgId: org.id, accountId: owner.accountId, runId: rows[0]?.id ?? '', own: 'yes' }
    await reportJobs({ ...clock.worker, database: dying })(run, job).catch(() => undefined)
    await clock.work()
    expect(await clock.mails(mine)).toHaveLength(1)
    const { body }: Made = await as.patch(`/data/report-schedules/${made.body.id}`, {}, { 'if-match': '"2"' })
    expect(body.lastSentAt).not.toBeNull()
  })

  test('whose reader lost the right before the mail left goes to nobody', async ({
    api,
    admin,
    organisation,
    person,
    chapter,
    clockwork,
  }) => {
    const { org, owner, officer, theirs } = await stage({ admin, organisation, person, chapter })
    const as = api.as(owner)
    const report: { body: SavedReport } = await as.post('/data/reports', { name: 'Members', question })
    const made: Made = await as.post('/data/report-schedules', {
      ...{ reportId: report.body.id, cadence: 'daily', formats: ['csv'], accountIds: [officer.accountId] },
    })
    await as.post(`/actions/report-schedules/${made.body.id}/send`, undefined, { 'if-match': '"1"' })
    const clock = clockwork(org)
    await clock.work()
    await admin.query('delete from app.grants where account_id = $1', [officer.accountId])
    expect(await clock.mails(theirs)).toEqual([])
    const { rows } = await admin.query(`select state, outcome from app.mail_messages where org_id = $1 and template = 'report'`, [org.id])
    expect(rows).toEqual([{ state: 'suppressed', outcome: 'nothing_to_tell' }])
  })
})
