import { VisuallyHidden } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Person } from '@guildhall/contract/features/people'
import { Link } from '@tanstack/react-router'
import { IconArrowLeft, IconArrowRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../../platform/api/api.tsx'
import { RelativeTime } from '../../../ui/display/relative-time.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { ourFieldName } from '../words/field-words.ts'
import classes from './trace.module.css'

/** Where the synced values of a person came from and where they go; nothing for somebody whom no connection touches. */
export function PersonSources({ person }: { person: Person }) {
  const { trace } = useApi().data.integrations
  const { data } = useQuery({ ...trace.queryOptions({ input: { personId: person.id } }), staleTime: 60_000 })
  if (data === undefined || data.fields.length === 0) return null
  return (
    <Section title={t`Synced values`} count={data.fields.length}>
      <ul className={classes['list']} aria-label={t`Synced values`}>
        {data.fields.map(({ field, connection, direction, value, at, runId }) => (
          <li key={`${connection.id} ${field} ${direction}`} className={classes['value']}>
            <span className={classes['field']}>{ourFieldName(field)}</span>
            <span className={classes['text']}>{value ?? '–'}</span>
            <span className={classes['from']}>
              {direction === 'in' ? (
                <IconArrowLeft size={14} stroke={1.5} aria-hidden />
              ) : (
                <IconArrowRight size={14} stroke={1.5} aria-hidden />
              )}
              {direction === 'in' ? t`From` : t`To`}{' '}
              <Link to="/integrations/$integrationId" params={{ integrationId: connection.id }}>
                {connection.name}
              </Link>
              {' · '}
              {runId === null ? (
                <RelativeTime at={at} />
              ) : (
                <Link to="/integrations/$integrationId" params={{ integrationId: connection.id }} search={{ tab: 'runs', run: runId }}>
                  <RelativeTime at={at} />
                  <VisuallyHidden>{t`, the run that moved ${ourFieldName(field)}`}</VisuallyHidden>
                </Link>
              )}
            </span>
          </li>
        ))}
      </ul>
      <p className={classes['dim']}>
        <Trans>A change here goes out with the next run where the mapping says so.</Trans>
      </p>
    </Section>
  )
}
