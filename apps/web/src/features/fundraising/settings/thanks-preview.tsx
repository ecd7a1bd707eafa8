import { t } from '@lingui/core/macro'
import { useMe } from '../../../platform/session/session.ts'
import { useMoney } from '../../../ui/display/money.tsx'
import classes from './settings.module.css'

/** A thank-you as a donor would read it, filled in with an example. */
export function ThanksPreview({ subject, body }: { subject: string; body: string }) {
  const money = useMoney()
  const organisation = useMe().data?.organisation
  const filled = (text: string) =>
    text.replaceAll(/\{(first_name|amount|campaign|organisation)\}/g, (_whole, name: string) => {
      switch (name) {
        case 'first_name':
          return 'Ada'
        case 'amount':
          return money(5_000, organisation?.currency ?? 'EUR')
        case 'campaign':
          return t`Spring appeal`
        default:
          return organisation?.name ?? ''
      }
    })
  return (
    <div className={classes['letter']} role="group" aria-label={t`Preview of the thank-you`}>
      <p className={classes['subject']}>{filled(subject)}</p>
      <p className={classes['lines']}>{filled(body)}</p>
    </div>
  )
}
