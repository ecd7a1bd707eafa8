import { Notifications } from '@mantine/notifications'
import { uiConstants } from '../../constants.ts'

const { noticeMs, noticePosition } = uiConstants

/** Where toasts appear: at the bottom, five seconds unless they carry an Undo, waiting while somebody points at or is in one. */
export const Messages = () => <Notifications position={noticePosition} autoClose={noticeMs} pauseResetOnHover="all" containerWidth={440} />
