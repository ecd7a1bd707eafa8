import { t } from '@lingui/core/macro'
import type { SurveyAgain } from '@guildhall/contract/features/events.survey'

export const againWords = (): Record<SurveyAgain, string> => ({ yes: t`Yes`, maybe: t`Maybe`, no: t`No` })
