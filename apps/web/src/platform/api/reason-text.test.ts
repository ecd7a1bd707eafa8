import { plainReasons } from '@guildhall/contract/errors'
import { expect, test } from 'vitest'
import { ApiProblem } from './problem.ts'

test.each(plainReasons)('a problem with the reason %s is shown in the words of the web app', (reason) => {
  const { message } = new ApiProblem(409, { detail: 'The server’s own words.', body: { reason } })
  expect(message).not.toBe('')
  expect(message).not.toBe('The server’s own words.')
})

test('one with another reason is shown as the server wrote it', () => {
  const problem = new ApiProblem(409, { detail: 'The server’s own words.', body: { reason: 'another' } })
  expect(problem.message).toBe('The server’s own words.')
})
