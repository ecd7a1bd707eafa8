import { Trans } from '@lingui/react/macro'
import { isNotFound } from '@tanstack/react-router'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { createApi } from '../platform/api/api.tsx'
import type { Api } from '../platform/api/api.tsx'
import { apiFetch } from '../platform/api/api-fetch.ts'
import { createAuth } from '../platform/auth/auth.ts'
import { takeAnswer } from '../platform/auth/hand-over.ts'
import { loadConfig } from '../platform/config.ts'
import type { AppConfig } from '../platform/config.ts'
import { feedback, feedbackTool } from '../platform/session/feedback.ts'
import { activateLocale } from '../platform/i18n.ts'
import { applyPreferences, preferences } from '../platform/session/preferences.ts'
import type { SessionTool } from '../platform/session/session-tools.ts'
import { slots } from './features.tsx'
import { Application, Frame } from './providers.tsx'
import { createAppRouter } from './router.tsx'
import { createQueries } from './queries.ts'
import { followSession } from './session/session-effects.ts'
import { Waiting } from './session/waiting.tsx'

export async function boot(element: HTMLElement | null) {
  if (!element) throw new Error('the page has no #root')
  const root = createRoot(element, { onCaughtError: report })
  applyPreferences()
  try {
    const [config] = await Promise.all([loadConfig(), activateLocale(preferences().locale)])
    const auth = createAuth(config.auth_name, config.auth_type, `${location.origin}/`, config)
    const api = createApi(config.data_api, config.actions_api, apiFetch(auth, config))
    const queries = createQueries()
    const router = createAppRouter({ auth, api, queries })
    followSession(auth, api, queries, router, await sessionTools(config, api))
    await auth.start()
    const answer = takeAnswer(sessionStorage)
    if (answer) {
      root.render(
        <Frame>
          <Waiting text={<Trans>Signing you in</Trans>} />
        </Frame>,
      )
      router.history.replace(await auth.completeSignIn(answer))
    }
    // Frame and page come together. Whoever has to sign in first would wait here for ever.
    if (auth.isAuthenticated()) await Promise.all([router.load(), slots.page()])
    // In pieces between which the browser can draw and answer.
    startTransition(() =>
      root.render(
        <StrictMode>
          <Application auth={auth} api={api} queries={queries} router={router} />
        </StrictMode>,
      ),
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

/** What the installation has switched on; nothing unless it did. */
async function sessionTools({ feedback_form, session_recording }: AppConfig, api: Api): Promise<SessionTool[]> {
  if (feedback_form) feedback.offer()
  const { createRecorder } = session_recording ? await import('../platform/session/recorder.ts') : {}
  return [
    ...(feedback_form ? [feedbackTool] : []),
    ...(createRecorder ? [createRecorder((part) => api.data.recordings.add.call(part))] : []),
  ]
}

/** A record that is not there is an answer, not a fault. */
function report(failure: unknown) {
  if (!isNotFound(failure)) console.error(failure)
}
