import { t } from '@lingui/core/macro'
import { lazy } from 'react'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import type { NewPersonFormProps } from './new-person-form.tsx'

const NewPersonForm = lazy(async () => ({ default: (await import('./new-person-form.tsx')).NewPersonForm }))

/** The frame stays mounted so that it can fade; the form's code comes when it is first opened. */
export const NewPersonDialog = ({ opened, ...form }: NewPersonFormProps & { opened: boolean }) => (
  <Dialog opened={opened} onClose={form.onClose} title={t`New member`} size="lg">
    {opened && <NewPersonForm {...form} />}
  </Dialog>
)
