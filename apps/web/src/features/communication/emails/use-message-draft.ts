import type { Message, MessageChange } from '@guildhall/contract/features/communication.messages'
import { MessageBody } from '@guildhall/contract/message-body'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useApi } from '../../../platform/api/api.tsx'
import { ApiProblem } from '../../../platform/api/problem.ts'
import { problemText } from '../../../platform/api/problem-text.tsx'
import { useMessagesChanged } from './messages-api.ts'

/** So long after the last key it is saved. */
const idleMs = 800

const fields = ['name', 'subject', 'preheader', 'body', 'topicId', 'fromName', 'replyTo', 'audience', 'pace'] as const

export type DraftValues = { [Name in (typeof fields)[number]]: Exclude<MessageChange[Name], undefined> }

const valuesOf = (message: Message): DraftValues => ({
  name: message.name,
  subject: message.subject,
  preheader: message.preheader,
  body: MessageBody.parse(message.body),
  topicId: message.topic?.id ?? null,
  fromName: message.fromName,
  replyTo: message.replyTo,
  audience: message.audience,
  pace: message.pace,
})

const written = (value: unknown) => JSON.stringify(value ?? null)

/**
 * A draft that saves itself when nobody has typed for a moment. What the server refuses stays in its field with the reason, and is sent
 * again once it is changed; when somebody else changed the draft meanwhile, the fields that they did not touch are saved on theirs.
 */
export function useMessageDraft(first: Message) {
  const { messages } = useApi().data.communication
  const changed = useMessagesChanged()
  const [values, setValues] = useState(() => valuesOf(first))
  const [state, setState] = useState<{ saving: boolean; failure?: string; faults: Record<string, string>; pending: boolean }>({
    saving: false,
    faults: {},
    pending: false,
  })
  const now = useRef({ values, message: first, sent: valuesOf(first), refused: new Map<string, string>() })
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const running = useRef<Promise<void>>(undefined)

  const waiting = useCallback((): Partial<DraftValues> => {
    const { values: entered, sent, refused } = now.current
    return Object.fromEntries(
      fields
        .filter((field) => written(entered[field]) !== written(sent[field]) && refused.get(field) !== written(entered[field]))
        .map((field) => [field, entered[field]]),
    )
  }, [])

  const save = useCallback(
    async (change: Partial<DraftValues>, tries = 0): Promise<void> => {
      setState((before) => ({ ...before, saving: true }))
      try {
        const saved = await messages.update.call({ messageId: first.id, ...change }, { context: { ifMatch: now.current.message.version } })
        now.current.message = saved
        now.current.sent = { ...now.current.sent, ...change }
        setState({ saving: false, faults: {}, pending: Object.keys(waiting()).length > 0 })
        void changed(saved)
      } catch (problem) {
        if (problem instanceof ApiProblem && problem.status === 412 && tries < 3) {
          now.current.message = await messages.get.call({ messageId: first.id })
          return await save(change, tries + 1)
        }
        const faults: Record<string, string> = {}
        if (problem instanceof ApiProblem)
          for (const { path, message } of problem.errors) {
            const field = path.split('.')[0] ?? ''
            faults[field] = message
            const known = fields.find((name) => name === field)
            if (known && known in change) now.current.refused.set(known, written(change[known]))
          }
        const named = Object.keys(faults).some((field) => field in change)
        setState({ saving: false, faults, pending: true, ...(!named && { failure: problemText(problem) }) })
      }
    },
    [changed, first.id, messages, waiting],
  )

  /** Resolves when all that can be saved is. */
  const flush = useCallback(async (): Promise<Message> => {
    clearTimeout(timer.current)
    for (let tries = 0; tries < 5; tries += 1) {
      await running.current
      const change = waiting()
      if (Object.keys(change).length === 0) {
        setState((before) => (before.pending && Object.keys(before.faults).length === 0 ? { ...before, pending: false } : before))
        break
      }
      running.current = save(change)
      await running.current
    }
    return now.current.message
  }, [save, waiting])

  const set = useCallback(
    (change: Partial<DraftValues>) => {
      now.current.values = { ...now.current.values, ...change }
      setValues(now.current.values)
      setState((before) => ({ ...before, pending: true }))
      clearTimeout(timer.current)
      timer.current = setTimeout(() => void flush(), idleMs)
    },
    [flush],
  )

  // What is being typed when the page is left is saved, too; only then.
  const last = useRef(flush)
  useEffect(() => {
    last.current = flush
  })
  useEffect(() => () => void last.current(), [])

  return { values, set, flush, ...state }
}
