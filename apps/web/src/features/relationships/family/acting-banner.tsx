import { Button } from '@mantine/core'
import { Trans } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { acting } from '../../../platform/api/acting.ts'
import { useMe } from '../../../platform/session/session.ts'
import classes from './family.module.css'

/** Above every page while this tab acts for somebody: for whom, and the way back. */
export function ActingBanner() {
  return acting.use() === null ? null : <Banner />
}

function Banner() {
  const name = useMe().data?.person?.displayName
  const place = useFirstPlace()
  if (!place || name === undefined) return null
  return createPortal(
    <div role="status" className={classes['banner']}>
      <span>
        <Trans>
          You are acting for <strong>{name}</strong>.
        </Trans>
      </span>
      <Button variant="default" size="compact-sm" onClick={() => acting.set(null)}>
        <Trans>Stop acting</Trans>
      </Button>
    </div>,
    place,
  )
}

/** A place before everything else on the page; the frame itself knows nothing of acting, since it is part of the first load. */
function useFirstPlace(): HTMLElement | null {
  const [place, setPlace] = useState<HTMLElement | null>(null)
  useEffect(() => {
    const made = document.createElement('div')
    document.getElementById('main')?.prepend(made)
    setPlace(made)
    return () => made.remove()
  }, [])
  return place
}
