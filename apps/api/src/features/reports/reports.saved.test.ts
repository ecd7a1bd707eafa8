import type { ReportAnswer, SavedReport } from '@guildhall/contract/features/reports'
import { describe, expect } from 'vitest'
import { test } from '../../testing.ts'

const question = { kind: 'own', subject: 'chapters', measures: ['chapters'], groupBy: [{ field: 'kind' }] }
type One = { status: number; body: SavedReport }
type Many = { status: number; body: { items: SavedReport[] } }

describe('a saved report', () => {
  test('is its maker’s alone until it is shared, also in what administrators read', async ({ api, admin, organisation, person }) => {
    const org = await organisation()
    const finance = await person({ org, grants: [{ role: 'finance' }], givenName: 'Fiona', familyName: 'Ledger' })
    const owner = await person({ org, idpRoles: ['org-owner'] })
    const { status, body }: One = await api.as(finance).post('/data/reports', { name: 'Who pays late', question })
    expect({ status, body }).toMatchObject({
      status: 201,
      body: { name: 'Who pays late', isMine: true, sharedWith: 'me', version: 1, thumbnail: null },
    })
    const url = `/data/reports/${body.id}`
    expect(await api.as(owner).get(url)).toMatchObject({ status: 404 })
    expect((await api.as(owner).get('/data/reports')).text).not.toContain('pays late')
    expect(await api.as(owner).patch(url, { name: 'Mine' }, { 'if-match': '"1"' })).toMatchObject({ status: 404 })
    expect(await api.as(owner).del(url, undefined, { 'if-match': '"1"' })).toMatchObject({ status: 404 })
    expect(await api.as(owner).post(`${url}/place`, { isStarred: true })).toMatchObject({ status: 404 })
    const told = await admin.query('select 1 from app.audit_entries where org_id = $1 and diff::text like $2', [org.id, '%pays late%'])
    expect(told.rows).toEqual([])
    for (const path of ['/data/home', '/data/account/audit']) expect((await api.as(owner).get(path)).text).not.toContain('pays late')

    // Sharing takes a right of its own.
    expect(await api.as(finance).patch(url, { sharedWith: 'organisation' }, { 'if-match': '"1"' })).toMatchObject({ status: 403 })
    expect(await api.as(finance).post('/data/reports', { name: 'For all', question, sharedWith: 'organisation' })).toMatchObject({
      status: 403,
    })
    const shared: One = await api.as(owner).post('/data/reports', { name: 'For all', question, sharedWith: 'organisation' })
    expect(await api.as(finance).get(`/data/reports/${shared.body.id}`)).toMatchObject({
      status: 200,
      body: { isMine: false, may: { edit: false, share: false } },
    })
    expect(await api.as(finance).patch(`/data/reports/${shared.body.id}`, { name: 'Mine' }, { 'if-match': '"1"' })).toMatchObject({
      status: 403,
    })
    const member = await person({ org })
    expect(await api.as(member).get(`/data/reports/${shared.body.id}`)).toMatchObject({ status: 404 })
    expect(await api.as(member).get('/data/reports')).toMatchObject({ status: 403 })
    expect(await api.as(member).post('/data/reports/ask', { question })).toMatchObject({ status: 403 })
  })

  test('is starred and put on the home page by each for themselves, and found by its name', async ({ api, organisation, person }) => {
    const org = await organisation()
    const [owner, other] = [await person({ org, idpRoles: ['org-owner'] }), await person({ org, idpRoles: ['org-admin'] })]
    const made: SavedReport[] = []
    for (const name of ['Béta', 'Alpha', 'Gamma 100%']) {
      const { body }: One = await api.as(owner).post('/data/reports', { name, question, sharedWith: 'organisation' })
      made.push(body)
    }
    const names = async (who: typeof owner, query = '') => {
      const { body }: Many = await api.as(who).get(`/data/reports${query}`)
      return body.items.map(({ name }) => name)
    }
    const id = made[2]?.id ?? ''
    expect(await api.as(other).post(`/data/reports/${id}/place`, { isStarred: true })).toMatchObject({
      body: { isStarred: true, isOnHome: false },
    })
    expect(await api.as(other).post(`/data/reports/${id}/place`, { isOnHome: true })).toMatchObject({
      body: { isStarred: true, isOnHome: true },
    })
    expect(await names(other)).toEqual(['Gamma 100%', 'Alpha', 'Béta'])
    expect(await names(owner)).toEqual(['Alpha', 'Béta', 'Gamma 100%'])
    expect(await names(other, '?home=true')).toEqual(['Gamma 100%'])
    expect(await names(owner, '?home=true')).toEqual([])
    expect(await names(owner, '?q=beta')).toEqual(['Béta'])
    expect(await names(owner, '?q=0%25')).toEqual(['Gamma 100%'])
    const { body: first }: { body: { items: SavedReport[]; nextCursor: string } } = await api.as(other).get('/data/reports?limit=2')
    expect(first.items.map(({ name }) => name)).toEqual(['Gamma 100%', 'Alpha'])
    expect(await names(other, `?limit=2&cursor=${encodeURIComponent(first.nextCursor)}`)).toEqual(['Béta'])
  })

  test('shows each what they saw last, and nothing once it asks something else', async ({ api, organisation, person }) => {
    const org = await organisation()
    const [owner, other] = [await person({ org, idpRoles: ['org-owner'] }), await person({ org, idpRoles: ['org-admin'] })]
    const { body }: One = await api.as(owner).post('/data/reports', { name: 'Kinds', question, sharedWith: 'organisation' })
    // As the page asks it, which names all of the question.
    const { body: answer }: { body: ReportAnswer } = await api.as(owner).post('/data/reports/ask', { question: body.question })
    expect(answer.total).toEqual([1])
    const seen = async (who: typeof owner) => {
      const found: One = await api.as(who).get(`/data/reports/${body.id}`)
      return found.body.thumbnail?.rows
    }
    expect(await seen(owner)).toEqual([{ label: 'chapter', value: 1 }])
    expect(await seen(other)).toBeUndefined()
    expect(
      await api.as(owner).patch(`/data/reports/${body.id}`, { question: { ...question, groupBy: [] } }, { 'if-match': '"1"' }),
    ).toMatchObject({ status: 200, body: { version: 2, thumbnail: null } })
    expect(await seen(owner)).toBeUndefined()
    expect(await api.as(owner).patch(`/data/reports/${body.id}`, { name: 'Late' }, { 'if-match': '"1"' })).toMatchObject({ status: 412 })
  })

  test('shows no figures that were seen with a right that was lost', async ({ api, admin, organisation, person, worker }) => {
    expect(worker).toBeUndefined()
    const org = await organisation()
    await admin.query(
      `with f as (insert into app.funds (org_id, name) values ($1, 'General') returning id),
         g as (insert into app.gifts (org_id, donor_name, amount, currency, method, status, counts, is_test, source, received_on, settled_at)
           values ($1, 'Ada', 1000, 'EUR', 'cash', 'settled', true, false, 'office', current_date - 1, now()) returning id)
       insert into app.gift_allocations (org_id, gift_id, fund_id, amount, settled_amount) select $1, g.id, f.id, 1000, 1000 from f, g`,
      [org.id],
    )
    const reader = await person({ org, grants: [{ role: 'finance' }, { role: 'event-manager' }] })
    const as = api.as(reader)
    const giving = { kind: 'standard', report: 'giving' }
    const { body: report }: One = await as.post('/data/reports', { name: 'Giving', question: giving })
    const asked = () => as.post('/data/reports/ask', { question: report.question })
    const seen = async () => {
      const found: One = await as.get(`/data/reports/${report.id}`)
      return found.body.thumbnail?.rows.map(({ value }) => value)
    }
    await asked()
    expect(await seen()).toEqual([1000])
    const run: { body: { id: string } } = await as.post('/actions/report-runs', { question: giving })
    const url = `/data/report-runs/${run.body.id}`
    const answer = async () => {
      const got: { status: number; body: { answer?: ReportAnswer | null } } = await as.get(url)
      return got
    }
    while (!(await answer()).body.answer) await new Promise((resolve) => setTimeout(resolve, 100))
    expect((await answer()).body.answer?.total[0]).toBe(1000)

    await admin.query(
      `delete from app.grants g using app.roles r where r.org_id = g.org_id and r.id = g.role_id and r.key = 'finance' and g.account_id = $1`,
      [reader.accountId],
    )
    expect(await seen()).toBeUndefined()
    expect(await answer()).toMatchObject({ status: 404 })
    expect(await as.get('/data/report-runs')).toMatchObject({ status: 200, body: { items: [] } })
    const file = { question: giving, format: 'csv', runId: run.body.id }
    expect(await as.post('/actions/reports/files', file)).toMatchObject({ status: 404 })
    expect(await asked()).toMatchObject({ status: 200, body: { rows: [] } })
    expect(await seen()).toEqual([0])
  })

  test('goes for good, with its schedules', async ({ api, admin, organisation, person }) => {
    const org = await organisation()
    const owner = await person({ org, idpRoles: ['org-owner'], email: 'owner@example.org' })
    const { body }: One = await api.as(owner).post('/data/reports', { name: 'Kinds', question })
    const schedule = { reportId: body.id, cadence: 'daily', formats: ['csv'], accountIds: [owner.accountId] }
    expect(await api.as(owner).post('/data/report-schedules', schedule)).toMatchObject({ status: 201 })
    expect(await api.as(owner).del(`/data/reports/${body.id}`, undefined, { 'if-match': '"2"' })).toMatchObject({ status: 412 })
    expect(await api.as(owner).del(`/data/reports/${body.id}`, undefined, { 'if-match': '"1"' })).toMatchObject({ status: 204 })
    for (const table of ['reports', 'report_schedules', 'report_recipients'])
      expect((await admin.query(`select 1 from app.${table} where org_id = $1`, [org.id])).rows, table).toEqual([])
  })

  test('whose fields are gone is still there, and is refused by name when it is asked', async ({ api, admin, organisation, person }) => {
    const org = await organisation()
    const owner = await person({ org, idpRoles: ['org-owner'] })
    const { body }: One = await api.as(owner).post('/data/reports', { name: 'Kinds', question })
    await admin.query(`update app.reports set question = jsonb_set(question, '{groupBy,0,field}', '"shoeSize"') where id = $1`, [body.id])
    const found: One = await api.as(owner).get(`/data/reports/${body.id}`)
    expect(found.status).toBe(200)
    expect(await api.as(owner).post('/data/reports/ask', { question: found.body.question })).toMatchObject({
      status: 422,
      body: { reason: 'report_field_unknown', params: { field: 'shoeSize' } },
    })
  })
})

test('what takes longer than a page waits is refused as such, and answered by a run', async ({
  api,
  admin,
  organisation,
  person,
  worker,
}) => {
  expect(worker).toBeUndefined()
  const org = await organisation()
  const [owner, other] = [await person({ org, idpRoles: ['org-owner'] }), await person({ org, idpRoles: ['org-admin'] })]
  const slow = { kind: 'own', subject: 'offices', measures: ['terms'], groupBy: [{ field: 'position' }] }
  // Whoever holds the table makes everybody wait.
  const held = await admin.connect()
  await held.query('begin')
  await held.query('lock table app.position_holders in access exclusive mode')
  const started = performance.now()
  expect(await api.as(owner).post('/data/reports/ask', { question: slow })).toMatchObject({
    status: 422,
    body: { reason: 'report_takes_long' },
  })
  expect(performance.now() - started).toBeLessThan(8_000)
  const key = { 'idempotency-key': 'a-run-of-its-own' }
  type Run = { status: number; body: { id: string; state: string; done: number; total: number; answer: ReportAnswer | null } }
  const run: Run = await api.as(owner).post('/actions/report-runs', { question: slow }, key)
  expect(run).toMatchObject({ status: 202, body: { answer: null } })
  expect(await api.as(owner).post('/actions/report-runs', { question: slow }, key)).toMatchObject({ body: { id: run.body.id } })
  const url = `/data/report-runs/${run.body.id}`
  expect(await api.as(other).get(url)).toMatchObject({ status: 404 })
  expect(await api.as(owner).post('/actions/reports/files', { question: slow, format: 'csv', runId: run.body.id })).toMatchObject({
    status: 409,
  })
  await held.query('commit')
  held.release()
  let got: Run = await api.as(owner).get(url)
  while (got.body.state !== 'done') {
    expect(['queued', 'running']).toContain(got.body.state)
    await new Promise((resolve) => setTimeout(resolve, 200))
    got = await api.as(owner).get(url)
  }
  expect(got.body).toMatchObject({ done: got.body.total, answer: { total: [0], rows: [] } })
  expect(await api.as(owner).get('/data/report-runs')).toMatchObject({ body: { items: [{ id: run.body.id }] } })
  expect(await api.as(other).get('/data/report-runs')).toMatchObject({ body: { items: [] } })
  expect(await api.as(owner).post('/actions/report-runs', { question: { ...slow, measures: ['nothing'] } })).toMatchObject({ status: 422 })
  await admin.query(`update app.report_runs set expires_at = now() - interval '1 minute' where id = $1`, [run.body.id])
  expect(await api.as(owner).get(url)).toMatchObject({ status: 404 })
  await admin.query('select app.purge_report_runs($1)', [org.id])
  expect((await admin.query('select 1 from app.report_runs where org_id = $1', [org.id])).rows).toEqual([])
})
