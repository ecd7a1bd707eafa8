import { standardReports } from '@guildhall/contract/features/reports'
import type { StandardReport } from '@guildhall/contract/features/reports'
import { reportSubjects } from '@guildhall/contract/features/reports.subjects'
import type { ReportCategory, ReportSubject } from '@guildhall/contract/features/reports.subjects'
import type { Permission } from '@guildhall/contract/permissions'
import type { Can } from '../../platform/session/session.ts'
import { fieldsOf } from './reports-question.ts'

/** Without it, a report has no rows for its reader. The server decides; the rest is only not offered. */
const ofCategory: Record<ReportCategory, Permission> = {
  membership: 'people.contact',
  giving: 'gifts.read',
  events: 'events.manage',
  chapters: 'people.contact',
  communication: 'messages.write',
  quality: 'people.contact',
}
const ofReport: Partial<Record<StandardReport, Permission>> = {
  membership: 'memberships.read',
  retention: 'memberships.read',
  'grace-and-renewal': 'memberships.read',
}

/** Who looks after campaigns sees what they came to, also without single gifts. */
export const mayOpen = (report: StandardReport, can: Can) =>
  can(ofReport[report] ?? ofCategory[standardReports[report].category]) || (report === 'giving' && can('fundraising.manage'))

export const mayAskOf = (subject: ReportSubject, can: Can) => can(reportSubjects[subject].needs)

/** Fields whose values take a right of their own. */
export function mayUseField(subject: ReportSubject, field: string, can: Can): boolean {
  const needs = fieldsOf(subject)[field]?.needs
  return needs === undefined || can(needs)
}
