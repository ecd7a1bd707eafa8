import { t } from '@lingui/core/macro'
import type { StandardReport } from '@guildhall/contract/features/reports'
import type { StandardMeasure } from '@guildhall/contract/features/reports.standard'
import type { MeasureWord } from './measure-words.ts'

const joined = () => ({
  label: t`Joined`,
  definition: t`People who became members of a chapter. A transfer counts as joining the new chapter.`,
})
const left = () => ({
  label: t`Left`,
  definition: t`People whose time as a member of a chapter ended. A transfer counts as leaving the old chapter.`,
})
const net = () => ({ label: t`Net`, definition: t`Joined less left.` })
const registrations = () => ({ label: t`Registrations`, definition: t`Confirmed seats at these events.` })
const attended = () => ({ label: t`Attended`, definition: t`Seats that were checked in.` })
const noShow = () => ({
  label: t`No-show rate`,
  definition: t`Of the seats at past events that checked people in, the share that was not checked in.`,
})
const otherCurrency = () => ({ label: t`In other currencies`, definition: t`Gifts in another currency: counted here, and not added up.` })

/** The measures of the reports that come with the product: what each is called, and how it is counted. */
const words = (): { [Report in StandardReport]: Record<StandardMeasure<Report>, MeasureWord> } => ({
  membership: {
    active: { label: t`Active`, definition: t`Memberships with a paid or approved term on the day.` },
    grace: { label: t`In grace period`, definition: t`Memberships whose term has ended and whose grace period has not, on the day.` },
    suspended: { label: t`Paused`, definition: t`Memberships that are paused now. Not known for earlier days.` },
    applications: { label: t`Applications`, definition: t`Applications awaiting approval or payment now. Not known for earlier days.` },
    lapsed: { label: t`Lapsed`, definition: t`Memberships whose term and grace period ended before the day.` },
    cancelled: { label: t`Cancelled`, definition: t`Memberships cancelled on or before the day.` },
    people: { label: t`People`, definition: t`People with a membership that is active or in its grace period.` },
    joined: { label: t`New`, definition: t`Memberships whose first term began in the 12 months up to the day.` },
    renewed: { label: t`Renewed`, definition: t`Terms after the first that began in the 12 months up to the day.` },
    expired: {
      label: t`Lapsed in 12 months`,
      definition: t`Memberships that lapsed in the 12 months up to the day and are still lapsed on it.`,
    },
  },
  'joins-and-leaves': { joins: joined(), leaves: left(), net: net() },
  retention: {
    retained: {
      label: t`Retained`,
      definition: t`Of those who joined, the share whose membership, with its grace period, was running that many years after their first day.`,
    },
    people: { label: t`Still members`, definition: t`The people behind that share.` },
    cohort: {
      label: t`Joined`,
      definition: t`People whose first term began in the year and whose anniversary has come.`,
    },
  },
  'grace-and-renewal': {
    memberships: {
      label: t`Memberships`,
      definition: t`In grace: the term has ended and the grace period has not. Renewing: active, and the term ends within these days. Lapsed: the grace period ended in the last 30 days.`,
    },
    autoRenew: { label: t`Renew automatically`, definition: t`Of these memberships, those that renew by themselves.` },
  },
  'members-by-chapter': {
    members: { label: t`Members`, definition: t`Members of the chapter on the day. Somebody in two chapters counts in both.` },
    alumni: { label: t`Alumni`, definition: t`Alumni of the chapter on the day.` },
    joins: { label: t`Joined`, definition: t`Members who joined in the 12 months up to the day.` },
    leaves: { label: t`Left`, definition: t`Members who left in the 12 months up to the day.` },
    net: net(),
  },
  giving: {
    raised: { label: t`Raised`, definition: t`Gifts received in the range, less refunds.` },
    gifts: { label: t`Gifts`, definition: t`Gifts received in the range that were not refunded in full.` },
    donors: { label: t`Donors`, definition: t`People and others who gave at least one of these gifts. The total counts each once.` },
    average: { label: t`Average gift`, definition: t`Raised, divided by the number of gifts.` },
    otherCurrency: otherCurrency(),
  },
  'donor-retention': {
    donors: { label: t`Donors`, definition: t`People who gave in the year.` },
    new: { label: t`New`, definition: t`Donors who gave for the first time.` },
    kept: { label: t`Gave again`, definition: t`Donors who also gave in the year before.` },
    returned: { label: t`Returned`, definition: t`Donors who had not given in the year before, but earlier.` },
    lybunt: { label: t`Gave the year before (LYBUNT)`, definition: t`People who gave in the year before, but not in this one.` },
    sybunt: {
      label: t`Gave earlier (SYBUNT)`,
      definition: t`People who gave in an earlier year, but neither in this one nor in the year before.`,
    },
    retained: { label: t`Retained`, definition: t`Of the donors of the year before, the share who gave again.` },
  },
  'top-donors': {
    raised: { label: t`Raised`, definition: t`What the donor gave in the range, less refunds. The total is of all donors.` },
    gifts: { label: t`Gifts`, definition: t`Their gifts in the range that were not refunded in full.` },
  },
  funds: {
    raised: { label: t`Raised`, definition: t`What the fund received from gifts to the campaign, less refunds.` },
    gifts: { label: t`Gifts`, definition: t`Gifts with a part for the fund. A gift to two funds counts in both.` },
  },
  'recurring-giving': {
    plans: { label: t`Recurring gifts`, definition: t`Recurring gifts with this status.` },
    perYear: { label: t`Per year`, definition: t`What they come to in a year at their interval.` },
    otherCurrency: { label: t`In other currencies`, definition: t`Recurring gifts in another currency: counted here, and not added up.` },
  },
  'pledges-overdue': {
    overdue: { label: t`Overdue`, definition: t`Instalments that are past their due date and neither paid nor waived.` },
    instalments: { label: t`Instalments`, definition: t`How many instalments that is.` },
    days: { label: t`Overdue for`, definition: t`Days since the oldest of them was due.` },
    otherCurrency: {
      label: t`In other currencies`,
      definition: t`Overdue instalments in another currency: counted here, and not added up.`,
    },
  },
  events: {
    events: { label: t`Events`, definition: t`Published events that began in the range and were not cancelled.` },
    registrations: registrations(),
    attended: attended(),
    noShow: noShow(),
    revenue: { label: t`Revenue`, definition: t`What was paid for registrations and not refunded.` },
  },
  attendance: {
    registrations: registrations(),
    attended: attended(),
    noShows: { label: t`No-shows`, definition: t`Seats at past events that checked people in, and that were not checked in.` },
    noShow: noShow(),
  },
  chapters: {
    members: { label: t`Members`, definition: t`Members of the chapter on the day.` },
    growth: { label: t`Growth`, definition: t`Joined less left in the 12 months up to the day.` },
    growthRate: { label: t`Growth rate`, definition: t`Growth, divided by the members 12 months before.` },
    vacant: { label: t`Vacant offices`, definition: t`Mandatory offices without a holder on the day.` },
    events: { label: t`Events`, definition: t`Published events in the 12 months up to the day.` },
    raised: { label: t`Raised`, definition: t`Gifts to the chapter in the 12 months up to the day, less refunds.` },
  },
  officers: {
    offices: {
      label: t`Offices`,
      definition: t`Vacant: mandatory offices of open chapters without a holder. Ending: terms that end within these days. Overrun: terms without an end that are longer than the term of the office.`,
    },
  },
  messages: {
    messages: { label: t`Messages`, definition: t`Messages whose sending began in the range.` },
    recipients: { label: t`Recipients`, definition: t`People of the audience who were not left out.` },
    delivered: { label: t`Delivered`, definition: t`Mails that left and did not bounce.` },
    opened: {
      label: t`Opened`,
      definition: t`Mails whose pictures were loaded. Some mail programs load them unasked, so take it as a hint.`,
    },
    openRate: { label: t`Open rate`, definition: t`Opened, of the mails that were delivered.` },
    clicked: { label: t`Clicked`, definition: t`Mails in which a link was followed.` },
    clickRate: { label: t`Click rate`, definition: t`Clicked, of the mails that were delivered.` },
    bounced: { label: t`Bounced`, definition: t`Mails that the receiving server refused.` },
    bounceRate: { label: t`Bounce rate`, definition: t`Bounced, of the mails that left.` },
    unsubscribed: { label: t`Unsubscribed`, definition: t`People who unsubscribed by a link in the message.` },
  },
  'data-quality': {
    records: {
      label: t`Records`,
      definition: t`Records with this problem. People who died, and records that were merged, erased or archived, are not counted. One person can have several problems.`,
    },
    share: { label: t`Share`, definition: t`Of all people who are counted.` },
  },
})

export function standardMeasure(report: StandardReport, key: string): MeasureWord | undefined {
  const found: Readonly<Record<string, MeasureWord>> = words()[report]
  return found[key]
}

/** What the rows of these reports are called. */
export const standardDimension = (report: StandardReport, key: string): string => {
  if (key === 'type' && report === 'events') return t`Kind`
  const known: Readonly<Record<string, string>> = {
    type: t`Membership type`,
    chapter: t`Chapter`,
    region: t`Region`,
    month: t`Month`,
    quarter: t`Quarter`,
    year: t`Year`,
    cohort: t`Joined in`,
    years: t`Years after joining`,
    stage: t`Stage`,
    donor: t`Donor`,
    fund: t`Fund`,
    campaign: t`Campaign`,
    status: t`Status`,
    event: t`Event`,
    state: t`State`,
    message: t`Message`,
    problem: t`Problem`,
  }
  return known[key] ?? key
}

/** The codes of a dimension in words. */
export function standardCode(dimension: string, code: string): string | undefined {
  const known: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    stage: {
      grace: t`In grace period`,
      renews30: t`Ends within 30 days`,
      renews60: t`Ends in 31 to 60 days`,
      renews90: t`Ends in 61 to 90 days`,
      lapsed30: t`Lapsed in the last 30 days`,
    },
    status: {
      active: t`Active`,
      past_due: t`Payment failed`,
      paused: t`Paused`,
      pending: t`Not started`,
      completed: t`Completed`,
      cancelled: t`Stopped`,
    },
    type: {
      meeting: t`Meeting`,
      social: t`Social`,
      training: t`Training`,
      conference: t`Conference`,
      fundraiser: t`Fundraiser`,
      service: t`Service`,
      other: t`Other`,
    },
    state: {
      vacant: t`Vacant`,
      ends30: t`Ends within 30 days`,
      ends60: t`Ends in 31 to 60 days`,
      ends90: t`Ends in 61 to 90 days`,
      overrun: t`Longer than its term`,
    },
    problem: {
      withoutEmail: t`Without an e-mail address`,
      withoutPhone: t`Without a telephone number`,
      withoutChapter: t`In no chapter`,
      withoutBirthDate: t`Without a birth date`,
      withoutMemberNo: t`Active without a member number`,
      bounced: t`E-mail address refuses mail`,
      duplicates: t`Possible duplicates`,
      proposed: t`Relationships not decided for 30 days`,
    },
  }
  if (dimension === 'years') return t`Year ${code}`
  return known[dimension]?.[code]
}
