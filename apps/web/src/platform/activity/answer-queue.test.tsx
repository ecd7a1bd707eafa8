import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useEffect, useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AnswerQueue } from './answer-queue.tsx'
import { apiFetch } from '../api/api-fetch.ts'
import { createApi } from '../api/api.tsx'
import { forgetChanges } from './recent-changes.ts'
import { handleShortcut } from '../navigation/shortcuts.ts'
import { uuid } from '../../testing/fake-api.ts'
import { fakeAuth } from '../../testing/fake-auth.ts'
import { renderWithApi } from '../../testing/render-with-api.tsx'

const undoMs = 10_000
beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true }))
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  forgetChanges()
})
const user = () => userEvent.setup({ advanceTimers: vi.advanceTimersByTime })
const later = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

/** Three people who wait; the server takes whoever was answered off the list. */
function Requests({ sent, refuse = false, opened }: { sent: string[]; refuse?: boolean; opened?: string[] }) {
  const [rows, setRows] = useState(['Ada', 'Ben', 'Cem'])
  useEffect(() => {
    document.addEventListener('keydown', handleShortcut)
    return () => document.removeEventListener('keydown', handleShortcut)
  }, [])
  const answer = (name: string, label: string, outcome: string) => ({
    label,
    name: `${label} ${name}`,
    outcome,
    run: () => {
      if (refuse) return Promise.reject(new Error('Already answered by Ben.'))
      sent.push(outcome)
      setRows((before) => before.filter((known) => known !== name))
      return Promise.resolve()
    },
    failed: 'The request could not be answered.',
  })
  return (
    <AnswerQueue
      label="Requests"
      rows={rows}
      rowId={(name) => name}
      onOpen={(name) => opened?.push(name)}
      answers={(name) => [answer(name, 'Approve', `${name} approved`), answer(name, 'Decline', `${name} declined`)]}
    >
      {(name, tools) => (
        <>
          {name} {tools}
        </>
      )}
    </AnswerQueue>
  )
}
const rows = () => screen.getAllByRole('listitem').map((row) => row.textContent.trim().split(' ')[0])

test('an answered row stays in its place with the outcome, and the focus goes to the next one', async () => {
  const sent: string[] = []
  renderWithApi(<Requests sent={sent} />)
  await user().click(screen.getByRole('button', { name: 'Approve Ada' }))
  expect(screen.getByText('Ada approved')).toBeVisible()
  expect(rows()).toEqual(['Ada', 'Ben', 'Cem'])
  await waitFor(() => expect(screen.getByRole('button', { name: 'Approve Ben' })).toHaveFocus())
  expect(screen.queryByRole('button', { name: 'Approve Ada' })).not.toBeInTheDocument()
  // The pointer is still there: the row goes when it leaves.
  await later(undoMs)
  expect(sent).toEqual(['Ada approved'])
  expect(rows()).toEqual(['Ada', 'Ben', 'Cem'])
  fireEvent.pointerLeave(screen.getByRole('list', { name: 'Requests' }))
  expect(rows()).toEqual(['Ben', 'Cem'])
})

test('a double click answers one person and takes nothing back', async () => {
  const sent: string[] = []
  renderWithApi(<Requests sent={sent} />)
  await user().dblClick(screen.getByRole('button', { name: 'Approve Ada' }))
  await user().click(screen.getByRole('button', { name: 'Undo: Ada approved' }))
  await later(undoMs)
  expect(sent).toEqual(['Ada approved'])
})

test('Undo in time sends nothing', async () => {
  const sent: string[] = []
  renderWithApi(<Requests sent={sent} />)
  await user().click(screen.getByRole('button', { name: 'Decline Ben' }))
  await later(1_000)
  await user().click(screen.getByRole('button', { name: 'Undo: Ben declined' }))
  await waitFor(() => expect(screen.getByRole('button', { name: 'Approve Ben' })).toHaveFocus())
  await later(undoMs)
  expect(sent).toEqual([])
})

test('leaving the page sends what was answered', async () => {
  const sent: string[] = []
  const { unmount } = renderWithApi(<Requests sent={sent} />)
  await user().click(screen.getByRole('button', { name: 'Approve Ada' }))
  unmount()
  expect(sent).toEqual(['Ada approved'])
})

const leave = {
  closed: () => window.dispatchEvent(new Event('pagehide')),
  hidden: () => {
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    document.dispatchEvent(new Event('visibilitychange'))
  },
}

test.for([
  ['closed', [leave.closed]],
  ['hidden', [leave.hidden]],
  ['hidden and closed', [leave.hidden, leave.closed]],
] as const)('a page that is %s sends what was answered at once, once, and in a way that outlasts the page', async ([, events]) => {
  const requests: Request[] = []
  vi.stubGlobal('fetch', (request: Request) => {
    requests.push(request)
    return new Promise(() => {})
  })
  const { auth } = fakeAuth()
  const { approve } = createApi('/data', '/actions', apiFetch(auth, { tracing: false })).data.groups.members
  const [groupId, memberId] = [uuid(1), uuid(2)]
  const ada = { label: 'Approve', name: 'Approve Ada', outcome: 'Ada approved', failed: 'Ada could not be approved.' }
  renderWithApi(
    <AnswerQueue
      label="Requests"
      rows={['Ada']}
      rowId={(name) => name}
      answers={() => [{ ...ada, run: (context) => approve.call({ groupId, memberId }, { context }) }]}
    >
      {(_, tools) => tools}
    </AnswerQueue>,
  )
  await user().click(screen.getByRole('button', { name: 'Approve Ada' }))
  expect(requests).toEqual([])
  for (const happens of events) happens()
  // A page that goes away waits for no timer.
  for (let tick = 0; tick < 100; tick += 1) await Promise.resolve()
  expect(requests.map(({ method, url, keepalive }) => [method, new URL(url).pathname, keepalive])).toEqual([
    ['POST', `/data/groups/${groupId}/members/${memberId}/approve`, true],
  ])
  expect(requests[0]?.headers.get('authorization')).toBe('Bearer token')
})

test('a row that could not be answered can be answered again', async () => {
  renderWithApi(<Requests sent={[]} refuse />)
  await user().click(screen.getByRole('button', { name: 'Approve Ada' }))
  await later(undoMs)
  expect(await screen.findByText('The request could not be answered.')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Approve Ada' })).toBeVisible()
})

test('A approves, E opens and H hides the row in focus; without one, the key leads to the first', async () => {
  const [sent, opened]: [string[], string[]] = [[], []]
  renderWithApi(<Requests sent={sent} opened={opened} />)
  await user().keyboard('a')
  await waitFor(() => expect(screen.getByRole('button', { name: 'Approve Ada' })).toHaveFocus())
  await user().keyboard('e')
  expect(opened).toEqual(['Ada'])
  await user().keyboard('a')
  await waitFor(() => expect(screen.getByRole('button', { name: 'Approve Ben' })).toHaveFocus())
  await user().keyboard('h')
  expect(screen.getByText('Hidden for now')).toBeVisible()
  await later(undoMs)
  expect(rows()).toEqual(['Cem'])
  expect(sent).toEqual(['Ada approved'])
})
