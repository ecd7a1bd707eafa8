import { Button } from '@mantine/core'
import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { IconClockHour4 } from '@tabler/icons-react'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { Page, PageHeader } from '../../ui/page/page.tsx'
import { AppLink } from './app-link.tsx'
import { usePageTitle } from './page-title.ts'

/** The one page for every area that is not there yet: says so plainly and leads back to what works. */
export function PlannedPage({ title }: { title: string }) {
  usePageTitle(title)
  return (
    <Page>
      <PageHeader title={title} />
      <EmptyState
        icon={<IconClockHour4 size={32} stroke={1.5} />}
        title={t`${title}: planned`}
        action={
          <Button component={AppLink} href="/menu" variant="default">
            <Trans>See what is here</Trans>
          </Button>
        }
      >
        <Trans>This area is on its way and not part of this version yet.</Trans>
      </EmptyState>
    </Page>
  )
}
