import { Badge } from '@mantine/core'
import type { ReactNode } from 'react'

export type Tone = 'neutral' | 'good' | 'warning' | 'bad' | 'info' | 'accent'

const colors: Record<Tone, string> = { neutral: 'gray', good: 'green', warning: 'amber', bad: 'red', info: 'blue', accent: 'brand' }

/** Always a word, never colour alone. */
export function StatusBadge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <Badge variant="light" color={colors[tone]} radius="xl" size="md" tt="none" fw={500}>
      {children}
    </Badge>
  )
}
