import * as z from 'zod'
import { get, post } from '../base.ts'
import { Id, Instant } from '../shapes.ts'

const tag = 'Integrations'
const OneConnection = z.strictObject({ connectionId: Id })

/** What an identity provider is told; the token is shown once, when it is made. */
export const ScimAccess = z.object({
  address: z.string().describe('Base address of the SCIM endpoints'),
  hint: z.string().nullable().describe('Last four characters of the token; null where there is none'),
  madeAt: Instant.nullable(),
  usedAt: Instant.nullable().describe('To the minute'),
})
export type ScimAccess = z.infer<typeof ScimAccess>
export const MadeScimToken = ScimAccess.extend({ token: z.string().describe('Sent as Authorization: Bearer') })
export type MadeScimToken = z.infer<typeof MadeScimToken>

export const scimData = {
  access: get('/connections/{connectionId}/scim', 'getScimAccess', {
    needs: 'integrations.manage',
    tag,
    summary: 'Address and token of an identity provider',
  })
    .input(OneConnection)
    .output(ScimAccess),
  makeToken: post('/connections/{connectionId}/scim-token', 'makeScimToken', {
    needs: 'account.manage',
    recentSignIn: true,
    idempotent: false,
    perHour: 30,
    tag,
    summary: 'A new token for an identity provider; the one before is valid no more',
  })
    .input(OneConnection)
    .output(MadeScimToken),
}
