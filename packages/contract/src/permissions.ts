/** Every permission there is, with what it allows. Roles bundle them; a scope says where they hold. */
export const permissions = {
  'people.directory': 'See people: names, chapters, offices and public fields',
  'people.contact': 'See e-mail addresses, telephone numbers and postal addresses',
  'people.sensitive': 'See minors, birth dates and private notes',
  'people.write': 'Create and edit people, their affiliations and tags',
  'people.import': 'Import files',
  'people.export': 'Export lists',
  'chapters.edit': 'Edit a chapter’s page',
  'chapters.manage': 'Create, move and close chapters',
  'positions.appoint': 'Define offices and appoint officers',
  'groups.read': 'See the groups that are open to members',
  'groups.manage': 'Create groups and manage their members',
  'memberships.read': 'See memberships, their terms and applications',
  'memberships.manage': 'Approve, renew and change memberships',
  'views.share': 'Share saved views with the organisation',
  'account.manage': 'Manage accounts, roles and grants',
  'organisation.manage': 'Change the organisation’s settings and read its contact messages',
  'finance.read': 'See dues, invoices, payments and receipts',
  'finance.manage': 'Set dues, issue invoices and record payments and refunds',
  'audit.read': 'Read the audit log',
  'events.read': 'See events for members',
  'events.manage': 'Create and edit events, and see and manage who registers',
  'events.publish': 'Publish and cancel events',
  'events.checkin': 'Check people in at events',
} as const

export type Permission = keyof typeof permissions
