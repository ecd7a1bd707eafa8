import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { useApi } from '../../platform/api/api.tsx'
import { problemText } from '../../platform/api/problem-text.tsx'
import { ApiProblem } from '../../platform/api/problem.ts'
import { toast } from '../../platform/activity/toast.tsx'
import { ComboboxPicker } from '../../ui/form/combobox-picker.tsx'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { PlainDate } from '../../ui/display/dates.tsx'
import { Fact, FactList } from '../../ui/form/fact-list.tsx'
import type { FactEdit } from '../../ui/form/fact-editor.tsx'
import type { Option } from '../../ui/filter/filter.ts'
import { Section } from '../../ui/page/page.tsx'
import { useChangeChapter, useChaptersChanged } from './chapters-api.ts'
import type { Chapter } from './chapters-api.ts'
import { usePickers } from './chapters-pickers.ts'
import { ChapterStatusBadge, levelOptions, levelWords, statusOptions } from './chapters-words.tsx'
import classes from './chapters.module.css'

/** A chapter's own data, edited in place; its place in the tree and its end are the organisation's to decide. */
export function ChapterSettings({ chapter }: { chapter: Chapter }) {
  return (
    <div className={classes['stack']}>
      <Profile chapter={chapter} />
      {chapter.may.manage && <Place chapter={chapter} />}
      {chapter.may.manage && <Closing chapter={chapter} />}
    </div>
  )
}

function Profile({ chapter }: { chapter: Chapter }) {
  const change = useChangeChapter(chapter)
  const { edit, manage } = chapter.may
  const editor = (
    allowed: boolean,
    value: string,
    toChange: (text: string) => Parameters<typeof change.mutateAsync>[0],
    more: Partial<FactEdit> = {},
  ): FactEdit | undefined =>
    allowed && chapter.status !== 'closed'
      ? {
          kind: 'text',
          value,
          onSave: async (text) => {
            try {
              await change.mutateAsync(toChange(text))
            } catch (problem) {
              const stale = problem instanceof ApiProblem && problem.status === 412
              const first = problem instanceof ApiProblem ? problem.errors[0]?.message : undefined
              throw new Error(
                stale
                  ? t`Someone else changed this chapter. The page now shows their change; save again to keep yours.`
                  : (first ?? problemText(problem)),
                { cause: problem },
              )
            }
          },
          ...more,
        }
      : undefined
  return (
    <Section title={t`Profile`}>
      <FactList>
        <Fact label={t`Name`} edit={editor(edit, chapter.name, (name) => ({ name }))}>
          {chapter.name}
        </Fact>
        <Fact label={t`About`} edit={editor(edit, chapter.about, (about) => ({ about }), { kind: 'textarea' })}>
          {chapter.about}
        </Fact>
        <Fact label={t`City`} edit={editor(edit, chapter.city, (city) => ({ city }))}>
          {chapter.city}
        </Fact>
        <Fact label={t`E-mail`} edit={editor(edit, chapter.contactEmail, (contactEmail) => ({ contactEmail }), { kind: 'email' })}>
          {chapter.contactEmail}
        </Fact>
        <Fact label={t`Website`} edit={editor(edit, chapter.website, (website) => ({ website }), { kind: 'url' })}>
          {chapter.website}
        </Fact>
        <Fact label={t`Time zone`} edit={editor(edit, chapter.timezone, (timezone) => ({ timezone }))}>
          {chapter.timezone || t`That of the organisation`}
        </Fact>
        <Fact label={t`Code`} edit={editor(manage, chapter.code, (code) => ({ code }))}>
          {chapter.code}
        </Fact>
        <Fact
          label={t`Level`}
          edit={editor(manage, chapter.level, (level) => pick(levelOptions(), level, (known) => ({ level: known })), {
            kind: 'select',
            options: levelOptions(),
          })}
        >
          {levelWords()[chapter.level]}
        </Fact>
        <Fact
          label={t`Status`}
          edit={editor(manage, chapter.status, (status) => pick(statusOptions(), status, (known) => ({ status: known })), {
            kind: 'select',
            options: statusOptions(),
          })}
        >
          <ChapterStatusBadge status={chapter.status} />
        </Fact>
        <Fact
          label={t`Chartered`}
          edit={editor(manage, chapter.charteredOn ?? '', (day) => ({ charteredOn: day || null }), { kind: 'date' })}
        >
          {chapter.charteredOn && <PlainDate date={chapter.charteredOn} />}
        </Fact>
      </FactList>
    </Section>
  )
}

/** The option a select's text stands for; nothing changes when it stands for none. */
function pick<Value extends string, Change extends object>(
  options: readonly { value: Value }[],
  text: string,
  make: (value: Value) => Change,
): Partial<Change> {
  const found = options.find(({ value }) => value === text)
  return found ? make(found.value) : {}
}

function Place({ chapter }: { chapter: Chapter }) {
  const { move } = useApi().data.chapters
  const changed = useChaptersChanged()
  const pickers = usePickers()
  const [parent, setParent] = useState<Option | null>(null)
  const [busy, setBusy] = useState(false)
  const send = (parentId: string | null, version: number) =>
    move.call({ chapterId: chapter.id, parentId }, { context: { ifMatch: version } })
  const moveThere = async (to: Option) => {
    setBusy(true)
    try {
      const moved = await send(to.value, chapter.version)
      await changed()
      setParent(null)
      toast.undo(t`${chapter.name} moved below ${to.label}`, async () => {
        await send(chapter.parent?.id ?? null, moved.version)
        await changed()
      })
    } catch (failure) {
      toast.error(t`${chapter.name} could not be moved.`, failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Section title={t`Place in the tree`}>
      <p className={classes['none']}>
        {chapter.parent ? (
          <Trans>Below {chapter.parent.name}. Moving a chapter moves everything below it, and rights change immediately.</Trans>
        ) : (
          <Trans>At the top of the tree.</Trans>
        )}
      </p>
      <div className={classes['row']}>
        <ComboboxPicker label={t`New parent`} value={parent} onChange={setParent} search={pickers.chapters} />
        <Button variant="default" loading={busy} disabled={!parent} onClick={() => parent && void moveThere(parent)}>
          <Trans>Move</Trans>
        </Button>
      </div>
    </Section>
  )
}

function Closing({ chapter }: { chapter: Chapter }) {
  const { close, reopen } = useApi().data.chapters
  const changed = useChaptersChanged()
  const [asking, setAsking] = useState(false)
  if (chapter.status === 'closed') {
    return (
      <Section title={t`Closed`}>
        <div className={classes['row']}>
          <span className={classes['none']}>{t`This chapter is closed; its history stays.`}</span>
          <Button
            variant="default"
            onClick={() =>
              void reopen
                .call({ chapterId: chapter.id }, { context: { ifMatch: chapter.version } })
                .then(changed)
                .catch((failure: unknown) => toast.error(t`${chapter.name} could not be reopened.`, failure))
            }
          >
            <Trans>Reopen</Trans>
          </Button>
        </div>
      </Section>
    )
  }
  return (
    <Section title={t`Close this chapter`}>
      <div className={classes['row']}>
        <span className={classes['none']}>{t`Its members and sub-chapters need another home first. Terms of office end today.`}</span>
        <Button color="red" variant="light" onClick={() => setAsking(true)}>
          <Trans>Close chapter</Trans>
        </Button>
      </div>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={t`Close ${chapter.name}?`}
        confirmLabel={t`Close chapter`}
        danger
        onConfirm={async () => {
          await close.call({ chapterId: chapter.id }, { context: { ifMatch: chapter.version } })
          await changed()
          toast.success(t`${chapter.name} is closed`)
          setAsking(false)
        }}
      >
        <Trans>The chapter keeps its history and can be reopened, but takes in nobody while it is closed.</Trans>
      </ConfirmDialog>
    </Section>
  )
}
