import { rm } from 'node:fs/promises'
import { runApart } from '../../../platform/files/apart.ts'
import type { Limits } from '../../../platform/files/apart.ts'
import type { Files } from '../../../platform/files/files.ts'
import { problem } from '../../../platform/procedures/problem.ts'
import type { Refusal } from './imports.encoding.rules.ts'
import { Answer, damaged, tooLarge } from './imports.workbook.rules.ts'
import type { Conversion, Converted } from './imports.workbook.rules.ts'
import type * as z from 'zod'

const limits: Limits = { heapMb: 320, memoryMb: 600, cpuSeconds: 30, wallMs: 45_000 }
const slow: Refusal = {
  reason: 'workbook_too_slow',
  message: 'This workbook takes too long to read.',
  fix: 'Save the sheet as CSV and upload that.',
}

/** Turns one sheet of a stored workbook into CSV beside it, in a process of its own (docs/decisions/0024-files-read-apart.md). */
export async function convertWorkbook(
  files: Files,
  source: string,
  target: string,
  sheet: string | null,
): Promise<Converted | { refused: Refusal }> {
  const end = await files.lend(source, (from) =>
    files.make(target, async (to) => {
      const task: z.infer<typeof Conversion> = { source: from, target: to, sheet }
      const ended = await runApart(new URL('./imports.workbook-reader.jobs.ts', import.meta.url), task, to, limits)
      if (ended.ended !== 'answer') await rm(to, { force: true })
      return ended
    }),
  )
  switch (end.ended) {
    case 'answer':
      return Answer.parse(end.answer)
    case 'memory':
      return { refused: tooLarge }
    case 'time':
      return { refused: slow }
    case 'busy':
      throw problem('SERVICE_UNAVAILABLE', {
        reason: 'reading_busy',
        detail: 'Several workbooks are being read right now. Try again in a minute.',
      })
    case 'failed':
      return { refused: damaged }
  }
}
