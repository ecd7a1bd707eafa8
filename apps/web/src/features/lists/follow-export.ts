import type { Export } from '@guildhall/contract/features/lists'
import { plural, t } from '@lingui/core/macro'
import { failureText } from '../../platform/api/reason-text.ts'
import type { Api } from '../../platform/api/api.tsx'
import { newsOf } from '../../platform/api/changes.ts'
import { reportProgress } from '../../platform/activity/progress.ts'
import { saveFile } from '../../ui/save-file.ts'
import { toast } from '../../platform/activity/toast.tsx'

const pauseMs = 1000
/** A passing loss of the network must not end the waiting; a server that stays away does. */
const mostFailures = 30

const isUnderWay = ({ status }: Export['job']) => status === 'queued' || status === 'running'

const followed = new Set<string>()

/** Shows an export in the progress tray until it ends, then hands the file over. */
export async function followExport(api: Api, started: Export) {
  if (followed.has(started.id)) return
  followed.add(started.id)
  let now = started
  let failures = 0
  const cancel = () =>
    void api.actions.lists.exports.cancel
      .call({ exportId: started.id })
      .catch((problem: unknown) => toast.error(t`The export could not be stopped.`, problem))
  report(now, cancel)
  while (isUnderWay(now.job)) {
    const news = await newsOf(now.job.id, pauseMs)
    try {
      // How far it is was told; what came of it stands with the export.
      if (news && isUnderWay(news)) now = { ...now, job: news }
      else now = await api.data.lists.exports.get.call({ exportId: started.id })
      failures = 0
    } catch (problem) {
      failures += 1
      if (failures < mostFailures) continue
      followed.delete(started.id)
      return toast.error(t`How far the export is could not be read.`, problem)
    }
    report(now, cancel)
  }
  followed.delete(started.id)
  if (now.job.status === 'done') await downloadExport(api, now)
  else if (now.job.status === 'failed')
    toast.error(now.job.error ? t`The export failed: ${failureText(now.job.error)}` : t`The export failed.`)
}

/** After a reload: what was still being exported goes on in the tray. */
export async function followRunningExports(api: Api) {
  const { items } = await api.data.lists.exports.list.call()
  for (const item of items) if (isUnderWay(item.job)) void followExport(api, item)
}

export async function downloadExport(api: Api, item: Export) {
  try {
    const file = await api.actions.lists.exports.download.call({ exportId: item.id })
    saveFile(file, file.name && file.name !== 'blob' ? file.name : `${item.list}.${item.format}`)
    const rows = item.rows ?? 0
    toast.success(plural(rows, { one: 'Export of # row downloaded', other: 'Export of # rows downloaded' }))
  } catch (problem) {
    toast.error(t`The file could not be fetched.`, problem)
  }
}

function report({ id, format, rows, job }: Export, cancel: () => void) {
  const kind = format.toUpperCase()
  reportProgress({
    id: `export:${id}`,
    label: t`Export as ${kind}`,
    done: job.done,
    total: job.total ?? undefined,
    state: job.status === 'queued' ? 'running' : job.status,
    cancel,
    result:
      job.status === 'done' ? plural(rows ?? job.done, { one: '# row', other: '# rows' }) : job.error ? failureText(job.error) : undefined,
  })
}
