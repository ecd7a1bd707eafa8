import * as z from 'zod'
import { problem } from '../procedures/problem.ts'
import { runApart } from './apart.ts'
import type { Limits } from './apart.ts'
import { Inspected, refusals } from './inspection-task.ts'
import type { Refusal, Task } from './inspection-task.ts'

const Answer = z.union([Inspected, z.object({ refused: z.string() })])
const isRefusal = (value: string): value is Refusal => Object.hasOwn(refusals, value)

const limits: Limits = { heapMb: 256, memoryMb: 700, cpuSeconds: 30, wallMs: 45_000, addons: true }

/** Finds out what a file is, and writes pictures anew, in a process of its own (docs/decisions/0024-files-read-apart.md). */
export async function inspect(task: Task): Promise<Inspected> {
  const end = await runApart(new URL('./inspection-apart.ts', import.meta.url), task, `${task.folder}/*`, limits)
  if (end.ended === 'busy')
    throw problem('SERVICE_UNAVAILABLE', {
      reason: 'files_busy',
      detail: 'Several files are being read right now. Try again in a minute.',
    })
  const answer = end.ended === 'answer' ? Answer.parse(end.answer) : { refused: end.ended === 'failed' ? 'broken' : 'too_complex' }
  if (!('refused' in answer)) return answer
  throw refused(isRefusal(answer.refused) ? answer.refused : 'broken')
}

const refused = (why: Refusal) =>
  problem(['not_accepted', 'wrong_type', 'not_a_picture', 'macros'].includes(why) ? 'UNSUPPORTED_MEDIA_TYPE' : 'UNPROCESSABLE_CONTENT', {
    reason: `file_${why}`,
    detail: refusals[why],
  })
