import { featurePlaces } from './feature-places.ts'
import type { Tree } from './repository.ts'

/** Every broken rule of the layout, one line each: names of features, kinds of files, places that name every area, owned tables, operation ids, suppressions. */
export function structure(tree: Tree) {
  return [
    ...featureNames(tree),
    ...fileKinds(tree),
    ...crowdedFolders(tree),
    ...featurePlaces(tree),
    ...ownedTables(tree),
    ...operationIds(tree),
    ...suppressions(tree),
  ]
}

const featureHome = /^(?:packages\/contract\/src\/features\/([^/]+)\.ts|apps\/(?:api|web)\/src\/features\/([^/]+)\/.+)$/

/** A feature is the same word in every package: each one exists, and nothing else does. */
function featureNames({ files, features }: Tree) {
  const known = new Set(features.map((feature) => feature.name))
  const homes = files.flatMap((file) => {
    const match = featureHome.exec(file)
    const name = match?.[1] ?? match?.[2]
    return name && !name.endsWith('.test') ? [{ file, name: name.split('.')[0] ?? name }] : []
  })
  const strangers = homes
    .filter(({ name }) => !known.has(name))
    .map(({ file, name }) => `${file}: "${name}" is not a feature of features.json`)
  const missing = features
    .filter((feature) => !feature.planned)
    .flatMap(({ name, tables }) => {
      const places: [string, RegExp][] = [
        ['packages/contract', new RegExp(`^packages/contract/src/features/${name}\\.ts$`)],
        ['apps/api', new RegExp(`^apps/api/src/features/${name}/`)],
        ['apps/web', new RegExp(`^apps/web/src/features/${name}/`)],
        ...(tables.length > 0
          ? [['packages/db', new RegExp(`^packages/db/tests/${name}\\.[a-z.-]*test\\.ts$`)] satisfies [string, RegExp]]
          : []),
      ]
      return places
        .filter(([, place]) => !files.some((file) => place.test(file)))
        .map(([where]) => `features.json: ${name} has nothing in ${where}`)
    })
  return [...strangers, ...missing]
}

const apiKind = /^([a-z-]+)(\.[a-z-]+)*\.(data|actions|queries|rules|jobs|pages|public|test|testing)\.ts$/
const webKind = /^[a-z0-9]+(-[a-z0-9]+)*(\.module\.css|(\.test)?\.tsx?)$/
const noSubject = /(^|[./-])(utils?|helpers?|common|misc|index)\.tsx?$/

const mostFiles = 25

/** A feature is made of the kinds of file everyone knows; a large one has a folder for each subject. */
function fileKinds({ files }: Tree) {
  return files.flatMap((file) => {
    const [, app, name, rest] = /^apps\/(api|web)\/src\/features\/([^/]+)\/(.+)$/.exec(file) ?? []
    if (!app || !name || !rest) return []
    const inSubject = rest.replace(/^[a-z]+\//, '')
    if (inSubject.includes('/')) return [`${file}: one folder per subject at most; put a narrower subject into the file's name`]
    if (noSubject.test(rest)) return [`${file}: name the subject, not its being useful`]
    if (app === 'web') return webKind.test(inSubject) ? [] : [`${file}: web files are kebab-case .ts, .tsx or .module.css`]
    const kind = apiKind.exec(inSubject)
    if (!kind) return [`${file}: not a kind of file (data, actions, queries, rules, jobs, pages, public, test, testing)`]
    return kind[1] === name ? [] : [`${file}: starts with another word than its feature "${name}"`]
  })
}

/** What nobody can take in at a glance is divided by subject. */
function crowdedFolders({ files }: Tree) {
  const counts = new Map<string, number>()
  for (const file of files) {
    const folder = /^(apps\/(?:api|web)\/src\/(?:features|platform|ui|app)\/.+|apps\/web\/src\/(?:platform|ui|app))\/[^/]+$/.exec(file)?.[1]
    if (folder) counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts].flatMap(([folder, count]) =>
    count > mostFiles
      ? [`${folder}: ${count} files; put those of one subject into a folder of their own, ${mostFiles} at most in each`]
      : [],
  )
}

const writes =
  /(?:(?:insertInto|updateTable|deleteFrom|mergeInto)\(|updateRecord\(\s*\w+,)\s*['"`]app\.(\w+)|(?:insert\s+into|delete\s+from|merge\s+into|update)\s+app\.(\w+)/gi

/** SQL may read any table, since the database decides who sees what, but a table is written by its own feature only. */
function ownedTables({ files, features, read }: Tree) {
  const owner = new Map(features.flatMap(({ name, tables }) => tables.map((table) => [table, name] as const)))
  const shared = features.flatMap(({ name, tables }) =>
    tables.filter((table) => owner.get(table) !== name).map((table) => `features.json: ${table} has two owners`),
  )
  const foreign = files.flatMap((file) => {
    const [, feature] = /^apps\/api\/src\/features\/([^/]+)\/.+(?<!\.test|\.testing)\.ts$/.exec(file) ?? []
    if (!feature) return []
    return [...read(file).matchAll(writes)].flatMap((match) => {
      const table = match[1] ?? match[2] ?? ''
      if (owner.get(table) === feature) return []
      return [`${file}: writes app.${table}, which belongs to ${owner.get(table) ?? 'no feature'}; ask its public file`]
    })
  })
  return [...shared, ...foreign, ...platformReads({ files, read }, owner), ...unownedTables({ files, read }, owner)]
}

const reads = /(?:selectFrom|innerJoin|leftJoin)\(\s*['"`]app\.(\w+)|(?:from|join)\s+app\.(\w+)/gi

/** The platform serves every feature and knows the tables of none, except of the one that says who somebody is and what they may. */
function platformReads({ files, read }: Pick<Tree, 'files' | 'read'>, owner: Map<string, string>) {
  return files
    .filter((file) => /^apps\/api\/src\/platform\/.+(?<!\.test|[.-]testing)\.ts$/.test(file))
    .flatMap((file) =>
      [...read(file).matchAll(reads), ...read(file).matchAll(writes)].flatMap((match) => {
        const table = match[1] ?? match[2] ?? ''
        const feature = owner.get(table)
        return feature === undefined || feature === 'account' ? [] : [`${file}: knows app.${table}, which belongs to ${feature}`]
      }),
    )
}

/** Tables of the platform itself, written by apps/api/src/platform. */
const platformTables = new Set([
  'bulk_effects',
  'idempotency_keys',
  'job_progress',
  'mail_alarms',
  'mail_days',
  'mail_feedback',
  'mail_messages',
  'mail_suppressions',
  'schedule_runs',
  'signed_links',
  'use_counts',
])

function unownedTables({ files, read }: Pick<Tree, 'files' | 'read'>, owner: Map<string, string>) {
  const rows = 'packages/db/src/schema.ts'
  if (!files.includes(rows)) return []
  const tables = [...read(rows).matchAll(/^ {2}'app\.(\w+)':/gm)].map((match) => match[1] ?? '')
  const unowned = tables
    .filter((table) => !owner.has(table) && !platformTables.has(table))
    .map((table) => `features.json: nobody owns app.${table}`)
  const gone = [...owner]
    .filter(([table]) => !tables.includes(table))
    .map(([table, name]) => `features.json: ${name} owns app.${table}, which does not exist`)
  return [...unowned, ...gone]
}

/** One word for one operation over both APIs, since clients are generated from both. */
function operationIds({ files, read }: Tree) {
  const seen = new Map<string, string>()
  return files
    .filter((file) => /^packages\/contract\/src\/features\/[^/]+\.ts$/.test(file) && !file.endsWith('.test.ts'))
    .flatMap((file) =>
      [...read(file).matchAll(/\b(?:get|post|act|put|patch|del|remove|route)\(\s*['"`]\/[^'"`]*['"`],\s*['"`](\w+)['"`]/g)].flatMap(
        (match) => {
          const id = match[1] ?? ''
          const first = seen.get(id)
          seen.set(id, first ?? file)
          return first ? [`${file}: operation id ${id} is taken by ${first}`] : []
        },
      ),
    )
}

/** A rule is switched off in the open, with its reason, or not at all. */
function suppressions({ files, read }: Tree) {
  return files
    .filter((file) => /\.(ts|tsx|js)$/.test(file) && !file.startsWith('checks/'))
    .flatMap((file) =>
      read(file)
        .split('\n')
        .flatMap((line, index) =>
          /eslint-disable(?!.* -- \S)|@ts-(ignore|nocheck)/.test(line) ? [`${file}:${index + 1}: say why after " -- "`] : [],
        ),
    )
}
