import type { ReportAnswer } from '@guildhall/contract/features/reports'
import { describe, expect } from 'vitest'
import { test } from '../../testing.ts'
import { keptBack } from './reports.cells.rules.ts'

const line = (...people: number[]) => people.map((one, at) => ({ keys: [`k${at}`], people: one }))
const kept = (cells: Parameters<typeof keptBack>[0], dimensions = 1) => [...keptBack(cells, dimensions)].sort((one, other) => one - other)

describe('groups that are kept back', () => {
  test('are those of fewer than five people, and one more where a single one could be found out', () => {
    expect(kept(line(9, 5, 7))).toEqual([])
    expect(kept(line(9, 4, 3))).toEqual([1, 2])
    expect(kept(line(9, 4, 7))).toEqual([1, 2])
    // Two of one person each are found out as well: what is left of the sum is two.
    expect(kept(line(30, 1, 1, 9))).toEqual([1, 2, 3])
    expect(kept(line(3, 2, 9))).toEqual([0, 1])
    expect(kept(line(4))).toEqual([0])
    expect(kept([])).toEqual([])
  })

  test('leave no line of two dimensions with a single one, as far as there is another', () => {
    const cells = [
      ['a', 'x', 3],
      ['a', 'y', 20],
      ['a', 'z', 30],
      ['b', 'x', 40],
      ['b', 'y', 50],
      ['b', 'z', 60],
    ] as const
    const hidden = keptBack(
      cells.map(([one, other, people]) => ({ keys: [one, other], people })),
      2,
    )
    for (const [dimension, keys] of [[0, ['a', 'b']] as const, [1, ['x', 'y', 'z']] as const])
      for (const key of keys) expect(cells.filter((cell, at) => cell[dimension] === key && hidden.has(at)).length, key).not.toBe(1)
  })

  test('are neither counted, nor listed, nor told by the total', async ({ api, admin, organisation, person }) => {
    const org = await organisation()
    const owner = await person({ org, idpRoles: ['org-owner'], chapterId: null })
    const add = async (country: string, people: number) => {
      for (let nth = 0; nth < people; nth++) {
        const { rows } = await admin.query<{ id: string }>(
          `insert into app.people (org_id, given_name, family_name) values ($1, 'Given', 'Family') returning id`,
          [org.id],
        )
        await admin.query('insert into app.person_contacts (org_id, person_id, country) values ($1, $2, $3)', [
          org.id,
          rows[0]?.id,
          country,
        ])
      }
    }
    await add('AT', 12)
    await add('DE', 7)
    await add('LI', 2)
    const question = { kind: 'own', subject: 'people', measures: ['people'], groupBy: [{ field: 'country' }] }
    const { body }: { body: ReportAnswer } = await api.as(owner).post('/data/reports/ask', { question })
    expect(body).toMatchObject({ total: [21], hidden: 2 })
    expect(Object.fromEntries(body.rows.map(({ keys, values, isHidden }) => [keys[0]?.value, [values[0], isHidden]]))).toEqual({
      AT: [12, false],
      DE: [null, true],
      LI: [null, true],
    })
    for (const key of ['DE', 'LI']) {
      const figure = { question, measure: 'people', keys: [key] }
      expect((await api.as(owner).post('/data/reports/behind', figure)).body).toMatchObject({ items: [], total: 0 })
      expect((await api.as(owner).post('/data/reports/check', figure)).body).toMatchObject({ report: null, list: null, matches: true })
    }
    expect((await api.as(owner).post('/data/reports/behind', { question, measure: 'people', keys: ['AT'] })).body).toMatchObject({
      total: 12,
    })
    // A filter would tell of two what grouping keeps back.
    const filter = { and: [{ or: [{ field: 'country', op: 'is', value: 'LI' }] }] }
    expect(await api.as(owner).post('/data/reports/ask', { question: { ...question, groupBy: [], filter } })).toMatchObject({
      status: 422,
      body: { reason: 'report_field_unknown' },
    })
    // Who sees no address anywhere gets no answer about addresses.
    const events = await person({ org, grants: [{ role: 'event-manager' }] })
    expect(await api.as(events).post('/data/reports/ask', { question: { ...question, groupBy: [{ field: 'ageGroup' }] } })).toMatchObject({
      status: 403,
      body: { reason: 'report_right_missing' },
    })
  })

  test('are not listed either where there are more rows than are shown', async ({ api, admin, organisation, person }) => {
    const org = await organisation()
    const owner = await person({ org, idpRoles: ['org-owner'], chapterId: null })
    await admin.query(
      `with made as (insert into app.people (org_id, given_name, family_name, joined_on) select $1, 'Given', 'Family', date '2000-01-01' + n from generate_series(1, 1004) n returning id)
       insert into app.person_contacts (org_id, person_id, country) select $1, id, 'AT' from made`,
      [org.id],
    )
    const groupBy = [{ field: 'country' }, { field: 'joinedOn', bucket: 'day' }]
    const question = { kind: 'own', subject: 'people', measures: ['people'], groupBy }
    const { body }: { body: ReportAnswer } = await api.as(owner).post('/data/reports/ask', { question })
    expect(body).toMatchObject({ isCut: true, hidden: 1000 })
    const figure = { question, measure: 'people', keys: ['AT', '2002-09-30'] }
    expect(body.rows.some(({ keys }) => keys[1]?.value === figure.keys[1])).toBe(false)
    expect((await api.as(owner).post('/data/reports/behind', figure)).body).toMatchObject({ items: [], total: 0 })
    expect((await api.as(owner).post('/data/reports/check', figure)).body).toMatchObject({ report: null, list: null, matches: true })

    // Of days, the latest are shown, also beside those of the year before.
    for (const range of [null, { since: '2000-01-01', until: '2002-12-31' }]) {
      const days = { ...question, groupBy: [{ field: 'joinedOn', bucket: 'day' }], range, compare: range !== null }
      const { body: latest }: { body: ReportAnswer } = await api.as(owner).post('/data/reports/ask', { question: days })
      expect(latest).toMatchObject({ isCut: true, total: [1004] })
      expect(latest.rows).toHaveLength(1000)
      const shown = latest.rows.filter(({ keys }) => (keys[0]?.value ?? '') <= '2002-10-01')
      expect(shown.at(-1)).toMatchObject({ keys: [{ value: '2002-10-01' }], values: [1] })
      expect(shown.every(({ values }) => values[0] === 1)).toBe(true)
    }
  })
})
