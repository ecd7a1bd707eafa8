import { useEffect, useState } from 'react'

/** Runs once what the reader just did shows on the screen: what follows from it may take longer than a click may. */
export const afterPaint = (run: () => void) => void requestAnimationFrame(() => setTimeout(run, 0))

/** True from the first paint on: a picture must not delay what stands around it. */
export function useAfterPaint(): boolean {
  const [after, setAfter] = useState(false)
  useEffect(() => {
    let mounted = true
    afterPaint(() => mounted && setAfter(true))
    return () => {
      mounted = false
    }
  }, [])
  return after
}
