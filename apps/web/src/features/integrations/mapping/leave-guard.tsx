import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useBlocker } from '@tanstack/react-router'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'

/** Asks before unsaved changes are lost: on another tab, another page, or in closing the window. */
export function LeaveGuard({ dirty, name }: { dirty: boolean; name: string }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => dirty && (current.pathname !== next.pathname || tabOf(next.search) !== tabOf(current.search)),
    enableBeforeUnload: () => dirty,
    withResolver: true,
  })
  return (
    <ConfirmDialog
      opened={blocker.status === 'blocked'}
      onClose={() => blocker.reset?.()}
      title={t`Leave without saving?`}
      confirmLabel={<Trans>Leave</Trans>}
      danger
      onConfirm={async () => {
        blocker.proceed?.()
        await Promise.resolve()
      }}
    >
      <p>
        <Trans>The mapping of {name} has changes that are not saved.</Trans>
      </p>
    </ConfirmDialog>
  )
}

const tabOf = (search: object): unknown => Reflect.get(search, 'tab')
