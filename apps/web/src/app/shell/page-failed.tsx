import { Trans } from '@lingui/react/macro'
import { useRouter } from '@tanstack/react-router'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { ProblemState } from '../../platform/api/problem-state.tsx'
import { Page } from '../../ui/page/page.tsx'

/** One page's failure stays inside its frame: navigation and everything else keep working. */
export function PageFailed({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  return (
    <Page>
      <ProblemState
        problem={error}
        title={<Trans>This page could not be shown</Trans>}
        retry={() => {
          reset()
          void router.invalidate()
        }}
      />
    </Page>
  )
}
