import { QueryClient } from '@tanstack/react-query'
import { ApiProblem } from '../platform/problem.ts'

/** A refusal stays a refusal however often it is asked; only an unreachable or failing server is asked again. */
export const createQueries = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        retry: (failures, problem) => failures < 2 && (!(problem instanceof ApiProblem) || problem.isNetwork || problem.status >= 502),
      },
    },
  })
