import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { readFeatures } from './repository.ts'

/** Gives a feature its word in features.json and its first file in every package, wired up; answers the files written. */
export async function addFeature(root: string, name: string, means: string) {
  if (!/^[a-z]+$/.test(name)) throw new Error(`"${name}" is not one lower-case word.`)
  if (!means.trim()) throw new Error('Say in a few words what the feature means.')
  const features = await read(root, 'features.json')
  if (readFeatures(features).some((feature) => feature.name === name)) throw new Error(`${name} is a feature already.`)
  const created: Record<string, string> = {
    [`packages/contract/src/features/${name}.ts`]: `export const ${name}Data = {}\n\nexport const ${name}Actions = {}\n`,
    [`packages/db/tests/${name}.policies.test.ts`]: `import { test } from 'vitest'\n\ntest.todo('who may read and change rows of ${name}')\n`,
    [`apps/api/src/features/${name}/${name}.data.ts`]: `import { data } from '../../platform/procedures/procedures.ts'\n\nexport const ${name}Data = data.${name}.router({})\n`,
    [`apps/api/src/features/${name}/${name}.actions.ts`]: `import { actions } from '../../platform/procedures/procedures.ts'\n\nexport const ${name}Actions = actions.${name}.router({})\n`,
    [`apps/web/src/features/${name}/${name}-routes.tsx`]: `export const ${name}Routes = [] as const\n`,
    [`apps/web/src/features/${name}/${name}-slots.tsx`]: `import type { FeatureSlots } from '../../platform/navigation/slots.tsx'\n\nexport const ${name}Slots: FeatureSlots = {}\n`,
  }
  const changed: Record<string, string> = {
    'features.json': features.replace(
      /\s*}\s*$/,
      `,\n  ${JSON.stringify(name)}: { "means": ${JSON.stringify(means.trim())}, "tables": [] }\n}\n`,
    ),
    'packages/contract/src/index.ts': wire(await read(root, 'packages/contract/src/index.ts'), {
      imports: [`import { ${name}Actions, ${name}Data } from './features/${name}.ts'`],
      entries: [
        [/(export const dataContract = \{[^}]*?),?\s*\}/, `$1, ${name}: ${name}Data }`],
        [/(export const actionsContract = \{[^}]*?),?\s*\}/, `$1, ${name}: ${name}Actions }`],
      ],
    }),
    'apps/api/src/app.ts': wire(await read(root, 'apps/api/src/app.ts'), {
      imports: [
        `import { ${name}Actions } from './features/${name}/${name}.actions.ts'`,
        `import { ${name}Data } from './features/${name}/${name}.data.ts'`,
      ],
      entries: [
        [/(\bdata\.router\(\{[^}]*?),?\s*\}\)/, `$1, ${name}: ${name}Data })`],
        [/(\bactions\.router\(\{[^}]*?),?\s*\}\)/, `$1, ${name}: ${name}Actions })`],
      ],
    }),
    'apps/web/src/app/features.tsx': wire(await read(root, 'apps/web/src/app/features.tsx'), {
      imports: [
        `import { ${name}Routes } from '../features/${name}/${name}-routes.tsx'`,
        `import { ${name}Slots } from '../features/${name}/${name}-slots.tsx'`,
      ],
      entries: [
        [/(\n *)(\w+Slots,)(?=\n\])/, `$1$2$1${name}Slots,`],
        [/(\n *)(\.\.\.\w+Routes,)(?!\n *\.\.\.)/, `$1$2$1...${name}Routes,`],
      ],
    }),
  }
  for (const file of Object.keys(created)) if (existsSync(path.join(root, file))) throw new Error(`${file} exists already.`)
  const files = { ...created, ...changed }
  for (const [file, content] of Object.entries(files)) {
    const target = path.join(root, file)
    await mkdir(path.dirname(target), { recursive: true })
    await writeFile(target, content)
  }
  return Object.keys(files)
}

const read = (root: string, file: string) => readFile(path.join(root, file), 'utf8')

/** Adds imports after the last one of a feature, and an entry at each place that lists all features. */
function wire(text: string, { imports, entries }: { imports: string[]; entries: [RegExp, string][] }) {
  const last = [...text.matchAll(/^import .*\/features\/.*$/gm)].at(-1)
  if (!last) throw new Error('The file that lists all features imports none.')
  const at = last.index + last[0].length
  const withImports = `${text.slice(0, at)}\n${imports.join('\n')}${text.slice(at)}`
  return entries.reduce((result, [place, entry]) => {
    if (!place.test(result)) throw new Error(`There is no place like ${place.source} to add the feature.`)
    return result.replace(place, entry).replace('{,', '{')
  }, withImports)
}
