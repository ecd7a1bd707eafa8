import { t } from '@lingui/core/macro'
import { Suspense, lazy } from 'react'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import type { NewPersonFormProps } from './new-person-form.tsx'

const NewPersonForm = lazy(async () => ({ default: (await import('./new-person-form.tsx')).NewPersonForm }))

/** The frame stays mounted so that it can fade; the form's code comes when it is first opened. */
export const NewPersonDialog = ({ opened, ...form }: NewPersonFormProps & { opened: boolean }) => (
  <Dialog opened={opened} onClose={form.onClose} title={t`New member`} size="lg">
    {opened && (
      <Suspense
        fallback={
          <Loading label={t`Loading`}>
            <SkeletonLines count={8} />
          </Loading>
        }
      >
        <NewPersonForm {...form} />
      </Suspense>
    )}
  </Dialog>
)
