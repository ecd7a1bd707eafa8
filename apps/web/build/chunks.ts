import { resolve } from 'node:path'

type Modules = { getModuleInfo: (id: string) => { importedIds: readonly string[] } | null }

const web = resolve(import.meta.dirname, '..')
const callbacks = ['signinwin', 'signinpop', 'signoutpop', 'signinsilent'].map((name) => `${web}/src/platform/auth/${name}.ts`)
const main = `${web}/src/app/main.tsx`
/** They act as soon as they are there: shared code must not lie with them. */
const starts = new Set([...callbacks, main])
const reached = new Map<string, Set<string>>()

/** What runs before a module can, the module itself included. */
function reach(from: string, modules: Modules): Set<string> {
  const known = reached.get(from)
  if (known) return known
  const found = new Set<string>()
  const walk = (id: string) => {
    if (found.has(id)) return
    found.add(id)
    for (const next of modules.getModuleInfo(id)?.importedIds ?? []) walk(next)
  }
  walk(from)
  reached.set(from, found)
  return found
}

const mantine = (...components: string[]) => `@mantine/core/esm/components/(${components.join('|')})/`
const ours = (...files: string[]) => `/apps/web/src/(${files.join('|')})\\.tsx?$`

/** What nearly every page shows and what needs nothing of the other two. */
const parts = [
  mantine('SegmentedControl', 'Skeleton', 'Text'),
  '@tabler/icons-react/',
  '/packages/contract/src/money\\.ts$',
  ours(
    'ui/display/(avatar|dates|kbd|money|relative-time|status-badge)',
    'ui/page/(empty-state|error-state|figures|page|skeletons)',
    'platform/(activity/toast|api/problem-state|navigation/(links|shortcuts))',
  ),
]
const menus = [mantine('ActionIcon', 'Menu', 'Modal', 'Popover'), '@floating-ui/']
const fields = [mantine('Checkbox', 'Combobox', 'Input', 'NativeSelect', 'Select', 'Switch', 'TextInput', 'Textarea', 'Tooltip')]
/** What pages of fundraising share with home; all it needs is in the parts and in the frame. */
const giving =
  /\/features\/fundraising\/(fundraising-words|use-giving-place|campaigns\/(thermometer|campaign-cards|list-links|figures\.module|campaign-list\.module))\./
const anyOf = (patterns: string[]) => new RegExp(patterns.join('|'))

/**
 * Few files in place of one for every combination of pages that share a module: on a slow network each costs more than the code in
 * it. What the small pages of the sign-in need stays apart, since they must not load the application.
 */
export const codeSplitting = {
  groups: [
    { name: signIn, debugName: 'sign-in', priority: 5 },
    { name: 'frame', tags: ['$initial' as const], test: (id: string) => !starts.has(id) && !id.includes('.html'), priority: 4 },
    { name: 'parts', test: anyOf(parts), minShareCount: 3, priority: 3 },
    { name: 'menus', test: anyOf(menus), priority: 2 },
    { name: 'fields', test: anyOf(fields), priority: 1 },
    { name: 'giving', test: giving, minShareCount: 2, priority: 0 },
  ],
}

/** Not the pages themselves: whoever shares code with them must not run them. */
function signIn(id: string, modules: Modules): string | null {
  return !starts.has(id) && callbacks.some((page) => reach(page, modules).has(id)) ? 'sign-in' : null
}
