import { msg } from '@lingui/core/macro'
import { lazy } from 'react'
import type { FeatureSlots } from '../../platform/navigation/slots.tsx'

export const reportsSlots: FeatureSlots = {
  chapterTabs: [
    {
      key: 'reports',
      label: msg`Reports`,
      order: 80,
      may: ({ chapter }, can) => can('reports.read', { chapterId: chapter.id }),
      content: lazy(async () => ({ default: (await import('./chapter/chapter-reports.tsx')).ChapterReports })),
      divided: true,
    },
  ],
  homeCards: [
    {
      key: 'savedReports',
      label: msg`Reports`,
      order: 38,
      may: (_, can) => can('reports.read'),
      content: lazy(async () => ({ default: (await import('./saved/saved-reports-card.tsx')).SavedReportsCard })),
    },
  ],
  paletteSources: [lazy(async () => ({ default: (await import('./reports-palette.tsx')).ReportsPaletteSource }))],
  historyWords: [
    {
      entities: { reports: { noun: msg`Report` }, report_schedules: { noun: msg`Schedule of a report` } },
      fields: { sharedWith: msg`Shared with`, cadence: msg`How often`, formats: msg`Attached files` },
      values: {
        'reports.shared_with': { me: msg`Only the owner`, organisation: msg`The organisation` },
        'report_schedules.cadence': { daily: msg`Daily`, weekly: msg`Weekly`, monthly: msg`Monthly`, quarterly: msg`Quarterly` },
      },
    },
  ],
}
