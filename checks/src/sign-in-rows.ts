import path from 'node:path'
import { tree } from './repository.ts'
import type { Tree } from './repository.ts'

/** What sign-in must do, row by row. Names of tests carry the ids, so that each can be found and none goes missing. */
const rows: Record<string, Record<string, string>> = {
  'Pages and who may open them': {
    'S2-1': 'history of the browser, everything below one layout, each change of path begins at the top',
    'S2-2': 'home, members, groups, person, chapter, profile, account management need a sign-in',
    'S2-3': 'so do the assistant, integrations, menu, projects',
    'S2-4': 'so do events, fundraising, careers, communication, reports',
    'S2-5': 'privacy, terms and contact do not',
    'S2-6': 'any other path is not found, without a sign-in',
    'S2-7': 'an anonymous visitor is sent to sign in, the path is kept',
    'S2-8': 'a sign-in that cannot start leaves a button and no error text',
    'S2-9': 'its answer is processed once, the kept path opens',
    'S2-10': 'or the base, where none or no safe one was kept',
    'S2-11': 'an answer that fails leads to the base',
    'S2-12': 'a window hands its answer over and closes',
    'S2-13': 'so does the one that signs out',
    'S2-14': 'the frame that renews hands over and shows nothing',
  },
  'What is known': {
    'S3-1': 'settings: issuer and client are required',
    'S3-2': 'nobody: a blank profile, no token',
    'S3-3': 'somebody: claims of the id token and of user info',
    'S3-4': 'tokens are kept in the tab under authority and client',
    'S3-5': 'the server notes last sign-in and status',
  },
  'What happens when': {
    'S4-1': 'start: callbacks, or the stored user',
    'S4-2': 'a user is loaded: both APIs, tools, login call',
    'S4-3': 'a user is gone: tokens, tools, caches',
    'S4-4': 'the token expired: the front page, and a new sign-in',
    'S4-5': 'a sign-in that failed is tried again after 5 s',
    'S4-6': 'signed out at the provider: the page is kept',
    'S4-7': 'a renewal that failed is tried again after 5 s',
    'S4-8': 'a renewal that was refused ends the session',
    'S4-9': 'sign-out in a window',
    'S4-10': 'sign-out by redirect',
  },
  'What is checked': {
    'S5-1': 'a name is required',
    'S5-2': 'window or popup',
    'S5-3': 'a base url is required',
    'S5-4': 'settings are required',
    'S5-5': 'roles need a project',
    'S5-6': 'claims of id tokens, clocks 300 s apart',
    'S5-7': 'a renewal keeps subject, time of sign-in and authorised party',
    'S6-1': 'a role is an own key of the claim',
    'S6-2': 'scopes follow from the settings',
    'S6-3': 'who may open which page',
  },
  Calls: {
    'S7-1': 'the login call after each load',
    'S7-2': 'code, proof key, user info',
    'S7-3': 'both APIs: the token of the moment, or none',
    'S7-4': 'the provider’s addresses and no others',
  },
  Errors: {
    'S8-1': 'the login call failed: logged',
    'S8-2': 'a renewal failed: logged',
    'S8-3': 'the start failed: logged, a neutral page',
    'S8-4': 'unknown path: not found',
    'S8-5': 'No url provided',
    'S8-6': 'Popup window closed',
    'S8-7': 'Invalid response from popup',
    'S8-8': 'Frame window timed out',
    'S8-9': 'No silent_redirect_uri configured',
    'S8-10': 'No popup_redirect_uri or redirect_uri configured',
    'S8-11': 'login_required: somebody else is signed in',
    'S8-12': 'No access token returned from token endpoint',
    'S8-13': 'no error text of sign-in is shown',
    'S9-1': 'figures of sign-in',
    'S9-2': 'figures of the interface',
  },
  'A provider that does wrong': {
    N01: 'forged state',
    N02: 'no state',
    N03: 'an answer replayed',
    N04: 'a code replayed',
    N05: 'a state of 901 s, of 899 s',
    N06: 'another nonce',
    N07: 'no nonce',
    N08: 'another issuer',
    N09: 'no issuer',
    N10: 'another issuer in the answer',
    N11: 'none though announced',
    N12: 'another issuer in discovery',
    N13: 'another audience',
    N14: 'more audiences and us as authorised party',
    N15: 'more audiences and no authorised party',
    N16: 'another authorised party',
    N17: 'no time of issue',
    N18: 'issued 299, 300, 301 s ahead',
    N19: 'valid from 299, 300, 301 s ahead',
    N20: 'expired 299, 300, 301 s ago, or never',
    N21: 'no signature',
    N22: 'the public key as secret',
    N23: 'an altered payload',
    N24: 'a foreign key under a known name',
    N25: 'a key nobody knows',
    N26: 'keys that changed',
    N27: 'no subject',
    N28: 'user info of somebody else',
    N29: 'no user info',
    N30: 'no id token',
    N31: 'no access token',
    N32: 'no lifetime',
    N33: 'another type of token',
    N34: 'access denied',
    N35: 'no code',
    N36: 'a token endpoint that is down',
    N37: 'a page in place of an answer',
    N38: 'discovery that is down',
    N39: 'a kept path that leads away',
  },
  Renewal: {
    R01: 'as it should be',
    R02: 'another subject',
    R03: 'another time of sign-in',
    R04: 'another authorised party',
    R05: 'an authorised party that vanished',
    R06: 'another issuer',
    R07: 'another audience',
    R08: 'an id token that expired',
    R09: 'no access token',
    R10: 'no id token',
    R11: 'a refresh token that is refused',
    R12: 'no lifetime',
    R13: 'no new refresh token',
    R14: 'user info fails',
    R15: 'no answer',
    R16: 'two at once',
    R17: 'a copied tab',
    R18: 'a frame that meets somebody else',
    R19: 'a sign-out at the provider',
  },
  'Windows and calls': {
    P01: 'a window that is closed',
    P02: 'a window that is blocked',
    P03: 'a window that is closed while it signs out',
    C01: 'the login call fails',
    C02: 'five loads, five login calls with the right token each',
    C03: 'an answer that two ask for',
    C04: 'a store that cannot be read',
  },
  Server: {
    A01: 'an id token as access token',
    A02: 'a token of another project',
    A03: 'no expiry',
    A04: 'no signature, or the public key as secret',
    A05: 'an opaque token',
    A06: '100 kB',
    A07: 'the provider’s keys cannot be fetched',
    A08: 'keys nobody knows, in numbers',
    A09: 'a suspended account',
    A10: 'an invited account',
    A11: 'an invitation and an unverified address',
    A12: 'roles named like what every object has, granted elsewhere, or by nobody named',
    A13: 'the next request on the same connection',
    A14: 'logout tokens',
  },
}

export const rowIds = Object.values(rows).flatMap((group) => Object.keys(group))

/** The test files in whose names of tests each row stands. */
export function testsOfRows({ files: all, read }: Pick<Tree, 'files' | 'read'> = tree()): Map<string, string[]> {
  const files = all.filter((file) => /\.(test|e2e)\.tsx?$/.test(file) && !file.startsWith('checks/'))
  const found = new Map<string, string[]>(rowIds.map((id) => [id, []]))
  for (const file of files.sort()) {
    const titles = [...read(file).matchAll(/(['"`])([^\n]*?)\1/g)].map((match) => match[2] ?? '').join('\n')
    for (const id of new Set(titles.match(/\b(?:S\d-\d+|[NRPCA]\d\d)\b/g))) found.get(id)?.push(file)
  }
  return found
}

/** The page that leads from each row to its tests. */
export function signInRowsPage(): string {
  const tests = testsOfRows()
  const line = ([id, what]: [string, string]) =>
    `| ${id} | ${what} | ${(tests.get(id) ?? []).map((file) => `[${path.basename(file)}](../../${file})`).join(', ')} |`
  const table = ([title, group]: [string, Record<string, string>]) =>
    [`## ${title}`, '', '| Row | What | Tested in |', '| --- | --- | --- |', ...Object.entries(group).map(line)].join('\n')
  return [
    '# What sign-in must do, and where it is tested',
    '',
    'Made by `npm run generate` from `checks/src/sign-in-rows.ts`. The names of the tests carry the rows; a row without a test fails `npm test -- sign-in-rows`.',
    '',
    ...Object.entries(rows).map((entry) => `${table(entry)}\n`),
  ].join('\n')
}
