import { MantineProvider, TextInput } from '@mantine/core'
import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { Trans } from '@lingui/react/macro'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { initialsOf } from './display/avatar.tsx'
import { BulkActionBar } from './list/bulk-action-bar.tsx'
import { ComboboxPicker } from './form/combobox-picker.tsx'
import { ConfirmDialog } from './dialog/confirm-dialog.tsx'
import { Dialog } from './dialog/dialog.tsx'
import { FormDialog } from './dialog/form-dialog.tsx'
import { Fact, FactList } from './form/fact-list.tsx'
import { FilterChips } from './filter/filter-chips.tsx'
import { emptyFilter } from './filter/filter.ts'
import type { Filter, FilterField, Option } from './filter/filter.ts'
import { forgetDrafts } from './form/form-drafts.ts'
import { RecordForm, useRecordForm } from './form/record-form.tsx'
import { SearchField } from './filter/search-field.tsx'
import { useSelection } from './list/selection.ts'
import { SidePanel } from './dialog/side-panel.tsx'
import { flatten, treeOf } from './tree/tree-rows.ts'
import { TreeView } from './tree/tree-view.tsx'

const show = (ui: ReactNode) =>
  render(
    <I18nProvider i18n={i18n}>
      <MantineProvider env="test">{ui}</MantineProvider>
    </I18nProvider>,
  )

test('initials are the first letters of the first and last word, whatever the script', () => {
  expect(initialsOf('Ada Augusta Byron')).toBe('AB')
  expect(initialsOf('  çelik ')).toBe('Ç')
  expect(initialsOf('李 小龙')).toBe('李小')
  expect(initialsOf('')).toBe('')
})

describe('a fact', () => {
  const fact = (onSave: (value: string) => Promise<unknown>) =>
    show(
      <FactList>
        <Fact label="Given name" edit={{ kind: 'text', value: 'Ada', onSave, validate: (value) => (value ? undefined : 'Enter a name.') }}>
          Ada
        </Fact>
      </FactList>,
    )
  const edit = async (text: string) => {
    await userEvent.click(screen.getByRole('button', { name: 'Edit Given name' }))
    const field = screen.getByRole('textbox', { name: 'Given name' })
    await userEvent.clear(field)
    await userEvent.type(field, text)
  }

  test('shows the new value at once, then a tick, and gives the focus back', async () => {
    let finish = () => {}
    fact(() => new Promise<void>((resolve) => (finish = resolve)))
    await edit('Augusta{Enter}')
    expect(screen.getByText('Augusta')).toBeVisible()
    finish()
    expect(await screen.findByLabelText('Saved')).toBeVisible()
    await waitFor(() => expect(screen.getByRole('button', { name: 'Edit Given name' })).toHaveFocus())
  })

  test('keeps what was typed when it could not be saved, with the reason', async () => {
    fact(() => Promise.reject(new Error('Somebody else has changed it.')))
    await edit('Augusta{Enter}')
    expect(await screen.findByText('Somebody else has changed it.')).toBeVisible()
    expect(screen.getByRole('textbox', { name: 'Given name' })).toHaveValue('Augusta')
  })

  test('saves nothing that is wrong, unchanged or given up', async () => {
    const onSave = vi.fn(() => Promise.resolve())
    fact(onSave)
    await edit(' {Enter}')
    expect(screen.getByText('Enter a name.')).toBeVisible()
    await userEvent.type(screen.getByRole('textbox', { name: 'Given name' }), 'X{Escape}')
    expect(screen.getByText('Ada')).toBeVisible()
    await edit('Ada{Enter}')
    expect(onSave).not.toHaveBeenCalled()
  })
})

describe('a form', () => {
  type Person = { name: string; email: string }
  type PersonFormProps = { onSubmit: (values: Person) => Promise<unknown>; draft?: string; onCancel?: () => void }
  const rules = (values: Person) => ({
    ...(values.name.trim() ? {} : { name: 'Enter a name.' }),
    ...(values.email.includes('@') ? {} : { email: 'Enter an address like ada@example.org.' }),
  })
  function PersonForm(props: PersonFormProps) {
    const form = useRecordForm(rules, { name: '', email: '' })
    return (
      <RecordForm form={form} submitLabel="Create" {...props}>
        <input aria-label="Name" {...invalid(form.getInputProps('name'))} />
        <input aria-label="Email" {...invalid(form.getInputProps('email'))} />
      </RecordForm>
    )
  }
  const invalid = ({ error, ...props }: { error?: ReactNode }) => ({ ...props, 'aria-invalid': Boolean(error) })

  test('says everything that is wrong in one place and goes to the first field', async () => {
    const onSubmit = vi.fn(() => Promise.resolve())
    show(<PersonForm onSubmit={onSubmit} />)
    await userEvent.click(screen.getByRole('button', { name: 'Create' }))
    const summary = await screen.findByRole('alert')
    expect(within(summary).getByText('Enter a name.')).toBeVisible()
    expect(within(summary).getByText('Enter an address like ada@example.org.')).toBeVisible()
    await waitFor(() => expect(screen.getByLabelText('Name')).toHaveFocus())
    expect(onSubmit).not.toHaveBeenCalled()
  })

  test('puts what the server refused beside its field and keeps what was typed', async () => {
    const refusal = Object.assign(new Error('Some values are not valid'), {
      errors: [{ path: 'email', code: 'taken', message: 'This address is taken.' }],
    })
    show(<PersonForm onSubmit={() => Promise.reject(refusal)} />)
    await userEvent.type(screen.getByLabelText('Name'), 'Ada')
    await userEvent.type(screen.getByLabelText('Email'), 'ada@example.org{Control>}{Enter}{/Control}')
    await waitFor(() => expect(screen.getByLabelText('Email')).toHaveFocus())
    expect(screen.getByLabelText('Email')).toBeInvalid()
    expect(screen.getByLabelText('Email')).toHaveValue('ada@example.org')
  })

  test('shows a failure that belongs to no field', async () => {
    show(<PersonForm onSubmit={() => Promise.reject(new Error('The server failed to answer.'))} />)
    await userEvent.type(screen.getByLabelText('Name'), 'Ada')
    await userEvent.type(screen.getByLabelText('Email'), 'ada@example.org')
    await userEvent.click(screen.getByRole('button', { name: 'Create' }))
    expect(await screen.findByText('The server failed to answer.')).toBeVisible()
  })
})

describe('a dialog with a form', () => {
  type Save = (values: { name: string }, sent: { context: { ifMatch: number | undefined } }) => Promise<unknown>
  function RenameDialog({ onSubmit }: { onSubmit: Save }) {
    const [opened, setOpened] = useState(true)
    return (
      <FormDialog
        opened={opened}
        onClose={() => setOpened(false)}
        title="Rename"
        values={{ name: 'Lyon' }}
        rules={{ name: (value) => (value ? null : 'Enter a name.') }}
        version={3}
        fieldOf={(path) => (path === 'title' ? 'name' : path)}
        submitLabel="Save"
        onSubmit={onSubmit}
      >
        {(form) => <TextInput label="Name" {...form.getInputProps('name')} />}
      </FormDialog>
    )
  }
  const save = () => userEvent.click(screen.getByRole('button', { name: 'Save' }))

  test('stays while it is being sent, and closes once it is saved', async () => {
    const answer = Promise.withResolvers<void>()
    show(<RenameDialog onSubmit={() => answer.promise} />)
    await save()
    await userEvent.keyboard('{Escape}')
    expect(screen.getByRole('dialog', { name: 'Rename' })).toBeVisible()
    answer.resolve()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  test('puts a refusal at the field that stands for the server’s', async () => {
    const refusal = Object.assign(new Error('Refused'), { errors: [{ path: 'title', code: 'taken', message: 'This name is taken.' }] })
    show(<RenameDialog onSubmit={() => Promise.reject(refusal)} />)
    await save()
    expect(await screen.findByText('This name is taken.')).toBeVisible()
    expect(screen.getByRole('textbox', { name: 'Name' })).toBeInvalid()
  })

  test('tells of a newer version, and saves over it only when asked again', async () => {
    const stale = Object.assign(new Error('Stale'), { status: 412, body: { current: { version: 7 } } })
    const onSubmit = vi.fn<Save>().mockRejectedValueOnce(stale).mockResolvedValueOnce(undefined)
    show(<RenameDialog onSubmit={onSubmit} />)
    await save()
    expect(await screen.findByText(/Somebody else has changed this/)).toBeVisible()
    await save()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(onSubmit.mock.calls.map(([, { context }]) => context.ifMatch)).toEqual([3, 7])
  })
})

describe('a form that was left unsaved', () => {
  const NoteForm = ({ onSubmit = () => Promise.resolve() }: { onSubmit?: () => Promise<unknown> }) => {
    const form = useRecordForm({ note: (value) => (value ? null : 'Enter a note.') }, { note: '', day: '' })
    return (
      <RecordForm form={form} submitLabel="Create" draft="note" onSubmit={onSubmit} onCancel={() => {}}>
        <TextInput label="Note" {...form.getInputProps('note')} />
        <TextInput label="Day" type="date" {...form.getInputProps('day')} />
      </RecordForm>
    )
  }
  afterEach(forgetDrafts)

  test('continues where it was, and starts anew when asked to', async () => {
    const { unmount } = show(<NoteForm />)
    await userEvent.type(screen.getByLabelText('Note'), 'Half a tho')
    unmount()
    show(<NoteForm />)
    expect(screen.getByLabelText('Note')).toHaveValue('Half a tho')
    await userEvent.click(screen.getByRole('button', { name: 'Start over' }))
    expect(screen.getByLabelText('Note')).toHaveValue('')
  })

  test.each([
    { network: 'without a network', kept: 'Half a tho' },
    { network: 'with one', kept: '' },
  ])('$network a form without a name keeps “$kept”', async ({ kept }) => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(kept === '')
    const Nameless = () => {
      const form = useRecordForm({}, { note: '' })
      return (
        <RecordForm form={form} submitLabel="Create" onSubmit={() => Promise.resolve()}>
          <TextInput label="Note" {...form.getInputProps('note')} />
        </RecordForm>
      )
    }
    const { unmount } = show(<Nameless />)
    await userEvent.type(screen.getByLabelText('Note'), 'Half a tho')
    unmount()
    show(<Nameless />)
    expect(screen.getByLabelText('Note')).toHaveValue(kept)
    vi.restoreAllMocks()
  })

  test.each(['Create', 'Cancel'])('is forgotten with %s', async (button) => {
    const { unmount } = show(<NoteForm />)
    await userEvent.type(screen.getByLabelText('Note'), 'A thought')
    await userEvent.click(screen.getByRole('button', { name: button }))
    unmount()
    show(<NoteForm />)
    expect(screen.getByLabelText('Note')).toHaveValue('')
  })

  test('a date that does not exist is not taken for an empty field', async () => {
    const onSubmit = vi.fn(() => Promise.resolve())
    show(<NoteForm onSubmit={onSubmit} />)
    await userEvent.type(screen.getByLabelText('Note'), 'A thought')
    // What the browser says of 31.02.2026; jsdom has no date field that can be half filled.
    Object.defineProperty(screen.getByLabelText('Day'), 'validity', { value: { badInput: true } })
    await userEvent.click(screen.getByRole('button', { name: 'Create' }))
    expect(await screen.findByText('Enter a whole date that exists, or empty the field.')).toBeVisible()
    expect(onSubmit).not.toHaveBeenCalled()
  })
})

test('a name is shown as it was written, whatever it looks like', () => {
  const name = '<b>Bob</b> & <0>Eve</0>'
  show(
    <p>
      <Trans>
        {name} is <strong>here</strong>
      </Trans>
    </p>,
  )
  expect(screen.getByRole('paragraph')).toHaveTextContent('<b>Bob</b> & <0>Eve</0> is here')
})

describe('a tree', () => {
  const rows = [
    { id: 'a', name: 'Alpha', parentId: null },
    { id: 'b', name: 'Beta', parentId: 'a' },
    { id: 'c', name: 'Gamma', parentId: 'b' },
    { id: 'd', name: 'Delta', parentId: 'hidden' },
  ]
  const nodes = treeOf(rows, ({ name }) => name)

  test('is built from rows; one whose parent is not visible stands at the top', () => {
    expect(nodes.map(({ id }) => id)).toEqual(['a', 'd'])
    expect(flatten(nodes, new Set(['a', 'b'])).map(({ node, level }) => `${level} ${node.label}`)).toEqual([
      '1 Alpha',
      '2 Beta',
      '3 Gamma',
      '1 Delta',
    ])
  })

  test('is walked, opened, closed and chosen from by keyboard', async () => {
    const onSelect = vi.fn()
    show(<TreeView label="Chapters" nodes={nodes} onSelect={onSelect} initiallyOpen={[]} />)
    const tree = screen.getByRole('tree', { name: 'Chapters' })
    tree.focus()
    await userEvent.keyboard('{ArrowRight}{ArrowRight}{ArrowRight}{ArrowDown}{Enter}')
    expect(onSelect).toHaveBeenLastCalledWith('c')
    expect(screen.getByRole('treeitem', { name: /Gamma/ })).toHaveAttribute('aria-level', '3')
    await userEvent.keyboard('{ArrowLeft}{ArrowLeft}')
    expect(screen.queryByRole('treeitem', { name: /Gamma/ })).toBeNull()
    await userEvent.keyboard('d{Enter}')
    expect(onSelect).toHaveBeenLastCalledWith('d')
  })
})

describe('filters', () => {
  const fields: FilterField[] = [
    {
      id: 'status',
      label: 'Status',
      kind: 'choice',
      options: [
        { value: 'active', label: 'Active' },
        { value: 'former', label: 'Former' },
      ],
    },
    { id: 'city', label: 'City', kind: 'text' },
    { id: 'chapter', label: 'Chapter', kind: 'record', search: () => Promise.resolve([{ value: 'lis', label: 'Lisbon' }]) },
  ]
  function Filters({ initial = emptyFilter, onChange }: { initial?: Filter; onChange?: (filter: Filter) => void }) {
    const [filter, setFilter] = useState(initial)
    return <FilterChips fields={fields} value={filter} onChange={(next) => (onChange?.(next), setFilter(next))} />
  }

  test('a group is added, read as a sentence and removed', async () => {
    const onChange = vi.fn()
    show(<Filters onChange={onChange} />)
    await userEvent.click(screen.getByRole('button', { name: 'Filter' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Status' }))
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Active' }))
    await userEvent.click(screen.getByRole('button', { name: 'Apply' }))
    expect(onChange).toHaveBeenLastCalledWith({ and: [{ or: [{ field: 'status', op: 'in', value: ['active'] }] }] })
    expect(await screen.findByRole('button', { name: 'Status is any of Active' })).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Remove filter Status is any of Active' }))
    expect(onChange).toHaveBeenLastCalledWith({ and: [] })
  })

  test('a condition without a value asks nothing', async () => {
    const onChange = vi.fn()
    show(<Filters onChange={onChange} />)
    await userEvent.click(screen.getByRole('button', { name: 'Filter' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'City' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Apply' }))
    expect(onChange).not.toHaveBeenCalled()
  })

  test('Escape leaves the filter as it was', async () => {
    const onChange = vi.fn()
    show(<Filters initial={{ and: [{ or: [{ field: 'status', op: 'in', value: ['active'] }] }] }} onChange={onChange} />)
    await userEvent.click(screen.getByRole('button', { name: 'Status is any of Active' }))
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Former' }))
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(onChange).not.toHaveBeenCalled()

    await userEvent.click(screen.getByRole('button', { name: 'Filter' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Status' }))
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Former' }))
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(onChange).not.toHaveBeenCalled()
  })

  test('the options stand above Apply, and what is chosen has a mark', async () => {
    show(<Filters />)
    await userEvent.click(screen.getByRole('button', { name: 'Filter' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Chapter' }))
    const option = await screen.findByRole('option', { name: 'Lisbon' })
    // Nothing of it floats: a list that floats covers the button below the field.
    expect(option.closest('[data-mantine-shared-portal-node], .mantine-Popover-dropdown')).toBe(screen.getByRole('dialog'))
    await userEvent.click(option)
    expect(await screen.findByRole('option', { name: 'Lisbon Chosen' })).toBeVisible()
  })

  test('a field that no longer exists is shown as lost', () => {
    show(<Filters initial={{ and: [{ or: [{ field: 'gone', op: 'is', value: 'x' }] }] }} />)
    expect(screen.getByRole('button', { name: 'gone (no longer exists)' })).toBeVisible()
  })
})

test('what is typed is searched after a pause, and once', async () => {
  const onChange = vi.fn()
  show(<SearchField label="Search members" value="" onChange={onChange} />)
  await userEvent.type(screen.getByRole('searchbox', { name: 'Search members' }), 'ada')
  await waitFor(() => expect(onChange).toHaveBeenCalledExactlyOnceWith('ada'))
})

test('a record is found by typing; a search that fails says so', async () => {
  const search = vi.fn((query: string): Promise<Option[]> =>
    query === 'x' ? Promise.reject(new Error('down')) : Promise.resolve([{ value: '1', label: `Found ${query}` }]),
  )
  const onChange = vi.fn()
  show(<ComboboxPicker label="Chapter" value={null} onChange={onChange} search={search} />)
  const field = screen.getByRole('combobox', { name: 'Chapter' })
  await userEvent.type(field, 'oslo')
  await userEvent.click(await screen.findByText('Found oslo'))
  expect(onChange).toHaveBeenCalledWith({ value: '1', label: 'Found oslo' })
  await userEvent.clear(field)
  await userEvent.type(field, 'x')
  expect(await screen.findByText('The search failed. Type again to retry.')).toBeVisible()
})

test('a picker that merely gets the focus covers nothing; it opens when asked to', async () => {
  const user = userEvent.setup()
  const search = vi.fn(() => Promise.resolve([{ value: 'leeds', label: 'Leeds' }]))
  show(<ComboboxPicker label="Chapter" value={null} onChange={vi.fn()} search={search} />)
  await user.tab()
  expect(screen.getByLabelText('Chapter')).toHaveFocus()
  expect(search).not.toHaveBeenCalled()
  expect(screen.queryByRole('option')).toBeNull()
  await user.keyboard('{ArrowDown}')
  expect(await screen.findByRole('option', { name: 'Leeds' })).toBeVisible()
})

test('what cannot be taken back has to be typed first, and a failure stays in the dialog', async () => {
  const onConfirm = vi.fn(() => Promise.reject(new Error('Not now')))
  show(
    <ConfirmDialog opened onClose={() => {}} title="Erase" confirmLabel="Erase Ada" typeToConfirm="Ada" danger onConfirm={onConfirm}>
      Everything about Ada is erased.
    </ConfirmDialog>,
  )
  const button = screen.getByRole('button', { name: 'Erase Ada' })
  expect(button).toBeDisabled()
  await userEvent.type(screen.getByRole('textbox'), 'Ada')
  await userEvent.click(button)
  expect(await screen.findByRole('alert')).toHaveTextContent('Not now')
})

test('Escape with the focus outside closes what opened last: the panel, then the selection', async () => {
  function Page() {
    const [open, setOpen] = useState(false)
    const selection = useSelection()
    return (
      <>
        <button type="button" onClick={() => selection.toggle('1')}>
          Tick
        </button>
        <button type="button" onClick={() => setOpen(true)}>
          Peek
        </button>
        <BulkActionBar selection={selection} total={3}>
          Tools
        </BulkActionBar>
        {open && (
          <SidePanel title="Ada Byron" recordKey="1" onClose={() => setOpen(false)}>
            Facts
          </SidePanel>
        )}
      </>
    )
  }
  show(<Page />)
  await userEvent.click(screen.getByRole('button', { name: 'Tick' }))
  await userEvent.click(screen.getByRole('button', { name: 'Peek' }))
  screen.getByRole('button', { name: 'Tick' }).focus()
  await userEvent.keyboard('{Escape}')
  expect(screen.queryByRole('complementary')).toBeNull()
  expect(screen.getByRole('region', { name: 'Selected rows' })).toBeVisible()
  await userEvent.keyboard('{Escape}')
  expect(screen.queryByRole('region', { name: 'Selected rows' })).toBeNull()
})

test('a dialog has the focus in its first field, also when that comes late', async () => {
  const late = Promise.withResolvers<{ default: () => ReactNode }>()
  const Late = lazy(() => late.promise)
  show(
    <Dialog opened onClose={() => {}} title="Appoint officer">
      <Suspense fallback="Loading">
        <Late />
      </Suspense>
    </Dialog>,
  )
  await waitFor(() => expect(screen.getByRole('button', { name: 'Close' })).toHaveFocus())
  late.resolve({ default: () => <TextInput label="Office" /> })
  await waitFor(() => expect(screen.getByRole('textbox', { name: 'Office' })).toHaveFocus())
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(screen.getByRole('textbox', { name: 'Office' })).toHaveFocus()
})

test('the panel takes the focus, Escape closes it and gives the focus back', async () => {
  function Page() {
    const [open, setOpen] = useState(false)
    return (
      <>
        <button type="button" onClick={() => setOpen(true)}>
          Peek
        </button>
        {open && (
          <SidePanel title="Ada Byron" recordKey="1" onClose={() => setOpen(false)}>
            Facts
          </SidePanel>
        )}
      </>
    )
  }
  show(<Page />)
  await userEvent.click(screen.getByRole('button', { name: 'Peek' }))
  expect(screen.getByRole('complementary', { name: 'Ada Byron' })).toBeVisible()
  expect(screen.getByRole('heading', { name: 'Ada Byron' })).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  expect(screen.queryByRole('complementary')).toBeNull()
  expect(screen.getByRole('button', { name: 'Peek' })).toHaveFocus()
})
