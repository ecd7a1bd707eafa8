import { useRouter } from '@tanstack/react-router'
import type { AnchorHTMLAttributes } from 'react'

/** A link whose address is only known as text: search results, recent records, the navigation. Pages use the router's typed Link. */
export function AppLink({ href, onClick, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement> & { href: string }) {
  const router = useRouter()
  return (
    <a
      href={href}
      {...rest}
      onClick={(event) => {
        onClick?.(event)
        if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        void router.navigate({ href })
      }}
      onPointerEnter={() => void router.preloadRoute({ to: href.split(/[?#]/, 1)[0] ?? '' }).catch(() => undefined)}
    />
  )
}
