import { compose } from '@guildhall/db'
import type { Compilable, RawBuilder } from 'kysely'
import { mustFind } from '../procedures/problem.ts'

/** A raw statement in the form that `context.read` takes. */
export const statement = <T>(raw: RawBuilder<T>): Compilable<T> => ({ compile: () => raw.compile(compose) })

/** The one row of a statement; where there is none to see, the answer is NOT_FOUND. */
export async function readOne<T>(context: { read<Row>(query: Compilable<Row>): Promise<Row[]> }, query: Compilable<T>) {
  return mustFind((await context.read(query))[0])
}
