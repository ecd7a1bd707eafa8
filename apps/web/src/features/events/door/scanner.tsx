import { t } from '@lingui/core/macro'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { decodeQR } from 'qr/decode.js'
import classes from './door.module.css'

/** Between two looks at the picture, and how long one code is not read again. */
const lookMs = 120
const restMs = 3_000
/** Large enough for a ticket at arm's length, small enough to be read in a few milliseconds. */
const side = 480

/** The picture of the camera; tells what stands in each QR code that is held before it. Nothing of it leaves the device. */
export function Scanner({ onCode }: { onCode: (code: string) => void }) {
  const video = useRef<HTMLVideoElement>(null)
  const [fault, setFault] = useState<string>()
  const found = useEffectEvent(onCode)
  useEffect(() => {
    const leaving = new AbortController()
    const shown = video.current
    let stream: MediaStream | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    void (async () => {
      try {
        stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' }, audio: false })
        if (leaving.signal.aborted || !shown) return stop(stream)
        shown.srcObject = stream
        await shown.play()
        const canvas = document.createElement('canvas')
        canvas.width = canvas.height = side
        const context = canvas.getContext('2d', { willReadFrequently: true })
        const read = new Map<string, number>()
        const look = () => {
          if (leaving.signal.aborted) return
          const code = context && codeIn(context, shown)
          if (code && (read.get(code) ?? 0) < Date.now() - restMs) found(code)
          if (code) read.set(code, Date.now())
          timer = setTimeout(look, lookMs)
        }
        look()
      } catch (error) {
        const refused = error instanceof DOMException && error.name === 'NotAllowedError'
        setFault(
          refused
            ? t`The browser does not allow the camera. Allow it in the settings of this site, or enter the code.`
            : t`No camera could be opened. Enter the code, or search by name.`,
        )
      }
    })()
    return () => {
      leaving.abort()
      clearTimeout(timer)
      if (stream) stop(stream)
    }
  }, [])
  if (fault) return <p role="alert">{fault}</p>
  return <video ref={video} className={classes['camera']} playsInline muted aria-label={t`Picture of the camera`} />
}

const stop = (stream: MediaStream) => stream.getTracks().forEach((track) => track.stop())

/** The middle of the picture, as a square. */
function codeIn(context: CanvasRenderingContext2D, video: HTMLVideoElement): string | undefined {
  const size = Math.min(video.videoWidth, video.videoHeight)
  if (size === 0) return undefined
  context.drawImage(video, (video.videoWidth - size) / 2, (video.videoHeight - size) / 2, size, size, 0, 0, side, side)
  try {
    return decodeQR(context.getImageData(0, 0, side, side))
  } catch {
    // Most pictures hold no code.
    return undefined
  }
}
