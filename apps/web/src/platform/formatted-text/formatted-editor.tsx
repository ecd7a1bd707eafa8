import { RichTextEditor } from '@mantine/tiptap'
import '@mantine/tiptap/styles.css'
import { t } from '@lingui/core/macro'
import { textLength } from '@guildhall/contract/formatted-document'
import type { FormattedDocument } from '@guildhall/contract/formatted-document'
import { EditorContent, useEditor } from '@tiptap/react'
import { useEffect, useId, useMemo, useRef, useState } from 'react'
import { useFormats } from '../../ui/display/dates.tsx'
import { fromEditor, toEditor } from './editor-document.ts'
import { extensions } from './editor-extensions.ts'
import { LinkControl } from './editor-link.tsx'
import { MentionList, useMentions } from './editor-mentions.tsx'
import classes from './formatted-text.module.css'

export type FormattedEditorProps = {
  value?: FormattedDocument
  onChange?: (document: FormattedDocument) => void
  onBlur?: () => void
  placeholder?: string
  limit?: number
  autoFocus?: boolean
  className: string
  height: string
  labelledBy: string
  describedBy: string
  invalid: boolean
}

/** The editor itself, with all it needs: fetched when a field is shown. */
export function FormattedEditor({
  value,
  onChange,
  onBlur,
  placeholder,
  limit = 50_000,
  autoFocus = false,
  className,
  height,
  labelledBy,
  describedBy,
  invalid,
}: FormattedEditorProps) {
  const { number } = useFormats()
  const list = useId()
  const mentions = useMentions(list)
  const { suggestion } = mentions
  const written = useRef(value)
  // Its options are compared each time; what it begins with is the same document throughout.
  const [begun] = useState(() => toEditor(value))
  const parts = useMemo(() => extensions(suggestion, t`@someone`, classes['mention'] ?? ''), [suggestion])
  const { open, active } = mentions
  const editorProps = useMemo(
    () => ({
      // Sends the form, which listens for it, in place of a line break.
      handleKeyDown: (_view: unknown, event: KeyboardEvent) => event.key === 'Enter' && (event.ctrlKey || event.metaKey),
      attributes: {
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-labelledby': labelledBy,
        ...(describedBy && { 'aria-describedby': describedBy }),
        ...(invalid && { 'aria-invalid': 'true' }),
        // Escape closes the list of people, not the dialog around.
        ...(open && { 'data-mantine-stop-propagation': 'true', 'aria-controls': list, ...(active && { 'aria-activedescendant': active }) }),
      },
    }),
    [labelledBy, describedBy, invalid, open, active, list],
  )
  const editor = useEditor({
    extensions: parts,
    content: begun,
    autofocus: autoFocus ? 'end' : false,
    injectCSS: false,
    shouldRerenderOnTransaction: true,
    editorProps,
    onUpdate: ({ editor: now }) => {
      written.current = fromEditor(now.getJSON())
      onChange?.(written.current)
    },
    onBlur: () => onBlur?.(),
  })
  const document = written.current

  // A form that begins anew, or gives back what was typed before.
  useEffect(() => {
    if (value === written.current) return
    written.current = value
    editor.commands.setContent(toEditor(value), { emitUpdate: false })
  }, [editor, value])

  const length = document ? textLength(document) : 0
  return (
    <>
      <RichTextEditor
        editor={editor}
        className={className}
        data-invalid={invalid || undefined}
        withCodeHighlightStyles={false}
        withTypographyStyles={false}
        labels={labels()}
        style={{ '--editor-height': height }}
      >
        <RichTextEditor.Toolbar className={classes['toolbar'] ?? ''} role="toolbar" aria-label={t`Formatting`}>
          <RichTextEditor.Bold />
          <RichTextEditor.Italic />
          <RichTextEditor.Strikethrough />
          <RichTextEditor.Code />
          <LinkControl editor={editor} />
          <RichTextEditor.H2 />
          <RichTextEditor.H3 />
          <RichTextEditor.H4 />
          <RichTextEditor.BulletList />
          <RichTextEditor.OrderedList />
          <RichTextEditor.Blockquote />
          <RichTextEditor.Hr />
          <RichTextEditor.Undo />
          <RichTextEditor.Redo />
        </RichTextEditor.Toolbar>
        <div className={classes['field']}>
          {placeholder && editor.isEmpty && (
            <div className={classes['placeholder']} aria-hidden>
              {placeholder}
            </div>
          )}
          <EditorContent editor={editor} className={classes['text'] ?? ''} />
        </div>
      </RichTextEditor>
      <MentionList {...mentions} id={list} />
      {length > limit * 0.8 && (
        <div className={`${classes['hint']} ${classes['count']}`} role="status">
          {t`${number(length)} of ${number(limit)} characters`}
        </div>
      )}
    </>
  )
}

const labels = () => ({
  boldControlLabel: t`Bold`,
  italicControlLabel: t`Italic`,
  strikeControlLabel: t`Strikethrough`,
  codeControlLabel: t`Code`,
  h2ControlLabel: t`Large heading`,
  h3ControlLabel: t`Medium heading`,
  h4ControlLabel: t`Small heading`,
  bulletListControlLabel: t`Bulleted list`,
  orderedListControlLabel: t`Numbered list`,
  blockquoteControlLabel: t`Quote`,
  hrControlLabel: t`Divider`,
  undoControlLabel: t`Undo`,
  redoControlLabel: t`Redo`,
})
