import { ActionIcon, TextInput } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useApi } from '../../../platform/api/api.tsx'
import { toast } from '../../../platform/activity/toast.tsx'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { Section } from '../../../ui/page/page.tsx'
import classes from '../people.module.css'
import { usePeopleChanged } from '../people-api.ts'
import type { Person } from '../people-api.ts'

/** What other systems call this person; for officers, and assigned by the office. */
export function PersonExternalIds({ person }: { person: Person }) {
  const people = useApi().data.people
  const changed = usePeopleChanged()
  const [adding, setAdding] = useState(false)
  const { externalIds, may } = person
  if (externalIds.length === 0 && !may.setMemberNo) return null
  const set = async (system: string, externalId: string) => {
    await people.setExternalId.call({ personId: person.id, system, externalId })
    await changed()
  }
  const remove = async (system: string, externalId: string) => {
    try {
      await people.removeExternalId.call({ personId: person.id, system })
      await changed()
      toast.undo(t`External id (${system}) removed`, () => set(system, externalId))
    } catch (problem) {
      toast.error(t`That could not be saved.`, problem)
    }
  }
  return (
    <Section
      title={t`External ids`}
      actions={
        may.setMemberNo && (
          <ActionIcon variant="subtle" color="gray" aria-label={t`Add an external id`} onClick={() => setAdding(true)}>
            <IconPlus size={16} aria-hidden />
          </ActionIcon>
        )
      }
    >
      {externalIds.length === 0 && <p className={classes['dim']}>{t`None.`}</p>}
      <ul className={classes['rows']}>
        {externalIds.map(({ system, externalId }) => (
          <li key={system} className={classes['row']}>
            <span className={classes['rowText']}>
              <span className={classes['dim']}>{system}</span>
              {externalId}
            </span>
            {may.setMemberNo && (
              <ActionIcon variant="subtle" color="gray" aria-label={t`Remove ${system}`} onClick={() => void remove(system, externalId)}>
                <IconX size={16} aria-hidden />
              </ActionIcon>
            )}
          </li>
        ))}
      </ul>
      <FormDialog
        opened={adding}
        onClose={() => setAdding(false)}
        title={t`Add an external id`}
        values={{ system: '', externalId: '' }}
        rules={{
          system: (value) =>
            /^[a-z0-9_-]{1,40}$/.test(systemOf(value)) ? null : t`Enter up to 40 letters, digits, hyphens or underscores.`,
          externalId: (value) => (value.trim() ? null : t`Enter the id.`),
        }}
        submitLabel={<Trans>Save</Trans>}
        onSubmit={({ system, externalId }) => set(systemOf(system), externalId.trim())}
      >
        {(form) => (
          <>
            <TextInput
              label={t`System`}
              description={t`Replaces the id that this person has in the same system.`}
              placeholder={t`civicrm`}
              autoFocus
              data-autofocus
              {...form.getInputProps('system')}
            />
            <TextInput label={t`External id`} {...form.getInputProps('externalId')} />
          </>
        )}
      </FormDialog>
    </Section>
  )
}

const systemOf = (typed: string) => typed.trim().toLowerCase().replace(/\s+/g, '-')
