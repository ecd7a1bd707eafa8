import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ConnectionTest } from '@guildhall/contract/features/integrations'
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../../platform/api/api.tsx'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { failureText } from '../../../platform/api/reason-text.ts'
import { useFormats } from '../../../ui/display/dates.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import classes from './connect.module.css'

/** Asks the other side as soon as it is shown, and tells what it said. */
export function ConnectionTestResult({ connectionId }: { connectionId: string }) {
  const { test } = useApi().actions.integrations
  const answer = useQuery({
    ...test.queryOptions({ input: { connectionId } }),
    // Each look is a test of its own, and nobody else's.
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
  })
  if (answer.isPending) {
    return (
      <Loading label={t`Asking the other side`}>
        <SkeletonLines count={3} />
      </Loading>
    )
  }
  if (answer.isError)
    return <ProblemState problem={answer.error} title={t`The test could not be made`} retry={() => void answer.refetch()} />
  return (
    <div className={classes['stack']}>
      <Outcome test={answer.data} />
      <div>
        <Button variant="default" size="compact-sm" loading={answer.isFetching} onClick={() => void answer.refetch()}>
          <Trans>Test again</Trans>
        </Button>
      </div>
    </div>
  )
}

function Outcome({ test: { works, failure, found, milliseconds } }: { test: ConnectionTest }) {
  const { number } = useFormats()
  return (
    <div className={classes['stack']} role="status">
      {works ? (
        <p className={classes['good']}>
          <IconCircleCheck size={18} stroke={1.5} aria-hidden />
          <Trans>It works. The answer took {number(milliseconds)} ms.</Trans>
        </p>
      ) : (
        <p className={classes['bad']}>
          <IconCircleX size={18} stroke={1.5} aria-hidden /> {failure ? failureText(failure) : t`It does not work.`}
        </p>
      )}
      {found.length > 0 && (
        <dl className={classes['found']}>
          {found.map(({ name, value }) => (
            <div key={name}>
              <dt>{foundWords()[name] ?? name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  )
}

/** What the other side says of itself, by name. */
const foundWords = (): Readonly<Record<string, string>> => ({
  rows: t`Rows`,
  columns: t`Columns`,
  events: t`Events`,
  name: t`Name`,
  version: t`Version`,
  list: t`List`,
  subscribers: t`Subscribers`,
  people: t`People`,
})
