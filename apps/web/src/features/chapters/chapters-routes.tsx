import { createRoute } from '@tanstack/react-router'
import { signedIn } from '../../platform/base-routes.tsx'
import { ChapterSearch } from './chapters-search.ts'

const chapter = createRoute({
  getParentRoute: () => signedIn,
  path: 'chapter/$chapterId/{-$tab}/{-$subtab}',
  staticData: { area: 'chapters' },
  validateSearch: ChapterSearch,
}).lazy(() => import('./chapter-page.tsx').then((page) => page.route))

export const chaptersRoutes = [chapter] as const
