import { describe, expect, test } from 'vitest'
import { pageOf, projection } from './integrations.scim.answers.rules.ts'
import { groupFilter, userFilter } from './integrations.scim.filter.rules.ts'
import { readGroupChange } from './integrations.scim.group.rules.ts'
import { patchSchema, readUser, readUserChange, userSchema } from './integrations.scim.user.rules.ts'

const user = (more: object) => ({ schemas: [userSchema], userName: 'ana@example.org', ...more })
const patch = (...operations: object[]) => ({ schemas: [patchSchema], Operations: operations })

describe('a filter', () => {
  test.for([
    ['userName eq "ana@example.org"', [{ field: 'userName', value: 'ana@example.org' }]],
    ['USERNAME Eq "a \\"quoted\\" name"', [{ field: 'userName', value: 'a "quoted" name' }]],
    ['urn:ietf:params:scim:schemas:core:2.0:User:externalId eq "7"', [{ field: 'externalId', value: '7' }]],
    ['emails[type eq "work"].value eq "a@example.org"', [{ field: 'email', value: 'a@example.org' }]],
    ['id eq "1" and userName eq "x and y"', [{ field: 'id', value: '1' }, { field: 'userName', value: 'x and y' }]], // prettier-ignore
  ] as const)('%s is read', ([text, found]) => expect(userFilter(text)).toEqual(found))

  test.for(['userName', 'userName eq', 'userName eq ana', 'userName co "a"', 'userName eq "a', 'title eq "x"', 'userName eq "a" or id eq "b"', 'a'.repeat(2000)])(
    '%.40s is refused',
    (text) => expect(() => userFilter(text)).toThrow(expect.objectContaining({ status: 400, scimType: 'invalidFilter' })),
  ) // prettier-ignore

  test('finds a member of a group', () =>
    expect(groupFilter('id eq "r" and members eq "m"')).toEqual([
      { field: 'id', value: 'r' },
      { field: 'member', value: 'm' },
    ]))
})

describe('a user', () => {
  test('is read whatever else a provider sends of it', () => {
    expect(
      readUser(
        user({
          externalId: '7',
          name: { formatted: 'Ana F', givenName: ' Ana ', familyName: 'Fall', middleName: 'M' },
          emails: [
            { value: 'home@example.org', type: 'home' },
            { value: 'work@example.org', type: 'work', primary: true },
          ],
          title: 'Treasurer',
          'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'Money' },
          active: 'True',
        }),
      ),
    ).toEqual({
      userName: 'ana@example.org',
      externalId: '7',
      displayName: 'Ana F',
      givenName: 'Ana',
      familyName: 'Fall',
      email: 'work@example.org',
      active: true,
    })
  })

  test('has the address that it is named by where it has no other', () =>
    expect(readUser(user({}))).toMatchObject({ email: 'ana@example.org' }))

  test.for([
    [[], 'invalidSyntax'],
    [{ userName: 'a' }, 'invalidSyntax'],
    [{ schemas: [userSchema] }, 'invalidValue'],
    [user({ userName: 7 }), 'invalidValue'],
    [user({ userName: '' }), 'invalidValue'],
    [user({ active: 'yes' }), 'invalidValue'],
    [user({ emails: [{ value: 'nonsense' }] }), 'invalidValue'],
    [user({ displayName: 'a\u0000b' }), 'invalidValue'],
    [user({ isOwner: true }), 'invalidPath'],
    [user({ __proto__x: {} }), 'invalidPath'],
    [user({ constructor: 'x' }), 'invalidPath'],
  ] as const)('%j is refused', ([body, scimType]) =>
    expect(() => readUser(body)).toThrow(expect.objectContaining({ status: 400, scimType })),
  )
})

describe('a change of a user', () => {
  test.for([
    ['as RFC 7644 has it', patch({ op: 'replace', path: 'active', value: false }), { active: false }],
    ['of Entra ID', patch({ op: 'Replace', path: 'active', value: 'False' }), { active: false }],
    ['of Okta', patch({ op: 'replace', value: { active: false } }), { active: false }],
    ['with dots in its names', patch({ op: 'Add', value: { 'name.givenName': 'Bo', displayName: 'Bo B' } }), { givenName: 'Bo', displayName: 'Bo B' }],
    ['of the address for work', patch({ op: 'Replace', path: 'emails[type eq "work"].value', value: 'b@example.org' }), { email: 'b@example.org' }],
    ['of another address', patch({ op: 'Replace', path: 'emails[type eq "home"].value', value: 'b@example.org' }), {}],
    ['of what accounts do not have', patch({ op: 'Add', path: 'addresses[type eq "work"].country', value: 'DE' }), {}],
    ['of an extension', patch({ op: 'Add', path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department', value: 'X' }), {}],
    ['of a whole name', patch({ op: 'replace', path: 'name', value: { givenName: 'Bo', familyName: 'B' } }), { givenName: 'Bo', familyName: 'B' }],
    ['that removes', patch({ op: 'remove', path: 'externalId' }), { externalId: null }],
  ] as const)('%s is read', ([, body, change]) => expect(readUserChange(body)).toEqual(change)) // prettier-ignore

  test.for([
    [{ Operations: [] }, 'invalidSyntax'],
    [patch(), 'invalidSyntax'],
    [patch({ op: 'move', path: 'active' }), 'invalidSyntax'],
    [patch({ op: 'replace', path: 'active', value: true, more: 1 }), 'invalidSyntax'],
    [patch({ op: 'remove' }), 'noTarget'],
    [patch({ op: 'remove', path: 'userName' }), 'mutability'],
    [patch({ op: 'replace', path: 'roleIds', value: 'x' }), 'invalidPath'],
    [patch({ op: 'replace', path: 'a..b', value: 'x' }), 'invalidPath'],
    [patch({ op: 'replace', value: 'x' }), 'invalidValue'],
    [patch(...Array.from({ length: 101 }, () => ({ op: 'remove', path: 'externalId' }))), 'tooMany'],
  ] as const)('%.80j is refused', ([body, scimType]) =>
    expect(() => readUserChange(body)).toThrow(expect.objectContaining({ status: 400, scimType })),
  )
})

const one = '0192aaaa-0000-7000-8000-00000000000a'
test.for([
  ['add', patch({ op: 'Add', path: 'members', value: [{ value: one.toUpperCase() }] }), [{ kind: 'add', accountIds: [one] }]],
  ['remove by value', patch({ op: 'Remove', path: 'members', value: [{ value: one }] }), [{ kind: 'remove', accountIds: [one] }]],
  ['remove by path', patch({ op: 'remove', path: `members[value eq "${one}"]` }), [{ kind: 'remove', accountIds: [one] }]],
  ['remove all', patch({ op: 'remove', path: 'members' }), [{ kind: 'all', accountIds: [] }]],
  ['replace', patch({ op: 'replace', value: { id: one, displayName: 'Finance', members: [{ value: one }] } }), [{ kind: 'all', accountIds: [one] }]],
] as const)('members of a group: %s', ([, body, steps]) => expect(readGroupChange(body).steps).toEqual(steps)) // prettier-ignore

test('pages and attributes are what RFC 7644 says', () => {
  expect(pageOf({})).toEqual({ startIndex: 1, offset: 0, count: 100 })
  expect(pageOf({ startIndex: '-3', count: '-1' })).toEqual({ startIndex: 1, offset: 0, count: 0 })
  expect(pageOf({ startIndex: '11', count: '9999' })).toEqual({ startIndex: 11, offset: 10, count: 200 })
  expect(() => pageOf({ count: 'many' })).toThrow(expect.objectContaining({ status: 400 }))
  const resource = { schemas: [], id: '1', meta: { version: '', location: '' }, userName: 'a', emails: [] }
  expect(projection({ excludedAttributes: 'emails,id' }).of(resource)).toEqual({ schemas: [], id: '1', meta: resource.meta, userName: 'a' })
  expect(projection({ attributes: 'emails.value' }).of(resource)).toEqual({ schemas: [], id: '1', meta: resource.meta, emails: [] })
})
