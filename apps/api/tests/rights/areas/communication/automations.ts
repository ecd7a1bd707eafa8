import type { automations, followUps } from '@guildhall/contract/features/communication.automations'
import { right } from '../../grid.ts'
import { may } from '../../line.ts'
import type { AreaRows, PolicyOf } from '../../line.ts'
import { rights } from '../../rights.ts'

export const automationsRights = {
  automate: right(
    'See, write and activate automations, and see and stop them for people',
    `                west below east org
     officer         x    x     -    -
     communications  x    x     x    x
     admin           x    x     x    x
     owner           x    x     x    x`,
  ),
  seeAutomationsOf: right(
    'See which automations a person is in',
    `                west below east
     officer         x    x     -
     communications  x    x     x
     admin           x    x     x
     owner           x    x     x`,
  ),
  followUp: right(
    'See follow-ups of a chapter and mark them as done; who is assigned one does so too',
    `                west below east
     officer         x    x     -
     communications  x    x     x
     admin           x    x     x
     owner           x    x     x`,
  ),
}
const { automate, seeAutomationsOf, followUp } = automationsRights

export const automationsKinds = { automation: automate, followUp }

export const automationsRows: AreaRows = async ({ add, orgId, chapterId, canary, people }) => {
  const automation = {
    org_id: orgId,
    chapter_id: chapterId,
    name: canary('automation'),
    description: canary('automation'),
    trigger: { on: 'lapsed' },
    steps: JSON.stringify([{ id: 'task', kind: 'task', title: canary('automation'), note: '', dueDays: 1, assigneeId: null }]),
  }
  const activeAutomationId = await add('automations', {
    ...automation,
    status: 'active',
    activated_at: new Date(),
    enters_from: '2020-01-01',
  })
  const run = {
    org_id: orgId,
    automation_id: activeAutomationId,
    person_id: people.personId,
    step: 'task',
    next_at: '2090-01-01T00:00:00Z',
  }
  const automationRunId = await add('automation_runs', { ...run, occasion: 'lapsed:1', entry_key: 'once' })
  await add('automation_log', { org_id: orgId, run_id: automationRunId, automation_id: activeAutomationId, step: 'enter', kind: 'entered' })
  const task = { org_id: orgId, person_id: people.personId, chapter_id: chapterId, title: canary('followUp'), note: canary('followUp') }
  return {
    automationId: await add('automations', automation),
    activeAutomationId,
    automationRunId,
    followUpId: await add('follow_ups', task),
    doneFollowUpId: await add('follow_ups', { ...task, done_at: new Date() }),
  }
}

export const automationsPolicy: PolicyOf<typeof automations> = {
  list: may(rights.account, { shows: ['automation'] }),
  create: may(automate, { send: { name: 'New', trigger: { on: 'joined' }, chapterId: '$chapterId' } }),
  fromRecipe: may(automate, { send: { recipe: 'welcome', chapterId: '$chapterId' } }),
  get: may(automate, { shows: ['automation'] }),
  update: may(automate, { send: { name: 'New' } }),
  activate: may(automate, { send: {} }),
  pause: may(automate, { ids: { automationId: 'activeAutomationId' } }),
  archive: may(automate),
  preview: may(automate),
  steps: may(automate),
  runs: may(automate, { ids: { automationId: 'activeAutomationId' } }),
  log: may(automate),
  stop: may(automate),
  ofPerson: may(seeAutomationsOf, { shows: ['automation'] }),
}

export const followUpsPolicy: PolicyOf<typeof followUps> = {
  list: may(rights.account, { shows: ['followUp'] }),
  done: may(followUp),
  reopen: may(followUp, { ids: { followUpId: 'doneFollowUpId' } }),
}
