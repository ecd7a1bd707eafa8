import { Input } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { useMemo } from 'react'
import type { ReactNode } from 'react'
import { useApi } from '../../../platform/api/api.tsx'
import { named } from '../../../platform/records/record-sources.ts'
import { useMe } from '../../../platform/session/session.ts'
import type { Option } from '../../../ui/filter/filter.ts'
import { RecordListPicker } from '../../../ui/form/record-list-picker.tsx'

type Props = {
  value: string[]
  onChange: (accountIds: string[]) => void
  error: ReactNode
  /** Recipients of before, whose names are at hand. */
  known?: readonly { accountId: string; name: string }[] | undefined
}

const shown = 20

/** Accounts that a report is mailed to, found by name. */
export function RecipientsField({ value, onChange, error, known }: Props) {
  const { data } = useApi()
  const { data: me } = useMe()
  const source = useMemo(() => {
    const own: Option[] = me ? [{ value: me.account.id, label: me.person?.displayName ?? me.account.email ?? t`You` }] : []
    const names = new Map([
      ...own.map((option) => [option.value, option.label] as const),
      ...(known ?? []).map(({ accountId, name }) => [accountId, name] as const),
    ])
    return {
      search: async (q: string, signal: AbortSignal): Promise<Option[]> => {
        const { items } = await data.account.accounts.list.call({ ...(q && { q }), limit: shown }, { signal })
        return items.map(({ id, name, email }) => ({ value: id, label: name || email || t`Without a name`, hint: email ?? undefined }))
      },
      names: named(async (accountId) => {
        const name = names.get(accountId)
        if (name !== undefined) return name
        const account = await data.account.accounts.get.call({ accountId })
        return account.name || account.email || t`Without a name`
      }),
    }
  }, [data, me, known])
  return (
    <Input.Wrapper label={t`Recipients`} error={error} labelElement="div">
      <RecordListPicker label={t`Recipients`} value={value} onChange={onChange} search={source.search} names={source.names} />
    </Input.Wrapper>
  )
}
