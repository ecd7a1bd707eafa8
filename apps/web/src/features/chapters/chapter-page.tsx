import { Button } from '@mantine/core'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { createLazyRoute, Link } from '@tanstack/react-router'
import { IconClockHour4 } from '@tabler/icons-react'
import { noSuchRecord } from '../../platform/no-such-record.ts'
import { usePageTitle } from '../../platform/page-title.ts'
import { ProblemState } from '../../platform/problem-state.tsx'
import { ApiProblem } from '../../platform/problem.ts'
import { useRememberRecord } from '../../platform/recent-records.ts'
import { useKnownTab } from '../../platform/tabs.ts'
import { DetailHeader, PathTabs } from '../../ui/detail-header.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page, PageHeader } from '../../ui/page.tsx'
import { Loading, SkeletonLines } from '../../ui/skeletons.tsx'
import { ChapterGroups } from './chapter-groups.tsx'
import { ChapterMembers } from './chapter-members.tsx'
import { ChapterOfficers } from './chapter-officers.tsx'
import { ChapterOverview } from './chapter-overview.tsx'
import { ChapterSettings } from './chapter-settings.tsx'
import { useChapter } from './chapters-api.ts'
import type { Chapter } from './chapters-api.ts'
import { ChapterStatusBadge, levelWords } from './chapters-words.tsx'
import { Breadcrumb } from './chapter-breadcrumb.tsx'
import { NewChapterDialog } from './new-chapter-dialog.tsx'
import { Subchapters } from './subchapters.tsx'

export const route = createLazyRoute('/signed-in/chapter/$chapterId/{-$tab}/{-$subtab}')({ component: ChapterPage })

const tabs = [
  'overview',
  'members',
  'officers',
  'subchapters',
  'groups',
  'events',
  'finance',
  'fundraising',
  'messages',
  'compliance',
  'reports',
  'settings',
] as const
type Tab = (typeof tabs)[number]
/** Those that look after tabs of their own. */
const divided: ReadonlySet<Tab> = new Set(['members', 'officers', 'subchapters'])

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function ChapterPage() {
  const { chapterId, tab, subtab } = route.useParams()
  // Not an id at all, so there is nothing to ask for.
  if (!uuid.test(chapterId)) throw noSuchRecord()
  return <KnownChapter key={chapterId} chapterId={chapterId} named={tab} below={subtab} />
}

type Known = { chapterId: string; named: string | undefined; below: string | undefined }

function KnownChapter({ chapterId, named, below }: Known) {
  const query = useChapter(chapterId)
  const tab = useKnownTab(named, tabs)
  useKnownTab(divided.has(tab) ? undefined : below, ['nothing'], 'subtab')
  const { data, error } = query
  usePageTitle(data?.name ?? (error ? t`Chapter` : undefined), tab === 'overview' ? undefined : tabWords()[tab])
  useRememberRecord(data && { kind: 'chapter', id: chapterId, label: data.name, to: `/chapter/${chapterId}` })
  if (data) return <Loaded chapter={data} tab={tab} />
  if (error instanceof ApiProblem && error.status === 404) throw noSuchRecord()
  return (
    <Page>
      {error ? (
        <>
          <PageHeader title={t`Chapter`} />
          <ProblemState problem={error} title={t`This chapter could not be loaded`} retry={() => void query.refetch()} />
        </>
      ) : (
        <Loading label={t`Loading`}>
          <SkeletonLines count={12} />
        </Loading>
      )}
    </Page>
  )
}

function Loaded({ chapter, tab }: { chapter: Chapter; tab: Tab }) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const words = tabWords()
  const members = chapter.counts.subtree.member
  const mayChange = chapter.may.edit || chapter.may.manage
  const openNew = (opened: boolean) => void navigate({ search: (before) => ({ ...before, new: opened ? 1 : undefined }), replace: !opened })
  return (
    <Page fill={tab === 'members'}>
      <DetailHeader
        name={chapter.name}
        square
        above={<Breadcrumb ancestors={chapter.ancestors} />}
        status={<ChapterStatusBadge status={chapter.status} />}
        facts={[
          levelWords()[chapter.level],
          chapter.code,
          chapter.descendants > 0
            ? plural(members, { one: '# member with all below', other: '# members with all below' })
            : plural(members, { one: '# member', other: '# members' }),
        ]}
        actions={
          chapter.may.manage &&
          chapter.status !== 'closed' && (
            <Button variant="default" onClick={() => openNew(true)}>
              <Trans>New sub-chapter</Trans>
            </Button>
          )
        }
      >
        <PathTabs label={t`Sections of ${chapter.name}`}>
          {tabs
            .filter((key) => key !== 'settings' || mayChange)
            .map((key) => (
              <Link
                key={key}
                to="/chapter/$chapterId/{-$tab}/{-$subtab}"
                params={{ chapterId: chapter.id, tab: key === 'overview' ? undefined : key, subtab: undefined }}
                activeOptions={{ exact: true }}
                aria-current={key === tab ? 'page' : undefined}
                replace
              >
                {words[key]}
              </Link>
            ))}
        </PathTabs>
      </DetailHeader>
      <TabContent chapter={chapter} tab={tab === 'settings' && !mayChange ? 'overview' : tab} denied={tab === 'settings' && !mayChange} />
      <NewChapterDialog opened={search.new === 1} parent={chapter} onClose={() => openNew(false)} />
    </Page>
  )
}

function TabContent({ chapter, tab, denied }: { chapter: Chapter; tab: Tab; denied: boolean }) {
  switch (tab) {
    case 'overview':
      return (
        <>
          {denied && (
            <p role="status">
              <Trans>The settings of this chapter are for its officers; this is the overview.</Trans>
            </p>
          )}
          <ChapterOverview chapter={chapter} />
        </>
      )
    case 'members':
      return <ChapterMembers chapter={chapter} />
    case 'officers':
      return <ChapterOfficers chapter={chapter} />
    case 'subchapters':
      return <Subchapters chapter={chapter} />
    case 'groups':
      return <ChapterGroups chapter={chapter} />
    case 'settings':
      return <ChapterSettings chapter={chapter} />
    case 'events':
    case 'finance':
    case 'fundraising':
    case 'messages':
    case 'compliance':
    case 'reports': {
      const name = tabWords()[tab]
      return (
        <EmptyState icon={<IconClockHour4 size={32} stroke={1.5} />} title={t`${name}: planned`}>
          <Trans>This section is on its way and not part of this version yet.</Trans>
        </EmptyState>
      )
    }
  }
}

const tabWords = (): Record<Tab, string> => ({
  overview: t`Overview`,
  members: t`Members`,
  officers: t`Officers`,
  subchapters: t`Sub-chapters`,
  groups: t`Groups`,
  events: t`Events`,
  finance: t`Finance`,
  fundraising: t`Fundraising`,
  messages: t`Messages`,
  compliance: t`Compliance`,
  reports: t`Reports`,
  settings: t`Settings`,
})
