import type { AreaKey } from '../../platform/navigation/area.ts'
import { createStore } from '../../platform/store.ts'

/** The palette, the keys, or the dialog that stands in place of an area's page. */
export type Overlay = 'palette' | 'shortcuts' | AreaKey

const open = createStore<Overlay | undefined>(undefined)

/** One of the shell's dialogs at a time. Kept outside React, so that opening one does not draw the page again. */
export const overlays = {
  open: (overlay: Overlay) => open.set(overlay),
  close: () => open.set(undefined),
  current: open.get,
  use: open.use,
}
