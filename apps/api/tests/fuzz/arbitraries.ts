import fc from 'fast-check'
import type { Operation, Schema } from '../operations.ts'

/** A request of the fuzz before it is written out: values, not text. */
export type Case = {
  path: Record<string, unknown>
  query: Record<string, unknown>
  body: unknown
  /** `current` stands for the version of the row that the address names. */
  ifMatch: string | null
  idempotencyKey: string | null
}
/** Ids of rows that are there, by the name of the parameter that takes them. */
export type KnownIds = (parameter: string) => readonly string[]

/** What breaks parsers, queries and pages, each as a text that a person could send. */
const nasty = [
  '',
  ' ',
  'null',
  'O’Brien',
  "'; drop table app.people; --",
  "' or 1=1 --",
  '1) union select null,null--',
  '$(id)',
  '{{7*7}}',
  '%_%_%_%_%_%_%',
  '\\',
  '\\%',
  '\u202eabc',
  'Ann\u200cLee\n',
  'e\u0301'.repeat(20),
  '👩‍👩‍👧‍👦',
  'A\u0000B',
  '\ud800',
  'İıſK',
  '../../etc/passwd',
  '=cmd|x!A1',
  '<script>1</script>',
  '__proto__',
  'constructor',
  '1e308',
  '-0',
  '٣',
] as const
const text = ({ minLength = 0, maxLength = 300 }: Schema) =>
  fc
    .oneof(
      { weight: 3, arbitrary: fc.string({ minLength, maxLength: Math.min(maxLength, minLength + 40) }) },
      { weight: 2, arbitrary: fc.string({ unit: 'binary', minLength, maxLength: Math.min(maxLength, minLength + 20) }) },
      { weight: 2, arbitrary: fc.constantFrom(...nasty) },
      { weight: 1, arbitrary: fc.constant('x'.repeat(Math.min(maxLength, 5_000))) },
    )
    .map((value) => value.slice(0, maxLength))

const dates = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .date({ min: new Date('1990-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
      .map((day) => day.toISOString().slice(0, 10)),
  },
  { weight: 1, arbitrary: fc.constantFrom('0001-01-01', '9999-12-31', '2024-02-29', '1582-10-10', '0000-01-01') },
)

/** Filters as the lists take them: mostly of the right shape, about fields that are and are not there. */
const filters = fc
  .record({
    and: fc.array(
      fc.record({
        or: fc.array(
          fc.record(
            {
              field: fc.oneof(
                fc.constantFrom(
                  'name',
                  'lifecycle',
                  'chapter',
                  'tag',
                  'joinedOn',
                  'gradYear',
                  'hasEmail',
                  'status',
                  'kind',
                  'within',
                  'mine',
                  'archived',
                  'lastLoginAt',
                  'city',
                  'email',
                ),
                fc.constantFrom('org_id', 'p.id', "name' or '1'='1", '__proto__', 'constructor', 'name; select 1', 'name::text'),
              ),
              op: fc.constantFrom(
                'is',
                'isNot',
                'in',
                'notIn',
                'contains',
                'startsWith',
                'before',
                'after',
                'between',
                'empty',
                'notEmpty',
                'like',
                '$ne',
              ),
              value: fc.oneof(
                fc.constantFrom(...nasty),
                dates,
                fc.integer(),
                fc.boolean(),
                fc.array(fc.oneof(dates, fc.integer(), fc.uuid()), { maxLength: 3 }),
              ),
            },
            { requiredKeys: ['field', 'op'] },
          ),
          { maxLength: 3 },
        ),
      }),
      { maxLength: 3 },
    ),
  })
  .map((filter) => JSON.stringify(filter))

/** Values that a schema allows, with its limits visited often. */
export function allowed(schema: Schema, name: string, ids: KnownIds): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((each) => allowed(each, name, ids)))
  if (name === 'filter' && schema.type === 'string')
    return fc.oneof({ weight: 4, arbitrary: filters }, { weight: 1, arbitrary: text(schema) })
  switch (schema.type) {
    case 'object': {
      const entries = Object.entries(schema.properties ?? {}).filter(([, inner]) => inner.contentMediaType === undefined)
      if (entries.length === 0 && typeof schema.additionalProperties === 'object') {
        return fc.dictionary(
          text({ minLength: 1, maxLength: schema.propertyNames?.maxLength ?? 40 }),
          allowed(schema.additionalProperties, name, ids),
          { maxKeys: 4 },
        )
      }
      return fc.record(Object.fromEntries(entries.map(([key, inner]) => [key, allowed(inner, key, ids)])), {
        requiredKeys: schema.required ?? [],
      })
    }
    case 'array':
      return fc.array(allowed(schema.items ?? {}, name, ids), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 4, (schema.minItems ?? 0) + 4),
      })
    case 'string':
      if (schema.format === 'uuid') {
        const known = ids(name)
        return known.length > 0
          ? fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...known) }, { weight: 1, arbitrary: fc.uuid() })
          : fc.uuid()
      }
      if (schema.format === 'date') return dates
      if (schema.format === 'date-time') return dates.map((day) => `${day}T12:00:00Z`)
      // Patterns that only leave characters out are of texts: most of them hold none of these.
      if (schema.pattern && !schema.pattern.endsWith(']*$')) return fc.oneof(shaped(schema.pattern), text(schema))
      return text(schema)
    case 'integer': {
      const { minimum = -2_147_483_648, maximum = 2_147_483_647 } = schema
      const [min, max] = [Math.max(minimum, -9e15), Math.min(maximum, 9e15)]
      return fc.oneof(fc.integer({ min, max }), fc.constantFrom(min, max))
    }
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

/** Patterns of the contract that say what a text looks like; an example stands for those that the generator cannot read. */
function shaped(pattern: string): fc.Arbitrary<string> {
  if (pattern.includes('@')) return fc.constantFrom('ann@example.org', 'ANN@EXAMPLE.ORG', 'a+b@x.y')
  try {
    return fc.stringMatching(new RegExp(pattern, 'u'), { size: 'small' })
  } catch {
    return fc.string({ maxLength: 20 })
  }
}

// What is not allowed --------------------------------------------------------------------------------------------------------------------

type Spoil = { at: number; how: number }
const spoils = fc.record({ at: fc.nat(40), how: fc.nat(24) })
const strange = [
  null,
  [],
  {},
  [['a']],
  { $ne: 1 },
  { $gt: '' },
  0,
  -1,
  1.5,
  1e308,
  9_007_199_254_740_993,
  true,
  '',
  'x'.repeat(10_001),
  ['a', 'b'],
  '2026-02-30',
  '2026-13-01',
  'not-a-uuid',
  '01920000-0000-7000-8000-00000000000g',
  { toString: 'x' },
] as const
const extras = ['orgId', 'org_id', 'role', 'verified', 'status', 'createdBy', 'constructor', 'toString', 'zz', '$where'] as const

/** Changes one value somewhere inside, takes one away, or puts one in that nobody asked for. */
function spoiled(value: unknown, { at, how }: Spoil): unknown {
  const copy: unknown = structuredClone(value)
  const places: { holder: Record<string, unknown> | unknown[]; key: string | number }[] = []
  const walk = (part: unknown) => {
    if (typeof part !== 'object' || part === null) return
    for (const key of Object.keys(part)) {
      places.push({ holder: part as Record<string, unknown>, key })
      walk((part as Record<string, unknown>)[key])
    }
  }
  walk(copy)
  const objects = [copy, ...places.map(({ holder, key }) => (holder as Record<string, unknown>)[key])].filter(
    (each): each is Record<string, unknown> => typeof each === 'object' && each !== null && !Array.isArray(each),
  )
  if (how === 24) return strange[at % strange.length]
  if (how === 23 && objects.length > 0) {
    const object = objects[at % objects.length]
    // A key of its own named __proto__, as a parser of JSON makes it.
    if (object)
      Object.defineProperty(object, at % 3 === 0 ? '__proto__' : (extras[at % extras.length] ?? 'zz'), {
        value: { admin: true },
        enumerable: true,
        configurable: true,
        writable: true,
      })
    return copy
  }
  const place = places[at % Math.max(1, places.length)]
  if (!place) return { zz: 1 }
  const holder = place.holder as Record<string, unknown>
  if (how >= 20) Reflect.deleteProperty(holder, place.key)
  else holder[place.key] = strange[how]
  return copy
}

/** Requests of an operation: half as the document allows, half with one thing wrong. */
export function cases(operation: Operation, ids: KnownIds): fc.Arbitrary<Case> {
  const named = (where: 'path' | 'query') => operation.parameters.filter((parameter) => parameter.in === where)
  const record = (where: 'path' | 'query') =>
    fc.record(Object.fromEntries(named(where).map(({ name, schema }) => [name, allowed(schema, name, ids)])), {
      requiredKeys: named(where).flatMap(({ name, required }) => (required ? [name] : [])),
    })
  const sound = fc.record({
    path: record('path'),
    query: record('query'),
    body: operation.body ? allowed(operation.body.schema, '', ids) : fc.constant(undefined),
    ifMatch: operation.ifMatch
      ? fc.oneof(
          { weight: 8, arbitrary: fc.constant('current') },
          { weight: 2, arbitrary: fc.constantFrom('"1"', 'W/"7"', '"0"', '*', '"x"', '999999999999', null) },
        )
      : fc.constant(null),
    idempotencyKey: operation.idempotent
      ? fc.option(fc.oneof(fc.uuid(), fc.constantFrom('short', 'k'.repeat(201), 'schlüssel-ä')), { freq: 10 })
      : fc.constant(null),
  })
  const wrong = fc.tuple(sound, spoils, fc.nat(9)).map(([one, spoil, part]): Case => {
    if (part < 2 && named('path').length > 0) return { ...one, path: spoiledFlat(one.path, spoil) }
    if (part < 6 && (named('query').length > 0 || !operation.body)) return { ...one, query: spoiledFlat(one.query, spoil, true) }
    return operation.body ? { ...one, body: spoiled(one.body, spoil) } : { ...one, query: spoiledFlat(one.query, spoil, true) }
  })
  return fc.oneof(sound, wrong)
}

/** One value of a flat record becomes another text, or one is put in; in a query it may also come twice or with brackets. */
function spoiledFlat(values: Record<string, unknown>, { at, how }: Spoil, mayAdd = false): Record<string, unknown> {
  const keys = Object.keys(values)
  const key = keys[at % Math.max(1, keys.length)]
  if (mayAdd && (how > 20 || key === undefined)) return { ...values, [extras[at % extras.length] ?? 'zz']: 'x' }
  if (key === undefined) return values
  if (mayAdd && how > 16) return { ...values, [key]: [values[key], 'second'] }
  if (mayAdd && how > 14) return { ...values, [`${key}[$ne]`]: 'x' }
  const texts = [
    '',
    '0',
    '-1',
    '1e308',
    'x'.repeat(9_000),
    'not-a-uuid',
    '%00',
    "' or 1=1 --",
    'null',
    'undefined',
    '[]',
    '٣',
    '1.5',
    '..',
    '\u202e',
  ]
  return { ...values, [key]: texts[how % texts.length] }
}
