import { onlineManager, QueryClient } from '@tanstack/react-query'
import { ApiProblem } from '../platform/api/problem.ts'

/** A refusal stays a refusal however often it is asked; only an unreachable or failing server is asked again. */
export const createQueries = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        // Without a network a list says so at once, instead of waiting for one, and asks again when it is back.
        networkMode: 'always',
        refetchOnReconnect: true,
        retry: (failures, problem) =>
          failures < 2 && onlineManager.isOnline() && (!(problem instanceof ApiProblem) || problem.isNetwork || problem.status >= 502),
      },
    },
  })
