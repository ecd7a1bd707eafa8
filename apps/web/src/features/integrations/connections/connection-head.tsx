import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { failureText } from '../../../platform/api/reason-text.ts'
import { ButtonLink } from '../../../platform/navigation/links.tsx'
import { RelativeTime } from '../../../ui/display/relative-time.tsx'
import { DetailHeader } from '../../../ui/page/detail-header.tsx'
import { ConnectionStatus } from '../catalogue/connection-status.tsx'
import type { Connection } from '../integrations-api.ts'
import type { IntegrationsSearch } from '../integrations-search.ts'
import { connectorWords } from '../words/connector-words.ts'
import { isUnhealthy } from '../words/state-words.ts'
import { ConnectionActs } from './connection-acts.tsx'
import classes from './connection.module.css'
import { repairOf } from './repair.ts'

type Props = { connection: Connection; search: IntegrationsSearch; children: ReactNode }

/** What it connects, how it is, and what can be done; of one in trouble the cause with one repair. */
export function ConnectionHead({ connection, search, children }: Props) {
  const { slug, name, connector, chapter, state, failure, syncs, lastSuccessAt, nextRunAt, may } = connection
  const repair = isUnhealthy(connection) && may.manage ? repairOf(connection) : undefined
  return (
    <>
      <DetailHeader
        name={name}
        square
        status={<ConnectionStatus state={state} />}
        facts={[
          connectorWords()[connector].name,
          chapter?.name ?? t`Whole organisation`,
          ...(syncs
            ? [
                lastSuccessAt ? (
                  <Trans>
                    Last sync <RelativeTime at={lastSuccessAt} />
                  </Trans>
                ) : (
                  <Trans>Never synced</Trans>
                ),
                ...(nextRunAt && (state === 'connected' || state === 'degraded')
                  ? [
                      <Trans key="next">
                        Next run <RelativeTime at={nextRunAt} />
                      </Trans>,
                    ]
                  : []),
              ]
            : []),
        ]}
        actions={may.manage && <ConnectionActs connection={connection} search={search} />}
      >
        {children}
      </DetailHeader>
      {failure && state !== 'disconnected' && (
        <div className={classes['failure']} role="status">
          <p>{failureText(failure)}</p>
          {repair && (
            <ButtonLink
              to="/integrations/$integrationId"
              params={{ integrationId: slug }}
              search={repair.search}
              variant="default"
              size="compact-sm"
            >
              {repair.label}
            </ButtonLink>
          )}
        </div>
      )}
      {state === 'disconnected' && (
        <p className={classes['failure']} role="status">
          <Trans>This connection was disconnected. What it brought in stays; connect again from the catalogue.</Trans>
        </p>
      )}
    </>
  )
}
