import { ActionIcon, Button, Menu, SegmentedControl, Tooltip } from '@mantine/core'
import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { IconChartBar, IconCheck, IconLayoutGrid, IconQuote, IconRowInsertBottom, IconTable } from '@tabler/icons-react'
import { useState } from 'react'
import { setPreference, usePreferences } from '../../../platform/preferences.ts'
import { ColumnPicker } from '../../../ui/column-picker.tsx'
import type { TableColumn } from '../../../ui/data-table.tsx'
import { FilterChips } from '../../../ui/filter-chips.tsx'
import type { FilterField } from '../../../ui/filter.ts'
import { ListBar } from '../../../ui/list-bar.tsx'
import { SearchField } from '../../../ui/search-field.tsx'
import type { useListView } from '../../lists/lists-public.tsx'
import classes from '../people.module.css'
import type { PersonRow } from '../people-api.ts'
import { ListSentence } from './people-explain.tsx'
import { PeopleFigures } from './people-figures.tsx'
import { SortMenu } from './people-sort.tsx'

type Props = {
  fields: readonly FilterField[]
  columns: readonly TableColumn<PersonRow>[]
  view: ReturnType<typeof useListView>
  figures: boolean
  onFigures: (shown: boolean) => void
}

/** Search, filters and how the list looks. */
export function PeopleListBar({ fields, columns, view, figures, onFigures }: Props) {
  const [explained, setExplained] = useState(false)
  const { look, base, set, lost, tabs } = view
  const first = columns[0]?.id
  return (
    <>
      {lost && (
        <p className={classes['notice']} role="status">
          <Trans>The view of this link was removed, or is not shared with you. This is everybody.</Trans>
          <Button variant="subtle" size="compact-sm" onClick={() => tabs.onSelect(tabs.current)}>
            <Trans>All right</Trans>
          </Button>
        </p>
      )}
      <ListBar
        end={
          <>
            <Tooltip label={t`Say in words what this list shows`}>
              <ActionIcon
                variant="subtle"
                color="gray"
                size="lg"
                aria-label={t`Explain this list`}
                aria-pressed={explained}
                onClick={() => setExplained(!explained)}
              >
                <IconQuote size={18} stroke={1.5} aria-hidden />
              </ActionIcon>
            </Tooltip>
            <Tooltip label={t`Status and joins of this list`}>
              <ActionIcon
                variant="subtle"
                color="gray"
                size="lg"
                aria-label={t`Figures`}
                aria-pressed={figures}
                onClick={() => onFigures(!figures)}
              >
                <IconChartBar size={18} stroke={1.5} aria-hidden />
              </ActionIcon>
            </Tooltip>
            <SortMenu sort={look.sort} onSort={(sort) => set({ sort })} />
            {look.layout === 'table' && (
              <div className={classes['wide']}>
                <ColumnPicker
                  columns={columns}
                  shown={look.columns}
                  onChange={(shown) => set({ columns: shown.includes(first ?? '') ? shown : [first ?? '', ...shown] }, { replace: true })}
                  onReset={() => set({ columns: base.columns }, { replace: true })}
                />
                <DensityMenu />
              </div>
            )}
            <SegmentedControl
              className={classes['wide'] ?? ''}
              size="xs"
              aria-label={t`Layout`}
              value={look.layout}
              onChange={(layout) => set({ layout: layout === 'cards' ? 'cards' : 'table' })}
              data={[
                { value: 'table', label: <IconTable size={16} stroke={1.5} role="img" aria-label={t`Table`} /> },
                { value: 'cards', label: <IconLayoutGrid size={16} stroke={1.5} role="img" aria-label={t`Cards`} /> },
              ]}
            />
          </>
        }
      >
        <SearchField label={t`Search members`} value={look.q} onChange={(q) => set({ q }, { replace: true })} />
        <FilterChips fields={fields} value={look.filter} onChange={(filter) => set({ filter })} />
      </ListBar>
      {figures && <PeopleFigures q={look.q} filter={look.filter} onFilter={(filter) => set({ filter })} />}
      {explained && <ListSentence fields={fields} {...look} />}
    </>
  )
}

function DensityMenu() {
  const { density } = usePreferences()
  const choices = [
    { value: 'compact', label: t`Compact` },
    { value: 'default', label: t`Usual` },
    { value: 'comfortable', label: t`Comfortable` },
  ] as const
  return (
    <Menu>
      <Menu.Target>
        <Tooltip label={t`Row height`}>
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t`Row height`}>
            <IconRowInsertBottom size={18} stroke={1.5} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        {choices.map(({ value, label }) => (
          <Menu.Item
            key={value}
            rightSection={density === value ? <IconCheck size={14} aria-label={t`chosen`} /> : null}
            onClick={() => setPreference('density', value)}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
