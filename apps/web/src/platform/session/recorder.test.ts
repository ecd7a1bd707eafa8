import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { RecordingPart } from '@guildhall/contract/features/recordings'
import { createRecorder } from './recorder.ts'

const ada = { id: 'ada', name: 'Ada Lovelace', email: 'ada@example.org' }
const token = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  document.body.innerHTML = `<h1 title="Ada Lovelace">Ada Lovelace</h1><a href="/person/ada?code=x">${token}</a>
    <input aria-label="E-mail of Ada" value="ada@example.org"><p>${token}</p>`
  history.replaceState(null, '', '/groups?q=lovelace')
})
afterEach(() => {
  vi.useRealTimers()
  document.body.innerHTML = ''
})

async function recorded(act: () => void = () => {}) {
  const parts: RecordingPart[] = []
  const recorder = createRecorder(async (part) => parts.push(part))
  recorder.identify(ada)
  await import('rrweb')
  await new Promise((resolve) => setTimeout(resolve, 50))
  act()
  await new Promise((resolve) => setTimeout(resolve, 50))
  vi.advanceTimersByTime(10_000)
  return { recorder, parts, text: JSON.stringify(parts.map(({ events }) => events)) }
}

test('a recording shows the page and nobody on it: no text, no input, no label, no token', async () => {
  const { recorder, parts, text } = await recorded(() => {
    const line = document.createElement('p')
    line.textContent = `Charles Babbage ${token}`
    line.title = 'Charles Babbage'
    document.body.append(line)
  })
  expect(parts[0]).toMatchObject({ part: 0, recordingId: expect.stringMatching(/^[0-9a-f-]{36}$/) })
  expect(parts.flatMap(({ events }) => events.map(({ type }) => type))).toEqual(expect.arrayContaining([2, 3, 4]))
  expect(text).toContain('"tagName":"h1"')
  expect(text).toContain('"/groups"')
  expect(text).not.toMatch(/ada|lovelace|babbage|eyJ|example\.org|code=/i)
  recorder.reset()
})

test('renewals go on with the same recording; another person begins another, and nobody begins none', async () => {
  const { recorder, parts } = await recorded()
  recorder.identify(ada)
  recorder.identify({ ...ada, id: 'bo' })
  await new Promise((resolve) => setTimeout(resolve, 50))
  vi.advanceTimersByTime(10_000)
  expect(new Set(parts.map(({ recordingId }) => recordingId)).size).toBe(2)
  recorder.reset()
  const before = parts.length
  document.body.append(document.createElement('hr'))
  await new Promise((resolve) => setTimeout(resolve, 50))
  vi.advanceTimersByTime(20_000)
  expect(parts).toHaveLength(before)
})

test('pages of the sign-in are never recorded', async () => {
  history.replaceState(null, '', '/auth/signinwin/zitadel?code=secret')
  const { recorder, parts } = await recorded()
  expect(parts).toEqual([])
  recorder.reset()
})
