import { Button, NativeSelect, TextInput } from '@mantine/core'
import type { MailState } from '@guildhall/contract/features/account'
import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { getRouteApi } from '@tanstack/react-router'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { AppLink } from '../../../platform/navigation/app-link.tsx'
import { useFormats } from '../../../ui/display/dates.tsx'
import table from '../../../ui/display/small-table.module.css'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import { SearchField } from '../../../ui/filter/search-field.tsx'
import { ShowMore } from '../../../ui/list/show-more.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { useAccountsChanged, useMails } from '../account-api.ts'
import type { OutgoingMail } from '../account-api.ts'
import classes from '../account.module.css'
import { kindOptions, kindText, outcomeText, stateWords } from './mail-words.ts'

const here = getRouteApi('/signed-in/account-management/{-$tab}')
const states = ['queued', 'sending', 'sent', 'failed', 'suppressed', 'unknown'] as const satisfies readonly MailState[]

/** What left, what waits and what failed. What a mail says is kept nowhere. */
export function MailTab() {
  const { state, mail, to, from, until } = here.useSearch()
  const navigate = here.useNavigate()
  const { moment } = useFormats()
  const mails = useMails({ state, mail, to, from, until })
  const rows = mails.data?.items ?? []
  const narrowed = [state, mail, to, from, until].some((part) => part !== undefined)
  const put = (change: Partial<ReturnType<typeof here.useSearch>>) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true })
  const words = stateWords()
  const total = mails.data?.total
  return (
    <div className={classes['stack']}>
      <div className={classes['filters']} role="group" aria-label={t`Filters`}>
        <SearchField label={t`E-mail address`} value={to ?? ''} onChange={(text) => put({ to: text || undefined })} />
        <NativeSelect
          label={t`State`}
          value={state ?? ''}
          data={[{ value: '', label: t`Any` }, ...states.map((value) => ({ value, label: words[value].label }))]}
          onChange={(event) => put({ state: states.find((known) => known === event.currentTarget.value) })}
        />
        <NativeSelect
          label={t`Kind`}
          value={mail ?? ''}
          data={[{ value: '', label: t`Any` }, ...kindOptions()]}
          onChange={(event) => put({ mail: kindOptions().find(({ value }) => value === event.currentTarget.value)?.value })}
        />
        <TextInput
          type="date"
          label={t`From`}
          value={from ?? ''}
          onChange={(event) => put({ from: event.currentTarget.value || undefined })}
        />
        <TextInput
          type="date"
          label={t`Until`}
          value={until ?? ''}
          onChange={(event) => put({ until: event.currentTarget.value || undefined })}
        />
        {narrowed && (
          <Button
            variant="subtle"
            color="gray"
            onClick={() => put({ state: undefined, mail: undefined, to: undefined, from: undefined, until: undefined })}
          >
            <Trans>Clear filters</Trans>
          </Button>
        )}
      </div>
      {typeof total === 'number' && total > 0 && (
        <p role="status" className={classes['none']}>
          {mails.data?.totalIsExact ? <Plural value={total} one="# mail" other="# mails" /> : <Trans>More than {total} mails</Trans>}
        </p>
      )}
      {mails.isPending && (
        <Loading label={t`Loading`}>
          <SkeletonLines count={10} />
        </Loading>
      )}
      {mails.isError && <ProblemState problem={mails.error} title={t`The mails could not be loaded`} retry={() => void mails.refetch()} />}
      {mails.isSuccess && rows.length === 0 && (
        <EmptyState title={narrowed ? t`No mail matches` : t`No mail was sent yet`}>
          {narrowed ? t`Change or clear the filters.` : t`Invitations, notifications and other mail are listed here for half a year.`}
        </EmptyState>
      )}
      {rows.length > 0 && (
        <div className={table['scroll']}>
          <table className={`${table['table']} ${table['stacked']}`} aria-label={t`Outgoing mail`}>
            <thead>
              <tr>
                <th scope="col">{t`To`}</th>
                <th scope="col">{t`State`}</th>
                <th scope="col">{t`Subject`}</th>
                <th scope="col">{t`Created`}</th>
                <th scope="col">{t`Attempts`}</th>
                <th scope="col">{t`Next attempt`}</th>
                <th scope="col">{t`Actions`}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.id}>
                  <th scope="row">
                    <Recipient mail={row} />
                  </th>
                  <td>
                    <StatusBadge tone={words[row.state].tone}>{words[row.state].label}</StatusBadge>
                    {row.outcome && <span className={classes['minor']}>{outcomeText(row.outcome)}</span>}
                    {row.answer && <span className={classes['minor']}>{row.answer}</span>}
                  </td>
                  <td data-label={t`Subject`}>
                    {row.subject || '–'}
                    <span className={classes['minor']}>{kindText(row.kind)}</span>
                  </td>
                  <td data-label={t`Created`}>{moment(row.createdAt)}</td>
                  <td data-label={t`Attempts`}>{row.attempts}</td>
                  <td data-label={t`Next attempt`}>{row.nextAt ? moment(row.nextAt) : '–'}</td>
                  <td>
                    <Ways mail={row} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <ShowMore query={mails} />
    </div>
  )
}

function Recipient({ mail: { person, account, address } }: { mail: OutgoingMail }) {
  const name = person?.displayName ?? account?.name
  return (
    <>
      {person ? <AppLink href={`/person/${person.id}`}>{person.displayName}</AppLink> : name || address || '–'}
      {name && address && <span className={classes['minor']}>{address}</span>}
    </>
  )
}

function Ways({ mail: { id, state } }: { mail: OutgoingMail }) {
  const { mails } = useApi().data.account
  const changed = useAccountsChanged()
  const [asking, setAsking] = useState(false)
  const retry = useMutation(
    mails.retry.mutationOptions({
      onSuccess: async () => {
        setAsking(false)
        await changed()
        toast.success(t`The mail will be sent again`)
      },
      onError: (failure) => toast.error(t`The mail could not be sent again.`, failure),
    }),
  )
  const cancel = useMutation(
    mails.cancel.mutationOptions({
      onSuccess: async () => {
        await changed()
        toast.success(t`Mail cancelled`)
      },
      onError: (failure) => toast.error(t`The mail could not be cancelled.`, failure),
    }),
  )
  if (state === 'queued')
    return (
      <Button variant="default" size="compact-sm" loading={cancel.isPending} onClick={() => cancel.mutate({ mailId: id })}>
        <Trans>Cancel mail</Trans>
      </Button>
    )
  if (state !== 'failed' && state !== 'unknown') return null
  // One that may have arrived is sent twice only by somebody who was told so.
  if (state === 'unknown' && !asking)
    return (
      <Button variant="default" size="compact-sm" onClick={() => setAsking(true)}>
        <Trans>Send again</Trans>
      </Button>
    )
  return (
    <Button variant="default" size="compact-sm" loading={retry.isPending} onClick={() => retry.mutate({ mailId: id })}>
      {state === 'unknown' ? <Trans>Send again, although it may have arrived</Trans> : <Trans>Send again</Trans>}
    </Button>
  )
}
