import { createHash } from 'node:crypto'
import type { StandardReport } from '@guildhall/contract/features/reports'
import { belongingOf } from './reports.replay.membership.testing.ts'
import { counts, during, keyOf, rowsIn, text } from './reports.replay.rows.testing.ts'
import type { Fact, Replayed, Row } from './reports.replay.rows.testing.ts'
import { dayFrom, yearsFrom } from './reports.random.testing.ts'

const began = (event: Row) => text(event['starts_local']).slice(0, 10)
const tookPlace = (replayed: Replayed) =>
  rowsIn(replayed, 'events').filter(
    (event) =>
      event['published_at'] !== null &&
      event['cancelled_at'] === null &&
      during(replayed, began(event)) &&
      counts(replayed, event['chapter_id']),
  )

const eventFacts =
  (key: (replayed: Replayed, event: Row) => string | null) =>
  (replayed: Replayed): Fact[] =>
    tookPlace(replayed).flatMap((event): Fact[] => {
      const keys = [key(replayed, event)]
      const seats = rowsIn(replayed, 'registrations').filter(
        (seat) => seat['event_id'] === event['id'] && (seat['status'] === 'confirmed' || seat['status'] === 'checked_in'),
      )
      const attended = seats.filter(({ status }) => status === 'checked_in').length
      const held = Date.parse(text(event['ends_at'])) <= Date.now() && attended > 0
      return [
        { measure: 'events', keys, n: 1 },
        { measure: 'registrations', keys, n: seats.length },
        { measure: 'attended', keys, n: attended },
        { measure: 'noShows', keys, n: held ? seats.length - attended : 0 },
      ]
    })

/** What ends so many days from now at the latest. */
const until = (day: string, on: string) =>
  [30, 60, 90].map((days) => (on <= dayFrom(day, days) ? `ends${days}` : '')).find((found) => found !== '')

function vacant(replayed: Replayed): Row[] {
  return rowsIn(replayed, 'positions').filter(
    (position) =>
      position['mandatory'] &&
      counts(replayed, position['chapter_id']) &&
      !rowsIn(replayed, 'position_holders').some((holder) => holder['position_id'] === position['id'] && holds(replayed, holder)),
  )
}
const holds = ({ day }: Replayed, holder: Row) =>
  text(holder['starts_on']) <= day && (holder['ends_on'] === null || text(holder['ends_on']) >= day)

function officers(replayed: Replayed): Fact[] {
  const { by, day } = replayed
  const keys = (state: string, chapter: Row[string] | undefined) => [state, ...(by === null ? [] : [keyOf(replayed, { chapter })])]
  const ending = rowsIn(replayed, 'position_holders').flatMap((holder): Fact[] => {
    const position = rowsIn(replayed, 'positions').find(({ id }) => id === holder['position_id'])
    if (!position || !holds(replayed, holder) || !counts(replayed, position['chapter_id'])) return []
    const months = position['term_months']
    const over = months !== null && yearsFrom(text(holder['starts_on']), Number(months) / 12) <= day
    const state = holder['ends_on'] === null ? (over ? 'overrun' : undefined) : until(day, text(holder['ends_on']))
    return state ? [{ measure: 'offices', keys: keys(state, position['chapter_id']), n: 1 }] : []
  })
  return [...vacant(replayed).map(({ chapter_id }) => ({ measure: 'offices', keys: keys('vacant', chapter_id), n: 1 })), ...ending]
}

function scorecard(replayed: Replayed): Fact[] {
  const year = { ...replayed, since: dayFrom(yearsFrom(replayed.day, -1), 1), until: replayed.day }
  const one = (measure: string, chapter: Row[string] | undefined, n = 1): Fact => ({ measure, keys: [keyOf(replayed, { chapter })], n })
  return [
    ...rowsIn(replayed, 'chapters')
      .filter(({ id }) => counts(replayed, id))
      .map(({ id }) => one('chapters', id)),
    ...belongingOf(replayed).filter(({ measure }) => measure === 'members'),
    ...vacant(replayed).map(({ chapter_id }) => one('vacant', chapter_id)),
    ...tookPlace(year)
      .filter(({ chapter_id }) => chapter_id !== null)
      .map(({ chapter_id }) => one('events', chapter_id)),
    ...rowsIn(replayed, 'gifts')
      .filter((gift) => gift['chapter_id'] !== null && gift['currency'] === 'EUR' && Number(gift['counted_amount']) > 0)
      .filter((gift) => during(year, gift['received_on']) && counts(replayed, gift['chapter_id']))
      .map((gift) => one('raised', gift['chapter_id'], Number(gift['counted_amount']))),
  ]
}

const measuresOf = (delivery: Row): string[] => {
  const state = text(delivery['state'])
  return [
    ...(state === 'skipped' || state === 'cancelled' ? [] : ['recipients']),
    ...(['sent', 'delivered', 'complaint', 'unknown'].includes(state) ? ['delivered'] : []),
    ...(state.endsWith('_bounce') ? ['bounced'] : []),
    ...(delivery['opened_at'] === null ? [] : ['opened']),
    ...(delivery['clicked_at'] === null ? [] : ['clicked']),
    ...(delivery['unsubscribed_at'] === null ? [] : ['unsubscribed']),
  ]
}

function messages(replayed: Replayed): Fact[] {
  return rowsIn(replayed, 'messages')
    .filter((message) => message['started_at'] !== null && counts(replayed, message['chapter_id']))
    .flatMap((message) => {
      const day = text(message['started_at']).slice(0, 10)
      if (!during(replayed, day)) return []
      const keys = [replayed.by === null ? text(message['id']) : keyOf(replayed, { day })]
      const found = rowsIn(replayed, 'message_deliveries').filter((delivery) => delivery['message_id'] === message['id'])
      return ['messages', ...found.flatMap(measuresOf)].map((measure) => ({ measure, keys, n: 1 }))
    })
}

function quality(replayed: Replayed): Fact[] {
  const belongs = (person: Row) =>
    rowsIn(replayed, 'affiliations').filter(
      (row) =>
        row['person_id'] === person['id'] &&
        text(row['starts_on']) <= replayed.today &&
        (row['ends_on'] === null || text(row['ends_on']) >= replayed.today),
    )
  const kept = rowsIn(replayed, 'people').filter(
    (person) =>
      !['deceased', 'merged', 'erased'].includes(text(person['lifecycle'])) &&
      ((replayed.reach === null && replayed.scope === null) || belongs(person).some(({ chapter_id }) => counts(replayed, chapter_id))),
  )
  const live = rowsIn(replayed, 'people').filter((person) => !['deceased', 'merged', 'erased'].includes(text(person['lifecycle'])))
  const of = (table: string, person: Row) => rowsIn(replayed, table).filter((row) => row['person_id'] === person['id'])
  const addresses = (person: Row) => of('person_emails', person).map((row) => text(row['address_key']))
  const birth = (person: Row) => text(of('person_private', person)[0]?.['birth_date'])
  const isTwin = (person: Row) =>
    live.some(
      (other) =>
        other['id'] !== person['id'] &&
        (addresses(other).some((address) => addresses(person).includes(address)) ||
          (birth(person) !== '' && birth(other) === birth(person) && other['sort_name'] === person['sort_name'])),
    )
  const refuses = (row: Row) =>
    rowsIn(replayed, 'mail_suppressions').some(
      ({ address_hash, reason }) =>
        reason !== 'unsubscribed' && address_hash === createHash('sha256').update(text(row['address'])).digest('hex'),
    )
  const waiting = rowsIn(replayed, 'relationships').filter((row) => {
    const person = live.find(({ id }) => id === row['to_person_id'])
    const reached = replayed.reach === null && replayed.scope === null
    const old = text(row['created_at']).slice(0, 10) < dayFrom(replayed.today, -30)
    return (
      row['state'] === 'proposed' && old && person && (reached || belongs(person).some(({ chapter_id }) => counts(replayed, chapter_id)))
    )
  })
  const gaps = kept.flatMap((person) =>
    [
      ...(of('person_emails', person).some((row) => row['is_primary'] && refuses(row)) ? ['bounced'] : []),
      ...(of('person_emails', person).length === 0 ? ['withoutEmail'] : []),
      ...(of('person_phones', person).length === 0 ? ['withoutPhone'] : []),
      ...(belongs(person).length === 0 ? ['withoutChapter'] : []),
      ...(birth(person) === '' ? ['withoutBirthDate'] : []),
      ...(person['lifecycle'] === 'active' && person['member_no'] === null ? ['withoutMemberNo'] : []),
      ...(isTwin(person) ? ['duplicates'] : []),
    ].map((problem) => ({ measure: 'records', keys: [problem], n: 1 })),
  )
  return [...gaps, ...waiting.map(() => ({ measure: 'records', keys: ['proposed'], n: 1 }))]
}

export const activityOf = {
  events: eventFacts((replayed, event) => keyOf(replayed, { day: began(event), chapter: event['chapter_id'], type: event['kind'] })),
  attendance: eventFacts((_, event) => text(event['id'])),
  officers,
  chapters: scorecard,
  messages,
  'data-quality': quality,
} satisfies Partial<Record<StandardReport, (replayed: Replayed) => Fact[]>>
