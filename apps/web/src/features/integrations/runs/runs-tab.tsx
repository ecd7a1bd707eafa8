import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { getRouteApi, Link } from '@tanstack/react-router'
import { IconRefresh } from '@tabler/icons-react'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { ButtonLink } from '../../../platform/navigation/links.tsx'
import { ShowMore } from '../../../ui/list/show-more.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { useRuns } from '../integrations-api.ts'
import type { Connection } from '../integrations-api.ts'
import { errorCount } from '../words/state-words.ts'
import { RunErrors } from './run-errors.tsx'
import { RunRows } from './run-rows.tsx'
import { RunView } from './run-view.tsx'
import classes from './runs.module.css'

const route = getRouteApi('/signed-in/integrations/$integrationId')

/** All runs, one of them, or the rows that failed in any. */
export function RunsTab({ connection }: { connection: Connection }) {
  const { run, open } = route.useSearch()
  if (run === undefined && open !== 'errors') return <Runs connection={connection} />
  return (
    <div className={classes['stack']}>
      <p>
        <Link to="/integrations/$integrationId" params={{ integrationId: connection.slug }} search={{ tab: 'runs' }}>
          <Trans>All runs</Trans>
        </Link>
      </p>
      {run === undefined ? (
        <Section title={t`Open errors`}>
          <RunErrors connection={connection} />
        </Section>
      ) : (
        <RunView key={run} connection={connection} runId={run} />
      )}
    </div>
  )
}

function Runs({ connection }: { connection: Connection }) {
  const { id, slug, openErrors, may } = connection
  const runs = useRuns(id)
  return (
    <Section
      title={t`Runs`}
      actions={
        openErrors > 0 &&
        may.manage && (
          <ButtonLink
            to="/integrations/$integrationId"
            params={{ integrationId: slug }}
            search={{ tab: 'runs', open: 'errors' }}
            variant="default"
            size="compact-sm"
          >
            {errorCount(openErrors)}
          </ButtonLink>
        )
      }
    >
      {runs.isPending ? (
        <Loading label={t`Loading`}>
          <SkeletonLines count={6} />
        </Loading>
      ) : runs.isError && !runs.data ? (
        <ProblemState problem={runs.error} title={t`The runs could not be loaded`} retry={() => void runs.refetch()} />
      ) : runs.data.items.length === 0 ? (
        <EmptyState level={3} icon={<IconRefresh size={32} stroke={1.5} />} title={t`No runs yet`}>
          <Trans>The first one is a dry run: it shows every change and writes nothing.</Trans>
        </EmptyState>
      ) : (
        <div className={classes['stack']}>
          <RunRows connection={connection} runs={runs.data.items} />
          <ShowMore query={runs} />
        </div>
      )}
    </Section>
  )
}
