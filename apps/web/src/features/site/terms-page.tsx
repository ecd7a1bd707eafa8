import { t } from '@lingui/core/macro'
import { createLazyRoute } from '@tanstack/react-router'
import { usePageTitle } from '../../platform/page-title.ts'
import { Page, PageHeader } from '../../ui/page.tsx'

export const route = createLazyRoute('/open/tos')({ component: TermsPage })

function TermsPage() {
  usePageTitle(t`Terms of service`)
  return (
    <Page>
      <PageHeader title={t`Terms of service`} />
    </Page>
  )
}
