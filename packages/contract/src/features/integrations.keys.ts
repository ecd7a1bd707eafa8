import * as z from 'zod'
import { act, get, patch, post } from '../base.ts'
import type { Permission } from '../permissions.ts'
import { refusal } from '../reasons.ts'
import { CalendarDate, ChapterRef, Cursor, Id, Instant, Limit, Version, lines, page, text } from '../shapes.ts'
import { PermissionName } from './account.ts'

const tag = 'API keys'

/** How many requests a key may make in a minute unless it says otherwise. */
export const usualKeyRate = 300

/** Never given to a key: with these, who finds one could give a person rights that stay when the key is gone. */
export const neverForKeys: readonly Permission[] = ['account.manage', 'integrations.manage', 'positions.appoint', 'relationships.manage']

/** How long what a key did is kept. */
export const keyUseDays = 90

const fields = {
  name: text(100, 1),
  purpose: lines(500),
  perMinute: z.int().min(1).max(6_000),
}
export const ApiKey = z.object({
  id: Id,
  ...z.object(fields).shape,
  prefix: z.string().describe('Beginning of the key, to tell it by; the rest is shown once, when it is made'),
  permissions: z.array(PermissionName),
  chapter: ChapterRef.nullable().describe('It holds in this chapter and those below; in the whole organisation where null'),
  expiresAt: Instant,
  state: z.enum(['active', 'expired', 'revoked']),
  accountId: Id.describe('The account that the key acts as, named in audit log and histories'),
  createdBy: z.string().nullable(),
  createdAt: Instant,
  lastUsedAt: Instant.nullable().describe('To the minute'),
  revokedAt: Instant.nullable(),
  version: Version,
})
export type ApiKey = z.infer<typeof ApiKey>
const OneKey = z.strictObject({ apiKeyId: Id })

export const NewApiKey = z
  .strictObject({
    name: fields.name,
    purpose: fields.purpose.default(''),
    perMinute: fields.perMinute.default(usualKeyRate),
    permissions: z
      .array(PermissionName)
      .min(1, 'Choose at least one permission.')
      .max(60)
      .refine(
        (names) => !names.some((name) => neverForKeys.includes(name)),
        refusal('api_key_permission', 'Some of these permissions are never given to an API key.'),
      )
      .describe(
        'Only ones that you hold there yourself; account.manage, integrations.manage, positions.appoint and relationships.manage are never given to a key',
      ),
    chapterId: Id.nullable().default(null),
    days: z.int().min(1).max(730).default(365).describe('Days until it expires'),
  })
  .meta({ examples: [{ name: 'Website', permissions: ['events.read'], days: 90 }] })
export type NewApiKey = z.infer<typeof NewApiKey>

/** The key itself, which nobody can read again. */
export const MadeApiKey = z.object({ key: ApiKey, secret: z.string().describe('Sent as Authorization: Bearer') })
export type MadeApiKey = z.infer<typeof MadeApiKey>

export const ApiKeyUse = z.object({
  id: Id,
  at: Instant,
  operation: z.string().describe('Id of the operation, as in the documents of the API'),
  method: z.string(),
  status: z.int().describe('HTTP status of the answer'),
  count: z.int().describe('Requests of this operation with this status within the minute'),
})
export type ApiKeyUse = z.infer<typeof ApiKeyUse>

/** Days without a request are left out. */
export const ApiKeyActivity = z.object({
  days: z.array(z.object({ day: CalendarDate, requests: z.int(), refused: z.int().describe('Of these, answered with 400 or above') })),
})
export type ApiKeyActivity = z.infer<typeof ApiKeyActivity>

export const apiKeysData = {
  list: get('/api-keys', 'listApiKeys', { needs: 'integrations.manage', tag, summary: 'API keys, the newest first' })
    .input(
      z.strictObject({ state: z.enum(['active', 'expired', 'revoked']).optional(), cursor: Cursor.optional(), limit: Limit.optional() }),
    )
    .output(page(ApiKey)),
  get: get('/api-keys/{apiKeyId}', 'getApiKey', { needs: 'integrations.manage', tag, summary: 'One API key' }).input(OneKey).output(ApiKey),
  uses: get('/api-keys/{apiKeyId}/uses', 'listApiKeyUses', {
    needs: 'integrations.manage',
    tag,
    summary: 'What a key did, by minute, the newest first; kept for 90 days',
  })
    .input(
      OneKey.extend({
        failed: z.boolean().optional().describe('Only what was refused'),
        cursor: Cursor.optional(),
        limit: Limit.optional(),
      }),
    )
    .output(page(ApiKeyUse)),
  activity: get('/api-keys/{apiKeyId}/activity', 'getApiKeyActivity', {
    needs: 'integrations.manage',
    tag,
    summary: 'Requests of a key by day of the organisation, over the last 30 days, oldest first',
  })
    .input(OneKey)
    .output(ApiKeyActivity),
  create: post('/api-keys', 'createApiKey', {
    needs: 'integrations.manage',
    recentSignIn: true,
    idempotent: false,
    perHour: 30,
    tag,
    summary: 'Make an API key; it is shown in this answer only',
    description: '403 `beyond_reach` for permissions that you do not hold in that place.',
  })
    .input(NewApiKey)
    .output(MadeApiKey),
  update: patch('/api-keys/{apiKeyId}', 'updateApiKey', { needs: 'integrations.manage', tag, summary: 'Rename a key, or change its limit' })
    .input(OneKey.extend(z.strictObject(fields).partial().shape).meta({ examples: [{ perMinute: 60 }] }))
    .output(ApiKey),
  revoke: act('/api-keys/{apiKeyId}/revoke', 'revokeApiKey', {
    needs: 'integrations.manage',
    tag,
    summary: 'Revoke a key: it is refused within seconds, for good',
    description: '409 `api_key_revoked` when it is revoked already.',
  })
    .input(OneKey)
    .output(ApiKey),
}
