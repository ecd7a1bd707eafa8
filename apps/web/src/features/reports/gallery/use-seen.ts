import { useEffect, useRef, useState } from 'react'
import { afterPaint } from '../../../ui/after-paint.ts'

/** Whether something has come into view, from the first paint on. */
export function useSeen<Element extends HTMLElement>() {
  const ref = useRef<Element>(null)
  const [seen, setSeen] = useState(false)
  useEffect(() => {
    const element = ref.current
    if (!element) return
    if (!('IntersectionObserver' in window)) {
      let mounted = true
      afterPaint(() => mounted && setSeen(true))
      return () => {
        mounted = false
      }
    }
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      observer.disconnect()
      setSeen(true)
    })
    afterPaint(() => element.isConnected && observer.observe(element))
    return () => observer.disconnect()
  }, [])
  return { ref, seen }
}
