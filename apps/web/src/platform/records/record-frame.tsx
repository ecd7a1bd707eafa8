import { useLingui } from '@lingui/react'
import { t } from '@lingui/core/macro'
import { Fragment, useDeferredValue } from 'react'
import type { ReactElement, ReactNode } from 'react'
import { PathTabs } from '../../ui/page/detail-header.tsx'
import { Page, PageHeader } from '../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../ui/page/skeletons.tsx'
import { useRememberRecord } from '../activity/recent-records.ts'
import { noSuchRecord } from '../api/no-such-record.ts'
import { ProblemState } from '../api/problem-state.tsx'
import { ApiProblem } from '../api/problem.ts'
import { usePageTitle } from '../navigation/page-title.ts'
import { openTo, SectionContent } from '../navigation/sections.tsx'
import type { Section } from '../navigation/sections.tsx'
import { useRights } from '../session/session.ts'

/** For a Link to a tab: `link={(tab, props) => <Link to="/projects/$projectId/{-$tab}" params={{ projectId, tab }} {...props} />}`. */
type TabLink = { children: ReactNode; 'aria-current': 'page' | undefined; replace: true }

export type RecordFrameProps<Data, Subject extends object> = {
  /** Among the recent records, and where they lead. */
  kind: string
  id: string
  to: string
  /** What such a record is called, while its own name is not known: "Chapter". */
  noun: string
  /** "This chapter could not be loaded" */
  failed: string
  query: { data: Data | undefined; error: unknown; refetch: () => unknown }
  name: (data: Data) => string
  /** What every tab is given. */
  subject: (data: Data) => Subject
  /** The page's own and those of other features, in their order; the first one has no name in the address. */
  tabs: readonly Section<Subject>[]
  /** The tab that the address names. */
  asked: string | undefined
  link: (tab: string | undefined, props: TabLink) => ReactElement
  /** Said beside a tab: how many wait there. */
  tabCount?: (data: Data, key: string) => string | undefined
  /** A DetailHeader with these tabs in it. */
  header: (data: Data, tabs: ReactNode) => ReactNode
  /** Shown in place of the page: of a record that was merged into another one, or erased. */
  instead?: (data: Data) => ReactNode
  /** Shown where the server says that it is gone for good (410). */
  gone?: ReactNode
}

/** The page of a record: its title, header and tabs, and what is said while it is loading, when it is gone, or not the reader's to see. */
export function RecordFrame<Data, Subject extends object>(props: RecordFrameProps<Data, Subject>) {
  const { kind, id, to, noun, failed, query, name, tabs, asked, instead, gone } = props
  const { i18n } = useLingui()
  const { data, error } = query
  const label = tabs.find(({ key }, index) => key === asked && index > 0)?.label
  usePageTitle(data ? name(data) : error ? noun : undefined, label && i18n._(label))
  useRememberRecord(data && { kind, id, label: name(data), to })
  if (data) return instead?.(data) ?? <Loaded {...props} data={data} />
  if (error instanceof ApiProblem && error.status === 404) throw noSuchRecord()
  if (gone && error instanceof ApiProblem && error.status === 410) return gone
  return (
    <Page>
      {error ? (
        <>
          <PageHeader title={noun} />
          <ProblemState problem={error} title={failed} retry={() => void query.refetch()} />
        </>
      ) : (
        <Loading label={t`Loading`}>
          <SkeletonLines count={12} />
        </Loading>
      )}
    </Page>
  )
}

function Loaded<Data, Subject extends object>({
  data,
  name,
  subject: subjectOf,
  tabs,
  asked,
  link,
  tabCount,
  header,
}: RecordFrameProps<Data, Subject> & { data: Data }) {
  const { i18n } = useLingui()
  const subject = subjectOf(data)
  const open = openTo(tabs, subject, useRights())
  const tabFor = (key: string | undefined) => open.find((tab) => tab.key === key) ?? open[0]
  const current = tabFor(asked)
  // The name and the chosen tab at once, what the tab holds right after.
  const drawn = useDeferredValue<string | null>(asked ?? '', null)
  const shown = drawn === null ? undefined : tabFor(drawn)
  return (
    <Page fill={current?.fill ?? false}>
      {header(
        data,
        <PathTabs label={t`Sections of ${name(data)}`}>
          {open.map(({ key, label }) => (
            <Fragment key={key}>
              {link(key === tabs[0]?.key ? undefined : key, {
                replace: true,
                'aria-current': key === current?.key ? 'page' : undefined,
                children: [i18n._(label), tabCount?.(data, key)].filter(Boolean).join(' '),
              })}
            </Fragment>
          ))}
        </PathTabs>,
      )}
      {shown && <SectionContent key={shown.key} asked={tabs.find(({ key }) => key === drawn)} shown={shown} subject={subject} />}
    </Page>
  )
}
