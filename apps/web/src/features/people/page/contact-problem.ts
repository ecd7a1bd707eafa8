import { ApiProblem } from '../../../platform/api/problem.ts'

/** The server names the field `address` or `number`, the form calls both `value`. */
export const withLineField =
  (name: string) =>
  (problem: unknown): never => {
    if (!(problem instanceof ApiProblem)) throw problem
    const { title, detail, code, requestId, body } = problem
    const errors = problem.errors.map((error) => (error.path.replace(/^body\./, '') === name ? { ...error, path: 'value' } : error))
    throw new ApiProblem(problem.status, { title, detail, code, requestId, body, errors })
  }
