import { Button, Group, Radio } from '@mantine/core'
import '@mantine/core/styles/Radio.css'
import type { PreflightFinding } from '@guildhall/contract/features/communication.messages'
import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { IconAlertTriangle, IconCircleX, IconInfoCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useContext, useState } from 'react'
import { useApi } from '../../../platform/api/api.tsx'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { problemText } from '../../../platform/api/problem-text.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { OrganisationZone } from '../../../ui/display/zone-times.tsx'
import { MomentField } from '../../../ui/form/moment-field.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { useMessagesChanged } from './messages-api.ts'
import type { Message } from './messages-api.ts'
import { findingText } from './messages-words.ts'
import classes from './emails.module.css'

type Props = {
  message: Message
  opened: boolean
  onClose: () => void
  /** Saves what is still being typed, and answers the message as it is then. */
  flush: () => Promise<Message>
}

/** Checks a message and sends it: at once, later, or once a second person has approved it. */
export function SendDialog({ message, opened, onClose, flush }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} size="lg" title={t`Check and send`}>
      {opened && <Body message={message} onClose={onClose} flush={flush} />}
    </Dialog>
  )
}

function Body({ message, onClose, flush }: Omit<Props, 'opened'>) {
  const { data, actions } = useApi()
  const { messages } = data.communication
  const changed = useMessagesChanged()
  const zone = useContext(OrganisationZone) ?? 'UTC'
  const [when, setWhen] = useState<'now' | 'later'>('now')
  const [at, setAt] = useState<string | null | undefined>(null)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const check = useQuery({
    queryKey: [...messages.get.key({ input: { messageId: message.id } }), 'preflight'],
    queryFn: async () => {
      const saved = await flush()
      return { saved, ...(await actions.communication.messages.preflight.call({ messageId: message.id })) }
    },
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  })
  if (check.isPending)
    return (
      <Loading label={t`Checking recipients, merge fields and links`}>
        <SkeletonLines count={5} />
      </Loading>
    )
  if (check.isError)
    return <ProblemState problem={check.error} title={t`The message could not be checked`} retry={() => void check.refetch()} />
  const { findings, recipients, saved } = check.data
  const stops = findings.some(({ severity }) => severity === 'error')
  const asks = !message.may.schedule || findings.some(({ code }) => code === 'needs_review')
  const isLate = when === 'later' && typeof at === 'string' && Date.parse(at) <= Date.now()
  const send = async () => {
    if (when === 'later' && typeof at !== 'string') return setFailure(t`Enter a date and a time.`)
    setBusy(true)
    setFailure(undefined)
    const sendAt = when === 'later' && typeof at === 'string' ? at : undefined
    const input = { messageId: message.id }
    const sent = { context: { ifMatch: saved.version } }
    try {
      const now = asks
        ? await messages.submit.call({ ...input, ...(sendAt && { sendAt }) }, sent)
        : sendAt
          ? await messages.schedule.call({ ...input, sendAt }, sent)
          : await messages.sendNow.call(input, sent)
      await changed(now)
      onClose()
    } catch (problem) {
      setFailure(problemText(problem))
      setBusy(false)
    }
  }
  return (
    <form
      className={classes['stack']}
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <p role="status">
        <strong>
          <Plural value={recipients} one="# person will get this message." other="# people will get this message." />
        </strong>
      </p>
      {findings.length > 0 ? <Findings findings={findings} /> : <p>{t`Nothing was found that is worth a second look.`}</p>}
      {!stops && (
        <>
          <Radio.Group label={t`When`} value={when} onChange={(chosen) => setWhen(chosen === 'later' ? 'later' : 'now')}>
            <Group mt="xs">
              <Radio value="now" label={asks ? t`As soon as it is approved` : t`Now`} />
              <Radio value="later" label={t`Later`} />
            </Group>
          </Radio.Group>
          {when === 'later' && (
            <MomentField
              label={t`Send at`}
              zone={zone}
              value={at}
              onChange={setAt}
              error={isLate ? t`This is in the past. Choose “Now”, or a later time.` : undefined}
            />
          )}
          <p className={classes['dim']}>
            {asks
              ? t`Somebody else who may send has to approve it first. They are told now.`
              : when === 'now'
                ? t`You have 60 seconds to undo this.`
                : t`You can undo this until then.`}
          </p>
        </>
      )}
      {failure && <div role="alert">{failure}</div>}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose}>
          <Trans>Cancel</Trans>
        </Button>
        <Button type="submit" loading={busy} disabled={stops || isLate}>
          {asks ? <Trans>Ask for approval</Trans> : when === 'now' ? <Trans>Send</Trans> : <Trans>Schedule</Trans>}
        </Button>
      </Group>
    </form>
  )
}

const icons = { error: IconCircleX, warning: IconAlertTriangle, info: IconInfoCircle }

function Findings({ findings }: { findings: readonly PreflightFinding[] }) {
  const words = { error: t`Has to be put right:`, warning: t`Worth a look:`, info: t`Good to know:` }
  return (
    <ul className={classes['findings']} aria-label={t`What the check found`}>
      {findings.map((finding) => {
        const Icon = icons[finding.severity]
        return (
          <li key={`${finding.code} ${JSON.stringify(finding.params)}`} className={classes['finding']} data-severity={finding.severity}>
            <Icon size={16} stroke={1.5} aria-hidden />
            <span>
              <strong>{words[finding.severity]}</strong> {findingText(finding)}
            </span>
          </li>
        )
      })}
    </ul>
  )
}
