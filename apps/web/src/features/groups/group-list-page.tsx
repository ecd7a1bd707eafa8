import { t } from '@lingui/core/macro'
import { createLazyRoute } from '@tanstack/react-router'
import { usePageTitle } from '../../platform/page-title.ts'
import { Page, PageHeader } from '../../ui/page.tsx'

export const route = createLazyRoute('/signed-in/groups')({ component: GroupListPage })

function GroupListPage() {
  usePageTitle(t`Groups`)
  return (
    <Page>
      <PageHeader title={t`Groups`} />
    </Page>
  )
}
