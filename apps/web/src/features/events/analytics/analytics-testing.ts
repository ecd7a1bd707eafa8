import type { EventAnalytics, EventComparison, EventFigures } from './analytics-api.ts'
import { uuid } from '../../../testing/fake-api.ts'

/** An evening for 40 people that is over: 31 had a seat, 25 came. */
export const analytics: EventAnalytics = {
  event: {
    id: uuid(50),
    title: 'Winter lecture',
    status: 'published',
    startsAt: '2026-02-03T19:00:00Z',
    endsAt: '2026-02-03T21:00:00Z',
    timezone: 'Europe/Lisbon',
    startsLocal: '2026-02-03T19:00:00',
    capacity: 40,
    seriesId: null,
  },
  booksChapterId: null,
  asOf: '2026-02-10T10:00:00Z',
  over: true,
  ...{
    seats: 31,
    attended: 25,
    noShows: 6,
    guests: 2,
    pendingApproval: 0,
    pendingPayment: 3,
    offered: 0,
    waiting: 1,
    cancelled: 4,
    rejected: 0,
  },
  ...{ firstTime: 12, newMembers: 2 },
  funnel: { invited: null, registered: 39, confirmed: 34, attended: 25 },
  days: [
    { days: 3, registered: 20, seats: 16 },
    { days: 1, registered: 19, seats: 15 },
  ],
  earlier: [
    {
      id: uuid(51),
      title: 'Autumn lecture',
      startsLocal: '2025-10-07T19:00:00',
      seats: 20,
      attended: 11,
      days: [{ days: 2, registered: 22, seats: 20 }],
    },
  ],
  sources: [
    { source: 'organiser', registered: 4, seats: 4, attended: 3 },
    { source: 'self', registered: 35, seats: 27, attended: 22 },
  ],
  ticketTypes: [
    {
      id: uuid(52),
      name: 'Standard',
      quota: 35,
      registered: 39,
      seats: 31,
      attended: 25,
      revenue: [{ currency: 'EUR', charged: 46500, paid: 42000, open: 4500, refunded: 0 }],
    },
  ],
  revenue: [{ currency: 'EUR', charged: 46500, paid: 42000, open: 4500, refunded: 0 }],
  answers: [
    {
      questionId: uuid(53),
      text: 'Diet?',
      kind: 'choice',
      answered: 30,
      options: [
        { value: 'Vegan', count: 20 },
        { value: 'None', count: 10 },
      ],
    },
  ],
  waitingList: { joined: 5, offered: 4, accepted: 3, declined: 1, expired: 0, left: 1 },
  arrivals: [{ at: '2026-02-03T18:45:00Z', atLocal: '2026-02-03T18:45:00', count: 25 }],
}

const figures: EventFigures = {
  ...{ events: 3, calledOff: 1, capacity: 100, filled: 60, seats: 80, attended: 50, expected: 64, came: 48, cancelled: 9 },
  managed: true,
  ...{ people: 55, repeat: 15, firstTime: 21, revenue: [] },
}
export const comparison: EventComparison = {
  total: figures,
  items: [
    { ...figures, key: 'training', label: 'training', startsOn: null, seats: 70 },
    { ...figures, key: 'social', label: 'social', startsOn: null, seats: 10, people: null, revenue: null },
  ],
  groups: 2,
  booksChapterId: null,
}
