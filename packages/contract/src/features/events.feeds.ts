import * as z from 'zod'
import { get, post } from '../base.ts'
import { Id, Instant } from '../shapes.ts'

const tag = 'Events'

// Calendars that calendar programs subscribe to: an address with a secret in it, opened without signing in.

const Place = {
  kind: z
    .enum(['personal', 'chapter', 'group', 'organisation'])
    .describe('personal: what you are registered or wait for; chapter: with those below it'),
  chapterId: Id.optional().describe('Of a chapter'),
  groupId: Id.optional().describe('Of a group'),
}
export const NewCalendarFeed = z
  .strictObject({
    ...Place,
    audience: z
      .enum(['own', 'public'])
      .describe('own: shows what you may see whenever it is read; public: shows public events, to everybody'),
  })
  .meta({ examples: [{ kind: 'personal', audience: 'own' }] })
export type NewCalendarFeed = z.infer<typeof NewCalendarFeed>

export const CalendarFeed = z.object({
  id: Id,
  audience: z.enum(['own', 'public']),
  address: z
    .string()
    .nullable()
    .describe('Anyone who has it can read the calendar; null where it cannot be shown again, because the key of the server was changed'),
  createdAt: Instant,
})
export type CalendarFeed = z.infer<typeof CalendarFeed>

export const CalendarFeeds = z.object({
  own: CalendarFeed.nullable(),
  public: CalendarFeed.nullable(),
  may: z.object({ publish: z.boolean().describe('Create or reset the public address') }),
})
export type CalendarFeeds = z.infer<typeof CalendarFeeds>

export const eventsFeeds = {
  list: get('/calendar-feeds', 'listCalendarFeeds', {
    needs: 'signed-in',
    tag,
    summary: 'Addresses under which a calendar is subscribed to: your own, and the public one',
  })
    .input(z.strictObject(Place))
    .output(CalendarFeeds),
  create: post('/calendar-feeds', 'createCalendarFeed', {
    needs: 'signed-in',
    tag,
    // The answer holds a secret, which is kept nowhere.
    idempotent: false,
    perHour: 60,
    summary: 'Make the address of a calendar; the one that is there is answered again. Those who run events there make public ones',
  })
    .input(NewCalendarFeed)
    .output(CalendarFeed),
  reset: post('/calendar-feeds/{feedId}/reset', 'resetCalendarFeed', {
    needs: 'signed-in',
    tag,
    status: 200,
    idempotent: false,
    perHour: 20,
    summary: 'Replace the address of a calendar: the old one is answered 410 from then on',
  })
    .input(z.strictObject({ feedId: Id }))
    .output(CalendarFeed),
}
