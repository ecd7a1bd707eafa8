import { msg } from '@lingui/core/macro'
import { lazy } from 'react'
import type { FeatureSlots } from '../../platform/navigation/slots.tsx'

export const accountSlots: FeatureSlots = {
  accountTabs: [
    {
      key: 'accounts',
      label: msg`Accounts`,
      order: 10,
      may: (_, can) => can('account.manage'),
      content: lazy(async () => ({ default: (await import('./accounts-tab.tsx')).AccountsTab })),
    },
    {
      key: 'invitations',
      label: msg`Invitations`,
      order: 20,
      may: (_, can) => can('account.manage'),
      content: lazy(async () => ({ default: (await import('./accounts-tab.tsx')).InvitationsTab })),
    },
    {
      key: 'roles',
      label: msg`Roles`,
      order: 30,
      may: (_, can) => can('account.manage'),
      content: lazy(async () => ({ default: (await import('./roles-tab.tsx')).RolesTab })),
    },
    {
      key: 'requests',
      label: msg`Requests`,
      order: 40,
      may: (_, can) => can('organisation.manage'),
      content: lazy(async () => ({ default: (await import('./requests-tab.tsx')).RequestsTab })),
    },
    {
      key: 'organisation',
      label: msg`Organisation`,
      order: 60,
      may: (_, can) => can('organisation.manage'),
      content: lazy(async () => ({ default: (await import('./organisation-tab.tsx')).OrganisationTab })),
    },
    {
      key: 'mail',
      label: msg`Outgoing mail`,
      order: 85,
      may: (_, can) => can('account.manage'),
      content: lazy(async () => ({ default: (await import('./mail/mail-tab.tsx')).MailTab })),
    },
    {
      key: 'audit',
      label: msg`Audit log`,
      order: 90,
      may: (_, can) => can('audit.read'),
      content: lazy(async () => ({ default: (await import('./audit/audit-tab.tsx')).AuditTab })),
    },
  ],
  paletteSources: [lazy(async () => ({ default: (await import('./account-palette.tsx')).SettingsPaletteSource }))],
  historyWords: [
    {
      entities: {
        accounts: { noun: msg`Account`, onPerson: msg`Account` },
        roles: { noun: msg`Role` },
        grants: { noun: msg`Right`, onPerson: msg`Rights` },
        organisations: { noun: msg`Organisation` },
      },
      fields: {
        currency: msg`Currency`,
        locale: msg`Language`,
        directoryReach: msg`Who sees the directory`,
        majorityAge: msg`Age of majority`,
        eventReminderHours: msg`Reminder of events`,
        publicChapters: msg`Chapters on the contact page`,
        brandColor: msg`Brand colour`,
        reason: msg`Reason`,
        idpRoles: msg`Roles at the identity provider`,
        lastLoginAt: msg`Last sign-in`,
        tokensValidAfter: msg`Signed out everywhere`,
        accessMessage: msg`Message`,
        scopeKind: msg`Where it holds`,
        email: msg`E-mail`,
        emailVerified: msg`E-mail verified`,
        issuer: msg`Identity provider`,
        subject: msg`Name at the provider`,
      },
    },
  ],
}
