import * as z from 'zod'
import { del, eventsOf, get, patch, post, put } from '../base.ts'
import { refusal } from '../reasons.ts'
import {
  formed,
  CalendarDate,
  ChapterRef,
  Currency,
  Cursor,
  EmailAddress,
  GroupRef,
  Id,
  Instant,
  Job,
  Limit,
  ListInput,
  PersonRef,
  Version,
  lines,
  page,
  text,
} from '../shapes.ts'
import { isTimezone } from '../zones.ts'
import { permissions } from '../permissions.ts'
import type { Permission } from '../permissions.ts'
import { ViewedList } from './lists.ts'
import { HistoryEntry, When } from './people.ts'

// eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- zod wants the keys as a tuple, and they are all of the list
export const PermissionName = z.enum(Object.keys(permissions) as [Permission, ...Permission[]])

/** Where the signed-in account holds a permission. */
export const Reach = z.object({
  permission: PermissionName,
  everywhere: z.boolean(),
  chapters: z.array(Id).describe('Chapters with everything below them opened'),
  groups: z.array(Id),
  records: z.array(Id).describe('Events, campaigns and projects'),
})

/** A place of the menu that somebody keeps at its top. */
export const Pin = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('page'), id: z.string().regex(/^[a-z]{1,40}$/, 'Name a page of the menu, such as people.') }),
  z.strictObject({ kind: z.literal('person'), id: Id }),
  z.strictObject({ kind: z.literal('chapter'), id: Id }),
  z.strictObject({ kind: z.literal('group'), id: Id }),
])
export type Pin = z.infer<typeof Pin>

export const Preferences = z.strictObject({
  theme: z.enum(['auto', 'light', 'dark']).optional(),
  density: z.enum(['compact', 'default', 'comfortable']).optional(),
  shortcuts: z.boolean().optional(),
  locale: z.string().max(35).optional(),
  pins: z.array(Pin).max(30, 'At most 30 places can be pinned. Take one off first.').optional().describe('In the order they are shown'),
  hiddenCards: z
    .array(z.string().regex(/^[a-zA-Z]{1,40}$/, 'Name a card of home, such as birthdays.'))
    .max(30, 'At most 30 cards can be hidden.')
    .optional()
    .describe('Cards that the account does not want on home; a name that no card has is harmless'),
  defaultViews: z
    .partialRecord(ViewedList, text(100, 1))
    .optional()
    .describe('The view that a list opens with: the id of a saved view, or the name of one that every list has, such as mine'),
})
export type Preferences = z.infer<typeof Preferences>

export const Me = z.object({
  account: z.object({
    id: Id,
    email: z.string().nullable(),
    name: z.string(),
    preferences: Preferences,
    lastLoginAt: Instant.nullable(),
    version: Version,
  }),
  person: z
    .object({
      id: Id,
      displayName: z.string(),
      pictureId: Id.nullable(),
      homeChapter: z.object({ id: Id, name: z.string(), code: z.string() }).nullable(),
    })
    .nullable(),
  organisation: z.object({
    id: Id,
    name: z.string(),
    logoId: Id.nullable(),
    locale: z.string(),
    timezone: z.string(),
    currency: z.string(),
  }),
  permissions: z.array(Reach),
})
export type Me = z.infer<typeof Me>

// Accounts --------------------------------------------------------------------------------------------------------------------------

const tag = 'Accounts'

export const AccountStatus = z
  .enum(['invited', 'active', 'pending_link', 'suspended'])
  .describe('invited: waits for the first sign-in; pending_link: asked for access without an invitation and awaits approval')
export type AccountStatus = z.infer<typeof AccountStatus>
export const ScopeKind = z.enum(['org', 'chapter', 'group'])
export const RoleRef = z.object({ id: Id, key: z.string(), name: z.string() })

/** What accounts can be filtered by. */
export const accountsFilterFields = {
  status: { kind: 'choice', options: AccountStatus.options },
  role: { kind: 'id', of: 'role' },
  linked: { kind: 'flag' },
  lastLoginAt: { kind: 'date' },
  createdAt: { kind: 'date' },
} as const satisfies Record<
  string,
  { kind: 'choice' | 'id' | 'text' | 'date' | 'number' | 'flag'; options?: readonly string[]; of?: string }
>
export type AccountsFilterField = keyof typeof accountsFilterFields

export const AccountsListInput = ListInput.extend({
  sort: z.string().max(40).optional().describe('name (default), lastLoginAt, createdAt; put "-" in front to reverse the order'),
}).meta({ examples: [{ q: 'ada', filter: '{"and":[{"or":[{"field":"status","op":"is","value":"pending_link"}]}]}' }] })

export const AccountRow = z.object({
  id: Id,
  email: z.string().nullable(),
  emailVerified: z.boolean(),
  name: z.string(),
  status: AccountStatus,
  person: PersonRef.nullable(),
  providerRoles: z.array(z.string()).describe('Keys of organisation-wide roles from the sign-in service, as of the last sign-in'),
  roles: z.array(z.string()).describe('Names of all roles held today, from the sign-in service, grants and offices'),
  accessMessage: z.string().nullable().describe('What someone wrote who asked for access without an invitation'),
  invitedUntil: Instant.nullable().describe('Until when an invitation can be accepted; null when there is none or it does not expire'),
  lastLoginAt: Instant.nullable(),
  createdAt: Instant,
  version: Version,
})
export type AccountRow = z.infer<typeof AccountRow>

export const Grant = z.object({
  id: Id,
  account: z.object({ id: Id, name: z.string(), email: z.string().nullable() }),
  role: RoleRef,
  scopeKind: ScopeKind,
  chapter: ChapterRef.nullable(),
  group: GroupRef.nullable(),
  startsOn: CalendarDate,
  endsOn: CalendarDate.nullable().describe('The last day it holds'),
  when: When,
  reason: z.string(),
  grantedBy: z.object({ accountId: Id, name: z.string() }).nullable(),
  mayChange: z.boolean().describe('False for your own: nobody changes their own rights'),
  version: Version,
  createdAt: Instant,
})
export type Grant = z.infer<typeof Grant>

export const Account = AccountRow.extend({
  locale: z.string().nullable(),
  grants: z.array(Grant),
  offices: z
    .array(z.object({ positionId: Id, title: z.string(), role: RoleRef, chapter: ChapterRef, endsOn: CalendarDate.nullable() }))
    .describe('Offices of today that carry a role'),
  may: z.object({ suspend: z.boolean(), link: z.boolean(), grant: z.boolean() }),
})
export type Account = z.infer<typeof Account>

export const NewGrant = z
  .strictObject({
    accountId: Id,
    roleId: Id,
    scopeKind: ScopeKind,
    chapterId: Id.optional(),
    groupId: Id.optional(),
    startsOn: CalendarDate.optional().describe('Today when left out'),
    endsOn: CalendarDate.nullable().optional(),
    reason: lines(500).optional(),
  })
  .refine((grant) => (grant.scopeKind === 'chapter') === (grant.chapterId !== undefined), {
    path: ['chapterId'],
    ...refusal('grant_chapter', 'Choose the chapter that this is for.'),
  })
  .refine((grant) => (grant.scopeKind === 'group') === (grant.groupId !== undefined), {
    path: ['groupId'],
    ...refusal('grant_group', 'Choose the group that this is for.'),
  })
  .meta({
    examples: [
      {
        accountId: '01920000-0000-7000-8000-000000000003',
        roleId: '01920000-0000-7000-8000-000000000004',
        scopeKind: 'chapter',
        chapterId: '01920000-0000-7000-8000-000000000001',
        endsOn: '2027-06-30',
        reason: 'Stands in for the treasurer',
      },
    ],
  })
export type NewGrant = z.infer<typeof NewGrant>

export const Role = RoleRef.extend({
  description: z.string(),
  permissions: z.array(z.object({ name: PermissionName, allows: z.string() })),
  grants: z.int().describe('Grants of today; 0 when they are not yours to see'),
  offices: z.int().describe('Offices that carry it'),
  mayGrant: z.boolean().describe('You hold all of it in the whole organisation, so that you can give it anywhere'),
  custom: z.boolean().describe('Made by the organisation; the standard roles cannot be changed'),
  mayChange: z.boolean().describe('False for standard roles, for those you hold, and for those that allow more than you hold'),
})
export type Role = z.infer<typeof Role>

export const NewRole = z
  .strictObject({
    name: text(100, 1),
    description: lines(300),
    permissions: z.array(PermissionName).min(1, 'Choose at least one permission.').max(100),
  })
  .meta({
    examples: [{ name: 'Almoner', description: 'Looks after members in need', permissions: ['people.directory', 'people.contact'] }],
  })
export type NewRole = z.infer<typeof NewRole>

// Outgoing mail ---------------------------------------------------------------------------------------------------------------------

/** Every kind of mail there is, by the key of its template; one that is not listed here does not compile. */
export const mailKinds = [
  'access-request',
  'charge-failed',
  'contact',
  'digest',
  'event-guest',
  'event-invitation',
  'event-message',
  'event-registration',
  'gift-receipt',
  'gift-thanks',
  'giving-statement',
  'invitation',
  'invoice',
  'invoice-reminder',
  'membership',
  'message',
  'message-test',
  'notification',
  'plan-charge-failed',
  'plan-stopped',
  'pledge-reminder',
  'receipt',
  'renewal-reminder',
  'report',
  'statement',
  'term-ending',
  'topic-confirm',
] as const
export type MailKind = (typeof mailKinds)[number]
export const MailState = z.enum(['queued', 'sending', 'sent', 'failed', 'suppressed', 'unknown'])
export type MailState = z.infer<typeof MailState>
export const OutgoingMail = z.object({
  id: Id,
  kind: z.string(),
  state: MailState.describe('suppressed: went to nobody; unknown: it may have arrived'),
  subject: z.string().describe('Empty until it was written, which is when it leaves'),
  address: z.string().nullable().describe('Null while it is not known to which address of the recipient it goes'),
  person: PersonRef.nullable(),
  account: z.object({ id: Id, name: z.string() }).nullable(),
  attempts: z.int(),
  nextAt: Instant.nullable().describe('When it is tried next; null unless it waits'),
  outcome: z.string().describe('Why it is as it is, as a code; empty where there is nothing to say'),
  answer: z.string().describe('What the mail server said last'),
  createdAt: Instant,
  settledAt: Instant.nullable(),
})
export type OutgoingMail = z.infer<typeof OutgoingMail>
const OneMail = z.strictObject({ mailId: Id })
export const MailsInput = z.strictObject({
  state: MailState.optional(),
  kind: z.enum(mailKinds).optional(),
  address: z.string().trim().max(320).optional().describe('The whole address'),
  from: CalendarDate.optional().describe('First day'),
  until: CalendarDate.optional().describe('Last day'),
  cursor: Cursor.optional(),
  limit: Limit.optional(),
})

// Audit log -------------------------------------------------------------------------------------------------------------------------

export const AuditInput = z
  .strictObject({
    accountId: Id.optional().describe('Who did it'),
    entity: z.string().max(40).optional().describe('people, chapters, groups, grants, …'),
    entityId: Id.optional(),
    personId: Id.optional(),
    chapterId: Id.optional(),
    groupId: Id.optional(),
    recordId: Id.optional().describe('The record whose history it is, where that is no person, chapter or group'),
    action: HistoryEntry.shape.action.optional(),
    from: CalendarDate.optional().describe('First day'),
    until: CalendarDate.optional().describe('Last day'),
    cursor: Cursor.optional(),
    limit: Limit.optional(),
  })
  .meta({ examples: [{ entity: 'grants', from: '2026-01-01' }] })

export const AuditEntry = HistoryEntry.extend({
  person: PersonRef.nullable(),
  chapter: ChapterRef.nullable(),
  group: GroupRef.nullable(),
  requestId: z.string().nullable(),
})
export type AuditEntry = z.infer<typeof AuditEntry>

// Organisation ----------------------------------------------------------------------------------------------------------------------

const isLocale = (name: string) => {
  try {
    return Intl.getCanonicalLocales(name).length === 1
  } catch {
    return false
  }
}
const OrganisationFacts = {
  name: text(150, 1),
  locale: text(35, 2).refine(isLocale, refusal('not_a_language', 'Enter a language such as en or pt-BR.')),
  timezone: text(60, 1).refine(isTimezone, refusal('not_a_timezone', 'Enter a time zone such as Europe/Paris.')),
  currency: Currency.describe('ISO 4217 code of amounts that name no other'),
  directoryReach: z.enum(['organisation', 'chapter']).describe('Whether a member sees the whole directory or the own chapters only'),
  majorityAge: z.int().min(0).max(25),
  eventReminderHours: z
    .int()
    .min(1)
    .max(336)
    .describe('How long before its start people are reminded of an event that does not say so itself'),
  contactEmail: EmailAddress.nullable().describe('Also shown on the public contact page'),
  brandColor: formed(/^#[0-9a-f]{6}$/, refusal('not_a_colour', 'Enter a colour such as #1d4ed8.'))
    .nullable()
    .describe('Colour of public pages and member cards; null for the standard one'),
  publicChapters: z
    .boolean()
    .describe('Whether everybody may find active chapters on the contact page, with their place, address and website'),
}
export const OrganisationChange = z
  .strictObject(OrganisationFacts)
  .partial()
  .meta({ examples: [{ timezone: 'Europe/Paris', currency: 'EUR' }] })
export type OrganisationChange = z.infer<typeof OrganisationChange>
export const Organisation = z.object({
  ...OrganisationFacts,
  id: Id,
  slug: z.string(),
  locale: z.string(),
  timezone: z.string(),
  currency: z.string(),
  contactEmail: z.string().nullable(),
  mayEdit: z.boolean(),
  version: Version,
  createdAt: Instant,
  updatedAt: Instant,
})
export type Organisation = z.infer<typeof Organisation>

// Changes while somebody looks ------------------------------------------------------------------------------------------------------

/** Why a stream of changes is over. Only `expired` passes by itself, with the next access token. */
export const StreamEnd = z.enum(['expired', 'signed_out', 'suspended', 'pending', 'no_account'])

/** What happens to an account while it is signed in. */
export const AccountChange = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }).describe('From now on nothing is missed; look once at what you follow. May come again.'),
  z.object({ type: z.literal('job'), job: Job }).describe('How far a job of yours is, or that it has ended'),
  z.object({ type: z.literal('notifications') }).describe('Your notifications changed; read them again'),
  z.object({ type: z.literal('announcements') }).describe('Announcements changed, or which of them you have read; read them again'),
  z.object({ type: z.literal('rights') }).describe('You may do more or less than before; read /me again'),
  z.object({ type: z.literal('event'), eventId: Id }).describe('Who comes to the event that you asked for has changed'),
  z.object({ type: z.literal('campaign'), campaignId: Id }).describe('What came in for the campaign that you asked for has changed'),
  z
    .object({ type: z.literal('connection'), connectionId: Id })
    .describe('The connection that you asked for, its runs or its metrics have changed'),
  z.object({ type: z.literal('alive') }).describe('Nothing happened; comes at least every 15 seconds'),
  z.object({ type: z.literal('ended'), reason: StreamEnd }).describe('The last event'),
])
export type AccountChange = z.infer<typeof AccountChange>

const OneAccount = z.strictObject({ accountId: Id })

export const accountData = {
  updateLogin: post('/rpc/update_account_login', 'updateAccountLogin', {
    needs: 'token',
    whileActing: true,
    tag: 'Account',
    status: 204,
    idempotent: false,
    perHour: 600,
    summary: 'Note a sign-in: keeps the last sign-in and the status of the account',
    description:
      '403 with a reason: `no_account` nobody expects this person, who may ask for access; `pending` they have asked; `suspended`; `other_organisation` the sign-in service knows them in an organisation that is not served here.',
  }).output(z.void()),
  requestAccess: post('/access-requests', 'requestAccess', {
    needs: 'token',
    tag: 'Account',
    status: 204,
    idempotent: false,
    summary: 'Ask the administrators for access, signed in but without an account',
    description:
      'Asking again while the request waits changes nothing. 409 `has_account` when there is an account already, 429 `access_limit` after too many requests from one place.',
  })
    .input(
      z
        .strictObject({ message: lines(500).optional().describe('Who you are, in your own words') })
        .meta({ examples: [{ message: 'I am the new treasurer of the Lyon chapter.' }] }),
    )
    .output(z.void()),
  acceptInvitation: post('/rpc/accept_invitation', 'acceptInvitation', {
    needs: 'token',
    tag: 'Account',
    status: 204,
    idempotent: false,
    perHour: 60,
    summary: 'Accept an invitation with the link of its mail: the account is the caller’s from now on',
    description:
      '404 `link_invalid` for a link that is used, revoked or wrong; 410 `invitation_expired`; 409 `has_account` when the caller has an account already.',
  })
    .input(
      z
        .strictObject({ token: z.string().regex(/^[A-Za-z0-9_-]{20,60}$/, 'This is not the end of an invitation’s link.') })
        .meta({ examples: [{ token: 'AAAAAAAAAAAAAAAAAAAAAAAAAAA' }] }),
    )
    .output(z.void()),
  me: get('/me', 'getMe', {
    needs: 'signed-in',
    whileActing: true,
    tag: 'Account',
    summary: 'The signed-in account, its person, organisation and permissions',
  }).output(Me),
  changes: get('/me/changes', 'followChanges', {
    needs: 'signed-in',
    whileActing: true,
    withKey: false,
    tag: 'Account',
    summary: 'Server-sent events: progress of your jobs, changes of your rights, the end of your session',
    description:
      'Stays open until the access token expires, the session ends, or the server stops; connect again with the token of the moment. ' +
      '429 `too_many_streams` when the account has ten open at this server, 503 `stopping` or `streams_full` when this server takes no more.',
  })
    .input(
      z.strictObject({
        eventId: Id.optional().describe('Also tell of registrations and check-ins of this event'),
        campaignId: Id.optional().describe('Also tell of gifts to this campaign'),
        connectionId: Id.optional().describe('Also tell of the state, runs and metrics of this connection'),
      }),
    )
    .output(eventsOf(AccountChange)),
  updatePreferences: patch('/me/preferences', 'updatePreferences', {
    needs: 'signed-in',
    tag: 'Account',
    ifMatch: false,
    summary: 'Change theme, density, shortcuts, language, pins, hidden cards or default views; what is left out stays',
  })
    .input(Preferences)
    .output(Preferences),

  accounts: {
    list: get('/accounts', 'listAccounts', { needs: 'account.manage', tag, summary: 'Sign-in accounts, a page at a time' })
      .input(AccountsListInput)
      .output(page(AccountRow)),
    get: get('/accounts/{accountId}', 'getAccount', {
      needs: 'signed-in',
      tag,
      summary: 'An account with its rights; your own or, for administrators, any',
    })
      .input(OneAccount)
      .output(Account),
    invite: post('/accounts', 'inviteAccount', {
      needs: 'account.manage',
      perHour: 20,
      tag,
      summary: 'Invite someone: the first person to sign in with this verified address gets the account',
      description: '409 `account_exists` when an account with this address is already there.',
    })
      .input(
        z
          .strictObject({
            email: EmailAddress,
            name: text(150).optional(),
            personId: Id.optional(),
            roleIds: z
              .array(Id)
              .max(10, 'At most 10 roles can be given at once.')
              .optional()
              .describe('Roles in the whole organisation from today on; none that allows more than you hold'),
          })
          .meta({ examples: [{ email: 'ada@example.org', name: 'Ada Lovelace' }] }),
      )
      .output(Account),
    inviteAgain: post('/accounts/{accountId}/invitation', 'resendInvitation', {
      needs: 'account.manage',
      perHour: 60,
      tag,
      status: 200,
      ifMatch: true,
      summary: 'Mail an invitation again, good for another 14 days; earlier links end',
      description: '409 `not_invited_account` once somebody has signed in with the account.',
    })
      .input(OneAccount)
      .output(Account),
    revokeInvitation: del('/accounts/{accountId}/invitation', 'revokeInvitation', {
      needs: 'account.manage',
      tag,
      ifMatch: true,
      summary: 'Revoke an invitation: the account goes away with its roles, and its link opens nothing',
      description: '409 `not_invited_account` once somebody has signed in with the account; suspend it instead.',
    })
      .input(OneAccount)
      .output(z.void()),
    suspend: post('/accounts/{accountId}/suspend', 'suspendAccount', {
      needs: 'account.manage',
      tag,
      status: 200,
      ifMatch: true,
      summary: 'Lock an account out of everything; nobody suspends themselves',
    })
      .input(OneAccount)
      .output(Account),
    activate: post('/accounts/{accountId}/activate', 'activateAccount', {
      needs: 'account.manage',
      tag,
      status: 200,
      ifMatch: true,
      summary: 'Let a suspended or waiting account in',
    })
      .input(OneAccount)
      .output(Account),
    decline: post('/accounts/{accountId}/decline', 'declineAccount', {
      needs: 'account.manage',
      tag,
      status: 204,
      ifMatch: true,
      summary: 'Turn a request for access down: the waiting account goes away, and the person may ask again',
      description: '409 `not_waiting` for any other account. Suspend the account instead to hear no more from the person.',
    })
      .input(OneAccount)
      .output(z.void()),
    link: put('/accounts/{accountId}/person', 'linkAccount', {
      needs: 'account.manage',
      tag,
      ifMatch: true,
      summary: 'Link an account to a person; a waiting account becomes active',
      description: '409 `person_linked` when the person has another account.',
    })
      .input(OneAccount.extend({ personId: Id }))
      .output(Account),
    unlink: del('/accounts/{accountId}/person', 'unlinkAccount', {
      needs: 'account.manage',
      tag,
      status: 200,
      ifMatch: true,
      summary: 'Unlink the person from an account',
    })
      .input(OneAccount)
      .output(Account),
  },
  roles: {
    list: get('/roles', 'listRoles', { needs: 'signed-in', tag, summary: 'Roles and what each allows' }).output(
      z.object({ items: z.array(Role) }),
    ),
    create: post('/roles', 'createRole', {
      needs: 'account.manage',
      tag,
      summary: 'Make a role of your organisation’s own; it allows no more than you hold in the whole organisation',
    })
      .input(NewRole)
      .output(Role),
    update: patch('/roles/{roleId}', 'updateRole', {
      needs: 'account.manage',
      tag,
      ifMatch: false,
      summary: 'Change a role of your organisation’s own; who holds it has the new permissions at once',
    })
      .input(NewRole.partial().extend({ roleId: Id }))
      .output(Role),
    remove: del('/roles/{roleId}', 'removeRole', {
      needs: 'account.manage',
      tag,
      summary: 'Remove a role that was never given and that no office carries',
    })
      .input(z.strictObject({ roleId: Id }))
      .output(z.void()),
  },
  grants: {
    list: get('/grants', 'listGrants', {
      needs: 'signed-in',
      tag,
      summary: 'Who was given which role where; your own, or all for administrators',
    })
      .input(
        z.strictObject({
          accountId: Id.optional(),
          roleId: Id.optional(),
          chapterId: Id.optional(),
          groupId: Id.optional(),
          when: When.optional(),
          cursor: Cursor.optional(),
          limit: Limit.optional(),
        }),
      )
      .output(page(Grant)),
    add: post('/grants', 'addGrant', {
      needs: 'account.manage',
      tag,
      summary: 'Give an account a role; nobody gives more than they hold, nor anything to themselves',
    })
      .input(NewGrant)
      .output(Grant),
    update: patch('/grants/{grantId}', 'updateGrant', {
      needs: 'account.manage',
      tag,
      summary: 'Change the dates or the reason of a grant',
    })
      .input(
        z.strictObject({
          grantId: Id,
          startsOn: CalendarDate.optional(),
          endsOn: CalendarDate.nullable().optional(),
          reason: lines(500).optional(),
        }),
      )
      .output(Grant),
    end: del('/grants/{grantId}', 'endGrant', {
      needs: 'account.manage',
      tag,
      summary: 'Take a grant back at once; it keeps the days it held, and one that never held goes away',
    })
      .input(z.strictObject({ grantId: Id }))
      .output(z.void()),
  },
  audit: {
    list: get('/audit', 'listAudit', { needs: 'signed-in', tag, summary: 'The audit log as far as you may read it, newest first' })
      .input(AuditInput)
      .output(z.object({ items: z.array(AuditEntry), nextCursor: z.string().nullable() })),
    verify: get('/audit/verification', 'verifyAudit', {
      needs: 'audit.read',
      tag,
      summary: 'Walk the chain of the audit log and find the first entry that was tampered with',
    }).output(z.object({ checked: z.int(), firstBroken: z.int().nullable(), verifiedAt: Instant })),
  },
  mails: {
    list: get('/mails', 'listMails', {
      needs: 'account.manage',
      tag: 'Mail',
      summary: 'Outgoing mail, newest first',
      description: 'Subject and outcome of each. What a mail says is kept nowhere.',
    })
      .input(MailsInput)
      .output(page(OutgoingMail)),
    retry: post('/mails/{mailId}/retry', 'retryMail', {
      needs: 'account.manage',
      status: 200,
      perHour: 600,
      tag: 'Mail',
      summary: 'Send a mail that failed again',
    })
      .input(OneMail)
      .output(OutgoingMail),
    cancel: post('/mails/{mailId}/cancel', 'cancelMail', {
      needs: 'account.manage',
      status: 200,
      tag: 'Mail',
      summary: 'Cancel a mail that waits to be sent',
    })
      .input(OneMail)
      .output(OutgoingMail),
  },
  organisation: {
    get: get('/organisation', 'getOrganisation', {
      needs: 'signed-in',
      whileActing: true,
      tag,
      summary: 'Settings of the organisation',
    }).output(Organisation),
    update: patch('/organisation', 'updateOrganisation', {
      needs: 'organisation.manage',
      tag,
      summary: 'Change settings; what is left out stays',
    })
      .input(OrganisationChange)
      .output(Organisation),
  },
}
