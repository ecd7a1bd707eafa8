import { actionsContract, dataContract } from '@guildhall/contract'
import { proceduresOf } from '../contract.ts'
import { areaRights } from './areas.ts'
import { lineOf } from './policy.ts'
import type { Principal } from '@guildhall/db/cast-testing'
import type { Right } from './grid.ts'
import { rights } from './rights.ts'

const shown: [principal: Principal, title: string][] = [
  ['guest', 'Guest'],
  ['member', 'Member'],
  ['leader', 'Group leader'],
  ['officer', 'Chapter officer'],
  ['safeguarding', 'Safeguarding in a chapter'],
  ['events', 'Events'],
  ['finance', 'Finance'],
  ['communications', 'Communications'],
  ['admin', 'Administrator'],
  ['owner', 'Owner'],
]

/** How far a right of somebody goes, in a word or two. */
function reach(right: Right, principal: Principal): string {
  const has = (column: Right['columns'][number]) => right.has(principal, column)
  if (has('east')) return 'everywhere'
  if (has('below')) return 'own chapter and below'
  if (has('west')) return principal === 'leader' ? 'led group' : 'own chapter'
  if (has('own')) return 'own'
  return has('org') ? 'yes' : ''
}

/** The page that lists every right: who has it where, and what it opens. Made from the table that the tests prove. */
export function rightsPage(): string {
  const all = Object.values<Right>({ ...rights, ...areaRights })
  const procedures = [...proceduresOf(dataContract, 'data'), ...proceduresOf(actionsContract, 'actions')]
  const opens = (right: Right) => procedures.filter(({ path }) => lineOf(path)?.right === right)
  const row = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [
    '# Rights in full',
    '',
    'Made by `npm run generate` from the table that the tests walk through, so it says what the product does. [Who sees and does what](rights.md) explains it.',
    '',
    '## Who has which right, and where',
    '',
    'A chapter officer is in office in a chapter. `own` means one’s own page, account, views and files. Someone whose office has ended is a member like others;',
    'a suspended account, and a token without an account, have no rights at all; nobody has any in another organisation.',
    '',
    row(['Right', ...shown.map(([, title]) => title)]),
    row(['---', ...shown.map(() => '---')]),
    ...all.map((right) => row([right.name, ...shown.map(([principal]) => reach(right, principal))])),
    '',
    '## What each right opens',
    '',
    'A list answers everybody with an account, and holds what they may see.',
    ...all
      .filter((right) => opens(right).length > 0)
      .flatMap((right) => [
        '',
        `### ${right.name}`,
        '',
        ...opens(right).map(({ procedure: { route } }) => `- ${route.summary} (\`${route.operationId}\`)`),
      ]),
    '',
  ].join('\n')
}
