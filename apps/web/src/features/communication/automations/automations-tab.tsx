import { Button, Menu, NativeSelect } from '@mantine/core'
import { AutomationRecipe, AutomationStatus } from '@guildhall/contract/features/communication.automations'
import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { IconRoute } from '@tabler/icons-react'
import { useMemo } from 'react'
import { toast } from '../../../platform/activity/toast.tsx'
import { tableRows } from '../../../platform/api/paged.ts'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { useHoldsEverywhere } from '../../../platform/session/session.ts'
import { SearchField } from '../../../ui/filter/search-field.tsx'
import { DataTable } from '../../../ui/list/data-table.tsx'
import type { TableColumn } from '../../../ui/list/data-table.tsx'
import { ListBar } from '../../../ui/list/list-bar.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import type { CommunicationSearch } from '../communication-search.ts'
import { AutomationDialog } from './automation-dialog.tsx'
import { AutomationView } from './automation-view.tsx'
import { AutomationBadge, recipeWords, statusWords, triggerText } from './automation-words.tsx'
import { useUsualPlace } from '../place-field.tsx'
import { useAutomations, useAutomationsApi, useAutomationsChanged } from './automations-api.ts'
import type { AutomationRow } from './automations-api.ts'
import classes from './automations.module.css'

/** Automations of the places that the reader writes for, and the one that the address names. */
export function AutomationsTab() {
  const { automation } = useSearch({ from: '/signed-in/communication/{-$tab}' })
  const go = useGo()
  return automation ? <AutomationView key={automation} automationId={automation} onClose={() => go({ automation: undefined })} /> : <List />
}

function useGo() {
  const navigate = useNavigate()
  return (change: Partial<CommunicationSearch>, replace = false) =>
    void navigate({ to: '/communication/{-$tab}', params: { tab: 'automations' }, search: (before) => ({ ...before, ...change }), replace })
}

function List() {
  const search = useSearch({ from: '/signed-in/communication/{-$tab}' })
  const go = useGo()
  const api = useAutomationsApi()
  const changed = useAutomationsChanged()
  const everywhere = useHoldsEverywhere('messages.write')
  const status = AutomationStatus.options.find((one) => one === search.state)
  const list = useAutomations(search.q ?? '', status)
  const { chapterId } = useUsualPlace()
  const fromRecipe = async (recipe: AutomationRecipe) => {
    try {
      const made = await api.fromRecipe.call({ recipe, chapterId })
      await changed()
      go({ automation: made.id })
    } catch (problem) {
      toast.error(t`The draft could not be made`, problem)
    }
  }
  return (
    <>
      <ListBar
        end={
          <>
            {(everywhere || chapterId !== null) && (
              <Menu position="bottom-end">
                <Menu.Target>
                  <Button variant="default">
                    <Trans>From a recipe</Trans>
                  </Button>
                </Menu.Target>
                <Menu.Dropdown>
                  {AutomationRecipe.options.map((recipe) => (
                    <Menu.Item key={recipe} onClick={() => void fromRecipe(recipe)}>
                      {recipeWords()[recipe]}
                    </Menu.Item>
                  ))}
                </Menu.Dropdown>
              </Menu>
            )}
            <Button onClick={() => go({ new: 1 })}>
              <Trans>New automation</Trans>
            </Button>
          </>
        }
      >
        <SearchField label={t`Search automations`} value={search.q ?? ''} onChange={(q) => go({ q: q || undefined }, true)} />
        <NativeSelect
          aria-label={t`Status`}
          value={status ?? ''}
          onChange={({ currentTarget: { value } }) => go({ state: value || undefined }, true)}
          data={[
            { value: '', label: t`All but archived` },
            ...AutomationStatus.options.map((value) => ({ value, label: statusWords()[value] })),
          ]}
        />
      </ListBar>
      <DataTable
        label={t`Automations`}
        columns={useColumns((id) => go({ automation: id }))}
        {...tableRows(list)}
        rowId={({ id }) => id}
        rowLabel={({ name }) => name}
        onOpen={({ id }) => go({ automation: id })}
        renderCard={(row) => (
          <>
            <span>{row.name}</span>
            <span className={classes['title']}>
              <AutomationBadge status={row.status} /> <Inside row={row} />
            </span>
          </>
        )}
        empty={
          list.isError ? (
            <ProblemState problem={list.error} title={t`The automations could not be loaded`} retry={() => void list.refetch()} />
          ) : (
            <EmptyState
              icon={<IconRoute size={32} stroke={1.5} />}
              title={search.q || status ? t`No automation matches` : t`No automations yet`}
            >
              <Trans>An automation does something for people by itself, such as a welcome after they have joined.</Trans>
            </EmptyState>
          )
        }
      />
      <AutomationDialog
        opened={search.new === 1}
        onClose={() => go({ new: undefined }, true)}
        onDone={({ id }) => go({ new: undefined, automation: id })}
      />
    </>
  )
}

const Inside = ({ row: { people } }: { row: AutomationRow }) => <Plural value={people.inside} one="# person in it" other="# people in it" />

const useColumns = (open: (id: string) => void): readonly TableColumn<AutomationRow>[] =>
  useMemo(
    () => [
      {
        id: 'name',
        label: t`Name`,
        width: 280,
        cell: ({ id, name }) => (
          <button type="button" className={classes['open']} onClick={() => open(id)}>
            {name}
          </button>
        ),
      },
      { id: 'status', label: t`Status`, width: 110, cell: ({ status }) => <AutomationBadge status={status} /> },
      { id: 'trigger', label: t`Begins when`, width: 260, priority: 2, cell: ({ trigger }) => triggerText(trigger) },
      { id: 'place', label: t`For`, width: 180, priority: 3, cell: ({ chapter }) => chapter?.name ?? t`Whole organisation` },
      { id: 'inside', label: t`In it`, width: 80, priority: 2, cell: ({ people }) => people.inside },
      { id: 'ended', label: t`Ended`, width: 80, priority: 3, cell: ({ people }) => people.ended },
    ],
    // eslint-disable-next-line react-hooks/exhaustive-deps -- `open` leads to the same address whenever it was made
    [],
  )
