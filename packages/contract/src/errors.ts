import * as z from 'zod'

const UsedUp = z.object({ perHour: z.int(), againInSeconds: z.int() })

/** What a rejected request answers (RFC 9457), for every error of both APIs. */
export const Problem = z.object({
  type: z.string().describe('Stable name of the kind of problem, as about:blank#CODE'),
  title: z.string(),
  status: z.int(),
  code: z.string(),
  detail: z.string().describe('What is wrong and what to do about it, in a sentence'),
  requestId: z.string(),
  errors: z
    .array(z.object({ path: z.string(), code: z.string(), message: z.string() }))
    .describe('Per field, empty when the whole request is meant'),
  reason: z.string().optional().describe('Which rule refused, for programs'),
  current: z.unknown().optional().describe('The present state of the record, when a stale version was sent'),
  limit: UsedUp.optional().describe('What is used up, when too much was asked for in an hour'),
})
export type Problem = z.infer<typeof Problem>

const data = z.object({
  reason: z.string().optional(),
  detail: z.string().optional(),
  errors: z.array(z.object({ path: z.string(), code: z.string(), message: z.string() })).optional(),
  current: z.unknown().optional(),
  limit: UsedUp.optional(),
})

/** The error catalogue: code → HTTP status and title. Each procedure may answer any of them. */
export const errorCatalogue = {
  BAD_REQUEST: { status: 400, message: 'The request is malformed', data: data.optional() },
  UNAUTHORIZED: { status: 401, message: 'Sign in to continue', data: data.optional() },
  FORBIDDEN: { status: 403, message: 'You may not do this', data: data.optional() },
  NOT_FOUND: { status: 404, message: 'There is no such record', data: data.optional() },
  CONFLICT: { status: 409, message: 'This conflicts with what is there', data: data.optional() },
  GONE: { status: 410, message: 'This no longer exists', data: data.optional() },
  PRECONDITION_FAILED: { status: 412, message: 'The record was changed by someone else', data: data.optional() },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'This is too large', data: data.optional() },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'This kind of content is not accepted', data: data.optional() },
  UNPROCESSABLE_CONTENT: { status: 422, message: 'Some values are not valid', data: data.optional() },
  PRECONDITION_REQUIRED: { status: 428, message: 'Send the version you are editing in If-Match', data: data.optional() },
  TOO_MANY_REQUESTS: { status: 429, message: 'Too many requests', data: data.optional() },
  SERVICE_UNAVAILABLE: { status: 503, message: 'Not available right now', data: data.optional() },
} as const

/** Reasons that say all there is to say: screens have their own text for each. Others come with names and figures in `detail`. */
export const plainReasons = [
  'already_requested',
  'busy',
  'chapter_open',
  'duplicate_term',
  'ended',
  'expired',
  'has_account',
  'in_flight',
  'invitation_expired',
  'invite_only',
  'link_invalid',
  'no_errors',
  'no_person',
  'not_invited',
  'not_invited_account',
  'not_linked',
  'not_ready',
  'not_requested',
  'person_erased',
  'position_held',
] as const
export type PlainReason = (typeof plainReasons)[number]
