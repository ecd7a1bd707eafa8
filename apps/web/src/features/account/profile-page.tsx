import { t } from '@lingui/core/macro'
import { createLazyRoute } from '@tanstack/react-router'
import { usePageTitle } from '../../platform/page-title.ts'
import { Page, PageHeader } from '../../ui/page.tsx'

export const route = createLazyRoute('/signed-in/profile')({ component: ProfilePage })

function ProfilePage() {
  usePageTitle(t`Profile`)
  return (
    <Page>
      <PageHeader title={t`Profile`} />
    </Page>
  )
}
