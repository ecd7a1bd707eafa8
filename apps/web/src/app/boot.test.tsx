import { screen } from '@testing-library/react'
import { act } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { boot } from './boot.tsx'

afterEach(() => vi.unstubAllGlobals())

test.each([
  ['cannot be reached', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['answers with an error', () => Promise.resolve(new Response('', { status: 502 }))],
  [
    'has settings without an issuer',
    () => Promise.resolve(Response.json({ client_id: 'web', data_api: '/data', actions_api: '/actions' })),
  ],
])('S8-3 S3-1 a start whose server %s is logged, and shows a neutral page without a sign-in', async (_what, answer) => {
  const asked = vi.fn(answer)
  vi.stubGlobal('fetch', asked)
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const root = document.createElement('div')
  document.body.append(root)
  await act(() => boot(root))
  expect(await screen.findByText('Guildhall cannot be reached')).toBeVisible()
  expect(log).toHaveBeenCalledWith('Boot failed', expect.any(Error))
  expect(asked).toHaveBeenCalledOnce()
  expect(document.body.textContent).not.toMatch(/issuer|fetch|502|config/i)
  log.mockRestore()
  root.remove()
})
