import type { Tree } from './repository.ts'

/** A file that every area is written into by hand, and the file of an area that has to be named there. */
export type Place = { file: string; because: string | undefined }

const page = 'docs/developers/add-a-feature.md'
const most = 12

/** The table of docs/developers/add-a-feature.md: | `place` | … | `file with <area> in its name` |. */
export const placesIn = (text: string): Place[] =>
  (text.split(/^## Places that name every area$/m)[1]?.split(/^## /m)[0] ?? '').split('\n').flatMap((line) => {
    const [, file] = /^\| `([^`]+)` /.exec(line) ?? []
    return file === undefined ? [] : [{ file, because: /`([^`]*<area>[^`]*)` +\|$/.exec(line)?.[1] }]
  })

/** Where each place stands apart from the list of places: a place that is missing, an area missing in one, a further file that names all areas. */
export function featurePlaces({ files, features, read }: Tree): string[] {
  if (!files.includes(page)) return []
  const places = placesIn(read(page))
  const made = features.filter(({ planned }) => !planned).map(({ name }) => name)
  const word = (file: string, name: string) => new RegExp(`(?<![a-z])${name}(?![a-z])`).test(read(file))
  /** Lists go by their tables. */
  const named = (file: string, area: string) =>
    [area, ...(features.find(({ name }) => name === area)?.tables ?? [])].some((name) => word(file, name))
  const gone = places.filter(({ file }) => !files.includes(file)).map(({ file }) => `${page}: ${file} is not there`)
  const missing = places
    .filter(({ file }) => files.includes(file))
    .flatMap(({ file, because = '' }) =>
      made
        .map((area) => ({ area, has: because.replaceAll('<area>', area) }))
        .filter(({ area, has }) => files.includes(has) && !named(file, area))
        .map(({ area, has }) => `${file}: does not name ${area}, which has ${has}`),
    )
  const listed = new Set(places.map(({ file }) => file))
  const further = files
    .filter((file) => /^(apps|packages|e2e|faults|bench)\/.*\.(ts|tsx|json)$/.test(file) && !listed.has(file) && !isExempt(file))
    .filter((file) => made.length > 0 && made.every((area) => word(file, area)))
    .map((file) => `${file}: names every area; derive them, or list it in ${page}`)
  const many = places.length > most ? [`${page}: ${places.length} places name every area; ${most} at most`] : []
  return [...gone, ...missing, ...further, ...many]
}

/** Generated, or written when there were few areas: later ones are spread into it from a place. */
const isExempt = (file: string) =>
  ['packages/db/src/schema.ts', 'apps/api/tests/rights/policy.ts'].includes(file) || file.includes('/locales/')
