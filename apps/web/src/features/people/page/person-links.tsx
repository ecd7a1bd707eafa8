import { ActionIcon, TextInput } from '@mantine/core'
import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { toast } from '../../../platform/activity/toast.tsx'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import classes from '../people.module.css'
import { webLink } from '../../../ui/display/contact-links.ts'

type Props = { links: Record<string, string>; editable: boolean; save: (links: Record<string, string>) => Promise<unknown> }

/** Handles and addresses at other services. */
export function PersonLinks({ links, editable, save }: Props) {
  const [adding, setAdding] = useState(false)
  const entries = Object.entries(links)
  const without = (service: string) => save(Object.fromEntries(entries.filter(([name]) => name !== service)))
  if (entries.length === 0 && !editable) return null
  return (
    <div>
      <div className={classes['row']}>
        <h3 className={classes['subTitle']}>{t`Links`}</h3>
        {editable && (
          <ActionIcon variant="subtle" color="gray" aria-label={t`Add a link`} onClick={() => setAdding(true)}>
            <IconPlus size={16} aria-hidden />
          </ActionIcon>
        )}
      </div>
      <ul className={classes['rows']}>
        {entries.map(([service, handle]) => (
          <li key={service} className={classes['row']}>
            <span className={classes['rowText']}>
              <span className={classes['dim']}>{service}</span>
              {webLink(handle) ? (
                <a href={webLink(handle)} rel="noreferrer noopener" target="_blank">
                  {handle}
                </a>
              ) : (
                handle
              )}
            </span>
            {editable && (
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t`Remove ${service}`}
                onClick={() => void without(service).catch((problem: unknown) => toast.error(t`That could not be saved.`, problem))}
              >
                <IconX size={16} aria-hidden />
              </ActionIcon>
            )}
          </li>
        ))}
      </ul>
      <FormDialog
        opened={adding}
        onClose={() => setAdding(false)}
        title={t`Add a link`}
        values={{ service: '', handle: '' }}
        rules={{
          service: (value) => (value.trim() ? null : t`Name the service.`),
          handle: (value) => (value.trim() ? null : t`Enter a handle or an address.`),
        }}
        submitLabel={<Trans>Save</Trans>}
        onSubmit={({ service, handle }) => save({ ...links, [service.trim()]: handle.trim() })}
      >
        {(form) => (
          <>
            <TextInput label={t`Service`} placeholder={t`Mastodon`} autoFocus data-autofocus {...form.getInputProps('service')} />
            <TextInput label={t`Handle or address`} {...form.getInputProps('handle')} />
          </>
        )}
      </FormDialog>
    </div>
  )
}
