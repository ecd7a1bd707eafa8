import { t } from '@lingui/core/macro'
import { createLazyRoute } from '@tanstack/react-router'
import { usePageTitle } from '../../platform/page-title.ts'
import { Page, PageHeader } from '../../ui/page.tsx'

export const route = createLazyRoute('/signed-in/person/$personId/{-$tab}')({ component: PersonPage })

function PersonPage() {
  usePageTitle(t`Person`)
  return (
    <Page>
      <PageHeader title={t`Person`} />
    </Page>
  )
}
