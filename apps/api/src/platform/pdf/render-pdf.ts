import { randomUUID } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runApart } from '../files/apart.ts'
import type { Limits } from '../files/apart.ts'
import { problem } from '../procedures/problem.ts'
import type { PdfDocument } from './documents.ts'

const limits: Limits = { heapMb: 600, memoryMb: 1_000, cpuSeconds: 120, wallMs: 180_000 }

/** Lays a document out in a process of its own, so that the server goes on answering meanwhile. */
export async function renderPdf(document: PdfDocument): Promise<Buffer> {
  const target = join(tmpdir(), `guildhall-${randomUUID()}.pdf`)
  try {
    const { ended } = await runApart(new URL('./write-pdf.ts', import.meta.url), { target, document }, target, limits)
    if (ended === 'answer') return await readFile(target)
    if (ended === 'failed') throw new Error('a PDF document could not be laid out')
    throw problem('SERVICE_UNAVAILABLE', { reason: 'busy', detail: 'The document takes too long right now. Try again in a minute.' })
  } finally {
    await rm(target, { force: true })
  }
}
