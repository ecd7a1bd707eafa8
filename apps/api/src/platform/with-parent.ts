/** Started by another process of ours (which holds an IPC channel): ends when that one is gone, however it went. */
export function endWithParent(close: () => Promise<unknown> | void): void {
  if (process.send) process.once('disconnect', () => void close())
}
