import type { NoteVisibility } from '@guildhall/contract/features/notes'
import { t } from '@lingui/core/macro'

export const visibilityWords = (): Record<NoteVisibility, string> => ({
  self: t`Only you`,
  officers: t`Officers with access to sensitive data`,
  organisation: t`Everyone who manages people`,
})
