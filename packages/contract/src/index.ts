import { accountData } from './features/account.ts'
import { chaptersActions, chaptersData } from './features/chapters.ts'
import { fieldsData } from './features/fields.ts'
import { filesActions, filesData } from './features/files.ts'
import { commentsData } from './features/comments.ts'
import { groupsActions, groupsData } from './features/groups.ts'
import { financeActions, financeData } from './features/finance.ts'
import { homeData } from './features/home.ts'
import { importsActions, importsData } from './features/imports.ts'
import { membershipData } from './features/membership.ts'
import { listsActions, listsData } from './features/lists.ts'
import { notesData } from './features/notes.ts'
import { notificationsData } from './features/notifications.ts'
import { paymentsActions, paymentsData } from './features/payments.ts'
import { peopleActions, peopleData } from './features/people.ts'
import { recordingsData } from './features/recordings.ts'
import { tagsData } from './features/tags.ts'
import { siteActions, siteData } from './features/site.ts'
import { timelineData } from './features/timeline.ts'
import { eventsAnalytics } from './features/events.analytics.ts'
import { eventsInvitations } from './features/events.invitations.ts'
import { eventsSurvey } from './features/events.survey.ts'
import { eventsFeeds } from './features/events.feeds.ts'
import { communicationActions, communicationData } from './features/communication.ts'
import { eventsActions, eventsData } from './features/events.ts'
import { fundraisingCampaigns, fundraisingFunds, fundraisingSettings } from './features/fundraising.ts'
import { fundraisingDonorsActions, fundraisingDonorsData } from './features/fundraising.donors.ts'
import { fundraisingGiftsActions, fundraisingGiftsData } from './features/fundraising.gifts.ts'
import { fundraisingPlansData } from './features/fundraising.plans.ts'
import { fundraisingPledgesActions, fundraisingPledgesData } from './features/fundraising.pledges.ts'
import { relationshipsData } from './features/relationships.ts'
import { integrationsActions, integrationsData } from './features/integrations.ts'
import { apiKeysData } from './features/integrations.keys.ts'
import { metricsData } from './features/integrations.metrics.ts'
import { scimData } from './features/integrations.scim.ts'
import { webhooksActions, webhooksData } from './features/integrations.webhooks.ts'
import { linesActions, linesData } from './features/relationships.lines.ts'
import { reportsActions, reportsData } from './features/reports.ts'

export const dataContract = {
  account: accountData,
  home: homeData,
  people: peopleData,
  chapters: chaptersData,
  groups: groupsData,
  comments: commentsData,
  timeline: timelineData,
  notes: notesData,
  site: siteData,
  imports: importsData,
  membership: membershipData,
  lists: listsData,
  tags: tagsData,
  notifications: notificationsData,
  fields: fieldsData,
  finance: financeData,
  recordings: recordingsData,
  files: filesData,
  payments: paymentsData,
  communication: communicationData,
  events: { ...eventsData, analytics: eventsAnalytics, feeds: eventsFeeds, survey: eventsSurvey, invitations: eventsInvitations },
  fundraising: {
    ...fundraisingCampaigns,
    funds: fundraisingFunds,
    settings: fundraisingSettings,
    gifts: fundraisingGiftsData,
    donors: fundraisingDonorsData,
    plans: fundraisingPlansData,
    pledges: fundraisingPledgesData,
  },
  relationships: { ...relationshipsData, lines: linesData },
  reports: reportsData,
  integrations: { ...integrationsData, keys: apiKeysData, webhooks: webhooksData, metrics: metricsData, scim: scimData },
}
export const actionsContract = {
  people: peopleActions,
  chapters: chaptersActions,
  finance: financeActions,
  groups: groupsActions,
  events: eventsActions,
  site: siteActions,
  imports: importsActions,
  lists: listsActions,
  files: filesActions,
  payments: paymentsActions,
  communication: communicationActions,
  fundraising: { gifts: fundraisingGiftsActions, donors: fundraisingDonorsActions, pledges: fundraisingPledgesActions },
  relationships: { lines: linesActions },
  reports: reportsActions,
  integrations: { ...integrationsActions, webhooks: webhooksActions },
}
