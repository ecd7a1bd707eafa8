import { t } from '@lingui/core/macro'
import { usePaletteCommands } from '../../platform/palette.ts'
import { useRights } from '../../platform/session.ts'
import { needs, tabs, tabWords } from './account-tabs.ts'

/** Every section of the settings that one may open, for the palette. */
export function SettingsPaletteSource() {
  const can = useRights()
  const words = tabWords()
  usePaletteCommands(
    tabs
      .filter((tab) => can(needs[tab]))
      .map((tab) => ({
        id: `settings:${tab}`,
        label: words[tab],
        hint: t`Account management`,
        to: `/account-management/${tab}`,
        onlyAsked: true,
      })),
  )
  return null
}
