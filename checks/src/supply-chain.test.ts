import { expect, test } from 'vitest'
import { supplyChain } from './supply-chain.ts'

const sound = {
  version: '5.12.8',
  integrity: 'sha512-x',
  license: 'MIT',
}

function problems(planted: Record<string, unknown>, manifest: Record<string, unknown> = {}): string[] {
  const content: Record<string, string> = {
    'package.json': JSON.stringify({ license: 'MIT', allowScripts: { node: true }, dependencies: { fastify: '5.12.8' }, ...manifest }),
    'package-lock.json': JSON.stringify({ packages: { '': {}, 'node_modules/fastify': { ...sound, ...planted } } }),
  }
  return supplyChain({ files: Object.keys(content), read: (file) => content[file] ?? '' })
}

test('a sound tree has no findings', () => {
  expect(problems({})).toEqual([])
  expect(problems({ license: '(GPL-2.0 OR MIT)', resolved: 'https://registry.npmjs.org/fastify.tgz' })).toEqual([])
})

test.each<[string, Record<string, unknown>, Record<string, unknown>, string]>([
  ['a range of versions', {}, { dependencies: { fastify: '^5.12.8' } }, 'package.json: fastify is not pinned (^5.12.8)'],
  ['a package without a digest', { integrity: undefined }, {}, 'package-lock.json: fastify has no digest'],
  ['a weak digest', { integrity: 'sha1-x' }, {}, 'package-lock.json: fastify has no digest'],
  [
    'a package from elsewhere',
    { resolved: 'https://example.org/x.tgz' },
    {},
    'package-lock.json: fastify does not come from the public registry',
  ],
  ['a licence that does not fit', { license: 'SSPL-1.0' }, {}, 'package-lock.json: fastify is under SSPL-1.0'],
  ['licences of which one does not fit', { license: '(MIT AND SSPL-1.0)' }, {}, 'package-lock.json: fastify is under (MIT AND SSPL-1.0)'],
  ['a package that says none', { license: undefined }, {}, 'package-lock.json: fastify is under no licence'],
  ['a program at installation', { hasInstallScript: true }, {}, 'package-lock.json: fastify runs a program when installed'],
  ['a version with a known hole', { version: '5.8.4' }, {}, 'package-lock.json: fastify 5.8.4 has a known hole; 5.8.5 at least'],
  ['a package of ours without a licence', {}, { license: undefined }, 'package.json: says no licence'],
  [
    'too many programs at installation',
    {},
    { allowScripts: { a: true, b: true, c: true, d: true } },
    'package.json: 4 packages may run programs when installed; 3 at most',
  ],
])('%s is found', (_, planted, manifest, finding) => {
  expect(problems(planted, manifest)).toEqual([finding])
})
