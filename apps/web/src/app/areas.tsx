import { msg } from '@lingui/core/macro'
import type { MessageDescriptor } from '@lingui/core'
import {
  IconAddressBook,
  IconBriefcase,
  IconBuildingCommunity,
  IconCalendarEvent,
  IconChartBar,
  IconChecklist,
  IconHeartHandshake,
  IconHome,
  IconMail,
  IconPlug,
  IconSettings,
  IconSparkles,
  IconUsersGroup,
} from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'
import type { Permission } from '@guildhall/contract/permissions'
import featureList from '../../../../features.json'
import type { AreaKey } from '../platform/area.ts'

export type Area = {
  key: AreaKey
  label: MessageDescriptor
  /** One line on the menu page. */
  purpose: MessageDescriptor
  icon: Icon
  href: string
  /** Opens the chapter switcher in place of a page: chapters have no list route. */
  opens?: 'chapters'
  /** Second key after G. */
  goKey?: string
  /** Absent for everybody else; without one, every account has it. */
  permission?: Permission
  /** Keeps its place in the phone's bottom bar. */
  phone?: true
  planned: boolean
}

const planned = (feature: keyof typeof featureList) => 'planned' in featureList[feature]

/** The order of the sidebar, the menu page and the palette. Blank lines there are the group breaks here. */
export const areaGroups: Area[][] = [
  [
    {
      key: 'home',
      label: msg`Home`,
      purpose: msg`What needs you today`,
      icon: IconHome,
      href: '/',
      goKey: 'h',
      phone: true,
      planned: planned('home'),
    },
  ],
  [
    {
      key: 'people',
      label: msg`Members`,
      purpose: msg`Find and look after people`,
      icon: IconAddressBook,
      href: '/members',
      goKey: 'm',
      phone: true,
      planned: planned('people'),
    },
    {
      key: 'groups',
      label: msg`Groups`,
      purpose: msg`Committees, cohorts and interests`,
      icon: IconUsersGroup,
      href: '/groups',
      goKey: 'g',
      planned: planned('groups'),
    },
    {
      key: 'chapters',
      label: msg`Chapters`,
      purpose: msg`The tree of the organisation`,
      icon: IconBuildingCommunity,
      href: '',
      opens: 'chapters',
      planned: planned('chapters'),
    },
  ],
  [
    {
      key: 'events',
      label: msg`Events`,
      purpose: msg`Meet, register and check in`,
      icon: IconCalendarEvent,
      href: '/events',
      goKey: 'e',
      phone: true,
      planned: planned('events'),
    },
    {
      key: 'fundraising',
      label: msg`Fundraising`,
      purpose: msg`Campaigns, gifts and receipts`,
      icon: IconHeartHandshake,
      href: '/fundraising',
      goKey: 'f',
      phone: true,
      planned: planned('fundraising'),
    },
    {
      key: 'communication',
      label: msg`Communication`,
      purpose: msg`Write to members`,
      icon: IconMail,
      href: '/communication',
      goKey: 'c',
      planned: planned('communication'),
    },
    {
      key: 'careers',
      label: msg`Careers`,
      purpose: msg`Jobs and mentoring`,
      icon: IconBriefcase,
      href: '/careers',
      planned: planned('careers'),
    },
    {
      key: 'projects',
      label: msg`Projects`,
      purpose: msg`Volunteer and committee work`,
      icon: IconChecklist,
      href: '/projects',
      planned: planned('projects'),
    },
  ],
  [
    {
      key: 'reports',
      label: msg`Reports`,
      purpose: msg`Standard and saved reports`,
      icon: IconChartBar,
      href: '/reports',
      goKey: 'r',
      planned: planned('reports'),
    },
    { key: 'ai', label: msg`AI`, purpose: msg`Ask about the community`, icon: IconSparkles, href: '/ai-dashboard', planned: planned('ai') },
  ],
  [
    {
      key: 'integrations',
      label: msg`Integrations`,
      purpose: msg`Connections to other systems`,
      icon: IconPlug,
      href: '/integrations',
      permission: 'organisation.manage',
      planned: planned('integrations'),
    },
    {
      key: 'account',
      label: msg`Account management`,
      purpose: msg`Accounts, roles and the organisation`,
      icon: IconSettings,
      href: '/account-management',
      goKey: 'a',
      permission: 'account.manage',
      planned: planned('account'),
    },
  ],
]

export const areas = areaGroups.flat()

export type CreateKind = { key: string; label: MessageDescriptor; href: string; permission?: Permission; planned: boolean }

/** The New menu, and C followed by the letter. */
export const createKinds: CreateKind[] = [
  { key: 'm', label: msg`Member`, href: '/members?new=1', permission: 'people.write', planned: planned('people') },
  { key: 'e', label: msg`Event`, href: '/event/create', planned: planned('events') },
  { key: 'g', label: msg`Gift`, href: '/fundraising?new=1', planned: planned('fundraising') },
  { key: 'n', label: msg`Newsletter`, href: '/communication?new=1', planned: planned('communication') },
  { key: 'o', label: msg`Group`, href: '/groups?new=1', permission: 'groups.manage', planned: planned('groups') },
]
