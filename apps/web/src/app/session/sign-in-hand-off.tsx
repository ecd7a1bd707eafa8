import { Button } from '@mantine/core'
import { Trans } from '@lingui/react/macro'
import { useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useAuth, useAuthPhase } from '../../platform/auth/auth-context.tsx'
import { authConstants } from '../../constants.ts'
import { Waiting } from './waiting.tsx'

const linkAfterMs = 3000

/** Shown instead of a protected page. Sign-in has no error text: if it cannot start, there is a button, and it is tried again. */
export function SignInHandOff() {
  const auth = useAuth()
  const phase = useAuthPhase()
  const { href } = useLocation()
  const late = useLate()
  const blocked = phase === 'blocked'
  const left = phase === 'left'
  const asks = blocked || left || phase === 'refused'

  useEffect(() => {
    // A popup needs a click of its own; only a redirect may be tried again unasked.
    if (!blocked || auth.type === 'popup') return
    const timer = setTimeout(() => void auth.signIn(href), authConstants.retryMs)
    return () => clearTimeout(timer)
  }, [auth, blocked, href])

  return (
    <Waiting
      text={left ? <Trans>You are signed out</Trans> : asks ? <Trans>Sign in to continue</Trans> : <Trans>Taking you to sign in</Trans>}
      busy={!asks}
    >
      {(asks || late) && (
        <Button variant={asks ? 'filled' : 'subtle'} onClick={() => void auth.signIn(href)}>
          {left ? <Trans>Sign in again</Trans> : <Trans>Continue to sign in</Trans>}
        </Button>
      )}
    </Waiting>
  )
}

function useLate() {
  const [late, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), linkAfterMs)
    return () => clearTimeout(timer)
  }, [])
  return late
}
