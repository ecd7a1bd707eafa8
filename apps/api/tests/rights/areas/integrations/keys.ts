import type { apiKeysData } from '@guildhall/contract/features/integrations.keys'
import { right } from '../../grid.ts'
import { may } from '../../line.ts'
import type { AreaRows, PolicyOf } from '../../line.ts'
import { rights } from '../../rights.ts'

export const keysRights = {
  /** They are the organisation's, whichever chapter they hold in. */
  manageKeys: right(
    'See API keys and what they did, create, change and revoke them',
    `                west below east org
     admin           x    x     x    x
     owner           x    x     x    x`,
  ),
}
const { manageKeys } = keysRights

export const keysKinds = { apiKey: manageKeys }

type Place = Parameters<AreaRows>[0]
export async function keysRowsOf({ add, orgId, chapterId, canary }: Place): Promise<Record<string, string>> {
  const name = canary('apiKey')
  const account_id = await add('accounts', { org_id: orgId, kind: 'service', name: 'Key', status: 'active' })
  const apiKeyId = await add('api_keys', {
    ...{ org_id: orgId, account_id, name, prefix: 'ghk_abcdefgh', secret_hash: chapterId.replaceAll('-', '').repeat(2) },
    ...{ permissions: ['groups.read'], chapter_id: chapterId, per_minute: 60, expires_at: '2099-01-01' },
  })
  await add('api_key_uses', { org_id: orgId, key_id: apiKeyId, at: new Date(), operation: name, method: 'GET', status: 200, count: 1 })
  return { apiKeyId }
}

export const keysPolicy: PolicyOf<typeof apiKeysData> = {
  list: may(rights.account, { shows: ['apiKey'] }),
  get: may(manageKeys, { shows: ['apiKey'] }),
  uses: may(manageKeys, { shows: ['apiKey'] }),
  activity: may(manageKeys),
  create: may(manageKeys, { send: { name: 'Website', permissions: ['groups.read'] } }),
  update: may(manageKeys, { send: { perMinute: 30 } }),
  revoke: may(manageKeys),
}
