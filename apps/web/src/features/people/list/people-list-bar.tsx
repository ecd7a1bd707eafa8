import { t } from '@lingui/core/macro'
import { memo, useState } from 'react'
import { useCan } from '../../../platform/session/session.ts'
import { afterPaint } from '../../../ui/after-paint.ts'
import { ColumnPicker } from '../../../ui/list/column-picker.tsx'
import type { TableColumn } from '../../../ui/list/data-table.tsx'
import { FilterChips } from '../../../ui/filter/filter-chips.tsx'
import type { FilterField } from '../../../ui/filter/filter.ts'
import { ListBar } from '../../../ui/list/list-bar.tsx'
import { SearchField } from '../../../ui/filter/search-field.tsx'
import { useFieldSorts } from '../../fields/fields-public.tsx'
import { LostView } from '../../lists/lists-public.tsx'
import type { useListView } from '../../lists/lists-public.tsx'
import classes from '../people.module.css'
import type { PersonRow } from '../people-api.ts'
import { DisplayMenu } from './people-display.tsx'
import { ListSentence } from './people-explain.tsx'
import { PeopleFigures } from './people-figures.tsx'
import { SortMenu, termSort } from './people-sort.tsx'

type Props = {
  fields: readonly FilterField[]
  columns: readonly TableColumn<PersonRow>[]
  view: ReturnType<typeof useListView>
  figures: boolean
  onFigures: (shown: boolean) => void
}

/** Search, filters and how the list looks. */
export const PeopleListBar = memo(function PeopleListBar({ fields, columns, view, figures, onFigures }: Props) {
  const [explained, setExplained] = useState(false)
  const { look, base, set, lost, tabs } = view
  const fieldSorts = useFieldSorts('people')
  const seesMemberships = useCan('memberships.read')
  const sorts = { ...(seesMemberships && termSort()), ...fieldSorts }
  const first = columns[0]?.id
  return (
    <>
      {lost && <LostView tabs={tabs} />}
      <ListBar
        end={
          <>
            <SortMenu sort={look.sort} more={sorts} onSort={(sort) => set({ sort })} />
            {look.layout === 'table' && (
              <div className={classes['wide']}>
                <ColumnPicker
                  columns={columns}
                  shown={look.columns}
                  onChange={(shown) => set({ columns: shown.includes(first ?? '') ? shown : [first ?? '', ...shown] }, { replace: true })}
                  onReset={() => set({ columns: base.columns }, { replace: true })}
                />
              </div>
            )}
            <DisplayMenu
              layout={look.layout}
              onLayout={(layout) => set({ layout })}
              figures={figures}
              onFigures={onFigures}
              sentence={explained}
              onSentence={setExplained}
            />
          </>
        }
      >
        <SearchField label={t`Search members`} value={look.q} onChange={(q) => set({ q }, { replace: true })} />
        <FilterChips fields={fields} value={look.filter} onChange={(filter) => afterPaint(() => set({ filter }))} />
      </ListBar>
      {figures && <PeopleFigures q={look.q} filter={look.filter} onFilter={(filter) => set({ filter })} />}
      {explained && <ListSentence fields={fields} sorts={sorts} {...look} />}
    </>
  )
})
