import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { connectors } from '@guildhall/contract/features/integrations.connectors'
import { lazy, Suspense } from 'react'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { ButtonLink } from '../../../platform/navigation/links.tsx'
import { RelativeTime } from '../../../ui/display/relative-time.tsx'
import { useFormats } from '../../../ui/display/dates.tsx'
import { Section, TwoColumns } from '../../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { Fact, FactList } from '../../../ui/form/fact-list.tsx'
import { useRuns } from '../integrations-api.ts'
import type { Connection } from '../integrations-api.ts'
import { RunRows } from '../runs/run-rows.tsx'
import { dataWords } from '../words/connector-words.ts'
import { promiseText, scheduleText } from '../words/state-words.ts'
import classes from './connection.module.css'
import { FlowPicture } from './flow-picture.tsx'
import { isStale } from './freshness.ts'
import { WaitingChanges } from './waiting-changes.tsx'

const ScimAccess = lazy(async () => ({ default: (await import('../scim/scim-access.tsx')).ScimAccess }))
const shownRuns = 5

/** How a connection is doing at a glance, and what waits for somebody. */
export function OverviewTab({ connection }: { connection: Connection }) {
  return connection.syncs ? <Syncing connection={connection} /> : <Passing connection={connection} />
}

function Syncing({ connection }: { connection: Connection }) {
  const { slug, may, waiting } = connection
  return (
    <TwoColumns aside={<State connection={connection} />}>
      {connection.needsDryRun && may.manage && <FirstSteps connection={connection} />}
      {may.manage && waiting > 0 && <WaitingChanges connection={connection} />}
      <Section title={t`Records in and out`}>
        <FlowPicture strip={connection.strip} />
      </Section>
      <Section
        title={t`Latest runs`}
        actions={
          <ButtonLink
            to="/integrations/$integrationId"
            params={{ integrationId: slug }}
            search={{ tab: 'runs' }}
            variant="subtle"
            size="compact-sm"
          >
            <Trans>All runs</Trans>
          </ButtonLink>
        }
      >
        <LatestRuns connection={connection} />
      </Section>
    </TwoColumns>
  )
}

function LatestRuns({ connection }: { connection: Connection }) {
  const runs = useRuns(connection.id)
  if (runs.isPending) {
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={4} />
      </Loading>
    )
  }
  if (runs.isError && !runs.data)
    return <ProblemState problem={runs.error} title={t`The runs could not be loaded`} retry={() => void runs.refetch()} />
  if (runs.data.items.length === 0) return <p className={classes['dim']}>{t`It has not run yet.`}</p>
  return <RunRows connection={connection} runs={runs.data.items.slice(0, shownRuns)} />
}

/** Before the first write: map, then look at a dry run. */
const FirstSteps = ({ connection: { slug } }: { connection: Connection }) => (
  <Section title={t`Before the first run`}>
    <div className={classes['stack']}>
      <p>
        <Trans>Choose which fields take part, then look at a dry run. Nothing is written until you have seen it.</Trans>
      </p>
      <div>
        <ButtonLink to="/integrations/$integrationId" params={{ integrationId: slug }} search={{ tab: 'mapping' }} variant="default">
          <Trans>Map fields</Trans>
        </ButtonLink>
      </div>
    </div>
  </Section>
)

function State({ connection }: { connection: Connection }) {
  const { number } = useFormats()
  const { records, openErrors, everyMinutes, freshHours, lastSuccessAt, owner, slug, may } = connection
  const stale = isStale(connection, Date.now())
  return (
    <>
      <Section title={t`State`}>
        <FactList>
          <Fact label={t`Records`}>{number(records)}</Fact>
          <Fact label={t`Open errors`}>
            {openErrors > 0 && may.manage ? (
              <ButtonLink
                to="/integrations/$integrationId"
                params={{ integrationId: slug }}
                search={{ tab: 'runs', open: 'errors' }}
                variant="subtle"
                size="compact-sm"
              >
                {number(openErrors)}
              </ButtonLink>
            ) : (
              number(openErrors)
            )}
          </Fact>
          <Fact label={t`Schedule`}>{scheduleText(everyMinutes)}</Fact>
          <Fact label={t`Owner`}>{owner}</Fact>
        </FactList>
      </Section>
      <Section title={t`Freshness promise`}>
        <p>{promiseText(freshHours)}</p>
        {freshHours !== null && (
          <p className={stale ? classes['bad'] : classes['dim']}>
            {lastSuccessAt === null ? (
              <Trans>No data has arrived yet.</Trans>
            ) : stale ? (
              <Trans>
                Not kept: the data is from <RelativeTime at={lastSuccessAt} />.
              </Trans>
            ) : (
              <Trans>
                Kept: the data is from <RelativeTime at={lastSuccessAt} />.
              </Trans>
            )}
          </p>
        )}
      </Section>
      <DataFlow connection={connection} />
    </>
  )
}

/** What goes in which direction, as it was agreed to. */
function DataFlow({ connection }: { connection: Connection }) {
  const { reads, writes } = connectors[connection.connector]
  const words = dataWords()
  const listed = (kinds: typeof reads) => (kinds.length === 0 ? t`Nothing` : kinds.map((kind) => words[kind]).join('; '))
  return (
    <Section title={t`Data`}>
      <FactList>
        <Fact label={t`Comes in`}>{listed(reads)}</Fact>
        <Fact label={t`Goes out`}>{listed(writes)}</Fact>
      </FactList>
    </Section>
  )
}

/** Of one without runs: it hands on or shows what happens here. */
function Passing({ connection }: { connection: Connection }) {
  const { owner, connector, slug, may } = connection
  return (
    <TwoColumns
      aside={
        <>
          <Section title={t`State`}>
            <FactList>
              <Fact label={t`Owner`}>{owner}</Fact>
            </FactList>
          </Section>
          <DataFlow connection={connection} />
        </>
      }
    >
      {connector === 'scim' && may.manage && (
        <Suspense fallback={<SkeletonLines count={4} />}>
          <ScimAccess connection={connection} />
        </Suspense>
      )}
      <Section title={t`Metrics`}>
        <div className={classes['stack']}>
          <p>
            <Trans>This connection has no runs of its own. Its figures show how it is doing.</Trans>
          </p>
          <div>
            <ButtonLink to="/integrations/$integrationId" params={{ integrationId: slug }} search={{ tab: 'metrics' }} variant="default">
              <Trans>View metrics</Trans>
            </ButtonLink>
          </div>
        </div>
      </Section>
    </TwoColumns>
  )
}
