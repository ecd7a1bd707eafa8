import { Button } from '@mantine/core'
import { msg, plural, t } from '@lingui/core/macro'
import { useLingui } from '@lingui/react'
import { Trans } from '@lingui/react/macro'
import { createLazyRoute, Link } from '@tanstack/react-router'
import { noSuchRecord } from '../../platform/api/no-such-record.ts'
import { usePageTitle } from '../../platform/navigation/page-title.ts'
import { ProblemState } from '../../platform/api/problem-state.tsx'
import { ApiProblem } from '../../platform/api/problem.ts'
import { useRememberRecord } from '../../platform/activity/recent-records.ts'
import { inOrder, openTo, SectionContent } from '../../platform/navigation/sections.tsx'
import { useRights } from '../../platform/session/session.ts'
import { useSlot } from '../../platform/navigation/slots.tsx'
import type { ChapterTab } from '../../platform/navigation/slots.tsx'
import { useKnownTab } from '../../platform/navigation/tabs.ts'
import { DetailHeader, PathTabs } from '../../ui/page/detail-header.tsx'
import { Page, PageHeader } from '../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../ui/page/skeletons.tsx'
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

/** What belongs to the chapter itself; other features add theirs. */
const own: readonly ChapterTab[] = [
  { key: 'overview', label: msg`Overview`, order: 10, content: ChapterOverview },
  { key: 'members', label: msg`Members`, order: 20, content: ChapterMembers, divided: true },
  { key: 'officers', label: msg`Officers`, order: 30, content: ChapterOfficers, divided: true },
  { key: 'subchapters', label: msg`Sub-chapters`, order: 40, content: Subchapters, divided: true },
  {
    key: 'settings',
    label: msg`Settings`,
    order: 100,
    may: ({ chapter: { may } }) => may.edit || may.manage,
    content: ChapterSettings,
  },
]

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
  const { i18n } = useLingui()
  const tabs = inOrder(own, useSlot('chapterTabs'))
  const key = useKnownTab(named, ['overview', ...tabs.map((tab) => tab.key)])
  const asked = tabs.find((tab) => tab.key === key)
  useKnownTab(asked?.divided ? undefined : below, ['nothing'], 'subtab')
  const { data, error } = query
  usePageTitle(data?.name ?? (error ? t`Chapter` : undefined), asked && key !== 'overview' ? i18n._(asked.label) : undefined)
  useRememberRecord(data && { kind: 'chapter', id: chapterId, label: data.name, to: `/chapter/${chapterId}` })
  if (data) return <Loaded chapter={data} tabs={tabs} asked={asked} />
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

type LoadedProps = { chapter: Chapter; tabs: readonly ChapterTab[]; asked: ChapterTab | undefined }

function Loaded({ chapter, tabs, asked }: LoadedProps) {
  const { i18n } = useLingui()
  const subject = { chapter }
  const open = openTo(tabs, subject, useRights())
  const shown = open.find(({ key }) => key === asked?.key) ?? open[0]
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const members = chapter.counts.subtree.member
  const openNew = (opened: boolean) => void navigate({ search: (before) => ({ ...before, new: opened ? 1 : undefined }), replace: !opened })
  return (
    <Page fill={shown?.key === 'members'}>
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
          {open.map(({ key, label }) => (
            <Link
              key={key}
              to="/chapter/$chapterId/{-$tab}/{-$subtab}"
              params={{ chapterId: chapter.id, tab: key === 'overview' ? undefined : key, subtab: undefined }}
              activeOptions={{ exact: true }}
              aria-current={key === shown?.key ? 'page' : undefined}
              replace
            >
              {i18n._(label)}
            </Link>
          ))}
        </PathTabs>
      </DetailHeader>
      {shown && <SectionContent key={shown.key} asked={asked} shown={shown} subject={subject} />}
      <NewChapterDialog opened={search.new === 1} parent={chapter} onClose={() => openNew(false)} />
    </Page>
  )
}
