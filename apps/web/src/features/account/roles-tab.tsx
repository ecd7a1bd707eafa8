import { t } from '@lingui/core/macro'
import { ActionIcon, Button, Menu } from '@mantine/core'
import { Trans } from '@lingui/react/macro'
import { IconCheck, IconDots, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { permissions } from '@guildhall/contract/permissions'
import { ProblemState } from '../../platform/api/problem-state.tsx'
import { useApi } from '../../platform/api/api.tsx'
import { toast } from '../../platform/activity/toast.tsx'
import table from '../../ui/display/small-table.module.css'
import { Loading, SkeletonLines } from '../../ui/page/skeletons.tsx'
import { useAccountsChanged, useRoles } from './account-api.ts'
import type { Role } from './account-api.ts'
import { RoleDialog } from './role-dialog.tsx'
import classes from './account.module.css'

/** Every role against every permission. */
export function RolesTab() {
  const roles = useRoles()
  const [edited, setEdited] = useState<Role | 'new' | null>(null)
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
    <div className={classes['stack']}>
      <div className={classes['row']}>
        <p className={classes['intro']}>
          <Trans>
            What each role allows. Where it holds depends on how it is given: everywhere, in a chapter and below, or in a group.
          </Trans>
        </p>
        <Button leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />} onClick={() => setEdited('new')}>
          <Trans>New role</Trans>
        </Button>
      </div>
      <div className={table['scroll']} tabIndex={0} role="region" aria-label={t`Roles and what they allow`}>
        <table className={table['table']}>
          <thead>
            <tr>
              <th scope="col">{t`Allows`}</th>
              {items.map((role) => (
                <th key={role.id} scope="col" title={role.description}>
                  <span className={classes['roleHead']}>
                    {role.name}
                    {role.mayChange && <RoleMenu role={role} onChange={() => setEdited(role)} />}
                  </span>
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
      <RoleDialog edited={edited} onClose={() => setEdited(null)} />
    </div>
  )
}

function RoleMenu({ role, onChange }: { role: Role; onChange: () => void }) {
  const { roles } = useApi().data.account
  const changed = useAccountsChanged()
  const remove = async () => {
    try {
      await roles.remove.call({ roleId: role.id })
      await changed()
      toast.undo(t`${role.name} removed`, async () => {
        const { name, description, permissions: allowed } = role
        await roles.create.call({ name, description, permissions: allowed.map((one) => one.name) })
        await changed()
      })
    } catch (problem) {
      toast.error(t`${role.name} could not be removed.`, problem)
    }
  }
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t`Actions for ${role.name}`}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={onChange}>
          <Trans>Change</Trans>
        </Menu.Item>
        <Menu.Item color="red" onClick={() => void remove()}>
          <Trans>Remove</Trans>
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
