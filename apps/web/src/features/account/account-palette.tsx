import { useLingui } from '@lingui/react'
import { t } from '@lingui/core/macro'
import { usePaletteCommands } from '../../platform/navigation/palette.ts'
import { inOrder, openTo } from '../../platform/navigation/sections.tsx'
import { useRights } from '../../platform/session/session.ts'
import { useSlot } from '../../platform/navigation/slots.tsx'

/** Every section of the settings that one may open, for the palette. */
export function SettingsPaletteSource() {
  const { i18n } = useLingui()
  const can = useRights()
  const sections = inOrder(useSlot('accountTabs'))
  usePaletteCommands(
    openTo(sections, {}, can).map(({ key, label }) => ({
      id: `settings:${key}`,
      label: i18n._(label),
      hint: t`Account management`,
      to: `/account-management/${key}`,
      onlyAsked: true,
    })),
  )
  return null
}
