import { Trans } from '@lingui/react/macro'
import { useLocation } from '@tanstack/react-router'
import { missingSection } from '../../platform/navigation/tabs.ts'
import classes from './offline-banner.module.css'

/** For as long as the page stands to which a mistyped or old address led. */
export function MissingSection() {
  const { pathname } = useLocation()
  const missing = missingSection.use()
  if (missing?.path !== pathname) return null
  return (
    <p role="status" className={classes['banner']}>
      <Trans>This page has no section “{missing.name}”. You are on its first section.</Trans>
    </p>
  )
}
