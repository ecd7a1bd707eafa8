import { AccountChanges } from './account-changes.tsx'
import { AppShortcuts } from './app-shortcuts.tsx'
import { ChapterSwitcherHost } from './chapter-switcher-host.tsx'
import { PaletteHost } from './palette.tsx'
import { RunningBulk } from '../features/people/people-public.tsx'
import { RunningExports } from '../features/lists/running-exports-public.tsx'
import { PaletteSources } from './palette-sources.tsx'
import { ShortcutHelp } from './shortcut-help.tsx'

/** The keys and dialogs of the frame. The dialogs stay mounted, closed, so that each can fade in and out. */
export const ShellOverlays = () => (
  <>
    <AccountChanges />
    <AppShortcuts />
    <PaletteSources />
    <RunningExports />
    <RunningBulk />
    <PaletteHost />
    <ChapterSwitcherHost />
    <ShortcutHelp />
  </>
)
