import { Alert, Button } from '@mantine/core'
import '@mantine/core/styles/Alert.css'
import { clockIn } from '@guildhall/contract/moments'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconAlertCircle, IconCheck } from '@tabler/icons-react'
import { Fragment, memo, useDeferredValue, useEffect, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { usePageTitle } from '../../../platform/navigation/page-title.ts'
import { useShortcuts } from '../../../platform/navigation/shortcuts.ts'
import { ConflictDialog } from '../../../platform/records/conflict-dialog.tsx'
import type { Conflict } from '../../../platform/records/conflict-dialog.tsx'
import { useMe } from '../../../platform/session/session.ts'
import { RelativeTime } from '../../../ui/display/relative-time.tsx'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import { Page } from '../../../ui/page/page.tsx'
import { dayOf } from '../event-times.ts'
import type { Event } from '../events-api.ts'
import { stateOf } from '../events-words.tsx'
import { EventBody } from '../page/event-body.tsx'
import { BasicsPart } from './basics-part.tsx'
import type { DraftState, EventDraft } from './event-draft.ts'
import { previewOf } from './event-values.ts'
import type { EventValues } from './event-values.ts'
import { FormProvider } from './form-context.ts'
import { PagePart } from './page-part.tsx'
import { PlacePart } from './place-part.tsx'
import { PublishDialog } from './publish-dialog.tsx'
import { ScopeDialog } from './scope-dialog.tsx'
import { QuestionsPart } from './questions-part.tsx'
import { TicketsPart } from './tickets-part.tsx'
import classes from './event-form.module.css'

type Props = {
  draft: EventDraft
  conflict: Conflict | undefined
  /** Beside the title. */
  above?: ReactNode
  preview: boolean
  onPreview: (shown: boolean) => void
  publishing: boolean
  onPublishing: (opened: boolean) => void
  onPublished: (event: Event) => void
}

/** The form of an event: parts one below the other, each a click away, beside the page as it will look. */
export function EventForm({ draft, conflict, above, preview, onPreview, publishing, onPublishing, onPublished }: Props) {
  const state = draft.use()
  const { values, event } = state
  // A key is answered before the page beside it is drawn.
  const shown = useDeferredValue(values)
  const isDraft = (event?.status ?? 'draft') === 'draft'
  const isTemplate = Boolean(event?.templateName)
  const organisation = useMe().data?.organisation
  const [left, setLeft] = useState<readonly string[]>([])
  const [showsAll, setShowsAll] = useState(false)
  const [asks, setAsks] = useState(false)
  usePageTitle(values.title || t`New event`)
  useUnsavedWarning(state.pending)
  const [isNew] = useState(!event)
  useEffect(() => {
    if (isNew) focusFirst('basics')
  }, [isNew])

  const save = () => {
    setShowsAll(true)
    if (event?.series && !isDraft && draft.changes().length > 0) setAsks(true)
    else void draft.flush()
  }
  const main = () => (isDraft && !isTemplate ? publish() : save())
  const publish = () => {
    setShowsAll(true)
    onPublishing(true)
  }
  useShortcuts([{ keys: 'mod+enter', label: isDraft && !isTemplate ? t`Publish` : t`Save changes`, group: t`Event`, run: main }])

  const faults = Object.keys(state.faults)
  const parts: { key: string; label: string; fields: readonly string[]; isReady: boolean; content: ReactNode }[] = [
    {
      key: 'basics',
      label: t`Basics`,
      fields: ['title', 'startsAt', 'endsAt', 'timezone', 'kind', 'chapterId', 'groupId', 'visibility', 'repeats'],
      isReady: values.title.trim() !== '' && Boolean(values.startsAt),
      content: contents.basics,
    },
    {
      key: 'place',
      label: t`Place`,
      fields: ['mode', 'venueName', 'venueAddress', 'link'],
      isReady:
        (values.mode === 'online' || values.venueName.trim() + values.venueAddress.trim() !== '') &&
        (values.mode === 'in_person' || values.linkUrl.trim() !== ''),
      content: contents.place,
    },
    {
      key: 'tickets',
      label: t`Tickets`,
      fields: ['capacity', 'guestsPerPerson', 'ticketTypes', 'promoCodes', 'registrationOpensAt', 'registrationClosesAt', 'cancelUntil'],
      isReady: true,
      content: contents.tickets,
    },
    { key: 'questions', label: t`Questions`, fields: ['questions'], isReady: true, content: contents.questions },
    {
      key: 'page',
      label: t`Page`,
      fields: ['coverFileId', 'coverAlt', 'summary', 'description', 'programme', 'staff'],
      isReady: true,
      content: contents.page,
    },
  ]
  const isWrong = (fields: readonly string[]) =>
    faults.some((path) => fields.includes(path.split('.')[0] ?? '') && (showsAll || left.includes(path)))
  const { faults: found } = state
  const currency = organisation?.currency ?? 'EUR'
  const inSeries = Boolean(event?.series)
  const form = useMemo(
    () => ({ draft, currency, inSeries, errorOf: (path: string) => (showsAll || left.includes(path) ? found[path] : undefined) }),
    [draft, currency, inSeries, found, left, showsAll],
  )
  const now = stateOf(
    { status: event?.status ?? 'draft', registration: event?.registration ?? 'none', endsAt: event?.endsAt ?? '' },
    new Date(),
  )
  return (
    <FormProvider value={form}>
      <Page>
        <div className={classes['bar']}>
          <div className={classes['barTop']}>
            <h1
              tabIndex={-1}
              className={classes['heading']}
              // A new page has the focus on its name; whoever came to write an event begins with the title.
              onFocus={() => {
                if (!event && values.title === '') focusFirst('basics')
              }}
            >
              {event ? values.title || t`Event` : t`New event`}
            </h1>
            {isTemplate ? <StatusBadge>{t`Template`}</StatusBadge> : now && <StatusBadge tone={now.tone}>{now.text}</StatusBadge>}
            <SaveState state={state} saves={isDraft} />
            <div className={classes['barEnd']}>
              <Button variant="default" className={classes['toggle'] ?? ''} aria-pressed={preview} onClick={() => onPreview(!preview)}>
                {preview ? <Trans>Back to the form</Trans> : <Trans>Preview</Trans>}
              </Button>
              {isDraft && !isTemplate ? (
                <Button onClick={publish}>
                  <Trans>Publish</Trans>
                </Button>
              ) : (
                !isDraft && (
                  <Button disabled={!state.pending} loading={state.saving} onClick={save}>
                    <Trans>Save changes</Trans>
                  </Button>
                )
              )}
            </div>
          </div>
          <nav aria-label={t`Parts of the form`} className={classes['rail']}>
            <ul>
              {parts.map(({ key, label, fields, isReady }) => (
                <li key={key}>
                  <a
                    href={`#event-${key}`}
                    onClick={(click) => {
                      click.preventDefault()
                      if (preview) onPreview(false)
                      show(key)
                    }}
                  >
                    {isWrong(fields) ? (
                      <IconAlertCircle size={16} stroke={1.5} className={classes['wrong']} aria-label={t`needs another look`} />
                    ) : (
                      isReady && <IconCheck size={16} stroke={1.5} className={classes['ready']} aria-hidden />
                    )}
                    {label}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        </div>
        {above}
        {state.failure && (
          <Alert role="alert" color="red" variant="light" title={t`Not saved`}>
            {state.failure}{' '}
            <Button variant="subtle" size="compact-sm" onClick={() => void draft.flush()}>
              <Trans>Try again</Trans>
            </Button>
          </Alert>
        )}
        <div className={classes['columns']} data-preview={preview || undefined}>
          <div
            className={classes['form']}
            // Ahead of fields that take Enter for themselves, as lists of options do.
            onKeyDownCapture={(event) => {
              if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
              event.preventDefault()
              event.stopPropagation()
              main()
            }}
            onBlur={({ target }) => {
              const path = target instanceof HTMLElement ? target.closest<HTMLElement>('[data-path]')?.dataset['path'] : undefined
              if (path !== undefined && !left.includes(path)) setLeft((before) => [...before, path])
            }}
          >
            {parts.map(({ key, label, content }) => (
              <Fragment key={key}>
                <section id={`event-${key}`} tabIndex={-1} aria-labelledby={`event-${key}-name`} className={classes['part']}>
                  <h2 id={`event-${key}-name`} className={classes['partName']}>
                    {label}
                  </h2>
                  {content}
                </section>
              </Fragment>
            ))}
          </div>
          <aside className={classes['preview']} aria-label={t`Preview`}>
            <Preview values={shown} event={event} />
          </aside>
        </div>
      </Page>
      <PublishDialog
        draft={draft}
        opened={publishing}
        onClose={() => onPublishing(false)}
        onShow={(key) => {
          onPublishing(false)
          if (preview) onPreview(false)
          // Once the dialog has given the focus back.
          setTimeout(() => show(key), 350)
        }}
        onPublished={onPublished}
      />
      {event?.series && (
        <ScopeDialog
          opened={asks}
          onlyThis={asks && isForOne(values, event)}
          onClose={() => setAsks(false)}
          onChoose={(scope) => {
            setAsks(false)
            void draft.flush(scope)
          }}
        />
      )}
      <ConflictDialog conflict={conflict} />
    </FormProvider>
  )
}

/** Whether something was changed that is for one event of a series at a time. */
function isForOne({ startsAt, timezone }: EventValues, event: Event): boolean {
  return Boolean(startsAt) && clockIn(timezone, startsAt ?? event.startsAt).date !== dayOf(event.startsLocal)
}

/** The same elements each time, so that a key in one part draws only that part anew. */
const contents = {
  basics: <BasicsPart />,
  place: <PlacePart />,
  tickets: <TicketsPart />,
  questions: <QuestionsPart />,
  page: <PagePart />,
}

/** Drawn when there is time for it. */
const Preview = memo(function Preview({ values, event }: { values: EventValues; event: Event | undefined }) {
  return <EventBody preview event={previewOf(values, event)} />
})

/** Brings a part of the form to the top, and the focus into its first field. */
function show(key: string) {
  document.getElementById(`event-${key}`)?.scrollIntoView({ block: 'start' })
  focusFirst(key)
}

function focusFirst(key: string) {
  const part = document.getElementById(`event-${key}`)
  const field = part?.querySelector<HTMLElement>('input:not([type="hidden"], [type="radio"], [type="checkbox"]), textarea, button')
  ;(field ?? part)?.focus({ preventScroll: true })
}

function SaveState({ state, saves }: { state: DraftState; saves: boolean }) {
  const { saving, savedAt, pending, event, values } = state
  return (
    <span role="status" className={classes['saved']}>
      {saving ? (
        <Trans>Saving…</Trans>
      ) : !event ? (
        pending && values.title.trim() === '' && <Trans>Enter a title to save the draft.</Trans>
      ) : pending ? (
        saves ? undefined : (
          <Trans>Unsaved changes</Trans>
        )
      ) : (
        savedAt !== undefined && (
          <Trans>
            Saved <RelativeTime at={new Date(savedAt).toISOString()} />
          </Trans>
        )
      )}
    </span>
  )
}

/** Closing the window asks first while something is not saved. */
function useUnsavedWarning(pending: boolean) {
  useEffect(() => {
    if (!pending) return
    const warn = (leaving: BeforeUnloadEvent) => leaving.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [pending])
}
