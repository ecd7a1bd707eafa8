const key = 'guildhall.tab'

/**
 * A duplicated tab copies the session storage and with it the refresh token; two tabs spending one token end both
 * sessions. The first holder of a tab's name keeps a lock for as long as it lives; whoever finds it taken is a copy.
 */
export async function isCopiedTab(storage: Storage, locks: LockManager | undefined): Promise<boolean> {
  if (!locks) return false
  const known = storage.getItem(key)
  if (known && (await hold(known, locks))) return false
  const fresh = crypto.randomUUID()
  storage.setItem(key, fresh)
  await hold(fresh, locks)
  return Boolean(known)
}

/** Resolves as soon as the lock is granted or refused; a granted lock is kept until the tab is gone. */
function hold(name: string, locks: LockManager): Promise<boolean> {
  return new Promise((resolve) => {
    void locks.request(`guildhall.tab.${name}`, { ifAvailable: true }, (lock) => {
      resolve(lock !== null)
      return lock ? new Promise(() => {}) : undefined
    })
  })
}
