import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconMail, IconPlus } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import type { Filter } from '../../../ui/filter/filter.ts'
import { emptyFilter } from '../../../ui/filter/filter.ts'
import { useListView } from '../../lists/lists-public.tsx'
import type { BuiltInView, Look } from '../../lists/lists-public.tsx'
import type { ListSearch } from '../../lists/list-search-public.ts'
import { ExportButton, RecordTable } from '../../lists/record-list-public.tsx'
import { MessageCard, useMessageColumns, useMessageFields } from './message-rows.tsx'
import { useMessages, useTopicNames } from './messages-api.ts'
import classes from './emails.module.css'

const usual: Look = {
  q: '',
  filter: emptyFilter,
  sort: '-createdAt',
  columns: ['name', 'status', 'topic', 'place', 'sendAt', 'recipients', 'clicked', 'unsubscribed'],
  layout: 'table',
}

type Props = {
  search: ListSearch
  onSearch: (search: ListSearch, how: { replace: boolean }) => void
  onOpen: (messageId: string) => void
  onNew: () => void
  /** What the page narrows the list by. */
  within?: Filter['and']
  actions?: ReactNode
}
const everything: Filter['and'] = []

/** E-mails with views, search, filters, columns and export. */
export function MessageList({ search, onSearch, onOpen, onNew, within = everything, actions }: Props) {
  const [exporting, setExporting] = useState(false)
  const view = useListView({ list: 'messages', builtIn: useBuiltIn(), usual, search, onSearch })
  const messages = useMessages(view.look, within, view.ready)
  const columns = useMessageColumns()
  const fields = useMessageFields(useTopicNames())
  return (
    <>
      <div className={classes['headRow']}>
        <span className={classes['spacer']} />
        {actions}
        <ExportButton onClick={() => setExporting(true)} />
        <Button leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />} onClick={onNew}>
          <Trans>New e-mail</Trans>
        </Button>
      </div>
      <RecordTable
        list="messages"
        view={view}
        records={messages}
        columns={columns}
        fields={fields}
        nameColumn="name"
        icon={IconMail}
        words={{
          title: t`E-mails`,
          search: t`Search e-mails`,
          noMatch: t`No e-mail matches`,
          none: t`No e-mails yet`,
          about: t`Newsletters, notices and invitations: write once, send to the right people, and see what became of it.`,
          failed: t`The e-mails could not be loaded`,
          create: t`New e-mail`,
        }}
        onOpen={({ id }) => onOpen(id)}
        onNew={onNew}
        renderCard={(message) => <MessageCard message={message} onOpen={() => onOpen(message.id)} />}
        within={within}
        exporting={exporting}
        onExporting={setExporting}
      />
    </>
  )
}

const useBuiltIn = () =>
  useMemo((): [BuiltInView, ...BuiltInView[]] => {
    const only = (field: string, value: boolean | string[]) => ({
      filter: { and: [{ or: [{ field, op: Array.isArray(value) ? ('in' as const) : ('is' as const), value }] }] },
    })
    return [
      { id: 'all', label: t`All`, spec: {} },
      { id: 'drafts', label: t`Drafts`, spec: only('status', ['draft']) },
      { id: 'waiting', label: t`Waiting`, spec: only('status', ['in_review', 'scheduled', 'sending', 'paused']) },
      { id: 'sent', label: t`Sent`, spec: { ...only('status', ['sent']), sort: '-sendAt' } },
      { id: 'archived', label: t`Archived`, spec: only('archived', true) },
    ]
  }, [])
