import { SegmentedControl, useMantineColorScheme } from '@mantine/core'
import { t } from '@lingui/core/macro'
import classes from './appearance-choices.module.css'
import { activateLocale, locales, offeredLocales } from '../i18n.ts'
import type { LocaleKey } from '../i18n.ts'
import { setPreference, usePreferences } from './preferences.ts'

/** Theme, density and language at once; they need no page. */
export function AppearanceChoices() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const { density, locale } = usePreferences()
  const chooseLocale = async (key: LocaleKey) => {
    await activateLocale(key)
    setPreference('locale', key)
  }
  return (
    <div className={classes['choices']}>
      <Choice
        label={t`Theme`}
        value={colorScheme}
        options={[
          ['auto', t`System`],
          ['light', t`Light`],
          ['dark', t`Dark`],
        ]}
        onChange={setColorScheme}
      />
      <Choice
        label={t`Density`}
        value={density}
        options={[
          ['compact', t`Compact`],
          ['default', t`Normal`],
          ['comfortable', t`Roomy`],
        ]}
        onChange={(value) => setPreference('density', value)}
      />
      {offeredLocales.length > 1 && (
        <Choice
          label={t`Language`}
          value={locale}
          options={offeredLocales.map((key) => [key, locales[key].name])}
          onChange={(key) => void chooseLocale(key)}
        />
      )}
    </div>
  )
}

type ChoiceProps<Value extends string> = {
  label: string
  value: Value
  options: (readonly [Value, string])[]
  onChange: (value: Value) => void
}

function Choice<Value extends string>({ label, value, options, onChange }: ChoiceProps<Value>) {
  return (
    <div className={classes['choice']}>
      <span aria-hidden>{label}</span>
      <SegmentedControl
        aria-label={label}
        size="xs"
        fullWidth
        value={value}
        data={options.map(([key, text]) => ({ value: key, label: text }))}
        onChange={(chosen) => {
          const known = options.find(([key]) => key === chosen)
          if (known) onChange(known[0])
        }}
      />
    </div>
  )
}
