import { Switch } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { setPreference, usePreferences } from '../../platform/session/preferences.ts'
import { useRegisteredShortcuts } from '../../platform/navigation/shortcuts.ts'
import type { Shortcut } from '../../platform/navigation/shortcuts.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Kbd } from '../../ui/display/kbd.tsx'
import { overlays } from '../shell/overlays.ts'
import classes from './shortcut-help.module.css'

export function ShortcutHelp() {
  const opened = overlays.use() === 'shortcuts'
  return (
    <Dialog opened={opened} onClose={overlays.close} title={t`Keyboard shortcuts`} size="lg">
      {opened && <Keys />}
    </Dialog>
  )
}

/** Also part of the menu page. */
export function Keys() {
  const { shortcuts } = usePreferences()
  const groups = Map.groupBy([...inLists(), ...useRegisteredShortcuts()], ({ group = t`This page` }: Listed) => group)
  return (
    <div className={classes['keys']}>
      <Switch
        checked={shortcuts}
        onChange={(event) => setPreference('shortcuts', event.currentTarget.checked)}
        label={t`Single letters act as commands`}
      />
      {[...groups].map(([name, list]) => (
        <section key={name}>
          <h3 className={classes['group']}>{name}</h3>
          <dl className={classes['list']}>
            {list.map(({ keys, label }) => (
              <div key={keys + label} className={classes['row']}>
                <dt>{label}</dt>
                <dd>
                  <Kbd keys={keys} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  )
}

type Listed = Pick<Shortcut, 'keys' | 'label' | 'group'>

/** What the shared list, panel and form components understand; they register nothing of their own. */
function inLists(): Listed[] {
  const group = t`Lists and records`
  return [
    { keys: 'j', label: t`Next row`, group },
    { keys: 'k', label: t`Previous row`, group },
    { keys: 'x', label: t`Select row`, group },
    { keys: 'shift+x', label: t`Select up to this row`, group },
    { keys: 'enter', label: t`Open`, group },
    { keys: 'space', label: t`Look at it in the panel`, group },
    { keys: 'escape', label: t`Close`, group },
    { keys: 'mod+enter', label: t`Save a form`, group },
  ]
}
