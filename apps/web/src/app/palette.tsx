import { Combobox, Modal, useCombobox } from '@mantine/core'
import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { useRouter } from '@tanstack/react-router'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import type { PaletteItem } from '../platform/palette.ts'
import { overlays } from './overlays.ts'
import classes from './palette.module.css'
import { usePaletteResults } from './palette-results.ts'

/** The frame stays mounted so that it can fade; its body starts afresh every time. */
export function PaletteHost() {
  const opened = overlays.use() === 'palette'
  return (
    <Modal opened={opened} onClose={overlays.close} withCloseButton={false} centered={false} yOffset="12vh" size="lg" padding={0} title={undefined} aria-label={t`Search and commands`}>
      {opened && <Palette onClose={overlays.close} />}
    </Modal>
  )
}

export function Palette({ onClose }: { onClose: () => void }) {
  const router = useRouter()
  const [query, setQuery] = useState('')
  const { groups, searching, failed } = usePaletteResults(query)
  const combobox = useCombobox({ opened: true })
  const items = groups.flatMap((group) => group.items)
  const shown = items.map(({ id }) => id).join('\n')
  const { selectFirstOption, resetSelectedOption } = combobox
  useEffect(() => {
    resetSelectedOption()
    if (shown) selectFirstOption()
  }, [shown, selectFirstOption, resetSelectedOption])

  const choose = (item: PaletteItem) => {
    onClose()
    if (item.run) item.run()
    else if (item.to) void router.navigate({ href: item.to })
  }

  return (
    <Combobox
      store={combobox}
      withinPortal={false}
      onOptionSubmit={(id) => {
        const item = items.find((known) => known.id === id)
        if (item) choose(item)
      }}
    >
      <div className={classes['field']}>
        <IconSearch size={18} stroke={1.5} aria-hidden />
        <Combobox.EventsTarget>
          <input
            autoFocus
            type="text"
            role="combobox"
            aria-label={t`Search people, chapters, groups, pages and commands`}
            className={classes['input']}
            placeholder={t`Search or type a command`}
            value={query}
            onChange={(event) => setQuery(event.currentTarget.value)}
          />
        </Combobox.EventsTarget>
      </div>
      <Combobox.Options className={classes['results']} aria-label={t`Results`}>
        {groups.map((group) => (
          <Combobox.Group key={group.label} label={group.label}>
            {group.items.map((item) => (
              <Combobox.Option key={item.id} value={item.id} className={classes['option']}>
                <span className={classes['label']}>{item.label}</span>
                {item.hint && <span className={classes['hint']}>{item.hint}</span>}
              </Combobox.Option>
            ))}
          </Combobox.Group>
        ))}
      </Combobox.Options>
      <p role="status" className={classes['status']}>
        {searching ? <Trans>Searching</Trans> : failed ? <Trans>Records could not be searched. Pages and commands still work.</Trans> : items.length === 0 && <Trans>Nothing found for "{query}"</Trans>}
      </p>
    </Combobox>
  )
}
