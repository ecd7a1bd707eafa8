import { defineConfig } from '@lingui/cli'
import { formatter } from '@lingui/format-po'

export default defineConfig({
  sourceLocale: 'en',
  locales: ['en', 'ar', 'pseudo'],
  pseudoLocale: 'pseudo',
  fallbackLocales: { default: 'en' },
  // Without places: moving a line would otherwise change every catalogue.
  // By their text; those of the server have it as their id.
  orderBy: (one, other) => {
    const [a, b] = [one, other].map(({ messageId, entry }) => `${entry.message ?? messageId} ${entry.context ?? ''}`)
    return (a ?? '').localeCompare(b ?? '', 'en')
  },
  format: formatter({ origins: false, lineNumbers: false, printPlaceholdersInComments: false }),
  runtimeConfigModule: { Trans: ['#trans', 'Trans'] },
  catalogs: [
    { path: '<rootDir>/src/locales/{locale}', include: ['src'], exclude: ['**/*.test.tsx', '**/testing/**'] },
    // Public pages and mails, which the server writes: texts.ts there.
    { path: '<rootDir>/../api/src/locales/{locale}', include: ['../api/src'], exclude: ['**/*.test.ts', '**/texts/texts.ts'] },
  ],
})
