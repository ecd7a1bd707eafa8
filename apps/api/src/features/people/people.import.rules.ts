import { columnsOf, difference, echoOf, error, foldText, recordId, textOf } from '../imports/imports.plan.public.ts'
import type { Draft, Echo, Mapped } from '../imports/imports.plan.public.ts'
import { hash } from 'node:crypto'
import type { MatchKey } from '@guildhall/contract/features/imports'
import type { PersonKey, PersonMatch, PersonState } from './people.import.queries.ts'
import { newId } from '../../platform/records/new-id.ts'
import type { RowChange, Values } from '../../platform/records/row-changes.ts'

const personColumns = {
  memberNo: 'member_no',
  givenName: 'given_name',
  middleName: 'middle_name',
  familyName: 'family_name',
  suffix: 'suffix',
  preferredName: 'preferred_name',
  pronouns: 'pronouns',
  lifecycle: 'lifecycle',
  gradYear: 'grad_year',
  employer: 'employer',
  jobTitle: 'job_title',
  bio: 'bio',
  language: 'language',
  doNotContact: 'do_not_contact',
}
const contactColumns = {
  street: 'street',
  city: 'city',
  region: 'region',
  postalCode: 'postal_code',
  country: 'country',
  website: 'website',
}
const privateColumns = { birthDate: 'birth_date', gender: 'gender', deceasedOn: 'deceased_on' }
const allColumns = {
  ...personColumns,
  ...contactColumns,
  ...privateColumns,
  formerName: 'former_names',
  note: 'note',
  externalId: 'external_id',
}

/** A whole name in parts: "Family, Given" or "Given Family"; small words such as "van der" belong to the family. */
export function splitName(name: string): { givenName: string; familyName: string } {
  const [family, given] = name.split(/,(.+)/).map((part) => part.trim())
  if (given) return { givenName: given, familyName: family ?? '' }
  const words = name.split(' ')
  if (words.length === 1) return { givenName: name, familyName: '' }
  const particle = words.findIndex(
    (word, index) => index > 0 && /^(van|von|de|der|den|del|della|di|da|dos|la|le|ten|ter|zu|bin|al)$/.test(word),
  )
  const cut = particle > 0 ? particle : words.length - 1
  return { givenName: words.slice(0, cut).join(' '), familyName: words.slice(cut).join(' ') }
}

/** Fills in what follows from other columns: parts of a whole name, the day of joining from the membership. */
export function completePerson(draft: Draft, { targets }: Mapped): void {
  const whole = textOf(draft, 'fullName')
  if (whole && draft.fields['givenName'] === undefined && draft.fields['familyName'] === undefined)
    Object.assign(draft.fields, splitName(whole))
  // Where the file has a column for it, an empty cell says that the day is not known.
  if (!targets.includes('joinedOn')) draft.fields['joinedOn'] ??= draft.fields['memberSince']
  if (draft.fields['preferredName'] === draft.fields['givenName']) delete draft.fields['preferredName']
}

const nameOf = (draft: Draft) => `${foldText(textOf(draft, 'givenName') ?? '')} ${foldText(textOf(draft, 'familyName') ?? '')}`

/** What a row can be known by, in the order in which it is tried. */
export function personKeys(draft: Draft, matchBy: readonly MatchKey[]): { lookup: Omit<PersonKey, 'at'>; claim: string } {
  const uses = (key: MatchKey) => matchBy.length === 0 || matchBy.includes(key)
  const memberNo = uses('memberNo') ? (textOf(draft, 'memberNo') ?? null) : null
  const emails = uses('emailAndName') ? draft.emails : []
  const externalIds = uses('externalId') ? draft.externalIds : {}
  const links = uses('link') ? draft.links : {}
  const birthDate = uses('nameAndBirthDate') ? (textOf(draft, 'birthDate') ?? null) : null
  const [external] = Object.entries(externalIds)
  const byName = memberNo === null && emails.length === 0 && external === undefined && birthDate === null
  const name = nameOf(draft)
  const claim = memberNo
    ? `no:${memberNo.toLowerCase()}`
    : emails[0]
      ? `mail:${emails[0].toLowerCase()}:${name}`
      : external
        ? `ext:${external.join(':')}`
        : birthDate
          ? `born:${birthDate}:${name}`
          : `name:${name}`
  return {
    lookup: {
      recordId: recordId(textOf(draft, 'recordId')),
      memberNo,
      emails,
      externalIds,
      links,
      givenName: textOf(draft, 'givenName') ?? '',
      familyName: textOf(draft, 'familyName') ?? '',
      birthDate,
      byName,
    },
    claim,
  }
}

/** By what rows of one file find each other: short hashes of e-mail, birth date, chapter and external ids, each with the name. */
export function marksOf(draft: Draft): number[] {
  const name = nameOf(draft)
  const mark = (kind: number, text: string | undefined) =>
    text === undefined ? [] : [parseInt(hash('sha1', `${kind} ${text.toLowerCase()} ${name}`).slice(0, 12), 16) * 4 + kind]
  return [
    ...draft.emails.slice(0, 3).flatMap((email) => mark(0, email)),
    ...mark(1, textOf(draft, 'birthDate')),
    ...mark(2, textOf(draft, 'chapterCode')),
    ...Object.entries(draft.externalIds)
      .slice(0, 3)
      .flatMap(([system, id]) => mark(3, `${system}:${id}`)),
  ]
}

/** Leaves of a row only what fills a gap of the person that an earlier row became; says where the two differ. */
export function fillGaps(draft: Draft, state: PersonState, chapterId: string | null): string[] {
  const present: Values = { ...state.person, ...state.contact, ...state.private }
  const here = chapterId !== null && state.affiliations.some((one) => one.chapterId === chapterId)
  const fields = { ...personColumns, joinedOn: 'joined_on', ...contactColumns, ...privateColumns }
  const same = (one: unknown, other: unknown) =>
    typeof one === 'string' && typeof other === 'string' ? foldText(one) === foldText(other) : one === other
  const wordsOf = (field: string) => field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  // A status or a wish that nobody stated is a default, not a gap.
  const taken = Object.entries(fields).filter(
    ([field, column]) => field === 'lifecycle' || field === 'doNotContact' || (present[column] ?? '') !== '',
  )
  const differing = taken
    .filter(([field, column]) => draft.fields[field] !== undefined && !same(draft.fields[field], present[column]))
    .map(([field]) => wordsOf(field))
  const links = Object.entries(draft.links)
  const otherLinks = links.filter(([service, link]) => state.links[service] !== undefined && !same(state.links[service], link))
  const dropped = new Set([...taken.map(([field]) => field), ...(here ? ['affiliationKind', 'memberSince', 'memberUntil'] : [])])
  draft.fields = Object.fromEntries(Object.entries(draft.fields).filter(([field]) => !dropped.has(field)))
  draft.links = Object.fromEntries(links.filter(([service]) => state.links[service] === undefined))
  const held = new Map(state.externalIds.map(({ system, externalId }) => [system, externalId]))
  const ids = Object.entries(draft.externalIds)
  const otherIds = ids.filter(([system, id]) => held.has(system) && held.get(system) !== id)
  draft.externalIds = Object.fromEntries(ids.filter(([system]) => !held.has(system)))
  return [...differing, ...otherLinks.map(([service]) => service), ...otherIds.map(([system]) => `external id (${system})`)]
}

type By = PersonMatch['by']
type Candidate = Pick<PersonMatch, 'id' | 'name'>
type Known = { by: By; who: Candidate[] }
export type Chosen =
  | { id: string; name: string; by: By }
  | { none: true }
  | { archived: true; record: string | null; name: string }
  | { many: Candidate[] }
  | { conflict: [Known, Known] }

/** What a row is known by, best first; what comes later narrows down what came before, and must not contradict it. */
const order = ['memberNo', 'emailAndName', 'externalId', 'link', 'nameAndBirthDate'] as const

/**
 * The one person a row means. The record that an export names decides. Other keys that point at different people are a contradiction, not a choice. A number or external id that
 * nobody has yet says that nobody with another one is meant.
 */
export function chooseMatch(
  matches: readonly PersonMatch[],
  { memberNo, externalIds }: { memberNo: string | null; externalIds: Readonly<Record<string, string>> },
): Chosen {
  const byRecord = matches.find((match) => match.by === 'recordId')
  if (byRecord)
    return byRecord.archived
      ? { archived: true, record: byRecord.id, name: byRecord.name }
      : { id: byRecord.id, name: byRecord.name, by: 'recordId' }
  const byNumber = matches.find((match) => match.by === 'memberNo')
  if (byNumber?.archived) return { archived: true, record: null, name: byNumber.name }
  const byExternalId = matches.some((match) => match.by === 'externalId')
  const otherId = (match: PersonMatch) => Object.entries(externalIds).some(([system, id]) => (match.externalIds[system] ?? id) !== id)
  const fitting = matches.filter(
    (match) => byNumber !== undefined || ((memberNo === null || match.memberNo === null) && (byExternalId || !otherId(match))),
  )
  const of = (by: By) => [...new Map(fitting.filter((match) => match.by === by).map(({ id, name }) => [id, { id, name }])).values()]
  const [first, ...others] = order.map((by): Known => ({ by, who: of(by) })).filter(({ who }) => who.length > 0)
  let known = first ?? { by: 'name', who: of('name') }
  for (const other of others) {
    const both = known.who.filter(({ id }) => other.who.some((one) => one.id === id))
    if (both.length === 0) return { conflict: [known, other] }
    known = { by: known.by, who: both }
  }
  const [one, ...more] = known.who
  if (!one) return { none: true }
  return more.length > 0 ? { many: known.who } : { ...one, by: known.by }
}

const keyWords: Record<By, string> = {
  recordId: 'record id',
  memberNo: 'member number',
  emailAndName: 'e-mail address',
  externalId: 'external id',
  link: 'profile link',
  nameAndBirthDate: 'name and birth date',
  name: 'name',
}
const listed = (who: readonly Candidate[]) =>
  `${who
    .slice(0, 3)
    .map(({ name }) => name)
    .join(', ')}${who.length > 3 ? ` and ${who.length - 3} more` : ''}`

/** Says why a row means nobody for certain. */
export function refuseUnclear(draft: Draft, choice: Chosen, column: string | undefined): void {
  if ('archived' in choice)
    error(
      draft,
      'archived',
      'This member number belongs to someone who was archived.',
      'Restore that person first, or give another number.',
      { column, value: textOf(draft, 'memberNo') },
    )
  if ('many' in choice)
    error(
      draft,
      'ambiguous',
      `${choice.many.length} people fit this row: ${listed(choice.many)}.`,
      'Give a member number, an e-mail address, an external id or a birth date that tells them apart.',
      { params: { count: choice.many.length, people: listed(choice.many) } },
    )
  if ('conflict' in choice) {
    const [one, other] = choice.conflict
    error(
      draft,
      'contradiction',
      `The ${keyWords[one.by]} is that of ${listed(one.who)}, the ${keyWords[other.by]} that of ${listed(other.who)}.`,
      'Correct one of the two, or leave it out.',
      { params: { key: one.by, person: listed(one.who), otherKey: other.by, otherPerson: listed(other.who) } },
    )
  }
}

export type PersonExtras = {
  accountId: string
  today: string
  defaultStartsOn: string | null
  chapterId: string | null
  /** Whether birth date, gender and notes are the actor's to write. */
  sensitive: boolean
  tagIds: readonly string[]
  mapped: Mapped
}

/** Everything that a new person brings along. */
export function newPerson(draft: Draft, extras: PersonExtras): { id: string; changes: RowChange[] } {
  const id = newId()
  const person: Values = {
    ...columnsOf(draft, { ...personColumns, joinedOn: 'joined_on' }),
    former_names: draft.formerNames,
    created_by: extras.accountId,
    home_chapter_id: extras.chapterId,
  }
  return {
    id,
    changes: [insert('people', { id }, person), ...affiliationOf(draft, id, [], extras), ...belongings(draft, id, null, extras)],
  }
}

/** What a row changes about a person who is there: nothing is emptied, nothing is taken away. */
export function changedPerson(draft: Draft, state: PersonState, extras: PersonExtras): RowChange[] {
  const former = state.person['former_names']
  const names = Array.isArray(former) ? former : []
  const echo = echoOf(extras.mapped, allColumns)
  const known = names.flatMap((name) => (typeof name === 'string' ? [name, echo('former_names', name)] : []))
  const more = draft.formerNames.filter((name) => !known.includes(name))
  const wanted = columnsOf(draft, { ...personColumns, joinedOn: 'joined_on' })
  // A number in other capitals is the same number.
  const number = state.person['member_no']
  if (typeof number === 'string' && textOf(draft, 'memberNo')?.toLowerCase() === number.toLowerCase()) delete wanted['member_no']
  const change = difference(
    state.person,
    {
      ...wanted,
      ...(more.length > 0 ? { former_names: [...names, ...more].slice(0, 10) } : {}),
    },
    echo,
  )
  return [
    ...(change ? [{ table: 'people', key: { id: state.id }, ...change }] : []),
    ...affiliationOf(draft, state.id, state.affiliations, extras, state.person['home_chapter_id'] ?? null),
    ...belongings(draft, state.id, state, extras),
  ]
}

const insert = (table: string, key: Record<string, string>, after: Values): RowChange => ({ table, key, before: null, after })

function affiliationOf(
  draft: Draft,
  personId: string,
  present: PersonState['affiliations'],
  extras: PersonExtras,
  home: unknown = null,
): RowChange[] {
  const { chapterId, today } = extras
  if (!chapterId) return []
  const wanted = columnsOf(draft, { affiliationKind: 'kind', memberSince: 'starts_on', memberUntil: 'ends_on' })
  const isLive = ({ endsOn }: { endsOn: string | null }) => endsOn === null || endsOn >= today
  const here = present.filter((one) => one.chapterId === chapterId)
  const [kind, since, until] = [wanted['kind'], wanted['starts_on'], wanted['ends_on']]
  // A chapter that the person has or had, without a day: says where they are kept, and begins no membership anew.
  const dated = since !== undefined || until !== undefined || extras.defaultStartsOn !== null
  if (!dated && kind === undefined && (here.length > 0 || chapterId === home)) return []
  const fits = (one: (typeof here)[number], strict: boolean) =>
    (since === undefined ? until !== undefined && one.endsOn === until : one.startsOn === since) &&
    (!strict || ((kind === undefined || one.kind === kind) && one.endsOn === (until ?? null)))
  const same =
    here.find((one) => fits(one, true)) ?? here.find((one) => fits(one, false)) ?? here.find(isLive) ?? (dated ? undefined : here.at(-1))
  if (same) {
    const change = difference({ kind: same.kind, starts_on: same.startsOn, ends_on: same.endsOn }, wanted)
    return change ? [{ table: 'affiliations', key: { id: same.id }, ...change }] : []
  }
  const ends = textOf(draft, 'memberUntil') ?? null
  const primary = isLive({ endsOn: ends }) && !present.some((one) => one.primary && one.endsOn === null)
  const starts = wanted['starts_on'] ?? extras.defaultStartsOn ?? (ends !== null && ends < today ? ends : today)
  return [
    insert(
      'affiliations',
      { id: newId() },
      { ...wanted, starts_on: starts, person_id: personId, chapter_id: chapterId, is_primary: primary },
    ),
  ]
}

/** E-mail addresses, telephone numbers, address and links, private data, tags. */
function belongings(draft: Draft, personId: string, state: PersonState | null, extras: PersonExtras): RowChange[] {
  const changes: RowChange[] = []
  const echo = echoOf(extras.mapped, allColumns)
  const emails = draft.emails.filter((address) => !state?.emails.some((one) => one.address.toLowerCase() === address.toLowerCase()))
  emails.forEach((address, index) =>
    changes.push(
      insert(
        'person_emails',
        { id: newId() },
        { person_id: personId, address, is_primary: index === 0 && !state?.emails.some(({ primary }) => primary) },
      ),
    ),
  )
  const digits = (number: string) => number.replace(/[^0-9]/g, '')
  const phones = draft.phones.filter(
    (number, index, all) =>
      !state?.phones.some((one) => one.digits === digits(number)) && all.findIndex((other) => digits(other) === digits(number)) === index,
  )
  phones.forEach((number, index) =>
    changes.push(
      insert(
        'person_phones',
        { id: newId() },
        { person_id: personId, number, is_primary: index === 0 && !state?.phones.some(({ primary }) => primary) },
      ),
    ),
  )
  for (const [system, id] of Object.entries(draft.externalIds)) {
    const held = state?.externalIds.find((one) => one.system === system)
    if (!held) changes.push(insert('person_external_ids', { id: newId() }, { person_id: personId, system, external_id: id }))
    else {
      const change = difference({ external_id: held.externalId }, { external_id: id }, echo)
      if (change) changes.push({ table: 'person_external_ids', key: { id: held.id }, ...change })
    }
  }
  const links = { ...state?.links, ...draft.links }
  const contact: Values = { ...columnsOf(draft, contactColumns), ...(Object.keys(draft.links).length > 0 ? { links } : {}) }
  changes.push(
    ...oneRow(
      'person_contacts',
      personId,
      state?.contact ? { ...state.contact, links: sorted(state.links) } : null,
      'links' in contact ? { ...contact, links: sorted(links) } : contact,
      echo,
    ),
  )
  if (extras.sensitive) {
    changes.push(...oneRow('person_private', personId, state?.private ?? null, columnsOf(draft, privateColumns), echo))
    if (!state?.own)
      changes.push(...oneRow('person_office_notes', personId, state?.officeNote ?? null, columnsOf(draft, { note: 'note' }), echo))
  }
  for (const tag of extras.tagIds) {
    if (!state?.tagIds.includes(tag)) changes.push(insert('person_tags', { person_id: personId, tag_id: tag }, {}))
  }
  return changes
}

const sorted = (links: Record<string, string>) => Object.fromEntries(Object.entries(links).sort(([a], [b]) => a.localeCompare(b)))

/** A row that a person has at most one of. */
function oneRow(table: string, personId: string, present: Values | null, wanted: Values, echo: Echo): RowChange[] {
  if (Object.keys(wanted).length === 0) return []
  if (!present) return [insert(table, { person_id: personId }, wanted)]
  const change = difference(present, wanted, echo)
  return change ? [{ table, key: { person_id: personId }, ...change }] : []
}
