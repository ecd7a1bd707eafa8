import { textOf } from './imports.drafts.rules.ts'
import type { Draft } from './imports.drafts.rules.ts'
import type { Planning, Referred } from './imports.kinds.rules.ts'

const withoutRecord: ReadonlySet<string> = new Set(['unknown_member_no', 'missing'])

/** Whom the rows mean, where somebody of whom there is no record may come by name, unless the row says that there is one. */
export async function peopleOrNames(
  planning: Planning,
  drafts: readonly Draft[],
  names: readonly string[] = ['fullName', 'familyName'],
): Promise<Map<Draft, Referred>> {
  const shadows = new Map(drafts.map((draft): [Draft, Draft] => [{ ...draft, findings: [] }, draft]))
  const found = await planning.lookUps.people(planning, [...shadows.keys()])
  const people = new Map<Draft, Referred>()
  for (const [shadow, draft] of shadows) {
    const person = found.get(shadow)
    if (person) people.set(draft, person)
    const isNamed = names.some((name) => textOf(draft, name) !== undefined)
    const saysRecord =
      Boolean(textOf(draft, 'memberNo') ?? textOf(draft, 'recordId')) ||
      Object.keys(draft.externalIds).length + Object.keys(draft.links).length > 0
    // Somebody who may be one of several people with a record must not become yet another.
    const isUnclear = shadow.findings.some(({ level, code }) => level === 'error' && !withoutRecord.has(code))
    if (person || saysRecord || !isNamed || isUnclear) draft.findings.push(...shadow.findings)
  }
  return people
}
