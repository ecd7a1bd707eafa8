import { Button, Group } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { useToday } from '../../../platform/session/session.ts'
import { useFormats } from '../../../ui/display/dates.tsx'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { useCampaignSaved } from '../fundraising-api.ts'
import type { Campaign } from '../fundraising-api.ts'
import { campaignVisibilityWords } from '../fundraising-words.tsx'
import classes from './dialogs.module.css'
import { missingOf } from './readiness.ts'
import type { Finding } from './readiness.ts'
import { useMeasure } from './thermometer.tsx'

type Props = { campaign: Campaign; opened: boolean; onClose: () => void }

/** What people will see from now on, or what is missing before they can. */
export function StartDialog({ campaign, opened, onClose }: Props) {
  const { move } = useApi().data.fundraising
  const saved = useCampaignSaved()
  const today = useToday()
  const missing = missingOf(campaign, today)
  if (missing.length > 0)
    return (
      <Dialog opened={opened} onClose={onClose} title={t`Start ${campaign.name}`}>
        {opened && <Missing campaign={campaign} missing={missing} />}
      </Dialog>
    )
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t`Start ${campaign.name}`}
      confirmLabel={<Trans>Start campaign</Trans>}
      onConfirm={async () => {
        const now = await move.call({ campaignId: campaign.id, status: 'active' }, { context: { ifMatch: campaign.version } })
        await saved(now)
        toast.success(t`${now.name} has started`)
      }}
    >
      <Summary campaign={campaign} />
    </ConfirmDialog>
  )
}

function Summary({ campaign }: { campaign: Campaign }) {
  const measure = useMeasure()
  const { day } = useFormats()
  const today = useToday()
  const { goal, fund, startsOn, endsOn, visibility } = campaign
  const begins = startsOn !== null && startsOn > today
  return (
    <div className={classes['stack']}>
      <p>
        {begins ? (
          <Trans>People can give from {day(startsOn)}.</Trans>
        ) : (
          <Trans>People can give from now on. You can pause it at any time, but it does not become a draft again.</Trans>
        )}
      </p>
      <dl className={classes['summary']}>
        <dt>{t`Goal`}</dt>
        <dd>{goal === null ? t`None` : measure(campaign, goal)}</dd>
        <dt>{t`Last day`}</dt>
        <dd>{endsOn === null ? t`None` : day(endsOn)}</dd>
        <dt>{t`Fund`}</dt>
        <dd>{fund?.name}</dd>
        <dt>{t`Who can give`}</dt>
        <dd>{campaignVisibilityWords()[visibility]}</dd>
      </dl>
    </div>
  )
}

function Missing({ campaign, missing }: { campaign: Campaign; missing: readonly Finding[] }) {
  const navigate = useNavigate()
  // Leads to the field, and closes the dialog, which stands in the address.
  const show = (field: Finding['field']) =>
    void navigate({ to: '/fundraising/$campaignId/{-$tab}', params: { campaignId: campaign.id, tab: 'form' }, search: { field } })
  return (
    <div className={classes['stack']}>
      <p>
        <Trans>This is missing before the campaign can start:</Trans>
      </p>
      <ul className={classes['findings']}>
        {missing.map(({ field, text }) => (
          <li key={field}>
            <button type="button" className={classes['finding']} onClick={() => show(field)}>
              {text}
            </button>
          </li>
        ))}
      </ul>
      <Group justify="flex-end">
        <Button data-autofocus variant="default" onClick={() => missing[0] && show(missing[0].field)}>
          <Trans>Continue editing</Trans>
        </Button>
      </Group>
    </div>
  )
}
