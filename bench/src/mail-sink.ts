import { createServer } from 'node:net'
import type { Socket } from 'node:net'

/** What a mail server was given: how many mails, when, and one of them. */
export type MailSink = {
  url: string
  mails: number
  firstAt: number
  lastAt: number
  sample: string
  /** Counts from nothing again. */
  reset: () => void
  stop: () => Promise<void>
}

/** A mail server that takes everything at once and keeps nothing, so that it is never what is waited for. It counts mails with this subject only. */
export async function startSink(subject: string): Promise<MailSink> {
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    let isText = false
    let isOurs = false
    let rest = ''
    let text: string[] = []
    const say = (words: string) => socket.writable && socket.write(`${words}\r\n`)
    socket.on('error', () => undefined)
    socket.on('close', () => open.delete(socket))
    say('220 sink')
    socket.on('data', (chunk) => {
      const lines = (rest + chunk.toString('latin1')).split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (!isText) {
          isText = line === 'DATA'
          say(isText ? '354 go on' : /^QUIT/i.test(line) ? '221 bye' : '250 fine')
        } else if (line === '.') {
          isText = false
          if (isOurs) {
            sink.lastAt = performance.now()
            sink.mails += 1
            if (sink.mails === 1) [sink.firstAt, sink.sample] = [sink.lastAt, text.join('\r\n')]
          }
          text = []
          isOurs = false
          say('250 taken')
        } else {
          if (line === `Subject: ${subject}`) isOurs = true
          if (sink.mails === 0) text.push(line)
        }
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the mail server has no port')
  const nothing = { mails: 0, firstAt: 0, lastAt: 0, sample: '' }
  const sink: MailSink = {
    url: `smtp://127.0.0.1:${address.port}`,
    ...nothing,
    reset: () => void Object.assign(sink, nothing),
    stop: () => {
      for (const socket of open) socket.destroy()
      return new Promise<void>((resolve) => void server.close(() => resolve()))
    },
  }
  return sink
}
