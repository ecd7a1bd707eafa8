import { Button, Switch } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { IconPlus, IconUsersGroup } from '@tabler/icons-react'
import { useState } from 'react'
import type { Relationship, RelationshipTypeRef } from '@guildhall/contract/features/relationships'
import type { Person } from '@guildhall/contract/features/people'
import { acting } from '../../../platform/api/acting.ts'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { useMe, useRights } from '../../../platform/session/session.ts'
import { ShowMore } from '../../../ui/list/show-more.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { ProposalQueue } from '../proposals/proposal-queue.tsx'
import { usePersonRelationships, useProposals, useTypes } from '../relationships-api.ts'
import { AddRelationshipDialog } from './add-dialog.tsx'
import { PersonGraph } from './graph.tsx'
import classes from './person.module.css'
import { RelationshipRow } from './relationship-row.tsx'

/** Whom somebody stands in a relationship to, as far as the reader may see it: a picture, then the lists of each type. */
export function PersonRelationships({ person }: { person: Person }) {
  const [over, setOver] = useState(false)
  const active = usePersonRelationships(person.id, 'active')
  const proposed = usePersonRelationships(person.id, 'proposed')
  const ended = usePersonRelationships(person.id, 'ended', over)
  const rejected = usePersonRelationships(person.id, 'rejected', over)
  const waiting = useProposals(person.id)
  const asked = [active, proposed, waiting, ...(over ? [ended, rejected] : [])]
  const failed = asked.find(({ isError, data }) => isError && !data)
  if (failed) {
    return (
      <ProblemState
        problem={failed.error}
        title={t`The relationships could not be loaded`}
        retry={() => asked.forEach((query) => void query.refetch())}
      />
    )
  }
  if (active.isPending || proposed.isPending || waiting.isPending) {
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={8} />
      </Loading>
    )
  }
  const toAnswer = waiting.data?.items ?? []
  const answerable = new Set(toAnswer.map(({ id }) => id))
  const others = (proposed.data?.items ?? []).filter(({ id }) => !answerable.has(id))
  const shown = [...(active.data?.items ?? []), ...others, ...(over ? [...(ended.data?.items ?? []), ...(rejected.data?.items ?? [])] : [])]
  return (
    <div className={classes['stack']}>
      <div className={classes['bar']}>
        <AddRelationship person={person} />
        <Switch label={t`Show ended and rejected`} checked={over} onChange={(event) => setOver(event.currentTarget.checked)} />
      </div>
      {toAnswer.length > 0 && (
        <Section title={t`Waiting for your answer`} count={waiting.data?.total}>
          <ProposalQueue rows={toAnswer} />
          <ShowMore query={waiting} />
        </Section>
      )}
      <PersonGraph person={person} />
      {shown.length === 0 && toAnswer.length === 0 && !(over && (ended.isPending || rejected.isPending)) && (
        <EmptyState icon={<IconUsersGroup size={32} stroke={1.5} />} title={over ? t`No relationships` : t`No active relationships`}>
          {over
            ? t`Who is guardian, big, mentor or recruiter of ${person.displayName} stands here once it is recorded.`
            : t`Those that have ended are shown with the switch above.`}
        </EmptyState>
      )}
      {byType(shown).map(({ type, rows }) => (
        <OfType key={type.id} type={type} rows={rows} person={person} />
      ))}
      {asked
        .filter((query) => query !== waiting)
        .map((query, nth) => (
          <ShowMore key={nth} query={query} />
        ))}
    </div>
  )
}

function OfType({ type, rows, person }: { type: RelationshipTypeRef; rows: readonly Relationship[]; person: Person }) {
  return (
    <Section
      title={type.name}
      count={rows.length}
      actions={
        <Link to="/reports/parent-child" search={{ kind: type.key, root: person.id }} aria-label={t`Show as tree: ${type.name}`}>
          <Trans>Show as tree</Trans>
        </Link>
      }
    >
      <ul className={classes['list']} aria-label={type.name}>
        {rows.map((relationship) => (
          <RelationshipRow key={relationship.id} relationship={relationship} personId={person.id} />
        ))}
      </ul>
    </Section>
  )
}

/** Officers record; who is one of the two proposes. */
function AddRelationship({ person }: { person: Person }) {
  const { data: me } = useMe()
  const can = useRights()
  const types = useTypes(false)
  const isActing = acting.use() !== null
  const [opened, setOpened] = useState(false)
  const own = me?.person ?? undefined
  const isOwn = own?.id === person.id
  const manages = !isOwn && can('relationships.manage', { chapterId: person.homeChapter?.id })
  const closed = person.lifecycle === 'deceased' || person.archivedAt !== null
  if (isActing || closed || !(manages || own) || !types.data || types.data.items.length === 0) return null
  return (
    <>
      <Button leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />} onClick={() => setOpened(true)}>
        {manages ? <Trans>Add relationship</Trans> : <Trans>Propose relationship</Trans>}
      </Button>
      <AddRelationshipDialog
        opened={opened}
        person={person}
        types={types.data.items}
        own={manages ? undefined : own}
        onClose={() => setOpened(false)}
      />
    </>
  )
}

/** By name of the type; active ones lead in each. */
function byType(rows: readonly Relationship[]): { type: RelationshipTypeRef; rows: Relationship[] }[] {
  const groups = new Map<string, { type: RelationshipTypeRef; rows: Relationship[] }>()
  for (const row of rows) {
    const group = groups.get(row.type.id) ?? { type: row.type, rows: [] }
    group.rows.push(row)
    groups.set(row.type.id, group)
  }
  return [...groups.values()].sort((a, b) => a.type.name.localeCompare(b.type.name))
}
