import { accountArea } from '../features/account/account-area.tsx'
import { accountRoutes } from '../features/account/account-routes.tsx'
import { aiRoutes } from '../features/ai/ai-routes.tsx'
import { careersRoutes } from '../features/careers/careers-routes.tsx'
import { chaptersArea } from '../features/chapters/chapters-area.tsx'
import { chaptersRoutes } from '../features/chapters/chapters-routes.tsx'
import { communicationArea } from '../features/communication/communication-area.tsx'
import { communicationRoutes } from '../features/communication/communication-routes.tsx'
import { eventsArea } from '../features/events/events-area.tsx'
import { eventsRoutes } from '../features/events/events-routes.tsx'
import { fundraisingRoutes } from '../features/fundraising/fundraising-routes.tsx'
import { groupsArea } from '../features/groups/groups-area.tsx'
import { groupsRoutes } from '../features/groups/groups-routes.tsx'
import { homeArea } from '../features/home/home-area.tsx'
import { homeRoutes } from '../features/home/home-routes.tsx'
import { integrationsArea } from '../features/integrations/integrations-area.tsx'
import { integrationsRoutes } from '../features/integrations/integrations-routes.tsx'
import { peopleArea } from '../features/people/people-area.tsx'
import { peopleRoutes } from '../features/people/people-routes.tsx'
import { projectsRoutes } from '../features/projects/projects-routes.tsx'
import { relationshipsRoutes } from '../features/relationships/relationships-routes.tsx'
import { reportsArea } from '../features/reports/reports-area.tsx'
import { reportsRoutes } from '../features/reports/reports-routes.tsx'
import { publicSiteRoutes } from '../features/site/site-routes.tsx'
import { gatherAreas } from '../platform/navigation/slots.tsx'
import type { PageSlots, Slots } from '../platform/navigation/slots.tsx'
import { plannedAreas } from './planned-areas.tsx'
import { fundraisingArea } from '../features/fundraising/fundraising-area.tsx'

let asked: Promise<PageSlots> | undefined

/** Asked for again where it could not be fetched. */
function page(): Promise<PageSlots> {
  asked ??= import('./page-slots.tsx').then(
    ({ pageSlots }) => pageSlots,
    (failure: unknown) => {
      asked = undefined
      throw failure
    },
  )
  return asked
}

/** What the features add to the frame and to each other. Areas and what can be created stand in this order. */
export const slots: Slots = {
  frame: gatherAreas([
    homeArea,
    peopleArea,
    groupsArea,
    chaptersArea,
    eventsArea,
    communicationArea,
    fundraisingArea,
    reportsArea,
    plannedAreas,
    integrationsArea,
    accountArea,
  ]),
  page,
}

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
  ...relationshipsRoutes,
  ...reportsRoutes,
] as const

export const publicRoutes = publicSiteRoutes
