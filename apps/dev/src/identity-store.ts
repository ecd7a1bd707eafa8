import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider'

type Entry = { payload: AdapterPayload; expiresAt: number }

/**
 * Sessions, grants and tokens, in memory: they end with the process. Unlike the library's own store it forgets nothing that is still
 * valid, so a long test run or many people at once do not sign each other out.
 */
export function createIdentityStore(): AdapterFactory {
  const entries = new Map<string, Entry>()

  const sweep = () => {
    for (const [key, { expiresAt }] of entries) if (expiresAt <= Date.now()) entries.delete(key)
  }
  const findBy = (model: string, matches: (payload: AdapterPayload) => boolean) => {
    for (const [key, { payload, expiresAt }] of entries) {
      if (key.startsWith(`${model}:`) && expiresAt > Date.now() && matches(payload)) return payload
    }
    return undefined
  }

  return (model): Adapter => {
    const keyOf = (id: string) => `${model}:${id}`
    return {
      upsert: async (id, payload, expiresIn) => {
        if (entries.size % 100 === 0) sweep()
        entries.set(keyOf(id), { payload, expiresAt: expiresIn ? Date.now() + expiresIn * 1000 : Infinity })
      },
      find: async (id) => {
        const entry = entries.get(keyOf(id))
        return entry && entry.expiresAt > Date.now() ? entry.payload : undefined
      },
      findByUid: async (uid) => findBy(model, (payload) => payload.uid === uid),
      findByUserCode: async (userCode) => findBy(model, (payload) => payload.userCode === userCode),
      consume: async (id) => {
        const entry = entries.get(keyOf(id))
        if (entry) entry.payload.consumed = Math.floor(Date.now() / 1000)
      },
      destroy: async (id) => {
        entries.delete(keyOf(id))
      },
      revokeByGrantId: async (grantId) => {
        for (const [key, { payload }] of entries) {
          if (key.startsWith(`${model}:`) && payload.grantId === grantId) entries.delete(key)
        }
      },
    }
  }
}
