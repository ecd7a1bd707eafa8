import { Plural, Trans } from '@lingui/react/macro'
import { onlineManager } from '@tanstack/react-query'
import { useMutationState } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import classes from './offline-banner.module.css'

/** Reads come from memory and changes wait in the queue of the query library until the network is back. */
export function OfflineBanner() {
  const online = useSyncExternalStore(
    (changed) => onlineManager.subscribe(changed),
    () => onlineManager.isOnline(),
  )
  const waiting = useMutationState({ filters: { predicate: ({ state }) => state.isPaused } }).length
  if (online) return null
  return (
    <div role="status" className={classes['banner']}>
      {waiting > 0 ? (
        <Trans>
          You are offline. <Plural value={waiting} one="# change is waiting to be sent." other="# changes are waiting to be sent." />
        </Trans>
      ) : (
        <Trans>You are offline. What was loaded before can still be read.</Trans>
      )}
    </div>
  )
}
