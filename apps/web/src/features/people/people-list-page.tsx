import { t } from '@lingui/core/macro'
import { createLazyRoute } from '@tanstack/react-router'
import { usePageTitle } from '../../platform/page-title.ts'
import { Page, PageHeader } from '../../ui/page.tsx'

export const route = createLazyRoute('/signed-in/members')({ component: PeopleListPage })

function PeopleListPage() {
  usePageTitle(t`Members`)
  return (
    <Page>
      <PageHeader title={t`Members`} />
    </Page>
  )
}
