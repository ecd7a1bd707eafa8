import type { ReactNode } from 'react'

type Props = { onLeave: () => void; className?: string | undefined; children: ReactNode }

/** Says when the focus has left what stands in it, not when it moves within. */
export const LeftField = ({ onLeave, className, children }: Props) => (
  <div
    className={className}
    onBlur={({ currentTarget, relatedTarget }) => {
      if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) onLeave()
    }}
  >
    {children}
  </div>
)
