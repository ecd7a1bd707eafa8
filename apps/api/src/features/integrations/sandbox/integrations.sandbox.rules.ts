import { hash } from 'node:crypto'
import type { Remote, SandboxRecord, TheirField } from '../connectors/integrations.connector.rules.ts'

const given = [
  'Ada',
  'Ben',
  'Chen',
  'Dora',
  'Emil',
  'Fatima',
  'Greta',
  'Hugo',
  'Ines',
  'Jonas',
  'Kira',
  'Liam',
  'Mara',
  'Noor',
  'Otto',
  'Pia',
]
const family = [
  'Abel',
  'Brandt',
  'Costa',
  'Dietrich',
  'Engel',
  'Farkas',
  'Gruber',
  'Hansen',
  'Ivanov',
  'Jansen',
  'Keller',
  'Lopez',
  'Moreau',
  'Novak',
  'Olsen',
  'Petit',
  'Quist',
]
const cities = [
  ['Berlin', '10115', 'Germany'],
  ['Lyon', '69001', 'France'],
  ['Porto', '4000-001', 'Portugal'],
  ['Gdansk', '80-001', 'Poland'],
  ['Utrecht', '3511', 'Netherlands'],
] as const
const tags = ['Volunteer', 'Board', 'Newsletter', 'Choir']

const at = <T>(list: readonly T[], index: number, otherwise: T): T => list[index % list.length] ?? otherwise
const two = (number: number) => String(number).padStart(2, '0')

/** The people that a sandbox begins with: always the same, as many as are wanted. */
export function sandboxPerson(number: number): { externalId: string; held: Record<string, string | null> } {
  const [first, last] = [at(given, number * 7, ''), at(family, number * 5 + Math.floor(number / given.length), '')]
  const [city, postalCode, country] = at(cities, number, cities[0])
  return {
    externalId: `sandbox-${number}`,
    held: {
      'First name': first,
      'Last name': last,
      'E-mail': `${first}.${last}.${number}@sandbox.example`.toLowerCase(),
      Phone: `+49 30 5550${String(1_000 + (number % 9_000))}`,
      'Member number': null,
      'Birth date': `${1950 + (number % 50)}-${two((number % 12) + 1)}-${two((number % 28) + 1)}`,
      Street: `Sample Street ${number}`,
      'Postal code': postalCode,
      City: city,
      Country: country,
      Status: 'active',
      Tags: number % 3 === 0 ? at(tags, number, '') : null,
    },
  }
}

export const sandboxFields = (): TheirField[] =>
  Object.entries(sandboxPerson(1).held).map(([key, example]) => ({ key, label: null, example, isKey: key === 'E-mail' }))

/** Everybody in the order in which they are told: those it begins with, then those that were added. */
export function sandboxPeople(people: number, stored: readonly SandboxRecord[]): Remote[] {
  const changed = new Map(stored.map((record) => [record.externalId, record]))
  const begun = Array.from({ length: people }, (_none, index) => sandboxPerson(index + 1))
  const first = new Set(begun.map(({ externalId }) => externalId))
  const told = (externalId: string, held: Readonly<Record<string, string | null>>): Remote[] => {
    const record = changed.get(externalId)
    if (record?.isGone) return []
    return [{ externalId, version: String(record?.changes ?? 0), values: { ...held, ...record?.held } }]
  }
  return [
    ...begun.flatMap(({ externalId, held }) => told(externalId, held)),
    ...stored.filter(({ externalId }) => !first.has(externalId)).flatMap(({ externalId, held }) => told(externalId, held)),
  ]
}

/** One of ours is always the same one there, so that making it twice makes one. */
export const sandboxIdOf = (ourId: string): string => `ours-${ourId}`

/** Every n-th fails, always the same ones. */
export const fails = (name: string, every: number): boolean => every > 0 && parseInt(hash('sha256', name).slice(0, 8), 16) % every === 0
