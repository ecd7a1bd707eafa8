import { Notifications } from '@mantine/notifications'

/** Where toasts appear: at the bottom, five seconds unless they carry an Undo, waiting while somebody points at or is in one. */
export const Messages = () => <Notifications position="bottom-center" autoClose={5000} pauseResetOnHover="all" containerWidth={440} />
