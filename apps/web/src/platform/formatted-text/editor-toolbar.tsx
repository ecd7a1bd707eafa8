import { t } from '@lingui/core/macro'
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconBlockquote,
  IconBold,
  IconCode,
  IconH2,
  IconH3,
  IconH4,
  IconItalic,
  IconList,
  IconListNumbers,
  IconSeparatorHorizontal,
  IconStrikethrough,
} from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'
import type { ChainedCommands, Editor } from '@tiptap/react'
import type { ReactNode } from 'react'
import { LinkControl } from './editor-link.tsx'
import classes from './formatted-text.module.css'

type Tool = { label: string; icon: Icon; run: (chain: ChainedCommands) => ChainedCommands; active?: boolean; enabled?: boolean }

/** Each button is on while its format is that of the cursor. */
export function EditorToolbar({ editor, children }: { editor: Editor; children?: ReactNode }) {
  const heading = (level: 2 | 3 | 4) => ({
    active: editor.isActive('heading', { level }),
    run: (chain: ChainedCommands) => chain.toggleHeading({ level }),
  })
  const inLine: Tool[] = [
    { label: t`Bold`, icon: IconBold, run: (chain) => chain.toggleBold(), active: editor.isActive('bold') },
    { label: t`Italic`, icon: IconItalic, run: (chain) => chain.toggleItalic(), active: editor.isActive('italic') },
    { label: t`Strikethrough`, icon: IconStrikethrough, run: (chain) => chain.toggleStrike(), active: editor.isActive('strike') },
    { label: t`Code`, icon: IconCode, run: (chain) => chain.toggleCode(), active: editor.isActive('code') },
  ]
  const blocks: Tool[] = [
    { label: t`Large heading`, icon: IconH2, ...heading(2) },
    { label: t`Medium heading`, icon: IconH3, ...heading(3) },
    { label: t`Small heading`, icon: IconH4, ...heading(4) },
    { label: t`Bulleted list`, icon: IconList, run: (chain) => chain.toggleBulletList(), active: editor.isActive('bulletList') },
    { label: t`Numbered list`, icon: IconListNumbers, run: (chain) => chain.toggleOrderedList(), active: editor.isActive('orderedList') },
    { label: t`Quote`, icon: IconBlockquote, run: (chain) => chain.toggleBlockquote(), active: editor.isActive('blockquote') },
    { label: t`Divider`, icon: IconSeparatorHorizontal, run: (chain) => chain.setHorizontalRule() },
    { label: t`Undo`, icon: IconArrowBackUp, run: (chain) => chain.undo(), enabled: editor.can().undo() },
    { label: t`Redo`, icon: IconArrowForwardUp, run: (chain) => chain.redo(), enabled: editor.can().redo() },
  ]
  const button = ({ label, icon: Sign, run, active, enabled = true }: Tool) => (
    <button
      key={label}
      type="button"
      aria-label={label}
      title={label}
      aria-pressed={active}
      disabled={!enabled}
      // The cursor stays in the text, and with it what is typed next.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => run(editor.chain().focus()).run()}
    >
      <Sign size={16} aria-hidden />
    </button>
  )
  return (
    <div className={classes['toolbar']} role="toolbar" aria-label={t`Formatting`}>
      {inLine.map(button)}
      <LinkControl editor={editor} />
      {blocks.map(button)}
      {children}
    </div>
  )
}
