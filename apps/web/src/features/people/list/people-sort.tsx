import { Button, Menu } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { IconArrowDown, IconArrowUp, IconArrowsSort, IconCheck } from '@tabler/icons-react'
import type { Sort } from '../../../ui/list/data-table.tsx'

const labels = (): Record<string, string> => ({
  name: t`name`,
  givenName: t`given name`,
  joinedOn: t`day of joining`,
  createdAt: t`day of entry`,
  updatedAt: t`last change`,
})
/** For whom may read memberships. */
export const termSort = () => ({ termEnd: t`end of the term` })

export const columnOf = (sort: string): Sort => ({ column: sort.replace(/^-/, ''), direction: sort.startsWith('-') ? 'desc' : 'asc' })
export const sortOf = ({ column, direction }: Sort) => (direction === 'desc' ? `-${column}` : column)

/** "day of joining, latest first" */
export function sortWords(sort: string, more: Readonly<Record<string, string>> = {}): string {
  const { column, direction } = columnOf(sort)
  const label = { ...labels(), ...termSort() }[column] ?? more[column] ?? column
  const isTime = column.endsWith('On') || column.endsWith('At') || column === 'termEnd'
  if (isTime) return direction === 'desc' ? t`${label}, latest first` : t`${label}, earliest first`
  return direction === 'desc' ? t`${label}, from Z to A` : label
}

type Props = { sort: string; more: Readonly<Record<string, string>>; onSort: (sort: string) => void }

export function SortMenu({ sort, more, onSort }: Props) {
  const { column, direction } = columnOf(sort)
  return (
    <Menu>
      <Menu.Target>
        <Button variant="subtle" color="gray" size="compact-md" leftSection={<IconArrowsSort size={16} stroke={1.5} aria-hidden />}>
          {t`Sort`}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {Object.entries({ ...labels(), ...more }).map(([id, label]) => (
          <Menu.Item
            key={id}
            rightSection={id === column ? <IconCheck size={14} aria-label={t`chosen`} /> : null}
            onClick={() => onSort(sortOf({ column: id, direction }))}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          leftSection={direction === 'asc' ? <IconArrowDown size={14} aria-hidden /> : <IconArrowUp size={14} aria-hidden />}
          onClick={() => onSort(sortOf({ column, direction: direction === 'asc' ? 'desc' : 'asc' }))}
        >
          {t`Reverse order`}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
