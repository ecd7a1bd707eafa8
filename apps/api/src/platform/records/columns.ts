import type { Schema } from '@guildhall/db'

type Snake<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? First extends Lowercase<First>
    ? `${First}${Snake<Rest>}`
    : `_${Lowercase<First>}${Snake<Rest>}`
  : Name
type ColumnOf<Field> = Field extends string ? Snake<Field> : never
/** Every field has a column in the table. */
type Fits<Table extends keyof Schema, Fields> = { [Field in keyof Fields]: ColumnOf<Field> extends keyof Schema[Table] ? unknown : never }
type Columns<Fields> = { [Field in keyof Fields as ColumnOf<Field>]: Exclude<Fields[Field], undefined> }

/** Fields of the contract as columns of a table: givenName is given_name. What is undefined is left out, and so left as it is. */
export function columnsOf<Table extends keyof Schema, Fields extends object>(
  table: Table,
  fields: Fields & Fits<Table, Fields>,
): Columns<Fields>
export function columnsOf(_table: string, fields: object): object {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given.map(([field, value]): [string, unknown] => [columnName(field), value]))
}

const columnName = (field: string) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
