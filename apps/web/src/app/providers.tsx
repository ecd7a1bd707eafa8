import { DirectionProvider, MantineProvider } from '@mantine/core'
import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { QueryClientProvider } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import type { ReactNode } from 'react'
import { Feedback } from '../features/site/site-public.tsx'
import { ApiProvider } from '../platform/api/api.tsx'
import type { Api } from '../platform/api/api.tsx'
import { AuthProvider } from '../platform/auth/auth-context.tsx'
import type { Auth } from '../platform/auth/auth.ts'
import { SignInAgain } from '../platform/auth/sign-in-again.tsx'
import { locales } from '../platform/i18n.ts'
import { usePreferences } from '../platform/session/preferences.ts'
import { SlotsProvider } from '../platform/navigation/slots.tsx'
import type { Slots } from '../platform/navigation/slots.tsx'
import { styleNonce } from '../platform/style-nonce.ts'
import { RemedyProvider } from '../ui/dialog/remedy.tsx'
import { SingleKeysProvider } from '../ui/single-keys.ts'
import { cssVariablesResolver, theme } from '../ui/theme.ts'
import { slots as features } from './features.tsx'
import type { AppRouter } from './router.tsx'

// A message shown before this has arrived waits in the store of the library.
const Messages = lazy(async () => ({ default: (await import('./shell/messages.tsx')).Messages }))

/** `test` shows dialogs and menus without their transitions. */
type Env = 'default' | 'test'

/** Theme, language and notifications. Another language draws everything anew, so no text can be left in the former one. */
export function Frame({ children, env = 'default' }: { children: ReactNode; env?: Env | undefined }) {
  const { locale, shortcuts } = usePreferences()
  return (
    <I18nProvider i18n={i18n} key={locale}>
      <DirectionProvider initialDirection={locales[locale].dir}>
        <MantineProvider
          theme={theme}
          cssVariablesResolver={cssVariablesResolver}
          defaultColorScheme="auto"
          getStyleNonce={styleNonce}
          env={env}
        >
          <SingleKeysProvider value={shortcuts}>
            <RemedyProvider value={SignInAgain}>{children}</RemedyProvider>
            <Suspense>
              <Messages />
            </Suspense>
          </SingleKeysProvider>
        </MantineProvider>
      </DirectionProvider>
    </I18nProvider>
  )
}

export type ApplicationProps = { auth: Auth; api: Api; queries: QueryClient; router: AppRouter; slots?: Slots; env?: Env }

export const Application = ({ auth, api, queries, router, slots = features, env }: ApplicationProps) => (
  <AuthProvider value={auth}>
    <ApiProvider value={api}>
      <QueryClientProvider client={queries}>
        <SlotsProvider value={slots}>
          <Frame env={env}>
            <RouterProvider router={router} />
            <Feedback />
          </Frame>
        </SlotsProvider>
      </QueryClientProvider>
    </ApiProvider>
  </AuthProvider>
)
