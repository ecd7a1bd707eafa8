import { t } from '@lingui/core/macro'
import { ImportsStart } from './imports-start.tsx'
import { ImportsList } from './imports-list.tsx'
import { ImportView } from './import-view.tsx'
import type { ImportsSearch } from './imports-search.ts'
import classes from './imports.module.css'

export { ImportsSearch } from './imports-search.ts'

type Props = { search: ImportsSearch; onOpen: (importId: string | undefined) => void }

/** Bringing files in: a new one and the former ones, or the one that the address names. */
export function Imports({ search, onOpen }: Props) {
  if (search.file) return <ImportView key={search.file} importId={search.file} onOpen={onOpen} />
  return (
    <div className={classes['stack']} aria-label={t`Imports`}>
      <ImportsStart kind={search.kind} onUploaded={onOpen} />
      <ImportsList onOpen={onOpen} />
    </div>
  )
}
