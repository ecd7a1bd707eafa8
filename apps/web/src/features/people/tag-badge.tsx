import { Badge } from '@mantine/core'
import type { Person } from './people-api.ts'

export const TagBadge = ({ tag: { name, color } }: { tag: Person['tags'][number] }) => (
  <Badge variant="light" color={color} radius="sm" tt="none" fw={500} mr={4}>
    {name}
  </Badge>
)
