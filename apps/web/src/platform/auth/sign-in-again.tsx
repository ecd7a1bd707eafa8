import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { ApiProblem } from '../api/problem.ts'
import type { SignInFault } from './auth.ts'
import { useAuth } from './auth-context.tsx'

type Props = {
  /** What the server answered; only the lack of a recent sign-in shows anything. */
  after: unknown
  /** What was refused is sent again. */
  onDone: () => void
}

/** Below a refusal that a new sign-in ends. It happens in a window of its own, so that everything typed here stays. */
export const SignInAgain = ({ after, onDone }: Props) =>
  after instanceof ApiProblem && after.reason === 'recent_sign_in' ? <SignInButton onDone={onDone} /> : null

function SignInButton({ onDone }: Pick<Props, 'onDone'>) {
  const auth = useAuth()
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<SignInFault | null>(null)
  const signIn = async () => {
    setBusy(true)
    const found = await auth.signInAgain()
    setBusy(false)
    setFault(found)
    if (found === null) onDone()
  }
  return (
    <div>
      <Button variant="default" size="compact-md" mt="xs" loading={busy} onClick={() => void signIn()}>
        <Trans>Sign in again</Trans>
      </Button>
      {fault && <p>{textOf(fault)}</p>}
    </div>
  )
}

function textOf(fault: SignInFault): string {
  switch (fault) {
    case 'blocked':
      return t`Your browser blocked the sign-in window. Allow pop-ups for this site and try again.`
    case 'closed':
      return t`The sign-in window was closed. Try again.`
    case 'somebody else':
      return t`Somebody else signed in. Sign in with your own account.`
    case 'failed':
      return t`Signing in did not work. Try again.`
  }
}
