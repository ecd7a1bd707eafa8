import type { Event, EventChange, NewEvent, SeriesScope } from '@guildhall/contract/features/events'
import type { Repeats } from '@guildhall/contract/repeats'
import type { ActorDb } from '@guildhall/db'
import { mustSeeMentioned } from '../../platform/formatted-text/mentions.ts'
import { readFilter } from '../../platform/lists/filters.ts'
import { listPage } from '../../platform/lists/list-page.ts'
import { fault, mustFind, problem } from '../../platform/procedures/problem.ts'
import { data } from '../../platform/procedures/procedures.ts'
import { readOne } from '../../platform/records/statement.ts'
import { mustSeeChapter } from '../chapters/chapters.references.public.ts'
import { mustSeeGroup } from '../groups/groups.references.public.ts'
import { calendarDownload, entryOf } from './calendar/events.calendar.entries.rules.ts'
import { calendarRowQuery } from './calendar/events.calendar.queries.ts'
import { eventsAnalytics } from './analytics/events.analytics.data.ts'
import { eventsFeeds } from './feeds/events.feeds.data.ts'
import { checkIn } from './attendees/events.checkin.data.ts'
import { calendarQuery, eventsList } from './events.list.queries.ts'
import { eventOf, eventQuery, findEvent, templatesQuery } from './events.queries.ts'
import { invitations } from './invitations/events.invitations.data.ts'
import { copySurvey } from './survey/events.survey.queries.ts'
import { survey } from './survey/events.survey.data.ts'
import { messages } from './mails/events.messages.data.ts'
import { capacity, registrations } from './events.registrations.data.ts'
import { endOf, faultOfEvent, faultOfTickets, laterBy, nextWeek } from './events.rules.ts'
import { datesAhead, endSeries, othersOf, splitSeries, standApart, startSeries } from './series/events.series.queries.ts'
import { changeOf, faultOfRule, faultOfSeries, listsOf, planOf, repeatsAgain, repeatsLater } from './series/events.series.rules.ts'
import type { InSeries } from './series/events.series.rules.ts'
import { insertEvent, mustBeCover, saveParts, setStatus, statusBefore, updateEvent, usualZone } from './events.writes.queries.ts'

const { events } = data

export const eventsData = events.router({
  registrations,
  messages,
  capacity,
  checkIn,
  analytics: eventsAnalytics,
  survey,
  feeds: eventsFeeds,
  invitations,

  list: events.list.handler(({ input, context }) => listPage(context, eventsList({ ...input, filter: readFilter(input.filter) }), input)),
  calendar: events.calendar.handler(async ({ input, context }) => {
    if (input.to < input.from || Date.parse(input.to) - Date.parse(input.from) > 62 * 86_400_000)
      throw problem('UNPROCESSABLE_CONTENT', fault('to', 'dates', 'Ask for 62 days at most.'))
    return readOne(context, calendarQuery(input))
  }),
  templates: events.templates.handler(async ({ context }) => ({ items: (await context.read(templatesQuery())).map(({ item }) => item) })),
  get: events.get.handler(async ({ input, context }) => eventOf(await readOne(context, eventQuery(input.eventId)))),
  calendarFile: events.calendarFile.handler(async ({ input, context }) => {
    const { item } = await readOne(context, calendarRowQuery(input.eventId))
    return calendarDownload([entryOf(item, context.services.config.PUBLIC_URL)])
  }),

  create: events.create.handler(({ input, context }) => context.inTx((db) => create(db, context.actor, input))),

  update: events.update.handler(({ input: { eventId, scope = 'this', ...change }, context }) =>
    context.inTx(async (db) => {
      const before = mustFind(await findEvent(db, eventId))
      if (!before.may.edit) throw problem('FORBIDDEN')
      await mustSeeChapter(db, change.chapterId)
      await mustSeeGroup(db, change.groupId)
      await mustSeeMentioned(db, 'description', change.description, before.description)
      await mustBeCover(db, change.coverFileId)
      check(before, change)
      checkSeries(before, change, scope)
      const others = await othersOf(db, before, scope)
      const { link, programme, ticketTypes, promoCodes, questions, staff, ...facts } = change
      await updateEvent(db, { eventId, version: context.ifMatch }, facts)
      await saveParts(db, context.actor.orgId, eventId, { link, programme, ticketTypes, promoCodes, questions, staff })
      if (before.seriesId && scope === 'this') await standApart(db, eventId)
      for (const other of others) {
        await updateEvent(db, { eventId: other.id, version: other.version }, changeOf(facts, before, other))
        await saveParts(db, context.actor.orgId, other.id, { link, staff })
        if (programme || ticketTypes || promoCodes || questions) {
          const twin = mustFind(await findEvent(db, other.id))
          const lists = listsOf({ programme, ticketTypes, promoCodes, questions }, before, twin)
          check(twin, lists)
          await saveParts(db, context.actor.orgId, other.id, lists)
        }
      }
      const saved = mustFind(await findEvent(db, eventId))
      return saved.status === 'published' && saved.repeats ? startSeries(db, saved, saved.repeats) : saved
    }),
  ),

  publish: events.publish.handler(({ input, context }) =>
    context.inTx(async (db) => {
      const event = mustFind(await findEvent(db, input.eventId))
      if (event.templateName !== null)
        throw problem('CONFLICT', {
          reason: 'event_template_not_published',
          detail: 'A template is not published. Create an event from it.',
        })
      if (event.status !== 'draft') throw problem('CONFLICT', moveFault(event, 'published'))
      if (!event.may.publish) throw problem('FORBIDDEN', publishFault)
      const [missing] = event.missing
      if (missing === 'place')
        throw problem(
          'UNPROCESSABLE_CONTENT',
          fault('venueName', 'event_needs_place', 'Enter where it takes place, or make it an online event.'),
        )
      if (missing === 'link')
        throw problem('UNPROCESSABLE_CONTENT', fault('link', 'event_needs_link', 'Enter the link under which it takes place online.'))
      if (missing === 'future')
        throw problem('UNPROCESSABLE_CONTENT', fault('startsAt', 'event_past', 'This event is in the past. Choose a later start.'))
      const published = await setStatus(db, { eventId: event.id, version: context.ifMatch }, { status: 'published' })
      return published.repeats ? startSeries(db, published, published.repeats) : published
    }),
  ),

  cancel: events.cancel.handler(({ input, context }) =>
    context.inTx(async (db) => {
      const event = mustFind(await findEvent(db, input.eventId))
      if (event.status !== 'published') throw problem('CONFLICT', moveFault(event, 'cancelled'))
      if (Date.parse(event.endsAt) <= Date.now()) throw problem('CONFLICT', { reason: 'event_past', detail: 'This event is over.' })
      if (!event.may.cancel) throw problem('FORBIDDEN', publishFault)
      const cancelled = { status: 'cancelled', cancel_reason: input.reason } as const
      if (event.seriesId && input.scope === 'following') {
        for (const { id, version } of await othersOf(db, event, 'following')) await setStatus(db, { eventId: id, version }, cancelled)
        await endSeries(db, event.id)
      }
      return setStatus(db, { eventId: event.id, version: context.ifMatch }, cancelled)
    }),
  ),

  previewSeries: events.previewSeries.handler(({ input, context }) =>
    context.inTx(async (db) => {
      const { startsOn, days, stay, dropped } = await seriesPlan(db, input)
      return { startsOn, days, stay: stay.length, dropped: dropped.map(({ version: _, ...date }) => date) }
    }),
  ),
  changeSeries: events.changeSeries.handler(({ input, context }) =>
    context.inTx(async (db) => {
      if (!mustFind(await findEvent(db, input.eventId)).may.edit) throw problem('FORBIDDEN')
      await updateEvent(db, { eventId: input.eventId, version: context.ifMatch }, {})
      const { event, first, startsOn, stay, dropped } = await seriesPlan(db, input)
      const known = ({ registrations, exception }: (typeof dropped)[number]) => registrations > 0 || exception
      if (input.dropped === undefined && dropped.some(known))
        throw problem(
          'UNPROCESSABLE_CONTENT',
          fault(
            'dropped',
            'event_series_dropped',
            'Choose whether dropped dates with registrations stay as single events or are cancelled.',
          ),
        )
      const alone = input.dropped === 'keep' ? dropped.filter(known) : []
      for (const date of dropped.filter((one) => !alone.includes(one)))
        await setStatus(db, { eventId: date.id, version: date.version }, { status: 'cancelled', cancel_reason: input.reason })
      await splitSeries(db, {
        ...{ firstId: first.id, repeats: input.repeats, startsOn, timezone: event.timezone },
        ...{ stay: stay.map(({ id }) => id), alone: alone.map(({ id }) => id) },
      })
      return mustFind(await findEvent(db, event.id))
    }),
  ),

  archive: events.archive.handler(({ input, context }) =>
    context.inTx(async (db) => {
      const event = mustFind(await findEvent(db, input.eventId))
      if (event.status === 'archived') throw problem('CONFLICT', moveFault(event, 'archived'))
      return setStatus(db, { eventId: event.id, version: context.ifMatch }, { status: 'archived' })
    }),
  ),
  restore: events.restore.handler(({ input, context }) =>
    context.inTx(async (db) => {
      const event = mustFind(await findEvent(db, input.eventId))
      if (event.status !== 'archived') throw problem('CONFLICT', moveFault(event, 'restored'))
      return setStatus(db, { eventId: event.id, version: context.ifMatch }, { status: statusBefore })
    }),
  ),

  copy: events.copy.handler(({ input, context }) =>
    context.inTx(async (db) => {
      const from = mustFind(await findEvent(db, input.eventId))
      if (!from.may.copy) throw problem('FORBIDDEN')
      return copyEvent(db, context.actor, from, input)
    }),
  ),
})

/** A draft of the same, with all its parts. */
export async function copyEvent(db: ActorDb, author: Author, from: Event, wanted: CopyWanted): Promise<Event> {
  const copy = await create(db, author, copyOf(from, wanted))
  await copySurvey(db, author.orgId, from.id, copy.id)
  return copy
}

type Ruled = { eventId: string; repeats: Repeats; scope: SeriesScope }
async function seriesPlan(db: ActorDb, { eventId, repeats, scope }: Ruled) {
  const event = mustFind(await findEvent(db, eventId))
  if (!event.may.edit) throw problem('FORBIDDEN')
  if (!event.seriesId) throw problem('CONFLICT', { reason: 'event_series_none', detail: 'This event is not part of a series.' })
  const [first, ...others] = await datesAhead(db, event, scope)
  if (!first) throw problem('CONFLICT', { reason: 'event_series_over', detail: 'No event of this series is still to come.' })
  const wrong = faultOfRule(repeats, first.startsLocal.slice(0, 10))
  if (wrong) throw problem('UNPROCESSABLE_CONTENT', wrong)
  return { event, first, ...planOf([first, ...others], repeats) }
}

type Author = { orgId: string; accountId: string }
async function create(db: ActorDb, author: Author, input: NewEvent): Promise<Event> {
  const { link, programme, ticketTypes, promoCodes, questions, staff, ...given } = input
  await mustSeeChapter(db, given.chapterId)
  await mustSeeGroup(db, given.groupId)
  await mustSeeMentioned(db, 'description', given.description)
  await mustBeCover(db, given.coverFileId)
  const facts = {
    ...given,
    endsAt: given.endsAt ?? endOf(given.startsAt),
    timezone: given.timezone ?? (await usualZone(db, given.chapterId)),
  }
  if (Date.parse(facts.startsAt) < Date.now() && !facts.recordsAttendance && !facts.templateName)
    throw problem(
      'UNPROCESSABLE_CONTENT',
      fault('startsAt', 'event_past', 'This event is in the past. Choose a later start, or record who came.'),
    )
  check(unset, { ...facts, ticketTypes, programme, promoCodes })
  checkSeries({ ...unset, ...facts, seriesId: null }, facts, 'this')
  const eventId = await insertEvent(db, author, facts)
  await saveParts(db, author.orgId, eventId, { link, programme, ticketTypes, promoCodes, questions, staff })
  return mustFind(await findEvent(db, eventId))
}

const unset = {
  startsAt: '',
  endsAt: '',
  registrationOpensAt: null,
  registrationClosesAt: null,
  cancelUntil: null,
  visibility: 'members',
  chapter: null,
  group: null,
  capacity: null,
  ticketTypes: [],
} as const

type Before = Pick<
  Event,
  'startsAt' | 'endsAt' | 'registrationOpensAt' | 'registrationClosesAt' | 'cancelUntil' | 'visibility' | 'chapter' | 'group' | 'capacity'
> & { ticketTypes: readonly Event['ticketTypes'][number][] }

/** Refuses what makes no sense together: what is sent, with what is there already. */
function check(before: Before, change: EventChange): void {
  const wrong =
    faultOfEvent({
      startsAt: change.startsAt ?? before.startsAt,
      endsAt: change.endsAt ?? before.endsAt,
      registrationOpensAt: change.registrationOpensAt === undefined ? before.registrationOpensAt : change.registrationOpensAt,
      registrationClosesAt: change.registrationClosesAt === undefined ? before.registrationClosesAt : change.registrationClosesAt,
      cancelUntil: change.cancelUntil === undefined ? before.cancelUntil : change.cancelUntil,
      visibility: change.visibility ?? before.visibility,
      chapterId: change.chapterId === undefined ? (before.chapter?.id ?? null) : change.chapterId,
      groupId: change.groupId === undefined ? (before.group?.id ?? null) : change.groupId,
    }) ??
    faultOfTickets(change.ticketTypes ?? before.ticketTypes, change.capacity === undefined ? before.capacity : change.capacity) ??
    faultOfParts(change)
  if (wrong) throw problem('UNPROCESSABLE_CONTENT', wrong)
}

function checkSeries(before: InSeries, change: EventChange, scope: SeriesScope): void {
  const wrong = faultOfSeries(before, change, scope)
  if (wrong) throw problem('UNPROCESSABLE_CONTENT', wrong)
}

function faultOfParts({ programme = [], promoCodes = [] }: EventChange) {
  const ends = programme.findIndex(({ startsAt, endsAt }) => endsAt !== null && Date.parse(endsAt) <= Date.parse(startsAt))
  if (ends >= 0) return fault(`programme.${ends}.endsAt`, 'programme_ends', 'Enter an end after the start.')
  const twice = promoCodes.findIndex(({ code }, nth) => promoCodes.findIndex((other) => other.code === code) < nth)
  const code = promoCodes[twice]?.code
  if (code !== undefined)
    return fault(`promoCodes.${twice}.code`, 'promo_code_twice', `The code ${code} is there twice.`, { params: { code } })
  const window = promoCodes.findIndex(
    ({ validFrom, validUntil }) => validFrom && validUntil && Date.parse(validUntil) <= Date.parse(validFrom),
  )
  if (window >= 0) return fault(`promoCodes.${window}.validUntil`, 'promo_window', 'Enter an end after the beginning.')
  return undefined
}

const publishFault = { reason: 'event_publish', detail: 'Publishing and cancelling events is for those who may publish them.' } as const
const moveFault = ({ status }: Event, wanted: string) => ({
  reason: 'event_move' as const,
  detail: `This event is ${status === 'draft' ? 'a draft' : status}, so it cannot be ${wanted}.`,
})

type CopyWanted = {
  title?: string | undefined
  startsAt?: string | undefined
  templateName?: string | undefined
  series?: boolean | undefined
}
/** Everything of an event but its registrations and series; its times as much later as its start. */
function copyOf(from: Event, wanted: CopyWanted): NewEvent {
  const startsAt = wanted.startsAt ?? nextWeek(from.startsAt, from.timezone, new Date())
  const later = laterBy(from.startsAt, startsAt)
  const {
    summary,
    description,
    kind,
    timezone,
    mode,
    venue,
    coverFileId,
    coverAlt,
    capacity,
    visibility,
    needsApproval,
    waitingList,
    offerMinutes,
    guestsPerPerson,
    showsAttendees,
  } = from
  return {
    ...{
      summary,
      description,
      kind,
      timezone,
      mode,
      coverFileId,
      coverAlt,
      capacity,
      visibility,
      needsApproval,
      waitingList,
      offerMinutes,
      guestsPerPerson,
      showsAttendees,
    },
    title: wanted.title ?? from.title,
    startsAt,
    endsAt: later(from.endsAt) ?? undefined,
    chapterId: from.chapter?.id ?? null,
    groupId: from.group?.id ?? null,
    venueName: venue.name,
    venueAddress: venue.address,
    venueLatitude: venue.latitude,
    venueLongitude: venue.longitude,
    registrationOpensAt: later(from.registrationOpensAt),
    registrationClosesAt: later(from.registrationClosesAt),
    cancelUntil: later(from.cancelUntil),
    ...(wanted.templateName !== undefined && { templateName: wanted.templateName }),
    link: from.link,
    programme: from.programme.map(({ id: _, ...item }) => ({
      ...item,
      startsAt: later(item.startsAt) ?? item.startsAt,
      endsAt: later(item.endsAt),
    })),
    ticketTypes: from.ticketTypes.map(({ id: _, taken: _t, onSale: _o, myPrice: _p, ...ticket }) => ({
      ...ticket,
      sellsFrom: later(ticket.sellsFrom),
      sellsUntil: later(ticket.sellsUntil),
    })),
    questions: from.questions.map(({ id: _, ...question }) => question),
    staff: from.staff.map(({ person, role }) => ({ personId: person.id, role })),
    repeats: wanted.series ? repeatsAgain(from, startsAt) : repeatsLater(from, startsAt),
  }
}
