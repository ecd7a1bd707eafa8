import { documentOf } from '@guildhall/contract/formatted-document'
import type { Event, EventRow, Registration } from '@guildhall/contract/features/events'
import { uuid } from '../../testing/fake-api.ts'

/** A published event of a chapter, two hours of an evening in Lisbon. */
export const evening: EventRow = {
  id: uuid(50),
  title: 'Winter lecture',
  summary: 'On the stars above the harbour.',
  status: 'published',
  kind: 'meeting',
  mode: 'in_person',
  visibility: 'members',
  startsAt: '2096-12-03T19:00:00Z',
  endsAt: '2096-12-03T21:00:00Z',
  timezone: 'Europe/Lisbon',
  startsLocal: '2096-12-03T19:00:00',
  endsLocal: '2096-12-03T21:00:00',
  chapter: { id: uuid(60), name: 'Lisbon', code: 'LIS' },
  group: null,
  venueName: 'Old observatory',
  coverFileId: null,
  coverAlt: '',
  capacity: 40,
  taken: 31,
  waiting: 0,
  registration: 'open',
  price: null,
  oneClick: true,
  seriesId: null,
  mine: null,
  createdAt: '2026-01-01T00:00:00Z',
  version: 3,
}

const may = {
  edit: false,
  publish: false,
  cancel: false,
  archive: false,
  restore: false,
  copy: false,
  checkIn: false,
  seeRegistrations: false,
  register: false,
}
/** What an organiser may do with a draft. */
export const runs = { ...may, edit: true, publish: true, archive: true, copy: true }

export const lecture: Event = {
  ...evening,
  description: documentOf('Bring a warm coat.'),
  templateName: null,
  venue: { name: 'Old observatory', address: 'Rua Alta 7\nLisboa', latitude: null, longitude: null },
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
  publishedAt: '2026-01-01T00:00:00Z',
  cancelledAt: null,
  archivedAt: null,
  seriesException: false,
  repeats: null,
  series: null,
  programme: [
    {
      id: uuid(70),
      title: 'Doors',
      startsAt: '2096-12-03T19:00:00Z',
      endsAt: '2096-12-03T19:30:00Z',
      room: 'Hall',
      speaker: '',
      about: '',
    },
  ],
  ticketTypes: [],
  promoCodes: null,
  questions: [],
  staff: [{ person: { id: uuid(80), displayName: 'Ada Okafor' }, role: 'host' }],
  counts: null,
  invitation: null,
  missing: [],
  updatedAt: '2026-01-01T00:00:00Z',
  may,
}

/** The reader's own seat at the lecture. */
export const seat: Registration = {
  id: uuid(101),
  event: {
    ...{ id: evening.id, title: evening.title, status: 'published', startsAt: evening.startsAt, endsAt: evening.endsAt },
    ...{ timezone: evening.timezone, startsLocal: evening.startsLocal, attendanceTaken: false },
  },
  person: { id: uuid(2), displayName: 'Olive Owner' },
  ...{ name: 'Olive Owner', email: 'owner@demo.example', status: 'confirmed', cause: 'registered', reason: '', source: 'self' },
  ...{
    hostId: null,
    guests: [],
    ticketType: null,
    price: { amount: 0, currency: 'EUR' },
    invoice: null,
    refund: 0,
    refundState: null,
    answers: [],
  },
  ...{
    waiting: null,
    holdUntil: null,
    offerUntil: null,
    checkedInAt: null,
    checkIn: null,
    ticketCode: 'AZIAAAAAcACAAAAAAAAAAwABq83vEjRWeJCrze8S',
  },
  ...{ createdAt: '2026-01-02T00:00:00Z', version: 1 },
  may: { cancel: true, transfer: true, answerOffer: false, decide: false, offer: false, checkIn: false, answer: true },
}

/** Somebody who comes to the lecture, as an organiser sees it who may do nothing about it. */
export const registration: Registration = {
  ...seat,
  id: uuid(300),
  person: null,
  ...{ name: 'Bo Berg', email: '', ticketCode: null },
  may: { cancel: false, transfer: false, answerOffer: false, decide: false, offer: false, checkIn: false, answer: false },
}
