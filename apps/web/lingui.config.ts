import { defineConfig } from '@lingui/cli'
import { formatter } from '@lingui/format-po'

export default defineConfig({
  sourceLocale: 'en',
  locales: ['en', 'ar', 'pseudo'],
  pseudoLocale: 'pseudo',
  fallbackLocales: { default: 'en' },
  // Without places: moving a line would otherwise change every catalogue.
  format: formatter({ origins: false, lineNumbers: false, printPlaceholdersInComments: false }),
  runtimeConfigModule: { Trans: ['#trans', 'Trans'] },
  catalogs: [
    { path: '<rootDir>/src/locales/{locale}', include: ['src'], exclude: ['**/*.test.tsx', '**/testing/**'] },
    // Public pages and mails, which the server writes: texts.ts there.
    { path: '<rootDir>/../api/src/locales/{locale}', include: ['../api/src'], exclude: ['**/*.test.ts', '**/texts/texts.ts'] },
  ],
})
