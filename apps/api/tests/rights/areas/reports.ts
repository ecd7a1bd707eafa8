import type { reportsActions, reportsData } from '@guildhall/contract/features/reports'
import { right } from '../grid.ts'
import { may } from '../line.ts'
import type { AreaRows, PolicyOf } from '../line.ts'

export const reportsRights = {
  /** What an answer counts is for the rights over its rows. */
  runReports: right(
    'Run reports, save them and have them mailed',
    `                org
     officer         x
     events          x
     finance         x
     communications  x
     admin           x
     owner           x`,
  ),
  keepReports: right(
    'Change their own reports, runs and schedules, which nobody else sees',
    `                own west below east
     officer         x   -    -     -
     events          x   -    -     -
     finance         x   -    -     -
     communications  x   -    -     -
     admin           x   -    -     -
     owner           x   -    -     -`,
  ),
  seeSharedReports: right(
    'See reports that were shared with the organisation',
    `                own west below east org
     officer         x   x    x     x    x
     events          x   x    x     x    x
     finance         x   x    x     x    x
     communications  x   x    x     x    x
     admin           x   x    x     x    x
     owner           x   x    x     x    x`,
  ),
}
const { runReports, keepReports, seeSharedReports } = reportsRights

export const reportsKinds = { report: keepReports, sharedReport: seeSharedReports }

/** What somebody saved, ran and has mailed, beside their other belongings. */
export async function reportsOf(
  add: (table: string, row: Record<string, unknown>) => Promise<string>,
  owner: { org_id: string; account_id: string },
  name: string,
): Promise<Record<string, string>> {
  const question = JSON.stringify({
    ...{ kind: 'own', subject: 'chapters', measures: ['chapters'], groupBy: [], chapterId: null, range: null },
    ...{ compare: false, asOf: null, picture: 'table' },
  })
  const reportId = await add('reports', { ...owner, name, question })
  const scheduleId = await add('report_schedules', {
    ...owner,
    report_id: reportId,
    cadence: 'monthly',
    formats: ['csv'],
    next_on: '2099-01-01',
  })
  return { reportId, scheduleId, reportRunId: await add('report_runs', { ...owner, question, name }) }
}

export const reportsRows: AreaRows = async () => ({})

const question = { kind: 'own', subject: 'chapters', measures: ['chapters'], groupBy: [{ field: 'chapter' }] }
const figure = { question, measure: 'chapters' }
export const reportsPolicy: PolicyOf<typeof reportsData> = {
  ask: may(runReports, { send: { question }, changesNothing: true, shows: ['chapter'] }),
  behind: may(runReports, { send: figure, changesNothing: true, shows: ['chapter'] }),
  check: may(runReports, { send: figure, changesNothing: true }),
  list: may(runReports, { shows: ['sharedReport'] }),
  create: may(runReports, { send: { name: 'Chapters', question } }),
  get: may(keepReports, { shows: ['report'] }),
  update: may(keepReports, { send: { name: 'Chapters by region' } }),
  remove: may(keepReports),
  place: may(keepReports),
  runs: may(runReports),
  run: may(keepReports, { ids: { runId: 'reportRunId' }, shows: ['report'] }),
  schedules: {
    list: may(runReports),
    create: may(keepReports, { send: { reportId: '$reportId', cadence: 'weekly', formats: ['csv'], accountIds: ['$accountId'] } }),
    update: may(keepReports, { send: { cadence: 'weekly' } }),
    remove: may(keepReports),
  },
}
export const reportsActionsPolicy: PolicyOf<typeof reportsActions> = {
  run: may(runReports, { send: { question } }),
  file: may(runReports, { send: { question, format: 'csv' }, changesNothing: true }),
  send: may(keepReports),
}
