import { useLingui } from '@lingui/react'
import { Suspense } from 'react'
import { useFrameSlot } from '../../platform/navigation/slots.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { SkeletonLines } from '../../ui/page/skeletons.tsx'
import { overlays } from '../shell/overlays.ts'

/** The frames stay, only their bodies are fetched when they are first opened. */
export function AreaSwitchers() {
  const { i18n } = useLingui()
  const overlay = overlays.use()
  return useFrameSlot('areas').map(
    ({ key, label, switcher: Switcher }) =>
      Switcher && (
        <Dialog key={key} opened={overlay === key} onClose={overlays.close} title={i18n._(label)} size="lg">
          <Suspense fallback={<SkeletonLines count={8} />}>{overlay === key && <Switcher onChosen={overlays.close} />}</Suspense>
        </Dialog>
      ),
  )
}
