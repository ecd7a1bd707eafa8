import type { scimData } from '@guildhall/contract/features/integrations.scim'
import { right } from '../../grid.ts'
import { may } from '../../line.ts'
import type { AreaRows, PolicyOf } from '../../line.ts'

export const scimRights = {
  /** An identity provider is connected to the whole organisation, and its token gives roles. */
  connectProvider: right(
    'See the access of an identity provider and make its token',
    `                west below east
     admin           x    x     x
     owner           x    x     x`,
  ),
}

export const scimRowsOf = async ({ add, orgId }: Parameters<AreaRows>[0]): Promise<Record<string, string>> => ({
  scimConnectionId: await add('connections', {
    org_id: orgId,
    connector: 'scim',
    category: 'identity',
    name: 'Provider',
    state: 'connected',
  }),
})

const ids = { connectionId: 'scimConnectionId' }
export const scimPolicy: PolicyOf<typeof scimData> = {
  access: may(scimRights.connectProvider, { ids }),
  makeToken: may(scimRights.connectProvider, { ids }),
}
