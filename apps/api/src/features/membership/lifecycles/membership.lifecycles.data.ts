import { listPage } from '../../../platform/lists/list-page.ts'
import { mustFind, problem } from '../../../platform/procedures/problem.ts'
import { data } from '../../../platform/procedures/procedures.ts'
import { endLifecycleOverride, findLifecycleOverride, lifecycleOverridesList } from './membership.lifecycles.queries.ts'

const { lifecycles } = data.membership

export const lifecyclesData = lifecycles.router({
  list: lifecycles.list.handler(({ input, context }) => listPage(context, lifecycleOverridesList(input), input)),

  end: lifecycles.end.handler(({ input: { personId }, context }) =>
    context.inTx(async (db) => {
      if (!mustFind(await findLifecycleOverride(db, personId)).mayEnd)
        throw problem('FORBIDDEN', {
          reason: 'membership_decided_above',
          detail: 'This is decided by another officer, or by the chapter above.',
        })
      await endLifecycleOverride(db, personId)
    }),
  ),
})
