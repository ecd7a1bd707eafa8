import { t } from '@lingui/core/macro'
import { permissions } from '@guildhall/contract/permissions'
import { camel, useHistoryWords } from '../../../platform/activity/history-words.ts'
import type { AuditEntry } from '@guildhall/contract/features/account'

const listWords = (): Record<string, string> => ({
  people: t`People`,
  groups: t`Groups`,
  group_members: t`Group members`,
  chapters: t`Chapters`,
  positions: t`Offices and terms`,
  memberships: t`Memberships`,
  invoices: t`Invoices`,
})

export const actions = ['create', 'update', 'delete', 'export', 'import', 'undo', 'sign_in'] as const
export const actionWords = (): Record<(typeof actions)[number], string> => ({
  create: t`Added`,
  update: t`Changed`,
  delete: t`Removed`,
  export: t`Exported`,
  import: t`Imported`,
  undo: t`Undone`,
  sign_in: t`Signed in`,
})

/** What no feature names: columns of an event that the log is told of, and those that mean something else on a role. */
const ownFields = (): Record<string, string> => ({
  'roles.custom': t`Made by the organisation`,
  permission: t`Permission`,
  audience: t`Visible to`,
  deletedAt: t`Archived`,
  list: t`List`,
  format: t`File format`,
  rows: t`Rows`,
  columns: t`Columns`,
  file: t`File`,
})

/** As on a person's history, but for what that is not about. */
export function useAuditWords() {
  const { nouns, field, list, value } = useHistoryWords()
  return {
    kinds: [...nouns].map(([value, label]) => ({ value, label })),
    /** "Chapter"; of an export the list: "Group members". */
    noun: ({ action, entity }: Pick<AuditEntry, 'action' | 'entity'>) =>
      (action === 'export' ? (listWords()[entity] ?? list(entity)) : undefined) ?? nouns.get(entity) ?? entity.replaceAll('_', ' '),
    field: (entity: string, name: string) => ownFields()[`${entity}.${camel(name)}`] ?? ownFields()[camel(name)] ?? field(name),
    choice: (entity: string, name: string, chosen: unknown) =>
      choiceWord(entity, name, chosen) ?? (name === 'list' && typeof chosen === 'string' ? list(chosen) : value(entity, name, chosen)),
  }
}

/** What a choice is called, where the database keeps a short name for it. */
function choiceWord(entity: string, field: string, value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const words: Record<string, Record<string, string>> = {
    'accounts.status': { invited: t`Invited`, active: t`Active`, pending_link: t`Awaiting approval`, suspended: t`Suspended` },
    'chapters.level': {
      national: t`National body`,
      region: t`Region`,
      district: t`District`,
      chapter: t`Chapter`,
      club: t`Club`,
    },
    'chapters.status': {
      prospective: t`Prospective`,
      active: t`Active`,
      probation: t`On probation`,
      suspended: t`Suspended`,
      dormant: t`Dormant`,
      closed: t`Closed`,
    },
    'groups.kind': {
      committee: t`Committee`,
      subcommittee: t`Subcommittee`,
      interest: t`Interest group`,
      cohort: t`Cohort`,
      team: t`Team`,
      list: t`List`,
    },
    'groups.visibility': {
      public: t`Everybody signed in`,
      members: t`Members`,
      private: t`Members; roster visible to the group only`,
      secret: t`Group members only`,
    },
    'groups.join_policy': { open: t`Open to join`, request: t`On request`, invite: t`By invitation` },
    'group_members.status': {
      active: t`Member`,
      requested: t`Asked to join`,
      invited: t`Invited`,
      declined: t`Declined`,
      removed: t`Removed`,
    },
    'group_members.role': { leader: t`Leader`, moderator: t`Moderator`, member: t`Member` },
    'grants.scope_kind': { org: t`whole organisation`, chapter: t`Chapter`, group: t`Group` },
    'organisations.directory_reach': { organisation: t`whole organisation`, chapter: t`Own chapters` },
    'tags.audience': { officers: t`Officers only`, members: t`All members` },
    'tags.color': {
      gray: t`Grey`,
      brand: t`Brand colour`,
      green: t`Green`,
      red: t`Red`,
      amber: t`Amber`,
      blue: t`Blue`,
    },
    'imports.kind': listWords(),
    'role_permissions.permission': permissions,
  }
  const known = field === 'list' ? listWords() : words[`${entity}.${field}`]
  return known?.[value]
}
