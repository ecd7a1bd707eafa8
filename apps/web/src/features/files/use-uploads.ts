import { fileLimits } from '@guildhall/contract/features/files'
import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { problemText } from '../../platform/api/problem-text.tsx'
import { useFileActs } from './files-api.ts'
import type { OfRecord } from './files-api.ts'

/** A file on its way; `share` of it has been sent. One that was refused stays until the reader has seen why. */
export type Upload = { key: number; name: string; share: number; refused: string | null; cancel: () => void }

let uploads = 0

/** Files that are being added to a record, one after another. */
export function useUploads(record: OfRecord) {
  const { upload, changed } = useFileActs()
  const [running, setRunning] = useState<readonly Upload[]>([])
  const drop = (key: number) => setRunning((all) => all.filter((one) => one.key !== key))
  const change = (key: number, to: Partial<Upload>) => setRunning((all) => all.map((one) => (one.key === key ? { ...one, ...to } : one)))

  const send = async (files: readonly File[]) => {
    const waiting = files.map((file) => {
      const key = (uploads += 1)
      const stop = new AbortController()
      const cancel = () => {
        stop.abort()
        drop(key)
      }
      return { file, stop, upload: { key, name: file.name, share: 0, refused: null, cancel } }
    })
    setRunning((all) => [...all, ...waiting.map((one) => one.upload)])
    for (const {
      file,
      stop,
      upload: { key },
    } of waiting) {
      const isCancelled = () => stop.signal.aborted
      if (isCancelled()) continue
      if (file.size > fileLimits.bytes) {
        change(key, { refused: t`A file has at most 100 MB.` })
        continue
      }
      try {
        await upload(record, file, (share) => change(key, { share }), stop.signal)
        drop(key)
        await changed()
      } catch (problem) {
        if (!isCancelled()) change(key, { refused: problemText(problem) })
      }
    }
  }
  return { running, send }
}
