import { ActionIcon, Button, Menu } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { IconArrowDown, IconArrowUp, IconEdit, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { toast } from '../../../platform/activity/toast.tsx'
import { useFormats } from '../../../ui/display/dates.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { faultWords, stepKindWords, stepText } from './automation-words.tsx'
import { useAutomationsApi, useAutomationsChanged, useStepCounts } from './automations-api.ts'
import type { Automation, AutomationStep, AutomationStepCounts } from './automations-api.ts'
import classes from './automations.module.css'
import { StepDialog } from './step-dialog.tsx'

const kinds = ['mail', 'wait', 'condition', 'tag', 'task'] as const

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
    case 'mail':
      return { id, kind, templateId: null, topicId: null }
    case 'tag':
      return { id, kind, tagId: '', does: 'add' }
    case 'task':
      return { id, kind, title: '', note: '', dueDays: 7, assigneeId: null }
  }
}

/** From top to bottom, with who came to each and what became of its mails. */
export function AutomationSteps({ automation }: { automation: Automation }) {
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
                {count?.mail && <MailFigures mail={count.mail} messageId={count.messageId} />}
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
                  <ActionIcon variant="subtle" color="gray" aria-label={t`Edit step: ${name}`} onClick={() => setEdited(step)}>
                    <IconEdit size={16} aria-hidden />
                  </ActionIcon>
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
        chapterId={automation.chapter?.id ?? null}
        isNew={isNew}
        version={version}
        onClose={() => setEdited(null)}
        onSave={(step, ifMatch) => save(isNew ? [...steps, step] : steps.map((one) => (one.id === step.id ? step : one)), ifMatch)}
      />
    </Section>
  )
}

type Figures = Pick<AutomationStepCounts, 'messageId'> & { mail: NonNullable<AutomationStepCounts['mail']> }
function MailFigures({ mail, messageId }: Figures) {
  const { number } = useFormats()
  const { left, delivered, opened, clicked, softBounces, hardBounces, complaints, unsubscribed } = mail
  const figures = [
    [t`Sent`, left],
    [t`Delivered`, delivered],
    [t`Opened (indicative)`, opened],
    [t`Clicked`, clicked],
    [t`Bounced`, softBounces + hardBounces],
    [t`Marked as spam`, complaints],
    [t`Unsubscribed`, unsubscribed],
  ] as const
  return (
    <>
      <dl className={classes['figures']}>
        {figures.map(([label, figure]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{number(figure)}</dd>
          </div>
        ))}
      </dl>
      {messageId !== null && (
        <Link className={classes['minor']} to="/communication/{-$tab}" params={{ tab: 'emails' }} search={{ message: messageId }}>
          <Trans>Mail as last sent, with its recipients</Trans>
        </Link>
      )}
    </>
  )
}
