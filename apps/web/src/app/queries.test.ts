import { onlineManager } from '@tanstack/react-query'
import { expect, onTestFinished, test } from 'vitest'
import { ApiProblem } from '../platform/api/problem.ts'
import { createQueries } from './queries.ts'

test('without a network a list fails at once instead of waiting for one', async () => {
  onlineManager.setOnline(false)
  onTestFinished(() => onlineManager.setOnline(true))
  let asked = 0
  const queryFn = () => {
    asked += 1
    return Promise.reject(new ApiProblem(0, { message: 'You are offline' }))
  }
  await expect(createQueries().query({ queryKey: ['members'], queryFn })).rejects.toThrow('You are offline')
  expect(asked).toBe(1)
})
