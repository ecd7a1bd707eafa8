import { lazy, Suspense, useState } from 'react'
import type { ComponentType, ReactNode } from 'react'

/**
 * A component whose code comes apart from its page's: when it is first drawn, or ahead with `fetch`, after which it is drawn as if it
 * had always been there.
 */
export function part<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let ready: ComponentType<Props> | undefined
  const loaded = async () => (ready ??= await load())
  const Later = lazy(async () => ({ default: await loaded() }))

  function Part(props: Props): ReactNode {
    // Chosen once: another type would lose what the reader has done in it.
    const [Now] = useState<ComponentType<Props>>(() => ready ?? Later)
    return (
      <Suspense>
        <Now {...props} />
      </Suspense>
    )
  }
  // Whoever draws it asks again, and says so when that fails too.
  return Object.assign(Part, {
    fetch: () =>
      loaded().then(
        () => undefined,
        () => undefined,
      ),
  })
}
