import { t } from '@lingui/core/macro'
import type { RegistrationSource } from '@guildhall/contract/features/events'

export const sourceWords = (): Record<RegistrationSource, string> => ({
  self: t`Signed in`,
  organiser: t`By organisers`,
  public: t`Public page`,
  import: t`Import`,
})
