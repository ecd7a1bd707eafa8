import { isNotFound } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createApi } from '../platform/api.tsx'
import { apiFetch } from '../platform/api-fetch.ts'
import { createAuth } from '../platform/auth/auth.ts'
import { loadConfig } from '../platform/config.ts'
import { activateLocale } from '../platform/i18n.ts'
import { applyPreferences, preferences } from '../platform/preferences.ts'
import { Application, Frame } from './providers.tsx'
import { createAppRouter } from './router.tsx'
import { createQueries } from './queries.ts'
import { followSession } from './session-effects.ts'

export async function boot(element: HTMLElement | null) {
  if (!element) throw new Error('the page has no #root')
  const root = createRoot(element, { onCaughtError: report })
  applyPreferences()
  try {
    const [config] = await Promise.all([loadConfig(), activateLocale(preferences().locale)])
    const auth = createAuth(config.auth_name, config.auth_type, `${location.origin}/`, config)
    const api = createApi(config.data_api, config.actions_api, apiFetch(auth))
    const queries = createQueries()
    const router = createAppRouter({ auth, api, queries })
    followSession(auth, api, queries, router)
    await auth.start()
    root.render(
      <StrictMode>
        <Application auth={auth} api={api} queries={queries} router={router} />
      </StrictMode>,
    )
  } catch (failure) {
    console.error('Boot failed', failure)
    const { BootFailed } = await import('./boot-failed.tsx')
    root.render(
      <StrictMode>
        <Frame>
          <BootFailed />
        </Frame>
      </StrictMode>,
    )
  }
}

/** A record that is not there is an answer, not a fault. */
function report(failure: unknown) {
  if (!isNotFound(failure)) console.error(failure)
}
