import { Button, TextInput } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { toast } from '../../../platform/activity/toast.tsx'
import { PlainDate } from '../../../ui/display/dates.tsx'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { Fact, FactList } from '../../../ui/form/fact-list.tsx'
import { Section } from '../../../ui/page/page.tsx'
import type { Person } from '../people-api.ts'
import { useCard, useCardWays } from './card-api.ts'
import type { MemberCard } from './card-api.ts'
import classes from './card.module.css'

/** The member card of somebody, for the officers who issue and revoke it. */
export function PersonCard({ person }: { person: Person }) {
  const query = useCard(person.id, person.may.edit)
  if (!query.data) return null
  return <Known person={person} card={query.data} />
}

function Known({ person, card: { card, membership, may } }: { person: Person; card: MemberCard }) {
  const ways = useCardWays(person.id)
  const [issuing, setIssuing] = useState(false)
  const [revoking, setRevoking] = useState(false)
  const isValid = Boolean(card?.address)
  return (
    <Section title={t`Member card`}>
      <FactList>
        <Fact label={t`State`}>
          <CardState card={card} />
        </Fact>
        {card && isValid && (
          <Fact label={t`Valid until`}>
            <PlainDate date={card.validUntil} />
          </Fact>
        )}
        {card?.reason && <Fact label={t`Reason`}>{card.reason}</Fact>}
      </FactList>
      {!membership && (
        <p>
          <Trans>Only current members have a member card.</Trans>
        </p>
      )}
      <div className={classes['buttons']}>
        {may.issue && (
          <Button variant="default" size="compact-md" onClick={() => setIssuing(true)}>
            {isValid ? <Trans>Issue a new card</Trans> : <Trans>Issue card</Trans>}
          </Button>
        )}
        {isValid && (
          <Button
            variant="default"
            size="compact-md"
            loading={ways.printing}
            leftSection={<IconDownload size={16} aria-hidden />}
            onClick={ways.print}
          >
            <Trans>Download PDF</Trans>
          </Button>
        )}
        {may.revoke && (
          <Button variant="default" size="compact-md" onClick={() => setRevoking(true)}>
            <Trans>Revoke card</Trans>
          </Button>
        )}
      </div>
      <ConfirmDialog
        opened={issuing}
        onClose={() => setIssuing(false)}
        title={t`Issue a member card to ${person.displayName}?`}
        confirmLabel={<Trans>Issue card</Trans>}
        onConfirm={async () => {
          await ways.issue()
          toast.success(t`Member card issued to ${person.displayName}`)
        }}
      >
        {isValid ? (
          <Trans>The code of the current card stops working at once, also on printed cards.</Trans>
        ) : (
          <Trans>Its code shows anyone who scans it that {person.displayName} is a member.</Trans>
        )}
      </ConfirmDialog>
      <FormDialog
        opened={revoking}
        onClose={() => setRevoking(false)}
        title={t`Revoke the member card of ${person.displayName}?`}
        values={{ reason: '' }}
        rules={{ reason: (value) => (value.trim() ? null : t`Enter a reason.`) }}
        submitLabel={<Trans>Revoke card</Trans>}
        onSubmit={async ({ reason }) => {
          await ways.revoke(reason)
          toast.success(t`Member card revoked`)
        }}
      >
        {(form) => (
          <TextInput
            autoFocus
            data-autofocus
            maxLength={500}
            label={t`Reason`}
            description={t`${person.displayName} sees it.`}
            {...form.getInputProps('reason')}
          />
        )}
      </FormDialog>
    </Section>
  )
}

function CardState({ card }: Pick<MemberCard, 'card'>) {
  if (!card) return <StatusBadge>{t`Not issued`}</StatusBadge>
  if (card.state === 'revoked') return <StatusBadge tone="bad">{t`Revoked`}</StatusBadge>
  return card.address ? <StatusBadge tone="good">{t`Valid`}</StatusBadge> : <StatusBadge>{t`Ended`}</StatusBadge>
}
