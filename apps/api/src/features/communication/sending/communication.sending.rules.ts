import type { MessageStatus } from '@guildhall/contract/features/communication.messages'

// The life of a message. app_private.message_moves() of the database says the same, and enforces it; a test compares the two.

export type MessageMove =
  | ('submit' | 'schedule' | 'approve' | 'decline' | 'withdraw' | 'take_back' | 'pause' | 'resume' | 'cancel' | 'retry')
  /** By the worker alone. */
  | ('start' | 'hold' | 'fail' | 'finish')
type Move = { from: readonly MessageStatus[]; to: MessageStatus; needs: 'messages.write' | 'messages.send' | null }

export const messageMoves: Readonly<Record<MessageMove, Move>> = {
  submit: { from: ['draft'], to: 'in_review', needs: 'messages.write' },
  schedule: { from: ['draft'], to: 'scheduled', needs: 'messages.send' },
  approve: { from: ['in_review'], to: 'scheduled', needs: 'messages.send' },
  decline: { from: ['in_review'], to: 'draft', needs: 'messages.send' },
  withdraw: { from: ['in_review'], to: 'draft', needs: 'messages.write' },
  take_back: { from: ['scheduled'], to: 'draft', needs: 'messages.send' },
  start: { from: ['scheduled'], to: 'sending', needs: null },
  pause: { from: ['sending'], to: 'paused', needs: 'messages.send' },
  resume: { from: ['paused'], to: 'sending', needs: 'messages.send' },
  cancel: { from: ['scheduled', 'sending', 'paused'], to: 'cancelled', needs: 'messages.send' },
  hold: { from: ['sending', 'paused'], to: 'in_review', needs: null },
  fail: { from: ['scheduled', 'sending', 'paused'], to: 'failed', needs: null },
  finish: { from: ['sending', 'paused'], to: 'sent', needs: null },
  retry: { from: ['sent', 'failed'], to: 'sending', needs: 'messages.send' },
}

/** What a move makes of a message; undefined where it cannot be made. */
export function afterMove(status: MessageStatus, move: MessageMove): MessageStatus | undefined {
  const { from, to } = messageMoves[move]
  return from.includes(status) ? to : undefined
}

type Standing = {
  status: MessageStatus
  isArchived: boolean
  /** Holds the permissions where the message belongs. */
  mayWrite: boolean
  maySend: boolean
  isAuthor: boolean
  isSubmitter: boolean
}

/** What the caller is offered; the database decides again. */
export function offeredMoves({ status, isArchived, mayWrite, maySend, isAuthor, isSubmitter }: Standing) {
  const holds = (move: MessageMove) => (messageMoves[move].needs === 'messages.send' ? maySend : mayWrite)
  const may = (move: MessageMove) => !isArchived && holds(move) && afterMove(status, move) !== undefined
  return {
    edit: status === 'draft' && mayWrite && !isArchived,
    remove: status === 'draft' && mayWrite,
    submit: may('submit'),
    schedule: may('schedule'),
    approve: may('approve') && !isAuthor && !isSubmitter,
    decline: may('decline') && !isSubmitter,
    withdraw: may('withdraw'),
    takeBack: may('take_back'),
    pause: may('pause'),
    resume: may('resume'),
    cancel: may('cancel'),
    retry: may('retry'),
  }
}
