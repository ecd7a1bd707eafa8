import {
  amountOf,
  byPolicy,
  claimsOf,
  currencyOf,
  distinct,
  error,
  headerOf,
  isRejected,
  referredWords,
  refuseClosed,
  refuseSecond,
  rejected,
  requireFields,
  textOf,
  unknown,
  warning,
} from '../../imports/imports.plan.public.ts'
import type { Draft, Effect, ImportPlan, Mapped, Planned, Planner, Planning, Referred } from '../../imports/imports.plan.public.ts'
import { newId } from '../../../platform/records/new-id.ts'
import {
  decidedOf,
  joinedDays,
  membershipTables,
  membershipsOf,
  ownCurrency,
  removeEmptyMemberships,
  termsInUse,
  typesByName,
} from './membership.import.queries.ts'
import type { FoundMembership, FoundType } from './membership.import.queries.ts'
import { gapBefore, isLast, overlaps, statusByDates } from './membership.import.rules.ts'
import type { Span } from './membership.import.rules.ts'

/** What a row says, as far as it can be read. */
type Row = {
  draft: Draft
  label: string
  person: Referred | undefined
  type: FoundType | undefined
  chapterId: string | null
  currency: string
  price: number | undefined
  span: Span | null
  stated: string | undefined
}
type Whole = Row & { person: Referred; type: FoundType; span: Span }

const pairOf = (personId: string, typeId: string) => `term:${personId}:${typeId}:`
const keyOf = ({ person, type, span }: Whole) => `${pairOf(person.id, type.id)}${span.first}:${span.last ?? ''}`
const isWhole = (row: Row): row is Whole =>
  !isRejected(row.draft) && row.person !== undefined && row.type !== undefined && row.span !== null

/** Reads a row, noting all that is wrong with it. */
function readRow(draft: Draft, { mapped, today }: Planning, known: Known): Row {
  const word = textOf(draft, 'membershipType')
  const type = known.types.get(word?.toLowerCase() ?? '')
  const chapterWord = textOf(draft, 'chapterCode')
  const chapter = known.chapters.get(chapterWord ?? '')
  const person = known.people.get(draft)
  const stated = textOf(draft, 'membershipStatus')
  const [first, last] = [textOf(draft, 'startsOn'), textOf(draft, 'endsOn')]
  const forLife = stated === 'lifetime' || (type?.period === 'lifetime' && last === undefined)
  requireFields(draft, mapped, { membershipType: 'membership type', startsOn: 'first day', ...(forLife ? {} : { endsOn: 'last day' }) })
  if (word !== undefined && !type)
    error(draft, 'unknown_membership_type', `There is no membership type "${word}".`, 'Create the type first, or correct the name.', {
      column: headerOf(mapped, 'membershipType'),
      value: word,
      params: { type: word },
    })
  if (chapterWord !== undefined && !chapter)
    unknown(draft, mapped, 'chapterCode', 'chapter', 'Import the chapter first, or correct the code.')
  if (stated === 'lifetime' && last !== undefined) contradicts(draft, mapped, stated, last)
  for (const field of ['paidOn', 'joinedOn'])
    if ((textOf(draft, field) ?? '') > today)
      error(draft, 'day_in_future', 'This day has not come yet.', 'Correct the date, or choose another date order.', {
        column: headerOf(mapped, field),
        value: textOf(draft, field),
        params: { field },
      })
  if (first !== undefined && first > today && textOf(draft, 'paidOn') === undefined)
    error(draft, 'missing', 'A term that begins later needs the day it was paid.', 'Fill in the day of payment.', {
      column: headerOf(mapped, 'paidOn'),
      params: { field: 'paidOn' },
    })
  const currency = currencyOf(draft, mapped, known.currency)
  return {
    draft,
    label: [person?.name ?? referredWords(draft), type?.name ?? word, first].filter(Boolean).join(' · '),
    person,
    type,
    chapterId: chapter?.id ?? null,
    currency,
    price: amountOf(draft, mapped, 'price', currency),
    span: first === undefined ? null : { first, last: last ?? null, line: draft.line },
    stated: stated === 'lifetime' ? 'active' : stated,
  }
}

const contradicts = (draft: Draft, mapped: Mapped, status: string, last: string) =>
  error(
    draft,
    'status_contradicts',
    `The status "${status}" does not fit a term that ends on ${last}.`,
    'Correct the status or the last day.',
    {
      column: headerOf(mapped, 'membershipStatus'),
      value: status,
      params: { status, last },
    },
  )

/** What the rows of a chunk name, read at once. */
async function namedIn(planning: Planning, drafts: readonly Draft[]) {
  const { db, orgId } = planning
  return {
    types: await typesByName(db, orgId),
    chapters: await planning.lookUps.chapters(db, orgId, distinct(drafts.map((draft) => textOf(draft, 'chapterCode')))),
    people: await planning.lookUps.people(planning, drafts),
    currency: await ownCurrency(db, orgId),
  }
}
type Known = Awaited<ReturnType<typeof namedIn>>

/** The status that a row gives its membership, or a word about why it does not. */
function weighStatus({ draft, span, stated, type }: Whole, mapped: Mapped, today: string, kept: boolean): void {
  if (stated === undefined) return
  const becomes = statusByDates(span.last, type.graceDays, today)
  const about = { column: headerOf(mapped, 'membershipStatus'), value: stated }
  if (stated === 'lapsed' && becomes === 'active') contradicts(draft, mapped, stated, span.last ?? '')
  else if (kept && stated === 'cancelled')
    warning(draft, 'status_kept', 'This membership was not imported, so it keeps its status.', 'Change the status on its page.', about)
  else if ((stated === 'active' || stated === 'grace') && stated !== becomes)
    warning(
      draft,
      'status_by_dates',
      `By its dates the membership is ${becomes}, not ${stated}.`,
      'Correct the last day if that is wrong.',
      {
        ...about,
        params: { status: stated, becomes },
      },
    )
}

const open = new Set(['active', 'grace', 'lapsed'])
const undecided = new Set(['applied', 'awaiting_approval', 'awaiting_payment', 'suspended'])

/** Who held which membership from when to when. Each row is a term; terms of a person of one type are one membership. */
export const planMemberships: Planner = async (planning, drafts) => {
  const { db, orgId, mapped, options, today } = planning
  const known = await namedIn(planning, drafts)
  const rows = drafts.map((draft) => readRow(draft, planning, known))
  const whole = rows.filter(isWhole)
  const found = await membershipsOf(
    db,
    orgId,
    whole.map(({ person, type }) => ({ personId: person.id, typeId: type.id })),
  )
  const byPair = Map.groupBy(found, ({ personId, typeId }) => pairOf(personId, typeId))
  const decided = await decidedOf(
    db,
    whole.flatMap((row) => [
      { personId: row.person.id, chapterId: row.chapterId },
      ...(byPair.get(pairOf(row.person.id, row.type.id)) ?? []).map(({ personId, chapterId }) => ({ personId, chapterId })),
    ]),
  )
  const joined = await joinedDays(
    db,
    orgId,
    distinct(whole.map(({ draft, person }) => (textOf(draft, 'joinedOn') ? person.id : undefined))),
  )
  const pairs = distinct(whole.map(({ person, type }) => pairOf(person.id, type.id)))
  // What there is already, and what earlier rows of the file bring: in a check nothing of that is written.
  const spans = new Map<string, Span[]>(
    pairs.map((pair) => [
      pair,
      (byPair.get(pair) ?? []).flatMap(({ terms }) => terms.map(({ startsOn, endsOn }) => ({ first: startsOn, last: endsOn }))),
    ]),
  )
  const earlier = await planning.earlierUnder(pairs)
  for (const { key, line } of earlier) {
    const pair = key.split(':').slice(0, 3).join(':') + ':'
    const [, , , first = '', last = ''] = key.split(':')
    const here = spans.get(pair)
    if (here && !here.some((each) => each.first === first)) here.push({ first, last: last || null, line })
  }
  const all = new Map(pairs.map((pair) => [pair, [...(spans.get(pair) ?? [])]]))
  for (const row of whole) all.get(pairOf(row.person.id, row.type.id))?.push(row.span)
  const claims = claimsOf(new Map(earlier.map(({ key, line }) => [key, line])))
  const targets = new Map<string, { id: string; isNew: boolean; isKept: boolean; chapterId: string | null }>()

  const planned = rows.map((row): Planned => {
    const { draft, label } = row
    if (!isWhole(row)) return { ...rejected(draft), label }
    const { person, type, span } = row
    const [pair, key] = [pairOf(person.id, type.id), keyOf(row)]
    if (refuseSecond(draft, claims, key)) return { ...rejected(draft), label }
    const memberships = byPair.get(pair) ?? []
    const same = memberships.flatMap(({ terms }) => terms).find(({ startsOn, endsOn }) => startsOn === span.first && endsOn === span.last)
    const here = spans.get(pair) ?? []
    const target = targets.get(pair) ?? targetOf(memberships)
    if (!same) {
      const clash = here.find((each) => overlaps(each, span))
      if (clash)
        error(
          draft,
          'term_overlap',
          `This term overlaps with the one from ${clash.first} to ${clash.last ?? 'the end of life'}${clash.line ? ` in row ${clash.line}` : ''}.`,
          'Correct the dates of one of the two.',
          { column: headerOf(mapped, 'startsOn'), value: span.first, params: { first: clash.first, last: clash.last ?? '' } },
        )
      if (!target && memberships.some(({ status }) => undecided.has(status)))
        error(
          draft,
          'membership_in_progress',
          'This person has an application of this type that is not decided, or a membership that is paused.',
          'Decide on it, or resume it, first.',
        )
      if (!decided.has(`${person.id}:${(target ? target.chapterId : row.chapterId) ?? ''}`))
        error(draft, 'not_allowed', 'This membership is decided by another officer.', 'Ask an administrator to import this row.')
      refuseClosed(draft, person.lifecycle)
      if (isLast(span, all.get(pair) ?? [])) weighStatus(row, mapped, today, target?.isKept ?? false)
    }
    if (isRejected(draft)) return { ...rejected(draft), label }

    const extra = joinedChange(row, mapped, joined)
    const plan = byPolicy(options, draft, key, same ? { id: same.id, changes: extra } : null, () => {
      const changes: Effect[] = []
      const into = target ?? { id: newId(), isNew: true, isKept: false, chapterId: row.chapterId }
      if (!targets.has(pair)) targets.set(pair, { ...into, isNew: false })
      if (into.isNew)
        changes.push({
          table: 'memberships',
          key: { id: into.id },
          before: null,
          after: { person_id: person.id, type_id: type.id, chapter_id: row.chapterId, auto_renew: draft.fields['autoRenew'] !== false },
        })
      const id = newId()
      changes.push({
        table: 'membership_terms',
        key: { id },
        before: null,
        after: {
          membership_id: into.id,
          starts_on: span.first,
          ends_on: span.last,
          settled_on: textOf(draft, 'paidOn') ?? span.first,
          price_amount: row.price ?? 0,
          price_currency: row.currency,
          stated: row.stated ?? null,
        },
      })
      here.push(span)
      return { id, changes: [...changes, ...extra] }
    })
    return { ...plan, label }
  })
  // Only now is it known which rows go in, and so what lies between them.
  for (const row of whole) if (!isRejected(row.draft)) tellGap(row, mapped, spans.get(pairOf(row.person.id, row.type.id)) ?? [])
  return planned
}

function tellGap({ draft, span }: Whole, mapped: Mapped, all: readonly Span[]): void {
  const gap = all.includes(span) ? gapBefore(span, all) : null
  if (gap)
    warning(
      draft,
      'term_gap',
      `${gap.days} days without a membership before this term: the one before ended on ${gap.last}.`,
      'Correct the dates if a term is missing.',
      { column: headerOf(mapped, 'startsOn'), value: span.first, params: { days: gap.days, last: gap.last } },
    )
}

/** The membership that further terms of a person belong to; a cancelled one only where nothing but an import made it. */
function targetOf(memberships: readonly FoundMembership[]) {
  const isImported = ({ terms }: FoundMembership) => terms.length > 0 && terms.every(({ imported }) => imported)
  const found =
    memberships.find(({ status }) => open.has(status)) ?? memberships.find((one) => one.status === 'cancelled' && isImported(one))
  return found && { id: found.id, isNew: false, isKept: !isImported(found), chapterId: found.chapterId }
}

/** The day on which the person joined, where none is known. */
function joinedChange({ draft, person }: Whole, mapped: Mapped, joined: Awaited<ReturnType<typeof joinedDays>>): Effect[] {
  const [on, is] = [textOf(draft, 'joinedOn'), joined.get(person.id)]
  if (on === undefined || !is || is.joinedOn === on) return []
  const about = { column: headerOf(mapped, 'joinedOn'), value: on }
  if (is.joinedOn !== null)
    warning(
      draft,
      'joined_on_kept',
      `This person joined on ${is.joinedOn}; that day stays.`,
      'Change it on the page of the person if it is wrong.',
      {
        ...about,
        params: { date: is.joinedOn },
      },
    )
  else if (!is.editable)
    warning(draft, 'field_kept', 'The day of joining is not yours to change.', 'Leave the column out, or ask an administrator.', {
      ...about,
      params: { field: 'joinedOn' },
    })
  else {
    is.joinedOn = on
    return [{ table: 'people', key: { id: person.id }, before: { joined_on: null }, after: { joined_on: on } }]
  }
  return []
}

export const membershipsImport: ImportPlan = {
  plan: planMemberships,
  tables: [membershipTables.memberships, membershipTables.terms, membershipTables.people],
  root: 'membership_terms',
  shared: {
    memberships: { removeUnused: (db, _orgId, ids) => removeEmptyMemberships(db, ids), inUse: () => Promise.resolve([]) },
  },
  inUse: termsInUse,
}
