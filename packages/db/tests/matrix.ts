import { sql } from 'kysely'
import type { ActorDb } from '../src/index.ts'
import { roles } from './stage.ts'
import type { Place, Role, Stage } from './stage.ts'

/** How each verb is tried on what a place holds; a verb that is left out is not tried. */
export type Attempts = {
  table: string
  /** Condition that finds the row. */
  row: (place: Place) => string
  insert?: (place: Place) => string
  /** The SET of an update that changes nothing that matters. */
  update?: string
  remove?: true
}
type Column = 'west' | 'east' | 'foreign'

const verbs = { S: 'select', I: 'insert', U: 'update', D: 'delete' } as const
type Verb = keyof typeof verbs

const refused = Symbol('roll back')

/** Which verbs each role may use on the rows of each place, as letters S I U D in the form of the expected grid. */
export async function tryAll(stage: Stage, attempts: Attempts, columns: readonly Column[]): Promise<string> {
  const lines: string[][] = []
  for (const role of roles)
    lines.push([role, ...(await Promise.all(columns.map((column) => tryOne(stage, role, attempts, stage[column]))))])
  return grid([['', ...columns], ...lines])
}

async function tryOne(stage: Stage, role: Role, attempts: Attempts, place: Place): Promise<string> {
  let allowed = ''
  for (const [letter, verb] of Object.entries(verbs)) {
    const text = statementOf(verb, attempts, place)
    if (text && (await works(stage, role, text))) allowed += letter
  }
  return allowed || '-'
}

function statementOf(verb: (typeof verbs)[Verb], { table, row, insert, update, remove }: Attempts, place: Place): string | undefined {
  if (verb === 'select') return `select 1 from app.${table} where ${row(place)}`
  if (verb === 'insert') return insert && `insert into app.${table} ${insert(place)}`
  if (verb === 'update') return update && `update app.${table} set ${update} where ${row(place)}`
  return remove && `delete from app.${table} where ${row(place)}`
}

/** Whether the statement touches a row; nothing of it stays. Any refusal but one for want of rights is a fault of the test. */
async function works({ database, actors }: Stage, role: Role, text: string): Promise<boolean> {
  let touched = false
  const run = async (db: ActorDb) => {
    const result = await sql.raw(text).execute(db)
    touched = result.rows.length > 0 || (result.numAffectedRows ?? 0n) > 0n
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- a mark that nothing else throws, to roll back
    throw refused
  }
  try {
    await database.asActor(actors[role], run)
  } catch (error) {
    const noRight = error instanceof Error && 'code' in error && error.code === '42501'
    if (error !== refused && !noRight) throw error
  }
  return touched
}

/** The grid as one writes it: whitespace does not matter. */
export const expected = (text: string) =>
  grid(
    text
      .trim()
      .split('\n')
      .map((line, index) => [...(index === 0 ? [''] : []), ...line.trim().split(/\s+/)]),
  )

const grid = (lines: string[][]) =>
  lines
    .map((cells) =>
      cells
        .map((cell) => cell.padEnd(15))
        .join('')
        .trimEnd(),
    )
    .join('\n')

/** How many rows a statement finds or touches as somebody; nothing of it stays. */
export async function rowsTouched({ database, actors }: Stage, role: Role, text: string): Promise<number> {
  let rows = 0
  await database
    .asActor(actors[role], async (db) => {
      const result = await sql.raw(text).execute(db)
      rows = Number(result.numAffectedRows ?? result.rows.length)
      // eslint-disable-next-line @typescript-eslint/only-throw-error -- a mark that nothing else throws, to roll back
      throw refused
    })
    .catch((error: unknown) => {
      if (error !== refused) throw error
    })
  return rows
}

/** How a guard is switched off, and on again. */
export type Guard = { off: string; on: string }
export const rowSecurity = (table: string): Guard => ({
  off: `alter table app.${table} disable row level security`,
  on: `alter table app.${table} enable row level security`,
})
export const triggerOf = (table: string, trigger: string): Guard => ({
  off: `alter table app.${table} disable trigger ${trigger}`,
  on: `alter table app.${table} enable trigger ${trigger}`,
})
/** What comes of it with a guard switched off: a test that sees no difference proves nothing. */
export async function withoutGuard<T>({ admin }: Stage, { off, on }: Guard, run: () => Promise<T>): Promise<T> {
  await admin.query(off)
  return run().finally(() => admin.query(on))
}
