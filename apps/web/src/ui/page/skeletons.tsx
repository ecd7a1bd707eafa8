import { Skeleton } from '@mantine/core'
import { Trans } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import classes from './skeletons.module.css'

/** Nothing for 150 ms, then the shape of what comes, after 4 s a line of text: most answers never flash a skeleton. */
export function Loading({ children, label }: { children: ReactNode; label: string }) {
  const stage = useStage()
  return (
    <div aria-busy="true" aria-label={label} role="status">
      <div style={{ visibility: stage === 'quiet' ? 'hidden' : 'visible' }}>{children}</div>
      {stage === 'long' && (
        <p className={classes['long']}>
          <Trans>This takes longer than usual.</Trans>
        </p>
      )}
    </div>
  )
}

export const SkeletonLines = ({ count = 3, width = '100%' }: { count?: number; width?: string }) => (
  <div className={classes['lines']}>
    {Array.from({ length: count }, (_, index) => (
      <Skeleton key={index} height={14} width={index === count - 1 ? '60%' : width} />
    ))}
  </div>
)

export const SkeletonCards = ({ count = 6, height = 96 }: { count?: number; height?: number }) => (
  <div className={classes['cards']}>
    {Array.from({ length: count }, (_, index) => (
      <Skeleton key={index} height={height} radius="md" />
    ))}
  </div>
)

function useStage() {
  const [stage, setStage] = useState<'quiet' | 'shown' | 'long'>('quiet')
  useEffect(() => {
    const soon = setTimeout(() => setStage('shown'), 150)
    const late = setTimeout(() => setStage('long'), 4000)
    return () => {
      clearTimeout(soon)
      clearTimeout(late)
    }
  }, [])
  return stage
}
