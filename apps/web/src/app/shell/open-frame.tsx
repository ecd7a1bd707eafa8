import { Anchor } from '@mantine/core'
import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useIsAuthenticated } from '../../platform/auth/auth-context.tsx'
import { feedback } from '../../platform/session/feedback.ts'
import classes from './open-frame.module.css'
import { SkipLink } from './skip-link.tsx'

/** Light header and footer of the pages everybody may read. */
export function OpenFrame({ children }: { children: ReactNode }) {
  const signedIn = useIsAuthenticated()
  const { offered } = feedback.use()
  return (
    <div className={classes['frame']}>
      <SkipLink />
      <header className={classes['header']}>
        <Link to="/" className={classes['brand']}>
          <img src="/favicon.svg" alt="" width={28} height={28} />
          Guildhall
        </Link>
        <Anchor component={Link} to="/">
          {signedIn ? <Trans>Back to Guildhall</Trans> : <Trans>Sign in</Trans>}
        </Anchor>
      </header>
      <main id="main" className={classes['main']} tabIndex={-1}>
        {children}
      </main>
      <footer className={classes['footer']}>
        <nav aria-label={t`Legal`}>
          <Link to="/privacy">
            <Trans>Privacy policy</Trans>
          </Link>
          <Link to="/tos">
            <Trans>Terms of service</Trans>
          </Link>
          <Link to="/contact">
            <Trans>Contact</Trans>
          </Link>
          {offered && (
            <Anchor component="button" type="button" onClick={feedback.open}>
              <Trans>Feedback</Trans>
            </Anchor>
          )}
        </nav>
      </footer>
    </div>
  )
}
