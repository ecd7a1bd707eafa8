import * as z from 'zod'
import { get } from '../base.ts'
import { CalendarDate, ChapterRef, GroupRef, Id, Instant, PersonRef } from '../shapes.ts'
import { AuditEntry } from './account.ts'
import { MemberMonths, Officer } from './chapters.ts'
import { GroupKind, GroupRole } from './groups.ts'
import { AffiliationKind } from './people.ts'

const tag = 'Home'

export const HomeScope = z.enum(['me', 'chapter', 'organisation'])
export type HomeScope = z.infer<typeof HomeScope>

const EndingTerm = Officer.pick({ id: true, position: true, person: true, endsOn: true }).extend({ chapter: ChapterRef })
const VacantSeat = z.object({ positionId: Id, title: z.string(), openSeats: z.int(), chapter: ChapterRef })

export const Home = z.object({
  scope: HomeScope,
  chapter: ChapterRef.nullable().describe('The chapter looked at, with scope chapter'),
  top: ChapterRef.nullable().describe('The chapter above all others; null when there are several, or none'),
  scopes: z
    .object({ organisation: z.boolean(), chapters: z.array(ChapterRef) })
    .describe('What else the caller may look at; at most 50 chapters, highest first'),
  today: CalendarDate.describe('In the organisation’s time zone'),
  asOf: Instant,

  me: z
    .object({
      person: PersonRef,
      chapters: z.array(ChapterRef.extend({ kind: AffiliationKind, isPrimary: z.boolean() })),
      positions: z.array(z.object({ positionId: Id, title: z.string(), chapter: ChapterRef, endsOn: CalendarDate.nullable() })),
      groups: z.array(
        GroupRef.extend({ kind: GroupKind, role: GroupRole, title: z.string(), status: z.enum(['active', 'invited', 'requested']) }),
      ),
    })
    .nullable()
    .describe('Null for an account without a person'),

  members: z
    .object({
      current: z.int(),
      alumni: z.int(),
      newThisMonth: z.int().describe('People who joined the organisation this month, by the day they joined'),
      netChange: z.int().describe('Joins less leaves over the twelve months shown'),
      ...MemberMonths.shape,
    })
    .nullable()
    .describe('For officers of the scope; null for everybody else'),
  endingTerms: z
    .object({ total: z.int(), items: z.array(EndingTerm) })
    .nullable()
    .describe('Offices whose term ends within 60 days, soonest first; ten of them'),
  vacancies: z
    .object({ total: z.int(), items: z.array(VacantSeat) })
    .nullable()
    .describe('Mandatory offices with open seats; ten of them'),
  dataHealth: z
    .object({ people: z.int(), withoutEmail: z.int(), withoutChapter: z.int().nullable(), countedAt: Instant })
    .nullable()
    .describe('Counted now and then, so it says when; withoutChapter only for the whole organisation'),
  birthdays: z
    .array(z.object({ person: PersonRef, on: CalendarDate }))
    .nullable()
    .describe('Within 14 days, for those who may see birth dates; null for others'),
  requests: z
    .object({
      total: z.int(),
      items: z.array(z.object({ memberId: Id, group: GroupRef, person: PersonRef, askedAt: Instant, version: z.int() })),
    })
    .describe('People who wait for the caller to let them into a group, longest first; ten of them'),
  recentChanges: z.array(AuditEntry).describe('The last ten of the scope, newest first, as far as the caller may read them'),
  gettingStarted: z
    .array(z.object({ step: z.enum(['organisation', 'chapters', 'people', 'officers', 'groups']), done: z.boolean() }))
    .nullable()
    .describe('For administrators until every step is done'),
})
export type Home = z.infer<typeof Home>

export const homeData = {
  home: get('/home', 'getHome', {
    needs: 'signed-in',
    whileActing: true,
    tag,
    summary: 'What needs attention, for me, a chapter with everything below it, or the organisation',
    description: 'A scope that is not the caller’s falls back to `me`; the answer says which scope it is about.',
  })
    .input(
      z
        .strictObject({ scope: HomeScope.optional(), chapterId: Id.optional().describe('With scope chapter') })
        .meta({ examples: [{ scope: 'organisation' }] }),
    )
    .output(Home),
}
