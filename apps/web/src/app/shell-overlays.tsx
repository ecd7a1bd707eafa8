import { ChapterSwitcherHost } from './chapter-switcher-host.tsx'
import { PaletteHost } from './palette.tsx'
import { PaletteSources } from './palette-sources.tsx'
import { ShortcutHelp } from './shortcut-help.tsx'

/** The dialogs of the frame. They stay mounted, closed, so that each can fade in and out. */
export const ShellOverlays = () => (
  <>
    <PaletteSources />
    <PaletteHost />
    <ChapterSwitcherHost />
    <ShortcutHelp />
  </>
)
