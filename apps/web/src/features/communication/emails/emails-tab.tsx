import { getRouteApi } from '@tanstack/react-router'
import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { Trans } from '@lingui/react/macro'
import { IconSettings } from '@tabler/icons-react'
import { useState } from 'react'
import type { CommunicationSearch } from '../communication-search.ts'
import { usePageTitle } from '../../../platform/navigation/page-title.ts'
import { MessageList } from './message-list.tsx'
import type { Asked } from './message-report.tsx'
import { MessageSettingsDialog } from './message-settings-dialog.tsx'
import { MessageView } from './message-view.tsx'
import { NewMessageDialog } from './new-message-dialog.tsx'

const route = getRouteApi('/signed-in/communication/{-$tab}')

/** E-mails: the list, or the one that the address names. */
export function EmailsTab() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const [settings, setSettings] = useState(false)
  usePageTitle(t`E-mails`)
  const go = (change: Partial<CommunicationSearch>, replace = false) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace })
  const open = (messageId: string | undefined) => go({ message: messageId, outcome: undefined, reason: undefined, new: undefined })
  const ask = (asked: Asked | undefined) => go({ outcome: asked ? (asked.state ?? 'all') : undefined, reason: asked?.reason }, true)
  if (search.message !== undefined)
    return (
      <MessageView
        key={search.message}
        messageId={search.message}
        asked={search.outcome && { state: search.outcome === 'all' ? undefined : search.outcome, reason: search.reason }}
        onAsk={ask}
        onOpen={open}
      />
    )
  return (
    <>
      <MessageList
        search={search}
        onSearch={(next, { replace }) => go(next, replace)}
        onOpen={open}
        onNew={() => go({ new: 1 })}
        actions={
          <Button variant="default" leftSection={<IconSettings size={16} stroke={1.5} aria-hidden />} onClick={() => setSettings(true)}>
            <Trans>Settings</Trans>
          </Button>
        }
      />
      <NewMessageDialog opened={search.new === 1} onClose={() => go({ new: undefined }, true)} onCreated={({ id }) => open(id)} />
      <MessageSettingsDialog opened={settings} onClose={() => setSettings(false)} />
    </>
  )
}
