import { t } from '@lingui/core/macro'
import type { ReportCategory, ReportSubject } from '@guildhall/contract/features/reports.subjects'

export const subjectWords = (): Record<ReportSubject, string> => ({
  people: t`People`,
  affiliations: t`Affiliations`,
  memberships: t`Memberships`,
  terms: t`Membership terms`,
  offices: t`Terms of office`,
  chapters: t`Chapters`,
  groupMembers: t`Group members`,
  events: t`Events`,
  registrations: t`Registrations`,
  gifts: t`Gifts`,
  pledges: t`Pledges`,
  recurringGifts: t`Recurring gifts`,
  invoices: t`Invoices`,
  payments: t`Payments`,
  messages: t`Messages`,
  relationships: t`Relationships`,
})

export const categoryWords = (): Record<ReportCategory, string> => ({
  membership: t`Membership`,
  giving: t`Giving`,
  events: t`Events`,
  chapters: t`Chapters`,
  communication: t`Communication`,
  quality: t`Data quality`,
})
