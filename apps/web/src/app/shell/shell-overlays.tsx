import { Suspense } from 'react'
import { useSlot } from '../../platform/navigation/slots.tsx'
import { AccountChanges } from '../session/account-changes.tsx'
import { AppShortcuts } from '../palette/app-shortcuts.tsx'
import { AreaSwitchers } from '../navigation/area-switchers.tsx'
import { PaletteHost } from '../palette/palette.tsx'
import { ShortcutHelp } from '../palette/shortcut-help.tsx'

/** The keys and dialogs of the frame. The dialogs stay mounted, closed, so that each can fade in and out. */
export const ShellOverlays = () => (
  <>
    <AccountChanges />
    <AppShortcuts />
    <Mounted slot="paletteSources" />
    <Mounted slot="overlays" />
    <PaletteHost />
    <AreaSwitchers />
    <ShortcutHelp />
  </>
)

/** What features have mounted once; none of them waits for another. */
const Mounted = ({ slot }: { slot: 'paletteSources' | 'overlays' }) =>
  useSlot(slot).map((Part, index) => (
    <Suspense key={index}>
      <Part />
    </Suspense>
  ))
