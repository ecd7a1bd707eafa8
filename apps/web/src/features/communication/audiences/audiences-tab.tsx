import { Button, Switch } from '@mantine/core'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { AudienceRow } from '@guildhall/contract/features/communication.audiences'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { pagedOptions } from '../../../platform/api/paged.ts'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { RelativeTime } from '../../../ui/display/relative-time.tsx'
import { SearchField } from '../../../ui/filter/search-field.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import type { EditedAudience } from './audience-dialog.tsx'
import rows from '../../../ui/display/row-cards.module.css'
import table from '../../../ui/display/small-table.module.css'
import classes from './audiences.module.css'

const AudienceDialog = lazy(async () => ({ default: (await import('./audience-dialog.tsx')).AudienceDialog }))
const page = getRouteApi('/signed-in/communication/{-$tab}')

/** Saved audiences of the places for which the caller writes messages. */
export function AudiencesTab() {
  const { audiences } = useApi().data.communication
  const { q = '', people } = page.useSearch()
  const navigate = page.useNavigate()
  const [archived, setArchived] = useState(false)
  // The people list hands over whom it shows.
  const [edited, setEdited] = useState<EditedAudience | undefined>(
    people && { start: { include: [{ kind: 'people', ...people }], exclude: [] } },
  )
  const list = useInfiniteQuery(pagedOptions(audiences.list, { limit: 50, ...(q && { q }), ...(archived && { archived }) }))
  const items = list.data?.items ?? []
  const change = async ({ id, name }: AudienceRow) => {
    try {
      setEdited({ change: await audiences.get.call({ audienceId: id }) })
    } catch (problem) {
      toast.error(t`“${name}” could not be opened`, problem)
    }
  }
  const close = () => {
    setEdited(undefined)
    if (people) void navigate({ search: (before) => ({ ...before, people: undefined }), replace: true })
  }
  return (
    <div className={classes['builder']}>
      <div className={classes['bar']}>
        <div className={classes['tools']}>
          <SearchField
            label={t`Search audiences`}
            value={q}
            onChange={(words) => void navigate({ search: (before) => ({ ...before, q: words || undefined }), replace: true })}
          />
          <Switch label={t`Archived`} checked={archived} onChange={({ currentTarget }) => setArchived(currentTarget.checked)} />
        </div>
        <Button onClick={() => setEdited({ start: { include: [], exclude: [] } })}>
          <Trans>New audience</Trans>
        </Button>
      </div>
      {list.isPending && (
        <Loading label={t`Loading audiences`}>
          <SkeletonLines count={6} />
        </Loading>
      )}
      {list.isError && <ProblemState problem={list.error} title={t`The audiences could not be loaded`} retry={() => void list.refetch()} />}
      {list.isSuccess && items.length === 0 && (
        <EmptyState title={q || archived ? t`No audience matches` : t`No audiences yet`} level={2}>
          {q || archived ? t`Search for something else.` : t`Save whom you often write to, and choose it for each message.`}
        </EmptyState>
      )}
      {items.length > 0 && <Audiences items={items} onChange={(audience) => void change(audience)} />}
      {list.hasNextPage && (
        <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          <Trans>Show more</Trans>
        </Button>
      )}
      <Suspense>{edited && <AudienceDialog edited={edited} onClose={close} />}</Suspense>
    </div>
  )
}

type AudiencesProps = { items: readonly AudienceRow[]; onChange: (audience: AudienceRow) => void }

function Audiences({ items, onChange }: AudiencesProps) {
  return (
    <div className={table['scroll']}>
      <table className={`${table['table']} ${rows['cards']}`}>
        <thead>
          <tr>
            <th scope="col">{t`Audience`}</th>
            <th scope="col">{t`For`}</th>
            <th scope="col">{t`People`}</th>
            <th scope="col">{t`Last used`}</th>
            <th scope="col">{t`Actions`}</th>
          </tr>
        </thead>
        <tbody>
          {items.map((audience) => (
            <Row key={audience.id} audience={audience} onChange={() => onChange(audience)} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Row({ audience, onChange }: { audience: AudienceRow; onChange: () => void }) {
  const { audiences } = useApi().data.communication
  const cache = useQueryClient()
  const { id, name, description, chapter, group, lastUsedAt, archivedAt, version } = audience
  const size = useQuery({ ...audiences.size.queryOptions({ input: { audienceId: id } }), enabled: archivedAt === null, retry: false })
  const changed = () => cache.invalidateQueries({ queryKey: audiences.key() })
  const restore = async (archivedVersion: number) => {
    await audiences.restore.call({ audienceId: id }, { context: { ifMatch: archivedVersion } })
    await changed()
  }
  const move = async () => {
    try {
      if (archivedAt !== null) {
        await restore(version)
        toast.success(t`“${name}” restored`)
        return
      }
      const archived = await audiences.archive.call({ audienceId: id }, { context: { ifMatch: version } })
      toast.undo(t`“${name}” archived`, () => restore(archived.version))
    } catch (problem) {
      toast.error(archivedAt === null ? t`“${name}” could not be archived` : t`“${name}” could not be restored`, problem)
    }
    await changed()
  }
  const place = chapter?.name ?? group?.name ?? t`Whole organisation`
  return (
    <tr>
      <th scope="row">
        {name}
        {description && <p className={classes['dim']}>{description}</p>}
      </th>
      <td className={rows['minor']}>{place}</td>
      <td className={rows['aside']}>
        {size.data && plural(size.data.total, { one: '# person', other: '# people' })}
        {size.isError && t`Cannot be counted`}
      </td>
      <td className={`${rows['minor']} ${rows['end']}`} data-label={t`Last used`}>
        {lastUsedAt ? <RelativeTime at={lastUsedAt} /> : t`Never`}
      </td>
      <td className={rows['acts']}>
        {archivedAt === null && (
          <Button variant="subtle" size="compact-sm" aria-label={t`Change ${name}`} onClick={onChange}>
            <Trans>Change</Trans>
          </Button>
        )}
        <Button
          variant="subtle"
          size="compact-sm"
          aria-label={archivedAt === null ? t`Archive ${name}` : t`Restore ${name}`}
          onClick={() => void move()}
        >
          {archivedAt === null ? <Trans>Archive</Trans> : <Trans>Restore</Trans>}
        </Button>
      </td>
    </tr>
  )
}
