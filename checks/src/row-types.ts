import type { Client } from 'pg'

type Column = {
  relation: string
  about: string | null
  name: string
  type: string
  nullable: boolean
  defaulted: boolean
  computed: boolean
  words: string[] | null
  comment: string | null
}

/** What the connection hands out for each type (packages/db/src/one-trip.ts); dates, instants and decimals stay text, so nothing is rounded or shifted. */
const scalars: Record<string, string> = {
  bool: 'boolean',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  oid: 'number',
  float4: 'number',
  float8: 'number',
  json: 'unknown',
  jsonb: 'unknown',
  bytea: 'Buffer',
}

/** One TypeScript interface per table and view of schema `app`, for Kysely, read from a migrated database's catalogue. */
export async function rowTypes(client: Client) {
  const { rows } = await client.query<Column>(columnsQuery)
  const relations = Map.groupBy(rows, (column) => column.relation)
  const interfaces = [...relations].map(([relation, columns]) => interfaceOf(relation, columns))
  const entries = [...relations.keys()].map((relation) => `  'app.${relation}': ${pascal(relation)}Row`)
  const markers = ['Generated', 'GeneratedAlways'].filter((marker) => interfaces.some((text) => text.includes(`${marker}<`)))
  return [
    '// Generated from the migrations by `npm run generate`; edit those instead.',
    `import type { ${markers.join(', ')} } from 'kysely'`,
    '',
    ...interfaces,
    'export interface Database {',
    ...entries,
    '}',
    '',
  ].join('\n')
}

/** A text column whose check lists its words becomes a union of them, so that rows fit the contract's enums without a cast. */
const columnsQuery = `
  select c.relname as relation,
         obj_description(c.oid, 'pg_class') as about,
         a.attname as name,
         case when t.typtype = 'd' then (select typname from pg_type b where b.oid = t.typbasetype) else t.typname end as type,
         not (a.attnotnull or t.typnotnull) as nullable,
         a.attgenerated = '' and a.atthasdef or a.attidentity = 'd' as defaulted,
         a.attgenerated <> '' or a.attidentity = 'a' as computed,
         (select array_agg(m[1]) from pg_constraint k,
                 regexp_matches(pg_get_constraintdef(k.oid), '''([^'']*)''::text', 'g') m
           where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]
             and pg_get_constraintdef(k.oid) ~ '^CHECK \\(\\(\\w+ = ANY \\(ARRAY\\[(''[^'']*''::text(, )?)+\\]\\)\\)\\)$') as words,
         col_description(c.oid, a.attnum) as comment
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid
   where c.relnamespace = 'app'::regnamespace and c.relkind in ('r', 'p', 'v', 'm') and not c.relispartition
   order by c.relname collate "C", a.attnum`

function interfaceOf(relation: string, columns: Column[]) {
  const about = columns[0]?.about
  return [
    ...(about ? [comment(about, '')] : []),
    `export interface ${pascal(relation)}Row {`,
    ...columns.flatMap((column) => [...(column.comment ? [comment(column.comment, '  ')] : []), `  ${column.name}: ${columnType(column)}`]),
    '}',
    '',
  ].join('\n')
}

function columnType({ type, nullable, defaulted, computed, words }: Column) {
  const value = words ? words.map((word) => `'${word}'`).join(' | ') : valueType(type)
  const orNull = nullable && value !== 'unknown' ? `${value} | null` : value
  if (computed) return `GeneratedAlways<${orNull}>`
  return defaulted ? `Generated<${orNull}>` : orNull
}

const valueType = (type: string) => (type.startsWith('_') ? `${scalars[type.slice(1)] ?? 'string'}[]` : (scalars[type] ?? 'string'))

const pascal = (name: string) => name.replace(/(^|_)([a-z])/g, (_, _bar: string, letter: string) => letter.toUpperCase())

const comment = (text: string, indent: string) => `${indent}/** ${text.replaceAll('*/', '* /').replace(/\s+/g, ' ')} */`
