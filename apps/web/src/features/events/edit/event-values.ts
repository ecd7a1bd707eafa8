import type { Event, EventChange } from '@guildhall/contract/features/events'
import { clockIn } from '@guildhall/contract/moments'
import type { Repeats } from '@guildhall/contract/repeats'
import type { FormattedDocument } from '@guildhall/contract/formatted-document'

/** A moment of a field: null where nothing is entered, undefined where what is typed is no moment yet. */
type Moment = string | null | undefined
/** Rows that are new have no id before they are saved; `key` is what tells them apart until then. */
type Row<Fields> = { key: string; id?: string | undefined } & Fields

export type TicketValues = Row<{
  name: string
  description: string
  amount: Amount
  currency: string
  memberPrice: Amount
  quota: number | null
  audience: Event['ticketTypes'][number]['audience']
  sellsFrom: Moment
  sellsUntil: Moment
  minPerOrder: number
  maxPerOrder: number
}>
type Amount = number | null | undefined
export type PromoValues = Row<{
  code: string
  ticketTypeId: string | null
  percent: number | null
  amount: Amount
  usesLimit: number | null
  validFrom: Moment
  validUntil: Moment
}>
export type QuestionValues = Row<{
  text: string
  kind: Event['questions'][number]['kind']
  required: boolean
  /** One in each line. */
  options: string
  ofGuests: boolean
}>
export type ProgrammeValues = Row<{ title: string; startsAt: Moment; endsAt: Moment; room: string; speaker: string; about: string }>
export type StaffValues = Row<{ personId: string | null; role: Event['staff'][number]['role'] }>

/** What the fields of the form hold. */
export type EventValues = {
  title: string
  summary: string
  description: FormattedDocument
  kind: Event['kind']
  chapterId: string | null
  groupId: string | null
  startsAt: Moment
  endsAt: Moment
  timezone: string
  mode: Event['mode']
  venueName: string
  venueAddress: string
  linkUrl: string
  linkNote: string
  capacity: number | null
  visibility: Event['visibility']
  needsApproval: boolean
  waitingList: boolean
  guestsPerPerson: number
  showsAttendees: boolean
  registrationOpensAt: Moment
  registrationClosesAt: Moment
  cancelUntil: Moment
  coverFileId: string | null
  coverAlt: string
  repeats: Repeats | null
  ticketTypes: readonly TicketValues[]
  promoCodes: readonly PromoValues[]
  questions: readonly QuestionValues[]
  programme: readonly ProgrammeValues[]
  staff: readonly StaffValues[]
}

let made = 0
export const newKey = () => `new-${(made += 1)}`

export function valuesOf(event: Event): EventValues {
  const { venue, link, chapter, group } = event
  const keyed = <Item extends { id: string }>(items: readonly Item[]) => items.map((item) => ({ ...item, key: item.id }))
  return {
    title: event.title,
    summary: event.summary,
    description: event.description,
    kind: event.kind,
    chapterId: chapter?.id ?? null,
    groupId: group?.id ?? null,
    startsAt: event.startsAt,
    endsAt: event.endsAt,
    timezone: event.timezone,
    mode: event.mode,
    venueName: venue.name,
    venueAddress: venue.address,
    linkUrl: link?.url ?? '',
    linkNote: link?.note ?? '',
    capacity: event.capacity,
    visibility: event.visibility,
    needsApproval: event.needsApproval,
    waitingList: event.waitingList,
    guestsPerPerson: event.guestsPerPerson,
    showsAttendees: event.showsAttendees,
    registrationOpensAt: event.registrationOpensAt,
    registrationClosesAt: event.registrationClosesAt,
    cancelUntil: event.cancelUntil,
    coverFileId: event.coverFileId,
    coverAlt: event.coverAlt,
    repeats: event.repeats,
    ticketTypes: keyed(event.ticketTypes).map(
      ({ key, id, name, description, price, memberPrice, quota, audience, sellsFrom, sellsUntil, minPerOrder, maxPerOrder }) => ({
        ...{ key, id, name, description, amount: price.amount, currency: price.currency, memberPrice, quota, audience },
        ...{ sellsFrom, sellsUntil, minPerOrder, maxPerOrder },
      }),
    ),
    promoCodes: keyed(event.promoCodes ?? []).map(({ used: _, ...code }) => code),
    questions: questionValuesOf(event.questions),
    programme: keyed(event.programme),
    staff: event.staff.map(({ person, role }) => ({ key: `${person.id} ${role}`, personId: person.id, role })),
  }
}

type Sent = { [Key in keyof EventChange]-?: unknown }
export type EventKey = keyof EventChange

const lines = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
const known = (id: string | undefined) => (id === undefined ? {} : { id })

type AskedValues = Omit<QuestionValues, 'ofGuests'>
/** Questions as their rows are edited, with the options one in each line. */
export const questionValuesOf = <Question extends { id: string; options: readonly string[] }>(questions: readonly Question[]) =>
  questions.map(({ options, ...question }) => ({ ...question, key: question.id, options: options.join('\n') }))
/** The same as the server takes them. */
export const questionsOf = <Values extends AskedValues>(questions: readonly Values[]) =>
  questions.map(({ key: _, id, options, ...question }) => ({
    ...known(id),
    ...question,
    options: question.kind === 'choice' || question.kind === 'choices' ? lines(options) : [],
  }))

/** What is not understood must not pass for what was left out, so it is sent as nothing that the contract accepts. */
const held = (value: Moment | Amount) => (value === undefined ? '' : value)

/** The same as the server takes it. */
export function sentOf(values: EventValues): Partial<Sent> {
  const { linkUrl, linkNote, ticketTypes, promoCodes, questions, programme, staff, ...facts } = values
  return {
    ...facts,
    startsAt: held(values.startsAt),
    endsAt: held(values.endsAt),
    registrationOpensAt: held(values.registrationOpensAt),
    registrationClosesAt: held(values.registrationClosesAt),
    cancelUntil: held(values.cancelUntil),
    link: linkUrl.trim() === '' ? null : { url: linkUrl, note: linkNote },
    ticketTypes: ticketTypes.map(({ key: _, id, amount, currency, ...ticket }) => ({
      ...known(id),
      ...ticket,
      price: { amount: amount === null ? 0 : held(amount), currency },
      memberPrice: held(ticket.memberPrice),
      sellsFrom: held(ticket.sellsFrom),
      sellsUntil: held(ticket.sellsUntil),
    })),
    promoCodes: promoCodes.map(({ key: _, id, ...code }) => ({
      ...known(id),
      ...code,
      amount: held(code.amount),
      validFrom: held(code.validFrom),
      validUntil: held(code.validUntil),
    })),
    questions: questionsOf(questions),
    programme: programme.map(({ key: _, id, ...item }) => ({
      ...known(id),
      ...item,
      startsAt: held(item.startsAt),
      endsAt: held(item.endsAt),
    })),
    staff: staff.flatMap(({ personId, role }) => (personId === null ? [] : [{ personId, role }])),
  }
}

/** Rows that were new get the ids they were saved under, in the order that the server answers. */
export function withIds(values: EventValues, sent: EventValues, saved: Event): EventValues {
  const ids = new Map<string, string>()
  const note = (rows: readonly { key: string }[], answered: readonly { id: string }[]) =>
    rows.forEach(({ key }, nth) => {
      const id = answered[nth]?.id
      if (id !== undefined && rows.length === answered.length) ids.set(key, id)
    })
  note(sent.ticketTypes, saved.ticketTypes)
  note(sent.questions, saved.questions)
  note(
    sent.programme.toSorted((one, other) => Date.parse(one.startsAt ?? '') - Date.parse(other.startsAt ?? '')),
    saved.programme,
  )
  for (const code of saved.promoCodes ?? []) {
    const row = sent.promoCodes.find((mine) => mine.code.trim().toUpperCase() === code.code)
    if (row) ids.set(row.key, code.id)
  }
  const named = <One extends { key: string; id?: string | undefined }>(rows: readonly One[]): readonly One[] =>
    rows.some(({ key, id }) => id === undefined && ids.has(key))
      ? rows.map((row) => (row.id === undefined && ids.has(row.key) ? { ...row, id: ids.get(row.key) } : row))
      : rows
  return {
    ...values,
    ticketTypes: named(values.ticketTypes),
    questions: named(values.questions),
    programme: named(values.programme),
    promoCodes: named(values.promoCodes),
  }
}

const local = (zone: string, instant: string) => {
  const { date, time } = clockIn(zone, instant)
  return `${date}T${time}:00`
}

/** Its name is known once it is saved. */
const refOf = <Ref extends { id: string }>(id: string | null, known: Ref | null | undefined) =>
  id === null ? null : known?.id === id ? known : { id, name: '…', code: '' }

/** The event as it will look once everything is saved. */
export function previewOf(values: EventValues, saved: Event | undefined): Event {
  const startsAt = values.startsAt ?? saved?.startsAt ?? new Date().toISOString()
  const endsAt = values.endsAt ?? saved?.endsAt ?? startsAt
  const paid = values.ticketTypes.map(({ amount }) => amount ?? 0)
  return {
    ...(saved ?? blank),
    ...{ title: values.title, summary: values.summary, description: values.description, kind: values.kind, mode: values.mode },
    ...{ startsAt, endsAt, timezone: values.timezone, visibility: values.visibility, capacity: values.capacity },
    startsLocal: local(values.timezone, startsAt),
    endsLocal: local(values.timezone, endsAt),
    chapter: refOf(values.chapterId, saved?.chapter),
    group: refOf(values.groupId, saved?.group),
    venueName: values.venueName,
    venue: { name: values.venueName, address: values.venueAddress, latitude: null, longitude: null },
    link: values.linkUrl.trim() === '' ? null : { url: values.linkUrl, note: values.linkNote },
    coverFileId: values.coverFileId,
    coverAlt: values.coverAlt,
    price:
      paid.length > 0 && Math.min(...paid) > 0 ? { amount: Math.min(...paid), currency: values.ticketTypes[0]?.currency ?? 'EUR' } : null,
    ticketTypes: values.ticketTypes.map((ticket) => ({
      ...ticket,
      id: ticket.key,
      price: { amount: ticket.amount ?? 0, currency: ticket.currency },
      memberPrice: ticket.memberPrice ?? null,
      myPrice: ticket.amount ?? 0,
      taken: 0,
      onSale: true,
      sellsFrom: ticket.sellsFrom ?? null,
      sellsUntil: ticket.sellsUntil ?? null,
    })),
    programme: values.programme.flatMap(({ key, startsAt: begins, endsAt: ends, ...item }) =>
      begins ? [{ ...item, id: key, startsAt: begins, endsAt: ends ?? null }] : [],
    ),
  }
}

const blank: Event = {
  id: '',
  title: '',
  summary: '',
  status: 'draft',
  kind: 'meeting',
  mode: 'in_person',
  visibility: 'members',
  startsAt: '',
  endsAt: '',
  timezone: 'UTC',
  startsLocal: '',
  endsLocal: '',
  chapter: null,
  group: null,
  venueName: '',
  coverFileId: null,
  coverAlt: '',
  capacity: null,
  taken: 0,
  waiting: 0,
  registration: 'none',
  price: null,
  oneClick: false,
  seriesId: null,
  mine: null,
  createdAt: '',
  version: 0,
  description: { type: 'doc', content: [] },
  templateName: null,
  venue: { name: '', address: '', latitude: null, longitude: null },
  link: null,
  hasLink: false,
  needsApproval: false,
  waitingList: true,
  offerMinutes: 1440,
  guestsPerPerson: 0,
  showsAttendees: false,
  registrationOpensAt: null,
  registrationClosesAt: null,
  cancelUntil: null,
  recordsAttendance: false,
  cancelReason: '',
  publishedAt: null,
  cancelledAt: null,
  archivedAt: null,
  seriesException: false,
  repeats: null,
  series: null,
  programme: [],
  ticketTypes: [],
  promoCodes: [],
  questions: [],
  staff: [],
  counts: null,
  invitation: null,
  missing: [],
  updatedAt: '',
  may: {
    edit: true,
    publish: true,
    cancel: false,
    archive: false,
    restore: false,
    copy: false,
    checkIn: false,
    seeRegistrations: false,
    register: false,
  },
}

/** What a new event begins with. */
export const newValues = (start: {
  startsAt: string
  timezone: string
  chapterId: string | null
  groupId: string | null
}): EventValues => ({
  ...valuesOf(blank),
  ...start,
  endsAt: new Date(Date.parse(start.startsAt) + 2 * 3_600_000).toISOString(),
  visibility: start.groupId === null ? 'members' : 'group',
})
