import { createRoute, redirect } from '@tanstack/react-router'
import { signedIn } from '../../platform/navigation/base-routes.tsx'
import { ChapterSearch } from './chapters-search.ts'

const chapter = createRoute({
  getParentRoute: () => signedIn,
  path: 'chapter/$chapterId/{-$tab}/{-$subtab}',
  staticData: { area: 'chapters' },
  validateSearch: ChapterSearch,
}).lazy(() => import('./chapter-page.tsx').then((page) => page.route))

/** No page of its own: what stands above all others, with everything below it. */
const top = createRoute({
  getParentRoute: () => signedIn,
  path: 'chapters',
  staticData: { area: 'chapters' },
  beforeLoad: async ({ context: { api, queries } }) => {
    const { items } = await queries.query({ ...api.data.chapters.tree.queryOptions({ input: {} }), staleTime: 60_000 })
    const first = items.find(({ parentId }) => parentId === null) ?? items[0]
    if (!first) throw redirect({ to: '/menu', replace: true })
    throw redirect({
      to: '/chapter/$chapterId/{-$tab}/{-$subtab}',
      params: { chapterId: first.id, tab: 'subchapters', subtab: undefined },
      replace: true,
    })
  },
})

export const chaptersRoutes = [chapter, top] as const
