import { expect } from 'vitest'
import { test } from '../../testing.ts'
import type { Client } from '../../testing.ts'

type Field = { id: string; key: string; version: number; choices: { id: string; label: string }[] }
type Row = { displayName: string; fields?: Record<string, unknown> }

const make = async (client: Client, body: object) => {
  const answer = await client.post('/data/fields', { recordType: 'people', audience: 'everyone', ...body })
  expect(answer.status, answer.text).toBe(201)
  return answer.body as Field
}
const choiceOf = (field: Field, label: string) => field.choices.find((choice) => choice.label === label)?.id ?? ''
const ifMatch = (version: number) => ({ 'if-match': `"${version}"` })
const filterOf = (...conditions: object[]) => encodeURIComponent(JSON.stringify({ and: conditions.map((one) => ({ or: [one] })) }))
const enter = async (client: Client, body: object) => {
  const answer = await client.post('/data/people', body)
  expect(answer.status, answer.text).toBe(201)
  return answer.body as { id: string; version: number; fields: Record<string, unknown> }
}
const names = async (client: Client, query: string) => {
  const answer = await client.get(`/data/people?${query}`)
  expect(answer.status, answer.text).toBe(200)
  return (answer.body as { items: Row[] }).items.map(({ displayName }) => displayName)
}

test('a field is added, changed, put in order, archived and deleted by whoever manages the organisation', async ({
  api,
  organisation,
  person,
}) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const member = api.as(await person({ org }))
  const size = await make(owner, { key: 'size', label: 'T-shirt size', type: 'choice', choices: [{ label: 'S' }, { label: 'M' }] })
  const year = await make(owner, { key: 'year', label: 'Year', type: 'number' })
  expect((await owner.post('/data/fields', { recordType: 'people', key: 'size', label: 'Other', type: 'text' })).body).toMatchObject({
    status: 409,
    reason: 'field_key_taken',
  })
  expect((await member.post('/data/fields', { recordType: 'people', key: 'mine', label: 'Mine', type: 'text' })).status).toBe(403)
  const listed = async (client: Client) =>
    ((await client.get('/data/fields?recordType=people')).body as { items: Field[] }).items.map(({ key }) => key)
  expect(await listed(member)).toEqual(['size', 'year'])
  expect((await owner.put('/data/fields/order/people', { fieldIds: [year.id, size.id] })).status).toBe(200)
  expect(await listed(owner)).toEqual(['year', 'size'])

  const [s, m] = size.choices
  const found = (await owner.get('/data/fields?recordType=people')).body as { items: Field[] }
  const version = found.items.find(({ id }) => id === size.id)?.version ?? 0
  const choices = [
    { id: m?.id, label: 'S' },
    { id: s?.id, label: 'M' },
    { label: 'L', color: 'green' },
  ]
  const changed = await owner.patch(`/data/fields/${size.id}`, { label: 'Shirt', choices }, ifMatch(version))
  expect(changed.status, changed.text).toBe(200)
  expect(changed.body).toMatchObject({ label: 'Shirt', choices: [{ id: m?.id, label: 'S' }, { id: s?.id, label: 'M' }, { label: 'L' }] })
  expect((await owner.patch(`/data/fields/${size.id}`, { label: 'Late' }, ifMatch(version))).status).toBe(412)

  expect((await owner.del(`/data/fields/${year.id}`)).status).toBe(204)
  expect(await listed(owner)).toEqual(['size'])
})

test('what cannot be meant is refused with the field that it is about', async ({ api, organisation, person }) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const refused = async (body: object) => {
    const answer = await owner.post('/data/fields', { recordType: 'people', key: 'x', label: 'X', type: 'text', ...body })
    const { reason, errors } = answer.body as { reason?: string; errors?: { path: string }[] }
    return [answer.status, reason, errors?.[0]?.path]
  }
  expect(await refused({ sensitive: true, audience: 'everyone' })).toEqual([422, 'field_sensitive_open', 'audience'])
  expect(await refused({ ownEditable: true, audience: 'officers' })).toEqual([422, 'field_own_hidden', 'ownEditable'])
  expect(await refused({ recordType: 'groups', audience: 'self' })).toEqual([422, 'field_no_self', 'audience'])
  expect(await refused({ type: 'number', searchable: true })).toEqual([422, 'field_not_searchable', 'searchable'])
  expect(await refused({ type: 'choice' })).toEqual([422, 'field_needs_choices', 'choices'])
  expect(await refused({ type: 'choice', choices: [{ label: 'A' }, { label: 'a' }] })).toEqual([
    422,
    'field_choice_twice',
    'choices.1.label',
  ])
  expect(await refused({ pattern: '(a' })).toEqual([422, 'field_pattern_broken', 'pattern'])
  expect(await refused({ pattern: '(a+)+b' })).toEqual([422, 'field_pattern_slow', 'pattern'])
  expect(await refused({ pattern: '[A-Z]{2}\\d{3}' })).toEqual([201, undefined, undefined])
})

test('values of every type are written with a person and read back', async ({ api, organisation, person }) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  await make(owner, { key: 'motto', label: 'Motto', type: 'text', pattern: '[A-Z].*', help: 'Start with a capital letter.' })
  await make(owner, { key: 'points', label: 'Points', type: 'number' })
  await make(owner, { key: 'since', label: 'Since', type: 'date', required: true })
  await make(owner, { key: 'driver', label: 'Driver', type: 'flag' })
  await make(owner, { key: 'site', label: 'Site', type: 'url' })
  await make(owner, { key: 'mentor', label: 'Mentor', type: 'person' })
  const size = await make(owner, { key: 'size', label: 'Size', type: 'choice', choices: [{ label: 'S' }, { label: 'M' }] })
  const langs = await make(owner, {
    key: 'langs',
    label: 'Languages',
    type: 'choices',
    choices: [{ label: 'French' }, { label: 'German' }],
  })

  expect((await owner.post('/data/people', { familyName: 'Nobody' })).body).toMatchObject({
    status: 422,
    errors: [{ path: 'fields.since', code: 'field_required' }],
  })
  const ann = await enter(owner, { familyName: 'Ann', fields: { since: '2024-02-29' } })
  const both = [choiceOf(langs, 'French'), choiceOf(langs, 'German')].toSorted()
  const values = { motto: 'Onward', points: 10.5, driver: true, site: 'https://example.org/a', size: choiceOf(size, 'M'), langs: both }
  const set = await owner.patch(`/data/people/${ann.id}`, { fields: { ...values, mentor: ann.id } }, ifMatch(ann.version))
  expect(set.status, set.text).toBe(200)
  expect(set.body).toMatchObject({ fields: { ...values, since: '2024-02-29', mentor: { id: ann.id, displayName: 'Ann' } } })
  const { version } = set.body as { version: number }
  expect(version).toBe(ann.version + 1)

  const wrong = await owner.patch(
    `/data/people/${ann.id}`,
    {
      fields: {
        motto: 'low',
        points: 'ten',
        since: null,
        size: ann.id,
        mentor: choiceOf(size, 'M'),
        unknown: 1,
        site: 'ftp://x',
        driver: 'yes',
      },
    },
    ifMatch(version),
  )
  expect(wrong.status).toBe(422)
  expect((wrong.body as { errors: { path: string; code: string }[] }).errors.map(({ path, code }) => `${path} ${code}`).toSorted()).toEqual(
    [
      'fields.driver field_flag',
      'fields.mentor field_person',
      'fields.motto field_pattern',
      'fields.points field_number',
      'fields.since field_required',
      'fields.site field_url',
      'fields.size field_choice',
      'fields.unknown unknown_field',
    ],
  )
  const less = await owner.patch(`/data/people/${ann.id}`, { fields: { langs: [both[0]], motto: null, points: -3 } }, ifMatch(version))
  expect((less.body as { fields: object }).fields).toEqual({
    points: -3,
    since: '2024-02-29',
    driver: true,
    site: 'https://example.org/a',
    size: choiceOf(size, 'M'),
    langs: [both[0]],
    mentor: { id: ann.id, displayName: 'Ann' },
  })
  expect((await owner.patch(`/data/people/${ann.id}`, { fields: { points: 4 } }, ifMatch(version))).status).toBe(412)
})

test('people are listed with their values, filtered and sorted by them, page after page', async ({ api, organisation, person }) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], familyName: 'Zoe' }))
  const size = await make(owner, { key: 'size', label: 'Size', type: 'choice', choices: [{ label: 'S' }, { label: 'M' }, { label: 'L' }] })
  await make(owner, { key: 'points', label: 'Points', type: 'number' })
  await make(owner, { key: 'motto', label: 'Motto', type: 'text' })
  const at = (label: string) => choiceOf(size, label)
  await enter(owner, { familyName: 'Ann', fields: { size: at('L'), points: 10, motto: 'Élan vital' } })
  await enter(owner, { familyName: 'Bob', fields: { size: at('S'), points: -2, motto: 'Onward' } })
  await enter(owner, { familyName: 'Cid', fields: { size: at('M'), points: 9.5 } })
  await enter(owner, { familyName: 'Dan', fields: { size: at('S') } })

  const { items } = (await owner.get('/data/people?columns=fields.size,fields.points,tags')).body as { items: Row[] }
  expect(items[0]).toMatchObject({ displayName: 'Ann', fields: { size: at('L'), points: 10 }, tags: [] })
  expect(items[3]?.fields).toEqual({ size: at('S') })

  expect((await names(owner, 'sort=fields.points')).slice(0, 3)).toEqual(['Bob', 'Cid', 'Ann'])
  expect((await names(owner, 'sort=-fields.points')).slice(0, 3)).toEqual(['Ann', 'Cid', 'Bob'])
  expect((await names(owner, 'sort=fields.size')).slice(0, 4)).toEqual(['Bob', 'Dan', 'Cid', 'Ann'])
  expect((await names(owner, 'sort=-fields.size')).slice(0, 2)).toEqual(['Ann', 'Cid'])
  for (const sort of ['fields.points', '-fields.points', 'fields.size', '-fields.size', 'fields.motto']) {
    const whole = await names(owner, `sort=${sort}`)
    const paged: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const answer = await owner.get(`/data/people?sort=${sort}&limit=1${cursor ? `&cursor=${cursor}` : ''}`)
      const body = answer.body as { items: Row[]; nextCursor: string | null; total: number | null }
      if (cursor === '') expect(body.total).toBe(5)
      paged.push(...body.items.map(({ displayName }) => displayName))
      cursor = body.nextCursor
    }
    expect(paged, sort).toEqual(whole)
    // Neighbours stand in the same order.
    const ids = ((await owner.get(`/data/people?sort=${sort}`)).body as { items: { id: string }[] }).items.map(({ id }) => id)
    for (const [place, id] of ids.entries()) {
      const { previous, next } = (await owner.get(`/data/people/${id}/neighbours?sort=${sort}`)).body as Record<
        string,
        { id: string } | null
      >
      expect([previous?.id, next?.id], sort).toEqual([ids[place - 1], ids[place + 1]])
    }
  }

  const only = (...conditions: object[]) => names(owner, `filter=${filterOf(...conditions)}`)
  const field = (key: string, op: string, value?: unknown) => ({ field: `fields.${key}`, op, ...(value === undefined ? {} : { value }) })
  expect(await only(field('size', 'in', [at('S'), at('M')]))).toEqual(['Bob', 'Cid', 'Dan'])
  expect(await only(field('size', 'isNot', at('S')))).toEqual(['Ann', 'Cid', 'Test Zoe'])
  expect(await only(field('size', 'empty'))).toEqual(['Test Zoe'])
  expect(await only(field('points', 'between', [-5, 9.5]))).toEqual(['Bob', 'Cid'])
  expect(await only(field('points', 'after', 9.5))).toEqual(['Ann'])
  expect(await only(field('motto', 'is', 'elan VITAL'))).toEqual(['Ann'])
  expect(await only(field('motto', 'contains', 'war'))).toEqual(['Bob'])
  expect(await only(field('motto', 'contains', 'LAN v'))).toEqual(['Ann'])
  expect(await only(field('motto', 'startsWith', 'elan'))).toEqual(['Ann'])
  expect(await only(field('size', 'is', at('S')), field('points', 'notEmpty'))).toEqual(['Bob'])
  expect(await names(owner, `filter=${filterOf(field('size', 'is', at('S')))}&sort=-fields.points`)).toEqual(['Bob', 'Dan'])
  expect((await owner.get(`/data/people?filter=${filterOf(field('nothing', 'is', 1))}`)).status).toBe(400)
  expect((await owner.get('/data/people?sort=fields.nothing')).status).toBe(400)
  // A view may name a field that is gone.
  expect((await owner.get('/data/people?columns=fields.nothing')).status).toBe(200)
})

test('a value of many is counted to 10,000 and of few exactly, and both are listed in every order', async ({
  api,
  organisation,
  person,
  admin,
}) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const size = await make(owner, { key: 'size', label: 'Size', type: 'choice', choices: [{ label: 'S' }, { label: 'M' }] })
  const points = await make(owner, { key: 'points', label: 'Points', type: 'number' })
  const motto = await make(owner, { key: 'motto', label: 'Motto', type: 'text' })
  const rare = await make(owner, { key: 'rare', label: 'Rare', type: 'text' })
  // Every hundredth has M and a motto of their own, everybody points that fall with the name.
  await admin.query(
    `with added as (insert into app.people (org_id, family_name) select $1, 'P' || to_char(n, 'FM00000') from generate_series(1, 10200) n returning id, family_name),
      sized as (insert into app.people_field_values (org_id, person_id, field_id, value)
        select $1, id, $2, case when family_name like '%00' then $3 else $4 end from added),
      texts as (insert into app.people_field_values (org_id, person_id, field_id, value)
        select $1::uuid, id, $6::uuid, case when family_name like '%00' then 'Never' else 'Always' end from added union all
        select $1::uuid, id, $7::uuid, 'x' from added where family_name like '%00')
    insert into app.people_field_values (org_id, person_id, field_id, value) select $1, id, $5, (20000 - substr(family_name, 2)::int)::text from added`,
    [org.id, size.id, choiceOf(size, 'M'), choiceOf(size, 'S'), points.id, motto.id, rare.id],
  )
  const read = async (conditions: object[], sort: string) => {
    const answer = await owner.get(`/data/people?limit=2&sort=${sort}&filter=${filterOf(...conditions)}`)
    expect(answer.status, answer.text).toBe(200)
    const body = answer.body as { items: Row[]; total: number; totalIsExact: boolean; nextCursor: string }
    const next = await owner.get(`/data/people?limit=1&sort=${sort}&cursor=${body.nextCursor}&filter=${filterOf(...conditions)}`)
    expect(next.status, next.text).toBe(200)
    return [body.total, body.totalIsExact, ...[...body.items, ...(next.body as { items: Row[] }).items].map((row) => row.displayName)]
  }
  const is = (label: string) => ({ field: 'fields.size', op: 'is', value: choiceOf(size, label) })
  expect(await read([is('S')], 'name')).toEqual([10_000, false, 'P00001', 'P00002', 'P00003'])
  expect(await read([is('S')], 'fields.points')).toEqual([10_000, false, 'P10199', 'P10198', 'P10197'])
  expect(await read([is('M')], 'name')).toEqual([102, true, 'P00100', 'P00200', 'P00300'])
  expect(await read([is('M')], 'fields.points')).toEqual([102, true, 'P10200', 'P10100', 'P10000'])
  expect(await read([is('M')], '-fields.points')).toEqual([102, true, 'P00100', 'P00200', 'P00300'])
  const few = { field: 'fields.points', op: 'between', value: [19_000, 19_500] }
  expect(await read([few], '-name')).toEqual([501, true, 'P01000', 'P00999', 'P00998'])
  expect(await read([{ field: 'fields.points', op: 'after', value: 1 }], 'fields.points')).toEqual([
    10_000,
    false,
    'P10200',
    'P10199',
    'P10198',
  ])
  expect(await read([{ ...is('S'), op: 'isNot' }], 'name')).toEqual([102, true, 'P00100', 'P00200', 'P00300'])
  const part = (value: string) => ({ field: 'fields.motto', op: 'contains', value })
  expect(await read([part('lway')], 'name')).toEqual([10_000, false, 'P00001', 'P00002', 'P00003'])
  expect(await read([part('lway')], 'fields.points')).toEqual([10_000, false, 'P10199', 'P10198', 'P10197'])
  expect(await read([part('eve')], 'fields.points')).toEqual([102, true, 'P10200', 'P10100', 'P10000'])
  expect(await read([part('lway'), few], 'name')).toEqual([495, true, 'P00501', 'P00502', 'P00503'])
  const without = (key: string) => ({ field: `fields.${key}`, op: 'empty' })
  expect(await read([without('rare')], 'name')).toEqual([10_000, false, 'P00001', 'P00002', 'P00003'])
  expect(await read([without('rare'), few], '-name')).toEqual([495, true, 'P00999', 'P00998', 'P00997'])
  // The owner alone, who is no member.
  expect((await owner.get(`/data/people?filter=${filterOf(without('motto'))}`)).body).toMatchObject({ total: 0, items: [] })
})

test('what is kept from a reader cannot be found out by filter, sort, column, page or export', async ({ api, organisation, person }) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], familyName: 'Zoe' }))
  const me = await person({ org, familyName: 'Me' })
  const member = api.as(me)
  await make(owner, { key: 'open', label: 'Open', type: 'text' })
  await make(owner, { key: 'own', label: 'Own', type: 'text', audience: 'self', ownEditable: true })
  await make(owner, { key: 'kept', label: 'Kept', type: 'text', audience: 'officers' })
  const all = { open: 'one', own: 'two', kept: 'three' }
  const ann = await enter(owner, { familyName: 'Ann', chapterId: org.rootChapterId, fields: all })
  const mine = (await owner.get(`/data/people/${me.personId ?? ''}`)).body as { version: number }
  const given = await owner.patch(`/data/people/${me.personId ?? ''}`, { fields: all }, ifMatch(mine.version))
  expect(given.body).toMatchObject({ fields: all })

  expect((await member.get(`/data/people/${ann.id}`)).body).toMatchObject({ fields: { open: 'one' } })
  const self = (await member.get(`/data/people/${me.personId ?? ''}`)).body as { version: number; fields: object }
  expect(self.fields).toEqual({ open: 'one', own: 'two' })
  const { items } = (await member.get('/data/people?columns=fields.open,fields.own,fields.kept')).body as { items: Row[] }
  expect(items.find(({ displayName }) => displayName === 'Ann')?.fields).toEqual({ open: 'one' })
  expect((await member.get('/data/people?sort=fields.kept')).status).toBe(400)
  expect((await member.get(`/data/people?filter=${filterOf({ field: 'fields.own', op: 'notEmpty' })}`)).status).toBe(400)
  expect(((await member.get('/data/fields')).body as { items: Field[] }).items.map(({ key }) => key)).toEqual(['open', 'own'])
  expect((await member.get('/data/exports/columns?list=people')).text).not.toContain('fields.kept')
  expect((await member.get('/data/exports/columns?list=people')).text).toContain('fields.open')

  // One's own page: what is for oneself to change, and nothing else.
  const at = self.version
  expect((await member.patch(`/data/people/${me.personId ?? ''}`, { fields: { open: 'mine' } }, ifMatch(at))).body).toMatchObject({
    status: 403,
    reason: 'field_kept',
  })
  expect((await member.patch(`/data/people/${me.personId ?? ''}`, { fields: { kept: 'mine' } }, ifMatch(at))).body).toMatchObject({
    status: 422,
    reason: 'unknown_field',
  })
  expect((await member.patch(`/data/people/${me.personId ?? ''}`, { fields: { own: 'mine' } }, ifMatch(at))).body).toMatchObject({
    fields: { own: 'mine' },
  })
  expect((await member.patch(`/data/people/${ann.id}`, { fields: { open: 'mine' } }, ifMatch(ann.version))).status).toBe(403)
})

test('a choice in use is not deleted but replaced, and a field with values only when that is confirmed', async ({
  api,
  organisation,
  person,
}) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const size = await make(owner, { key: 'size', label: 'Size', type: 'choice', choices: [{ label: 'S' }, { label: 'M' }] })
  const [s, m] = size.choices
  const ann = await enter(owner, { familyName: 'Ann', fields: { size: s?.id } })
  const without = [{ id: m?.id, label: 'M' }]
  expect((await owner.patch(`/data/fields/${size.id}`, { choices: without }, ifMatch(size.version))).body).toMatchObject({
    status: 409,
    reason: 'field_choice_in_use',
    current: { choiceId: s?.id, records: 1 },
  })
  expect((await owner.get(`/data/fields/${size.id}/uses`)).body).toMatchObject({ records: 1 })
  const replaced = await owner.post(`/data/fields/${size.id}/choices/${s?.id ?? ''}/replace`, { replaceBy: m?.id })
  expect(replaced.body).toMatchObject({ choices: [{ id: m?.id }] })
  expect((await owner.get(`/data/people/${ann.id}`)).body).toMatchObject({ fields: { size: m?.id } })

  expect((await owner.del(`/data/fields/${size.id}`)).body).toMatchObject({ status: 409, reason: 'field_in_use', current: { records: 1 } })
  const { version } = replaced.body as { version: number }
  expect((await owner.patch(`/data/fields/${size.id}`, { archived: true }, ifMatch(version))).status).toBe(200)
  expect((await owner.get(`/data/people/${ann.id}`)).body).toMatchObject({ fields: {} })
  expect((await owner.del(`/data/fields/${size.id}`, { withValues: true })).status).toBe(204)
})

test('a pattern that takes too long for a text refuses it in time', async ({ api, organisation, person }) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  // Hard only for texts that the probes of a new pattern do not have.
  await make(owner, { key: 'odd', label: 'Odd', type: 'text', pattern: '(?:%|&|%&)*;' })
  const started = performance.now()
  const answer = await owner.post('/data/people', { familyName: 'Ann', fields: { odd: '%&'.repeat(250) } })
  expect(answer.status).toBe(422)
  expect(performance.now() - started).toBeLessThan(1_500)
})

test('chapters and groups have fields of their own, read, changed, filtered and exported the same way', async ({
  api,
  organisation,
  person,
}) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const member = api.as(await person({ org }))
  for (const recordType of ['chapters', 'groups']) {
    await make(owner, { recordType, key: 'rooms', label: 'Rooms', type: 'number', audience: 'everyone' })
    await make(owner, { recordType, key: 'keys', label: 'Key holder', type: 'text', audience: 'officers' })
    const created = await owner.post(`/data/${recordType}`, {
      name: 'Lyon',
      ...(recordType === 'chapters' ? { code: 'LYO', parentId: org.rootChapterId } : {}),
      fields: { rooms: 3, keys: 'Kim' },
    })
    expect(created.status, created.text).toBe(201)
    const { id, version } = created.body as { id: string; version: number }
    expect((await owner.patch(`/data/${recordType}/${id}`, { fields: { rooms: 4 } }, ifMatch(version))).body).toMatchObject({
      version: version + 1,
      fields: { rooms: 4, keys: 'Kim' },
    })
    expect((await member.get(`/data/${recordType}/${id}`)).body).toMatchObject({ fields: { rooms: 4 } })
    expect((await member.get(`/data/${recordType}/${id}`)).text).not.toContain('Kim')
    const found = await owner.get(
      `/data/${recordType}?sort=-fields.rooms&filter=${filterOf({ field: 'fields.rooms', op: 'after', value: 3 })}`,
    )
    expect((found.body as { items: { id: string }[] }).items.map((row) => row.id)).toEqual([id])
    expect((await member.get(`/data/${recordType}?sort=fields.keys`)).status).toBe(400)
    const columns = async (client: Client) => {
      const listed = await client.get(`/data/${recordType}?columns=fields.rooms,fields.keys,fields.gone`)
      return (listed.body as { items: { id: string; fields?: object }[] }).items.map((row) => [row.id === id, row.fields])
    }
    expect(await columns(owner)).toContainEqual([true, { rooms: 4, keys: 'Kim' }])
    expect(await columns(member)).toContainEqual([true, { rooms: 4 }])
    expect((await owner.get(`/data/${recordType}?columns=name`)).body).toMatchObject({ status: 400, reason: 'columns' })
    expect((await owner.get(`/data/exports/columns?list=${recordType}`)).text).toContain('fields.keys')
  }
})

test('search finds people by fields that are searched, and only whoever reads the value', async ({ api, organisation, person }) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const me = await person({ org })
  const [member, mine] = [api.as(me), me.personId ?? '']
  const open = await make(owner, { key: 'open', label: 'Open', type: 'text', searchable: true })
  await make(owner, { key: 'own', label: 'Own', type: 'text', audience: 'self', searchable: true })
  await make(owner, { key: 'kept', label: 'Kept', type: 'text', audience: 'officers', searchable: true })
  await make(owner, { key: 'secret', label: 'Secret', type: 'text', audience: 'officers', sensitive: true, searchable: true })
  await make(owner, { key: 'aside', label: 'Aside', type: 'text' })
  const fields = { open: 'Büchsen-macherin in Graz', own: 'zitherspiel', kept: 'vorgemerkt', secret: 'quarantäne', aside: 'nebenbei' }
  await enter(owner, { familyName: 'Ann', chapterId: org.rootChapterId, fields })
  const { version } = (await owner.get(`/data/people/${mine}`)).body as { version: number }
  expect((await owner.patch(`/data/people/${mine}`, { fields: { own: 'Zitherspiel', kept: 'Vorgemerkt' } }, ifMatch(version))).status).toBe(
    200,
  )
  const self = ((await owner.get(`/data/people/${mine}`)).body as Row).displayName
  const found = async (client: Client, text: string) => (await names(client, `q=${encodeURIComponent(text)}`)).toSorted()

  expect(await found(owner, 'graz buchs')).toEqual(['Ann'])
  expect(await found(member, 'graz buchs')).toEqual(['Ann'])
  expect(await found(owner, 'zithers')).toEqual(['Ann', self].toSorted())
  expect(await found(member, 'zithers')).toEqual([self])
  expect(await found(owner, 'vorgem')).toEqual(['Ann', self].toSorted())
  expect(await found(member, 'vorgem')).toEqual([])
  expect([await found(owner, 'quarantane'), await found(member, 'quarantane')]).toEqual([['Ann'], []])
  expect(await found(owner, 'nebenbei')).toEqual([])
  // Words of two values are not one text, and with a filter the same people are found.
  expect(await found(owner, 'graz zithers')).toEqual([])
  expect(await names(owner, `q=graz&filter=${filterOf({ field: 'fields.kept', op: 'notEmpty' })}`)).toEqual(['Ann'])

  const current = ((await owner.get('/data/fields')).body as { items: Field[] }).items.find(({ id }) => id === open.id)
  expect((await owner.patch(`/data/fields/${open.id}`, { searchable: false }, ifMatch(current?.version ?? 0))).status).toBe(200)
  expect(await found(owner, 'graz')).toEqual([])
})

test('parts of texts and missing values are found alone and beside other conditions, as far as the reader reads them', async ({
  api,
  organisation,
  person,
}) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const member = api.as(await person({ org }))
  await make(owner, { key: 'trade', label: 'Trade', type: 'text' })
  await make(owner, { key: 'kept', label: 'Kept', type: 'text', audience: 'officers' })
  for (const [familyName, trade, kept] of [
    ['Ann', 'Carpenter', 'one'],
    ['Bob', 'Ship’s carpenter', null],
    ['Cid', 'Cook', 'two'],
  ])
    await enter(owner, { familyName, jobTitle: 'Staff', chapterId: org.rootChapterId, fields: { trade, kept } })
  const staff = { field: 'jobTitle', op: 'is', value: 'Staff' }
  const asked = async (client: Client, ...conditions: object[]) => {
    const answer = await client.get(`/data/people?filter=${filterOf(...conditions)}`)
    expect(answer.status, answer.text).toBe(200)
    const { items, total } = answer.body as { items: Row[]; total: number }
    expect(total).toBe(items.length)
    return items.map(({ displayName }) => displayName)
  }
  const carpenter = { field: 'fields.trade', op: 'contains', value: 'CARPEN' }
  expect(await asked(owner, carpenter)).toEqual(['Ann', 'Bob'])
  expect(await asked(member, carpenter, staff)).toEqual(['Ann', 'Bob'])
  expect(await asked(owner, { field: 'fields.trade', op: 'contains', value: 'ok' }, staff)).toEqual(['Cid'])
  expect(await asked(owner, carpenter, { field: 'fields.kept', op: 'empty' })).toEqual(['Bob'])
  expect(await asked(owner, { field: 'fields.kept', op: 'empty' }, staff)).toEqual(['Bob'])
  expect(await asked(owner, { field: 'fields.trade', op: 'empty' }, staff)).toEqual([])
  expect((await member.get(`/data/people?filter=${filterOf({ field: 'fields.kept', op: 'contains', value: 'one' })}`)).status).toBe(400)
})
