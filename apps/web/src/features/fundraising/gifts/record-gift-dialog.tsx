import { t } from '@lingui/core/macro'
import { lazy } from 'react'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import type { RecordGiftFormProps } from './record-gift-form.tsx'

const RecordGiftForm = lazy(async () => ({ default: (await import('./record-gift-form.tsx')).RecordGiftForm }))

/** A gift that came by bank, in cash or as a cheque, written down from wherever the reader is. */
export const RecordGiftDialog = ({ opened, ...form }: RecordGiftFormProps & { opened: boolean }) => (
  <Dialog opened={opened} onClose={form.onClose} title={t`Record gift`}>
    {opened && <RecordGiftForm {...form} />}
  </Dialog>
)
