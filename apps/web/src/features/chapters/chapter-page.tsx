import { Button } from '@mantine/core'
import { msg, plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { createLazyRoute, Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { recordId } from '../../platform/api/no-such-record.ts'
import { inOrder } from '../../platform/navigation/sections.tsx'
import { RecordFrame } from '../../platform/records/record-frame.tsx'
import { useSlot } from '../../platform/navigation/slots.tsx'
import type { ChapterTab } from '../../platform/navigation/slots.tsx'
import { useKnownTab } from '../../platform/navigation/tabs.ts'
import { DetailHeader } from '../../ui/page/detail-header.tsx'
import { RecordHistory } from '../people/history/history-public.ts'
import { ChapterMembers } from './chapter-members.tsx'
import { ChapterOfficers } from './chapter-officers.tsx'
import { ChapterOverview } from './chapter-overview.tsx'
import { ChapterSettings } from './chapter-settings.tsx'
import { useChapter } from './chapters-api.ts'
import type { Chapter } from './chapters-api.ts'
import { ChapterStatusBadge, levelWords } from './chapters-words.tsx'
import { Breadcrumb } from './chapter-breadcrumb.tsx'
import { NewChapterDialog } from './new-chapter-dialog.tsx'
import { Subchapters } from './below/subchapters.tsx'

export const route = createLazyRoute('/signed-in/chapter/$chapterId/{-$tab}/{-$subtab}')({ component: ChapterPage })

/** What belongs to the chapter itself; other features add theirs. */
const own: readonly ChapterTab[] = [
  { key: 'overview', label: msg`Overview`, order: 10, content: ChapterOverview },
  { key: 'members', label: msg`Members`, order: 20, content: ChapterMembers, divided: true, fill: true },
  { key: 'officers', label: msg`Officers`, order: 30, content: ChapterOfficers, divided: true },
  { key: 'subchapters', label: msg`Sub-chapters`, order: 40, content: Subchapters, divided: true },
  {
    key: 'history',
    label: msg`History`,
    order: 95,
    may: ({ chapter: { may } }) => may.seeHistory,
    content: ({ chapter }) => <RecordHistory chapterId={chapter.id} />,
  },
  {
    key: 'settings',
    label: msg`Settings`,
    order: 100,
    may: ({ chapter: { may } }) => may.edit || may.manage,
    content: ChapterSettings,
  },
]

function ChapterPage() {
  const { tab, subtab, ...named } = route.useParams()
  const chapterId = recordId(named.chapterId)
  const tabs = inOrder(own, useSlot('chapterTabs'))
  const asked = useKnownTab(tab, ['overview', ...tabs.map(({ key }) => key)])
  useKnownTab(tabs.find(({ key }) => key === asked)?.divided ? undefined : subtab, ['nothing'], 'subtab')
  const query = useChapter(chapterId)
  return (
    <RecordFrame
      key={chapterId}
      kind="chapter"
      id={chapterId}
      to={`/chapter/${chapterId}`}
      noun={t`Chapter`}
      failed={t`This chapter could not be loaded`}
      query={query}
      name={({ name }) => name}
      subject={(chapter) => ({ chapter })}
      tabs={tabs}
      asked={asked}
      link={(key, props) => (
        <Link
          to="/chapter/$chapterId/{-$tab}/{-$subtab}"
          params={{ chapterId, tab: key, subtab: undefined }}
          activeOptions={{ exact: true }}
          {...props}
        />
      )}
      header={(chapter, sections) => <ChapterHeader chapter={chapter}>{sections}</ChapterHeader>}
    />
  )
}

function ChapterHeader({ chapter, children }: { chapter: Chapter; children: ReactNode }) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const members = chapter.counts.subtree.member
  const openNew = (opened: boolean) => void navigate({ search: (before) => ({ ...before, new: opened ? 1 : undefined }), replace: !opened })
  return (
    <>
      <DetailHeader
        name={chapter.name}
        square
        above={<Breadcrumb ancestors={chapter.ancestors} />}
        status={<ChapterStatusBadge status={chapter.status} />}
        facts={[
          levelWords()[chapter.level],
          chapter.code,
          chapter.descendants > 0
            ? plural(members, { one: '# member, including sub-chapters', other: '# members, including sub-chapters' })
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
        {children}
      </DetailHeader>
      <NewChapterDialog opened={search.new === 1} parent={chapter} onClose={() => openNew(false)} />
    </>
  )
}
