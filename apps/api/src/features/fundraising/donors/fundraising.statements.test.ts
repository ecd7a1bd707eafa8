import { randomUUID } from 'node:crypto'
import type { StatementRun } from '@guildhall/contract/features/fundraising.donors'
import { expect } from 'vitest'
import { test } from '../giving/fundraising.giving.testing.ts'

const period = { since: '2025-01-01', until: '2025-12-31' }

test('every donor of a period is mailed a statement, once, and whom no mail reaches is counted', async ({
  admin,
  boss,
  campaign,
  gift,
  org,
  person,
  till,
  api,
}) => {
  const appeal = await campaign()
  const address = `${randomUUID()}@example.org`
  const reached = await person({ org, email: address })
  const silent = await person({ org })
  for (const { personId } of [reached, silent]) await gift(appeal, 2000, { personId, receivedOn: '2025-05-05', sendReceipt: false })
  await gift(appeal, 3000, { personId: reached.personId, receivedOn: '2025-06-05', sendReceipt: false })
  await gift(appeal, 3000, { personId: (await person({ org })).personId, receivedOn: '2026-01-05', sendReceipt: false })
  const query = `since=${period.since}&until=${period.until}`
  expect((await boss.get(`/data/giving-statement-runs/preview?${query}`)).body).toEqual({ people: 2, withoutAddress: 1 })
  const started = await boss.post('/actions/giving-statement-runs', period)
  expect(started).toMatchObject({
    status: 201,
    body: {
      run: { people: 2, mailed: 1, withoutAddress: 1, state: 'done' },
      result: { job: { status: 'done' }, counts: { matched: 2, changed: 1 } },
    },
  })
  const mails = await till.mailed(address)
  expect(mails.map(({ subject, attachments }) => [subject, attachments?.[0]?.name])).toEqual([
    [expect.stringContaining('Gifts in 2025'), 'gifts-2025-01-01-2025-12-31.pdf'],
  ])
  expect(mails[0]?.text).toContain('€50.00')
  const listed: { items: StatementRun[] } = (await boss.get('/data/giving-statement-runs')).body
  expect(listed.items).toHaveLength(1)
  expect((await boss.post('/actions/giving-statement-runs', { since: '2001-01-01', until: '2001-12-31' })).body).toMatchObject({
    reason: 'giving_nobody',
  })
  expect((await boss.post('/actions/giving-statement-runs', { ...period, until: '2099-12-31' })).body).toMatchObject({
    reason: 'giving_period',
  })
  expect((await api.as(reached).post('/actions/giving-statement-runs', period)).status).toBe(403)
  expect((await api.as(reached).get('/data/giving-statement-runs')).body).toMatchObject({ items: [] })
  const { rows } = await admin.query(
    `select count(*)::int as n from app.mail_messages where org_id = $1 and template = 'giving-statement'`,
    [org.id],
  )
  expect(rows).toEqual([{ n: 1 }])
})

test('a large run is done by the worker in portions; one that is killed goes on and mails nobody twice', async ({
  admin,
  campaign,
  org,
  till,
  owner,
}) => {
  const { id, fund } = await campaign()
  const many = 2_300
  await admin.query(
    `with made as (insert into app.people (org_id, given_name, family_name) select $1, 'Donor', n::text from generate_series(1, $2::int) n returning id),
       mail as (insert into app.person_emails (org_id, person_id, address, is_primary) select $1, id, id || '@example.org', true from made),
       gift as (insert into app.gifts (org_id, campaign_id, person_id, amount, currency, method, status, source, received_on, settled_at)
         select $1, $3, m.id, 1000, 'EUR', 'cash', 'settled', 'office', '2025-05-05', '2025-05-05' from made m returning id)
     insert into app.gift_allocations (org_id, gift_id, fund_id, amount) select $1, g.id, $4, 1000 from gift g`,
    [org.id, many, id, fund?.id],
  )
  const boss = till.as(owner)
  const started = await boss.post('/actions/giving-statement-runs', period)
  expect(started).toMatchObject({
    status: 201,
    body: { run: { people: many, mailed: 0, state: 'started' }, result: { job: { status: 'queued' } } },
  })
  const mails = async () => {
    const { rows } = await admin.query<{ mails: number; people: number }>(
      `select count(*)::int as mails, count(distinct person_id)::int as people from app.mail_messages where org_id = $1 and template = 'giving-statement'`,
      [org.id],
    )
    return rows[0]
  }
  // The second portion is cut off: nothing of it stays.
  const { text } = (
    await admin.query<{ text: string }>(`select pg_get_functiondef('app.mail_giving_run(uuid,uuid,int)'::regprocedure) as text`)
  ).rows[0] ?? { text: '' }
  await admin.query(
    text.replace(
      'return cardinality(next_people);',
      `if (select x.mailed from app.giving_runs x where x.org_id = org and x.id = run) > 1000 then raise exception 'killed' using errcode = '57P01'; end if; return cardinality(next_people);`,
    ),
  )
  try {
    await expect(till.work()).rejects.toThrow('killed')
    expect(await mails()).toEqual({ mails: 1000, people: 1000 })
  } finally {
    await admin.query(text)
  }
  const { run } = started.body as { run: StatementRun; result: { job: { id: string } } }
  const { result } = started.body as { result: { job: { id: string } } }
  await till.worker.database.withoutActor((tx) =>
    till.worker.jobs.send(tx, 'bulk', { orgId: org.id, accountId: owner.accountId, jobId: result.job.id }),
  )
  await till.work()
  expect(await mails()).toEqual({ mails: many, people: many })
  const { items }: { items: StatementRun[] } = (await boss.get('/data/giving-statement-runs')).body
  expect(items).toMatchObject([{ id: run.id, state: 'done', people: many, mailed: many }])
  await admin.query(`delete from app.mail_messages where org_id = $1`, [org.id])
}, 60_000)
