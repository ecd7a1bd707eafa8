import {
  amountOf,
  byPolicy,
  claimsOf,
  currencyOf,
  distinct,
  error,
  headerOf,
  isRejected,
  reaches,
  readLines,
  referredWords,
  refuseSecond,
  rejected,
  requireFields,
  textOf,
} from '../../imports/imports.plan.public.ts'
import type { Draft, ImportPlan, Line, Mapped, Planned, Planner } from '../../imports/imports.plan.public.ts'
import { newId } from '../../../platform/records/new-id.ts'
import { booksOf, invoicesByNumber, invoicesInUse, invoicesTable } from './finance.import.queries.ts'

/** What an invoice charges: the lines of its cell, or one line of its total. */
function chargesOf(draft: Draft, mapped: Mapped, currency: string): { lines: Line[]; total: number } | null {
  const [cell, total] = [textOf(draft, 'lines'), amountOf(draft, mapped, 'total', currency)]
  const text = textOf(draft, 'text') ?? textOf(draft, 'number') ?? ''
  if (cell === undefined) {
    requireFields(draft, mapped, { total: 'total' })
    return total === undefined ? null : { lines: [{ text, amount: total }], total }
  }
  const lines = readLines(cell, currency)
  if (!lines) {
    error(draft, 'not_lines', 'These are not lines with a text and an amount each.', 'Write them as "Dues 2024: 60.00; Postage: 4.50".', {
      column: headerOf(mapped, 'lines'),
      value: cell,
    })
    return null
  }
  const sum = lines.reduce((all, { amount }) => all + amount, 0)
  if (total !== undefined && total !== sum)
    error(draft, 'total_differs', 'The lines do not add up to the total.', 'Correct the lines or the total.', {
      column: headerOf(mapped, 'total'),
      value: textOf(draft, 'total'),
    })
  return { lines, total: sum }
}

/** What was paid of it; without an amount, a day of payment means all of it. */
function paidOf(draft: Draft, mapped: Mapped, currency: string, total: number | undefined): number {
  const on = textOf(draft, 'paidOn')
  const paid = amountOf(draft, mapped, 'paidAmount', currency) ?? (on === undefined || textOf(draft, 'paidAmount') ? 0 : (total ?? 0))
  if (paid > 0 && on === undefined) requireFields(draft, mapped, { paidOn: 'day of payment' })
  if (total !== undefined && paid > total)
    error(
      draft,
      'paid_more',
      'More was paid than the invoice asks for.',
      'Correct the amount, or record the rest as a payment of its own.',
      {
        column: headerOf(mapped, 'paidAmount'),
        value: textOf(draft, 'paidAmount'),
      },
    )
  return paid
}

/** Invoices that another system issued, each known by its number there. */
export const planInvoices: Planner = async (planning, drafts) => {
  const { db, orgId, mapped, options, reach, today } = planning
  const chapters = await planning.lookUps.chapters(db, orgId, distinct(drafts.map((draft) => textOf(draft, 'debtorChapter'))))
  const people = await planning.lookUps.people(
    planning,
    drafts.filter((draft) => textOf(draft, 'debtorChapter') === undefined),
  )
  const { homes, currency: own } = await booksOf(db, orgId, distinct([...people.values()].map(({ id }) => id)))
  const found = await invoicesByNumber(db, orgId, distinct(drafts.map((draft) => textOf(draft, 'number'))))
  const keyOf = (draft: Draft) => `invoice:${textOf(draft, 'number') ?? ''}`
  const claims = claimsOf(await planning.earlier(drafts.map(keyOf)))

  return drafts.map((draft): Planned => {
    requireFields(draft, mapped, { number: 'number', issuedOn: 'day of issue' })
    const [number, issuedOn, word] = [textOf(draft, 'number'), textOf(draft, 'issuedOn'), textOf(draft, 'debtorChapter')]
    const [person, chapter] = [people.get(draft), chapters.get(word ?? '')]
    const label = [number, person?.name ?? chapter?.name ?? word ?? referredWords(draft)].filter(Boolean).join(' · ')
    if (word !== undefined && !chapter)
      error(draft, 'unknown_chapter_code', `There is no chapter "${word}".`, 'Import the chapter first, or correct the code.', {
        column: headerOf(mapped, 'debtorChapter'),
        value: word,
        params: { code: word },
      })
    for (const field of ['issuedOn', 'paidOn'])
      if ((textOf(draft, field) ?? '') > today)
        error(draft, 'day_in_future', 'This day has not come yet.', 'Correct the date, or choose another date order.', {
          column: headerOf(mapped, field),
          value: textOf(draft, field),
          params: { field },
        })
    const currency = currencyOf(draft, mapped, own)
    const charges = chargesOf(draft, mapped, currency)
    const paid = paidOf(draft, mapped, currency, charges?.total)
    const owedBy = person?.id ?? chapter?.id
    if (isRejected(draft) || !number || !issuedOn || !charges || !owedBy) return { ...rejected(draft), label }
    const key = keyOf(draft)
    const there = found.filter((one) => one.number === number)
    // One that was issued here is in a file only when it was exported from here.
    const same = there.find(
      (one) => (!one.own || one.issuedOn === issuedOn) && one.owedBy === owedBy && one.total === charges.total && one.currency === currency,
    )
    // An export has a row for each line of an invoice.
    if (!same && refuseSecond(draft, claims, key)) return { ...rejected(draft), label }
    if (!reaches(reach, 'finance.manage', chapter?.id ?? homes.get(owedBy) ?? null))
      error(draft, 'not_allowed', 'These books are not yours to keep.', 'Ask somebody who manages finance to import this row.')
    if (!same && there.length > 0)
      error(
        draft,
        'number_taken',
        `There is an invoice ${number} already, for another debtor or amount, or issued here.`,
        'Correct the number. An invoice that was imported cannot be changed.',
        { column: headerOf(mapped, 'number'), value: number, params: { number } },
      )
    if (isRejected(draft)) return { ...rejected(draft), label }
    const planned = byPolicy(options, draft, key, same ? { id: same.id, changes: [] } : null, () => {
      const id = newId()
      const after = {
        ...(person ? { person_id: person.id } : { chapter_id: chapter?.id ?? null }),
        foreign_number: number,
        issued_on: issuedOn,
        due_on: textOf(draft, 'dueOn') ?? issuedOn,
        currency,
        reason: (textOf(draft, 'text') ?? '').slice(0, 200),
        note: textOf(draft, 'note') ?? '',
        lines: charges.lines,
        paid,
        paid_on: textOf(draft, 'paidOn') ?? null,
        method: textOf(draft, 'method') ?? 'other',
      }
      return { id, changes: [{ table: 'invoices', key: { id }, before: null, after }] }
    })
    return { ...planned, label }
  })
}

export const invoicesImport: ImportPlan = {
  plan: planInvoices,
  tables: [invoicesTable],
  root: 'invoices',
  shared: {},
  inUse: invoicesInUse,
}
