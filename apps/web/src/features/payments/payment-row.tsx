import { t } from '@lingui/core/macro'
import { IconChevronRight } from '@tabler/icons-react'
import { useId, useState } from 'react'
import type { Payment } from '@guildhall/contract/features/payments'
import { PlainDate, useFormats } from '../../ui/display/dates.tsx'
import { useMoney } from '../../ui/display/money.tsx'
import { PaymentDetails } from './payment-details.tsx'
import { PaymentBadges, dayOf, methodWords } from './payments-words.tsx'
import classes from './payments.module.css'

/** A payment in a line, with everything about it below once it is opened. */
export function PaymentRow({ payment }: { payment: Payment }) {
  const [open, setOpen] = useState(false)
  const details = useId()
  const money = useMoney()
  const { day } = useFormats()
  const method = methodWords()[payment.method]
  const amount = money(payment.money.amount, payment.money.currency)
  return (
    <li className={classes['payment']}>
      <div className={classes['row']}>
        <button
          type="button"
          className={classes['toggle']}
          aria-expanded={open}
          aria-controls={details}
          aria-label={t`${method}, ${amount}, ${day(dayOf(payment))}`}
          onClick={() => setOpen(!open)}
        >
          <IconChevronRight size={16} stroke={1.5} aria-hidden data-open={open || undefined} />
        </button>
        <div className={classes['what']}>
          <span className={classes['name']}>{method}</span>
          <span className={classes['dim']}>
            <PlainDate date={dayOf(payment)} />
            {payment.reference && <> · {payment.reference}</>}
          </span>
        </div>
        <span>
          <PaymentBadges payment={payment} />
        </span>
        <span className={classes['sum']}>{amount}</span>
      </div>
      <div id={details} hidden={!open} className={classes['details']}>
        {open && <PaymentDetails payment={payment} />}
      </div>
    </li>
  )
}
