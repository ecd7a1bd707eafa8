import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { createLazyRoute, Link } from '@tanstack/react-router'
import { usePageTitle } from '../../platform/navigation/page-title.ts'
import { LegalDocument } from './legal-document.tsx'
import type { LegalSection } from './legal-document.tsx'
import { usePublicOrganisation } from './site-api.ts'

export const route = createLazyRoute('/open/privacy')({ component: PrivacyPage })

function PrivacyPage() {
  usePageTitle(t`Privacy policy`)
  const organisation = usePublicOrganisation().data?.name ?? t`the organisation`
  return <LegalDocument title={<Trans>Privacy policy</Trans>} changedOn="2026-11-21" sections={privacySections(organisation)} />
}

const privacySections = (organisation: string): LegalSection[] => [
  {
    id: 'who',
    title: <Trans>Who is responsible</Trans>,
    inShort: <Trans>{organisation} decides what happens with your data here.</Trans>,
    text: (
      <p>
        <Trans>
          {organisation} keeps this register of its members and is responsible for it. You reach its administrators through the{' '}
          <Link to="/contact">contact page</Link>; that is also the place for every request named below.
        </Trans>
      </p>
    ),
  },
  {
    id: 'what',
    title: <Trans>What is kept</Trans>,
    inShort: <Trans>Your name, how to reach you, where you belong and what you do here.</Trans>,
    text: (
      <>
        <p>
          <Trans>
            We keep your names, member number, e-mail addresses, telephone numbers and postal address; the chapters and groups you belong or
            belonged to, with dates; offices you hold or held; and what you tell about yourself, such as your work. A birth date or a
            private note is kept only where the organisation needs it.
          </Trans>
        </p>
        <p>
          <Trans>Signing in happens at your identity provider. We never see your password; we keep when you last signed in.</Trans>
        </p>
      </>
    ),
  },
  {
    id: 'who-sees',
    title: <Trans>Who sees it</Trans>,
    inShort: <Trans>Members see names. Officers see contact data of their own chapters. Sensitive data needs a further right.</Trans>,
    text: (
      <p>
        <Trans>
          Other members find your name, chapter and offices in the directory. Your addresses and numbers are shown to the officers of your
          chapters and to the administrators, and to other members only if you choose so in your profile. Birth dates, notes and everything
          about minors need a right that few hold. The database itself enforces these rules, and every change and export is logged.
        </Trans>
      </p>
    ),
  },
  {
    id: 'why',
    title: <Trans>Why, and how long</Trans>,
    inShort: <Trans>To run the membership, as long as you belong to it and the law asks.</Trans>,
    text: (
      <p>
        <Trans>
          Your data is used to run the membership that you asked for. When you leave, your record stays as a former member until it is
          erased on your request or by the organisation’s own rules; what the law requires to be kept, such as accounts, is kept for that
          time only.
        </Trans>
      </p>
    ),
  },
  {
    id: 'cookies',
    title: <Trans>Cookies and tracking</Trans>,
    inShort: <Trans>None of either.</Trans>,
    text: (
      <p>
        <Trans>
          This application sets no cookies and loads nothing from anybody else. Your sign-in is kept in the tab’s session storage and goes
          when you close the tab or sign out; your choice of theme and density is kept on your device.
        </Trans>
      </p>
    ),
  },
  {
    id: 'rights',
    title: <Trans>Your rights</Trans>,
    inShort: <Trans>See it, correct it, take it with you, have it erased.</Trans>,
    text: (
      <p>
        <Trans>
          You see and correct most of your data yourself in your profile. You may ask for a copy, for correction, for erasure, or that your
          data be used no longer; you get an answer within a month. You may also complain to your data protection authority.
        </Trans>
      </p>
    ),
  },
]
