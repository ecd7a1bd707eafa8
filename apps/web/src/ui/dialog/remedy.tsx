import { createContext, use } from 'react'
import type { ComponentType } from 'react'

type Props = {
  /** What was thrown. */
  after: unknown
  /** Sends again what was refused. */
  onDone: () => void
}

const RemedyContext = createContext<ComponentType<Props> | null>(null)
/** What the application can offer below a failure, such as signing in again. */
export const RemedyProvider = RemedyContext

/** Whatever can be done about a failure right here, without losing what was typed. */
export function Remedy(props: Props) {
  const Offered = use(RemedyContext)
  return Offered && <Offered {...props} />
}
