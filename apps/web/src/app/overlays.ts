import { createStore } from '../platform/store.ts'

export type Overlay = 'palette' | 'shortcuts' | 'chapters'

const open = createStore<Overlay | undefined>(undefined)

/** One of the shell's dialogs at a time. Kept outside React, so that opening one does not draw the page again. */
export const overlays = {
  open: (overlay: Overlay) => open.set(overlay),
  close: () => open.set(undefined),
  current: open.get,
  use: open.use,
}
