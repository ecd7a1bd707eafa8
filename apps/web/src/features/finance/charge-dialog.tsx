import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { Chapter } from '@guildhall/contract/features/chapters'
import type { DuesRate, DuesRunPreview } from '@guildhall/contract/features/finance'
import { useApi } from '../../platform/api/api.tsx'
import { problemText } from '../../platform/api/problem-text.tsx'
import { useToday } from '../../platform/session/session.ts'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { useFormats } from '../../ui/display/dates.tsx'
import { useMoney } from '../../ui/display/money.tsx'
import { useBulkRun } from '../lists/bulk-public.tsx'
import { useBooksChanged } from './finance-api.ts'
import { countInvoices } from './finance-words.tsx'
import table from '../../ui/display/small-table.module.css'
import classes from './finance.module.css'

type Values = { rateId: string; periodOn: string; dueOn: string; issue: boolean }
type Props = { chapter: Chapter; rates: readonly DuesRate[]; opened: boolean; onClose: () => void }

/** Charges a rate for a period, after showing whom and how much. */
export function ChargeDialog({ chapter, rates, opened, onClose }: Props) {
  const { runs } = useApi().actions.finance
  const changed = useBooksChanged()
  const follow = useBulkRun(changed)
  const today = useToday()
  return (
    <FormDialog<Values, void>
      opened={opened}
      onClose={onClose}
      size="lg"
      title={t`Charge dues in ${chapter.name}`}
      values={{ rateId: rates[0]?.id ?? '', periodOn: today, dueOn: '', issue: true }}
      rules={{
        rateId: (rateId) => (rateId ? null : t`Choose a rate.`),
        periodOn: (periodOn) => (periodOn ? null : t`Enter a day of the period.`),
      }}
      submitLabel={({ issue }) => (issue ? <Trans>Issue invoices</Trans> : <Trans>Create drafts</Trans>)}
      onSubmit={async ({ rateId, periodOn, dueOn, issue }) => {
        const { result } = await runs.start.call({ rateId, chapterId: chapter.id, periodOn, issue, ...(dueOn && { dueOn }) })
        await follow(result, (count) => (issue ? t`${countInvoices(count)} issued` : t`${countInvoices(count)} drafted`))
        await changed()
      }}
    >
      {(form) => (
        <>
          <NativeSelect
            label={t`Rate`}
            data={rates.map(({ id, name }) => ({ value: id, label: name }))}
            {...form.getInputProps('rateId')}
          />
          <div className={classes['pair']}>
            <TextInput
              type="date"
              label={t`Period`}
              description={t`Any day of it`}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              {...form.getInputProps('periodOn')}
            />
            <TextInput
              type="date"
              label={t`Due`}
              description={t`Empty: as many days after issuing as the rate says`}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              {...form.getInputProps('dueOn')}
            />
          </div>
          <Checkbox label={t`Issue the invoices at once`} {...form.getInputProps('issue', { type: 'checkbox' })} />
          <Preview chapterId={chapter.id} rateId={form.values.rateId} periodOn={form.values.periodOn} />
        </>
      )}
    </FormDialog>
  )
}

function Preview({ chapterId, rateId, periodOn }: { chapterId: string; rateId: string; periodOn: string }) {
  const { runs } = useApi().data.finance
  const preview = useQuery({
    queryKey: [...runs.key(), 'preview', chapterId, rateId, periodOn],
    queryFn: () => runs.preview.call({ rateId, chapterId, periodOn }),
    enabled: rateId !== '' && periodOn !== '',
    staleTime: 0,
    gcTime: 0,
  })
  if (preview.isError) return <p role="alert">{problemText(preview.error)}</p>
  return (
    <div role="status" className={classes['preview']}>
      {preview.data ? <Charged preview={preview.data} /> : <Trans>Counting…</Trans>}
    </div>
  )
}

function Charged({ preview: { charged, period, totals, sample, skipped } }: { preview: DuesRunPreview }) {
  const money = useMoney()
  const { number } = useFormats()
  const reasons = {
    charged: (count: number) =>
      plural(count, { one: '# already has an invoice for this period.', other: '# already have an invoice for this period.' }),
    free: (count: number) => plural(count, { one: '# is charged nothing.', other: '# are charged nothing.' }),
    gone: (count: number) => plural(count, { one: '# is no longer active.', other: '# are no longer active.' }),
    no_members: (count: number) => plural(count, { one: '# chapter has no members.', other: '# chapters have no members.' }),
  }
  return (
    <>
      <p>
        <strong>{charged === 0 ? t`Nobody would be charged.` : t`${countInvoices(charged)} for ${period.label || t`all time`}`}</strong>
      </p>
      {totals.map(({ currency, net, tax, total, chapterShare }) => (
        <dl key={currency} className={classes['totalsOf']}>
          <div className={classes['totalOne']}>
            <dt className={classes['dim']}>{t`Total`}</dt>
            <dd className={classes['tabular']}>{money(total, currency)}</dd>
          </div>
          {tax !== 0 && (
            <div className={classes['totalOne']}>
              <dt className={classes['dim']}>{t`Tax`}</dt>
              <dd className={classes['tabular']}>{money(tax, currency)}</dd>
            </div>
          )}
          {chapterShare !== 0 && (
            <>
              <div className={classes['totalOne']}>
                <dt className={classes['dim']}>{t`Chapters`}</dt>
                <dd className={classes['tabular']}>{money(chapterShare, currency)}</dd>
              </div>
              <div className={classes['totalOne']}>
                <dt className={classes['dim']}>{t`Organisation`}</dt>
                <dd className={classes['tabular']}>{money(net - chapterShare, currency)}</dd>
              </div>
            </>
          )}
        </dl>
      ))}
      {sample.length > 0 && (
        <div className={classes['sample']} role="region" aria-label={t`Charged`} tabIndex={0}>
          <table className={table['table']}>
            <caption className={classes['dim']}>
              {charged > sample.length ? t`The first ${number(sample.length)} of ${number(charged)}` : t`Charged`}
            </caption>
            <tbody>
              {sample.map(({ id, name, chapter, quantity, amount, currency, ownRate }) => (
                <tr key={id}>
                  <th scope="row">{name}</th>
                  <td className={classes['dim']}>
                    {quantity > 1 ? plural(quantity, { one: '# member', other: '# members' }) : chapter}
                    {ownRate && ` · ${t`own rate`}`}
                  </td>
                  <td className={table['figure']}>{money(amount, currency)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {skipped.map(({ reason, count, sample: names }) => (
        <p key={reason} className={classes['dim']}>
          {reasons[reason](count)} {names.length > 0 && names.map(({ name }) => name).join(', ')}
          {count > names.length && ' …'}
        </p>
      ))}
    </>
  )
}
