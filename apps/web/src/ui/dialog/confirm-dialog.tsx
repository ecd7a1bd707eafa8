import { Button, Group, TextInput } from '@mantine/core'
import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { useState } from 'react'
import type { ReactNode } from 'react'
import classes from './confirm-dialog.module.css'
import { Dialog } from './dialog.tsx'
import { Remedy } from './remedy.tsx'

export type ConfirmDialogProps = {
  opened: boolean
  onClose: () => void
  title: ReactNode
  /** The count and the consequence. */
  children: ReactNode
  /** The verb: "Merge 2 people". */
  confirmLabel: ReactNode
  /** What has to be typed first, for what cannot be taken back at all. */
  typeToConfirm?: string
  danger?: boolean
  /** Rejections are shown inside and leave the dialog open. */
  onConfirm: () => Promise<unknown>
}

/** Only for what is irreversible or goes out to people. Anything else gets an Undo instead. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { opened, onClose, title } = props
  return (
    <Dialog opened={opened} onClose={onClose} title={title}>
      {opened && <Body {...props} />}
    </Dialog>
  )
}

function Body({ children, confirmLabel, typeToConfirm, danger = false, onConfirm, onClose }: ConfirmDialogProps) {
  const [typed, setTyped] = useState('')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Error | undefined>()
  const ready = !typeToConfirm || typed.trim() === typeToConfirm
  const confirm = async () => {
    setBusy(true)
    setFailure(undefined)
    try {
      await onConfirm()
      onClose()
    } catch (thrown) {
      setFailure(thrown instanceof Error ? thrown : new Error(String(thrown)))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form
      className={classes['body']}
      onSubmit={(event) => {
        event.preventDefault()
        if (ready) void confirm()
      }}
    >
      <div>{children}</div>
      {typeToConfirm && (
        <TextInput
          autoFocus
          data-autofocus
          label={t`Type "${typeToConfirm}" to confirm`}
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      {failure && (
        <div role="alert" className={classes['failure']}>
          {failure.message}
          <Remedy after={failure} onDone={() => void confirm()} />
        </div>
      )}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose}>
          <Trans>Cancel</Trans>
        </Button>
        <Button type="submit" color={danger ? 'red' : 'brand'} loading={busy} disabled={!ready}>
          {confirmLabel}
        </Button>
      </Group>
    </form>
  )
}
