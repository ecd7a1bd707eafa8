import { createStore } from '../store.ts'

const key = 'acting-for'

/** The person for whom this tab acts; null for oneself. A change is heard by `followSession`, which begins everything anew. */
export const acting = createStore(typeof sessionStorage === 'undefined' ? null : sessionStorage.getItem(key))

acting.subscribe(() => {
  const personId = acting.get()
  if (personId === null) sessionStorage.removeItem(key)
  else sessionStorage.setItem(key, personId)
})
