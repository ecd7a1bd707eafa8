import { Select } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { createLazyRoute } from '@tanstack/react-router'
import { IconPlug } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { ButtonLink } from '../../../platform/navigation/links.tsx'
import { usePageTitle } from '../../../platform/navigation/page-title.ts'
import { useCan, useHoldsEverywhere } from '../../../platform/session/session.ts'
import { folded } from '../../../ui/filter/folded.ts'
import { SearchField } from '../../../ui/filter/search-field.tsx'
import { ListBar } from '../../../ui/list/list-bar.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Page, PageHeader } from '../../../ui/page/page.tsx'
import { Loading, SkeletonCards } from '../../../ui/page/skeletons.tsx'
import { ConnectDialog } from '../connect/connect-dialog.tsx'
import { connectors } from '@guildhall/contract/features/integrations.connectors'
import { useConnections } from '../integrations-api.ts'
import type { Connection } from '../integrations-api.ts'
import type { IntegrationsSearch } from '../integrations-search.ts'
import { asCategory, asConnector, categories, categoryWords, connectorWords, isByItself } from '../words/connector-words.ts'
import { isUnhealthy } from '../words/state-words.ts'
import { AvailableConnectors } from './available-connectors.tsx'
import classes from './catalogue.module.css'
import { ConnectionTile } from './connection-tile.tsx'

export const route = createLazyRoute('/signed-in/integrations')({ component: IntegrationsPage })

function IntegrationsPage() {
  usePageTitle(t`Integrations`)
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const mayConnect = useCan('integrations.manage')
  const managesAll = useHoldsEverywhere('integrations.manage')
  const connections = useConnections()
  const { q = '' } = search
  const category = asCategory(search.area)
  const connector = asConnector(search.connect)
  const go = (change: Partial<IntegrationsSearch>, replace = false) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace })
  const available = useRef<HTMLDivElement>(null)
  const toAvailable = search.open === 'available' && connections.data !== undefined
  useEffect(() => {
    if (toAvailable) available.current?.scrollIntoView()
  }, [toAvailable])
  return (
    <Page>
      <PageHeader
        title={t`Integrations`}
        description={t`Connections to other systems: what they bring in, what they take out, and how they are doing.`}
        actions={
          managesAll && (
            <>
              <ButtonLink to="/account-management/{-$tab}" params={{ tab: 'api' }} variant="default">
                <Trans>API keys</Trans>
              </ButtonLink>
              <ButtonLink to="/account-management/{-$tab}" params={{ tab: 'webhooks' }} variant="default">
                <Trans>Webhooks</Trans>
              </ButtonLink>
            </>
          )
        }
      />
      <ListBar>
        <SearchField label={t`Search integrations`} value={q} onChange={(text) => go({ q: text || undefined }, true)} />
        <Select
          aria-label={t`Area`}
          placeholder={t`All areas`}
          clearable
          value={category ?? null}
          data={categories.map((value) => ({ value, label: categoryWords()[value] }))}
          onChange={(chosen) => go({ area: chosen ?? undefined })}
        />
      </ListBar>
      {connections.isPending ? (
        <Loading label={t`Loading`}>
          <SkeletonCards count={4} height={140} />
        </Loading>
      ) : connections.isError && !connections.data ? (
        <ProblemState problem={connections.error} title={t`The connections could not be loaded`} retry={() => void connections.refetch()} />
      ) : (
        <div className={classes['stack']}>
          <Connected connections={connections.data.items} q={q} category={category} mayConnect={mayConnect} />
          {mayConnect && (
            <div ref={available}>
              <AvailableConnectors
                q={q}
                category={category}
                connections={connections.data.items}
                onConnect={(key) => go({ connect: key })}
              />
            </div>
          )}
        </div>
      )}
      <ConnectDialog
        connector={mayConnect && connector !== undefined && !isByItself(connector) ? connector : undefined}
        onClose={() => go({ connect: undefined }, true)}
      />
    </Page>
  )
}

type ConnectedProps = { connections: readonly Connection[]; q: string; category: string | undefined; mayConnect: boolean }

/** Those in trouble stand on top, those that were disconnected at the end. */
const rank = (connection: Connection) =>
  connection.state === 'error' ? 0 : isUnhealthy(connection) ? 1 : connection.state === 'disconnected' ? 3 : 2

function Connected({ connections, q, category, mayConnect }: ConnectedProps) {
  const [words, sought] = [connectorWords(), folded(q)]
  const shown = connections
    .filter(
      ({ name, connector }) =>
        (category === undefined || connectors[connector].category === category) &&
        [name, words[connector].name].some((text) => folded(text).includes(sought)),
    )
    .toSorted((one, other) => rank(one) - rank(other))
  const icon = <IconPlug size={32} stroke={1.5} />
  return (
    <section className={classes['shelf']} aria-labelledby="connected">
      <h2 id="connected" className={classes['shelfTitle']}>
        <Trans>Connected</Trans>
      </h2>
      {connections.length === 0 ? (
        <EmptyState level={3} icon={icon} title={t`No connections yet`}>
          {mayConnect ? (
            <Trans>Choose a connector below. Before anything is written, a dry run shows every change.</Trans>
          ) : (
            <Trans>Connections that your role may see appear here.</Trans>
          )}
        </EmptyState>
      ) : shown.length === 0 ? (
        <p className={classes['note']}>
          <Trans>No connection matches.</Trans>
        </p>
      ) : (
        <ul className={classes['tiles']} aria-labelledby="connected">
          {shown.map((connection) => (
            <ConnectionTile key={connection.id} connection={connection} />
          ))}
        </ul>
      )}
    </section>
  )
}
