import { t } from '@lingui/core/macro'
import { createLazyRoute } from '@tanstack/react-router'
import { usePageTitle } from '../../platform/page-title.ts'
import { Page, PageHeader } from '../../ui/page.tsx'

export const route = createLazyRoute('/signed-in/chapter/$chapterId/{-$tab}/{-$subtab}')({ component: ChapterPage })

function ChapterPage() {
  usePageTitle(t`Chapter`)
  return (
    <Page>
      <PageHeader title={t`Chapter`} />
    </Page>
  )
}
