import type { Home } from '@guildhall/contract/features/home'
import { AttendanceFigures } from './attendance-figures.tsx'

/** On home, for the scope looked at. */
export const AttendanceCard = ({ home }: { home: Home }) => <AttendanceFigures {...(home.chapter && { chapterId: home.chapter.id })} />
