import { t } from '@lingui/core/macro'
import { createLazyRoute } from '@tanstack/react-router'
import { usePageTitle } from '../../platform/page-title.ts'
import { Page, PageHeader } from '../../ui/page.tsx'

export const route = createLazyRoute('/open/contact')({ component: ContactPage })

function ContactPage() {
  usePageTitle(t`Contact`)
  return (
    <Page>
      <PageHeader title={t`Contact`} />
    </Page>
  )
}
