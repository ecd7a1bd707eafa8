import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconCircleCheck } from '@tabler/icons-react'
import { useState } from 'react'
import type { LineProblem, LineRecord } from '@guildhall/contract/features/relationships.lines'
import { LineProblemKind } from '@guildhall/contract/features/relationships.lines'
import { ButtonLink } from '../../../platform/navigation/links.tsx'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { useRights } from '../../../platform/session/session.ts'
import { useFormats } from '../../../ui/display/dates.tsx'
import { ShowMore } from '../../../ui/list/show-more.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { useLineProblems } from '../lines-api.ts'
import type { LineScope } from '../lines-api.ts'
import { AddGuardianDialog } from './add-guardian-dialog.tsx'
import type { LineKind } from './line-kinds.ts'
import { problemAdvice, problemName, RecordLink } from './line-words.tsx'
import classes from './lines.module.css'
import { useLinesPlace } from './use-lines-place.ts'

/** What is wrong in the lines of a kind, each with what to do about it. */
export function ProblemsView({ scope, kind }: { scope: LineScope; kind: LineKind }) {
  const { search, go } = useLinesPlace()
  const chosen = LineProblemKind.options.find((known) => known === search.problem)
  const problems = useLineProblems({ ...scope, problem: chosen })
  const [adding, setAdding] = useState<LineRecord>()
  if (problems.isError && !problems.data)
    return <ProblemState problem={problems.error} title={t`The problems could not be loaded`} retry={() => void problems.refetch()} />
  if (!problems.data)
    return (
      <Loading label={t`Loading the problems`}>
        <SkeletonLines count={8} />
      </Loading>
    )
  const { first, items } = problems.data
  return (
    <>
      <Chips counts={first?.counts ?? []} chosen={chosen} onChoose={(problem) => go({ problem })} />
      {items.length === 0 ? (
        <EmptyState icon={<IconCircleCheck size={32} stroke={1.5} />} title={t`No problems found`}>
          {t`Nothing that you may see needs attention.`}
        </EmptyState>
      ) : (
        <ul
          className={classes['problems']}
          aria-label={t`Problems`}
          aria-busy={problems.isPlaceholderData || undefined}
          data-stale={problems.isPlaceholderData || undefined}
        >
          {items.map((problem) => (
            <Problem
              key={`${problem.kind} ${problem.record.id} ${problem.relationshipId ?? ''}`}
              problem={problem}
              kind={kind}
              onAdd={() => setAdding(problem.record)}
            />
          ))}
        </ul>
      )}
      <ShowMore query={problems} />
      {kind.type && (
        <AddGuardianDialog opened={adding !== undefined} child={adding} type={kind.type} onClose={() => setAdding(undefined)} />
      )}
    </>
  )
}

type ChipsProps = {
  counts: readonly { kind: LineProblemKind; count: number }[]
  chosen: LineProblemKind | undefined
  onChoose: (kind: LineProblemKind | undefined) => void
}

function Chips({ counts, chosen, onChoose }: ChipsProps) {
  const { number } = useFormats()
  const all = counts.reduce((sum, { count }) => sum + count, 0)
  if (counts.length === 0) return null
  return (
    <div className={classes['chips']} role="group" aria-label={t`Kinds of problems`}>
      <button type="button" className={classes['chip']} aria-pressed={chosen === undefined} onClick={() => onChoose(undefined)}>
        {t`All`} <span className={classes['figure']}>{number(all)}</span>
      </button>
      {counts.map(({ kind, count }) => (
        <button
          key={kind}
          type="button"
          className={classes['chip']}
          aria-pressed={chosen === kind}
          onClick={() => onChoose(chosen === kind ? undefined : kind)}
        >
          {problemName(kind)} <span className={classes['figure']}>{number(count)}</span>
        </button>
      ))}
    </div>
  )
}

type ProblemProps = { problem: LineProblem; kind: LineKind; onAdd: () => void }

function Problem({ problem, kind, onAdd }: ProblemProps) {
  const { go } = useLinesPlace()
  const { day } = useFormats()
  const can = useRights()
  const ofChapters = kind.type === undefined
  const { record, others, on } = problem
  const adds = problem.kind === 'minor_without_guardian' && kind.type?.isMinorsOnly && can('relationships.manage')
  return (
    <li className={classes['problem']}>
      <div className={classes['what']}>
        <span>
          <RecordLink record={record} ofChapters={ofChapters} />
          {record.chapter && <span className={classes['dim']}> {record.chapter.name}</span>}
        </span>
        <span>
          <strong>{problemName(problem.kind)}</strong>
          {on && ` · ${day(on)}`}
        </span>
        {others.length > 0 && (
          <div className={classes['others']}>
            <span>{t`With`}</span>
            <ul className={classes['others']} aria-label={t`With`}>
              {others.map((other) => (
                <li key={other.id}>
                  <RecordLink record={other} ofChapters={ofChapters} />
                </li>
              ))}
            </ul>
          </div>
        )}
        <span className={classes['dim']}>{problemAdvice(problem.kind, ofChapters)}</span>
      </div>
      <div className={classes['tools']}>
        {adds && (
          <Button size="compact-md" aria-label={t`Add guardian of ${record.name}`} onClick={onAdd}>
            <Trans>Add guardian</Trans>
          </Button>
        )}
        {problem.kind === 'minor_without_guardian' ? (
          // Who has nobody above or below stands in no tree.
          <ButtonLink
            size="compact-md"
            variant="default"
            aria-label={t`Open ${record.name}`}
            to="/person/$personId/{-$tab}"
            params={{ personId: record.id, tab: undefined }}
          >
            <Trans>Open</Trans>
          </ButtonLink>
        ) : (
          <Button
            size="compact-md"
            variant="default"
            aria-label={t`Open ${record.name}`}
            onClick={() => go({ view: undefined, problem: undefined, ...placeOf(problem) })}
          >
            <Trans>Open</Trans>
          </Button>
        )}
      </div>
    </li>
  )
}

/** The first person of a pair, whose line shows it, and whose panel tells of it. */
function placeOf({ kind, record, others, relationshipId }: LineProblem): { root: string; open: string } {
  const [other] = others
  const isBelow = relationshipId !== null || kind === 'too_many_parents' || kind === 'ended_parent'
  if (!other || !isBelow) return { root: record.id, open: record.id }
  return aboutTheFirst.includes(kind) ? { root: record.id, open: other.id } : { root: other.id, open: record.id }
}
const aboutTheFirst: readonly LineProblemKind[] = ['guardian_under_age', 'guardian_younger', 'guardian_is_managed']
