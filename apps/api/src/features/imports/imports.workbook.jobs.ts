import { open, stat } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import type { Files } from '../../platform/files.ts'
import type { Refusal } from './imports.encoding.rules.ts'
import { damaged, workbookFault } from './imports.workbook.rules.ts'

export type Converted = { names: string[]; sheet: string | null; rows: number }

const rowLimit = 100_000
const memoryLimitMb = 200
const timeLimitMs = 25_000
const tooLarge: Refusal = {
  code: 'too_large',
  message: 'This workbook is too large to be read; 100,000 rows are the most.',
  fix: 'Save it as CSV, which may have a million rows.',
}

/** Turns one sheet of a stored workbook into CSV beside it, in a thread with a ceiling on memory and time. */
export async function convertWorkbook(
  files: Files,
  source: string,
  target: string,
  sheet: string | null,
): Promise<Converted | { refused: Refusal }> {
  const path = files.path(source)
  const fault = await contentsFault(path)
  if (fault) return { refused: fault }
  const worker = new Worker(new URL('./imports.workbook-thread.jobs.ts', import.meta.url), {
    workerData: { source: path, target: files.path(target), sheet, rowLimit },
    resourceLimits: { maxOldGenerationSizeMb: memoryLimitMb },
  })
  return new Promise((resolve) => {
    const end = (result: Converted | { refused: Refusal }) => {
      clearTimeout(timer)
      void worker.terminate()
      resolve(result)
    }
    const timer = setTimeout(() => end({ refused: tooLarge }), timeLimitMs)
    worker.once('message', (result: Converted) => end(result.rows > rowLimit ? { refused: tooLarge } : result))
    worker.once('error', (error: Error) =>
      end({ refused: 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge : damaged }),
    )
    worker.once('exit', () => end({ refused: damaged }))
  })
}

async function contentsFault(path: string): Promise<Refusal | null> {
  const { size } = await stat(path)
  const tail = Buffer.alloc(Math.min(size, 1_048_576))
  const file = await open(path)
  try {
    await file.read(tail, 0, tail.length, size - tail.length)
  } finally {
    await file.close()
  }
  return workbookFault(tail, size)
}
