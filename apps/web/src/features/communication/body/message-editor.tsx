import { useMediaQuery } from '@mantine/hooks'
import { SegmentedControl } from '@mantine/core'
import type { MessageContent } from '@guildhall/contract/message-blocks'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { BlockList } from './block-list.tsx'
import type { EditorPlace } from './block-fields.tsx'
import { MergedInput } from './merged-input.tsx'
import { MessagePreview } from './message-preview.tsx'
import classes from './message-editor.module.css'

export type MessageEditorProps = {
  value: MessageContent
  onChange: (value: MessageContent) => void
  /** Where the message belongs: its pictures belong there too. */
  place: EditorPlace
  /** From the first attempt to save on: what is wrong stands at its field. */
  showFaults?: boolean
  subjectError?: string | undefined
}

/** Subject, preview text and blocks of a message, with what becomes of it beside them; on a phone, one or the other. Fetch it lazily: it is large. */
export function MessageEditor({ value, onChange, place, showFaults = false, subjectError }: MessageEditorProps) {
  const isWide = useMediaQuery('(min-width: 1024px)', true)
  const [shown, setShown] = useState('write')
  const { subject, preheader, body } = value
  const writes = isWide || shown === 'write'
  return (
    <div className={classes['editor']}>
      {!isWide && (
        <SegmentedControl
          fullWidth
          aria-label={t`Part of the message`}
          value={shown}
          onChange={setShown}
          data={[
            { value: 'write', label: t`Write` },
            { value: 'preview', label: t`Preview` },
          ]}
        />
      )}
      <div className={classes['halves']}>
        {/* It stays while the preview is shown, and with it what can be undone. */}
        <div className={classes['write']} hidden={!writes}>
          <MergedInput
            label={t`Subject`}
            value={subject}
            maxLength={200}
            error={subjectError}
            onChange={(changed) => onChange({ ...value, subject: changed })}
          />
          <MergedInput
            label={t`Preview text`}
            description={t`Stands beside the subject in lists of mails`}
            value={preheader}
            maxLength={200}
            onChange={(changed) => onChange({ ...value, preheader: changed })}
          />
          <BlockList
            label={t`the message`}
            blocks={body.blocks}
            onChange={(blocks) => onChange({ ...value, body: { blocks } })}
            place={place}
            showFaults={showFaults}
          />
          <p className={classes['note']}>
            <Trans>With the focus on the name of a block, / adds one after it, Alt with an arrow moves it, and Delete removes it.</Trans>
          </p>
        </div>
        {(isWide || shown === 'preview') && <MessagePreview content={value} />}
      </div>
    </div>
  )
}
