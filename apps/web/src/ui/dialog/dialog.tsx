import { Modal } from '@mantine/core'
import type { ModalProps } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Suspense, useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { Loading, SkeletonLines } from '../page/skeletons.tsx'

/**
 * A dialog whose focus is in its first field from the moment that field is there, also when it is fetched after the frame has opened:
 * what it holds may be lazy.
 */
export const Dialog = ({ children, ...props }: ModalProps) => (
  <Modal closeButtonProps={{ 'aria-label': t`Close` }} {...props}>
    <Body>{children}</Body>
  </Modal>
)

function Body({ children }: { children: ReactNode }) {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const body = element.current
    const dialog = body?.closest('[role="dialog"]')
    if (!body || !dialog) return
    const finish = () => {
      observer.disconnect()
      dialog.removeEventListener('keydown', finish)
      dialog.removeEventListener('pointerdown', finish)
    }
    const look = () => {
      const first = body.querySelector<HTMLElement>('[data-autofocus]') ?? body.querySelector<HTMLElement>(fields)
      if (!first) return
      // The frame's own look for it comes a moment later, and finds the same.
      first.dataset['autofocus'] = 'true'
      if (!(document.activeElement instanceof HTMLElement) || !document.activeElement.matches(fields)) first.focus({ preventScroll: true })
      finish()
    }
    const observer = new MutationObserver(look)
    observer.observe(body, { childList: true, subtree: true })
    // Whoever has begun to use the dialog is not interrupted.
    dialog.addEventListener('keydown', finish)
    dialog.addEventListener('pointerdown', finish)
    look()
    return finish
  }, [])
  return (
    <div ref={element} style={{ display: 'contents' }}>
      <Suspense
        fallback={
          <Loading label={t`Loading`}>
            <SkeletonLines count={8} />
          </Loading>
        }
      >
        {children}
      </Suspense>
    </div>
  )
}

const fields = 'input:not([type="hidden"], [type="file"], :disabled), select:not(:disabled), textarea:not(:disabled), [role="tree"]'
