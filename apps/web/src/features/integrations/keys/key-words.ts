import { neverForKeys } from '@guildhall/contract/features/integrations.keys'
import { permissions } from '@guildhall/contract/permissions'
import type { Permission } from '@guildhall/contract/permissions'
import { t } from '@lingui/core/macro'
import type { Tone } from '../../../ui/display/status-badge.tsx'
import type { ApiKey } from './keys-api.ts'

const isPermission = (name: string): name is Permission => Object.hasOwn(permissions, name)

/** What keys can be given, of each area; the order of the screens. */
const areas: { key: string; subjects: readonly string[] }[] = [
  { key: 'people', subjects: ['people'] },
  { key: 'chapters', subjects: ['chapters', 'groups'] },
  { key: 'memberships', subjects: ['memberships', 'relationships'] },
  { key: 'events', subjects: ['events'] },
  { key: 'finance', subjects: ['finance'] },
  { key: 'fundraising', subjects: ['fundraising', 'gifts'] },
  { key: 'messages', subjects: ['messages'] },
  { key: 'reports', subjects: ['reports', 'views'] },
]

const areaWords = (): Record<string, string> => ({
  people: t`People`,
  chapters: t`Chapters and groups`,
  memberships: t`Memberships and relationships`,
  events: t`Events`,
  finance: t`Finance`,
  fundraising: t`Fundraising`,
  messages: t`Communication`,
  reports: t`Reports`,
  other: t`Organisation`,
})

export type PermissionGroup = { key: string; label: string; names: Permission[] }

/** Permissions that a key can have, grouped; without empty groups. */
export function permissionGroups(may: (name: Permission) => boolean): PermissionGroup[] {
  const names = Object.keys(permissions).filter(isPermission)
  const areaOf = (name: string) => areas.find(({ subjects }) => subjects.some((subject) => name.startsWith(`${subject}.`)))?.key ?? 'other'
  const words = areaWords()
  return [...areas.map(({ key }) => key), 'other']
    .map((key) => ({
      key,
      label: words[key] ?? key,
      names: names.filter((name) => areaOf(name) === key && !neverForKeys.includes(name) && may(name)),
    }))
    .filter((group) => group.names.length > 0)
}

const dayMs = 86_400_000
const soonDays = 14

/** Whether a key that works today stops within two weeks. */
export const isExpiring = ({ state, expiresAt }: Pick<ApiKey, 'state' | 'expiresAt'>) =>
  state === 'active' && Date.parse(expiresAt) - Date.now() < soonDays * dayMs

/** What a key's state is called, and its tone. */
export function stateOf(key: Pick<ApiKey, 'state' | 'expiresAt'>): { label: string; tone: Tone } {
  if (key.state === 'revoked') return { label: t`Revoked`, tone: 'neutral' }
  if (key.state === 'expired') return { label: t`Expired`, tone: 'bad' }
  return isExpiring(key) ? { label: t`Expires soon`, tone: 'warning' } : { label: t`Active`, tone: 'good' }
}

export const placeOf = ({ chapter }: Pick<ApiKey, 'chapter'>) => (chapter ? t`${chapter.name} and below` : t`Whole organisation`)
