import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { IconVideo } from '@tabler/icons-react'
import { useApi } from '../../platform/api/api.tsx'
import { pagedOptions } from '../../platform/api/paged.ts'
import { ProblemState } from '../../platform/api/problem-state.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { toast } from '../../platform/activity/toast.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { RelativeTime } from '../../ui/display/relative-time.tsx'
import { Loading, SkeletonLines } from '../../ui/page/skeletons.tsx'
import { ShowMore } from '../../ui/list/show-more.tsx'
import classes from './recordings.module.css'

/** Recorded sessions, to download for a player or to delete. */
export function Recordings() {
  const api = useApi()
  const cache = useQueryClient()
  const recordings = useInfiniteQuery(pagedOptions(api.data.recordings.list, { limit: 50 }, { keepsRows: false }))
  if (recordings.isPending) {
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={6} />
      </Loading>
    )
  }
  if (recordings.isError)
    return <ProblemState problem={recordings.error} title={t`The recordings could not be loaded`} retry={() => void recordings.refetch()} />
  const items = recordings.data.items
  if (items.length === 0) {
    return (
      <EmptyState icon={<IconVideo size={32} stroke={1.5} />} title={t`Nothing was recorded`}>
        <Trans>Where the recorder is switched on, sessions of the last 14 days are listed here.</Trans>
      </EmptyState>
    )
  }
  const download = async (recordingId: string) => {
    try {
      const recording = await api.data.recordings.get.call({ recordingId })
      saveFile(new Blob([JSON.stringify(recording.events)], { type: 'application/json' }), `recording-${recordingId}.json`)
    } catch (failure) {
      toast.error(t`The recording could not be downloaded.`, failure)
    }
  }
  const remove = async (recordingId: string) => {
    try {
      await api.data.recordings.remove.call({ recordingId })
    } catch (failure) {
      toast.error(t`The recording could not be deleted.`, failure)
    }
    await cache.invalidateQueries({ queryKey: api.data.recordings.key() })
  }
  return (
    <>
      <p>
        <Trans>Without texts and inputs. A player of rrweb recordings shows the downloaded file.</Trans>
      </p>
      <ul className={classes['list']}>
        {items.map(({ id, account, startedAt, bytes }) => {
          const who = account.name || account.email || t`Account`
          return (
            <li key={id} className={classes['item']}>
              <span>
                {who} · <RelativeTime at={startedAt} /> · <Trans>{Math.ceil(bytes / 1000)} kB</Trans>
              </span>
              <Button size="compact-sm" variant="default" aria-label={t`Download: ${who}`} onClick={() => void download(id)}>
                <Trans>Download</Trans>
              </Button>
              <Button size="compact-sm" variant="subtle" color="red" aria-label={t`Delete: ${who}`} onClick={() => void remove(id)}>
                <Trans>Delete</Trans>
              </Button>
            </li>
          )
        })}
      </ul>
      <ShowMore query={recordings} />
    </>
  )
}
