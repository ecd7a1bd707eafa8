import { Anchor, Button } from '@mantine/core'
import { publicChapterPath } from '@guildhall/contract/public-paths'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { useApi } from '../../platform/api/api.tsx'
import { toast } from '../../platform/activity/toast.tsx'
import { RecordFact } from '../../platform/records/record-fact.tsx'
import { FactList } from '../../ui/form/fact-list.tsx'
import { Section } from '../../ui/page/page.tsx'
import { useChapterEditor } from './chapters-api.ts'
import type { Chapter } from './chapters-api.ts'
import classes from './chapters.module.css'

/** What everybody sees of the chapter without signing in: whether that is published, and how it looks. */
export function ChapterPublicPage({ chapter }: { chapter: Chapter }) {
  const editor = useChapterEditor(chapter)
  const { previewPage } = useApi().data.chapters
  const [busy, setBusy] = useState(false)
  const states = [
    { value: 'no', label: t`Not published` },
    { value: 'yes', label: t`Published` },
  ]
  const preview = async () => {
    setBusy(true)
    try {
      const { path } = await previewPage.call({ chapterId: chapter.id })
      window.open(path, '_blank', 'noopener')
    } catch (failure) {
      toast.error(t`The preview could not be opened.`, failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Section title={t`Public page`}>
      <FactList>
        <RecordFact
          editor={editor}
          may={chapter.may.edit && chapter.status !== 'closed'}
          label={t`Public page`}
          value={chapter.publicPage ? 'yes' : 'no'}
          options={states}
          change={(published) => ({ publicPage: published === 'yes' })}
          hint={t`Name, about, city, contact, offices and sub-chapters, for anyone without signing in. Officers are named only if they agreed to it in their profile.`}
        />
      </FactList>
      {chapter.publicPage && !chapter.publicPageOpen && (
        <p className={classes['none']}>
          <Trans>Nobody can open the page yet: the chapter is not active, or the organisation does not show its chapters.</Trans>
        </p>
      )}
      <div className={classes['row']}>
        <Button variant="default" loading={busy} onClick={() => void preview()}>
          <Trans>Preview page</Trans>
        </Button>
        {chapter.publicPageOpen && (
          <Anchor href={publicChapterPath(chapter.code)} target="_blank" rel="noopener" underline="always">
            <Trans>Open public page</Trans>
          </Anchor>
        )}
      </div>
      {editor.dialog}
    </Section>
  )
}
