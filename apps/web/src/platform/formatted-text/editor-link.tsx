import { Button, Popover, TextInput } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { safeLink } from '@guildhall/contract/formatted-document'
import { IconLink } from '@tabler/icons-react'
import type { Editor } from '@tiptap/react'
import { useState } from 'react'
import { mailLink } from '../../ui/display/contact-links.ts'
import classes from './formatted-text.module.css'

/** What was typed as an address: a bare one is a page or a mail. */
function linkOf(typed: string): string | undefined {
  const text = typed.trim()
  if (/^[^\s@/:]+@[^\s@/]+$/.test(text)) return safeLink(mailLink(text))
  return safeLink(text) ?? (text.includes(':') || !text.includes('.') ? undefined : safeLink(`https://${text}`))
}

/** Sets, changes and removes the link at the cursor; without a selection its address is written down. */
export function LinkControl({ editor }: { editor: Editor }) {
  const [address, setAddress] = useState<string>()
  const [wrong, setWrong] = useState(false)
  const isLink = editor.isActive('link')
  const close = () => {
    setAddress(undefined)
    setWrong(false)
    editor.commands.focus()
  }
  const open = () => {
    const href: unknown = editor.getAttributes('link')['href']
    setAddress(typeof href === 'string' ? href : '')
  }
  const save = () => {
    if (address === undefined) return
    const href = linkOf(address)
    if (address.trim() !== '' && href === undefined) return setWrong(true)
    const chain = editor.chain().focus().extendMarkRange('link')
    if (href === undefined) chain.unsetLink().run()
    else if (editor.state.selection.empty && !isLink)
      editor.commands.insertContent({ type: 'text', text: address.trim(), marks: [{ type: 'link', attrs: { href } }] })
    else chain.setLink({ href }).run()
    close()
  }
  return (
    <Popover opened={address !== undefined} onChange={(opened) => !opened && close()} trapFocus withinPortal width={300} position="bottom">
      <Popover.Target>
        <button type="button" aria-label={t`Link`} title={t`Link`} aria-pressed={isLink} onClick={open}>
          <IconLink size={16} aria-hidden />
        </button>
      </Popover.Target>
      <Popover.Dropdown>
        <div className={classes['link']}>
          <TextInput
            aria-label={t`Address`}
            placeholder={t`https://example.org`}
            inputMode="url"
            data-autofocus
            value={address ?? ''}
            error={wrong && t`Enter a web or e-mail address.`}
            onChange={(event) => {
              setAddress(event.currentTarget.value)
              setWrong(false)
            }}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return
              event.preventDefault()
              event.stopPropagation()
              save()
            }}
          />
          <Button type="button" onClick={save}>
            <Trans>Save</Trans>
          </Button>
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}
