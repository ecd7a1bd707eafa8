import type { Notification } from '@guildhall/contract/features/notifications'
import { expect, test } from 'vitest'
import { textsIn } from '../../platform/texts/texts.ts'
import { noticeOf } from './notifications.texts.rules.ts'

const recordId = '0190a000-0000-7000-8000-000000000071'
const told = (kind: Notification['kind'], params: Notification['params']) =>
  noticeOf(textsIn('en'), {
    ...{ id: recordId, kind, person: null, chapter: null, group: null, recordId, params: { title: 'Mailing list', ...params } },
    ...{ readAt: null, createdAt: '2026-11-28T09:00:00Z' },
  })

test('a mail says of a connection what is the matter, and of a metric its value with its unit', () => {
  expect(told('connection-trouble', { trouble: 'fresh' })).toEqual({
    text: 'The data of “Mailing list” is older than promised. Check the connection.',
    path: `/integrations/${recordId}`,
  })
  expect(told('connection-metric', { metric: 'freshness', value: 49.2, above: 48 })).toEqual({
    text: '“Mailing list”: Freshness 49 hours, above your limit of 48 hours',
    path: `/integrations/${recordId}/metrics/freshness`,
  })
  expect(told('connection-metric', { metric: 'latency', value: 1250.4, above: 1000 }).text).toMatch(
    /Latency 1,250 ms, above your limit of 1,000 ms$/,
  )
  expect(told('connection-metric', { metric: 'success-rate', value: 88, below: 95 }).text).toMatch(
    /Success rate 88 %, below your limit of 95 %$/,
  )
  expect(told('connection-metric', { metric: 'volume', value: 125_050, above: 100_000, currency: 'EUR' }).text).toMatch(
    /€1,250.50, above your limit of €1,000.00$/,
  )
})
