import { NativeSelect, NumberInput } from '@mantine/core'
import '@mantine/core/styles/NumberInput.css'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { metricKinds } from '@guildhall/contract/features/integrations.metrics'
import type { MetricAlert, MetricType } from '@guildhall/contract/features/integrations.metrics'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { useMe } from '../../../platform/session/session.ts'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { AmountField } from '../../../ui/form/amount-field.tsx'
import { useMetricsChanged } from './metric-api.ts'
import { metricWords } from './metric-words-public.ts'
import classes from './metrics.module.css'

type Values = { metricType: MetricType; side: 'above' | 'below'; limit: number | string | null | undefined; unit: 'hours' | 'days' }
type Props = {
  connectionId: string
  types: readonly MetricType[]
  metricType?: MetricType | undefined
  opened: boolean
  onClose: () => void
}

const limitOf = ({ metricType, limit, unit }: Values) =>
  typeof limit === 'number' ? limit * (metricKinds[metricType].unit === 'hours' && unit === 'days' ? 24 : 1) : null

/** "Tell me when freshness is above 2 days." */
export function AlertDialog({ connectionId, types, metricType, opened, onClose }: Props) {
  const { metrics } = useApi().data.integrations
  const changed = useMetricsChanged()
  const currency = useMe().data?.organisation.currency ?? 'EUR'
  const words = metricWords()
  const first = metricType ?? types[0] ?? 'errors'
  return (
    <FormDialog<Values, MetricAlert>
      opened={opened}
      onClose={onClose}
      title={t`New alert`}
      values={{ metricType: first, side: 'above', limit: null, unit: first === 'freshness' ? 'days' : 'hours' }}
      rules={{ limit: (limit) => (typeof limit === 'number' ? null : t`Enter a number.`) }}
      submitLabel={<Trans>Add alert</Trans>}
      fieldOf={(path) => (path === 'above' || path === 'below' ? 'limit' : path)}
      onSubmit={async (values) => {
        const alert = await metrics.addAlert.call({ connectionId, metricType: values.metricType, [values.side]: limitOf(values) })
        await changed()
        return alert
      }}
      onDone={() => toast.success(t`Alert added`)}
    >
      {(form) => {
        const { unit } = metricKinds[form.values.metricType]
        return (
          <>
            <NativeSelect
              label={t`Metric`}
              data={types.map((type) => ({ value: type, label: words[type].label }))}
              {...form.getInputProps('metricType')}
            />
            <p className={classes['dim']}>{words[form.values.metricType].about}</p>
            <NativeSelect
              label={t`Tell me when it is`}
              data={[
                { value: 'above', label: t`above the limit` },
                { value: 'below', label: t`below the limit` },
              ]}
              {...form.getInputProps('side')}
            />
            {unit === 'money' ? (
              <AmountField
                label={t`Limit`}
                currency={currency}
                value={typeof form.values.limit === 'number' ? form.values.limit : null}
                onChange={(amount) => form.setFieldValue('limit', amount)}
                error={form.errors['limit']}
              />
            ) : (
              <div className={classes['pair']}>
                <NumberInput
                  label={t`Limit`}
                  min={0}
                  max={1_000_000_000}
                  suffix={unit === 'percent' ? ' %' : unit === 'milliseconds' ? ' ms' : ''}
                  {...form.getInputProps('limit')}
                  value={form.values.limit ?? ''}
                />
                {unit === 'hours' && (
                  <NativeSelect
                    label={t`Unit`}
                    data={[
                      { value: 'hours', label: t`hours` },
                      { value: 'days', label: t`days` },
                    ]}
                    {...form.getInputProps('unit')}
                  />
                )}
              </div>
            )}
            <p className={classes['dim']}>
              {metricKinds[form.values.metricType].meaning === 'last' ? (
                <Trans>You are told once, and again only after it was back within the limit.</Trans>
              ) : (
                <Trans>The last 24 hours count. You are told once, and again only after it was back within the limit.</Trans>
              )}
            </p>
          </>
        )
      }}
    </FormDialog>
  )
}
