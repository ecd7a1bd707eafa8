import { SMTPServer } from 'smtp-server'
import type { Mailbox } from './mail-box.ts'
import { PlainError } from './plain-error.ts'

type Options = { mailbox: Mailbox; port: number; log: (line: string) => void }

const largestMessage = 10 * 1024 * 1024

/** Takes every mail, from this machine only. A message is only acknowledged once it is stored. */
export async function takeMail({ mailbox, port, log }: Options): Promise<() => Promise<void>> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: largestMessage,
    closeTimeout: 1000,
    onData: (stream, { envelope }, done) => {
      collect(stream)
        .then(async (source) => {
          if (stream.sizeExceeded || !source) throw withCode(552, 'Message too large')
          await mailbox.add(
            source,
            envelope.rcptTo.map(({ address }) => address),
          )
          done()
        })
        .catch((error: unknown) => {
          log(`Mail inbox: ${error instanceof Error ? error.message : String(error)}`)
          // 452 is not for good: a sender that keeps its mail tries again later.
          done(error instanceof Error && 'responseCode' in error ? error : withCode(452, 'Could not store the message'))
        })
    },
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: Error) =>
      reject('code' in error && error.code === 'EADDRINUSE' ? new PlainError(`Port ${port} is used by another program.`) : error),
    )
    server.listen(port, '127.0.0.1', resolve)
  })
  server.on('error', (error: Error) => log(`Mail inbox: ${error.message}`))
  return () => new Promise((resolve) => server.close(resolve))
}

const withCode = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode })

/** Read to the end in any case, as the sender waits for that; undefined when it was more than we keep. */
async function collect(stream: AsyncIterable<Buffer>): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream) {
    bytes += chunk.length
    if (bytes <= largestMessage) chunks.push(chunk)
  }
  return bytes <= largestMessage ? Buffer.concat(chunks) : undefined
}
