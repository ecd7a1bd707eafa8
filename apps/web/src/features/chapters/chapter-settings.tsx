import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { useApi } from '../../platform/api/api.tsx'
import { RecordFact } from '../../platform/records/record-fact.tsx'
import { toast } from '../../platform/activity/toast.tsx'
import { useRecordSources } from '../../platform/records/record-sources.ts'
import { ComboboxPicker } from '../../ui/form/combobox-picker.tsx'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { PlainDate } from '../../ui/display/dates.tsx'
import { FactList } from '../../ui/form/fact-list.tsx'
import { zoneOptions } from '../../ui/form/zone-options.ts'
import type { Option } from '../../ui/filter/filter.ts'
import { Section } from '../../ui/page/page.tsx'
import { ChapterPublicPage } from './chapter-public-page.tsx'
import { useChapterEditor, useChaptersChanged } from './chapters-api.ts'
import type { Chapter } from './chapters-api.ts'
import { ChapterStatusBadge, levelOptions, statusOptions } from './chapters-words.tsx'
import classes from './chapters.module.css'

/** A chapter's own data, edited in place; its place in the tree and its end are the organisation's to decide. */
export function ChapterSettings({ chapter }: { chapter: Chapter }) {
  return (
    <div className={classes['stack']}>
      <Profile chapter={chapter} />
      {chapter.may.edit && <ChapterPublicPage chapter={chapter} />}
      {chapter.may.manage && <Place chapter={chapter} />}
      {chapter.may.manage && <Closing chapter={chapter} />}
    </div>
  )
}

function Profile({ chapter }: { chapter: Chapter }) {
  const editor = useChapterEditor(chapter)
  const open = chapter.status !== 'closed'
  const own = { editor, may: chapter.may.edit && open }
  const placed = { editor, may: chapter.may.manage && open }
  return (
    <Section title={t`Profile`}>
      <FactList>
        <RecordFact {...own} label={t`Name`} value={chapter.name} change={(name) => ({ name })} />
        <RecordFact {...own} label={t`About`} kind="textarea" value={chapter.about} change={(about) => ({ about })} />
        <RecordFact {...own} label={t`City`} value={chapter.city} change={(city) => ({ city })} />
        <RecordFact {...own} label={t`E-mail`} kind="email" value={chapter.contactEmail} change={(contactEmail) => ({ contactEmail })} />
        <RecordFact {...own} label={t`Website`} kind="url" value={chapter.website} change={(website) => ({ website })} />
        <RecordFact
          {...own}
          label={t`Time zone`}
          value={chapter.timezone}
          options={[{ value: '', label: t`That of the organisation` }, ...zoneOptions(chapter.timezone)]}
          change={(timezone) => ({ timezone })}
        />
        <RecordFact {...placed} label={t`Code`} value={chapter.code} change={(code) => ({ code })} />
        <RecordFact {...placed} label={t`Level`} value={chapter.level} options={levelOptions()} change={(level) => ({ level })} />
        <RecordFact {...placed} label={t`Status`} value={chapter.status} options={statusOptions()} change={(status) => ({ status })}>
          <ChapterStatusBadge status={chapter.status} />
        </RecordFact>
        <RecordFact
          {...placed}
          label={t`Chartered`}
          kind="date"
          value={chapter.charteredOn ?? ''}
          change={(day) => ({ charteredOn: day || null })}
        >
          {chapter.charteredOn && <PlainDate date={chapter.charteredOn} />}
        </RecordFact>
      </FactList>
      {editor.dialog}
    </Section>
  )
}

function Place({ chapter }: { chapter: Chapter }) {
  const { move } = useApi().data.chapters
  const changed = useChaptersChanged()
  const { chapters } = useRecordSources()
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
        <ComboboxPicker label={t`New parent`} value={parent} onChange={setParent} search={chapters.search} />
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
