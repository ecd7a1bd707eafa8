import { Trans } from '@lingui/react/macro'
import { ErrorState } from '../ui/page/error-state.tsx'

/** Without the server's settings there is nothing to sign in to. */
export const BootFailed = () => (
  <main>
    <ErrorState
      title={<Trans>Guildhall cannot be reached</Trans>}
      reason={<Trans>The server did not answer. Nothing you entered was sent.</Trans>}
      retry={() => location.reload()}
    />
  </main>
)
