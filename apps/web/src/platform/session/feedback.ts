import { createStore } from '../store.ts'
import { notLoggedIn } from './session-tools.ts'
import type { Identity, SessionTool } from './session-tools.ts'

type Feedback = { offered: boolean; opened: boolean; who: Identity }

const state = createStore<Feedback>({ offered: false, opened: false, who: notLoggedIn })
const change = (part: Partial<Feedback>) => state.set((before) => ({ ...before, ...part }))

/** The built-in feedback form. An installation that has it switched off shows it nowhere. */
export const feedback = {
  use: state.use,
  offer: () => change({ offered: true }),
  open: () => change({ opened: true }),
  close: () => change({ opened: false }),
}

export const feedbackTool: SessionTool = { identify: (who) => change({ who }), reset: () => change({ who: notLoggedIn, opened: false }) }
