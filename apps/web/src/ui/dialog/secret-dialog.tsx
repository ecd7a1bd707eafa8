import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { CopyField } from '../form/copy-field.tsx'
import { Dialog } from './dialog.tsx'
import classes from './secret-dialog.module.css'

export type SecretDialogProps = {
  /** Open for as long as there is one. */
  secret: string | undefined
  onClose: () => void
  title: string
  label: string
  copyLabel: string
  /** "I have copied the key" */
  doneLabel: ReactNode
  /** What it is for, and that it is not shown again. */
  about: ReactNode
  /** How it is used. */
  children?: ReactNode
  /** Beside the button that closes it. */
  acts?: ReactNode
}

/** A secret that is shown once. Closed by its button only: what it shows is gone then. */
export const SecretDialog = ({ secret, onClose, title, label, copyLabel, doneLabel, about, children, acts }: SecretDialogProps) => (
  <Dialog
    opened={secret !== undefined}
    onClose={onClose}
    title={title}
    size="lg"
    withCloseButton={false}
    closeOnClickOutside={false}
    closeOnEscape={false}
  >
    {secret !== undefined && (
      <div className={classes['body']}>
        <div className={classes['about']}>{about}</div>
        <CopyField label={label} value={secret} copyLabel={copyLabel} />
        {children}
        <Group gap="xs">
          <Button onClick={onClose}>{doneLabel}</Button>
          {acts}
        </Group>
      </div>
    )}
  </Dialog>
)
