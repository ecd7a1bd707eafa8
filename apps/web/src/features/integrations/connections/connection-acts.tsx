import { ActionIcon, Button, Menu } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { IconDots, IconListSearch, IconPlayerPause, IconPlayerPlay, IconPlugConnected, IconPlugX, IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { usePaletteCommands } from '../../../platform/navigation/palette.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { ConnectionTestResult } from '../connect/test-result.tsx'
import type { Connection } from '../integrations-api.ts'
import type { IntegrationsSearch } from '../integrations-search.ts'
import { isByItself } from '../words/connector-words.ts'
import { DisconnectDialog } from './disconnect-dialog.tsx'
import { useConnectionActs } from './use-connection-acts.ts'

const size = { size: 16, stroke: 1.5, 'aria-hidden': true } as const

type Props = { connection: Connection; search: IntegrationsSearch }

/** What its managers do with a connection; before the first run of a mapping that is a dry run. */
export function ConnectionActs({ connection, search }: Props) {
  const { id, name, connector, state, syncs, needsDryRun } = connection
  const acts = useConnectionActs(connection)
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  const go = (open: string | undefined) =>
    void navigate({ to: '.', search: (before) => ({ ...before, open }), replace: open === undefined })
  const isGone = state === 'disconnected' || isByItself(connector)
  const runs = syncs && !isGone && state !== 'paused'
  const run = async (isDry: boolean) => {
    setBusy(true)
    await acts.run({ isDry })
    setBusy(false)
  }
  usePaletteCommands([
    ...(runs && !needsDryRun ? [{ id: 'connection:run', label: t`Run now`, hint: name, run: () => void run(false) }] : []),
    ...(runs ? [{ id: 'connection:dry', label: t`Dry run`, hint: name, run: () => void run(true) }] : []),
    ...(isGone
      ? []
      : [
          { id: 'connection:test', label: t`Test connection`, hint: name, run: () => go('test') },
          state === 'paused'
            ? { id: 'connection:resume', label: t`Resume`, hint: name, run: () => void acts.resume() }
            : { id: 'connection:pause', label: t`Pause`, hint: name, run: () => void acts.pause() },
        ]),
  ])
  if (isGone) return null
  return (
    <>
      {state === 'paused' && (
        <Button leftSection={<IconPlayerPlay {...size} />} onClick={() => void acts.resume()}>
          <Trans>Resume</Trans>
        </Button>
      )}
      {runs && (
        <Button
          variant={needsDryRun ? 'filled' : 'default'}
          leftSection={<IconListSearch {...size} />}
          loading={busy}
          onClick={() => void run(true)}
        >
          <Trans>Dry run</Trans>
        </Button>
      )}
      {runs && !needsDryRun && (
        <Button leftSection={<IconRefresh {...size} />} loading={busy} onClick={() => void run(false)}>
          <Trans>Run now</Trans>
        </Button>
      )}
      <Menu>
        <Menu.Target>
          <ActionIcon variant="default" size="lg" aria-label={t`More actions for ${name}`}>
            <IconDots size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPlugConnected {...size} />} onClick={() => go('test')}>
            <Trans>Test connection</Trans>
          </Menu.Item>
          {state !== 'paused' && (
            <Menu.Item leftSection={<IconPlayerPause {...size} />} onClick={() => void acts.pause()}>
              <Trans>Pause</Trans>
            </Menu.Item>
          )}
          <Menu.Item color="red" leftSection={<IconPlugX {...size} />} onClick={() => go('disconnect')}>
            <Trans>Disconnect</Trans>
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Dialog opened={search.open === 'test'} onClose={() => go(undefined)} title={t`Test ${name}`}>
        {search.open === 'test' && <ConnectionTestResult connectionId={id} />}
      </Dialog>
      <DisconnectDialog connection={connection} opened={search.open === 'disconnect'} onClose={() => go(undefined)} />
    </>
  )
}
