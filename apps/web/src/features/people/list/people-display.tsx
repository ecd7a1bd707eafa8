import { Button, Menu } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { setPreference, usePreferences } from '../../../platform/session/preferences.ts'
import classes from '../people.module.css'

type Layout = 'table' | 'cards'
type Props = {
  layout: Layout
  onLayout: (layout: Layout) => void
  figures: boolean
  onFigures: (shown: boolean) => void
  sentence: boolean
  onSentence: (shown: boolean) => void
}

/** How the list looks, in one menu: its choices are words, since no icon says "status and joins of this list". */
export function DisplayMenu({ layout, onLayout, figures, onFigures, sentence, onSentence }: Props) {
  const { density } = usePreferences()
  return (
    <Menu position="bottom-end" closeOnItemClick={false} width={248}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          size="compact-md"
          leftSection={<IconAdjustmentsHorizontal size={16} stroke={1.5} aria-hidden />}
        >
          {t`Display`}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={classes['wideOnly']}>
          <Menu.Label>{t`Layout`}</Menu.Label>
          <Menu.RadioGroup value={layout} onChange={(value) => onLayout(value === 'cards' ? 'cards' : 'table')}>
            <Menu.RadioItem value="table">{t`Table`}</Menu.RadioItem>
            <Menu.RadioItem value="cards">{t`Cards`}</Menu.RadioItem>
          </Menu.RadioGroup>
          {layout === 'table' && (
            <>
              <Menu.Label>{t`Row height`}</Menu.Label>
              <Menu.RadioGroup
                value={density}
                onChange={(value) => setPreference('density', densities.find((known) => known === value) ?? 'default')}
              >
                <Menu.RadioItem value="compact">{t`Compact`}</Menu.RadioItem>
                <Menu.RadioItem value="default">{t`Normal`}</Menu.RadioItem>
                <Menu.RadioItem value="comfortable">{t`Roomy`}</Menu.RadioItem>
              </Menu.RadioGroup>
            </>
          )}
        </div>
        <Menu.Label>{t`Above the list`}</Menu.Label>
        <Menu.CheckboxItem checked={figures} onChange={onFigures}>{t`Status and joins`}</Menu.CheckboxItem>
        <Menu.CheckboxItem checked={sentence} onChange={onSentence}>{t`This list in words`}</Menu.CheckboxItem>
      </Menu.Dropdown>
    </Menu>
  )
}

const densities = ['compact', 'default', 'comfortable'] as const
