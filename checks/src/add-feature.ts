import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { featureWords, fillIn, recordOf } from './feature-words.ts'
import { keepPlanned, plannedAreasFile, plannedRoutes, takePlanned } from './planned-area.ts'
import { readFeatures } from './repository.ts'
import { intoList, withImports } from './source-edits.ts'

export type NewFeature = { area: string; means?: string | undefined; record?: string | undefined }

const templates = path.resolve(import.meta.dirname, '../templates/feature')

/** Writes an area in every layer from checks/templates/feature: a new one, or one that is planned. Answers the files created and changed. */
export async function addFeature(root: string, { area, ...given }: NewFeature) {
  const read = (file: string) => readFile(path.join(root, file), 'utf8')
  if (!/^[a-z]+$/.test(area)) throw new Error(`"${area}" is not one lower-case word.`)
  const features = readFeatures(await read('features.json'))
  const known = features.find(({ name }) => name === area)
  if (known && !known.planned) throw new Error(`${area} is a feature already.`)
  const means = (given.means ?? known?.means ?? '').trim()
  if (!means) throw new Error('Say in a few words what the feature means.')
  const record = given.record ?? recordOf(area)
  if (!record || !/^[a-z]+( [a-z]+)*$/.test(record))
    throw new Error(`Say what one record of ${area} is called, in lower case: --record "job posting".`)
  const words = featureWords(area, record, means)

  const planned = known ? takePlanned(await read(plannedAreasFile), area) : undefined
  const listUrl = planned?.href ?? area
  const routesFile = `apps/web/src/features/${area}/${area}-routes.tsx`
  const { recordUrl, kept } = plannedRoutes(known ? await read(routesFile) : '', { listUrl, record: words.record })
  const entry =
    planned?.entry ??
    `{ key: '${area}', label: msg\`${words.Area}\`, purpose: msg\`${words.Means}\`, icon: IconFolder, group: 'work', href: '/${area}' }`
  const all = {
    ...words,
    time: migrationTime(root),
    list_url: listUrl,
    record_url: recordUrl,
    Area_label: planned?.label ?? words.Area,
    AreaIcon: planned?.icon ?? 'IconFolder',
    areaEntry: entry.includes('permission:') ? entry : entry.replace(/,?\s*\}$/, `, permission: '${area}.read' }`),
    createKey: freeKey(root, record),
  }
  const created = new Map(
    readdirSync(templates, { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile())
      .map((file) => path.join(file.parentPath, file.name))
      .map((file) => [fillIn(path.relative(templates, file), all), fillIn(readFileSync(file, 'utf8'), all)]),
  )
  created.set(routesFile, keepPlanned(created.get(routesFile) ?? '', kept))
  for (const file of created.keys())
    if (file !== routesFile && existsSync(path.join(root, file))) throw new Error(`${file} exists already.`)

  const { records, records_table: table, records_words, Area_label: label } = all
  const wired: Record<string, (text: string) => string> = {
    'features.json': (text) => {
      const listed: unknown = { ...Object(JSON.parse(text)), [area]: { means, tables: [table] } }
      return JSON.stringify(listed)
    },
    'packages/contract/src/permissions.ts': (text) =>
      intoList(
        text,
        'export const permissions = {',
        `'${area}.read': 'See ${records_words}', '${area}.manage': 'Create, edit and archive ${records_words}'`,
      ),
    'packages/contract/src/index.ts': (text) =>
      withImports(
        intoList(text, 'export const dataContract = {', `${area}: ${area}Data`),
        `import { ${area}Data } from './features/${area}.ts'`,
      ),
    'packages/contract/src/features/lists.ts': (text) =>
      ['ViewedList', 'ExportedList'].reduce((so, name) => intoList(so, `export const ${name} = z.enum([`, `'${table}'`), text),
    'packages/db/src/demo/areas.ts': (text) =>
      withImports(intoList(text, 'demoAreas: readonly DemoArea[] = [', `${area}Demo`), `import { ${area}Demo } from './areas/${area}.ts'`),
    'apps/api/src/app.ts': (text) =>
      withImports(
        intoList(text, 'const dataRouter = data.router({', `${area}: ${area}Data`),
        `import { ${area}Data } from './features/${area}/${area}.data.ts'`,
      ),
    'apps/api/src/features/lists/lists.exports.queries.ts': (text) =>
      withImports(
        intoList(text, 'exportSources: Readonly<Record<ExportedList, ExportSource>> = {', `${table}: ${records}Export`),
        `import { ${records}Export } from '../${area}/${area}.export.public.ts'`,
      ),
    'apps/api/tests/rights/areas.ts': (text) =>
      withImports(
        [
          ['areaRights = {', `...${area}Rights`],
          ['areaKinds = {', `...${area}Kinds`],
          ['areaRows: readonly AreaRows[] = [', `${area}Rows`],
          ['areaPolicies = {', `${area}: ${area}Policy`],
        ].reduce((so, [opening = '', added = '']) => intoList(so, opening, added), text),
        `import { ${area}Kinds, ${area}Policy, ${area}Rights, ${area}Rows } from './areas/${area}.ts'`,
      ),
    'apps/web/src/app/features.tsx': (text) =>
      withImports(
        text.replace(/(?=plannedAreas,)/, `${area}Area, `).replace('export const signedInRoutes = [', known ? '$&' : `$&...${area}Routes,`),
        `import { ${area}Area } from '../features/${area}/${area}-area.tsx'`,
        ...(known ? [] : [`import { ${area}Routes } from '../features/${area}/${area}-routes.tsx'`]),
      ),
    'apps/web/src/app/page-slots.tsx': (text) =>
      withImports(
        intoList(text, 'export const pageSlots = gatherSlots([', `${area}Slots`),
        `import { ${area}Slots } from '../features/${area}/${area}-slots.tsx'`,
      ),
    ...(planned ? { [plannedAreasFile]: () => planned.rest } : {}),
    'docs/users/README.md': (text) => text.replace(/^(?=- \[Who sees)/m, `- [${label}](${area}.md): ${means}\n`),
  }
  const changed = new Map<string, string>()
  for (const [file, edit] of Object.entries(wired)) {
    const before = await read(file)
    const after = edit(before)
    if (after === before) throw new Error(`${file} has no place to add ${area} to.`)
    changed.set(file, after)
  }
  for (const [file, content] of [...created, ...changed]) {
    await mkdir(path.dirname(path.join(root, file)), { recursive: true })
    await writeFile(path.join(root, file), content)
  }
  return { created: [...created.keys()], changed: [...changed.keys()] }
}

/** Now, or just after the last migration there is. */
function migrationTime(root: string): string {
  const now = new Date().toISOString().replace(/\D/g, '').slice(0, 14)
  const last = readdirSync(path.join(root, 'packages/db/migrations')).sort().at(-1)?.slice(0, 14) ?? ''
  return now > last ? now : String(BigInt(last) + 1n)
}

/** A letter of the record's name that creates nothing else when pressed after C. */
function freeKey(root: string, record: string): string {
  const folder = path.join(root, 'apps/web/src/features')
  const frame = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('-area.tsx'))
  const taken = frame.flatMap(
    (file) => /createActions: \[\s*\{\s*key: '(\w)'/.exec(readFileSync(path.join(folder, file), 'utf8'))?.[1] ?? [],
  )
  const free = `${record}abcdefghijklmnopqrstuvwxyz`.match(/[a-z]/g)?.find((letter) => !taken.includes(letter))
  return free ?? 'x'
}
