import type { StandardReport } from '@guildhall/contract/features/reports'
import type { StandardMeasure } from '@guildhall/contract/features/reports.standard'
import type { Texts } from '../../../platform/texts/texts.ts'
import type { MeasureWord } from './reports.measures.rules.ts'

const joined = (i18n: Texts) => ({
  label: i18n._('Joined'),
  definition: i18n._('People who became members of a chapter. A transfer counts as joining the new chapter.'),
})
const left = (i18n: Texts) => ({
  label: i18n._('Left'),
  definition: i18n._('People whose time as a member of a chapter ended. A transfer counts as leaving the old chapter.'),
})
const net = (i18n: Texts) => ({ label: i18n._('Net'), definition: i18n._('Joined less left.') })
const registrations = (i18n: Texts) => ({ label: i18n._('Registrations'), definition: i18n._('Confirmed seats at these events.') })
const attended = (i18n: Texts) => ({ label: i18n._('Attended'), definition: i18n._('Seats that were checked in.') })
const noShow = (i18n: Texts) => ({
  label: i18n._('No-show rate'),
  definition: i18n._('Of the seats at past events that checked people in, the share that was not checked in.'),
})
const otherCurrency = (i18n: Texts) => ({
  label: i18n._('In other currencies'),
  definition: i18n._('Gifts in another currency: counted here, and not added up.'),
})

/** The measures of the reports that come with the product: what each is called, and how it is counted. */
const words = (i18n: Texts): { [Report in StandardReport]: Record<StandardMeasure<Report>, MeasureWord> } => ({
  membership: {
    active: { label: i18n._('Active'), definition: i18n._('Memberships with a paid or approved term on the day.') },
    grace: {
      label: i18n._('In grace period'),
      definition: i18n._('Memberships whose term has ended and whose grace period has not, on the day.'),
    },
    suspended: { label: i18n._('Paused'), definition: i18n._('Memberships that are paused now. Not known for earlier days.') },
    applications: {
      label: i18n._('Applications'),
      definition: i18n._('Applications awaiting approval or payment now. Not known for earlier days.'),
    },
    lapsed: { label: i18n._('Lapsed'), definition: i18n._('Memberships whose term and grace period ended before the day.') },
    cancelled: { label: i18n._('Cancelled'), definition: i18n._('Memberships cancelled on or before the day.') },
    people: { label: i18n._('People'), definition: i18n._('People with a membership that is active or in its grace period.') },
    joined: { label: i18n._('New'), definition: i18n._('Memberships whose first term began in the 12 months up to the day.') },
    renewed: { label: i18n._('Renewed'), definition: i18n._('Terms after the first that began in the 12 months up to the day.') },
    expired: {
      label: i18n._('Lapsed in 12 months'),
      definition: i18n._('Memberships that lapsed in the 12 months up to the day and are still lapsed on it.'),
    },
  },
  'joins-and-leaves': { joins: joined(i18n), leaves: left(i18n), net: net(i18n) },
  retention: {
    retained: {
      label: i18n._('Retained'),
      definition: i18n._(
        'Of those who joined, the share whose membership, with its grace period, was running that many years after their first day.',
      ),
    },
    people: { label: i18n._('Still members'), definition: i18n._('The people behind that share.') },
    cohort: {
      label: i18n._('Joined'),
      definition: i18n._('People whose first term began in the year and whose anniversary has come.'),
    },
  },
  'grace-and-renewal': {
    memberships: {
      label: i18n._('Memberships'),
      definition: i18n._(
        'In grace: the term has ended and the grace period has not. Renewing: active, and the term ends within these days. Lapsed: the grace period ended in the last 30 days.',
      ),
    },
    autoRenew: { label: i18n._('Renew automatically'), definition: i18n._('Of these memberships, those that renew by themselves.') },
  },
  'members-by-chapter': {
    members: {
      label: i18n._('Members'),
      definition: i18n._('Members of the chapter on the day. Somebody in two chapters counts in both.'),
    },
    alumni: { label: i18n._('Alumni'), definition: i18n._('Alumni of the chapter on the day.') },
    joins: { label: i18n._('Joined'), definition: i18n._('Members who joined in the 12 months up to the day.') },
    leaves: { label: i18n._('Left'), definition: i18n._('Members who left in the 12 months up to the day.') },
    net: net(i18n),
  },
  giving: {
    raised: { label: i18n._('Raised'), definition: i18n._('Gifts received in the range, less refunds.') },
    gifts: { label: i18n._('Gifts'), definition: i18n._('Gifts received in the range that were not refunded in full.') },
    donors: {
      label: i18n._('Donors'),
      definition: i18n._('People and others who gave at least one of these gifts. The total counts each once.'),
    },
    average: { label: i18n._('Average gift'), definition: i18n._('Raised, divided by the number of gifts.') },
    otherCurrency: otherCurrency(i18n),
  },
  'donor-retention': {
    donors: { label: i18n._('Donors'), definition: i18n._('People who gave in the year.') },
    new: { label: i18n._('New'), definition: i18n._('Donors who gave for the first time.') },
    kept: { label: i18n._('Gave again'), definition: i18n._('Donors who also gave in the year before.') },
    returned: { label: i18n._('Returned'), definition: i18n._('Donors who had not given in the year before, but earlier.') },
    lybunt: {
      label: i18n._('Gave the year before (LYBUNT)'),
      definition: i18n._('People who gave in the year before, but not in this one.'),
    },
    sybunt: {
      label: i18n._('Gave earlier (SYBUNT)'),
      definition: i18n._('People who gave in an earlier year, but neither in this one nor in the year before.'),
    },
    retained: { label: i18n._('Retained'), definition: i18n._('Of the donors of the year before, the share who gave again.') },
  },
  'top-donors': {
    raised: { label: i18n._('Raised'), definition: i18n._('What the donor gave in the range, less refunds. The total is of all donors.') },
    gifts: { label: i18n._('Gifts'), definition: i18n._('Their gifts in the range that were not refunded in full.') },
  },
  funds: {
    raised: { label: i18n._('Raised'), definition: i18n._('What the fund received from gifts to the campaign, less refunds.') },
    gifts: { label: i18n._('Gifts'), definition: i18n._('Gifts with a part for the fund. A gift to two funds counts in both.') },
  },
  'recurring-giving': {
    plans: { label: i18n._('Recurring gifts'), definition: i18n._('Recurring gifts with this status.') },
    perYear: { label: i18n._('Per year'), definition: i18n._('What they come to in a year at their interval.') },
    otherCurrency: {
      label: i18n._('In other currencies'),
      definition: i18n._('Recurring gifts in another currency: counted here, and not added up.'),
    },
  },
  'pledges-overdue': {
    overdue: { label: i18n._('Overdue'), definition: i18n._('Instalments that are past their due date and neither paid nor waived.') },
    instalments: { label: i18n._('Instalments'), definition: i18n._('How many instalments that is.') },
    days: { label: i18n._('Overdue for'), definition: i18n._('Days since the oldest of them was due.') },
    otherCurrency: {
      label: i18n._('In other currencies'),
      definition: i18n._('Overdue instalments in another currency: counted here, and not added up.'),
    },
  },
  events: {
    events: { label: i18n._('Events'), definition: i18n._('Published events that began in the range and were not cancelled.') },
    registrations: registrations(i18n),
    attended: attended(i18n),
    noShow: noShow(i18n),
    revenue: { label: i18n._('Revenue'), definition: i18n._('What was paid for registrations and not refunded.') },
  },
  attendance: {
    registrations: registrations(i18n),
    attended: attended(i18n),
    noShows: {
      label: i18n._('No-shows'),
      definition: i18n._('Seats at past events that checked people in, and that were not checked in.'),
    },
    noShow: noShow(i18n),
  },
  chapters: {
    members: { label: i18n._('Members'), definition: i18n._('Members of the chapter on the day.') },
    growth: { label: i18n._('Growth'), definition: i18n._('Joined less left in the 12 months up to the day.') },
    growthRate: { label: i18n._('Growth rate'), definition: i18n._('Growth, divided by the members 12 months before.') },
    vacant: { label: i18n._('Vacant offices'), definition: i18n._('Mandatory offices without a holder on the day.') },
    events: { label: i18n._('Events'), definition: i18n._('Published events in the 12 months up to the day.') },
    raised: { label: i18n._('Raised'), definition: i18n._('Gifts to the chapter in the 12 months up to the day, less refunds.') },
  },
  officers: {
    offices: {
      label: i18n._('Offices'),
      definition: i18n._(
        'Vacant: mandatory offices of open chapters without a holder. Ending: terms that end within these days. Overrun: terms without an end that are longer than the term of the office.',
      ),
    },
  },
  messages: {
    messages: { label: i18n._('Messages'), definition: i18n._('Messages whose sending began in the range.') },
    recipients: { label: i18n._('Recipients'), definition: i18n._('People of the audience who were not left out.') },
    delivered: { label: i18n._('Delivered'), definition: i18n._('Mails that left and did not bounce.') },
    opened: {
      label: i18n._('Opened'),
      definition: i18n._('Mails whose pictures were loaded. Some mail programs load them unasked, so take it as a hint.'),
    },
    openRate: { label: i18n._('Open rate'), definition: i18n._('Opened, of the mails that were delivered.') },
    clicked: { label: i18n._('Clicked'), definition: i18n._('Mails in which a link was followed.') },
    clickRate: { label: i18n._('Click rate'), definition: i18n._('Clicked, of the mails that were delivered.') },
    bounced: { label: i18n._('Bounced'), definition: i18n._('Mails that the receiving server refused.') },
    bounceRate: { label: i18n._('Bounce rate'), definition: i18n._('Bounced, of the mails that left.') },
    unsubscribed: { label: i18n._('Unsubscribed'), definition: i18n._('People who unsubscribed by a link in the message.') },
  },
  'data-quality': {
    records: {
      label: i18n._('Records'),
      definition: i18n._(
        'Records with this problem. People who died, and records that were merged, erased or archived, are not counted. One person can have several problems.',
      ),
    },
    share: { label: i18n._('Share'), definition: i18n._('Of all people who are counted.') },
  },
})

export function standardMeasure(i18n: Texts, report: StandardReport, key: string): MeasureWord | undefined {
  const found: Readonly<Record<string, MeasureWord>> = words(i18n)[report]
  return found[key]
}

/** What the rows of these reports are called. */
export const standardDimension = (i18n: Texts, report: StandardReport, key: string): string => {
  if (key === 'type' && report === 'events') return i18n._('Kind')
  const known: Readonly<Record<string, string>> = {
    type: i18n._('Membership type'),
    chapter: i18n._('Chapter'),
    region: i18n._('Region'),
    month: i18n._('Month'),
    quarter: i18n._('Quarter'),
    year: i18n._('Year'),
    cohort: i18n._('Joined in'),
    years: i18n._('Years after joining'),
    stage: i18n._('Stage'),
    donor: i18n._('Donor'),
    fund: i18n._('Fund'),
    campaign: i18n._('Campaign'),
    status: i18n._('Status'),
    event: i18n._('Event'),
    state: i18n._('State'),
    message: i18n._('Message'),
    problem: i18n._('Problem'),
  }
  return known[key] ?? key
}

/** The codes of a dimension in words. */
export function standardCode(i18n: Texts, dimension: string, code: string): string | undefined {
  const known: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    stage: {
      grace: i18n._('In grace period'),
      renews30: i18n._('Ends within 30 days'),
      renews60: i18n._('Ends in 31 to 60 days'),
      renews90: i18n._('Ends in 61 to 90 days'),
      lapsed30: i18n._('Lapsed in the last 30 days'),
    },
    status: {
      active: i18n._('Active'),
      past_due: i18n._('Payment failed'),
      paused: i18n._('Paused'),
      pending: i18n._('Not started'),
      completed: i18n._('Completed'),
      cancelled: i18n._('Stopped'),
    },
    type: {
      meeting: i18n._('Meeting'),
      social: i18n._('Social'),
      training: i18n._('Training'),
      conference: i18n._('Conference'),
      fundraiser: i18n._('Fundraiser'),
      service: i18n._('Service'),
      other: i18n._('Other'),
    },
    state: {
      vacant: i18n._('Vacant'),
      ends30: i18n._('Ends within 30 days'),
      ends60: i18n._('Ends in 31 to 60 days'),
      ends90: i18n._('Ends in 61 to 90 days'),
      overrun: i18n._('Longer than its term'),
    },
    problem: {
      withoutEmail: i18n._('Without an e-mail address'),
      withoutPhone: i18n._('Without a telephone number'),
      withoutChapter: i18n._('In no chapter'),
      withoutBirthDate: i18n._('Without a birth date'),
      withoutMemberNo: i18n._('Active without a member number'),
      bounced: i18n._('E-mail address refuses mail'),
      duplicates: i18n._('Possible duplicates'),
      proposed: i18n._('Relationships not decided for 30 days'),
    },
  }
  if (dimension === 'years') return i18n._('Year {code}', { code })
  return known[dimension]?.[code]
}
