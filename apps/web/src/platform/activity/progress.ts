import { createStore } from '../store.ts'

export type Progress = {
  id: string
  label: string
  done: number
  /** Unknown until the work has been counted. */
  total?: number | undefined
  state: 'running' | 'done' | 'failed' | 'cancelled'
  /** What came of it, once it ended. */
  result?: string | undefined
  to?: string | undefined
  cancel?: (() => void) | undefined
}

const store = createStore<readonly Progress[]>([])
export const useProgress = store.use

/** Shows long work in the header's tray; call again with the same id to move it on. */
export function reportProgress(progress: Progress) {
  store.set((before) =>
    before.some(({ id }) => id === progress.id) ? before.map((job) => (job.id === progress.id ? progress : job)) : [progress, ...before],
  )
}

export const dismissProgress = (id: string) => store.set((before) => before.filter((job) => job.id !== id))
export const forgetProgress = () => store.set([])
