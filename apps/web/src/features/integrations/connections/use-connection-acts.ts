import { t } from '@lingui/core/macro'
import { useNavigate } from '@tanstack/react-router'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { useConnectionSaved, useIntegrationsChanged } from '../integrations-api.ts'
import type { Connection } from '../integrations-api.ts'

type Started = { isDry?: boolean; retryRunId?: string; retryErrorId?: string }

/** Runs, pauses and resumes a connection; what comes of a run is shown at once. */
export function useConnectionActs({ id: connectionId, slug, name, version }: Connection) {
  const { data, actions } = useApi()
  const navigate = useNavigate()
  const saved = useConnectionSaved()
  const changed = useIntegrationsChanged()
  const sent = { context: { ifMatch: version } }
  return {
    run: async (started: Started = {}) => {
      try {
        const run = await actions.integrations.run.call({ connectionId, ...started })
        await changed()
        await navigate({
          to: '/integrations/$integrationId',
          params: { integrationId: slug },
          search: { tab: 'runs', run: run.id },
        })
      } catch (problem) {
        toast.error(t`${name} was not run.`, problem)
      }
    },
    pause: async () => {
      try {
        const paused = await data.integrations.pause.call({ connectionId }, sent)
        await saved(paused)
        toast.undo(t`${name} paused`, async () => {
          await saved(await data.integrations.resume.call({ connectionId }, { context: { ifMatch: paused.version } }))
        })
      } catch (problem) {
        toast.error(t`${name} could not be paused.`, problem)
      }
    },
    resume: async () => {
      try {
        await saved(await data.integrations.resume.call({ connectionId }, sent))
        toast.success(t`${name} resumed`)
      } catch (problem) {
        toast.error(t`${name} could not be resumed.`, problem)
      }
    },
  }
}
