import { t } from '@lingui/core/macro'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import type { Tone } from '../../ui/display/status-badge.tsx'
import type { Chapter, ChapterMember } from './chapters-api.ts'

type Level = Chapter['level']
type Status = Chapter['status']
export type Kind = ChapterMember['kind']

export const levelWords = (): Record<Level, string> => ({
  national: t`National body`,
  region: t`Region`,
  district: t`District`,
  chapter: t`Chapter`,
  club: t`Club`,
})

export const statusWords = (): Record<Status, string> => ({
  prospective: t`Prospective`,
  active: t`Active`,
  probation: t`On probation`,
  suspended: t`Suspended`,
  dormant: t`Dormant`,
  closed: t`Closed`,
})

const tones: Record<Status, Tone> = {
  prospective: 'info',
  active: 'good',
  probation: 'warning',
  suspended: 'bad',
  dormant: 'neutral',
  closed: 'neutral',
}

export const ChapterStatusBadge = ({ status }: { status: Status }) => (
  <StatusBadge tone={tones[status]}>{statusWords()[status]}</StatusBadge>
)

export const kindWords = (): Record<Kind, string> => ({
  member: t`Member`,
  alumni: t`Alumni`,
  advisor: t`Advisor`,
  friend: t`Friend`,
  applicant: t`Applicant`,
})

const kinds: readonly Kind[] = ['member', 'alumni', 'advisor', 'friend', 'applicant']
export const isKind = (value: unknown): value is Kind => kinds.some((kind) => kind === value)
export const kindOptions = () => kinds.map((value) => ({ value, label: kindWords()[value] }))

const levels: readonly Level[] = ['national', 'region', 'district', 'chapter', 'club']
export const levelOptions = () => levels.map((value) => ({ value, label: levelWords()[value] }))

const settable = ['prospective', 'active', 'probation', 'suspended', 'dormant'] as const
/** With those that nobody sets by hand. */
export const allStatusOptions = () => [...statusOptions(), { value: 'closed', label: statusWords().closed }]
export const statusOptions = () => settable.map((value) => ({ value, label: statusWords()[value] }))
