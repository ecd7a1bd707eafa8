import { endOf } from './source-edits.ts'

export const plannedAreasFile = 'apps/web/src/app/planned-areas.tsx'

/** The entry of the navigation that a planned area has, and the file without it. */
export function takePlanned(text: string, area: string): { entry: string; href: string; icon: string; label: string; rest: string } {
  const at = text.indexOf(`key: '${area}'`)
  const start = text.lastIndexOf('{', at)
  if (at < 0) throw new Error(`${plannedAreasFile} has no area ${area}.`)
  const end = endOf(text, start) + 1
  const entry = text.slice(start, end)
  const part = (pattern: RegExp) => pattern.exec(entry)?.[1] ?? ''
  const icon = part(/icon: (\w+)/)
  const without = text.slice(0, start) + text.slice(end).replace(/^,?\s*/, '')
  const isUsed = without.split(icon).length > 2
  const rest = isUsed ? without : without.replace(new RegExp(`\\b${icon}\\b,?\\s*`), '')
  return { entry, href: part(/href: '\/([^']+)'/), icon, label: part(/label: msg`([^`]+)`/), rest: tidy(rest) }
}

/** With the last area gone nothing is imported but the type. */
const tidy = (text: string) =>
  text.includes('msg`')
    ? text
    : text.replace(/import \{ msg \} from '[^']+'\n/, '').replace(/import \{\s*\} from '@tabler\/icons-react'\n/, '')

/** Planned pages of an area beside its list and its records, which keep their addresses, and the address that its records have. */
export function plannedRoutes(text: string, { listUrl, record }: { listUrl: string; record: string }) {
  const found = [...text.matchAll(/^const (\w+) = createRoute\(\{(?:[^\n]*\}\)|[\s\S]*?\n\}\))\n/gm)].map(([source, name = '']) => ({
    source,
    name,
    path: /path: '([^']+)'/.exec(source)?.[1] ?? '',
  }))
  const ofRecord = (path: string) => path.split('/').findIndex((part) => part === `$${record}Id` || part === `{-$${record}Id}`)
  const [recordUrl = listUrl] = found.flatMap(({ path }) => {
    const at = ofRecord(path)
    return at > 0 ? [path.split('/').slice(0, at).join('/')] : []
  })
  const kept = found.filter(({ path }) => path !== listUrl && !path.startsWith(`${listUrl}/{-`) && ofRecord(path) < 0)
  return { recordUrl, kept }
}

/** The routes of an area that is made, with those that are still planned. */
export function keepPlanned(routes: string, kept: { source: string; name: string }[]): string {
  if (kept.length === 0) return routes
  const sources = kept.map(({ source }) => source.replace(/\bstaticData\b/, 'staticData: planned'))
  return routes
    .replace(/^import /, `import { msg } from '@lingui/core/macro'\nimport `)
    .replace(/(import \{ signedIn \}.*\n)/, `$1import { plannedPage } from '../../platform/navigation/planned-route.tsx'\n`)
    .replace(/\nexport const/, `\nconst planned = { ...staticData, planned: true } as const\n\n${sources.join('\n')}\nexport const`)
    .replace('[list, record]', `[list, record, ${kept.map(({ name }) => name).join(', ')}]`)
}
