import { accountSlots } from '../features/account/account-slots.tsx'
import { chaptersSlots } from '../features/chapters/chapters-slots.tsx'
import { commentsSlots } from '../features/comments/comments-slots.tsx'
import { communicationSlots } from '../features/communication/communication-slots.tsx'
import { eventsSlots } from '../features/events/events-slots.tsx'
import { fieldsSlots } from '../features/fields/fields-slots.tsx'
import { filesSlots } from '../features/files/files-slots.tsx'
import { financeSlots } from '../features/finance/finance-slots.tsx'
import { groupsSlots } from '../features/groups/groups-slots.tsx'
import { importsSlots } from '../features/imports/imports-slots.tsx'
import { integrationsSlots } from '../features/integrations/integrations-slots.tsx'
import { listsSlots } from '../features/lists/lists-slots.tsx'
import { notesSlots } from '../features/notes/notes-slots.tsx'
import { membershipSlots } from '../features/membership/membership-slots.tsx'
import { paymentsSlots } from '../features/payments/payments-slots.tsx'
import { peopleSlots } from '../features/people/people-slots.tsx'
import { recordingsSlots } from '../features/recordings/recordings-slots.tsx'
import { reportsSlots } from '../features/reports/reports-slots.tsx'
import { relationshipsSlots } from '../features/relationships/relationships-slots.tsx'
import { timelineSlots } from '../features/timeline/timeline-slots.tsx'
import { tagsSlots } from '../features/tags/tags-slots.tsx'
import { gatherSlots } from '../platform/navigation/slots.tsx'
import { fundraisingSlots } from '../features/fundraising/fundraising-slots.tsx'

/** What the features add to each other's pages. It comes with the first page, so none of it may be imported by what comes before. */
export const pageSlots = gatherSlots([
  peopleSlots,
  timelineSlots,
  notesSlots,
  groupsSlots,
  commentsSlots,
  chaptersSlots,
  eventsSlots,
  communicationSlots,
  accountSlots,
  fieldsSlots,
  membershipSlots,
  financeSlots,
  paymentsSlots,
  tagsSlots,
  recordingsSlots,
  importsSlots,
  listsSlots,
  filesSlots,
  fundraisingSlots,
  relationshipsSlots,
  reportsSlots,
  integrationsSlots,
])
