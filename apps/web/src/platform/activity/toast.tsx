import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { uiConstants } from '../../constants.ts'
import { problemText } from '../api/problem-text.tsx'
import { ApiProblem } from '../api/problem.ts'
import { recordChange, undoChange } from './recent-changes.ts'
import classes from './toast.module.css'

const shown = uiConstants.noticeMs
const shownWithUndo = 10_000

const common = () => ({ closeButtonProps: { 'aria-label': t`Dismiss` } })

/** Messages at the bottom of the page. Whatever carries Undo also stays in "Recent changes", so nothing depends on being quick. */
export const toast = {
  success(message: ReactNode) {
    notifications.show({
      ...common(),
      message,
      color: 'green',
      icon: <IconCheck size={16} aria-hidden />,
      autoClose: shown,
      role: 'status',
    })
  },

  /** `problem` is whatever was thrown: its reason and request id are added to the sentence. */
  error(message: ReactNode, problem?: unknown) {
    const reason = problem === undefined ? undefined : problemText(problem)
    const requestId = problem instanceof ApiProblem && problem.status >= 500 ? problem.requestId : undefined
    notifications.show({
      ...common(),
      color: 'red',
      icon: <IconAlertTriangle size={16} aria-hidden />,
      autoClose: shown,
      role: 'alert',
      message: (
        <>
          {message}
          {reason && (
            <Text component="span" display="block" size="sm" c="dimmed">
              {reason} {requestId && <Trans>Request {requestId}.</Trans>}
            </Text>
          )}
        </>
      ),
    })
  },

  /** `text` must be plain, because the list of recent changes shows it again. */
  undo(text: string, undo: () => Promise<unknown>) {
    const change = recordChange(text, undo)
    notifications.show({
      ...common(),
      id: change.id,
      color: 'green',
      icon: <IconCheck size={16} aria-hidden />,
      autoClose: shownWithUndo,
      role: 'status',
      message: (
        // A long name wraps; Undo is never cut off.
        <Group justify="space-between" gap="0 sm">
          <span className={classes['text']}>{text}</span>
          <Button variant="subtle" size="compact-sm" className={classes['undo'] ?? ''} onClick={() => void undoAndTell(change.id)}>
            <Trans>Undo</Trans>
          </Button>
        </Group>
      ),
    })
  },
}

export async function undoAndTell(id: string) {
  notifications.hide(id)
  try {
    await undoChange(id)
    toast.success(<Trans>Undone</Trans>)
  } catch (failure) {
    toast.error(<Trans>This could not be undone.</Trans>, failure)
  }
}
