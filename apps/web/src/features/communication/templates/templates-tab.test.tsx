import { configure, screen, waitFor, within } from '@testing-library/react'
import { notifications } from '@mantine/notifications'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import type { MessageTemplate } from '@guildhall/contract/features/communication.templates'
import { documentOf } from '@guildhall/contract/formatted-document'
import type { MessageBody } from '@guildhall/contract/message-blocks'
import { fake, uuid } from '../../../testing/fake-api.ts'
import { renderPath } from '../../../testing/render-with-api.tsx'

// The first of them fetches the page's code; a busy machine takes its time.
configure({ asyncUtilTimeout: 15_000 })
afterEach(() => notifications.clean())

const text = (words: string) => ({ type: 'text' as const, text: documentOf(words) })
const newsletter: MessageTemplate = {
  ...{ id: uuid(1), name: 'Newsletter', subject: 'News', preheader: '', version: 1, chapter: null, group: null, archivedAt: null },
  ...{ outline: [{ type: 'text', words: 'Dear members' }], updatedAt: '2026-11-01T10:00:00Z', may: { edit: true } },
  body: { blocks: [text('Dear members'), { type: 'divider' }] },
}
const page = <Item,>(items: Item[]) => ({ items, nextCursor: null, total: items.length, totalIsExact: true })

/** Templates that are kept, what was saved and what was previewed. */
function kept(template: MessageTemplate = newsletter) {
  const saved: { body?: MessageBody | undefined }[] = []
  const previewed: { subject?: string | undefined; body: MessageBody }[] = []
  const handlers = {
    data: {
      communication: {
        templates: {
          list: fake.data.communication.templates.list.handler(() => {
            const { preheader: _preheader, body: _body, ...row } = template
            return page([row])
          }),
          get: fake.data.communication.templates.get.handler(() => template),
          update: fake.data.communication.templates.update.handler(({ input }) => {
            saved.push(input)
            return { ...template, version: 2 }
          }),
          archive: fake.data.communication.templates.archive.handler(() => ({
            ...template,
            archivedAt: '2026-11-02T10:00:00Z',
            version: 2,
          })),
        },
        messagePictures: { add: fake.data.communication.messagePictures.add.handler(() => ({ id: uuid(70) })) },
      },
    },
    actions: {
      communication: {
        messagePreview: fake.actions.communication.messagePreview.handler(({ input }) => {
          previewed.push(input)
          const html = '<html><head></head><body><p style="color:red"><a href="https://example.org">Hi</a></p></body></html>'
          return {
            subject: input.subject,
            html,
            text: 'Plain words',
            person: null,
            missing: ['chapter'],
            findings: [],
            gone: { pictures: [], events: [] },
          }
        }),
      },
      files: { setPicture: fake.actions.files.setPicture.handler(() => ({ pictureId: uuid(71) })) },
    },
  }
  return { saved, previewed, handlers }
}
const holding = ['messages.write', 'messages.manage'] as const
const opened = async (template?: MessageTemplate) => {
  const told = kept(template)
  renderPath(`/communication/templates?open=${newsletter.id}`, told.handlers, { holding: [...holding] })
  await screen.findByRole('list', { name: 'the message' })
  return told
}
const blockNames = () =>
  within(screen.getByRole('list', { name: 'the message' }))
    .getAllByRole('button', { name: /, block \d+ of \d+$/ })
    .map((button) => button.textContent)
/** The window of the tests is that of a phone: the preview is a part of its own. */
const toPreview = () => userEvent.click(screen.getByRole('radio', { name: 'Preview' }))
const save = () => userEvent.click(screen.getByRole('button', { name: 'Save' }))

test('templates stand as cards; one is archived and brought back', async () => {
  const { handlers } = kept()
  renderPath('/communication/templates', handlers, { holding: [...holding] })
  const cards = within(await screen.findByRole('list', { name: 'Templates' }))
  expect(cards.getByText('Whole organisation')).toBeVisible()
  await userEvent.click(cards.getByRole('button', { name: 'Actions for Newsletter' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Archive' }))
  expect(await screen.findByText('“Newsletter” archived')).toBeVisible()
})

test('blocks are added and moved by keyboard, and one that was removed comes back', async () => {
  await opened()
  expect(blockNames()).toEqual(['Text', 'Divider'])
  const divider = screen.getByRole('button', { name: 'Divider, block 2 of 2' })
  divider.focus()
  await userEvent.keyboard('/')
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Button' }))
  expect(blockNames()).toEqual(['Text', 'Divider', 'Button'])
  screen.getByRole('button', { name: 'Button, block 3 of 3' }).focus()
  await userEvent.keyboard('{Alt>}{ArrowUp}{/Alt}')
  expect(blockNames()).toEqual(['Text', 'Button', 'Divider'])
  expect(await screen.findByText('Button moved to place 2 of 3')).toBeInTheDocument()
  screen.getByRole('button', { name: 'Divider, block 3 of 3' }).focus()
  await userEvent.keyboard('{Delete}')
  expect(blockNames()).toEqual(['Text', 'Button'])
  // The tools of the text have an Undo of their own.
  const notice = (await screen.findByText('Divider removed')).closest<HTMLElement>('[role="status"]')
  await userEvent.click(within(notice ?? document.body).getByText('Undo'))
  await waitFor(() => expect(blockNames()).toEqual(['Text', 'Button', 'Divider']))
})

test('a button without words and address is not saved, and says what it lacks', async () => {
  const { saved } = await opened({ ...newsletter, body: { blocks: [{ type: 'button', label: '', href: '' }] } })
  await userEvent.type(screen.getByLabelText('Name'), '!')
  await save()
  expect(await screen.findByText('Enter what the button says.')).toBeVisible()
  expect(screen.getByText(/2 things are missing/)).toBeVisible()
  expect(saved).toEqual([])
  await userEvent.type(screen.getByLabelText('Label'), 'Read')
  await userEvent.type(screen.getByLabelText('Address'), '/events')
  await save()
  await waitFor(() => expect(saved).toHaveLength(1))
  expect(saved[0]?.body?.blocks).toEqual([{ type: 'button', label: 'Read', href: '/events' }])
})

test('a merge field is put where the cursor is, with what stands there instead', async () => {
  await opened()
  const subject = screen.getByLabelText('Subject')
  await userEvent.type(subject, ' for ')
  await userEvent.click(screen.getByRole('button', { name: 'Merge field for Subject' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'First name' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'First name' }))
  await userEvent.type(dialog.getByLabelText('What stands there for people without one'), 'you')
  await userEvent.click(dialog.getByRole('button', { name: 'Insert' }))
  await waitFor(() => expect(subject).toHaveValue('News for {{first_name | you}}'))
})

test('an unknown merge field is told with its place, and what stays empty', async () => {
  const { previewed } = await opened({ ...newsletter, subject: 'For {{frist_name}}' })
  await toPreview()
  expect(await screen.findByText('Subject, character 5: there is no merge field “frist_name”.')).toBeVisible()
  expect(await screen.findByText('Stays empty for this person: Chapter')).toBeVisible()
  expect(previewed[0]).toMatchObject({ subject: 'For {{frist_name}}' })
})

test('the preview stands in a frame that may do nothing, and there is one in plain text', async () => {
  await opened()
  await toPreview()
  const frame = await screen.findByTitle('The message')
  expect(frame).toHaveAttribute('sandbox', '')
  await waitFor(() => expect(frame.getAttribute('srcdoc')).toContain('data-s="0"'))
  expect(frame.getAttribute('srcdoc')).not.toMatch(/ style="| href=/)
  await userEvent.click(screen.getByRole('radio', { name: 'Plain text' }))
  expect(await screen.findByText('Plain words')).toBeVisible()
})

test('a picture is uploaded and needs words, unless it is decorative', async () => {
  const { saved } = await opened({ ...newsletter, body: { blocks: [] } })
  await userEvent.click(screen.getByRole('button', { name: 'Add a block at the beginning of the message' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Picture' }))
  await userEvent.upload(screen.getByLabelText('Picture file'), new File(['x'], 'a.png', { type: 'image/png' }))
  await screen.findByRole('button', { name: 'Choose another picture' })
  await save()
  expect(await screen.findByText('Describe the picture, or mark it as decorative.')).toBeVisible()
  await userEvent.click(screen.getByRole('checkbox', { name: /^Decorative/ }))
  await save()
  await waitFor(() => expect(saved).toHaveLength(1))
  expect(saved[0]?.body?.blocks).toEqual([{ type: 'picture', fileId: uuid(71), alt: '', decorative: true, href: null, width: 'full' }])
})

test('two columns have blocks of their own', async () => {
  const { saved } = await opened({ ...newsletter, body: { blocks: [{ type: 'columns', left: [], right: [] }] } })
  await userEvent.click(screen.getByRole('button', { name: 'Add a block at the beginning of left column' }))
  expect(screen.queryByRole('menuitem', { name: 'Two columns' })).not.toBeInTheDocument()
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Divider' }))
  await save()
  await waitFor(() => expect(saved).toHaveLength(1))
  expect(saved[0]?.body?.blocks).toEqual([{ type: 'columns', left: [{ type: 'divider' }], right: [] }])
})

test('whoever may not change a template sees what it looks like', async () => {
  const { handlers } = kept({ ...newsletter, may: { edit: false } })
  renderPath(`/communication/templates?open=${newsletter.id}`, handlers, { holding: ['messages.write'] })
  expect(await screen.findByTitle('The message')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Save' })).not.toBeInTheDocument()
})
