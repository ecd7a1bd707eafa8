import { Button, Group } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconLock } from '@tabler/icons-react'
import { AppLink } from '../platform/app-link.tsx'
import { useAuth } from '../platform/auth/auth-context.tsx'
import { usePageTitle } from '../platform/page-title.ts'
import type { ApiProblem } from '../platform/problem.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page, PageHeader } from '../ui/page.tsx'
import { OpenFrame } from './open-frame.tsx'

/** Signed in at the provider, but this organisation lets the account do nothing: suspended, not invited, or still to be matched. */
export function AccountClosed({ problem }: { problem: ApiProblem }) {
  const auth = useAuth()
  usePageTitle(t`No access`)
  return (
    <OpenFrame>
      <Page>
        <PageHeader title={t`No access with this account`} />
        <EmptyState
          icon={<IconLock size={32} stroke={1.5} />}
          title={auth.profile().email ?? auth.profile().name ?? t`This account`}
          action={
            <Group>
              <Button onClick={() => void auth.signOut()}>
                <Trans>Sign out</Trans>
              </Button>
              <Button component={AppLink} href="/contact" variant="default">
                <Trans>Contact</Trans>
              </Button>
            </Group>
          }
        >
          {problem.detail}
        </EmptyState>
      </Page>
    </OpenFrame>
  )
}
