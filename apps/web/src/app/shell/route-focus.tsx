import { VisuallyHidden } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

const patience = 5000

/**
 * After a change of path: to the top, the focus on the page's h1 and its title said aloud. A changed query string keeps
 * place and focus. The heading may come after its data, so it is awaited as long as nobody has moved on.
 */
export function RouteFocus() {
  const router = useRouter()
  const [said, setSaid] = useState('')

  useEffect(() => {
    let stopWaiting = () => {}
    const stop = router.subscribe('onResolved', ({ pathChanged, fromLocation }) => {
      if (!pathChanged || !fromLocation) return
      stopWaiting()
      window.scrollTo(0, 0)
      stopWaiting = whenHeading((heading) => {
        heading.focus({ preventScroll: true })
        setSaid(document.title)
      })
    })
    return () => {
      stop()
      stopWaiting()
    }
  }, [router])

  return (
    <VisuallyHidden role="status" aria-live="polite">
      {said}
    </VisuallyHidden>
  )
}

function whenHeading(found: (heading: HTMLElement) => void): () => void {
  const focusedBefore = document.activeElement
  const look = () => {
    if (document.activeElement !== focusedBefore && document.activeElement !== document.body) return stop()
    const heading = document.querySelector<HTMLElement>('main h1')
    if (!heading) return
    stop()
    found(heading)
  }
  const observer = new MutationObserver(look)
  const timer = setTimeout(() => observer.disconnect(), patience)
  const stop = () => {
    observer.disconnect()
    clearTimeout(timer)
  }
  observer.observe(document.body, { childList: true, subtree: true })
  look()
  return stop
}
