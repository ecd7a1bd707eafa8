import { t } from '@lingui/core/macro'
import { IconFlask } from '@tabler/icons-react'
import classes from './payments.module.css'

/** Said wherever somebody could take a test payment for money. */
export const TestMode = ({ counts }: { counts: boolean }) => (
  <p className={classes['test']} role="note">
    <IconFlask size={16} stroke={1.5} aria-hidden />
    <span>
      {counts
        ? t`Test mode: card payments move no money. On this server they mark invoices as paid, so you can try everything.`
        : t`Test mode: card payments move no money and pay no invoices.`}
    </span>
  </p>
)
