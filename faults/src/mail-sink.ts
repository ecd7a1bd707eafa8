import { createServer } from 'node:net'
import type { Socket } from 'node:net'

/** What a mail server does with one mail: takes it, says later, refuses it for good, or takes it and cuts the line before it has said so. */
export type SinkManner = 'take' | 'later' | 'refuse' | 'cut'

export type MailSink = {
  /** How often each recipient's mail was taken. */
  taken: Map<string, number>
  cuts: number
  url: string
  stop: () => Promise<void>
}

/** A mail server that counts what it took by recipient, and says so a moment later: whoever dies in between does not know. */
export async function startSink(mannerOf: (recipient: string) => SinkManner = () => 'take'): Promise<MailSink> {
  const sink: MailSink = { taken: new Map(), cuts: 0, url: '', stop: () => Promise.resolve() }
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    let recipient = ''
    let manner: SinkManner = 'take'
    let isText = false
    let rest = ''
    const say = (text: string) => socket.writable && socket.write(`${text}\r\n`)
    socket.on('error', () => undefined)
    socket.on('close', () => open.delete(socket))
    say('220 sink')
    socket.on('data', (chunk) => {
      const lines = (rest + chunk.toString()).split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (isText) {
          if (line !== '.') continue
          isText = false
          sink.taken.set(recipient, (sink.taken.get(recipient) ?? 0) + 1)
          if (manner === 'cut') {
            sink.cuts += 1
            socket.destroy()
            return
          }
          setTimeout(() => say('250 taken'), 25)
        } else if (/^RCPT TO:/i.test(line)) {
          recipient = /<([^>]*)>/.exec(line)?.[1] ?? ''
          manner = mannerOf(recipient)
          say(manner === 'later' ? '451 4.7.1 come back later' : manner === 'refuse' ? '550 5.1.1 no such user' : '250 fine')
        } else if (line === 'DATA') {
          isText = true
          say('354 go on')
        } else say(/^QUIT/i.test(line) ? '221 bye' : '250 fine')
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the mail server has no port')
  sink.url = `smtp://127.0.0.1:${address.port}`
  sink.stop = () => {
    for (const socket of open) socket.destroy()
    return new Promise<void>((resolve) => void server.close(() => resolve()))
  }
  return sink
}
