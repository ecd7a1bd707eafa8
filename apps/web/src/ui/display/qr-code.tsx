import { useMemo } from 'react'
import { encode } from 'uqr'

/** A code for cameras: black on white whatever the theme, as wide as what it stands in. */
export function QrCode({ content, label }: { content: string; label: string }) {
  const { size, path } = useMemo(() => {
    const { size: squares, data } = encode(content, { ecc: 'M', border: 3 })
    return { size: squares, path: data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('') }
  }, [content])
  return (
    <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges" width="100%">
      <rect width={size} height={size} fill="#ffffff" />
      <path d={path} fill="#000000" />
    </svg>
  )
}
