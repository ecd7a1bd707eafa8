import { ActionIcon, Alert, Button, Menu } from '@mantine/core'
import '@mantine/core/styles/Alert.css'
import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { IconArrowDown, IconArrowLeft, IconArrowUp, IconEdit, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { toast } from '../../../platform/activity/toast.tsx'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { ActivateDialog } from './activate-dialog.tsx'
import { AutomationDialog } from './automation-dialog.tsx'
import { AutomationPeople } from './automation-people.tsx'
import {
  AutomationBadge,
  exitWords,
  faultWords,
  pauseWords,
  reentryWords,
  stepKindWords,
  stepText,
  triggerText,
} from './automation-words.tsx'
import { useAutomation, useAutomationsApi, useAutomationsChanged, useStepCounts } from './automations-api.ts'
import type { Automation, AutomationStep } from './automations-api.ts'
import classes from './automations.module.css'
import { StepDialog } from './step-dialog.tsx'

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
      <Steps automation={automation.data} />
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

const kinds = ['wait', 'condition', 'tag', 'task'] as const

/** A new step as it stands in its form first. */
function blankStep(kind: (typeof kinds)[number], steps: readonly AutomationStep[]): AutomationStep {
  let number = steps.length + 1
  while (steps.some(({ id }) => id === `step${number}`)) number += 1
  const id = `step${number}`
  switch (kind) {
    case 'wait':
      return { id, kind, days: 3, hours: 0, at: null }
    case 'condition':
      return { id, kind, is: 'member', otherwise: 'exit' }
    case 'tag':
      return { id, kind, tagId: '', does: 'add' }
    case 'task':
      return { id, kind, title: '', note: '', dueDays: 7, assigneeId: null }
  }
}

function Steps({ automation }: { automation: Automation }) {
  const api = useAutomationsApi()
  const changed = useAutomationsChanged()
  const counts = useStepCounts(automation.id)
  const [edited, setEdited] = useState<AutomationStep | null>(null)
  const { id: automationId, steps, faults, may, status, version } = automation
  const mayEdit = may.change && (status === 'draft' || status === 'paused')
  const save = async (next: readonly AutomationStep[], ifMatch: number | undefined = version) => {
    await api.update.call({ automationId, steps: [...next] }, { context: { ifMatch } })
    await changed()
  }
  const set = async (next: readonly AutomationStep[]) => {
    try {
      await save(next)
    } catch (problem) {
      toast.error(t`The steps could not be saved`, problem)
      await changed()
    }
  }
  const isNew = edited !== null && !steps.some(({ id }) => id === edited.id)
  const words = stepKindWords()
  const ofAll = faults.filter(({ step }) => step === null)
  return (
    <Section title={t`Steps`}>
      {ofAll.map(({ code }) => (
        <p key={code} className={classes['fault']}>
          {faultWords()[code]}
        </p>
      ))}
      <ol className={classes['steps']}>
        {steps.map((step, place) => {
          const name = stepText(step, automation)
          const count = counts.data?.items.find((one) => one.step === step.id)
          const swap = (other: number) => {
            const next = [...steps]
            const [one, two] = [steps[place], steps[other]]
            if (!one || !two) return
            next[place] = two
            next[other] = one
            void set(next)
          }
          return (
            <li key={step.id} className={classes['step']}>
              <div className={classes['what']}>
                <span className={classes['minor']}>{words[step.kind]}</span>
                <span className={classes['kind']}>{name}</span>
                {faults
                  .filter((fault) => fault.step === step.id)
                  .map(({ code, detail }) => (
                    <span key={code} className={classes['fault']}>
                      {faultWords()[code]} {detail}
                    </span>
                  ))}
                {count && (
                  <span className={classes['minor']}>
                    <Plural value={count.reached} one="# person came to it" other="# people came to it" />
                    {count.here > 0 && (
                      <>
                        , <Plural value={count.here} one="# waits here" other="# wait here" />
                      </>
                    )}
                    {count.skipped > 0 && (
                      <>
                        , <Plural value={count.skipped} one="# skipped" other="# skipped" />
                      </>
                    )}
                  </span>
                )}
              </div>
              {mayEdit && (
                <div className={classes['tools']}>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={t`Move up: ${name}`}
                    disabled={place === 0}
                    onClick={() => swap(place - 1)}
                  >
                    <IconArrowUp size={16} aria-hidden />
                  </ActionIcon>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={t`Move down: ${name}`}
                    disabled={place === steps.length - 1}
                    onClick={() => swap(place + 1)}
                  >
                    <IconArrowDown size={16} aria-hidden />
                  </ActionIcon>
                  {step.kind !== 'mail' && (
                    <ActionIcon variant="subtle" color="gray" aria-label={t`Edit step: ${name}`} onClick={() => setEdited(step)}>
                      <IconEdit size={16} aria-hidden />
                    </ActionIcon>
                  )}
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={t`Remove step: ${name}`}
                    onClick={() => void set(steps.filter(({ id }) => id !== step.id))}
                  >
                    <IconTrash size={16} aria-hidden />
                  </ActionIcon>
                </div>
              )}
            </li>
          )
        })}
      </ol>
      {mayEdit && steps.length < 30 && (
        <Menu position="bottom-start">
          <Menu.Target>
            <Button variant="default" style={{ justifySelf: 'start' }}>
              <Trans>Add step</Trans>
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {kinds.map((kind) => (
              <Menu.Item key={kind} onClick={() => setEdited(blankStep(kind, steps))}>
                {words[kind]}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      <StepDialog
        key={edited?.id}
        step={edited}
        isNew={isNew}
        version={version}
        onClose={() => setEdited(null)}
        onSave={(step, ifMatch) => save(isNew ? [...steps, step] : steps.map((one) => (one.id === step.id ? step : one)), ifMatch)}
      />
    </Section>
  )
}
