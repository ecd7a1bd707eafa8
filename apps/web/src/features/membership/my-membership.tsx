import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../platform/api/api.tsx'
import { ProblemState } from '../../platform/api/problem-state.tsx'
import { Section } from '../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../ui/page/skeletons.tsx'
import { HeldMemberships } from './held-memberships.tsx'
import { JoinDialog } from './join-dialog.tsx'
import classes from './membership.module.css'

/** The reader's own memberships; `joining` opens the application. */
export function MyMembership({ joining, onJoin }: { joining: boolean; onJoin: (joining: boolean) => void }) {
  const mine = useQuery(useApi().data.membership.mine.queryOptions())
  if (mine.isPending) {
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={4} />
      </Loading>
    )
  }
  if (mine.isError)
    return <ProblemState problem={mine.error} title={t`Your memberships could not be loaded`} retry={() => void mine.refetch()} />
  const { items, types } = mine.data
  return (
    <Section
      title={t`My membership`}
      actions={
        types.length > 0 && (
          <Button variant="default" size="compact-md" onClick={() => onJoin(true)}>
            <Trans>Apply for membership</Trans>
          </Button>
        )
      }
    >
      {items.length === 0 && <p className={classes['dim']}>{t`You have no membership yet.`}</p>}
      <HeldMemberships items={items} />
      <JoinDialog opened={joining && types.length > 0} onClose={() => onJoin(false)} types={types} />
    </Section>
  )
}
