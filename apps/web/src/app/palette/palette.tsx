import { Modal } from '@mantine/core'
import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { useRouter } from '@tanstack/react-router'
import { IconSearch } from '@tabler/icons-react'
import { useDeferredValue, useEffect, useId, useState } from 'react'
import type { KeyboardEvent } from 'react'
import type { PaletteItem } from '../../platform/navigation/palette.ts'
import { overlays } from '../shell/overlays.ts'
import { PersonAvatar } from '../../platform/records/picture.tsx'
import classes from './palette.module.css'
import { usePaletteResults } from './palette-results.ts'
import { takeTyped } from './typed-ahead.ts'

/** The frame stays mounted so that it can fade; its body starts afresh every time. */
export function PaletteHost() {
  const opened = overlays.use() === 'palette'
  return (
    <Modal.Root opened={opened} onClose={overlays.close} centered={false} yOffset="12vh" size="lg" padding={0}>
      <Modal.Overlay />
      <Modal.Content aria-label={t`Search and commands`}>
        <Modal.Body>{opened && <Palette onClose={overlays.close} />}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

/** A text field that owns a list: the choice moves with the arrows while the focus stays where one types. */
export function Palette({ onClose }: { onClose: () => void }) {
  const router = useRouter()
  const prefix = useId()
  const [query, setQuery] = useState('')
  const { groups: found, searching, failed } = usePaletteResults(query)
  // The field first, so that it opens at once.
  const opened = useDeferredValue(true, false)
  const groups = opened ? found : []
  const items = groups.flatMap((group) => group.items)
  const [chosenId, setChosenId] = useState<string | undefined>()
  // Whatever was chosen may be gone from the newer results; then the first one stands ready for Enter.
  const at = Math.max(
    0,
    items.findIndex(({ id }) => id === chosenId),
  )
  const idOf = (item: PaletteItem) => `${prefix}${item.id}`
  const current = items[at]
  const currentId = current && idOf(current)
  useEffect(() => {
    if (currentId) document.getElementById(currentId)?.scrollIntoView({ block: 'nearest' })
  }, [currentId])

  const choose = (item: PaletteItem) => {
    onClose()
    if (item.run) item.run()
    else if (item.to) void router.navigate({ href: item.to })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step) setChosenId(items[(at + step + items.length) % items.length]?.id)
    else if (event.key === 'Enter' && current) choose(current)
    else return
    event.preventDefault()
  }

  return (
    <>
      <div className={classes['field']}>
        <IconSearch size={18} stroke={1.5} aria-hidden />
        <input
          autoFocus
          data-autofocus
          type="text"
          role="combobox"
          aria-label={t`Search people, chapters, groups, pages and commands`}
          aria-expanded={items.length > 0}
          aria-controls={`${prefix}list`}
          aria-activedescendant={currentId}
          aria-autocomplete="list"
          autoComplete="off"
          className={classes['input']}
          placeholder={t`Search or type a command`}
          value={query}
          onFocus={() => {
            const typed = takeTyped()
            if (typed) setQuery((before) => before + typed)
          }}
          onChange={(event) => {
            setQuery(event.currentTarget.value)
            setChosenId(undefined)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div id={`${prefix}list`} role="listbox" aria-label={t`Results`} className={classes['results']}>
        {groups.map((group) => (
          <div key={group.label} role="group" aria-label={group.label}>
            <div className={classes['group']} aria-hidden>
              {group.label}
            </div>
            {group.items.map((item) => (
              // Its keys are those of the text field, which keeps the focus.
              <div
                key={item.id}
                id={idOf(item)}
                role="option"
                aria-selected={item === current}
                className={classes['option']}
                onPointerMove={() => setChosenId(item.id)}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => choose(item)}
              >
                {item.pictureId !== undefined && <PersonAvatar person={{ displayName: item.label, pictureId: item.pictureId }} size={24} />}
                <span className={classes['label']}>{item.label}</span>
                {item.hint && <span className={classes['hint']}>{item.hint}</span>}
              </div>
            ))}
          </div>
        ))}
      </div>
      <p role="status" className={classes['status']}>
        {searching ? (
          <Trans>Searching</Trans>
        ) : failed ? (
          <Trans>Records could not be searched. Pages and commands still work.</Trans>
        ) : (
          opened && items.length === 0 && <Trans>Nothing found for "{query}"</Trans>
        )}
      </p>
    </>
  )
}
