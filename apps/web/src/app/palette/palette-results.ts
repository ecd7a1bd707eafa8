import uFuzzy from '@leeoniya/ufuzzy'
import { useLingui } from '@lingui/react'
import { t } from '@lingui/core/macro'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { usePaletteActions, usePaletteProviders } from '../../platform/navigation/palette.ts'
import type { PaletteItem } from '../../platform/navigation/palette.ts'
import { useRecentRecords } from '../../platform/activity/recent-records.ts'
import { useAllowedAreas, useAllowedKinds } from '../navigation/allowed-areas.ts'
import { overlays } from '../shell/overlays.ts'

type Group = { label: string; items: PaletteItem[] }

const debounceMs = 80
const shortest = 2
/** Below that nearly every word is alike. */
const shortestForgiven = 4

/** Recent records first, then what the features find, then pages and commands. */
export function usePaletteResults(typed: string) {
  const query = typed.trim()
  const providers = usePaletteProviders()
  const local = useLocalItems()
  const [settled] = useDebouncedValue(query, debounceMs)
  const asked = settled.length >= shortest
  const answers = useQueries({
    queries: providers.map(({ group, search }) => ({
      queryKey: ['palette', group, settled],
      queryFn: ({ signal }: { signal: AbortSignal }) => search(settled, signal),
      enabled: asked,
      staleTime: 30_000,
      placeholderData: keepPreviousData,
    })),
  })
  const found = asked ? providers.map(({ group }, index): Group => ({ label: group, items: answers[index]?.data ?? [] })) : []
  const [recent, ...own] = matchesIn([local.recent, local.pages, local.commands], query)
  const matching = [...found, ...own].filter(({ items }) => items.length > 0)
  // The kind with the best answer comes first; without words to go by, the order stays.
  const groups = [...(recent ? [recent] : []), ...matching.toSorted((one, other) => best(one, query) - best(other, query))]
  return {
    groups: groups.filter(({ items }) => items.length > 0),
    searching: query.length >= shortest && (query !== settled || answers.some(({ isFetching }) => isFetching)),
    failed: asked && answers.some(({ isError }) => isError),
  }
}

function useLocalItems(): Record<'recent' | 'pages' | 'commands', Group> {
  const { i18n } = useLingui()
  const recent = useRecentRecords()
  const areas = useAllowedAreas().flat()
  const kinds = useAllowedKinds()
  const registered = usePaletteActions()
  const pages: PaletteItem[] = areas.map(({ key, label, purpose, href, switcher }) => ({
    id: `page:${key}`,
    label: i18n._(label),
    hint: i18n._(purpose),
    ...(switcher ? { run: () => overlays.open(key) } : { to: href }),
  }))
  const own: PaletteItem[] = [
    { id: 'page:profile', label: t`Profile`, hint: t`Your own data and preferences`, to: '/profile' },
    { id: 'page:menu', label: t`Menu`, hint: t`Everything there is`, to: '/menu' },
  ]
  const create: PaletteItem[] = kinds.map(({ key, label, href }) => {
    const kind = i18n._(label)
    return { id: `new:${key}`, label: t`New: ${kind}`, to: href }
  })
  const asked = { onlyAsked: true }
  const help: PaletteItem[] = [
    { ...asked, id: 'help:contact', label: t`Help and contact`, hint: t`Write to the organisation`, to: '/contact' },
    { ...asked, id: 'help:preferences', label: t`Preferences`, hint: t`Language, theme, density, keyboard shortcuts`, to: '/profile' },
    { ...asked, id: 'help:privacy', label: t`Privacy notice`, to: '/privacy' },
    { ...asked, id: 'help:tos', label: t`Terms of service`, to: '/tos' },
    { ...asked, id: 'help:api', label: t`API documentation`, run: () => location.assign('/docs') },
  ]
  return {
    recent: { label: t`Recent`, items: recent.slice(0, 8).map(({ kind, id, label, to }) => ({ id: `recent:${kind}:${id}`, label, to })) },
    pages: { label: t`Pages`, items: [...pages, ...own] },
    commands: {
      label: t`Commands`,
      items: [...registered, ...create, { id: 'shortcuts', label: t`Keyboard shortcuts`, run: () => overlays.open('shortcuts') }, ...help],
    },
  }
}

// In each word one letter may be wrong, missing, too many or swapped with the next.
const forgiving = new uFuzzy({ intraMode: 1 })

type Finds = (items: readonly PaletteItem[], query: string) => PaletteItem[]

const exactly: Finds = (items, query) => {
  const words = fold(query).split(/\s+/).filter(Boolean)
  return items.filter(({ label, onlyAsked }) => (query || !onlyAsked) && words.every((word) => fold(label).includes(word)))
}

const roughly: Finds = (items, query) => {
  const alike = new Set(
    forgiving.filter(
      items.map(({ label }) => fold(label)),
      fold(query),
    ),
  )
  return items.filter((_, index) => alike.has(index))
}

/** Names that are nearly what was typed only where none is. */
function matchesIn(groups: readonly Group[], query: string): Group[] {
  const found = (finds: Finds) => groups.map(({ label, items }): Group => ({ label, items: finds(items, query) }))
  const exact = found(exactly)
  return query.length < shortestForgiven || exact.some(({ items }) => items.length > 0) ? exact : found(roughly)
}

/** How well the first item answers what was typed, as the server ranks: it is that, begins with it, a word of it does, or none. */
function best({ items: [first] }: Group, query: string): number {
  const [name, typed] = [fold(first?.label ?? ''), fold(query)]
  if (name === typed) return 0
  if (name.startsWith(typed)) return 1
  return typed.split(/\s+/).every((word) => ` ${name}`.includes(` ${word}`)) ? 2 : 3
}

const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLocaleLowerCase()
