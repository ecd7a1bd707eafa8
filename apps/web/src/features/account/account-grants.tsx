import { Button, NativeSelect, TextInput } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { useApi } from '../../platform/api/api.tsx'
import { ChapterPicker, GroupPicker } from '../../platform/records/record-pickers.tsx'
import { toast } from '../../platform/activity/toast.tsx'
import { PlainDate } from '../../ui/display/dates.tsx'
import { FormInPlace } from '../../ui/dialog/form-dialog.tsx'
import { Optional } from '../../ui/form/record-form.tsx'
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

type GrantValues = {
  roleId: string
  scopeKind: 'org' | 'chapter' | 'group'
  chapterId: string
  groupId: string
  endsOn: string
  reason: string
}

function GrantForm({ account, onClose }: { account: Account; onClose: () => void }) {
  const { grants } = useApi().data.account
  const roles = useRoles()
  const changed = useAccountsChanged()
  return (
    <FormInPlace<GrantValues, void>
      onClose={onClose}
      values={{ roleId: '', scopeKind: 'org', chapterId: '', groupId: '', endsOn: '', reason: '' }}
      rules={{
        roleId: (value) => (value ? null : t`Choose a role.`),
        chapterId: (value, { scopeKind }) => (scopeKind !== 'chapter' || value ? null : t`Choose where it holds.`),
        groupId: (value, { scopeKind }) => (scopeKind !== 'group' || value ? null : t`Choose where it holds.`),
      }}
      submitLabel={<Trans>Give role</Trans>}
      onSubmit={async ({ roleId, scopeKind, chapterId, groupId, endsOn, reason }) => {
        const grant = await grants.add.call({
          accountId: account.id,
          roleId,
          scopeKind,
          ...(scopeKind === 'chapter' && { chapterId }),
          ...(scopeKind === 'group' && { groupId }),
          ...(endsOn && { endsOn }),
          ...(reason && { reason }),
        })
        await changed()
        const name = account.name || account.email || t`the account`
        toast.undo(t`${grant.role.name} given to ${name}`, async () => {
          await grants.end.call({ grantId: grant.id })
          await changed()
        })
      }}
    >
      {(form) => (
        <>
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
          />
          {form.values.scopeKind === 'chapter' && <ChapterPicker label={t`Chapter`} {...form.getInputProps('chapterId')} />}
          {form.values.scopeKind === 'group' && <GroupPicker label={t`Group`} {...form.getInputProps('groupId')} />}
          <TextInput type="date" label={<Optional>{t`Last day`}</Optional>} {...form.getInputProps('endsOn')} />
          <TextInput label={<Optional>{t`Reason`}</Optional>} maxLength={500} {...form.getInputProps('reason')} />
        </>
      )}
    </FormInPlace>
  )
}
