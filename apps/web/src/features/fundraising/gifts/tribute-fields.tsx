import { NativeSelect, TextInput } from '@mantine/core'
import { t } from '@lingui/core/macro'
import type { ComponentProps } from 'react'
import { TributeKind } from '@guildhall/contract/features/fundraising.gifts'
import { Optional } from '../../../ui/form/record-form.tsx'
import { tributeWords } from '../giving-words.tsx'
import classes from '../giving.module.css'

export type TributeValues = { tributeKind: TributeKind | ''; tributeName: string }

export const tributeOf = ({ tributeKind: kind, tributeName }: TributeValues) => (kind === '' ? null : { kind, name: tributeName.trim() })

export const tributeFault = ({ tributeKind, tributeName }: TributeValues) =>
  tributeKind !== '' && tributeName.trim() === '' ? t`Enter a name.` : null

type Props = { kind: TributeKind | ''; onKind: (kind: TributeKind | '') => void; name: ComponentProps<typeof TextInput> }

/** In whose honour or memory a gift is given. */
export function TributeFields({ kind, onKind, name }: Props) {
  const words = tributeWords()
  return (
    <div className={classes['pair']}>
      <NativeSelect
        label={<Optional>{t`Tribute`}</Optional>}
        data={[{ value: '', label: t`None` }, ...TributeKind.options.map((value) => ({ value, label: words[value] }))]}
        value={kind}
        onChange={(event) => onKind(TributeKind.options.find((known) => known === event.currentTarget.value) ?? '')}
      />
      {kind !== '' && <TextInput label={t`Name`} maxLength={150} {...name} />}
    </div>
  )
}
