import { Trans } from '@lingui/react/macro'
import classes from './skip-link.module.css'

export const SkipLink = () => (
  <a href="#main" className={classes['skip']}>
    <Trans>Skip to content</Trans>
  </a>
)
