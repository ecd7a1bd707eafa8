import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import type { Relationship } from '@guildhall/contract/features/relationships'
import { AnswerQueue } from '../../../platform/activity/answer-queue.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { PersonLink } from '../../../platform/records/record-links.tsx'
import { PlainDate } from '../../../ui/display/dates.tsx'
import { RelativeTime } from '../../../ui/display/relative-time.tsx'
import classes from '../person/person.module.css'
import { isMutual, pairText } from '../person/relationship-words.ts'
import { useRelationshipsChanged } from '../relationships-api.ts'

/** Proposals with Accept and Reject; an answer is sent after the time for Undo. */
export function ProposalQueue({ rows }: { rows: readonly Relationship[] }) {
  const { accept, reject } = useApi().data.relationships
  const changed = useRelationshipsChanged()
  const answers = (proposal: Relationship) => {
    const { id: relationshipId, version } = proposal
    const pair = pairText(proposal)
    const failed = t`The proposal could not be answered.`
    return [
      {
        label: t`Accept`,
        name: t`Accept: ${pair}`,
        outcome: t`${pair}: accepted`,
        run: (context: object) =>
          accept.call({ relationshipId }, { context: { ...context, ifMatch: version } }).finally(() => void changed()),
        failed,
      },
      {
        label: t`Reject`,
        name: t`Reject: ${pair}`,
        outcome: t`${pair}: rejected`,
        run: (context: object) =>
          reject.call({ relationshipId }, { context: { ...context, ifMatch: version } }).finally(() => void changed()),
        failed,
      },
    ] as const
  }
  return (
    <AnswerQueue label={t`Relationships to confirm`} className={classes['list']} rows={rows} rowId={({ id }) => id} answers={answers}>
      {(proposal, tools) => <Proposal proposal={proposal} tools={tools} />}
    </AnswerQueue>
  )
}

function Proposal({ proposal, tools }: { proposal: Relationship; tools: ReactNode }) {
  const { from, to, type, startsOn, note, proposedBy, createdAt } = proposal
  return (
    <div className={classes['row']}>
      <div className={classes['words']}>
        <div className={classes['who']}>
          <PersonLink person={from} />
          {!isMutual(type) && <span className={classes['dim']}>{type.forwardLabel}</span>}
          <span aria-hidden>·</span>
          <PersonLink person={to} />
          {!isMutual(type) && <span className={classes['dim']}>{type.inverseLabel}</span>}
        </div>
        <span className={classes['dim']}>
          {proposedBy ? t`${type.name}, proposed by ${proposedBy}` : type.name} · <RelativeTime at={createdAt} />
          {startsOn && (
            <>
              {' '}
              · {t`since`} <PlainDate date={startsOn} />
            </>
          )}
        </span>
        {note && <p className={classes['note']}>{note}</p>}
      </div>
      {tools}
    </div>
  )
}
