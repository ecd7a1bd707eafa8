import { defineConfig } from 'eslint/config'
import lingui from 'eslint-plugin-lingui'
import noUnsanitized from 'eslint-plugin-no-unsanitized'
import reactHooks from 'eslint-plugin-react-hooks'
import redos from 'eslint-plugin-redos'
import security from 'eslint-plugin-security'
import ts from 'typescript-eslint'

const tests = ['**/*.test.{ts,tsx}', '**/*.e2e.ts', '**/tests/**', '**/testing/**', '**/testing.{ts,tsx}', '**/src/test*.{ts,tsx}']
const configs = ['*.{js,ts}', '.*.js', '**/*.config.{js,ts}', 'apps/web/build/**']
/** Programs for developers: they talk to a terminal and start other programs. */
const tools = ['apps/dev/**', 'checks/**', 'bench/**', 'faults/**', 'e2e/**']

const everywhere = [
  { selector: 'ExportDefaultDeclaration', message: 'Name what you export; default exports get a different name in every file.' },
  { selector: 'TSEnumDeclaration', message: 'Use a union of string literals.' },
  {
    selector: 'ClassDeclaration:not([superClass])',
    message: 'Functions and plain objects; classes are for errors and where a library wants one.',
  },
  {
    selector: 'CallExpression[callee.property.name="query"][callee.object.name=/pool$/i]',
    message: 'A connection is only had through asActor, or row-level security would not know who asks.',
  },
  {
    selector: 'CallExpression[callee.name="createHash"] > Literal[value=/^(md5|sha1)$/i]',
    message: 'Broken hash; use sha256.',
  },
  {
    selector: 'CallExpression[callee.name=/^create(C|Dec)ipheriv$/] > Literal[value=/^(?!aes-(128|192|256)-gcm$)/i]:first-child',
    message: 'Broken or unauthenticated cipher; use aes-256-gcm.',
  },
]
const noMathRandom = {
  object: 'Math',
  property: 'random',
  message: 'Ids, tokens and draws come from node:crypto; guessable numbers end up in addresses.',
}
const noRegExpOfVariables = {
  selector:
    ':matches(NewExpression, CallExpression)[callee.name="RegExp"] > :not(Literal, TemplateLiteral[expressions.length=0]):first-child',
  message: 'A pattern made of a variable can be made to run for hours; compare strings instead.',
}
const noSqlPutTogether = {
  selector:
    'CallExpression[callee.property.name=/^(query|raw)$/] > :matches(TemplateLiteral[expressions.length>0], BinaryExpression, CallExpression[callee.property.name=/^(join|concat|replace|replaceAll)$/]):first-child',
  message: 'Values go into SQL as parameters: sql`… ${value}`.',
}
const noFractions = [
  {
    selector:
      'Property[key.name=/(amount|price|fee|cost|balance|cents)$/i] CallExpression[callee.object.name="z"][callee.property.name="number"]',
    message: 'Money is whole minor units: z.int().',
  },
  {
    selector: 'CallExpression:matches([callee.name="parseFloat"], [callee.property.name=/^(parseFloat|toFixed)$/])',
    message:
      'Fractions that are read or written like this are off by one in time; money is whole minor units, and Number() reads the rest.',
  },
]
const server = [noRegExpOfVariables, ...noFractions]
/** Ways out to the network. */
const outside = ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest']
const outsideOnlyIn = (where) => ['error', ...outside.map((name) => ({ name, message: `The network is reached from ${where}.` }))]
const noEnvironment = {
  selector:
    'MemberExpression[object.name="process"][property.name="env"]:not(CallExpression[callee.name=/^read\\w*Config$/] > MemberExpression)',
  message: 'The environment is read and checked once, in platform/config.ts.',
}

export default defineConfig(
  {
    ignores: [
      '**/dist/**',
      'apps/web/public/**',
      '**/node_modules/**',
      '.data/**',
      '**/locales/**',
      'packages/db/src/schema.ts',
      'e2e/screenshots/**',
      // Names in them are filled in by npm run new, whose test checks what comes of it.
      'checks/templates/**',
    ],
  },
  { linterOptions: { reportUnusedDisableDirectives: 'error', reportUnusedInlineConfigs: 'error' } },
  ts.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/no-invalid-void-type': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrors: 'all' }],
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false, arguments: false } }],
      // Overflows the stack on recursive types of the contract (8.73.0), and we write no classes.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      // An adapter's interface may ask for a promise where there is nothing to wait for.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/only-throw-error': [
        'error',
        { allow: [{ from: 'package', package: '@tanstack/router-core', name: ['Redirect', 'NotFoundError'] }] },
      ],
      // Interceptors hand out `next` as a method.
      '@typescript-eslint/unbound-method': 'off',
      'no-console': 'error',
      'no-control-regex': 'error',
      'no-empty-pattern': 'error',
      'require-yield': 'error',
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      'no-eval': 'error',
      'no-new-func': 'error',
      'no-restricted-syntax': ['error', ...everywhere],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
    },
  },
  {
    plugins: { security, redos },
    rules: {
      'security/detect-bidi-characters': 'error',
      'security/detect-buffer-noassert': 'error',
      'security/detect-disable-mustache-escape': 'error',
      'security/detect-eval-with-expression': 'error',
      'security/detect-invisible-characters': 'error',
      'security/detect-new-buffer': 'error',
      'security/detect-pseudoRandomBytes': 'error',
      // What somebody sends must not make a pattern of ours run for hours. Those that only ever see our own files are left out below.
      'redos/no-vulnerable': ['error', { timeout: 5_000 }],
    },
  },
  {
    files: ['apps/api/**', 'packages/**'],
    rules: {
      'no-restricted-properties': ['error', noMathRandom],
      'no-restricted-globals': outsideOnlyIn('platform/outgoing, and what operators name from a port of its own'),
      'no-restricted-syntax': ['error', ...everywhere, ...server, noSqlPutTogether, noEnvironment],
      'no-restricted-imports': [
        'error',
        { paths: [{ name: 'node:child_process', message: 'The server starts no programs.' }, 'child_process'] },
      ],
    },
  },
  {
    // The one package that owns connections.
    files: ['packages/db/src/**'],
    rules: {
      'no-restricted-syntax': ['error', ...everywhere.filter(({ selector }) => !selector.includes('pool')), ...server, noEnvironment],
    },
  },
  {
    files: ['apps/api/src/platform/config.ts', 'apps/api/src/cli.ts'],
    rules: { 'no-restricted-syntax': ['error', ...everywhere, ...server, noSqlPutTogether] },
  },
  {
    // Those that do reach out, each to what an operator named.
    files: [
      'apps/api/src/platform/sign-in/provider.ts',
      'apps/api/src/commands/doctor-provider.ts',
      'apps/api/src/platform/**/*-testing.ts',
    ],
    rules: { 'no-restricted-globals': 'off' },
  },
  {
    files: ['apps/web/src/**'],
    plugins: { lingui, 'react-hooks': reactHooks, 'no-unsanitized': noUnsanitized },
    rules: {
      'no-unsanitized/method': 'error',
      'no-unsanitized/property': 'error',
      ...lingui.configs['flat/recommended'].rules,
      'lingui/no-expression-in-message': 'off',
      // What goes wrong with signing in is for the console only.
      'no-console': ['error', { allow: ['error', 'warn'] }],
      'react-hooks/rules-of-hooks': 'error',
      'react-hooks/exhaustive-deps': 'error',
      'no-restricted-properties': [
        'error',
        noMathRandom,
        { object: 'navigator', property: 'sendBeacon', message: 'What leaves the browser goes through platform/api/api-fetch.ts.' },
      ],
      'no-restricted-globals': outsideOnlyIn('platform/api/api-fetch.ts, config.ts and auth'),
      'no-restricted-syntax': [
        'error',
        ...everywhere,
        noRegExpOfVariables,
        {
          selector: 'TemplateElement[value.raw=/^(mailto|tel|sms):/]',
          message: 'Links to addresses and numbers are made by ui/display/contact-links.ts, which encodes them.',
        },
        {
          selector: 'JSXAttribute[name.name="dangerouslySetInnerHTML"]',
          message: 'Markup from data is shown by the one rich-text component.',
        },
        {
          selector: 'AssignmentExpression[left.property.name=/^(inner|outer)HTML$/]',
          message: 'Markup from data is shown by the one rich-text component.',
        },
        {
          selector: 'JSXText[value=/^(?!\\s*Guildhall\\s*$)[^]*\\p{L}{2,}/u]:not(JSXElement[openingElement.name.name="Trans"] JSXText)',
          message: 'Text goes through <Trans>, so that it can be translated.',
        },
        {
          selector:
            'JSXAttribute[name.name=/^(label|title|placeholder|description|alt|aria-label|nothingFoundMessage)$/] > Literal[value=/\\p{L}{2,}/u]',
          message: 'Text goes through t`…`, so that it can be translated.',
        },
        {
          selector: 'MemberExpression[object.type="MetaProperty"][property.name="env"]',
          message: "The web app's settings come through platform/config.ts.",
        },
        {
          selector: 'CallExpression[callee.property.name="postMessage"] > Literal[value="*"]',
          message: 'Say which origin may read this.',
        },
      ],
    },
  },
  {
    files: ['apps/web/src/platform/api/api-fetch.ts', 'apps/web/src/platform/config.ts', 'apps/web/src/platform/auth/**'],
    rules: { 'no-restricted-globals': 'off' },
  },
  {
    files: tests,
    rules: {
      '@typescript-eslint/consistent-type-assertions': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      'no-restricted-syntax': ['error', ...everywhere.slice(0, 2)],
      'no-restricted-globals': 'off',
      'no-restricted-imports': 'off',
      'redos/no-vulnerable': 'off',
      'no-unsanitized/property': 'off',
    },
  },
  { files: tools, rules: { 'no-console': 'off', 'redos/no-vulnerable': 'off' } },
  // They say how much they tried, and from which seed.
  { files: ['apps/api/tests/**'], rules: { 'no-console': 'off' } },
  { files: ['apps/api/src/cli.ts', 'apps/api/src/cli/**'], rules: { 'no-console': 'off' } },
  {
    files: configs,
    extends: [ts.configs.disableTypeChecked],
    languageOptions: { parserOptions: { projectService: false } },
    rules: {
      'no-restricted-syntax': 'off',
      '@typescript-eslint/switch-exhaustiveness-check': 'off',
      '@typescript-eslint/consistent-type-imports': 'off',
    },
  },
)
