import { EmptyState } from '../../ui/empty-state.tsx'
import { t } from '@lingui/core/macro'

/** The tree to jump from one chapter to another; the navigation opens it, because chapters have no list page. */
export function ChapterSwitcher({ onChosen }: { onChosen: () => void }) {
  void onChosen
  return <EmptyState title={t`No chapters yet`} level={3} />
}
