import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { useApi } from '../../platform/api/api.tsx'
import { toast } from '../../platform/activity/toast.tsx'
import { ComboboxPicker } from '../../ui/form/combobox-picker.tsx'
import { PlainDate } from '../../ui/display/dates.tsx'
import type { Option } from '../../ui/filter/filter.ts'
import { Optional, RecordForm } from '../../ui/form/record-form.tsx'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import { useAccountsChanged, useRoles } from './account-api.ts'
import type { Account, Grant } from './account-api.ts'
import classes from './account.module.css'

/** Roles given to this account, with where and how long, and those that offices bring. */
export function AccountGrants({ account }: { account: Account }) {
  const { grants } = useApi().data.account
  const changed = useAccountsChanged()
  const [adding, setAdding] = useState(false)
  const end = async (grant: Grant) => {
    try {
      await grants.end.call({ grantId: grant.id })
      await changed()
      toast.undo(t`${grant.role.name} revoked`, async () => {
        await grants.add.call(again(account.id, grant))
        await changed()
      })
    } catch (failure) {
      toast.error(t`The role could not be revoked.`, failure)
    }
  }
  const live = account.grants.filter(({ when }) => when !== 'past')
  return (
    <section className={classes['stack']} aria-labelledby="account-rights">
      <h3 id="account-rights">
        <Trans>Rights</Trans>
      </h3>
      {live.length === 0 && account.offices.length === 0 && account.providerRoles.length === 0 && (
        <p className={classes['none']}>{t`Only what every member may do.`}</p>
      )}
      <ul className={classes['list']}>
        {live.map((grant) => (
          <li key={grant.id} className={classes['item']}>
            <span className={classes['words']}>
              {grant.role.name}, {placeOf(grant)}
              <span className={classes['minor']}>
                <PlainDate date={grant.startsOn} /> – {grant.endsOn && <PlainDate date={grant.endsOn} />} {grant.reason}
              </span>
            </span>
            {grant.mayChange && (
              <Button size="compact-sm" variant="default" onClick={() => void end(grant)} aria-label={t`Revoke ${grant.role.name}`}>
                <Trans>Revoke</Trans>
              </Button>
            )}
          </li>
        ))}
        {account.offices.map((office) => (
          <li key={office.positionId} className={classes['item']}>
            <span className={classes['words']}>
              {office.role.name}, {office.chapter.name}
              <span className={classes['minor']}>
                {t`by the office ${office.title}`} {office.endsOn && <PlainDate date={office.endsOn} />}
              </span>
            </span>
            <StatusBadge>{t`Office`}</StatusBadge>
          </li>
        ))}
      </ul>
      {account.may.grant && !adding && (
        <div>
          <Button variant="default" onClick={() => setAdding(true)}>
            <Trans>Give a role</Trans>
          </Button>
        </div>
      )}
      {adding && <GrantForm account={account} onClose={() => setAdding(false)} />}
    </section>
  )
}

/** The same role at the same place until the same day, from today on. */
const again = (accountId: string, { role, scopeKind, chapter, group, endsOn, reason }: Grant) => ({
  accountId,
  roleId: role.id,
  scopeKind,
  ...(chapter && { chapterId: chapter.id }),
  ...(group && { groupId: group.id }),
  ...(endsOn && { endsOn }),
  ...(reason && { reason }),
})

const placeOf = ({ scopeKind, chapter, group }: Grant) =>
  scopeKind === 'org' ? t`whole organisation` : (chapter?.name ?? group?.name ?? '')

function GrantForm({ account, onClose }: { account: Account; onClose: () => void }) {
  const { data } = useApi()
  const roles = useRoles()
  const changed = useAccountsChanged()
  const [place, setPlace] = useState<Option | null>(null)
  const form = useForm<{ roleId: string; scopeKind: 'org' | 'chapter' | 'group'; placeId: string; endsOn: string; reason: string }>({
    initialValues: { roleId: '', scopeKind: 'org', placeId: '', endsOn: '', reason: '' },
    validate: {
      roleId: (value) => (value ? null : t`Choose a role.`),
      placeId: (value, { scopeKind }) => (scopeKind === 'org' || value ? null : t`Choose where it holds.`),
    },
  })
  const { scopeKind } = form.getValues()
  const search = async (q: string, signal: AbortSignal): Promise<Option[]> => {
    const input = { ...(q && { q }), limit: 20 }
    const { items } =
      scopeKind === 'group' ? await data.groups.list.call(input, { signal }) : await data.chapters.list.call(input, { signal })
    return items.map(({ id, name }) => ({ value: id, label: name }))
  }
  return (
    <RecordForm
      form={form}
      submitLabel={<Trans>Give role</Trans>}
      onCancel={onClose}
      onSubmit={async ({ roleId, placeId, endsOn, reason, ...values }) => {
        const grant = await data.account.grants.add.call({
          accountId: account.id,
          roleId,
          scopeKind: values.scopeKind,
          ...(values.scopeKind === 'chapter' && { chapterId: placeId }),
          ...(values.scopeKind === 'group' && { groupId: placeId }),
          ...(endsOn && { endsOn }),
          ...(reason && { reason }),
        })
        await changed()
        const name = account.name || account.email || t`the account`
        toast.undo(t`${grant.role.name} given to ${name}`, async () => {
          await data.account.grants.end.call({ grantId: grant.id })
          await changed()
        })
        onClose()
      }}
    >
      <NativeSelect
        label={t`Role`}
        data={[{ value: '', label: t`Choose …` }, ...(roles.data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))]}
        {...form.getInputProps('roleId')}
      />
      <NativeSelect
        label={t`Holds`}
        data={[
          { value: 'org', label: t`In the whole organisation` },
          { value: 'chapter', label: t`In a chapter and everything below` },
          { value: 'group', label: t`In a group` },
        ]}
        {...form.getInputProps('scopeKind')}
        onChange={(event) => {
          const { value } = event.currentTarget
          form.setFieldValue('scopeKind', value === 'chapter' || value === 'group' ? value : 'org')
          form.setFieldValue('placeId', '')
          setPlace(null)
        }}
      />
      {scopeKind !== 'org' && (
        <ComboboxPicker
          key={scopeKind}
          label={scopeKind === 'group' ? t`Group` : t`Chapter`}
          value={place}
          search={search}
          error={form.errors['placeId']}
          onChange={(option) => {
            setPlace(option)
            form.setFieldValue('placeId', option?.value ?? '')
          }}
        />
      )}
      <TextInput type="date" label={<Optional>{t`Last day`}</Optional>} {...form.getInputProps('endsOn')} />
      <TextInput label={<Optional>{t`Reason`}</Optional>} maxLength={500} {...form.getInputProps('reason')} />
    </RecordForm>
  )
}
