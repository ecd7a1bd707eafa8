import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import classes from './answer-queue.module.css'
import type { CallContext } from '../api/api.tsx'
import { recordChange, settleChange } from './recent-changes.ts'
import { useShortcuts } from '../navigation/shortcuts.ts'
import { toast } from './toast.tsx'

export type Answer = {
  /** On the button: "Approve". */
  label: string
  /** The button among all others: "Approve Ada Okafor". */
  name: string
  /** What stands in the row afterwards, and among the recent changes: "Ada Okafor approved". */
  outcome: string
  /** Every call in it is given the context: the page may be closed while it is on its way. */
  run: (context: CallContext) => Promise<unknown>
  /** Says that it failed: "The request could not be answered." */
  failed: string
  /** Key of an answer that is not the first, which is A. */
  keys?: string
}

export type AnswerQueueProps<Row> = {
  label: string
  rows: readonly Row[]
  rowId: (row: Row) => string
  /** The row itself; `tools` goes to its end. */
  children: (row: Row, tools: ReactNode) => ReactNode
  /** The first one is what key A does. */
  answers: (row: Row) => readonly [Answer, ...Answer[]]
  /** Key E: what there is to read or write before answering. */
  onOpen?: (row: Row) => void
  className?: string | undefined
}

type Given<Row> = { row: Row; at: number; since: number; answer: Answer; state: 'waiting' | 'sent'; change: string }

/** As long as a message with Undo stands. */
const undoMs = 10_000
/** The second click of a double click is no answer to what appeared below the pointer. */
const doubleClickMs = 600

/**
 * Rows that wait for an answer. One that was answered stays in its place with the outcome and Undo, so that nothing slides below the
 * pointer; the answer is sent when the time for Undo is over or the page is left, closed or hidden. Keys: A gives the first answer, E opens, H hides for now.
 */
export function AnswerQueue<Row>({ label, rows, rowId, children, answers, onOpen, className }: AnswerQueueProps<Row>) {
  const list = useRef<HTMLUListElement>(null)
  // A page that closes says so more than once before anything is drawn again.
  const sent = useRef(new Set<string>())
  const [given, setGiven] = useState<readonly Given<Row>[]>([])
  const [hovered, setHovered] = useState(false)
  const idOf = (one: Given<Row>) => rowId(one.row)

  const listed = new Set(rows.map(rowId))
  // What was sent goes once nobody points at the list; until the next answer of the server it must not come back either.
  const visible = given.filter(({ state }) => state === 'waiting' || hovered)
  const shown: Row[] = rows.filter((row) => !given.some((one) => idOf(one) === rowId(row)))
  for (const one of visible.toSorted((left, right) => left.at - right.at)) shown.splice(one.at, 0, one.row)

  const remove = (id: string) => setGiven((before) => before.filter((one) => idOf(one) !== id))
  const take = (one: Given<Row>) => {
    remove(idOf(one))
    settleChange(one.change)
  }
  const send = async (one: Given<Row>) => {
    if (sent.current.has(one.change)) return
    sent.current.add(one.change)
    setGiven((before) => before.map((known) => (known.change === one.change ? { ...known, state: 'sent' } : known)))
    settleChange(one.change)
    try {
      await one.answer.run({ keepalive: true })
    } catch (failure) {
      remove(idOf(one))
      toast.error(one.answer.failed, failure)
    }
  }
  const give = (row: Row, answer: Answer) => {
    const id = rowId(row)
    const change = recordChange(answer.outcome, () => {
      remove(id)
      return Promise.resolve()
    })
    setGiven((before) => [
      // Those that the server has taken off its list are history.
      ...before.filter((one) => one.state === 'waiting' || hovered || listed.has(idOf(one))),
      { row, at: shown.findIndex((known) => rowId(known) === id), since: Date.now(), answer, state: 'waiting', change: change.id },
    ])
    const next = shown.slice(shown.indexOf(row) + 1).find((later) => !given.some((one) => idOf(one) === rowId(later)))
    queueMicrotask(() => focusRow(next ? rowId(next) : id))
  }
  const focusRow = (id: string) => {
    const buttons = list.current?.querySelectorAll<HTMLElement>(`[data-queued="${CSS.escape(id)}"] [data-answer]`)
    requestAnimationFrame(() =>
      (buttons?.[0] ?? list.current?.querySelector<HTMLElement>(`[data-queued="${CSS.escape(id)}"] button`))?.focus(),
    )
  }

  const latest = useRef({ given, send })
  useEffect(() => {
    latest.current = { given, send }
  })
  const waiting = given.filter(({ state }) => state === 'waiting')
  const due = waiting.map(({ change }) => change).join(' ')
  useEffect(() => {
    if (!due) return
    const timers = due.split(' ').map((change) => {
      const one = latest.current.given.find((known) => known.change === change)
      return setTimeout(
        () => {
          const now = latest.current.given.find((known) => known.change === change && known.state === 'waiting')
          if (now) void latest.current.send(now)
        },
        one ? Math.max(0, one.since + undoMs - Date.now()) : undoMs,
      )
    })
    return () => timers.forEach(clearTimeout)
  }, [due])
  useEffect(() => {
    const sendAll = () => {
      for (const one of latest.current.given) if (one.state === 'waiting') void latest.current.send(one)
    }
    // A phone closes a hidden page without another word.
    const sendWhenHidden = () => {
      if (document.visibilityState === 'hidden') sendAll()
    }
    window.addEventListener('pagehide', sendAll)
    document.addEventListener('visibilitychange', sendWhenHidden)
    return () => {
      window.removeEventListener('pagehide', sendAll)
      document.removeEventListener('visibilitychange', sendWhenHidden)
      sendAll()
    }
  }, [])

  /** The row in focus; without one, the key brings the reader to the first. */
  const act = (run: (row: Row) => void) => {
    const open = shown.filter((row) => !given.some((one) => idOf(one) === rowId(row)))
    const inFocus = document.activeElement?.closest('[data-queued]')?.getAttribute('data-queued')
    const row = open.find((one) => rowId(one) === inFocus)
    if (row) return run(row)
    if (open[0]) focusRow(rowId(open[0]))
  }
  const [first] = rows
  useShortcuts([
    ...(first ? answers(first) : []).flatMap(({ keys, label: does }, nth) => {
      const pressed = nth === 0 ? 'a' : keys
      const run = () =>
        act((row) => {
          const answer = answers(row)[nth]
          if (answer) give(row, answer)
        })
      return pressed === undefined ? [] : [{ keys: pressed, label: does, group: label, run }]
    }),
    ...(first && onOpen ? [{ keys: 'e', label: t`Open`, group: label, run: () => act(onOpen) }] : []),
    ...(first ? [{ keys: 'h', label: t`Hide for now`, group: label, run: () => act((row) => give(row, hiding())) }] : []),
  ])

  return (
    <ul
      ref={list}
      aria-label={label}
      className={className}
      onPointerEnter={() => setHovered(true)}
      onPointerLeave={() => setHovered(false)}
    >
      {shown.map((row) => {
        const id = rowId(row)
        const answered = given.find((one) => idOf(one) === id)
        const tools = answered ? (
          <span className={classes['tools']}>
            <span role="status">{answered.answer.outcome}</span>
            {answered.state === 'waiting' && (
              <Button
                size="compact-sm"
                variant="subtle"
                aria-label={t`Undo: ${answered.answer.outcome}`}
                onClick={() => {
                  if (Date.now() - answered.since < doubleClickMs) return
                  take(answered)
                  queueMicrotask(() => focusRow(id))
                }}
              >
                <Trans>Undo</Trans>
              </Button>
            )}
          </span>
        ) : (
          <span className={classes['tools']}>
            {answers(row).map((answer, index) => (
              <Button
                key={answer.label}
                data-answer
                size="compact-sm"
                variant={index === 0 ? 'filled' : 'default'}
                aria-label={answer.name}
                onClick={() => give(row, answer)}
              >
                {answer.label}
              </Button>
            ))}
          </span>
        )
        return (
          <li key={id} data-queued={id} data-answered={answered ? true : undefined} className={classes['row']}>
            {children(row, tools)}
          </li>
        )
      })}
    </ul>
  )
}

/** Until the page is opened again. */
const hiding = (): Answer => ({
  label: t`Hide`,
  name: t`Hide`,
  outcome: t`Hidden for now`,
  run: () => Promise.resolve(),
  failed: '',
})
