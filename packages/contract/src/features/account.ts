import * as z from 'zod'
import { get, patch, post } from '../base.ts'
import { Id, Instant, Version } from '../shapes.ts'
import { permissions } from '../permissions.ts'
import type { Permission } from '../permissions.ts'

// The keys of the permission list are all of it; zod wants them as a tuple.
export const PermissionName = z.enum(Object.keys(permissions) as [Permission, ...Permission[]])

/** Where the signed-in account holds a permission. */
export const Reach = z.object({
  permission: PermissionName,
  everywhere: z.boolean(),
  chapters: z.array(Id).describe('Chapters with everything below them opened'),
  groups: z.array(Id),
})

export const Preferences = z.strictObject({
  theme: z.enum(['auto', 'light', 'dark']).optional(),
  density: z.enum(['compact', 'default', 'comfortable']).optional(),
  shortcuts: z.boolean().optional(),
  locale: z.string().max(35).optional(),
})
export type Preferences = z.infer<typeof Preferences>

export const Me = z.object({
  account: z.object({ id: Id, email: z.string().nullable(), name: z.string(), preferences: Preferences, lastLoginAt: Instant.nullable(), version: Version }),
  person: z.object({ id: Id, displayName: z.string(), homeChapter: z.object({ id: Id, name: z.string(), code: z.string() }).nullable() }).nullable(),
  organisation: z.object({ id: Id, name: z.string(), locale: z.string(), timezone: z.string(), currency: z.string() }),
  permissions: z.array(Reach),
})
export type Me = z.infer<typeof Me>

export const accountData = {
  updateLogin: post('/rpc/update_account_login', 'updateAccountLogin', {
    needs: 'token',
    tag: 'Account',
    status: 204,
    idempotent: false,
    summary: 'Note a sign-in: keeps the last sign-in and the status of the account',
  }).output(z.void()),
  me: get('/me', 'getMe', { needs: 'signed-in', tag: 'Account', summary: 'The signed-in account, its person, organisation and permissions' }).output(Me),
  updatePreferences: patch('/me/preferences', 'updatePreferences', {
    needs: 'signed-in',
    tag: 'Account',
    ifMatch: false,
    summary: 'Change theme, density, shortcuts or language; what is left out stays',
  })
    .input(Preferences)
    .output(Preferences),
}
