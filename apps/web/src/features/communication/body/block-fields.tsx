import { Button, Checkbox, FileButton, NativeSelect, TextInput } from '@mantine/core'
import { fileLimits } from '@guildhall/contract/features/files'
import type { PictureWidth, SimpleBlock } from '@guildhall/contract/message-blocks'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconPhoto } from '@tabler/icons-react'
import { useState } from 'react'
import { useApi } from '../../../platform/api/api.tsx'
import { problemText } from '../../../platform/api/problem-text.tsx'
import { FormattedTextField } from '../../../platform/formatted-text/formatted-text-field.tsx'
import { usePicture } from '../../../platform/records/picture.tsx'
import { useRecordSources } from '../../../platform/records/record-sources.ts'
import { Optional } from '../../../ui/form/record-form.tsx'
import { RecordPicker } from '../../../ui/form/record-picker.tsx'
import { MergedInput } from './merged-input.tsx'
import { MergeMenu } from './merge-menu.tsx'
import { faultsOf, textLimit } from './message-faults.ts'
import type { BlockFault } from './message-faults.ts'
import { faultWords } from './message-words.ts'
import classes from './message-editor.module.css'

/** Where the message belongs, and with it its pictures. */
export type EditorPlace = { chapterId: string | null; groupId: string | null }

type Props<Block> = { block: Block; onChange: (block: Block) => void; place: EditorPlace; showFaults: boolean; isNew?: boolean }
type Fault = (fault: BlockFault) => string | undefined

/** What a block says, in fields. */
export function BlockFields({ block, onChange, place, showFaults, isNew = false }: Props<SimpleBlock>) {
  const faults = showFaults ? faultsOf(block) : []
  const words = faultWords()
  const error: Fault = (fault) => (faults.includes(fault) ? words[fault] : undefined)
  switch (block.type) {
    case 'text':
      return (
        <FormattedTextField
          label={t`Text`}
          hideLabel
          compact
          mentions={false}
          autoFocus={isNew}
          limit={textLimit}
          value={block.text}
          error={error('long')}
          tools={(insert) => <MergeMenu label={t`Merge field`} onInsert={insert} />}
          onChange={(text) => onChange({ ...block, text })}
        />
      )
    case 'button':
      return (
        <div className={classes['stack']}>
          <MergedInput
            label={t`Label`}
            value={block.label}
            maxLength={80}
            error={error('label')}
            onChange={(label) => onChange({ ...block, label })}
          />
          <TextInput
            label={t`Address`}
            description={t`https://…, mailto:… or a page of this site such as /events`}
            value={block.href}
            maxLength={2000}
            error={error('link')}
            onChange={({ currentTarget }) => onChange({ ...block, href: currentTarget.value.trim() })}
          />
        </div>
      )
    case 'picture':
      return <PictureFields block={block} onChange={onChange} place={place} error={error} />
    case 'event':
      return <EventFields value={block.eventId} error={error('event')} onChange={(eventId) => onChange({ ...block, eventId })} />
    case 'divider':
      return <hr className={classes['divider']} />
  }
}

function EventFields({ value, error, onChange }: { value: string; error: string | undefined; onChange: (eventId: string) => void }) {
  const { events } = useRecordSources()
  return (
    <RecordPicker
      {...events}
      label={t`Event`}
      description={t`Shown with its name, time and place, and a button to its page`}
      value={value === '' ? null : value}
      error={error}
      onChange={(eventId) => onChange(eventId ?? '')}
    />
  )
}

type PictureBlock = SimpleBlock & { type: 'picture' }
type PictureProps = Omit<Props<PictureBlock>, 'showFaults'> & { error: Fault }

/** The picture is uploaded at once; everybody may see it once a message with it has been sent. */
function PictureFields({ block, onChange, place, error }: PictureProps) {
  const { data, actions } = useApi()
  const [sending, setSending] = useState(false)
  const [refused, setRefused] = useState<string>()
  const shown = usePicture(block.fileId === '' ? null : block.fileId, 'small')
  const send = async (file: File | null) => {
    if (!file) return
    if (file.size > fileLimits.pictureBytes) return setRefused(t`A picture has at most 20 MB.`)
    setSending(true)
    setRefused(undefined)
    try {
      const { id: recordId } = await data.communication.messagePictures.add.call(place)
      const { pictureId } = await actions.files.setPicture.call({ recordType: 'message_picture', recordId, file })
      // Words for another picture do not fit this one.
      onChange({ ...block, fileId: pictureId, alt: '' })
    } catch (problem) {
      setRefused(problemText(problem))
    } finally {
      setSending(false)
    }
  }
  const widths: { value: PictureWidth; label: string }[] = [
    { value: 'full', label: t`Full width` },
    { value: 'half', label: t`Half` },
    { value: 'third', label: t`A third` },
  ]
  const isWidth = (value: string): value is PictureWidth => widths.some((width) => width.value === value)
  const why = refused ?? error('picture')
  return (
    <div className={classes['stack']}>
      <div className={classes['row']}>
        {shown && <img src={shown} alt={block.alt || t`The chosen picture`} className={classes['picture']} />}
        <FileButton
          accept="image/jpeg,image/png,image/webp,image/gif,image/avif"
          onChange={(file) => void send(file)}
          inputProps={{ 'aria-label': t`Picture file` }}
        >
          {(props) => (
            <Button {...props} variant="default" loading={sending} leftSection={<IconPhoto size={16} stroke={1.5} aria-hidden />}>
              {block.fileId === '' ? <Trans>Choose a picture</Trans> : <Trans>Choose another picture</Trans>}
            </Button>
          )}
        </FileButton>
      </div>
      {why !== undefined && (
        <p role="alert" className={classes['refused']}>
          {why}
        </p>
      )}
      <MergedInput
        label={t`Alternative text`}
        description={t`What the picture shows, for people who cannot see it`}
        value={block.alt}
        maxLength={300}
        error={error('alt')}
        onChange={(alt) => onChange({ ...block, alt })}
      />
      <Checkbox
        label={t`Decorative: it shows nothing that people who cannot see it would miss`}
        checked={block.decorative}
        onChange={({ currentTarget }) => onChange({ ...block, decorative: currentTarget.checked })}
      />
      <div className={classes['pair']}>
        <TextInput
          label={<Optional>{t`Address that it leads to`}</Optional>}
          value={block.href ?? ''}
          maxLength={2000}
          error={error('link')}
          onChange={({ currentTarget }) => onChange({ ...block, href: currentTarget.value.trim() || null })}
        />
        <NativeSelect
          label={t`Width`}
          data={widths}
          value={block.width}
          onChange={({ currentTarget }) => isWidth(currentTarget.value) && onChange({ ...block, width: currentTarget.value })}
        />
      </div>
    </div>
  )
}
