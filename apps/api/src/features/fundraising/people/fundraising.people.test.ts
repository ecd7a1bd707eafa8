import { PersonRow } from '@guildhall/contract/features/people'
import { page } from '@guildhall/contract/shapes'
import { expect } from 'vitest'
import type { Client } from '../../../testing.ts'
import { filterOf, made, test } from '../fundraising.testing.ts'

const peoplePage = page(PersonRow)
const read = async (client: Client, query = '') => {
  const answer = await client.get(`/data/people?columns=giving&${query}`)
  if (answer.status !== 200) throw new Error(answer.text)
  return peoplePage.parse(answer.body).items
}
const names = async (client: Client, ...conditions: Parameters<typeof filterOf>) =>
  (await read(client, filterOf(...conditions))).map(({ familyName }) => familyName)

test('what people gave is a column and a filter, this year apart from the years before', async ({ org, boss, campaign, gift, person }) => {
  const year = Number(made<{ today: string }>(await boss.get('/data/home')).today.slice(0, 4))
  const appeal = await campaign()
  const of = async (familyName: string, ...given: [amount: number, receivedOn: string][]) => {
    const { personId } = await person({ org, familyName })
    for (const [amount, receivedOn] of given) await gift(appeal, amount, { personId, receivedOn })
    return personId
  }
  await of('Once', [5_000, `${year}-01-02`])
  await of('Often', [2_000, `${year - 2}-05-01`], [3_000, `${year - 1}-05-01`], [10_000, `${year}-01-01`])
  await of('Before', [7_550, `${year - 1}-03-03`])
  await of('Never')
  const euros = (amount: number) => ({ amount, currency: 'EUR' })
  const rows = await read(boss)
  expect(Object.fromEntries(rows.flatMap(({ familyName, giving }) => (giving === undefined ? [] : [[familyName, giving]])))).toMatchObject({
    Once: { lifetime: euros(5_000), thisYear: euros(5_000), lastYear: euros(0), gifts: 1, lastOn: `${year}-01-02` },
    Often: { lifetime: euros(15_000), thisYear: euros(10_000), lastYear: euros(3_000), gifts: 3, lastOn: `${year}-01-01` },
    Before: { lifetime: euros(7_550), thisYear: euros(0), lastYear: euros(7_550), gifts: 1 },
    Never: null,
  })
  expect(await names(boss, { field: 'givenLifetime', op: 'after', value: 75 })).toEqual(['Before', 'Often'])
  expect(await names(boss, { field: 'givenLifetime', op: 'is', value: 75.5 })).toEqual(['Before'])
  expect(await names(boss, { field: 'givenThisYear', op: 'between', value: [0, 50] })).toEqual(['Before', 'Once'])
  expect(await names(boss, { field: 'lastGiftOn', op: 'before', value: `${year}-01-01` })).toEqual(['Before'])
  expect(await names(boss, { field: 'lastGiftOn', op: 'notEmpty' })).toEqual(['Before', 'Often', 'Once'])
  expect(await names(boss, { field: 'lastGiftOn', op: 'empty' })).toContain('Never')
  expect(await names(boss, { field: 'givenLifetime', op: 'isNot', value: 50 })).toEqual(
    expect.arrayContaining(['Before', 'Never', 'Often']),
  )
})

test('giving of others is a column and a filter for those who read gifts alone', async ({
  api,
  org,
  west,
  officer,
  campaign,
  gift,
  person,
}) => {
  const appeal = await campaign({ chapterId: west })
  const donor = await person({ org, familyName: 'Donor', chapterId: west })
  await gift(appeal, 5_000, { personId: donor.personId })
  const finance = api.as(await person({ org, familyName: 'Finance', idpRoles: ['finance'], chapterId: null }))
  for (const [who, sees] of [
    [finance, ['Donor']],
    // Keeps the campaigns of the chapter and records its gifts, and reads no donors.
    [officer, []],
    [api.as(await person({ org, familyName: 'Other', chapterId: west })), []],
    // One’s own is no secret.
    [api.as(donor), ['Donor']],
  ] as const) {
    expect((await read(who)).filter(({ giving }) => giving).map(({ familyName }) => familyName)).toEqual(sees)
    expect(await names(who, { field: 'givenLifetime', op: 'after', value: 0 })).toEqual(sees)
    expect(await names(who, { field: 'lastGiftOn', op: 'notEmpty' })).toEqual(sees)
  }
})
