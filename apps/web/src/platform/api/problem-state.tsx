import { Button } from '@mantine/core'
import { Trans } from '@lingui/react/macro'
import { IconLock } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { AppLink } from '../navigation/app-link.tsx'
import { problemText } from './problem-text.tsx'
import { ApiProblem } from './problem.ts'

/** Whatever a query threw, in the words a person needs: no right, gone, or failed with a way to try again. */
export function ProblemState({ problem, title, retry }: { problem: unknown; title: ReactNode; retry?: () => void }) {
  if (problem instanceof ApiProblem && problem.status === 403) {
    return (
      <EmptyState
        icon={<IconLock size={32} stroke={1.5} />}
        title={<Trans>Your role does not open this</Trans>}
        action={
          <Button component={AppLink} href="/" variant="default">
            <Trans>Go home</Trans>
          </Button>
        }
      >
        {problem.reason ? (
          problem.message
        ) : (
          <Trans>Someone who manages accounts in your organisation can give you the right to see it.</Trans>
        )}
      </EmptyState>
    )
  }
  return (
    <ErrorState
      title={title}
      reason={problemText(problem)}
      // A bound that is used up is nobody's fault to be looked into.
      requestId={problem instanceof ApiProblem && problem.status !== 429 ? problem.requestId : undefined}
      retry={retry}
    />
  )
}
