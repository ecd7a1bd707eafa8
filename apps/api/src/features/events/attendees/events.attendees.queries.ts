import { RegistrationSort, registrationsFilterFields } from '@guildhall/contract/features/events'
import type { Registration } from '@guildhall/contract/features/events'
import type { Filter } from '@guildhall/contract/shapes'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import { choiceField, dateField, filterWhere, flagField, idField, idValues, textValue } from '../../../platform/lists/filters.ts'
import type { FilterCatalogue, FilterField } from '../../../platform/lists/filters.ts'
import type { List } from '../../../platform/lists/list-page.ts'
import { hasAllWords } from '../../../platform/lists/match-rank.ts'
import { readSort } from '../../../platform/lists/sort.ts'
import { manages } from '../events.queries.ts'
import { live, registrationItem, registrationsFrom, theirs } from '../events.registrations.queries.ts'
import type { Coded } from '../events.registrations.queries.ts'

/** Of the invoices that the caller sees; whoever runs the event knows of the others, too, that they are paid. */
const invoiced = (eventId: string | undefined, states: readonly string[]) => {
  const seen = sql<SqlBool>`(r.price_amount > 0 and exists (select from app.invoice_lines l
    join app.invoices i on i.org_id = l.org_id and i.id = l.invoice_id
    where l.org_id = r.org_id and l.subject_type = 'event_registration' and l.subject_id = r.id and i.kind = 'invoice' and i.state = any (${[...states]}::text[])))`
  return eventId ? sql<SqlBool>`(r.id in (select app.billed_registrations(${eventId}, ${[...states]}::text[])) or ${seen})` : seen
}

const waited = registrationsFilterFields.waitingList.options
const waitingListField = (eventId: string): FilterField => ({
  ops: ['is', 'in'],
  where(_, value, refuse) {
    const wanted = (Array.isArray(value) ? value : [value]).map(String)
    if (wanted.length === 0 || !wanted.every((one) => waited.some((word) => word === one)))
      return refuse(`Choose from ${waited.join(', ')}.`)
    return sql`r.id in (select app.waiting_registrations(${eventId}, w.what) from unnest(${wanted}::text[]) w (what))`
  },
})

/** One chosen answer: the question, and what was chosen. */
const answerField: FilterField = {
  ops: ['is', 'in'],
  where(_, value, refuse) {
    const wanted = (Array.isArray(value) ? value : [value]).map((one) => /^([0-9a-f-]{36})=(.{1,500})$/isu.exec(String(one)))
    if (wanted.length === 0 || wanted.length > 60) return refuse('Give one or more answers.')
    const chosen = wanted.map(
      (match) =>
        sql<SqlBool>`${match ? given(idValues(match[1] ?? '', refuse)[0] ?? '', textValue(match[2], refuse)) : refuse('Give the id of a question, =, and an answer.')}`,
    )
    return sql`(${sql.join(chosen, sql` or `)})`
  },
}
const given = (questionId: string, chosen: string) => sql<SqlBool>`exists (select from jsonb_array_elements(r.answers) a (answer)
  where a.answer ->> 'questionId' = ${questionId.toLowerCase()} and (a.answer ->> 'value' = ${chosen} or (jsonb_typeof(a.answer -> 'value') = 'array' and a.answer -> 'value' ? ${chosen})))`

const ofEvent = (eventId: string): FilterCatalogue => ({
  firstTime: flagField(sql`(r.id in (select app.first_registrations(${eventId})))`),
  newMember: flagField(sql`(r.id in (select app.joining_registrations(${eventId})))`),
  waitingList: waitingListField(eventId),
  // Whoever only checks people in is shown no answers.
  answer: { ...answerField, where: (op, value, refuse) => sql`(${manages} and ${answerField.where(op, value, refuse)})` },
})

const catalogueOf = (eventId: string | undefined): FilterCatalogue => ({
  event: idField(sql`r.event_id`),
  status: choiceField(sql`r.status`, registrationsFilterFields.status.options),
  ticketType: idField(sql`r.ticket_type_id`),
  source: choiceField(sql`r.source`, registrationsFilterFields.source.options),
  createdAt: dateField(sql`(r.created_at at time zone e.timezone)`),
  checkedInAt: dateField(sql`(r.checked_in_at at time zone e.timezone)`),
  live: flagField(sql`(${live})`),
  noShow: flagField(sql`(r.status = 'confirmed' and e.ends_at <= now())`),
  paid: flagField(invoiced(eventId, ['paid'])),
  owing: flagField(invoiced(eventId, ['issued', 'partly_paid'])),
  guest: flagField(sql`(r.host_id is not null)`),
  hadSeat: flagField(sql`(r.confirmed_at is not null or r.status in ('confirmed', 'checked_in'))`),
  ...(eventId && ofEvent(eventId)),
})

const orders: Record<RegistrationSort, RawBuilder<unknown>[]> = {
  name: [sql`r.sort_name`, sql`r.id`],
  createdAt: [sql`r.created_at`, sql`r.id`],
  checkedInAt: [sql`coalesce(r.checked_in_at, '0001-01-01')`, sql`r.id`],
  waiting: [sql`coalesce(r.waiting_place, 2147483647)`, sql`r.id`],
}

type Question = { eventId?: string | undefined; own?: boolean | undefined; q?: string | undefined; filter?: Filter | undefined }

export function registrationsWhere({ eventId, own = false, q, filter }: Question): RawBuilder<SqlBool>[] {
  const words = q?.trim()
  const filtered = filterWhere(filter, catalogueOf(eventId))
  return [
    ...(eventId ? [sql<SqlBool>`r.event_id = ${eventId}`] : []),
    ...(own ? [theirs] : []),
    // Addresses are searched by those who are shown them.
    ...(words ? [sql<SqlBool>`(${hasAllWords(sql`r.sort_name`, words)} or (${manages} and ${hasAllWords(sql`r.search`, words)}))`] : []),
    ...(filtered ? [filtered] : []),
  ]
}

export function registrationsList({ sort, ...question }: Question & { sort?: string | undefined }): List<Coded<Registration>> {
  const { by, descending } = readSort(sort, RegistrationSort.options, 'name')
  const { eventId, own, q, filter } = question
  return {
    key: ['registrations', eventId ?? null, own ?? false, q?.trim() ?? '', filter ?? null, by],
    item: registrationItem,
    from: registrationsFrom,
    where: registrationsWhere(question),
    order: orders[by],
    descending,
  }
}
