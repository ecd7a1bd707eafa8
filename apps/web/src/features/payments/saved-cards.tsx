import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconCreditCard } from '@tabler/icons-react'
import { useState } from 'react'
import type { SavedMethod } from '@guildhall/contract/features/payments'
import { toast } from '../../platform/activity/toast.tsx'
import { useApi } from '../../platform/api/api.tsx'
import { ProblemState } from '../../platform/api/problem-state.tsx'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import { Section } from '../../ui/page/page.tsx'
import { useWaysToPay } from './payments-api.ts'
import { cardName } from './payments-words.tsx'
import classes from './payments.module.css'

/** Cards that were saved with a payment. Where no card can be charged and none is saved, there is nothing to say. */
export function SavedCards() {
  const api = useApi()
  const ways = useWaysToPay()
  const [removed, setRemoved] = useState<SavedMethod | null>(null)
  const [busy, setBusy] = useState<string | null>(null)
  if (ways.isPending) return null
  if (ways.isError)
    return <ProblemState problem={ways.error} title={t`Your saved cards could not be loaded`} retry={() => void ways.refetch()} />
  const { items, canPayOnline } = ways.data
  if (items.length === 0 && !canPayOnline) return null
  const prefer = async (card: SavedMethod) => {
    setBusy(card.id)
    const name = cardName(card)
    try {
      await api.data.payments.methods.prefer.call({ methodId: card.id })
      await ways.refetch()
      toast.success(t`${name} is charged for renewals`)
    } catch (problem) {
      toast.error(t`The card could not be chosen`, problem)
    } finally {
      setBusy(null)
    }
  }
  const removedName = removed ? cardName(removed) : ''
  return (
    <Section title={t`Saved cards`}>
      {items.length === 0 ? (
        <p className={classes['dim']}>
          <Trans>You have no saved card. Save one when you pay an invoice by card, and it pays for memberships with auto-renewal.</Trans>
        </p>
      ) : (
        <ul className={classes['rows']}>
          {items.map((card) => {
            const name = cardName(card)
            const month = String(card.expMonth).padStart(2, '0')
            return (
              <li key={card.id} className={classes['row']}>
                <IconCreditCard size={20} stroke={1.5} aria-hidden className={classes['icon']} />
                <div className={classes['what']}>
                  <span className={classes['name']}>{name}</span>
                  <span className={classes['dim']}>{t`Expires ${month}/${card.expYear}`}</span>
                </div>
                {hasExpired(card) && <StatusBadge tone="bad">{t`Expired`}</StatusBadge>}
                {card.isCharged ? (
                  <StatusBadge tone="good">{t`Used for renewals`}</StatusBadge>
                ) : (
                  <Button
                    variant="default"
                    size="compact-md"
                    loading={busy === card.id}
                    aria-label={t`Use ${name} for renewals`}
                    onClick={() => void prefer(card)}
                  >
                    <Trans>Use for renewals</Trans>
                  </Button>
                )}
                <Button variant="default" size="compact-md" aria-label={t`Remove ${name}`} onClick={() => setRemoved(card)}>
                  <Trans>Remove</Trans>
                </Button>
              </li>
            )
          })}
        </ul>
      )}
      <ConfirmDialog
        opened={removed !== null}
        onClose={() => setRemoved(null)}
        title={t`Remove ${removedName}?`}
        confirmLabel={<Trans>Remove card</Trans>}
        danger
        onConfirm={async () => {
          if (removed) await api.actions.payments.removeMethod.call({ methodId: removed.id })
          await ways.refetch()
        }}
      >
        {items.length > 1
          ? t`It is removed here and at the payment provider. Renewals are charged to another saved card.`
          : t`It is removed here and at the payment provider. Renewals are no longer charged to a card; you get an invoice to pay.`}
      </ConfirmDialog>
    </Section>
  )
}

/** A card is good until the last day of its month. */
const hasExpired = ({ expMonth, expYear }: SavedMethod) => new Date(Date.UTC(expYear, expMonth, 1)) <= new Date()
