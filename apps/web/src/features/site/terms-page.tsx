import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { createLazyRoute, Link } from '@tanstack/react-router'
import { usePageTitle } from '../../platform/navigation/page-title.ts'
import { LegalDocument } from './legal-document.tsx'
import type { LegalSection } from './legal-document.tsx'
import { usePublicOrganisation } from './site-api.ts'

export const route = createLazyRoute('/open/tos')({ component: TermsPage })

function TermsPage() {
  usePageTitle(t`Terms of service`)
  const organisation = usePublicOrganisation().data?.name ?? t`the organisation`
  return <LegalDocument title={<Trans>Terms of service</Trans>} changedOn="2026-11-21" sections={termsSections(organisation)} />
}

const termsSections = (organisation: string): LegalSection[] => [
  {
    id: 'what',
    title: <Trans>What this is</Trans>,
    inShort: <Trans>The register and meeting place of {organisation}.</Trans>,
    text: (
      <p>
        <Trans>
          {organisation} offers this application to its members and to people who work with it. It runs on Guildhall, which is free
          software; the organisation, not the makers of the software, operates it.
        </Trans>
      </p>
    ),
  },
  {
    id: 'account',
    title: <Trans>Your account</Trans>,
    inShort: <Trans>It is yours alone; tell us when somebody else got in.</Trans>,
    text: (
      <p>
        <Trans>
          Use your own account and nobody else’s, and keep the sign-in at your identity provider safe. If you think that somebody else has
          used it, tell the administrators through the <Link to="/contact">contact page</Link>. The organisation may suspend an account that
          is misused.
        </Trans>
      </p>
    ),
  },
  {
    id: 'data',
    title: <Trans>Other people’s data</Trans>,
    inShort: <Trans>You may use it for the organisation’s purposes, and for nothing else.</Trans>,
    text: (
      <p>
        <Trans>
          What you see of other people is shown to you because of your place in the organisation. Do not copy it elsewhere, do not hand it
          on, and do not write to people for purposes of your own. Exports are logged with your name; delete the files when you no longer
          need them.
        </Trans>
      </p>
    ),
  },
  {
    id: 'content',
    title: <Trans>What you enter</Trans>,
    inShort: <Trans>It stays yours; keep it true and decent.</Trans>,
    text: (
      <p>
        <Trans>
          What you write about yourself stays yours; you allow the organisation to show it as your settings say. Enter nothing that is
          untrue, unlawful or hurtful. Every change is recorded, so that mistakes can be found and undone.
        </Trans>
      </p>
    ),
  },
  {
    id: 'limits',
    title: <Trans>No warranty</Trans>,
    inShort: <Trans>We take care, but cannot promise that it never fails.</Trans>,
    text: (
      <p>
        <Trans>
          The application is kept running with care and backed up, but without a guarantee that it is always available or free of faults.
          The law of the organisation’s seat applies. When these terms change, the date above changes with them.
        </Trans>
      </p>
    ),
  },
]
