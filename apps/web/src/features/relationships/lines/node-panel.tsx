import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMemo, useState } from 'react'
import type { LineRecord } from '@guildhall/contract/features/relationships.lines'
import type { Relationship } from '@guildhall/contract/features/relationships'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { ButtonLink } from '../../../platform/navigation/links.tsx'
import { useRights } from '../../../platform/session/session.ts'
import { SidePanel } from '../../../ui/dialog/side-panel.tsx'
import { PlainDate, useFormats } from '../../../ui/display/dates.tsx'
import { Fact, FactList } from '../../../ui/form/fact-list.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { useLineNodes, useRelationship } from '../lines-api.ts'
import type { LineQuestion } from '../lines-api.ts'
import { above, itemOf, treeOf } from '../tree/tree-model.ts'
import type { TreeItem } from '../tree/tree-model.ts'
import type { LineKind } from './line-kinds.ts'
import { EndDialog } from './end-dialog.tsx'
import { RelationshipBadge } from './line-words.tsx'
import classes from './lines.module.css'
import { MoveDialog } from './move-dialog.tsx'
import { useLinesPlace } from './use-lines-place.ts'

type Props = { recordId: string; question: LineQuestion; kind: LineKind; onClose: () => void }

/** A node of the tree beside it. */
export function NodePanel({ recordId, question, kind, onClose }: Props) {
  const line = useLineNodes(question, true)
  const nodes = line.data?.nodes
  const item = useMemo(() => nodes && itemOf(treeOf(nodes), recordId), [nodes, recordId])
  const isComing = line.isPending || line.hasNextPage || line.isFetching
  return (
    <SidePanel title={item?.node.record.name ?? t`Entry`} onClose={onClose} recordKey={recordId}>
      {item ? (
        <Body key={item.node.key} item={item} top={line.data?.first.path ?? []} kind={kind} />
      ) : isComing ? (
        <Loading label={t`Loading`}>
          <SkeletonLines count={6} />
        </Loading>
      ) : (
        <EmptyState title={t`Not in this tree`} level={3}>
          {t`Nobody with this address stands in the line that is shown, or you may not see them.`}
        </EmptyState>
      )}
    </SidePanel>
  )
}

type BodyProps = { item: TreeItem; top: readonly LineRecord[]; kind: LineKind }

function Body({ item, top, kind }: BodyProps) {
  const { go } = useLinesPlace()
  const { number } = useFormats()
  const { node } = item
  const ofChapters = kind.type === undefined
  const path = [...top, ...above(item).map(({ node: { record } }) => record)]
  return (
    <div className={classes['stack']}>
      {path.length > 0 && (
        <nav aria-label={t`Path`} className={classes['above']}>
          <ol>
            {path.map((record) => (
              <li key={record.id}>
                <button
                  type="button"
                  className={classes['linkButton']}
                  onClick={() => go({ open: record.id, ...(isAbove(top, record) && { root: record.id }) })}
                >
                  {record.name}
                </button>
              </li>
            ))}
            <li aria-current="true">{node.record.name}</li>
          </ol>
        </nav>
      )}
      <div className={classes['tools']}>
        <OpenRecord record={node.record} ofChapters={ofChapters} />
        {item.parent && (
          <Button size="compact-md" variant="default" onClick={() => go({ root: node.record.id, open: undefined })}>
            <Trans>Show the line of {node.record.name}</Trans>
          </Button>
        )}
      </div>
      <FactList>
        <Fact label={t`Children`}>{number(node.children)}</Fact>
        <Fact label={t`Descendants`}>{number(node.descendants)}</Fact>
        <Fact label={t`Generation`}>{number(node.generation)}</Fact>
        {node.members !== null && <Fact label={t`Members`}>{number(node.members)}</Fact>}
        {node.membersBelow !== null && <Fact label={t`Members with those below`}>{number(node.membersBelow)}</Fact>}
        {!ofChapters && <Fact label={t`Home chapter`}>{node.record.chapter?.name}</Fact>}
      </FactList>
      {node.relationshipId && item.parent && <RelationshipPart relationshipId={node.relationshipId} descendants={node.descendants} />}
    </div>
  )
}

const OpenRecord = ({ record, ofChapters }: { record: LineRecord; ofChapters: boolean }) =>
  ofChapters ? (
    <ButtonLink
      size="compact-md"
      variant="default"
      to="/chapter/$chapterId/{-$tab}/{-$subtab}"
      params={{ chapterId: record.id, tab: undefined, subtab: undefined }}
    >
      <Trans>Open chapter</Trans>
    </ButtonLink>
  ) : (
    <ButtonLink size="compact-md" variant="default" to="/person/$personId/{-$tab}" params={{ personId: record.id, tab: undefined }}>
      <Trans>Open person</Trans>
    </ButtonLink>
  )

const isAbove = (top: readonly LineRecord[], { id }: LineRecord) => top.some((record) => record.id === id)

/** What puts somebody below their parent, and what an officer does about it. */
function RelationshipPart({ relationshipId, descendants }: { relationshipId: string; descendants: number }) {
  const relationship = useRelationship(relationshipId)
  if (relationship.isError)
    return (
      <ProblemState
        problem={relationship.error}
        title={t`The relationship could not be loaded`}
        retry={() => void relationship.refetch()}
      />
    )
  if (!relationship.data)
    return (
      <Loading label={t`Loading the relationship`}>
        <SkeletonLines count={4} />
      </Loading>
    )
  return <RelationshipFacts relationship={relationship.data} descendants={descendants} />
}

function RelationshipFacts({ relationship, descendants }: { relationship: Relationship; descendants: number }) {
  const can = useRights()
  const [asked, setAsked] = useState<'move' | 'end'>()
  const close = () => setAsked(undefined)
  const { from, to, type, may } = relationship
  const mayMove = may.end && can('relationships.manage')
  return (
    <section className={classes['stack']} aria-labelledby={`relationship-${relationship.id}`}>
      <h3 id={`relationship-${relationship.id}`} className={classes['part']}>
        {type.name}
      </h3>
      <FactList>
        <Fact label={type.forwardLabel}>{from.displayName}</Fact>
        <Fact label={type.inverseLabel}>{to.displayName}</Fact>
        <Fact label={t`Status`}>
          <RelationshipBadge state={relationship.state} />
        </Fact>
        <Fact label={t`Since`}>{relationship.startsOn && <PlainDate date={relationship.startsOn} />}</Fact>
        {relationship.endsOn && (
          <Fact label={t`Until`}>
            <PlainDate date={relationship.endsOn} />
          </Fact>
        )}
        <Fact label={t`Verified by`}>{relationship.verifiedBy}</Fact>
        {relationship.note && <Fact label={t`Note`}>{relationship.note}</Fact>}
      </FactList>
      {relationship.state === 'active' && (
        <div className={classes['tools']}>
          {mayMove && (
            <Button size="compact-md" variant="default" onClick={() => setAsked('move')}>
              <Trans>Move below another person</Trans>
            </Button>
          )}
          {may.end && (
            <Button size="compact-md" variant="default" color="red" onClick={() => setAsked('end')}>
              <Trans>End relationship</Trans>
            </Button>
          )}
        </div>
      )}
      <MoveDialog opened={asked === 'move'} relationship={relationship} descendants={descendants} onClose={close} />
      <EndDialog opened={asked === 'end'} relationship={relationship} onClose={close} />
    </section>
  )
}
