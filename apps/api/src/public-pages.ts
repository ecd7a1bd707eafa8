import { invitationPage } from './features/account/pages/account.pages.ts'
import { chapterPreviewPage, chapterPublicPage } from './features/chapters/pages/chapters.pages.ts'
import { topicConfirmPage } from './features/communication/consent/communication.consents.pages.ts'
import { messagePicture } from './features/communication/body/communication.pictures.pages.ts'
import {
  publicChapterEventsPage,
  publicEventPage,
  publicEventPicture,
  publicEventsPage,
} from './features/events/guests/events.guests.pages.ts'
import { manageRegistrationPage } from './features/events/guests/events.manage.pages.ts'
import { eventInvitationPage } from './features/events/invitations/events.invitations.pages.ts'
import { surveyPage } from './features/events/survey/events.survey.pages.ts'
import {
  givingCancelledPage,
  givingEmbedPage,
  givingListPage,
  givingPage,
  givingPicture,
  givingThanksPage,
} from './features/fundraising/giving/fundraising.giving.pages.ts'
import { recurringGiftPage } from './features/fundraising/plans/fundraising.plans.pages.ts'
import { pledgePage } from './features/fundraising/pledges/fundraising.pledges.pages.ts'
import { cardPage } from './features/people/cards/people.cards.pages.ts'
import { payPage } from './features/payments/payments.pages.ts'
import { unsubscribePage } from './platform/mail/unsubscribe.ts'
import type { PublicPage } from './platform/public-pages/public-pages.ts'

/** Everything that is shown below /public/. */
export const publicPages: readonly PublicPage[] = [
  chapterPublicPage,
  chapterPreviewPage,
  invitationPage,
  cardPage,
  payPage,
  publicEventsPage,
  publicChapterEventsPage,
  publicEventPage,
  publicEventPicture,
  manageRegistrationPage,
  surveyPage,
  eventInvitationPage,
  unsubscribePage,
  topicConfirmPage,
  messagePicture,
  givingListPage,
  givingPage,
  givingThanksPage,
  givingCancelledPage,
  givingEmbedPage,
  givingPicture,
  recurringGiftPage,
  pledgePage,
]
