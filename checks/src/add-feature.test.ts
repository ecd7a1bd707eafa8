import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { addFeature } from './add-feature.ts'
import { boundaries } from './boundaries.ts'
import { command } from './command.ts'
import { readFeatures, root, tree, type Tree } from './repository.ts'
import { structure } from './structure.ts'

function copyOfRepository(): Tree {
  const { files } = tree()
  const folder = mkdtempSync(path.join(tmpdir(), 'feature-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const file of files) cpSync(path.join(root, file), path.join(folder, file))
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
  return { root: folder, files, features: [], read: (file) => readFileSync(path.join(folder, file), 'utf8') }
}

test('a new feature stands in every package, and no check finds fault with it', async () => {
  const copy = copyOfRepository()
  const before = structure(tree())
  const added = await addFeature(copy.root, 'volunteering', 'shifts and helpers')
  await command('prettier', ['--config', path.join(root, '.prettierrc.json'), '--write', ...added], { cwd: copy.root })
  const after: Tree = { ...copy, files: [...new Set([...copy.files, ...added])], features: readFeatures(copy.read('features.json')) }
  expect(after.features).toContainEqual({ name: 'volunteering', means: 'shifts and helpers', tables: [], planned: false })
  expect(structure(after)).toEqual(before)
  expect((await boundaries(copy.root)).filter((finding) => finding.includes('volunteering'))).toEqual([])
  expect(copy.read('packages/contract/src/index.ts')).toMatch(/dataContract = \{[^}]*volunteering: volunteeringData/)
  expect(copy.read('apps/api/src/app.ts')).toMatch(/actions\.router\(\{[^}]*volunteering: volunteeringActions/)
  expect(copy.read('apps/web/src/app/features.tsx')).toContain('...volunteeringRoutes,')
  expect(copy.read('apps/web/src/app/features.tsx')).toContain('  volunteeringSlots,\n')
})

test.each([
  ['Volunteering', 'x', /one lower-case word/],
  ['people', 'x', /is a feature already/],
  ['volunteering', ' ', /what the feature means/],
])('"%s" with meaning "%s" is refused and writes nothing', async (name, means, message) => {
  const copy = copyOfRepository()
  await expect(addFeature(copy.root, name, means)).rejects.toThrow(message)
  expect(copy.read('features.json')).toBe(tree().read('features.json'))
})
