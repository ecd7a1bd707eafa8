import { Button } from '@mantine/core'
import { Plural, Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { useNavigate } from '@tanstack/react-router'
import { IconDownload, IconFileImport, IconUserPlus } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import type { Me } from '@guildhall/contract/features/account'
import { AppLink } from '../../../platform/app-link.tsx'
import { useRights } from '../../../platform/session.ts'
import { useShortcuts } from '../../../platform/shortcuts.ts'
import { BulkActionBar } from '../../../ui/bulk-action-bar.tsx'
import { useFormats } from '../../../ui/dates.tsx'
import { Page, PageHeader } from '../../../ui/page.tsx'
import { SavedViewTabs } from '../../../ui/saved-view-tabs.tsx'
import { useSelection } from '../../../ui/selection.ts'
import { ExportDialog, useListView } from '../../lists/lists-public.tsx'
import { BulkButtons } from '../bulk/bulk-buttons.tsx'
import { NewPersonDialog } from './new-person-dialog.tsx'
import { lastList, usePeople } from '../people-api.ts'
import { usePeopleColumns } from './people-columns.tsx'
import { usePeopleFields } from './people-fields.ts'
import { PeopleListBar } from './people-list-bar.tsx'
import { PeopleRows } from './people-rows.tsx'
import type { PeopleSearch } from '../people-search.ts'
import { usePeopleViews, useUsualLook } from './people-views.ts'
import { PersonPanel } from '../page/person-panel.tsx'
import { toSelection } from '../bulk/bulk-selection.ts'

/** The directory. All that it shows is in its address; what is selected is not. */
export function PeopleList({ search, me }: { search: PeopleSearch; me: Me }) {
  const navigate = useNavigate()
  const can = useRights()
  const { number } = useFormats()
  const seesContact = can('people.contact')
  const columns = usePeopleColumns(seesContact)
  const fields = usePeopleFields(seesContact)
  const go = (change: Partial<PeopleSearch>, replace = false) =>
    void navigate({ to: '/members', search: (before) => ({ ...before, ...change }), replace })
  const view = useListView({
    list: 'people',
    builtIn: usePeopleViews({ home: me.person?.homeChapter, archive: can('people.write') }),
    usual: useUsualLook(seesContact),
    search,
    onSearch: (next, { replace }) => go({ ...next, panel: undefined }, replace),
  })
  const { look } = view
  const people = usePeople(look, look.columns, view.ready)
  // Without anything to do with them, rows are not ticked.
  const acts = can('people.write') || can('groups.manage') || can('people.export')
  const selection = useSelection(JSON.stringify([look.q, look.filter]))
  const [exporting, setExporting] = useState(false)
  const total = people.total ?? people.rows.length
  const panelId = search.panel?.startsWith('person:') ? search.panel.slice('person:'.length) : undefined
  const [editAt, setEditAt] = useState<string>()

  // The import has a page of its own; this address is where other systems and the menu point.
  const importing = search.import === 1
  useEffect(() => {
    if (importing) void navigate({ href: importHref, replace: true })
  }, [importing, navigate])
  useEffect(() => lastList.set({ q: look.q, filter: look.filter, sort: look.sort }), [look])

  const openPanel = (id: string | undefined, edit = false) => {
    setEditAt(edit ? id : undefined)
    go({ panel: id && `person:${id}` }, panelId !== undefined)
  }
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
      panel={
        panelId && (
          <PersonPanel
            personId={panelId}
            startEditing={editAt === panelId}
            ids={people.rows.map(({ id }) => id)}
            onShow={(id) => openPanel(id)}
            onClose={() => openPanel(undefined)}
          />
        )
      }
    >
      <PageHeader
        title={t`Members`}
        meta={
          people.total !== undefined && (
            <span role="status">
              {people.totalIsExact ? (
                <Plural value={people.total} one="# person" other="# people" />
              ) : (
                <Trans>{number(people.total)}+ people</Trans>
              )}
            </span>
          )
        }
        actions={
          <>
            {can('people.import') && (
              <Button
                component={AppLink}
                href={importHref}
                variant="default"
                leftSection={<IconFileImport size={16} stroke={1.5} aria-hidden />}
              >
                <Trans>Import</Trans>
              </Button>
            )}
            {can('people.export') && (
              <Button
                variant="default"
                leftSection={<IconDownload size={16} stroke={1.5} aria-hidden />}
                disabled={people.rows.length === 0}
                onClick={() => setExporting(true)}
              >
                <Trans>Export</Trans>
              </Button>
            )}
            {can('people.write') && (
              <Button leftSection={<IconUserPlus size={16} stroke={1.5} aria-hidden />} onClick={() => go({ new: 1 })}>
                <Trans>New member</Trans>
              </Button>
            )}
          </>
        }
      />
      <SavedViewTabs {...view.tabs} canShare={can('views.share')} />
      <PeopleListBar
        fields={fields}
        columns={columns}
        view={view}
        figures={search.figures === 1}
        onFigures={(shown) => go({ figures: shown ? 1 : undefined }, true)}
      />
      <PeopleRows
        columns={columns}
        view={view}
        people={people}
        selection={acts ? selection : undefined}
        activeId={panelId}
        onPeek={(row) => openPanel(row.id)}
        onOpen={(row) => void navigate({ to: '/person/$personId/{-$tab}', params: { personId: row.id } })}
        onNew={can('people.write') ? () => go({ new: 1 }) : undefined}
        importHref={can('people.import') ? importHref : undefined}
      />
      <BulkActionBar selection={selection} total={total} totalIsExact={people.totalIsExact}>
        <BulkButtons
          selection={selection}
          question={look}
          total={total}
          totalIsExact={people.totalIsExact}
          onExport={() => setExporting(true)}
        />
      </BulkActionBar>
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
    </Page>
  )
}

const importHref = '/account-management/imports?kind=people'

const focusedRow = () => {
  const row = document.activeElement?.closest('[data-index]')
  return row?.querySelector('a[href^="/person/"]')?.getAttribute('href')?.split('/')[2]
}
