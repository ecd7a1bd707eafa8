import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { IconPlug } from '@tabler/icons-react'
import { ButtonLink } from '../../../platform/navigation/links.tsx'
import { usePageTitle } from '../../../platform/navigation/page-title.ts'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Page, PageHeader } from '../../../ui/page/page.tsx'
import { useConnections } from '../integrations-api.ts'
import classes from './connection.module.css'

const shown = 20

/** An address that names no connection lists those there are. */
export function NoSuchConnection({ asked }: { asked: string }) {
  usePageTitle(t`Connection not found`)
  const items = useConnections().data?.items ?? []
  return (
    <Page>
      <PageHeader title={t`Connection not found`} />
      <EmptyState
        icon={<IconPlug size={32} stroke={1.5} />}
        title={t`No connection is called “${asked}”`}
        action={
          <ButtonLink to="/integrations" variant="default">
            <Trans>All integrations</Trans>
          </ButtonLink>
        }
      >
        <Trans>It may belong to a chapter that you do not look after.</Trans>
      </EmptyState>
      {items.length > 0 && (
        <nav aria-labelledby="known-connections" className={classes['stack']}>
          <h2 id="known-connections" className={classes['subTitle']}>
            <Trans>Connections</Trans>
          </h2>
          <ul className={classes['bullets']}>
            {items.slice(0, shown).map(({ id, slug, name }) => (
              <li key={id}>
                <Link to="/integrations/$integrationId" params={{ integrationId: slug }}>
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </Page>
  )
}
