import { afterAll, expect, onTestFinished, test } from 'vitest'
import { addFeature } from './add-feature.ts'
import { command } from './command.ts'
import { placesIn } from './feature-places.ts'
import { copyOfRepository } from './repository-copy.ts'
import { readFeatures, tree, type Tree } from './repository.ts'
import { structure } from './structure.ts'

/** In all layers, tests included. An adopted area keeps its other planned pages on top. */
const mostLines = 910
const plannedPages = 30

function copied() {
  const copy = copyOfRepository()
  onTestFinished(copy.remove)
  return copy
}
const planned = tree().features.find((feature) => feature.planned)?.name

const areas = [
  { area: 'volunteering', means: 'shifts and helpers', record: 'work shift', table: 'work_shifts' },
  ...(planned ? [{ area: planned, record: 'entry', table: 'entries' }] : []),
]

test.each(areas)(
  '$area, new or planned, stands in every layer, in few lines, and is wired in where the page for developers says',
  async ({ table, ...wanted }) => {
    const copy = copied()
    const { created, changed } = await addFeature(copy.root, wanted)
    const written = await command('prettier', ['--write', '--ignore-unknown', '--log-level', 'error', ...created, ...changed], {
      cwd: copy.root,
    })
    expect(written).toEqual({ code: 0, output: '' })
    expect(created.reduce((sum, file) => sum + copy.read(file).split('\n').length - 1, 0)).toBeLessThanOrEqual(
      mostLines + (wanted.area === planned ? plannedPages : 0),
    )

    const places = placesIn(copy.read('docs/developers/add-a-feature.md')).map(({ file }) => file)
    const isAdopted = wanted.area === planned
    expect(changed.toSorted()).toEqual(places.filter((file) => isAdopted || !file.endsWith('planned-areas.tsx')).toSorted())

    const after: Tree = { ...copy, files: [...new Set([...copy.files, ...created])], features: readFeatures(copy.read('features.json')) }
    const made = after.features.find(({ name }) => name === wanted.area)
    expect(made).toMatchObject({ planned: false, tables: [table] })
    // Row types come from a database, which the step new-area of npm run check has.
    expect(structure(after).filter((finding) => !finding.endsWith('which does not exist'))).toEqual(structure(tree()))
  },
)

const untouched = copyOfRepository()
afterAll(untouched.remove)

test.each([
  [{ area: 'Volunteering', means: 'x' }, /one lower-case word/],
  [{ area: 'people', means: 'x' }, /is a feature already/],
  [{ area: 'gardens', means: ' ' }, /what the feature means/],
  [{ area: 'volunteering', means: 'x' }, /what one record of volunteering is called/],
])('%j is refused and writes nothing', async (wanted, message) => {
  await expect(addFeature(untouched.root, wanted)).rejects.toThrow(message)
  expect(untouched.read('features.json')).toBe(tree().read('features.json'))
})
