import { call, isProcedure } from '@orpc/server'
import type { AnyProcedure } from '@orpc/server'
import type { RecordReader } from './context.ts'

const byId = /^[^{]*\{(\w+)\}$/

/** Finds, for what a procedure answers, the one that reads a record of that very shape by its id. */
export function recordReader(router: unknown): RecordReader {
  const readers = new Map<unknown, { procedure: AnyProcedure; parameter: string }>()
  for (const procedure of proceduresOf(router)) {
    const { route } = procedure['~orpc']
    const outputSchema: unknown = procedure['~orpc'].outputSchema
    const parameter = route.method === 'GET' ? byId.exec(route.path ?? '')?.[1] : undefined
    if (outputSchema && parameter !== undefined) readers.set(outputSchema, { procedure, parameter })
  }
  return async (outputSchema, output, context) => {
    const reader = readers.get(outputSchema)
    if (!reader || typeof output !== 'object' || output === null || !('id' in output) || typeof output.id !== 'string') return null
    const read: unknown = await call(reader.procedure, { [reader.parameter]: output.id }, { context })
    return { output: read }
  }
}

function proceduresOf(part: unknown): AnyProcedure[] {
  if (isProcedure(part)) return [part]
  return typeof part === 'object' && part !== null ? Object.values(part).flatMap(proceduresOf) : []
}
