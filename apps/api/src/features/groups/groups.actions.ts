import { actions } from '../../platform/procedures/procedures.ts'
import { groupsBulk } from './groups.bulk.data.ts'

const { bulk } = actions.groups

export const groupsActions = actions.groups.router({
  bulk: {
    preview: bulk.preview.handler(({ input, context }) => groupsBulk.preview(context, input)),
    run: bulk.run.handler(({ input, context }) => groupsBulk.run(context, input)),
  },
})
