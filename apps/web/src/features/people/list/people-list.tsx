import { t } from '@lingui/core/macro'
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useDeferredValue, useEffect, useState } from 'react'
import type { Me } from '@guildhall/contract/features/account'
import { useRights } from '../../../platform/session/session.ts'
import { useShortcuts } from '../../../platform/navigation/shortcuts.ts'
import { Page } from '../../../ui/page/page.tsx'
import { part } from '../../../ui/page/part.tsx'
import { SavedViewTabs } from '../../../ui/list/saved-view-tabs.tsx'
import { useSelection } from '../../../ui/list/selection.ts'
import { useListWithFields } from '../../fields/fields-public.tsx'
import { ExportDialog, toSelection, useListView } from '../../lists/lists-public.tsx'
import type { ListSearch } from '../../lists/list-search-public.ts'
import { NewPersonDialog } from './new-person-dialog.tsx'
import { lastList, usePeople } from '../people-api.ts'
import { usePeopleColumns } from './people-columns.tsx'
import { usePeopleFields } from './people-fields.ts'
import { importHref, PeopleHeader } from './people-header.tsx'
import { PeopleListBar } from './people-list-bar.tsx'
import { PeopleRows } from './people-rows.tsx'
import type { PeopleSearch } from '../people-search.ts'
import { usePeopleViews, useUsualLook } from './people-views.ts'

// What the next click may need; the list comes first.
const PersonPanel = part(async () => (await import('../page/person-panel.tsx')).PersonPanel)
const BulkBar = part(async () => (await import('../bulk/bulk-bar.tsx')).BulkBar)

/** The directory. All that it shows is in its address; what is selected is not. */
export function PeopleList({ search, me }: { search: PeopleSearch; me: Me }) {
  const navigate = useNavigate()
  const can = useRights()
  const seesContact = can('people.contact')
  const [memberships, dues] = [can('memberships.read'), can('finance.read')]
  const { columns, fields } = useListWithFields('people', {
    columns: usePeopleColumns(seesContact),
    fields: usePeopleFields({ contact: seesContact, memberships, dues, giving: can('gifts.read') }),
  })
  const go = useCallback(
    (change: Partial<PeopleSearch>, replace = false) =>
      void navigate({ to: '/members', search: (before) => ({ ...before, ...change }), replace }),
    [navigate],
  )
  const view = useListView({
    list: 'people',
    builtIn: usePeopleViews({ home: me.person?.homeChapter, archive: can('people.write'), memberships, dues }),
    usual: useUsualLook(seesContact),
    search,
    onSearch: useCallback((next: ListSearch, { replace }: { replace: boolean }) => go({ ...next, panel: undefined }, replace), [go]),
  })
  const { look } = view
  const people = usePeople(look, look.columns, view.ready)
  // Without anything to do with them, rows are not ticked.
  const acts = can('people.write') || can('messages.write') || can('groups.manage') || can('memberships.manage') || can('people.export')
  const selection = useSelection(JSON.stringify([look.q, look.filter]))
  const [exporting, setExporting] = useState(false)
  const total = people.total ?? people.rows.length
  const panelId = search.panel?.startsWith('person:') ? search.panel.slice('person:'.length) : undefined
  // Somebody who comes back, with rows in hand, sees so at once; the tools and the rows follow. Else there is nothing to put off.
  const ready = useDeferredValue(true, people.query.isPending)
  // The row is marked at once, the panel follows.
  const shownId = useDeferredValue(panelId)
  const [editAt, setEditAt] = useState<string>()

  // The import has a page of its own; this address is where other systems and the menu point.
  const importing = search.import === 1
  useEffect(() => {
    if (importing) void navigate({ href: importHref, replace: true })
  }, [importing, navigate])
  const listed = people.rows.length > 0
  useEffect(() => {
    if (!listed) return
    void PersonPanel.fetch()
    void BulkBar.fetch()
  }, [listed])
  useEffect(() => lastList.set({ q: look.q, filter: look.filter, sort: look.sort }), [look])

  const isOpen = panelId !== undefined
  const openPanel = useCallback(
    (id: string | undefined, edit = false) => {
      setEditAt(edit ? id : undefined)
      go({ panel: id && `person:${id}` }, isOpen)
    },
    [go, isOpen],
  )
  const showFigures = useCallback((shown: boolean) => go({ figures: shown ? 1 : undefined }, true), [go])
  const startNew = useCallback(() => go({ new: 1 }), [go])
  const makeAudience = useCallback(() => {
    const people = { ...(look.q && { q: look.q }), ...(look.filter.and.length > 0 && { filter: look.filter }) }
    void navigate({ to: '/communication/{-$tab}', params: { tab: 'audiences' }, search: { people } })
  }, [navigate, look.q, look.filter])
  const startExport = useCallback(() => setExporting(true), [])
  useShortcuts([
    { keys: 'e', label: t`Edit the person in focus`, group: t`Members`, run: () => openPanel(focusedRow() ?? panelId, true) },
    ...(acts ? [{ keys: 'mod+a', label: t`Select all that match`, group: t`Members`, run: selection.selectAllMatching }] : []),
    ...(can('people.import')
      ? [{ keys: 'i', label: t`Import members`, group: t`Members`, run: () => void navigate({ href: importHref }) }]
      : []),
  ])

  return (
    <Page
      fill
      panel={shownId && <PersonPanel personId={shownId} startEditing={editAt === shownId} rows={people.rows} onShow={openPanel} />}
    >
      <PeopleHeader
        total={people.total}
        totalIsExact={people.totalIsExact}
        isEmpty={people.rows.length === 0}
        onAudience={makeAudience}
        onExport={startExport}
        onNew={startNew}
      />
      {ready && (
        <>
          <SavedViewTabs {...view.tabs} canShare={can('views.share')} />
          <PeopleListBar fields={fields} columns={columns} view={view} figures={search.figures === 1} onFigures={showFigures} />
          <PeopleRows
            columns={columns}
            view={view}
            people={people}
            selection={acts ? selection : undefined}
            activeId={panelId}
            onPeek={({ id }) => openPanel(id)}
            onOpen={(row) => void navigate({ to: '/person/$personId/{-$tab}', params: { personId: row.id } })}
            onNew={can('people.write') ? startNew : undefined}
            importHref={can('people.import') ? importHref : undefined}
          />
          {!selection.isEmpty && (
            <BulkBar selection={selection} question={look} total={total} totalIsExact={people.totalIsExact} onExport={startExport} />
          )}
          <ExportDialog
            opened={exporting}
            onClose={() => setExporting(false)}
            list="people"
            columns={look.columns.map((id) => (id === 'name' ? 'displayName' : id))}
            sort={look.sort}
            selection={toSelection(selection, look)}
            total={selection.isEmpty ? total : selection.count(total)}
            totalIsExact={people.totalIsExact || (selection.state.kind === 'some' && !selection.isEmpty)}
          />
          <NewPersonDialog
            opened={search.new === 1 && can('people.write')}
            home={me.person?.homeChapter ?? undefined}
            onClose={() => go({ new: undefined }, true)}
            onCreated={(id) => go({ new: undefined, panel: `person:${id}` }, true)}
          />
        </>
      )}
    </Page>
  )
}

const focusedRow = () => {
  const row = document.activeElement?.closest('[data-index]')
  return row?.querySelector('a[href^="/person/"]')?.getAttribute('href')?.split('/')[2]
}
