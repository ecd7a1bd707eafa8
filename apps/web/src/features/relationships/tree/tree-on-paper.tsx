import classes from './line-graph.module.css'
import { boxHeight, boxWidth, linkPath } from './tree-layout.ts'
import type { Growth, Picture } from './tree-layout.ts'

/** Of an A4 page in the points of the picture, margins and caption taken off. */
const pageWidth = 1000
const pageHeight = 1300
/** A picture that takes more pages than this is better read in the table below it. */
const mostPages = 30

/** The open part of the tree on paper: as wide as the page, and as many pages as it is high. */
export function TreeOnPaper({ picture, growth }: { picture: Picture; growth: Growth }) {
  const width = Math.max(pageWidth, picture.width + 2)
  const height = pageHeight * (width / pageWidth)
  const pages = Math.ceil((picture.height + 2) / height)
  if (pages > mostPages) return null
  return (
    <div className={classes['paper']}>
      {Array.from({ length: pages }, (_, page) => {
        const top = picture.top - 1 + page * height
        const bottom = Math.min(top + height, picture.top + picture.height + 1)
        const cut = (from: number, to: number) => to >= top && from <= bottom
        return (
          <svg key={page} viewBox={`${picture.left - 1} ${top} ${width} ${bottom - top}`} className={classes['sheet']} aria-hidden>
            {picture.links
              .filter(({ from, to }) => cut(Math.min(from.y, to.y), Math.max(from.y, to.y) + boxHeight))
              .map(({ from, to }) => (
                <path key={to.item.node.key} d={linkPath(from, to, growth)} fill="none" stroke="#000" />
              ))}
            {picture.boxes
              .filter(({ y }) => cut(y, y + boxHeight))
              .map(({ item, x, y }) => (
                <g key={item.node.key}>
                  <rect x={x} y={y} width={boxWidth} height={boxHeight} rx={6} fill="#fff" stroke="#000" />
                  <text x={x + 10} y={y + 29} fontSize={14}>
                    {shortened(item.node.record.name)}
                  </text>
                </g>
              ))}
          </svg>
        )
      })}
    </div>
  )
}

/** What fits into a box; the table has it whole. */
const shortened = (name: string) => (name.length > 24 ? `${name.slice(0, 23)}…` : name)
