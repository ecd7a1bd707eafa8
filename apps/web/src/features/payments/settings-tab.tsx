import { t } from '@lingui/core/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { PaymentSettings } from '@guildhall/contract/features/payments'
import { useApi } from '../../platform/api/api.tsx'
import { ProblemState } from '../../platform/api/problem-state.tsx'
import { useRecordEditor } from '../../platform/records/record-editor.tsx'
import { RecordFact } from '../../platform/records/record-fact.tsx'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import { Fact, FactList } from '../../ui/form/fact-list.tsx'
import { Section } from '../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../ui/page/skeletons.tsx'
import { useWaysToPay } from './payments-api.ts'
import classes from './payments.module.css'
import { TestMode } from './test-mode.tsx'

/** How invoices can be paid: the account for transfers, and the payment provider that the operator has configured. */
export function SettingsTab() {
  const settings = useQuery(useApi().data.payments.settings.get.queryOptions())
  if (settings.isPending) {
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={6} />
      </Loading>
    )
  }
  if (settings.isError)
    return <ProblemState problem={settings.error} title={t`The settings could not be loaded`} retry={() => void settings.refetch()} />
  return <Settings settings={settings.data} />
}

function Settings({ settings }: { settings: PaymentSettings }) {
  const { payments } = useApi().data
  const client = useQueryClient()
  const ways = useWaysToPay()
  const editor = useRecordEditor({
    name: t`Payments`,
    record: settings,
    version: settings.version,
    send: (change: Parameters<typeof payments.settings.update.call>[0], sent) => payments.settings.update.call(change, sent),
    read: async () => {
      const record = await payments.settings.get.call()
      return { record, version: record.version }
    },
    onSaved: (saved) => {
      client.setQueryData(payments.settings.get.queryKey(), saved)
      return client.invalidateQueries({ queryKey: payments.methods.key() })
    },
  })
  const own = { editor, may: settings.mayEdit }
  return (
    <div className={classes['stack']}>
      <Section title={t`Bank transfer`}>
        <div className={classes['stack']}>
          <p className={classes['dim']}>
            {t`Shown to everybody who has an invoice to pay, with the invoice number as the reference. Without an account number, nobody is offered bank transfer.`}
          </p>
          <FactList>
            <RecordFact {...own} label={t`Account holder`} value={settings.accountHolder} change={(accountHolder) => ({ accountHolder })} />
            <RecordFact
              {...own}
              label={t`Account number`}
              value={settings.accountNumber}
              change={(accountNumber) => ({ accountNumber })}
              hint={t`IBAN, if there is one.`}
            />
            <RecordFact
              {...own}
              label={t`Bank code`}
              value={settings.bankCode}
              change={(bankCode) => ({ bankCode })}
              hint={t`BIC, sort code or routing number.`}
            />
            <RecordFact {...own} label={t`Bank`} value={settings.bankName} change={(bankName) => ({ bankName })} />
            <RecordFact {...own} label={t`Note for payers`} value={settings.transferNote} change={(transferNote) => ({ transferNote })} />
          </FactList>
        </div>
      </Section>
      <Section title={t`Card`}>
        <div className={classes['stack']}>
          {settings.isTestMode && ways.data && <TestMode counts={ways.data.testsCount} />}
          <FactList>
            <Fact label={t`Payment provider`}>{settings.byCard ? 'Stripe' : t`None`}</Fact>
            <Fact label={t`Status`}>
              {settings.byCard ? (
                <StatusBadge tone={settings.isTestMode ? 'warning' : 'good'}>{settings.isTestMode ? t`Test mode` : t`Live`}</StatusBadge>
              ) : (
                <StatusBadge>{t`Not configured`}</StatusBadge>
              )}
            </Fact>
          </FactList>
          {!settings.byCard && (
            <p className={classes['dim']}>{t`Invoices cannot be paid by card. The operator of this server can connect Stripe.`}</p>
          )}
        </div>
      </Section>
      {editor.dialog}
    </div>
  )
}
