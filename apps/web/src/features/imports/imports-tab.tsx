import { t } from '@lingui/core/macro'
import { getRouteApi } from '@tanstack/react-router'
import { ImportsStart } from './imports-start.tsx'
import { ImportsList } from './imports-list.tsx'
import { ImportView } from './import-view.tsx'
import classes from './imports.module.css'

const here = getRouteApi('/signed-in/account-management/{-$tab}')

/** Bringing files in: a new one and the former ones, or the one that the address names. */
export function Imports() {
  const { file, kind } = here.useSearch()
  const navigate = here.useNavigate()
  const open = (importId: string | undefined) => void navigate({ search: (before) => ({ ...before, file: importId }) })
  if (file) return <ImportView key={file} importId={file} onOpen={open} />
  return (
    <div className={classes['stack']} aria-label={t`Imports`}>
      <ImportsStart kind={kind} onUploaded={open} />
      <ImportsList onOpen={open} />
    </div>
  )
}
