import { t } from '@lingui/core/macro'
import { toast } from '../../../platform/activity/toast.tsx'

/** Puts a text on the clipboard and says so. */
export async function copyText(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast.success(done)
  } catch {
    toast.error(t`Your browser does not allow copying. Select the text and copy it.`)
  }
}
