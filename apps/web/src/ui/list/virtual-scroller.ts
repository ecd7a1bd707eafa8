import { elementScroll } from '@tanstack/react-virtual'
import type { Rect, Virtualizer } from '@tanstack/react-virtual'

type Scroller<Row extends Element> = Virtualizer<HTMLDivElement, Row>

// For a virtualiser in place of its own, which make the browser lay out the page in the middle of other work.

/** Told of the size when the browser has it. */
export function observeSize<Row extends Element>({ scrollElement }: Scroller<Row>, tell: (size: Rect) => void) {
  if (!scrollElement) return
  const observer = new ResizeObserver(() => tell({ width: scrollElement.clientWidth, height: scrollElement.clientHeight }))
  observer.observe(scrollElement)
  return () => observer.disconnect()
}

/** A list that has just been drawn is at its start already. */
export function scrollIfElsewhere<Row extends Element>(
  offset: number,
  how: { adjustments?: number; behavior?: ScrollBehavior },
  scroller: Scroller<Row>,
) {
  if (offset + (how.adjustments ?? 0) !== scroller.scrollOffset) elementScroll(offset, how, scroller)
}
