import { Checkbox, NativeSelect, NumberInput, TextInput, Textarea } from '@mantine/core'
import '@mantine/core/styles/NumberInput.css'
import { NewApiKey, usualKeyRate } from '@guildhall/contract/features/integrations.keys'
import { permissions } from '@guildhall/contract/permissions'
import type { Permission } from '@guildhall/contract/permissions'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { useApi } from '../../../platform/api/api.tsx'
import { faultsOf } from '../../../platform/api/form-rules.ts'
import { ChapterPicker } from '../../../platform/records/record-pickers.tsx'
import { noRecord } from '../../../platform/records/record-sources.ts'
import { useRights } from '../../../platform/session/session.ts'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { SecretDialog } from '../../../ui/dialog/secret-dialog.tsx'
import { CopyButton } from '../../../ui/display/copy-button.tsx'
import { Optional } from '../../../ui/form/record-form.tsx'
import { permissionGroups } from './key-words.ts'
import { useKeysChanged } from './keys-api.ts'
import type { MadeApiKey } from './keys-api.ts'
import classes from '../account-tab.module.css'

type Values = {
  name: string
  purpose: string
  place: 'organisation' | 'chapter'
  chapterId: string | null
  permissions: Permission[]
  days: string
  perMinute: number | string
}

const dayChoices = [30, 90, 180, 365, 730]
const none: Permission[] = []

const wanted = ({ name, purpose, place, chapterId, permissions: chosen, days, perMinute }: Values) => ({
  name,
  purpose,
  permissions: chosen,
  chapterId: place === 'chapter' ? chapterId : null,
  days: Number(days),
  perMinute: perMinute === '' ? usualKeyRate : Number(perMinute),
})

/** Makes a key, then shows it: this once, and nowhere again. */
export function NewKeyDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { keys } = useApi().data.integrations
  const changed = useKeysChanged()
  const can = useRights()
  const [made, setMade] = useState<MadeApiKey | undefined>()
  return (
    <>
      <FormDialog<Values, MadeApiKey>
        opened={opened}
        onClose={onClose}
        title={t`New API key`}
        size="lg"
        values={{
          name: '',
          purpose: '',
          place: 'organisation',
          chapterId: noRecord,
          permissions: none,
          days: '90',
          perMinute: usualKeyRate,
        }}
        rules={(values) => ({
          ...faultsOf(NewApiKey, wanted(values)),
          ...(values.place === 'chapter' && !values.chapterId && { chapterId: t`Choose a chapter.` }),
          ...(values.permissions.length === 0 && { permissions: t`Choose at least one permission.` }),
        })}
        submitLabel={<Trans>Create API key</Trans>}
        onSubmit={async (values) => {
          const answer = await keys.create.call(wanted(values))
          await changed()
          return answer
        }}
        onDone={setMade}
      >
        {(form) => {
          const { place, chapterId } = form.values
          // Of a chapter that is not chosen yet, what could be given somewhere.
          const scope = place === 'organisation' ? {} : chapterId ? { chapterId } : undefined
          const groups = permissionGroups((name) => can(name, scope))
          return (
            <>
              <TextInput
                label={t`Name`}
                description={t`The program that uses it`}
                autoFocus
                data-autofocus
                maxLength={100}
                {...form.getInputProps('name')}
              />
              <Textarea label={<Optional>{t`Purpose`}</Optional>} autosize maxLength={500} {...form.getInputProps('purpose')} />
              <NativeSelect
                label={t`Place`}
                data={[
                  { value: 'organisation', label: t`Whole organisation` },
                  { value: 'chapter', label: t`A chapter and everything below` },
                ]}
                {...form.getInputProps('place')}
              />
              {place === 'chapter' && <ChapterPicker label={t`Chapter`} {...form.getInputProps('chapterId')} />}
              <Checkbox.Group
                label={t`Permissions`}
                description={t`Choose as few as the program needs. Managing accounts, offices, relationships and API keys is not available to keys.`}
                {...form.getInputProps('permissions')}
              >
                <div className={classes['groups']}>
                  {groups.map(({ key, label, names }) => (
                    <fieldset key={key} className={classes['group']}>
                      <legend>{label}</legend>
                      {names.map((name) => (
                        <Checkbox key={name} value={name} label={permissions[name]} />
                      ))}
                    </fieldset>
                  ))}
                </div>
              </Checkbox.Group>
              <NativeSelect
                label={t`Expires after`}
                data={dayChoices.map((days) => ({ value: String(days), label: plural(days, { one: '# day', other: '# days' }) }))}
                {...form.getInputProps('days')}
              />
              <NumberInput label={t`Requests per minute`} min={1} max={6000} allowDecimal={false} {...form.getInputProps('perMinute')} />
            </>
          )
        }}
      </FormDialog>
      <MadeKeyDialog made={made} onClose={() => setMade(undefined)} />
    </>
  )
}

function MadeKeyDialog({ made, onClose }: { made: MadeApiKey | undefined; onClose: () => void }) {
  const name = made?.key.name ?? ''
  const sample = `curl -H 'Authorization: Bearer ${made?.secret ?? ''}' ${window.location.origin}/data/me`
  return (
    <SecretDialog
      secret={made?.secret}
      onClose={onClose}
      title={t`Copy the API key now`}
      label={t`API key`}
      copyLabel={t`Copy API key`}
      doneLabel={<Trans>I have copied the key</Trans>}
      about={
        <p>
          <Trans>
            This is the only time the key {name} is shown. Keep it where your program keeps its passwords. Anyone who has it can do what the
            key may do.
          </Trans>
        </p>
      }
      acts={
        <CopyButton value={sample}>
          <Trans>Copy example</Trans>
        </CopyButton>
      }
    >
      <div className={classes['part']}>
        <h3>
          <Trans>Try it</Trans>
        </h3>
        <pre className={classes['sample']} tabIndex={0} aria-label={t`Example`}>
          {sample}
        </pre>
      </div>
    </SecretDialog>
  )
}
