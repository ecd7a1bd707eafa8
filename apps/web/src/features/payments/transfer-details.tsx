import { CopyButton, Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { TransferAccount } from '@guildhall/contract/features/payments'
import classes from './payments.module.css'

/** Where to transfer the money to. The reference is what the office finds the invoice by. */
export function TransferDetails({ account, amount, reference }: { account: TransferAccount; amount: string; reference: string }) {
  const facts = [
    { label: t`Account holder`, value: account.accountHolder },
    { label: t`Account number`, value: account.accountNumber },
    { label: t`Bank code`, value: account.bankCode },
    { label: t`Bank`, value: account.bankName },
    { label: t`Amount`, value: amount },
    { label: t`Reference`, value: reference },
  ].filter(({ value }) => value !== '')
  return (
    <div className={classes['stack']}>
      <dl className={classes['facts']}>
        {facts.map(({ label, value }) => (
          <div key={label} className={classes['fact']}>
            <dt>{label}</dt>
            <dd>
              <span className={classes['copied']}>{value}</span>
              <CopyButton value={value}>
                {({ copied, copy }) => (
                  <Button variant="subtle" size="compact-xs" onClick={copy} aria-label={copied ? t`${label} copied` : t`Copy ${label}`}>
                    {copied ? <Trans>Copied</Trans> : <Trans>Copy</Trans>}
                  </Button>
                )}
              </CopyButton>
            </dd>
          </div>
        ))}
      </dl>
      {account.transferNote && <p className={classes['note']}>{account.transferNote}</p>}
      <p className={classes['dim']}>
        <Trans>Use the reference, so that your payment can be matched. The invoice shows as paid once the office has recorded it.</Trans>
      </p>
    </div>
  )
}
