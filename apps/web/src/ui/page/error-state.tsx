import { Button } from '@mantine/core'
import { Trans } from '@lingui/react/macro'
import { IconCloudOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { EmptyState } from './empty-state.tsx'

export type ErrorStateProps = {
  /** "The members could not be loaded" */
  title: ReactNode
  /** Why, in one sentence. */
  reason?: ReactNode
  requestId?: string | undefined
  retry?: (() => void) | undefined
}

export function ErrorState({ title, reason, requestId, retry }: ErrorStateProps) {
  return (
    <div role="alert">
      <EmptyState
        icon={<IconCloudOff size={32} stroke={1.5} />}
        title={title}
        action={
          retry && (
            <Button variant="default" onClick={retry}>
              <Trans>Try again</Trans>
            </Button>
          )
        }
      >
        {reason}
        {requestId && (
          <>
            {' '}
            <Trans>
              Request <code>{requestId}</code>
            </Trans>
          </>
        )}
      </EmptyState>
    </div>
  )
}
