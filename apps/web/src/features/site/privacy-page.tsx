import { t } from '@lingui/core/macro'
import { createLazyRoute } from '@tanstack/react-router'
import { usePageTitle } from '../../platform/page-title.ts'
import { Page, PageHeader } from '../../ui/page.tsx'

export const route = createLazyRoute('/open/privacy')({ component: PrivacyPage })

function PrivacyPage() {
  usePageTitle(t`Privacy policy`)
  return (
    <Page>
      <PageHeader title={t`Privacy policy`} />
    </Page>
  )
}
