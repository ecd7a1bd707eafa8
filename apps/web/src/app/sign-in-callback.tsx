import { Trans } from '@lingui/react/macro'
import { createRoute, redirect } from '@tanstack/react-router'
import { open } from '../platform/base-routes.tsx'
import { Waiting } from './waiting.tsx'

/** Takes the provider's answer and goes on to the kept route; code and state leave the history. A failure is logged and leads to the front page. */
export const signInCallback = createRoute({
  getParentRoute: () => open,
  path: 'auth/signinwin/$authName',
  pendingMs: 0,
  pendingComponent: () => <Waiting text={<Trans>Signing you in</Trans>} />,
  beforeLoad: async ({ context, location }) => {
    const to = await context.auth.completeSignIn(new URL(location.href, globalThis.location.origin).href)
    throw redirect({ href: to, replace: true })
  },
})
