import { msg } from '@lingui/core/macro'
import { lazy } from 'react'
import type { Section } from '../../platform/navigation/sections.tsx'

/** The tabs of communication, each fetched with its first visit: overview 10, announcements 20, emails 30, audiences 40, templates 50, automations 60, topics 70, deliverability 80. */
export const communicationTabs: readonly Section<object>[] = [
  {
    key: 'overview',
    label: msg`Overview`,
    order: 10,
    may: (_, can) => can('messages.write'),
    content: lazy(async () => ({ default: (await import('./overview/overview-tab.tsx')).OverviewTab })),
  },
  {
    key: 'announcements',
    label: msg`Announcements`,
    order: 20,
    fill: true,
    content: lazy(async () => ({ default: (await import('./announcements/announcements-tab.tsx')).AnnouncementsTab })),
  },
  {
    key: 'emails',
    label: msg`E-mails`,
    order: 30,
    fill: true,
    may: (_, can) => can('messages.write'),
    content: lazy(async () => ({ default: (await import('./emails/emails-tab.tsx')).EmailsTab })),
  },
  {
    key: 'audiences',
    label: msg`Audiences`,
    order: 40,
    may: (_, can) => can('messages.write'),
    content: lazy(async () => ({ default: (await import('./audiences/audiences-tab.tsx')).AudiencesTab })),
  },
  {
    key: 'templates',
    label: msg`Templates`,
    order: 50,
    may: (_subject, can) => can('messages.write'),
    content: lazy(async () => ({ default: (await import('./templates/templates-tab.tsx')).TemplatesTab })),
  },
  {
    key: 'automations',
    label: msg`Automations`,
    order: 60,
    may: (_, can) => can('messages.write'),
    content: lazy(async () => ({ default: (await import('./automations/automations-tab.tsx')).AutomationsTab })),
  },
  {
    key: 'topics',
    label: msg`Topics`,
    order: 70,
    may: (_, can) => can('messages.write') || can('messages.manage'),
    content: lazy(async () => ({ default: (await import('./consent/topics-tab.tsx')).TopicsTab })),
  },
  {
    key: 'deliverability',
    label: msg`Deliverability`,
    order: 80,
    may: (_subject, can) => can('messages.manage'),
    content: lazy(async () => ({ default: (await import('./deliverability/deliverability-tab.tsx')).DeliverabilityTab })),
  },
]
