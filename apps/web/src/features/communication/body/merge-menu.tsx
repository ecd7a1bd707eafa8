import { Button, Menu, TextInput } from '@mantine/core'
import { mergeFieldNames, mergeFields, mergeText } from '@guildhall/contract/merge-fields'
import type { MergeField } from '@guildhall/contract/merge-fields'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconBraces } from '@tabler/icons-react'
import { useState } from 'react'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { fieldWords } from './message-words.ts'
import classes from './message-editor.module.css'

type Props = { label: string; onInsert: (words: string) => void }

/** Puts a merge field where the cursor is; one that some people lack asks what stands there instead. */
export function MergeMenu({ label, onInsert }: Props) {
  const [asked, setAsked] = useState<MergeField | null>(null)
  const [fallback, setFallback] = useState('')
  const words = fieldWords()
  const insert = (name: MergeField, instead = '') => {
    setAsked(null)
    setFallback('')
    onInsert(mergeText(name, instead))
  }
  return (
    <>
      <Menu position="bottom-start" returnFocus>
        <Menu.Target>
          <button type="button" className={classes['tool']} aria-label={label} title={label}>
            <IconBraces size={16} aria-hidden />
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          {mergeFieldNames.map((name) => (
            <Menu.Item key={name} onClick={() => (mergeFields[name].sometimes ? setAsked(name) : insert(name))}>
              {words[name]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Dialog opened={asked !== null} onClose={() => setAsked(null)} title={asked === null ? '' : words[asked]}>
        {asked !== null && (
          <form
            className={classes['stack']}
            onSubmit={(event) => {
              event.preventDefault()
              // The form of the page around is not meant.
              event.stopPropagation()
              insert(asked, fallback)
            }}
          >
            <TextInput
              label={t`What stands there for people without one`}
              description={t`For example “friend”. Leave it empty and nothing stands there.`}
              value={fallback}
              maxLength={100}
              data-autofocus
              onChange={({ currentTarget }) => setFallback(currentTarget.value)}
            />
            <div className={classes['row']}>
              <Button type="submit">
                <Trans>Insert</Trans>
              </Button>
              <Button variant="default" onClick={() => setAsked(null)}>
                <Trans>Cancel</Trans>
              </Button>
            </div>
          </form>
        )}
      </Dialog>
    </>
  )
}
