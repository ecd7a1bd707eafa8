import { expect, test } from 'vitest'
import { affectedBy } from './changed.ts'

test.each<[string, string, ReturnType<typeof affectedBy>]>([
  ['a page', 'apps/web/src/features/people/person-page.tsx', { database: false, journeys: ['people'] }],
  ['a feature of the API', 'apps/api/src/features/people/people.rules.ts', { database: false, journeys: ['people'] }],
  ['the contract of a feature', 'packages/contract/src/features/groups.ts', { database: false, journeys: ['groups'] }],
  ['a migration', 'packages/db/migrations/20261123090100_people_external_ids.sql', { database: true, journeys: ['people'] }],
  ['a migration of all', 'packages/db/migrations/20261123090000_base_table_kit.sql', { database: true, journeys: 'all' }],
  ['how the database is reached', 'packages/db/src/actor.ts', { database: true, journeys: 'all' }],
  ['a journey', 'e2e/journeys/sign-in-popup.e2e.ts', { database: false, journeys: ['sign-in-popup'] }],
  ['what every page stands on', 'apps/web/src/ui/dialog/dialog.tsx', { database: false, journeys: 'all' }],
  ['a dependency', 'package-lock.json', { database: false, journeys: 'all' }],
  ['a test', 'apps/web/src/features/people/person-page.test.tsx', { database: false, journeys: [] }],
  ['a document', 'docs/developers/tests.md', { database: false, journeys: [] }],
])('%s', (_, file, expected) => {
  expect(affectedBy([file])).toEqual(expected)
})
