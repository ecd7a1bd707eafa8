import { Button } from '@mantine/core'
import { Plural, Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { IconDownload, IconFileImport, IconUserPlus, IconUsersGroup } from '@tabler/icons-react'
import { memo } from 'react'
import { AppLink } from '../../../platform/navigation/app-link.tsx'
import { useRights } from '../../../platform/session/session.ts'
import { useFormats } from '../../../ui/display/dates.tsx'
import { PageHeader } from '../../../ui/page/page.tsx'

type Props = {
  total: number | undefined
  totalIsExact: boolean
  isEmpty: boolean
  onAudience: () => void
  onExport: () => void
  onNew: () => void
}

/** How many there are, and what is done with no one of them in particular. */
export const PeopleHeader = memo(function PeopleHeader({ total, totalIsExact, isEmpty, onAudience, onExport, onNew }: Props) {
  const can = useRights()
  const { number } = useFormats()
  return (
    <PageHeader
      title={t`Members`}
      meta={
        total !== undefined && (
          <span role="status">
            {totalIsExact ? <Plural value={total} one="# person" other="# people" /> : <Trans>{number(total)}+ people</Trans>}
          </span>
        )
      }
      actions={
        <>
          {can('people.import') && (
            <Button
              component={AppLink}
              href={importHref}
              variant="default"
              leftSection={<IconFileImport size={16} stroke={1.5} aria-hidden />}
            >
              <Trans>Import</Trans>
            </Button>
          )}
          {can('messages.write') && (
            <Button
              variant="default"
              leftSection={<IconUsersGroup size={16} stroke={1.5} aria-hidden />}
              disabled={isEmpty}
              onClick={onAudience}
            >
              <Trans>Make audience</Trans>
            </Button>
          )}
          {can('people.export') && (
            <Button
              variant="default"
              leftSection={<IconDownload size={16} stroke={1.5} aria-hidden />}
              disabled={isEmpty}
              onClick={onExport}
            >
              <Trans>Export</Trans>
            </Button>
          )}
          {can('people.write') && (
            <Button leftSection={<IconUserPlus size={16} stroke={1.5} aria-hidden />} onClick={onNew}>
              <Trans>New member</Trans>
            </Button>
          )}
        </>
      }
    />
  )
})

export const importHref = '/account-management/imports?kind=people'
