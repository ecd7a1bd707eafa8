import { t } from '@lingui/core/macro'
import { lazy, Suspense } from 'react'
import type { ReactNode } from 'react'
import { usePreferences } from '../../platform/session/preferences.ts'
import { BottomBar } from '../navigation/bottom-bar.tsx'
import { Header } from './header.tsx'
import { MainNavigation } from '../navigation/main-navigation.tsx'
import { MissingSection } from './missing-section.tsx'
import { OfflineBanner } from './offline-banner.tsx'
import classes from './shell.module.css'
import { SkipLink } from './skip-link.tsx'

// Fetched right after the first paint, so that opening one later costs nothing.
const ShellOverlays = lazy(async () => ({ default: (await import('./shell-overlays.tsx')).ShellOverlays }))

/** The frame of every signed-in page: sidebar from 1024 px, rail from 600 px, bottom bar on a phone. */
export function Shell({ children }: { children: ReactNode }) {
  const { sidebar } = usePreferences()
  return (
    <div className={classes['shell']} data-sidebar={sidebar}>
      <SkipLink />
      <Header />
      <nav aria-label={t`Main`} className={classes['sidebar']}>
        <MainNavigation />
      </nav>
      <main id="main" tabIndex={-1} className={classes['main']}>
        <OfflineBanner />
        <MissingSection />
        {children}
      </main>
      <BottomBar />
      <Suspense>
        <ShellOverlays />
      </Suspense>
    </div>
  )
}
