import { i18n } from '@lingui/core'
import type { MessageDescriptor } from '@lingui/core'
import { lazy } from 'react'

const PlannedPage = lazy(async () => ({ default: (await import('./planned-page.tsx')).PlannedPage }))

/** The component of a route whose area comes later: `createRoute({ …, component: plannedPage(msg`Careers`) })`. */
export const plannedPage = (title: MessageDescriptor) => () => <PlannedPage title={i18n._(title)} />
