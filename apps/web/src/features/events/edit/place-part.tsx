import { SegmentedControl, Textarea, TextInput } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Optional } from '../../../ui/form/record-form.tsx'
import { chosenOf, modeWords, optionsOf } from '../events-words.tsx'
import { usePart } from './form-context.ts'

/** Where people meet. */
export function PlacePart() {
  const { values, set, errorOf, text } = usePart('mode', 'venueName', 'venueAddress', 'linkUrl', 'linkNote')
  return (
    <>
      <SegmentedControl
        aria-label={t`Place or online`}
        data={optionsOf(modeWords())}
        value={values.mode}
        onChange={(mode) => set({ mode: chosenOf(modeWords(), mode) ?? values.mode })}
      />
      {values.mode !== 'online' && (
        <>
          <TextInput label={t`Place`} placeholder={t`Town hall, room 2`} maxLength={150} {...text('venueName')} />
          <Textarea label={<Optional>{t`Address`}</Optional>} autosize minRows={2} maxLength={500} {...text('venueAddress')} />
        </>
      )}
      {values.mode !== 'in_person' && (
        <>
          <TextInput
            type="url"
            label={t`Link`}
            description={t`Only registered people and organisers see it.`}
            placeholder={t`https://meet.example.org`}
            maxLength={1000}
            {...text('linkUrl', 'link.url')}
            error={errorOf('link.url') ?? errorOf('link')}
          />
          <TextInput
            label={<Optional>{t`How to join`}</Optional>}
            placeholder={t`Dial-in number, password`}
            maxLength={500}
            {...text('linkNote', 'link.note')}
          />
        </>
      )}
    </>
  )
}
