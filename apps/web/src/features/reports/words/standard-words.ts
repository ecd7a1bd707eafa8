import { t } from '@lingui/core/macro'
import type { StandardReport } from '@guildhall/contract/features/reports'

/** The reports that come with the product: what each is called, and the question it answers. */
export const standardWords = (): Record<StandardReport, { title: string; purpose: string }> => ({
  membership: { title: t`Membership`, purpose: t`How many members there are, by status and type` },
  'joins-and-leaves': { title: t`Joins and leaves`, purpose: t`How many joined and how many left over time` },
  retention: { title: t`Retention`, purpose: t`How many of those who joined in a year are still members` },
  'grace-and-renewal': { title: t`Grace and renewal`, purpose: t`Memberships that end soon, are in grace or have lapsed` },
  'members-by-chapter': { title: t`Members by chapter`, purpose: t`Which chapters have how many members` },
  giving: { title: t`Giving`, purpose: t`What was raised, from how many donors` },
  'donor-retention': { title: t`Donor retention`, purpose: t`Who gave last year or in some year before, and not this year` },
  'top-donors': { title: t`Top donors`, purpose: t`Who gave most` },
  funds: { title: t`Funds and campaigns`, purpose: t`What was raised for each fund` },
  'recurring-giving': { title: t`Recurring giving`, purpose: t`Recurring gifts and what they bring in a year` },
  'pledges-overdue': { title: t`Overdue pledges`, purpose: t`Instalments of pledges that are past their due date` },
  events: { title: t`Events`, purpose: t`Events, registrations and revenue` },
  attendance: { title: t`Attendance and no-shows`, purpose: t`How many of those who registered came` },
  chapters: { title: t`Chapter scorecard`, purpose: t`Members, growth, officers and events of each chapter` },
  officers: { title: t`Officers`, purpose: t`Offices that are vacant or whose terms end soon` },
  messages: { title: t`Messages`, purpose: t`What was sent, opened and clicked` },
  'data-quality': { title: t`Data quality`, purpose: t`Records with something missing or contradictory` },
})
