import { Alert, Button } from '@mantine/core'
import '@mantine/core/styles/Alert.css'
import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { IconArrowLeft } from '@tabler/icons-react'
import { useState } from 'react'
import { toast } from '../../../platform/activity/toast.tsx'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { ActivateDialog } from './activate-dialog.tsx'
import { AutomationDialog } from './automation-dialog.tsx'
import { AutomationPeople } from './automation-people.tsx'
import { AutomationSteps } from './automation-steps.tsx'
import { AutomationBadge, exitWords, pauseWords, reentryWords, triggerText } from './automation-words.tsx'
import { useAutomation, useAutomationsApi, useAutomationsChanged } from './automations-api.ts'
import type { Automation } from './automations-api.ts'
import classes from './automations.module.css'

type Props = { automationId: string; onClose: () => void }

/** One automation: what lets people enter, its steps from top to bottom with who came to each, and its people. */
export function AutomationView({ automationId, onClose }: Props) {
  const automation = useAutomation(automationId)
  const back = (
    <div>
      <Button variant="subtle" color="gray" leftSection={<IconArrowLeft size={16} aria-hidden />} onClick={onClose}>
        <Trans>All automations</Trans>
      </Button>
    </div>
  )
  if (automation.isPending)
    return (
      <Loading label={t`Loading the automation`}>
        <SkeletonLines count={8} />
      </Loading>
    )
  if (automation.isError)
    return (
      <>
        {back}
        <ProblemState problem={automation.error} title={t`The automation could not be loaded`} retry={() => void automation.refetch()} />
      </>
    )
  return (
    <>
      {back}
      <Head automation={automation.data} />
      <AutomationSteps automation={automation.data} />
      {automation.data.status !== 'draft' && <AutomationPeople automation={automation.data} />}
    </>
  )
}

function Head({ automation }: { automation: Automation }) {
  const api = useAutomationsApi()
  const changed = useAutomationsChanged()
  const [opened, setOpened] = useState<'edit' | 'activate' | 'archive' | null>(null)
  const { id, name, status, version, may, people, activatedBy } = automation
  const close = () => setOpened(null)
  const pause = async () => {
    try {
      await api.pause.call({ automationId: id }, { context: { ifMatch: version } })
      toast.success(t`${name} paused`)
    } catch (problem) {
      toast.error(t`The automation could not be paused`, problem)
    }
    await changed()
  }
  const runner = activatedBy?.displayName
  return (
    <>
      <div className={classes['head']}>
        <div className={classes['title']}>
          <h2>{name}</h2>
          <AutomationBadge status={status} />
        </div>
        {may.change && status !== 'archived' && (
          <div className={classes['tools']}>
            <Button variant="default" onClick={() => setOpened('edit')}>
              <Trans>Edit</Trans>
            </Button>
            <Button variant="default" onClick={() => setOpened('archive')}>
              <Trans>Archive</Trans>
            </Button>
            {status === 'active' ? (
              <Button variant="default" onClick={() => void pause()}>
                <Trans>Pause</Trans>
              </Button>
            ) : (
              may.activate && (
                <Button disabled={automation.faults.length > 0} onClick={() => setOpened('activate')}>
                  <Trans>Activate</Trans>
                </Button>
              )
            )}
          </div>
        )}
      </div>
      {automation.description !== '' && <p className={classes['minor']}>{automation.description}</p>}
      {automation.pauseReason && (
        <Alert color="amber" role="status">
          {pauseWords()[automation.pauseReason]}
        </Alert>
      )}
      <dl className={classes['facts']}>
        <dt>{t`Begins when`}</dt>
        <dd>{triggerText(automation.trigger, automation)}</dd>
        <dt>{t`For`}</dt>
        <dd>{automation.chapter?.name ?? t`Whole organisation`}</dd>
        <dt>{t`People enter`}</dt>
        <dd>{reentryWords()[automation.reentry]}</dd>
        {automation.exits.length > 0 && (
          <>
            <dt>{t`Ends early when`}</dt>
            <dd>{automation.exits.map((exit) => exitWords()[exit]).join(', ')}</dd>
          </>
        )}
        {status !== 'draft' && (
          <>
            <dt>{t`People`}</dt>
            <dd>
              <Plural value={people.inside} one="# in it" other="# in it" />, <Plural value={people.ended} one="# ended" other="# ended" />
            </dd>
          </>
        )}
        {runner !== undefined && (
          <>
            <dt>{t`Runs with the rights of`}</dt>
            <dd>{runner}</dd>
          </>
        )}
      </dl>
      <AutomationDialog key={version} opened={opened === 'edit'} automation={automation} onClose={close} />
      <ActivateDialog key={`activate ${version}`} opened={opened === 'activate'} automation={automation} onClose={close} />
      <ConfirmDialog
        opened={opened === 'archive'}
        onClose={close}
        title={t`Archive ${name}`}
        confirmLabel={<Trans>Archive</Trans>}
        danger
        onConfirm={async () => {
          await api.archive.call({ automationId: id }, { context: { ifMatch: version } })
          await changed()
          toast.success(t`${name} archived`)
        }}
      >
        <Plural
          value={people.inside}
          one="It ends for the # person in it. An archived automation cannot be activated again."
          other="It ends for the # people in it. An archived automation cannot be activated again."
        />
      </ConfirmDialog>
    </>
  )
}
