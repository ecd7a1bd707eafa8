import { TextInput } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { IconUserCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useDonorBox } from './donor-box.tsx'
import type { DonorValue } from './donor-box.tsx'

type Props = { label: ReactNode; value: DonorValue; onChange: (value: DonorValue) => void; error?: ReactNode; focused?: boolean }

/** The donor in a form. */
export function DonorField({ label, value, onChange, error, focused = false }: Props) {
  const { input, popup } = useDonorBox({ value, onChange })
  return (
    <div>
      <TextInput
        {...input}
        label={label}
        error={error}
        maxLength={150}
        placeholder={t`Name of a person or an organisation`}
        data-autofocus={focused || undefined}
        rightSection={value.personId && <IconUserCheck size={16} stroke={1.5} role="img" aria-label={t`In the directory`} />}
      />
      {popup}
    </div>
  )
}
