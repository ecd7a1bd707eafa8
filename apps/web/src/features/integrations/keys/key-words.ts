import { neverForKeys } from '@guildhall/contract/features/integrations.keys'
import { permissions } from '@guildhall/contract/permissions'
import type { Permission } from '@guildhall/contract/permissions'
import { t } from '@lingui/core/macro'
import type { Tone } from '../../../ui/display/status-badge.tsx'
import type { ApiKey } from './keys-api.ts'

const isPermission = (name: string): name is Permission => Object.hasOwn(permissions, name)

/** Areas of permissions in the order of the screens, with the first words of their names; the last has all others. */
const areas = (): { key: string; label: string; subjects: readonly string[] }[] => [
  { key: 'people', label: t`People`, subjects: ['people'] },
  { key: 'chapters', label: t`Chapters and groups`, subjects: ['chapters', 'groups'] },
  { key: 'memberships', label: t`Memberships and relationships`, subjects: ['memberships', 'relationships'] },
  { key: 'events', label: t`Events`, subjects: ['events'] },
  { key: 'finance', label: t`Finance`, subjects: ['finance'] },
  { key: 'fundraising', label: t`Fundraising`, subjects: ['fundraising', 'gifts'] },
  { key: 'messages', label: t`Communication`, subjects: ['messages'] },
  { key: 'reports', label: t`Reports`, subjects: ['reports', 'views'] },
  { key: 'other', label: t`Organisation`, subjects: [] },
]

type PermissionGroup = { key: string; label: string; names: Permission[] }

/** Permissions that a key can have, grouped; without empty groups. */
export function permissionGroups(may: (name: Permission) => boolean): PermissionGroup[] {
  const known = areas()
  const areaOf = (name: Permission) => known.find(({ subjects }) => subjects.includes(name.split('.')[0] ?? ''))?.key ?? 'other'
  const names = Object.keys(permissions)
    .filter(isPermission)
    .filter((name) => !neverForKeys.includes(name) && may(name))
  return known
    .map(({ key, label }) => ({ key, label, names: names.filter((name) => areaOf(name) === key) }))
    .filter((group) => group.names.length > 0)
}

const dayMs = 86_400_000
const soonDays = 14

/** Whether a key that works today stops within two weeks. */
const isExpiring = ({ state, expiresAt }: Pick<ApiKey, 'state' | 'expiresAt'>) =>
  state === 'active' && Date.parse(expiresAt) - Date.now() < soonDays * dayMs

/** What a key's state is called, and its tone. */
export function stateOf(key: Pick<ApiKey, 'state' | 'expiresAt'>): { label: string; tone: Tone } {
  if (key.state === 'revoked') return { label: t`Revoked`, tone: 'neutral' }
  if (key.state === 'expired') return { label: t`Expired`, tone: 'bad' }
  return isExpiring(key) ? { label: t`Expires soon`, tone: 'warning' } : { label: t`Active`, tone: 'good' }
}

export const placeOf = ({ chapter }: Pick<ApiKey, 'chapter'>) => (chapter ? t`${chapter.name} and below` : t`Whole organisation`)
