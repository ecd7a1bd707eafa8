import { t } from '@lingui/core/macro'
import { createLazyRoute } from '@tanstack/react-router'
import { usePageTitle } from '../../platform/page-title.ts'
import { Page, PageHeader } from '../../ui/page.tsx'

export const route = createLazyRoute('/signed-in/account-management/{-$tab}')({ component: AccountPage })

function AccountPage() {
  usePageTitle(t`Account management`)
  return (
    <Page>
      <PageHeader title={t`Account management`} />
    </Page>
  )
}
