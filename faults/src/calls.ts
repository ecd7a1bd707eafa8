import { setTimeout as sleep } from 'node:timers/promises'

export type Answer = { status: number; text: string; body: unknown; headers: Headers }

/** One request; status 0 when the connection failed. */
export async function call(url: string, init: RequestInit = {}): Promise<Answer> {
  try {
    const response = await fetch(url, { ...init, signal: init.signal ?? AbortSignal.timeout(60_000) })
    const text = await response.text()
    return { status: response.status, text, body: response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : null, headers: response.headers }
  } catch (error) {
    return { status: 0, text: error instanceof Error ? `${error.message} ${String(error.cause)}` : String(error), body: null, headers: new Headers() }
  }
} // prettier-ignore

export const sending = (headers: Record<string, string>, body: unknown, more: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { ...headers, 'content-type': 'application/json', ...more },
  body: JSON.stringify(body),
})

export function refuse(answer: Answer, wanted: number): void {
  if (answer.status !== wanted) throw new Error(`answered ${answer.status} instead of ${wanted}: ${answer.text.slice(0, 300)}`)
}

/** Waits until something holds; answers the milliseconds that took, or fails after `seconds`. */
export async function until(what: string, seconds: number, holds: () => Promise<boolean>, everyMs = 50): Promise<number> {
  const started = performance.now()
  for (;;) {
    const isSo = await holds().catch(() => false)
    const took = performance.now() - started
    if (isSo) return took
    if (took > seconds * 1000) throw new Error(`${what} did not happen within ${seconds} s`)
    await sleep(everyMs)
  }
}

/** `count` turns in all, `users` at a time. */
export async function inParallel(users: number, count: number, turn: (nth: number) => Promise<void>): Promise<void> {
  let nth = 0
  await Promise.all(
    Array.from({ length: users }, async () => {
      while (nth < count) await turn(nth++)
    }),
  )
}
