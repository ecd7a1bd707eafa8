import { AccountChange } from '@guildhall/contract/features/account'

export type Follower = {
  status: number
  headers: Headers
  /** Everything that came so far. */
  events: AccountChange[]
  /** Until an event fits, or the seconds are over. */
  until(fits: (event: AccountChange) => boolean, seconds?: number): Promise<AccountChange | null>
  /** Seconds from now until the server ended it, null when it goes on for longer than that. */
  secondsToEnd(patience: number): Promise<number | null>
  leave(): void
}

/** Reads a stream of changes as a browser does; `watched` is the record that is looked at. */
export async function follow(address: string, token: string, watched: { eventId?: string; connectionId?: string } = {}): Promise<Follower> {
  const leaving = new AbortController()
  const answer = await fetch(`${address}/data/me/changes?${new URLSearchParams(watched).toString()}`, {
    headers: { authorization: `Bearer ${token}` },
    signal: leaving.signal,
  })
  const events: AccountChange[] = []
  const watchers = new Set<() => void>()
  let over = false
  const tell = () => watchers.forEach((watcher) => watcher())
  void read()

  async function read() {
    let text = ''
    try {
      for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        text += chunk
        const blocks = text.split('\n\n')
        text = blocks.pop() ?? ''
        for (const block of blocks) {
          const data = /^data: ?(.*)$/m.exec(block)?.[1]
          if (data && block.includes('event: message')) events.push(AccountChange.parse(JSON.parse(data)))
        }
        tell()
      }
    } catch {
      // Cut off: over as well.
    }
    over = true
    tell()
  }

  const when = (isSo: () => boolean, seconds: number) =>
    new Promise<boolean>((resolve) => {
      const finish = (is: boolean) => {
        watchers.delete(look)
        clearTimeout(timer)
        resolve(is)
      }
      const look = () => {
        if (isSo()) finish(true)
      }
      const timer = setTimeout(finish, seconds * 1000, false)
      watchers.add(look)
      look()
    })

  return {
    status: answer.status,
    headers: answer.headers,
    events,
    async until(fits, seconds = 5) {
      await when(() => events.some(fits), seconds)
      return events.find(fits) ?? null
    },
    async secondsToEnd(patience) {
      const start = performance.now()
      return (await when(() => over, patience)) ? (performance.now() - start) / 1000 : null
    },
    leave: () => leaving.abort(),
  }
}
