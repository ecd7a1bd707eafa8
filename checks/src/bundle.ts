import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import * as z from 'zod'

const Chunk = z.object({
  file: z.string(),
  isEntry: z.boolean().optional(),
  isDynamicEntry: z.boolean().optional(),
  imports: z.array(z.string()).optional(),
  dynamicImports: z.array(z.string()).optional(),
  css: z.array(z.string()).optional(),
})
const Manifest = z.record(z.string(), Chunk)
export type Manifest = z.infer<typeof Manifest>
type Sizes = (file: string) => Promise<number>

const kB = 1000

/** Compressed kilobytes a visitor may have to fetch. Named parts are heavy by nature and load only when used. */
const limits = { entryScript: 190, entryStyle: 30, chunk: 60, catalogue: 130, onUse: 140, callback: 25 }
/** Pages of the identity provider's answers: windows and frames of a moment, which must not load the application. */
const callbacks = ['signinwin', 'signinpop', 'signoutpop', 'signinsilent'].map((name) => `auth/${name}.html`)
const heavyOnUse = /(editor|chart|graph|calendar|spreadsheet)/
/** All texts in one language. Only English is offered, and it has no catalogue; before another one is, catalogues have to be divided by area. */
const catalogue = /^src\/locales\//
/** The pseudo-locale is offered to nobody, and its texts are four tenths longer than English by design: it weighs as a translation of the limit would. */
const pseudoCatalogue = /^src\/locales\/pseudo/
const pseudoLength = 1.4

/** What is too big in the built web app: what every visitor loads first, and each part that pages add to it. */
export async function bundle(dist: string) {
  const manifest = Manifest.parse(JSON.parse(await readFile(path.join(dist, '.vite/manifest.json'), 'utf8')))
  for (const page of callbacks) {
    const chunk = await scriptOf(manifest, dist, page)
    if (chunk) manifest[page] ??= { ...chunk, isEntry: true }
  }
  const sizes: Sizes = async (file) => (await promisify(gzip)(await readFile(path.join(dist, file)))).length
  return measure(manifest, sizes)
}

/** The chunk that a page without styles or state of its own starts: the manifest leaves such pages out. */
async function scriptOf(manifest: Manifest, dist: string, page: string) {
  const html = await readFile(path.join(dist, page), 'utf8').catch(() => '')
  const script = /<script type="module"[^>]* src="\/([^"]+)"/.exec(html)?.[1]
  return Object.values(manifest).find(({ file }) => file === script)
}

function limitOf(name: string): number {
  if (pseudoCatalogue.test(name)) return limits.catalogue * pseudoLength
  if (catalogue.test(name)) return limits.catalogue
  return heavyOnUse.test(name) ? limits.onUse : limits.chunk
}

export async function measure(manifest: Manifest, sizes: Sizes) {
  const total = async (files: Iterable<string>) => (await Promise.all([...files].map(sizes))).reduce((sum, size) => sum + size, 0)
  const entries = Object.entries(manifest).filter(([, chunk]) => chunk.isEntry)
  const main = entries.find(([name]) => path.basename(name) === 'index.html')
  if (!main) return { problems: ['the build has no index.html'], note: '' }
  const first = reach(manifest, main[0])
  const script = await total(first.scripts)
  const style = await total(first.styles)
  // Whatever a callback page fetches counts, also what it fetches later.
  const callback = async (name: string) => total(reach(manifest, name, ['imports', 'dynamicImports']).scripts)
  const callbackSizes = await Promise.all(callbacks.map(callback))
  const problems = [
    ...callbacks.filter((name) => !manifest[name]?.isEntry).map((name) => `the build has no ${name}`),
    ...over('first load, scripts', script, limits.entryScript),
    ...over('first load, styles', style, limits.entryStyle),
    ...callbacks.flatMap((name, index) => over(name, callbackSizes[index] ?? 0, limits.callback)),
    ...(
      await Promise.all(
        Object.entries(manifest)
          .filter(([, chunk]) => chunk.file.endsWith('.js') && !chunk.isEntry && !first.scripts.has(chunk.file))
          .map(async ([name, chunk]) => over(name, await sizes(chunk.file), limitOf(name))),
      )
    ).flat(),
  ]
  const note = `first load ${shown(script)} kB of scripts, ${shown(style)} kB of styles, sign-in callbacks ${shown(Math.max(...callbackSizes), 1)} kB`
  return { problems, note }
}

/** All files that come with a chunk before it can run. */
function reach(manifest: Manifest, name: string, kinds: ('imports' | 'dynamicImports')[] = ['imports']) {
  const chunks = new Set<string>()
  const walk = (key: string) => {
    if (chunks.has(key)) return
    chunks.add(key)
    for (const kind of kinds) for (const next of manifest[key]?.[kind] ?? []) walk(next)
  }
  walk(name)
  const files = [...chunks].map((key) => manifest[key]).filter((chunk) => chunk !== undefined)
  return { scripts: new Set(files.map(({ file }) => file)), styles: new Set(files.flatMap(({ css }) => css ?? [])) }
}

const shown = (size: number, digits = 0) => (size / kB).toFixed(digits)
const over = (what: string, size: number, limit: number) =>
  size > limit * kB ? [`${what}: ${shown(size, 1)} kB compressed, allowed are ${limit} kB`] : []
