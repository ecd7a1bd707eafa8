import { createInterface } from 'node:readline'
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { renderToStream } from '@react-pdf/renderer'
import * as z from 'zod'
import { elementOf, PdfDocument } from './documents.ts'

// The process in which a document is laid out (render-pdf.ts starts it): one line in, a file, one line out.

const Task = z.strictObject({ target: z.string(), document: PdfDocument })

for await (const line of createInterface(process.stdin)) {
  const { target, document } = Task.parse(JSON.parse(line))
  await pipeline(await renderToStream(elementOf(document)), createWriteStream(target, { mode: 0o600 }))
  await new Promise<void>((resolve) => process.stdout.write('{}', () => resolve()))
  break
}
// Its stdin stays open for as long as the server lives.
process.exit(0)
