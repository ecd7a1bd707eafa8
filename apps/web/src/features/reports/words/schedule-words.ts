import { t } from '@lingui/core/macro'
import type { ReportCadence, ReportSchedule } from '@guildhall/contract/features/reports'

export const cadenceWords = (): Record<ReportCadence, string> => ({
  daily: t`Daily`,
  weekly: t`Weekly`,
  monthly: t`Monthly`,
  quarterly: t`Quarterly`,
})
export const cadenceNotes = (): Record<ReportCadence, string> => ({
  daily: t`Every day at seven`,
  weekly: t`Mondays at seven`,
  monthly: t`On the first of the month at seven`,
  quarterly: t`On the first day of the quarter at seven`,
})
export const formatWords = (): Record<ReportSchedule['formats'][number], string> => ({ csv: t`CSV`, pdf: t`PDF` })
