import { parse } from 'csv-parse/sync'
import readXlsxFile from 'read-excel-file/node'
import { expect } from 'vitest'
import { test } from '../../../testing.ts'

test('a report is taken along as CSV, XLSX and PDF, which say what it is of', async ({ api, admin, organisation, person, chapter }) => {
  const org = await organisation()
  const owner = await person({ org, idpRoles: ['org-owner'], chapterId: null })
  const west = await chapter(org, '=West')
  for (const [amount, currency, status] of [
    [12_345, 'EUR', 'settled'],
    [5_000, 'USD', 'settled'],
    [700, 'EUR', 'failed'],
  ] as const)
    await admin.query(
      `with f as (insert into app.funds (org_id, name) values ($1, $3 || $4) returning id),
         g as (insert into app.gifts (org_id, chapter_id, donor_name, amount, currency, method, status, source, received_on, settled_at)
           values ($1, $2, 'Somebody', $3::bigint, $4, 'cash', $5, 'office', case when $5 = 'settled' then date '2026-03-04' end, case when $5 = 'settled' then now() end) returning id)
       insert into app.gift_allocations (org_id, gift_id, fund_id, amount) select $1, g.id, f.id, $3::bigint from g, f`,
      [org.id, west, String(amount), currency, status],
    )
  const question = {
    ...{ kind: 'own', subject: 'gifts', measures: ['raised', 'gifts'], groupBy: [{ field: 'chapter' }], chapterId: west },
    ...{ range: { since: '2026-01-01', until: '2026-12-31' }, compare: true },
    filter: { and: [{ or: [{ field: 'chapter', op: 'is', value: west }] }] },
  }
  const file = async (format: string) => {
    const response = await api.app.inject({
      ...{ method: 'POST', url: '/actions/reports/files', headers: { authorization: `Bearer ${owner.token}` } },
      payload: { question, format, name: 'Gifts: West/2026' },
    })
    expect(response.statusCode, response.body.slice(0, 300)).toBe(200)
    expect(String(response.headers['content-disposition'])).toContain(`Gifts West 2026`)
    return response.rawPayload
  }
  const csv: string[][] = parse(await file('csv'), { bom: true })
  expect(csv.slice(0, 3)).toEqual([
    ['Chapter', 'Raised (EUR)', 'Raised (EUR), year before', 'Gifts', 'Gifts, year before'],
    ["'=West", '123.45', '0.00', '2', '0'],
    ['Total', '123.45', '0.00', '2', '0'],
  ])
  const told = csv.slice(3).map(([first]) => first)
  expect(told).toEqual([
    '',
    'Gifts: West/2026',
    'Chapter: =West and below',
    expect.stringContaining('January 1, 2026 to December 31, 2026'),
    'Filter: Chapter is =West',
    expect.stringMatching(/^Data of .*UTC/),
    expect.stringMatching(/^Raised: /),
    expect.stringMatching(/^Gifts: /),
  ])
  const sheet = await readXlsxFile(await file('xlsx'))
  expect(JSON.stringify(sheet)).toContain(',123.45,')
  expect((await file('pdf')).subarray(0, 5).toString()).toBe('%PDF-')
  const officer = await person({ org, chapterId: west, grants: [{ role: 'chapter-admin', chapterId: west }] })
  expect(await api.as(officer).post('/actions/reports/files', { question, format: 'csv' })).toMatchObject({
    status: 403,
    body: { reason: 'report_right_missing' },
  })
})
