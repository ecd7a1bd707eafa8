import { Button, SegmentedControl } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { createLazyRoute, useNavigate } from '@tanstack/react-router'
import { IconPlus, IconUsersGroup } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { usePageTitle } from '../../platform/navigation/page-title.ts'
import { useCan } from '../../platform/session/session.ts'
import { useFormats } from '../../ui/display/dates.tsx'
import { emptyFilter } from '../../ui/filter/filter.ts'
import type { Filter } from '../../ui/filter/filter.ts'
import { Page, PageHeader } from '../../ui/page/page.tsx'
import { useListWithFields } from '../fields/fields-public.tsx'
import { useListView } from '../lists/lists-public.tsx'
import type { BuiltInView } from '../lists/lists-public.tsx'
import { ExportButton, RecordTable } from '../lists/record-list-public.tsx'
import { GroupCard, useGroupColumns, useGroupFields } from './group-rows.tsx'
import { GroupTitles } from './group-titles.tsx'
import { useGroupBulk } from './group-bulk.tsx'
import { useGroups } from './groups-api.ts'
import { NewGroupDialog } from './new-group-dialog.tsx'

export const route = createLazyRoute('/signed-in/groups')({ component: GroupListPage })

const usual = {
  q: '',
  filter: emptyFilter,
  sort: 'name',
  columns: ['name', 'kind', 'chapter', 'members', 'tags', 'joining', 'mine'],
  layout: 'table' as const,
}

export function GroupListPage() {
  usePageTitle(t`Groups`)
  const search = route.useSearch()
  const navigate = useNavigate()
  const mayManage = useCan('groups.manage')
  const { number } = useFormats()
  const [exporting, setExporting] = useState(false)
  const go = (change: Partial<typeof search>, replace = false) =>
    void navigate({ to: '/groups', search: (before) => ({ ...before, ...change }), replace })
  const view = useListView({ list: 'groups', builtIn: useBuiltIn(), usual, search, onSearch: (next, { replace }) => go(next, replace) })
  const groups = useGroups(view.look, view.look.columns, view.ready && !search.titles)
  const { columns, fields } = useListWithFields('groups', { columns: useGroupColumns(), fields: useGroupFields() })
  const bulk = useGroupBulk(asksArchived(view.look.filter))
  const first = groups.data
  return (
    <Page fill>
      <PageHeader
        title={t`Groups`}
        meta={
          !search.titles &&
          first && (
            <span role="status">
              {first.totalIsExact ? (
                <Plural value={first.total ?? 0} one="# group" other="# groups" />
              ) : (
                <Trans>{number(first.total ?? 0)}+ groups</Trans>
              )}
            </span>
          )
        }
        actions={
          <>
            <SegmentedControl
              aria-label={t`Show`}
              value={search.titles ? 'titles' : 'groups'}
              onChange={(shown) => go({ titles: shown === 'titles' ? 1 : undefined, q: undefined })}
              data={[
                { value: 'groups', label: t`Groups` },
                { value: 'titles', label: t`Who does what` },
              ]}
            />
            {!search.titles && <ExportButton onClick={() => setExporting(true)} />}
            {mayManage && (
              <Button leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />} onClick={() => go({ new: 1 })}>
                <Trans>New group</Trans>
              </Button>
            )}
          </>
        }
      />
      {search.titles ? (
        <GroupTitles q={search.q ?? ''} onSearch={(q) => go({ q: q || undefined }, true)} />
      ) : (
        <RecordTable
          list="groups"
          view={view}
          records={groups}
          columns={columns}
          fields={fields}
          nameColumn="name"
          icon={IconUsersGroup}
          words={{
            title: t`Groups`,
            search: t`Search groups`,
            noMatch: t`No group matches`,
            none: t`No groups yet`,
            about: t`Committees, cohorts, interests and teams: people who do something together, across chapters.`,
            failed: t`The groups could not be loaded`,
            create: t`New group`,
          }}
          onOpen={({ id }) => void navigate({ to: '/groups/$groupId', params: { groupId: id } })}
          onNew={mayManage ? () => go({ new: 1 }) : undefined}
          renderCard={(group) => <GroupCard group={group} />}
          exportColumns={exportColumns}
          bulk={bulk}
          exporting={exporting}
          onExporting={setExporting}
        />
      )}
      <NewGroupDialog opened={search.new === 1 && mayManage} onClose={() => go({ new: undefined }, true)} />
    </Page>
  )
}

const asksArchived = ({ and }: Filter) => and.some(({ or }) => or.some(({ field, value }) => field === 'archived' && value === true))

/** The names that the file's columns have; how one joins oneself is of no use in a file. */
const exportColumns = (shown: readonly string[]) => shown.filter((id) => id !== 'mine').map((id) => (id === 'joining' ? 'joinPolicy' : id))

const useBuiltIn = () =>
  useMemo((): [BuiltInView, ...BuiltInView[]] => {
    const only = (field: string, value: boolean | string[]) => ({
      filter: { and: [{ or: [{ field, op: Array.isArray(value) ? ('in' as const) : ('is' as const), value }] }] },
    })
    return [
      { id: 'all', label: t`All`, spec: {} },
      { id: 'mine', label: t`Mine`, spec: only('mine', true) },
      { id: 'committees', label: t`Committees`, spec: only('kind', ['committee', 'subcommittee']) },
      { id: 'open', label: t`Open to join`, spec: only('joinPolicy', ['open']) },
      { id: 'archived', label: t`Archived`, spec: only('archived', true) },
    ]
  }, [])
