import * as z from 'zod'
import { act, get, patch, post, put } from '../base.ts'
import { FormattedText, formattedText } from '../formatted-text.ts'
import { refusal } from '../reasons.ts'
import { ChapterRef, GroupRef, Id, Instant, ListInput, PersonRef, Version, page, text } from '../shapes.ts'

const tag = 'Communication'

/** How many characters the text of an announcement may have. */
export const announcementLimit = 20_000

export const AnnouncementAudience = z
  .enum(['officers', 'members', 'everybody'])
  .describe(
    'officers: who holds an office or a role there, the leaders of a group. members: those and members, alumni and advisors. everybody: also friends and applicants; of the organisation, every account',
  )
export type AnnouncementAudience = z.infer<typeof AnnouncementAudience>

export const AnnouncementState = z
  .enum(['draft', 'scheduled', 'shown', 'over', 'archived'])
  .describe('Follows from the times: a published one is scheduled until it starts, shown until it ends, then over')
export type AnnouncementState = z.infer<typeof AnnouncementState>

export const AnnouncementsListInput = ListInput.extend({
  filter: ListInput.shape.filter.describe(
    'JSON of conditions on title, state, audience, pinned, chapter (with those below), group, forMe, unread, startsAt, createdAt and archived',
  ),
  sort: ListInput.shape.sort.describe(
    'startsAt (of drafts without one, when they were written), title, createdAt, match (best answer to q first); "-" in front reverses it; -startsAt by default',
  ),
}).meta({ examples: [{ q: 'summer', sort: '-startsAt' }] })

const mine = z
  .object({ readAt: Instant.nullable(), dismissedAt: Instant.nullable() })
  .nullable()
  .describe('Null where it is not addressed to the caller')

export const AnnouncementRow = z.object({
  id: Id,
  title: z.string(),
  state: AnnouncementState,
  scope: z.enum(['organisation', 'chapter', 'group']),
  chapter: ChapterRef.nullable(),
  group: GroupRef.nullable(),
  audience: AnnouncementAudience,
  pinned: z.boolean(),
  startsAt: Instant.nullable(),
  endsAt: Instant.nullable(),
  author: PersonRef.nullable().describe('Null when it is not yours to see, or gone'),
  mine,
  readers: z.int().nullable().describe('How many accounts have read it; for those who look after it'),
  may: z
    .object({ edit: z.boolean(), publish: z.boolean() })
    .describe('What the caller may do with it as it is; publish also stands for ending it and for changing a published one'),
  createdAt: Instant,
  version: Version,
})
export type AnnouncementRow = z.infer<typeof AnnouncementRow>

export const Announcement = AnnouncementRow.extend({
  body: FormattedText,
  publishedAt: Instant.nullable(),
  reached: z.int().nullable().describe('How many accounts it is addressed to today; for those who look after it'),
  updatedAt: Instant,
})
export type Announcement = z.infer<typeof Announcement>

const Facts = {
  title: text(150, 1),
  body: formattedText(announcementLimit),
  audience: AnnouncementAudience,
  pinned: z.boolean(),
  chapterId: Id.nullable(),
  groupId: Id.nullable().describe('Of a group, then of no chapter; without both, of the whole organisation'),
  startsAt: Instant.nullable().describe('When it is shown from; publishing it without one means at once'),
  endsAt: Instant.nullable(),
}
type Dated = {
  chapterId?: string | null | undefined
  groupId?: string | null | undefined
  startsAt?: string | null | undefined
  endsAt?: string | null | undefined
}
const endsLater = ({ startsAt, endsAt }: Dated) => !startsAt || !endsAt || Date.parse(endsAt) > Date.parse(startsAt)
const endsFault = { ...refusal('announcement_ends', 'Choose an end after the start.'), path: ['endsAt'] }
const onePlace = ({ chapterId, groupId }: Dated) => !chapterId || !groupId
const placeFault = { ...refusal('announcement_place', 'Choose a chapter or a group, not both.'), path: ['groupId'] }

export const NewAnnouncement = z
  .strictObject({ ...z.strictObject(Facts).partial().shape, title: Facts.title })
  .refine(endsLater, endsFault)
  .refine(onePlace, placeFault)
  .meta({ examples: [{ title: 'The office is closed in August', audience: 'members' }] })
export type NewAnnouncement = z.infer<typeof NewAnnouncement>
const OneAnnouncement = z.strictObject({ announcementId: Id })
export const AnnouncementChange = z
  .strictObject(Facts)
  .partial()
  .meta({ examples: [{ pinned: true }] })
export type AnnouncementChange = z.infer<typeof AnnouncementChange>

export const announcements = {
  list: get('/announcements', 'listAnnouncements', {
    needs: 'signed-in',
    whileActing: true,
    tag,
    summary: 'Announcements for you and those that you look after, a page at a time; archived ones only with the filter archived or state',
  })
    .input(AnnouncementsListInput)
    .output(page(AnnouncementRow)),
  current: get('/announcements/current', 'listCurrentAnnouncements', {
    needs: 'signed-in',
    whileActing: true,
    tag,
    summary: 'Announcements shown right now with their texts, pinned ones first, then the newest; 20 of them',
    description:
      'Without a place, those addressed to the caller that are unread or pinned, less those the caller has dismissed. With one, those of this chapter or group.',
  })
    .input(
      z
        .strictObject({ chapterId: Id.optional(), groupId: Id.optional() })
        .refine(onePlace, placeFault)
        .meta({ examples: [{}] }),
    )
    .output(
      z.object({
        items: z.array(Announcement),
        unread: z.int().describe('How many of all that are shown to the caller are unread'),
        nextChangeAt: Instant.nullable().describe('When the next one for the caller starts or ends by itself'),
      }),
    ),
  reach: get('/announcements/reach', 'countAnnouncementReach', {
    needs: 'messages.write',
    tag,
    summary: 'How many accounts an announcement of a place and an audience would be addressed to today',
  })
    .input(
      z
        .strictObject({ chapterId: Id.optional(), groupId: Id.optional(), audience: AnnouncementAudience })
        .refine(onePlace, placeFault)
        .meta({ examples: [{ audience: 'members' }] }),
    )
    .output(z.object({ reached: z.int() })),
  get: get('/announcements/{announcementId}', 'getAnnouncement', {
    needs: 'signed-in',
    whileActing: true,
    tag,
    summary: 'An announcement with its text',
  })
    .input(OneAnnouncement)
    .output(Announcement),
  create: post('/announcements', 'createAnnouncement', { needs: 'messages.write', tag, summary: 'Draft an announcement' })
    .input(NewAnnouncement)
    .output(Announcement),
  update: patch('/announcements/{announcementId}', 'updateAnnouncement', {
    needs: 'messages.write',
    tag,
    summary: 'Change an announcement; what is left out stays. A published one only with messages.send',
  })
    .input(AnnouncementChange.extend(OneAnnouncement.shape))
    .output(Announcement),
  publish: act('/announcements/{announcementId}/publish', 'publishAnnouncement', {
    needs: 'messages.send',
    tag,
    summary: 'Publish a draft, or move a scheduled one: at once, or from a moment on',
  })
    .input(
      OneAnnouncement.extend({
        startsAt: Instant.nullable().optional().describe('Null: now. Left out: as the draft says, and now where that is past'),
      }).meta({ examples: [{}] }),
    )
    .output(Announcement),
  unpublish: act('/announcements/{announcementId}/unpublish', 'unpublishAnnouncement', {
    needs: 'messages.send',
    tag,
    summary: 'Make a scheduled announcement a draft again, before anybody has seen it',
  })
    .input(OneAnnouncement)
    .output(Announcement),
  end: act('/announcements/{announcementId}/end', 'endAnnouncement', {
    needs: 'messages.send',
    tag,
    summary: 'End an announcement now that is shown',
  })
    .input(OneAnnouncement)
    .output(Announcement),
  archive: act('/announcements/{announcementId}/archive', 'archiveAnnouncement', {
    needs: 'messages.write',
    tag,
    summary: 'Archive an announcement, which nobody but those who look after it sees from then on; a published one only with messages.send',
  })
    .input(OneAnnouncement)
    .output(Announcement),
  restore: act('/announcements/{announcementId}/restore', 'restoreAnnouncement', {
    needs: 'messages.write',
    tag,
    summary: 'Restore an archived announcement as it was',
  })
    .input(OneAnnouncement)
    .output(Announcement),
  read: put('/announcements/{announcementId}/read', 'readAnnouncement', {
    needs: 'signed-in',
    tag,
    status: 204,
    summary: 'Note that you have read an announcement, or dismissed it',
  })
    .input(OneAnnouncement.extend({ dismissed: z.boolean().optional() }).meta({ examples: [{ dismissed: true }] }))
    .output(z.void()),
}
