import * as z from 'zod'
import { FieldFault, isAnyReason, ReasonValue } from './reasons.ts'
import type { AnyReason } from './reasons.ts'

const params = z.record(z.string(), ReasonValue).optional()

/** What a rejected request answers (RFC 9457), for every error of both APIs. */
export const Problem = z.object({
  type: z.string().describe('Stable name of the kind of problem, as about:blank#CODE'),
  title: z.string(),
  status: z.int(),
  code: z.string(),
  detail: z.string().describe('What is wrong and what to do about it, in a sentence'),
  requestId: z.string(),
  errors: z.array(FieldFault).describe('Per field, empty when the whole request is meant'),
  reason: z.string().optional().describe('Which rule refused, for programs'),
  params: params.describe('The names and figures of which the detail speaks'),
  current: z.unknown().optional().describe('The present state of the record, when a stale version was sent'),
})
export type Problem = z.infer<typeof Problem>

const data = z.object({
  reason: z.custom<AnyReason>(isAnyReason).optional(),
  params,
  detail: z.string().optional(),
  errors: z.array(FieldFault).optional(),
  current: z.unknown().optional(),
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
