import { t } from '@lingui/core/macro'
import { textLength } from '@guildhall/contract/formatted-document'
import type { FormattedDocument } from '@guildhall/contract/formatted-document'
import { EditorContent, useEditor } from '@tiptap/react'
import { useEffect, useId, useMemo, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { useFormats } from '../../ui/display/dates.tsx'
import { fromEditor, toEditor } from './editor-document.ts'
import { extensions } from './editor-extensions.ts'
import { MentionList, useMentions } from './editor-mentions.tsx'
import { EditorToolbar } from './editor-toolbar.tsx'
import classes from './formatted-text.module.css'

export type FormattedEditorProps = {
  value?: FormattedDocument
  onChange?: (document: FormattedDocument) => void
  onBlur?: () => void
  placeholder?: string
  limit?: number
  autoFocus?: boolean
  /** People can be mentioned with @. */
  mentions?: boolean
  /** Further buttons of the toolbar, which put words where the cursor is. */
  tools?: ((insert: (words: string) => void) => ReactNode) | undefined
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
  mentions: mayMention = true,
  tools,
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
  // What went out comes back as the field's value, at times after more was typed: then it must not replace what is there now.
  const [sent] = useState(() => new WeakSet<FormattedDocument>())
  // Its options are compared each time; what it begins with is the same document throughout.
  const [begun] = useState(() => toEditor(value))
  const parts = useMemo(() => extensions(mayMention ? suggestion : null, t`@someone`, classes['mention'] ?? ''), [mayMention, suggestion])
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
      sent.add(written.current)
      onChange?.(written.current)
    },
    onBlur: () => onBlur?.(),
  })
  const document = written.current

  // A form that begins anew, or gives back what was typed before.
  useEffect(() => {
    if (value === written.current || (value && sent.has(value)) || JSON.stringify(value) === JSON.stringify(written.current)) return
    written.current = value
    editor.commands.setContent(toEditor(value), { emitUpdate: false })
  }, [editor, sent, value])

  const length = document ? textLength(document) : 0
  return (
    <>
      <div className={className} data-invalid={invalid || undefined} style={{ '--editor-height': height }}>
        <EditorToolbar editor={editor}>
          {tools?.((words) => editor.chain().focus().insertContent({ type: 'text', text: words }).run())}
        </EditorToolbar>
        <div className={classes['field']}>
          {placeholder && editor.isEmpty && (
            <div className={classes['placeholder']} aria-hidden>
              {placeholder}
            </div>
          )}
          <EditorContent editor={editor} className={classes['text'] ?? ''} />
        </div>
      </div>
      {mayMention && <MentionList {...mentions} id={list} />}
      {length > limit * 0.8 && (
        <div className={`${classes['hint']} ${classes['count']}`} role="status">
          {t`${number(length)} of ${number(limit)} characters`}
        </div>
      )}
    </>
  )
}
