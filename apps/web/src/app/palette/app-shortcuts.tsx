import { useLingui } from '@lingui/react'
import { t } from '@lingui/core/macro'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { preferences, setPreference } from '../../platform/session/preferences.ts'
import { lastUndoable } from '../../platform/activity/recent-changes.ts'
import { handleShortcut, useShortcuts } from '../../platform/navigation/shortcuts.ts'
import type { Shortcut } from '../../platform/navigation/shortcuts.ts'
import { undoAndTell } from '../../platform/activity/toast.tsx'
import { useAllowedAreas, useAllowedKinds } from '../navigation/allowed-areas.ts'
import { useCurrentArea } from '../navigation/current-area.ts'
import { overlays } from '../shell/overlays.ts'
import { holdTyping } from './typed-ahead.ts'

/** The keys that work on every page. */
export function AppShortcuts() {
  const { i18n } = useLingui()
  const navigate = useNavigate()
  const areas = useAllowedAreas().flat()
  const kinds = useAllowedKinds()
  const area = useCurrentArea()
  const go = (href: string) => void navigate({ href })
  const general = t`General`
  const goTo = t`Go to`
  const create = t`Create`
  const here = kinds.find(({ href }) => href.startsWith(areas.find(({ key }) => key === area)?.href || '-'))

  const shortcuts: Shortcut[] = [
    { keys: 'mod+k', label: t`Search, go to, run a command`, group: general, run: openPalette },
    { keys: '?', label: t`Show these keys`, group: general, run: () => overlays.open('shortcuts') },
    { keys: '/', label: t`Search or filter the list`, group: general, run: focusSearch },
    { keys: 'mod+z', label: t`Undo the last change`, group: general, run: () => undoLast() },
    { keys: 'mod+\\', label: t`Narrow or widen the navigation`, group: general, run: toggleSidebar },
    ...areas.flatMap(({ goKey, label, href }) =>
      goKey ? [{ keys: `g ${goKey}`, label: i18n._(label), group: goTo, run: () => go(href) }] : [],
    ),
    ...kinds.map(({ key, label, href }) => ({ keys: `c ${key}`, label: i18n._(label), group: create, run: () => go(href) })),
    ...(here ? [{ keys: 'c enter', label: t`What this page lists`, group: create, run: () => go(here.href) }] : []),
  ]
  useShortcuts(shortcuts)

  useEffect(() => {
    document.addEventListener('keydown', handleShortcut)
    return () => document.removeEventListener('keydown', handleShortcut)
  }, [])
  return null
}

function openPalette() {
  if (overlays.current() === 'palette') return
  holdTyping()
  overlays.open('palette')
}

const focusSearch = () => document.querySelector<HTMLElement>('main [type="search"]')?.focus()

const toggleSidebar = () => setPreference('sidebar', preferences().sidebar === 'rail' ? 'open' : 'rail')

function undoLast() {
  const change = lastUndoable()
  if (change) void undoAndTell(change.id)
}
