import { t } from '@lingui/core/macro'
import { IconCheck } from '@tabler/icons-react'
import { permissions } from '@guildhall/contract/permissions'
import { ProblemState } from '../../platform/problem-state.tsx'
import { Loading, SkeletonLines } from '../../ui/skeletons.tsx'
import { useRoles } from './account-api.ts'
import classes from './account.module.css'

/** Every role against every permission. Where a role holds depends on how it was given: everywhere, in a chapter and below, or in a group. */
export function RolesTab() {
  const roles = useRoles()
  if (roles.isPending) {
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={10} />
      </Loading>
    )
  }
  if (roles.isError)
    return <ProblemState problem={roles.error} title={t`The roles could not be loaded`} retry={() => void roles.refetch()} />
  const { items } = roles.data
  return (
    <div className={classes['scroll']} tabIndex={0} role="region" aria-label={t`Roles and what they allow`}>
      <table className={classes['table']}>
        <thead>
          <tr>
            <th scope="col">{t`Allows`}</th>
            {items.map((role) => (
              <th key={role.id} scope="col" title={role.description}>
                {role.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Object.entries(permissions).map(([permission, allows]) => (
            <tr key={permission}>
              <th scope="row">{allows}</th>
              {items.map((role) => (
                <td key={role.id}>
                  {role.permissions.some(({ name }) => name === permission) ? (
                    <IconCheck size={16} role="img" aria-label={t`Yes`} />
                  ) : (
                    <span aria-label={t`No`} role="img" />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
