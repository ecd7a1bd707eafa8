import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { CSSProperties } from 'react'
import type { RelationshipType } from '@guildhall/contract/features/relationships'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { usePersonGraph, useTypes } from '../relationships-api.ts'
import { graphWidth, pictureOf } from './graph-layout.ts'
import type { GraphNode, GraphPicture } from './graph-layout.ts'
import classes from './person.module.css'

type Props = { person: { id: string; displayName: string } }

/** The people around one person; nothing where there are none. The lists below say the same in words. */
export function PersonGraph({ person }: Props) {
  const graph = usePersonGraph(person.id)
  const types = useTypes(false)
  const archived = useTypes(true)
  const labels = useMemo(() => [...(types.data?.items ?? []), ...(archived.data?.items ?? [])], [types.data, archived.data])
  const picture = useMemo(() => graph.data && pictureOf(graph.data, labels), [graph.data, labels])
  if (graph.isError)
    return <ProblemState problem={graph.error} title={t`The picture could not be loaded`} retry={() => void graph.refetch()} />
  if (!picture || picture.nodes.length < 2) return null
  return (
    <Section title={t`At a glance`} className={classes['glance']}>
      <Picture picture={picture} label={t`People around ${person.displayName}`} />
      <Legend picture={picture} labels={labels} />
    </Section>
  )
}

const colorOf = (picture: GraphPicture, typeId: string): CSSProperties => ({
  '--type-color': `var(--gh-chart-${(picture.typeIds.indexOf(typeId) % 6) + 1})`,
})

const Picture = ({ picture, label }: { picture: GraphPicture; label: string }) => (
  <svg
    className={classes['graph']}
    viewBox={`0 ${picture.top} ${graphWidth} ${picture.bottom - picture.top}`}
    role="group"
    aria-label={label}
    data-dense={picture.isDense || undefined}
  >
    <g aria-hidden>
      {picture.edges.map((edge) => (
        <line
          key={edge.id}
          x1={edge.from.x}
          y1={edge.from.y}
          x2={edge.to.x}
          y2={edge.to.y}
          className={classes['edge']}
          data-over={!edge.isActive || undefined}
          style={colorOf(picture, edge.typeId)}
        />
      ))}
    </g>
    {picture.nodes.map((node) => (
      <Node key={node.id} node={node} isDense={picture.isDense} />
    ))}
  </svg>
)

const radii = { 0: 22, 1: 16, 2: 11 } as const

function Node({ node: { id, name, role, step, x, y }, isDense }: { node: GraphNode; isDense: boolean }) {
  const radius = isDense && step > 0 ? 11 : radii[step]
  const inside = (
    <>
      <title>{role ? `${name}, ${role}` : name}</title>
      <circle cx={x} cy={y} r={radius} className={classes['dot']} />
      <text x={x} y={y} className={classes['initials']} aria-hidden>
        {initials(name)}
      </text>
      <text x={x} y={y + radius + 13} className={classes['name']}>
        {short(name)}
      </text>
      {role && (
        <text x={x} y={y + radius + 26} className={classes['role']}>
          {short(role)}
        </text>
      )}
    </>
  )
  if (step === 0) {
    return (
      <g className={classes['node']} data-step={step}>
        {inside}
      </g>
    )
  }
  return (
    <Link to="/person/$personId/{-$tab}" params={{ personId: id, tab: 'relationships' }} className={classes['node']} data-step={step}>
      {inside}
    </Link>
  )
}

/** Which colour is which type. */
function Legend({ picture, labels }: { picture: GraphPicture; labels: readonly RelationshipType[] }) {
  const named = picture.typeIds.flatMap((typeId) => labels.find(({ id }) => id === typeId) ?? [])
  return (
    <div className={classes['legend']}>
      <ul className={classes['legendTypes']} aria-label={t`Colours`}>
        {named.map(({ id, name }) => (
          <li key={id} style={colorOf(picture, id)}>
            {name}
          </li>
        ))}
      </ul>
      {picture.edges.some(({ isActive }) => !isActive) && <span>{t`Dashed lines are relationships that have ended.`}</span>}
      {picture.isCut && <span>{t`Not everybody fits into this picture. Open somebody to see who is around them.`}</span>}
    </div>
  )
}

const initials = (name: string) =>
  name
    .split(/\s+/)
    .flatMap((word) => Array.from(word).slice(0, 1))
    .filter((_, nth, all) => nth === 0 || nth === all.length - 1)
    .join('')

const short = (words: string) => (words.length > 17 ? `${words.slice(0, 16)}…` : words)
