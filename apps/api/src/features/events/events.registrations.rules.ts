import type { Answer, EventQuestion, RegistrationStatus } from '@guildhall/contract/features/events'
import { fault } from '../../platform/procedures/problem.ts'
import type { FieldRefusal } from '../../platform/procedures/problem.ts'

/** What may follow what; app.registration_may_become says the same. */
const moves: Readonly<Record<RegistrationStatus, readonly RegistrationStatus[]>> = {
  pending_approval: ['confirmed', 'pending_payment', 'waitlisted', 'rejected', 'cancelled'],
  pending_payment: ['confirmed', 'cancelled'],
  confirmed: ['checked_in', 'cancelled'],
  waitlisted: ['offered', 'cancelled'],
  offered: ['confirmed', 'pending_payment', 'cancelled'],
  // Only where its payment came after its hold was over.
  cancelled: ['confirmed'],
  rejected: [],
  checked_in: ['confirmed'],
}
export const mayBecome = (before: RegistrationStatus, after: RegistrationStatus): boolean =>
  before === after || moves[before].includes(after)

const seated: ReadonlySet<RegistrationStatus> = new Set(['confirmed', 'checked_in', 'offered', 'pending_payment'])
export const takesSeat = (status: RegistrationStatus): boolean => seated.has(status)

type Question = Omit<EventQuestion, 'ofGuests'>

/** The first answer that does not fit its question, or a question that must be answered and is not. */
export function faultOfAnswers(questions: readonly Question[], answers: readonly Answer[], path: string): FieldRefusal | undefined {
  for (const [nth, { questionId, value }] of answers.entries()) {
    const question = questions.find(({ id }) => id === questionId)
    const at = `${path}.${nth}.value`
    if (!question) return fault(`${path}.${nth}.questionId`, 'answer_unknown', 'This question is not asked any more.')
    if (!fits(question, value)) return fault(at, 'answer_wrong', 'Choose one of the options.')
  }
  const open = questions.find(
    ({ id, required }) => required && !answers.some((answer) => answer.questionId === id && isAnswered(answer.value)),
  )
  return open && fault(path, 'answer_needed', `Answer “${open.text}”.`, { params: { question: open.text } })
}
const isAnswered = (value: Answer['value']) => (typeof value === 'boolean' ? value : value.length > 0)

function fits({ kind, options }: Question, value: Answer['value']): boolean {
  if (kind === 'flag') return typeof value === 'boolean'
  if (kind === 'choices') return Array.isArray(value) && value.every((one) => options.includes(one))
  if (typeof value !== 'string') return false
  return kind !== 'choice' || value === '' || options.includes(value)
}
