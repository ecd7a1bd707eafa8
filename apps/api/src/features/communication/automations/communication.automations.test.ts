import type { Automation, AutomationRun, FollowUp } from '@guildhall/contract/features/communication.automations'
import { expect } from 'vitest'
import { automationsAtWork, dueRuns, lockRuns, takeSteps } from './communication.automations.jobs.queries.ts'
import { decide } from './communication.automations.rules.ts'
import { act, addTag, test } from './communication.automations.testing.ts'
import type { Paged } from './communication.automations.testing.ts'

const task = { id: 'call', kind: 'task', title: 'Call them', dueDays: 3 }
const wait = { id: 'wait', kind: 'wait', days: 3 }

test('whoever it happens to from then on enters, waits, and is done with each step once', async ({ club, admin }) => {
  const [early, late] = [await club.join(), await club.join()]
  const done = await addTag(admin, club.org, 'Done')
  await club.give(early.personId)
  const automation = await club.make({ steps: [wait, { id: 'tag', kind: 'tag', tagId: done }, task] })
  expect(automation).toMatchObject({ status: 'draft', faults: [], people: { inside: 0, ended: 0 } })
  await club.activate(automation)
  await club.round()
  expect(await club.runs(automation)).toEqual([])

  await club.give(late.personId)
  await club.round()
  await club.round()
  const [run] = await club.runs(automation)
  expect(run).toMatchObject({ person: { id: late.personId }, state: 'active', step: 'wait' })
  expect(await club.log(run)).toEqual(['enter entered', 'wait waited'])
  await club.pass(3)
  await club.round()
  await club.round()
  expect(await club.log(run)).toEqual(['enter entered', 'wait waited', 'tag tagged', 'call assigned', 'end done'])
  expect(await club.tagged(late.personId)).toEqual(['Done', 'New'])
  expect(await club.tagged(early.personId)).toEqual(['New'])
  expect((await club.boss.get(`/data/automations/${automation.id}/steps`)).body).toMatchObject({
    items: expect.arrayContaining([{ step: 'call', reached: 1, done: 1, skipped: 0, here: 0, mail: null, messageId: null }]),
  })
  const { items } = (await club.boss.get('/data/follow-ups')).body as Paged<FollowUp>
  expect(items).toMatchObject([{ title: 'Call them', person: { id: late.personId }, automation: { name: 'Welcome' }, doneAt: null }])
  const finished = await club.boss.post(`/data/follow-ups/${items[0]?.id}/done`, {}, { 'if-match': '"1"' })
  expect(finished).toMatchObject({ status: 200, body: { doneAt: expect.any(String) } })
  expect((await club.boss.get('/data/follow-ups')).body).toMatchObject({ items: [] })
})

test('asked for, those of the days before enter too, after a count of them', async ({ club, admin }) => {
  const [recent, old, outside] = [await club.join(), await club.join(), await club.join({ familyName: 'Zzz' })]
  for (const one of [recent, old, outside]) await club.give(one.personId)
  await admin.query(`update app.person_tags set created_at = now() - interval '40 days' where person_id = $1`, [old.personId])
  await admin.query(`update app.person_tags set created_at = now() - interval '3 days' where person_id in ($1, $2)`, [
    recent.personId,
    outside.personId,
  ])
  const automation = await club.make({ steps: [task], who: { q: 'Person' } })
  const preview = (since: string) => club.boss.get(`/data/automations/${automation.id}/preview${since}`)
  expect((await preview('')).body).toMatchObject({ total: 0 })
  expect((await preview('?since=10')).body).toMatchObject({ total: 1, people: [{ id: recent.personId }] })
  await club.activate(automation, { since: 10 })
  await club.round()
  expect((await club.runs(automation)).map(({ person }) => person.id)).toEqual([recent.personId])
})

test('two workers and a worker that dies take no step twice', async ({ club }) => {
  const people = [await club.join(), await club.join(), await club.join()]
  const automation = await club.make({ steps: [{ ...wait, days: 0, hours: 1 }, task, { ...task, id: 'again' }] })
  await club.activate(automation)
  for (const one of people) await club.give(one.personId)
  await Promise.all([club.round(), club.round()])
  await club.pass(1)
  const { database } = club.worker
  const work = (await database.withoutActor(automationsAtWork)).find((one) => one.automation === automation.id)
  if (!work) throw new Error('not at work')
  const step = (db: Parameters<typeof dueRuns>[0]) => async () => {
    const due = await dueRuns(db, work, 10)
    const held = await lockRuns(
      db,
      work,
      due.map(({ runId }) => runId),
    )
    return {
      due,
      made: await takeSteps(
        db,
        work,
        held.map((run) => decide(work.definition, run, run.facts, true, new Date(), 'UTC')),
      ),
    }
  }
  // The connection breaks after the step was taken and before it was committed.
  await expect(
    database.withoutActor(async (db) => {
      expect((await step(db)()).made).toBe(3)
      throw new Error('killed')
    }),
  ).rejects.toThrow('killed')
  expect((await club.boss.get('/data/follow-ups')).body).toMatchObject({ items: [] })
  await Promise.all([club.round(), club.round(), club.round()])
  const { items } = (await club.boss.get('/data/follow-ups')).body as Paged<FollowUp>
  expect(items).toHaveLength(6)
})

test('control: without the key of the log a step that is taken twice happens twice', async ({ club, admin }) => {
  const one = await club.join()
  const automation = await club.make({ steps: [task] })
  await club.activate(automation)
  await club.give(one.personId)
  await club.round()
  const again = `update app.automation_runs set state = 'active', step = 'call', next_at = now(), ended_at = null, ended_by = null where automation_id = $1`
  await admin.query(`delete from app.automation_log where automation_id = $1 and step = 'end'`, [automation.id])
  await admin.query(again, [automation.id])
  await club.round()
  const count = async () => ((await club.boss.get('/data/follow-ups')).body as Paged<FollowUp>).items.length
  expect(await count()).toBe(1)
  await admin.query(`delete from app.automation_log where automation_id = $1`, [automation.id])
  await admin.query(again, [automation.id])
  await club.round()
  expect(await count()).toBe(2)
})

test('once per person, or whenever it happens', async ({ club, admin }) => {
  const [one, other] = [await club.join(), await addTag(admin, club.org, 'Other')]
  const once = await club.activate(await club.make({ steps: [task] }))
  const always = await club.activate(await club.make({ name: 'Always', steps: [task], reentry: 'always' }))
  await club.give(one.personId)
  await club.round()
  // A day later they lose the tag and are given it again.
  await admin.query(`update app.person_tags set created_at = now() + interval '1 day' where person_id = $1`, [one.personId])
  await club.give(one.personId, other)
  await club.round()
  expect(await club.runs(once)).toHaveLength(1)
  expect(await club.runs(always)).toHaveLength(2)
})

test('rules end a run, and the log names the rule', async ({ club, admin }) => {
  const one = await club.join()
  const automation = await club.activate(await club.make({ steps: [wait, task], exits: ['tag_removed'] }))
  await club.give(one.personId)
  await club.round()
  await admin.query('delete from app.person_tags where person_id = $1', [one.personId])
  await club.pass(3)
  await club.round()
  const [run] = await club.runs(automation)
  expect(run).toMatchObject({ state: 'exited', endedBy: 'tag_removed' })
  expect(await club.log(run)).toEqual(['enter entered', 'wait waited', 'end exited'])
})

test('of a chapter only its subtree enters, whoever activated it; and who leaves it goes no further', async ({
  club,
  api,
  chapter,
  admin,
}) => {
  const west = await chapter(club.org, 'West')
  const below = await chapter(club.org, 'Below', west)
  const east = await chapter(club.org, 'East')
  const officer = api.as(await club.join({ chapterId: west, grants: [{ role: 'chapter-admin', chapterId: west }] }))
  const inside = await club.join({ chapterId: below })
  const outside = await club.join({ chapterId: east })
  const refused = await officer.post('/data/automations', { name: 'All', trigger: { on: 'joined' } })
  expect(refused.status).toBe(403)
  expect((await officer.post('/data/automations', { name: 'East', trigger: { on: 'joined' }, chapterId: east })).status).toBe(403)
  const automation = await club.make({ chapterId: west, steps: [wait, task] }, officer)
  await club.activate(automation, {}, officer)
  // One that the organisation's own administrator activates for the chapter reaches no further.
  const other = await club.activate(await club.make({ name: 'Boss', chapterId: west, steps: [task] }))
  for (const one of [inside, outside]) await club.give(one.personId)
  await club.round()
  expect((await club.runs(automation)).map(({ person }) => person.id)).toEqual([inside.personId])
  expect((await club.runs(other)).map(({ person }) => person.id)).toEqual([inside.personId])
  await admin.query(`update app.affiliations set ends_on = current_date - 1, starts_on = '2020-01-01' where person_id = $1`, [
    inside.personId,
  ])
  await club.pass(3)
  await club.round()
  expect((await club.runs(automation))[0]).toMatchObject({ state: 'exited', endedBy: 'gone' })
  const member = api.as(outside)
  expect((await member.get(`/data/automations/${automation.id}`)).status).toBe(404)
  expect(
    (
      await api
        .as(await club.join({ chapterId: east, grants: [{ role: 'chapter-admin', chapterId: east }] }))
        .get(`/data/automations/${automation.id}`)
    ).status,
  ).toBe(404)
})

test('it stops when whoever activated it may no longer send', async ({ club, api, chapter, admin }) => {
  const west = await chapter(club.org, 'West')
  const whose = await club.join({ chapterId: west, grants: [{ role: 'chapter-admin', chapterId: west }] })
  const officer = api.as(whose)
  const automation = await club.activate(await club.make({ chapterId: west, steps: [task] }, officer), {}, officer)
  await admin.query('delete from app.grants where account_id = $1', [whose.accountId])
  const one = await club.join({ chapterId: west })
  await club.give(one.personId)
  await club.round()
  expect((await club.boss.get(`/data/automations/${automation.id}`)).body).toMatchObject({ status: 'paused', pauseReason: 'sender_gone' })
  expect(await club.runs(automation)).toEqual([])
})

test('of somebody erased nothing is left, and a merged record goes on as the other one', async ({ club, admin }) => {
  const [erased, merged, stays] = [await club.join(), await club.join(), await club.join()]
  const automation = await club.activate(await club.make({ steps: [task, wait, { ...task, id: 'again' }] }))
  for (const one of [erased, merged]) await club.give(one.personId)
  await club.round()
  expect(await club.runs(automation)).toHaveLength(2)
  await admin.query(`update app.people set lifecycle = 'erased' where id = $1`, [erased.personId])
  await admin.query(`update app.people set lifecycle = 'merged', merged_into = $2 where id = $1`, [merged.personId, stays.personId])
  expect((await club.runs(automation)).map(({ person }) => person.id)).toEqual([stays.personId])
  await club.pass(3)
  await club.round()
  const { items } = (await club.boss.get('/data/follow-ups')).body as Paged<FollowUp>
  expect(items.map(({ person }) => person?.id)).toEqual([stays.personId, stays.personId])
})

test('what is not complete, is active or names what is hidden is refused', async ({ club, api, organisation, person, admin }) => {
  const empty = await club.make({ steps: [] })
  expect(empty.faults).toEqual([{ step: null, code: 'no_steps' }])
  expect(await act(club.boss, empty, 'activate')).toMatchObject({ status: 409, body: { reason: 'automation_not_ready' } })
  const mail = await club.make({
    steps: [
      { id: 'mail', kind: 'mail' },
      { id: 'wait', kind: 'wait' },
      { id: 'if', kind: 'condition', is: 'filter' },
    ],
  })
  expect(mail.faults.map(({ code }) => code)).toEqual(['no_template', 'no_topic', 'wait_empty', 'no_filter'])

  const active = await club.activate(await club.make({ steps: [task] }))
  const change = (body: object) => club.boss.patch(`/data/automations/${active.id}`, body, { 'if-match': `"${active.version}"` })
  expect(await change({ steps: [] })).toMatchObject({ status: 409, body: { reason: 'automation_stays' } })
  expect(await change({ name: 'Another name' })).toMatchObject({ status: 200, body: { name: 'Another name', status: 'active' } })
  expect(await act(club.boss, active, 'pause')).toMatchObject({ status: 412 })

  const theirs = await organisation()
  const stranger = await person({ org: theirs })
  const foreign = await addTag(admin, theirs, 'Theirs')
  const send = (body: object) => club.boss.post('/data/automations', { name: 'x', trigger: { on: 'joined' }, ...body })
  const hidden = { status: 422, body: { reason: 'automation_part_hidden' } }
  expect(await send({ trigger: { on: 'tag_added', tagId: foreign } })).toMatchObject(hidden)
  expect(await send({ steps: [{ id: 'a', kind: 'tag', tagId: foreign }] })).toMatchObject(hidden)
  expect(await send({ steps: [{ ...task, assigneeId: stranger.personId }] })).toMatchObject(hidden)
  for (const steps of [
    [{ ...task, id: 'A B' }],
    [task, task],
    [{ ...task, title: 'a\u202eb' }],
    [{ ...task, more: 1 }],
    [{ id: 'w', kind: 'wait', at: '25:00' }],
  ])
    expect([400, 422]).toContain((await send({ steps })).status)
  expect((await send({ who: { filter: { and: [{ or: [{ field: 'password', op: 'is', value: 'x' }] }] } } })).status).toBe(400)
  expect((await api.as(stranger).get(`/data/automations/${active.id}`)).status).toBe(404)
  expect((await api.as(await person({ org: theirs, idpRoles: ['org-admin'] })).get(`/data/automations/${active.id}`)).status).toBe(404)
})

test('paused nobody goes on; a step that is taken out is passed over; one person is stopped by hand', async ({ club }) => {
  const [one, two] = [await club.join(), await club.join()]
  const automation = await club.activate(await club.make({ steps: [wait, task, { ...task, id: 'more' }] }))
  for (const { personId } of [one, two]) await club.give(personId)
  await club.round()
  const [run] = await club.runs(automation)
  expect(await club.boss.post(`/data/automation-runs/${run?.id}/stop`)).toMatchObject({ status: 200, body: { state: 'stopped' } })
  expect(await club.boss.post(`/data/automation-runs/${run?.id}/stop`)).toMatchObject({
    status: 409,
    body: { reason: 'automation_run_ended' },
  })
  const paused = (await act(club.boss, automation, 'pause')).body as Automation
  await club.pass(4)
  await club.round()
  expect((await club.boss.get('/data/follow-ups')).body).toMatchObject({ items: [] })
  const changed = await club.boss.patch(
    `/data/automations/${automation.id}`,
    { steps: [wait, { ...task, id: 'more' }] },
    { 'if-match': `"${paused.version}"` },
  )
  expect(changed.status).toBe(200)
  await club.activate(changed.body)
  await club.round()
  expect(((await club.boss.get('/data/follow-ups')).body as Paged<FollowUp>).items).toHaveLength(1)
  const ofPerson = (await club.boss.get(`/data/people/${run?.person.id}/automations`)).body as Paged<AutomationRun>
  expect(ofPerson.items).toMatchObject([{ state: 'stopped' }])
})

test('each recipe makes a draft of its own', async ({ club }) => {
  for (const recipe of ['welcome', 'renewal', 'win-back', 'after-event']) {
    const made = await club.boss.post('/data/automations/recipes', { recipe })
    expect(made).toMatchObject({ status: 201, body: { recipe, status: 'draft' } })
    expect((made.body as Automation).steps.length).toBeGreaterThan(1)
  }
})
