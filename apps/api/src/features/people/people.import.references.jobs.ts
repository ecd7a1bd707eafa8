import { error, externalIdHeader, headerOf, isRejected, textOf } from '../imports/imports.plan.public.ts'
import type { Draft, Mapped, Planning, Referred } from '../imports/imports.plan.public.ts'
import { matchPeople } from './people.import.queries.ts'
import { chooseMatch, completePerson, personKeys, refuseUnclear } from './people.import.rules.ts'

/** People whom rows of offices or memberships mean, each known by anything a row of people is known by but the bare name. */
export async function referredPeople({ db, orgId, mapped }: Planning, drafts: readonly Draft[]): Promise<Map<Draft, Referred>> {
  const keys = new Map(
    drafts.map((draft) => {
      completePerson(draft, mapped)
      return [draft, personKeys(draft, []).lookup]
    }),
  )
  const told = new Set(
    drafts.filter((draft) => {
      const key = keys.get(draft)
      return (
        key &&
        (key.recordId !== null ||
          key.memberNo !== null ||
          key.emails.length > 0 ||
          Object.keys(key.externalIds).length > 0 ||
          Object.keys(key.links).length > 0 ||
          key.birthDate !== null)
      )
    }),
  )
  const matches = Map.groupBy(
    await matchPeople(
      db,
      orgId,
      [...told].flatMap((draft) => {
        const key = keys.get(draft)
        return key ? [{ at: draft.line, ...key, byName: false }] : []
      }),
    ),
    (match) => match.at,
  )
  const found = new Map<Draft, Referred>()
  for (const draft of drafts) {
    const memberNo = textOf(draft, 'memberNo')
    if (!told.has(draft)) {
      if (!isRejected(draft))
        error(
          draft,
          'missing',
          'This row does not identify a person.',
          'Give a member number, an e-mail address, an external id, a profile link, or a name and a birth date.',
          { column: headerOf(mapped, 'memberNo'), params: { field: 'person' } },
        )
      continue
    }
    const choice = chooseMatch(matches.get(draft.line) ?? [], { memberNo: memberNo ?? null, externalIds: draft.externalIds })
    const lifecycleOf = (id: string) => matches.get(draft.line)?.find((match) => match.id === id)?.lifecycle ?? ''
    if ('id' in choice) found.set(draft, { ...choice, lifecycle: lifecycleOf(choice.id) })
    // A membership of an archived person that an export lists is there; the database refuses a new one.
    else if ('archived' in choice && choice.record !== null)
      found.set(draft, { id: choice.record, name: choice.name, lifecycle: lifecycleOf(choice.record) })
    else if ('none' in choice)
      error(
        draft,
        'unknown_member_no',
        memberNo === undefined ? 'Nobody fits this row.' : `There is no member with the number "${memberNo}".`,
        'Import the people first, or correct the row.',
        { ...aboutUnknown(draft, mapped), params: { memberNo: memberNo ?? '' } },
      )
    else refuseUnclear(draft, choice, headerOf(mapped, 'memberNo'))
  }
  return found
}

/** The cell that should have said who is meant. */
function aboutUnknown(draft: Draft, mapped: Mapped) {
  const memberNo = textOf(draft, 'memberNo')
  if (memberNo !== undefined) return { column: headerOf(mapped, 'memberNo'), value: memberNo }
  const [external] = Object.entries(draft.externalIds)
  if (draft.emails.length === 0 && external) return { column: externalIdHeader(mapped, external[0]), value: external[1] }
  return { column: headerOf(mapped, 'email'), value: draft.emails[0] }
}
