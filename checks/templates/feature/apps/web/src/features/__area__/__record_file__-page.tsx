import { msg, t } from '@lingui/core/macro'
import type { __Record__ } from '@guildhall/contract/features/__area__'
import { createLazyRoute, Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { recordId } from '../../platform/api/no-such-record.ts'
import { AppLink } from '../../platform/navigation/app-link.tsx'
import type { Section as Tab } from '../../platform/navigation/sections.tsx'
import { useKnownTab } from '../../platform/navigation/tabs.ts'
import { ArchiveButton } from '../../platform/records/archive-button.tsx'
import { RecordFact } from '../../platform/records/record-fact.tsx'
import { RecordFrame } from '../../platform/records/record-frame.tsx'
import { RelativeTime } from '../../ui/display/relative-time.tsx'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import { Fact, FactList } from '../../ui/form/fact-list.tsx'
import { DetailHeader } from '../../ui/page/detail-header.tsx'
import { Section } from '../../ui/page/page.tsx'
import { RecordHistory } from '../people/history/history-public.ts'
import { useArchive__Record__, use__Record__, use__Record__Editor } from './__area__-api.ts'
import { statusOptions, __Record__StatusBadge } from './__area__-words.tsx'

export const route = createLazyRoute('/signed-in/__record_url__/$__record__Id/{-$tab}')({ component: __Record__Page })

const tabs: readonly Tab<{ record: __Record__ }>[] = [
  { key: 'overview', label: msg`Overview`, order: 10, content: Overview },
  {
    key: 'history',
    label: msg`History`,
    order: 100,
    may: ({ record }) => record.may.edit,
    content: ({ record }) => <RecordHistory recordId={record.id} />,
  },
]

function __Record__Page() {
  const params = route.useParams()
  const __record__Id = recordId(params.__record__Id)
  return (
    <RecordFrame
      key={__record__Id}
      kind="__record__"
      id={__record__Id}
      to={`/__record_url__/${__record__Id}`}
      noun={t`__Record_words__`}
      failed={t`This __record_words__ could not be loaded`}
      query={use__Record__(__record__Id)}
      name={({ name }) => name}
      subject={(record) => ({ record })}
      tabs={tabs}
      asked={useKnownTab(params.tab, ['overview', 'history'])}
      link={(tab, props) => (
        <Link to="/__record_url__/$__record__Id/{-$tab}" params={{ __record__Id, tab }} activeOptions={{ exact: true }} {...props} />
      )}
      header={(record, sections) => <Header record={record}>{sections}</Header>}
    />
  )
}

function Header({ record, children }: { record: __Record__; children: ReactNode }) {
  const archiving = useArchive__Record__(record.id)
  return (
    <DetailHeader
      name={record.name}
      square
      status={record.archivedAt ? <StatusBadge>{t`Archived`}</StatusBadge> : <__Record__StatusBadge status={record.status} />}
      facts={[record.chapter?.name ?? t`Whole organisation`]}
      actions={record.may.edit && <ArchiveButton record={record} {...archiving} />}
    >
      {children}
    </DetailHeader>
  )
}

function Overview({ record }: { record: __Record__ }) {
  const editor = use__Record__Editor(record)
  const own = { editor, may: record.may.edit && !record.archivedAt }
  return (
    <Section title={t`Details`}>
      <FactList>
        <RecordFact {...own} label={t`Name`} value={record.name} change={(name) => ({ name })} />
        <RecordFact {...own} label={t`Status`} value={record.status} options={statusOptions()} change={(status) => ({ status })} />
        <Fact label={t`Chapter`}>
          {record.chapter ? <AppLink href={`/chapter/${record.chapter.id}`}>{record.chapter.name}</AppLink> : t`Whole organisation`}
        </Fact>
        <RecordFact
          {...own}
          label={t`Description`}
          kind="textarea"
          value={record.description}
          change={(description) => ({ description })}
        />
        <Fact label={t`Created`}>
          <RelativeTime at={record.createdAt} />
        </Fact>
      </FactList>
      {editor.dialog}
    </Section>
  )
}
