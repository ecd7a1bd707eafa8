import { expect, test } from 'vitest'
import { readFeatures } from './repository.ts'
import { structure } from './structure.ts'

const contract = "export const peopleData = { list: get('/people', 'listPeople') }"
const sound: Record<string, string> = {
  'features.json': JSON.stringify({
    people: { means: 'persons', tables: ['people'] },
    groups: { means: 'committees', tables: ['groups'] },
    events: { means: 'to come', tables: [], planned: true },
  }),
  'packages/contract/src/features/people.ts': contract,
  'packages/contract/src/features/groups.ts': "export const groupsData = { list: get('/groups', 'listGroups') }",
  'packages/db/src/schema.ts': "export interface Database {\n  'app.people': PeopleRow\n  'app.groups': GroupsRow\n}",
  'packages/db/tests/people.policies.test.ts': '',
  'packages/db/tests/groups.policies.test.ts': '',
  'apps/api/src/features/people/people.queries.ts': "db.insertInto('app.people'); db.selectFrom('app.groups')",
  'apps/api/src/features/groups/groups.queries.ts': 'sql`update app.groups set name = 1`',
  'apps/web/src/features/people/people-list-page.tsx': '',
  'apps/web/src/features/groups/groups-api.ts': '',
}

function problems(planted: Record<string, string | null>) {
  const content = Object.fromEntries(
    Object.entries({ ...sound, ...planted }).filter((entry): entry is [string, string] => entry[1] !== null),
  )
  const read = (file: string) => content[file] ?? ''
  return structure({ root: '/', files: Object.keys(content), read, features: readFeatures(read('features.json')) })
}

test('a sound tree has no findings', () => {
  expect(problems({})).toEqual([])
})

test.each<[string, Record<string, string | null>, RegExp]>([
  [
    'a feature folder that features.json does not know',
    { 'apps/api/src/features/weather/weather.data.ts': '' },
    /"weather" is not a feature/,
  ],
  ['a feature that is missing in a package', { 'apps/web/src/features/groups/groups-api.ts': null }, /groups has nothing in apps\/web/],
  ['a feature with tables but no policy test', { 'packages/db/tests/people.policies.test.ts': null }, /people has nothing in packages\/db/],
  ['an unknown kind of file', { 'apps/api/src/features/people/people.service.ts': '' }, /not a kind of file/],
  ['a file named after another feature', { 'apps/api/src/features/people/groups.data.ts': '' }, /another word than its feature/],
  ['a folder in a folder of a feature', { 'apps/web/src/features/people/list/parts/card.tsx': '' }, /one folder per subject/],
  ['a folder in a folder of the API', { 'apps/api/src/features/people/list/rows/people.data.ts': '' }, /one folder per subject/],
  [
    'a feature folder that nobody can take in',
    Object.fromEntries(Array.from({ length: 26 }, (_, n) => [`apps/web/src/features/people/part-${n}.tsx`, ''])),
    /26|27/,
  ],
  [
    'a shared folder that nobody can take in',
    Object.fromEntries(Array.from({ length: 26 }, (_, n) => [`apps/api/src/platform/lists/part-${n}.ts`, ''])),
    /apps\/api\/src\/platform\/lists: 26 files/,
  ],
  ['a helper without a subject', { 'apps/web/src/features/people/people-utils.ts': '' }, /name the subject/],
  ['a component in camel case', { 'apps/web/src/features/people/PersonCard.tsx': '' }, /kebab-case/],
  [
    "a record of another feature's table that is updated, from a folder",
    { 'apps/api/src/features/people/list/people.list.queries.ts': "updateRecord(db, 'app.groups', { id }, set, read)" },
    /people\.list\.queries\.ts: writes app\.groups/,
  ],
  [
    "a feature's table that the platform reads",
    { 'apps/api/src/platform/lists/search.ts': 'sql`select from app.people p`' },
    /search\.ts: knows app\.people, which belongs to people/,
  ],
  [
    "Kysely writing another feature's table",
    { 'apps/api/src/features/people/people.queries.ts': "db.deleteFrom('app.groups')" },
    /writes app.groups, which belongs to groups/,
  ],
  [
    "raw SQL writing another feature's table",
    { 'apps/api/src/features/people/people.queries.ts': 'sql`INSERT INTO app.groups`' },
    /writes app.groups/,
  ],
  [
    'a table without an owner',
    { 'packages/db/src/schema.ts': "  'app.people': P\n  'app.groups': G\n  'app.pets': X" },
    /nobody owns app.pets/,
  ],
  ['an owned table that does not exist', { 'packages/db/src/schema.ts': "  'app.people': P" }, /owns app.groups, which does not exist/],
  ['an operation id used twice', { 'packages/contract/src/features/groups.ts': contract }, /listPeople is taken/],
  ['a suppression without a reason', { 'apps/api/src/app.ts': '// eslint-disable-next-line no-console' }, /say why/],
])('%s is found', (_, planted, finding) => {
  expect(problems(planted)).toContainEqual(expect.stringMatching(finding))
})

test('a suppression with a reason is accepted', () => {
  expect(problems({ 'apps/api/src/app.ts': '// eslint-disable-next-line no-console -- the terminal is its output' })).toEqual([])
})
