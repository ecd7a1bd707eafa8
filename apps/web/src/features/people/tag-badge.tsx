import { Label } from '../../ui/status-badge.tsx'
import type { Person } from './people-api.ts'

export const TagBadge = ({ tag: { name, color } }: { tag: Person['tags'][number] }) => <Label color={color}>{name}</Label>
