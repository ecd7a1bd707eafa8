import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { failureText } from '../../../platform/api/reason-text.ts'
import { ButtonLink } from '../../../platform/navigation/links.tsx'
import { RelativeTime } from '../../../ui/display/relative-time.tsx'
import { repairOf } from '../connections/repair.ts'
import type { Connection } from '../integrations-api.ts'
import { connectorWords } from '../words/connector-words.ts'
import { errorCount, isUnhealthy, recordCount } from '../words/state-words.ts'
import classes from './catalogue.module.css'
import { ConnectionStatus } from './connection-status.tsx'
import { SyncStrip } from './sync-strip.tsx'

export function ConnectionTile({ connection }: { connection: Connection }) {
  const { slug, name, connector, chapter, state, failure, syncs, lastSuccessAt, records, openErrors, owner, strip, may } = connection
  const repair = isUnhealthy(connection) && may.manage ? repairOf(connection) : undefined
  return (
    <li className={classes['tile']} data-unhealthy={isUnhealthy(connection) || undefined}>
      <div className={classes['tileHead']}>
        <Link to="/integrations/$integrationId" params={{ integrationId: slug }} className={classes['tileName']}>
          {name}
        </Link>
        <ConnectionStatus state={state} />
      </div>
      <p className={classes['note']}>{[connectorWords()[connector].name, chapter?.name].filter(Boolean).join(' · ')}</p>
      {failure && <p className={classes['cause']}>{failureText(failure)}</p>}
      {repair && (
        <div className={classes['repair']}>
          <ButtonLink
            to="/integrations/$integrationId"
            params={{ integrationId: slug }}
            search={repair.search}
            size="compact-sm"
            aria-label={t`${repair.label}: ${name}`}
          >
            {repair.label}
          </ButtonLink>
          {owner && (
            <span className={classes['note']}>
              <Trans>Owner: {owner}</Trans>
            </span>
          )}
        </div>
      )}
      {syncs && (
        <>
          <ul className={classes['facts']}>
            <li>
              {lastSuccessAt ? (
                <Trans>
                  Last sync <RelativeTime at={lastSuccessAt} />
                </Trans>
              ) : (
                <Trans>Never synced</Trans>
              )}
            </li>
            <li>{recordCount(records)}</li>
            {openErrors > 0 && <li className={classes['bad']}>{errorCount(openErrors)}</li>}
          </ul>
          <SyncStrip strip={strip} />
        </>
      )}
    </li>
  )
}
