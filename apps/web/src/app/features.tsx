import { accountRoutes } from '../features/account/account-routes.tsx'
import { accountSlots } from '../features/account/account-slots.tsx'
import { aiRoutes } from '../features/ai/ai-routes.tsx'
import { careersRoutes } from '../features/careers/careers-routes.tsx'
import { chaptersRoutes } from '../features/chapters/chapters-routes.tsx'
import { chaptersSlots } from '../features/chapters/chapters-slots.tsx'
import { commentsSlots } from '../features/comments/comments-slots.tsx'
import { communicationRoutes } from '../features/communication/communication-routes.tsx'
import { eventsRoutes } from '../features/events/events-routes.tsx'
import { fieldsSlots } from '../features/fields/fields-slots.tsx'
import { filesSlots } from '../features/files/files-slots.tsx'
import { financeSlots } from '../features/finance/finance-slots.tsx'
import { fundraisingRoutes } from '../features/fundraising/fundraising-routes.tsx'
import { groupsRoutes } from '../features/groups/groups-routes.tsx'
import { groupsSlots } from '../features/groups/groups-slots.tsx'
import { homeRoutes } from '../features/home/home-routes.tsx'
import { homeSlots } from '../features/home/home-slots.tsx'
import { importsSlots } from '../features/imports/imports-slots.tsx'
import { integrationsRoutes } from '../features/integrations/integrations-routes.tsx'
import { listsSlots } from '../features/lists/lists-slots.tsx'
import { notesSlots } from '../features/notes/notes-slots.tsx'
import { peopleRoutes } from '../features/people/people-routes.tsx'
import { membershipSlots } from '../features/membership/membership-slots.tsx'
import { peopleSlots } from '../features/people/people-slots.tsx'
import { projectsRoutes } from '../features/projects/projects-routes.tsx'
import { recordingsSlots } from '../features/recordings/recordings-slots.tsx'
import { reportsRoutes } from '../features/reports/reports-routes.tsx'
import { publicSiteRoutes } from '../features/site/site-routes.tsx'
import { timelineSlots } from '../features/timeline/timeline-slots.tsx'
import { tagsSlots } from '../features/tags/tags-slots.tsx'
import { gatherSlots } from '../platform/navigation/slots.tsx'
import { plannedAreas } from './planned-areas.tsx'

/** What the features add to the frame and to each other. Areas and what can be created stand in this order. */
export const slots = gatherSlots([
  homeSlots,
  peopleSlots,
  timelineSlots,
  notesSlots,
  groupsSlots,
  commentsSlots,
  chaptersSlots,
  plannedAreas,
  accountSlots,
  fieldsSlots,
  membershipSlots,
  financeSlots,
  tagsSlots,
  recordingsSlots,
  importsSlots,
  listsSlots,
  filesSlots,
])

/** Their pages. */
export const signedInRoutes = [
  ...homeRoutes,
  ...peopleRoutes,
  ...groupsRoutes,
  ...chaptersRoutes,
  ...accountRoutes,
  ...aiRoutes,
  ...integrationsRoutes,
  ...projectsRoutes,
  ...eventsRoutes,
  ...fundraisingRoutes,
  ...careersRoutes,
  ...communicationRoutes,
  ...reportsRoutes,
] as const

export const publicRoutes = publicSiteRoutes
