import { Button } from '@mantine/core'
import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { createLazyRoute } from '@tanstack/react-router'
import { IconLock } from '@tabler/icons-react'
import { useDeferredValue } from 'react'
import { AppLink } from '../../../platform/navigation/app-link.tsx'
import { usePageTitle } from '../../../platform/navigation/page-title.ts'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { useMe, useRights } from '../../../platform/session/session.ts'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Page, PageHeader } from '../../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { PeopleList } from './people-list.tsx'

export const route = createLazyRoute('/signed-in/members')({ component: PeopleListPage })

function PeopleListPage() {
  usePageTitle(t`Members`)
  const me = useMe()
  const can = useRights()
  const search = route.useSearch()
  // The list is much to draw: in pieces, once it is known whose it is.
  const reader = useDeferredValue(me.data)
  if (reader && can('people.directory')) return <PeopleList search={search} me={reader} />
  return (
    <Page>
      <PageHeader title={t`Members`} />
      {(me.isPending || reader !== me.data) && (
        <Loading label={t`Loading members`}>
          <SkeletonLines count={10} />
        </Loading>
      )}
      {me.isError && <ProblemState problem={me.error} title={t`Your rights could not be loaded`} retry={() => void me.refetch()} />}
      {reader && <NoDirectory organisation={reader.organisation.name} />}
    </Page>
  )
}

const NoDirectory = ({ organisation }: { organisation: string }) => (
  <EmptyState
    icon={<IconLock size={32} stroke={1.5} />}
    title={<Trans>The directory is for members</Trans>}
    action={
      <Button component={AppLink} href="/contact" variant="default">
        <Trans>Write to the organisation</Trans>
      </Button>
    }
  >
    <Trans>
      Your account is a guest’s: it does not open the list of people of {organisation}. Those who manage its accounts can make you a member.
    </Trans>
  </EmptyState>
)
