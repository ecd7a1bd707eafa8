import { Button, SegmentedControl } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useId, useState } from 'react'
import { toast } from '../../../platform/activity/toast.tsx'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { CopyField } from '../../../ui/form/copy-field.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { useFeedActs, useFeeds } from './feeds-api.ts'
import type { Calendar, CalendarFeed } from './feeds-api.ts'
import classes from './feeds.module.css'

export function SubscribeDialog({ calendars }: { calendars: readonly [Calendar, ...Calendar[]] }) {
  const [kind, setKind] = useState(calendars[0].kind)
  const calendar = calendars.find((one) => one.kind === kind) ?? calendars[0]
  return (
    <div className={classes['stack']}>
      <p className={classes['dim']}>
        <Trans>Add the address to Google Calendar, Outlook, Apple Calendar or any other calendar app. It picks up changes by itself.</Trans>
      </p>
      {calendars.length > 1 && (
        <SegmentedControl
          aria-label={t`Calendar`}
          value={kind}
          onChange={(chosen) => setKind(calendars.find((one) => one.kind === chosen)?.kind ?? kind)}
          data={calendars.map((one) => ({ value: one.kind, label: nameOf(one) }))}
        />
      )}
      <Addresses key={kind} calendar={calendar} />
    </div>
  )
}

function Addresses({ calendar }: { calendar: Calendar }) {
  const feeds = useFeeds(calendar)
  if (feeds.isError && !feeds.data)
    return <ProblemState problem={feeds.error} title={t`The addresses could not be loaded`} retry={() => void feeds.refetch()} />
  if (!feeds.data)
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={4} />
      </Loading>
    )
  const { own, public: everybodys, may } = feeds.data
  return (
    <>
      <Address
        calendar={calendar}
        audience="own"
        feed={own}
        mayReset
        title={t`Your address`}
        about={
          calendar.kind === 'personal'
            ? t`Events you are registered for or waiting for. Anyone who has this address can read it, so keep it to yourself.`
            : t`Events you can see. Anyone who has this address can read it, so keep it to yourself.`
        }
      />
      {(everybodys || may.publish) && (
        <Address
          calendar={calendar}
          audience="public"
          feed={everybodys}
          mayReset={may.publish}
          title={t`Public address`}
          about={t`Public events only. You can share this address or link to it from your website.`}
        />
      )}
    </>
  )
}

type Props = {
  calendar: Calendar
  audience: CalendarFeed['audience']
  feed: CalendarFeed | null
  mayReset: boolean
  title: string
  about: string
}

function Address({ calendar, audience, feed, mayReset, title, about }: Props) {
  const { create, reset } = useFeedActs(calendar)
  const [asks, setAsks] = useState(false)
  const heading = useId()
  const address = feed?.address ?? null
  const make = () => create.mutate(audience, { onError: (problem) => toast.error(t`The address could not be created`, problem) })
  return (
    <section className={classes['address']} aria-labelledby={heading}>
      <h3 id={heading} className={classes['title']}>
        {title}
      </h3>
      <p className={classes['dim']}>{about}</p>
      {!feed && (
        <div>
          <Button onClick={make} loading={create.isPending}>
            {audience === 'own' ? <Trans>Create address</Trans> : <Trans>Create public address</Trans>}
          </Button>
        </div>
      )}
      {feed && address === null && (
        <p className={classes['dim']}>
          <Trans>This address still works but can't be shown again. Reset it to get a new one.</Trans>
        </p>
      )}
      {address !== null && <CopyField aria-label={title} value={address} copyLabel={<Trans>Copy</Trans>} />}
      {feed && (
        <div className={classes['acts']}>
          {address !== null && (
            <Button component="a" href={address.replace(/^https?:/, 'webcal:')} variant="light" size="compact-md">
              <Trans>Open in calendar app</Trans>
            </Button>
          )}
          {mayReset && (
            <Button variant="subtle" color="red" size="compact-md" onClick={() => setAsks(true)}>
              <Trans>Reset address</Trans>
            </Button>
          )}
        </div>
      )}
      {feed && (
        <ConfirmDialog
          opened={asks}
          onClose={() => setAsks(false)}
          title={audience === 'own' ? t`Reset your address?` : t`Reset the public address?`}
          confirmLabel={<Trans>Reset address</Trans>}
          danger
          onConfirm={async () => {
            await reset.mutateAsync(feed.id)
            toast.success(t`Address reset`)
          }}
        >
          {audience === 'own' ? (
            <Trans>
              The old address stops working at once. Calendars that use it no longer update until you subscribe with the new one.
            </Trans>
          ) : (
            <Trans>
              The old address stops working at once for everyone who subscribed to it. They have to subscribe again with the new one.
            </Trans>
          )}
        </ConfirmDialog>
      )}
    </section>
  )
}

const nameOf = (calendar: Calendar): string =>
  calendar.kind === 'personal' ? t`My events` : calendar.kind === 'organisation' ? t`All events` : calendar.name
