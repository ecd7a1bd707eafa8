import { t } from '@lingui/core/macro'
import type { Permission } from '@guildhall/contract/permissions'

/** What can be used stands before what is planned. */
export const tabs = [
  'accounts',
  'invitations',
  'roles',
  'requests',
  'recordings',
  'organisation',
  'imports',
  'tags',
  'audit',
  'membership-types',
  'fields',
  'duplicates',
  'api',
  'webhooks',
  'privacy',
] as const
export type Tab = (typeof tabs)[number]

/** Who may open which tab; what is planned shows to those who manage accounts. */
export const needs: Record<Tab, Permission> = {
  accounts: 'account.manage',
  invitations: 'account.manage',
  roles: 'account.manage',
  requests: 'organisation.manage',
  recordings: 'organisation.manage',
  organisation: 'organisation.manage',
  'membership-types': 'account.manage',
  fields: 'account.manage',
  imports: 'people.import',
  tags: 'people.write',
  duplicates: 'account.manage',
  api: 'account.manage',
  webhooks: 'account.manage',
  privacy: 'account.manage',
  audit: 'audit.read',
}

export const tabWords = (): Record<Tab, string> => ({
  accounts: t`Accounts`,
  invitations: t`Invitations`,
  roles: t`Roles`,
  requests: t`Requests`,
  recordings: t`Recordings`,
  organisation: t`Organisation`,
  'membership-types': t`Membership types`,
  fields: t`Fields`,
  imports: t`Imports`,
  tags: t`Tags`,
  duplicates: t`Duplicates`,
  api: t`API keys`,
  webhooks: t`Webhooks`,
  privacy: t`Privacy requests`,
  audit: t`Audit log`,
})
