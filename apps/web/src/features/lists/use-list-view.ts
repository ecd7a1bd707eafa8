import { t } from '@lingui/core/macro'
import { useMemo } from 'react'
import type { Filter } from '../../ui/filter/filter.ts'
import { emptyFilter, isComplete } from '../../ui/filter/filter.ts'
import type { SavedView as ViewTab } from '../../ui/list/saved-view-tabs.tsx'
import { toast } from '../../platform/activity/toast.tsx'
import type { ListSearch } from './list-search-public.ts'
import { useDefaultView, useSavedViews } from './lists-api.ts'
import type { ViewedList, ViewSpec } from './lists-api.ts'

/** How a list looks: what is searched, filtered, sorted and shown. */
export type Look = {
  q: string
  filter: Filter
  sort: string
  columns: readonly string[]
  layout: 'table' | 'cards'
  widths?: Readonly<Record<string, number>>
}

/** What a list asks the server for; conditions that are still being entered are left out. */
export function listInput({ q, filter, sort }: Pick<Look, 'q' | 'filter' | 'sort'>) {
  const and = filter.and.map(({ or }) => ({ or: or.filter(isComplete) })).filter(({ or }) => or.length > 0)
  return { limit: 100, sort, ...(q && { q }), ...(and.length > 0 && { filter: JSON.stringify({ and }) }) }
}

export type BuiltInView = { id: string; label: string; spec: ViewSpec }

type Options = {
  list: ViewedList
  /** The first is what the list opens with. */
  builtIn: readonly [BuiltInView, ...BuiltInView[]]
  usual: Look
  search: ListSearch
  /** Writes the address; typed text replaces, a choice is a step that Back undoes. */
  onSearch: (search: ListSearch, how: { replace: boolean }) => void
}

/** The chosen view, what the address changes about it, and what can be done with views. */
export function useListView({ list, builtIn, usual, search, onSearch }: Options) {
  const saved = useSavedViews(list)
  const usualView = useDefaultView(list)
  const first = builtIn[0].id
  // A default that was removed since is none; until the saved views are known, it may be one of them.
  const isThere = (id: string) => builtIn.some((view) => view.id === id) || saved.isPending || saved.views?.some((view) => view.id === id)
  const opening = usualView.id !== undefined && isThere(usualView.id) ? usualView.id : first
  const shown = search.view ?? opening
  const fixed = builtIn.find(({ id }) => id === shown)
  const own = saved.views?.find(({ id }) => id === shown)
  const lost = !fixed && !own && !saved.isPending
  const spec = fixed?.spec ?? own?.spec

  const { view, q, filter, sort, columns, layout, widths } = search
  const base = useMemo(() => lookOf(spec, usual), [spec, usual])
  const look = useMemo(() => overlay(base, { q, filter, sort, columns, layout, widths }), [base, q, filter, sort, columns, layout, widths])

  // The same object until something about the view changes: a list draws its bar anew whenever it is another one.
  return useMemo(() => {
    const changed = (['q', 'filter', 'sort', 'columns', 'layout', 'widths'] as const).some((part) => !same(look[part], base[part]))
    const set = (change: Partial<Look>, how: { replace?: boolean } = {}) => {
      const next = { ...look, ...change }
      const part = <Key extends keyof Look>(key: Key) => (same(next[key], base[key]) ? undefined : next[key])
      onSearch(
        {
          view: lost ? undefined : view,
          q: part('q'),
          filter: part('filter'),
          sort: part('sort'),
          columns: part('columns') && [...next.columns],
          layout: part('layout'),
          widths: part('widths') && { ...next.widths },
        },
        { replace: how.replace ?? false },
      )
    }
    const select = (id: string) => {
      onSearch(
        {
          view: id === opening ? undefined : id,
          q: undefined,
          filter: undefined,
          sort: undefined,
          columns: undefined,
          layout: undefined,
          widths: undefined,
        },
        { replace: false },
      )
    }
    const nowSpec = (): ViewSpec => specOf(look)

    const tabs: ViewTab[] = [
      ...builtIn.map(({ id, label }) => ({ id, label, fixed: true, opens: id === opening })),
      ...(saved.views ?? []).map(({ id, name, sharedWith, mine }) => ({
        id,
        label: name,
        mine,
        shared: sharedWith === 'organisation',
        opens: id === opening,
      })),
    ]
    return {
      look,
      /** The view as saved, without what the address changes. */
      base,
      changed,
      set,
      /** Nothing can be listed before the saved view an address names is known. */
      ready: Boolean(fixed ?? own ?? lost),
      /** The address names a view that is gone or was never shared with this reader. */
      lost,
      tabs: {
        views: tabs,
        current: fixed?.id ?? own?.id ?? first,
        changed,
        onSelect: select,
        onSaveAs: async (name: string, shared: boolean) => {
          const made = await saved.create(name, nowSpec(), shared)
          select(made.id)
        },
        onUpdate: (id: string) =>
          told(t`The view could not be saved.`, async () => {
            const before = own?.spec
            await saved.change(id, { spec: nowSpec() })
            select(id)
            if (before) toast.undo(t`View ${own.name} saved`, () => saved.change(id, { spec: before }))
          }),
        onRename: (id: string, name: string) => saved.change(id, { name }),
        onShare: (id: string, shared: boolean) =>
          told(t`The view could not be shared.`, () => saved.change(id, { sharedWith: shared ? 'organisation' : 'me' })),
        onOpenWith: (id: string) =>
          told(t`The default view could not be changed.`, async () => {
            const before = usualView.id
            const name = tabs.find((tab) => tab.id === id)?.label ?? ''
            await usualView.set(id === first ? undefined : id)
            toast.undo(t`${name} is now the default view`, () => usualView.set(before))
          }),
        onRemove: (id: string) =>
          told(t`The view could not be removed.`, async () => {
            const gone = saved.views?.find((known) => known.id === id)
            await saved.remove(id)
            if (id === shown) select(first)
            if (gone) toast.undo(t`View ${gone.name} removed`, () => saved.create(gone.name, gone.spec, gone.sharedWith === 'organisation'))
          }),
      },
    }
  }, [look, base, lost, view, fixed, own, builtIn, saved, usualView, opening, shown, first, onSearch])
}

async function told(failed: string, act: () => Promise<void>) {
  try {
    await act()
  } catch (problem) {
    toast.error(failed, problem)
  }
}

const lookOf = (spec: ViewSpec | undefined, usual: Look): Look => ({
  q: spec?.q ?? '',
  filter: spec?.filter ?? emptyFilter,
  sort: spec?.sort ?? usual.sort,
  columns: spec?.columns ?? usual.columns,
  layout: spec?.layout === 'cards' || spec?.layout === 'table' ? spec.layout : usual.layout,
  ...(spec?.widths && { widths: spec.widths }),
})

const overlay = (base: Look, search: ListSearch): Look => ({
  q: search.q ?? base.q,
  filter: search.filter ?? base.filter,
  sort: search.sort ?? base.sort,
  columns: search.columns ?? base.columns,
  layout: search.layout ?? base.layout,
  widths: search.widths ?? base.widths ?? noWidths,
})

const specOf = (look: Look): ViewSpec => ({
  ...(look.q && { q: look.q }),
  ...(look.filter.and.length > 0 && { filter: look.filter }),
  sort: look.sort,
  columns: [...look.columns],
  layout: look.layout,
  ...(look.widths && Object.keys(look.widths).length > 0 && { widths: { ...look.widths } }),
})

const noWidths: Readonly<Record<string, number>> = {}

const same = (one: unknown, other: unknown) => JSON.stringify(one ?? noWidths) === JSON.stringify(other ?? noWidths)
