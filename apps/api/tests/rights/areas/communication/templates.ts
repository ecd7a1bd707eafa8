import type { communicationActions, communicationData } from '@guildhall/contract/features/communication'
import { documentOf } from '@guildhall/contract/formatted-document'
import { may } from '../../line.ts'
import type { AreaRows, PolicyOf } from '../../line.ts'
import { right } from '../../grid.ts'
import { rights } from '../../rights.ts'

export const templatesRights = {
  /** Group leaders do so for their groups. */
  writeTemplates: right(
    'Write and change templates of messages, and add pictures for messages',
    `                west below east org
     officer         x    x     -    -
     communications  x    x     x    x
     admin           x    x     x    x
     owner           x    x     x    x`,
  ),
  previewMessages: right(
    'Preview a message as a person whom they see',
    `                own west below east
     leader          x   x    x     x
     officer         x   x    x     x
     communications  .   x    x     x
     admin           .   x    x     x
     owner           .   x    x     x`,
  ),
}
const { writeTemplates, previewMessages } = templatesRights

export const templatesKinds = { template: writeTemplates }

export const templatesRows: AreaRows = async ({ add, orgId, chapterId, canary }) => {
  const words = canary('template')
  const template = {
    ...{ org_id: orgId, chapter_id: chapterId, name: words, subject: words, preheader: words },
    body: { blocks: [{ type: 'text', text: documentOf(words) }] },
    outline: JSON.stringify([{ type: 'text', words }]),
  }
  return {
    templateId: await add('message_templates', template),
    archivedTemplateId: await add('message_templates', { ...template, archived_at: new Date() }),
  }
}

export const templatesPolicy: Pick<PolicyOf<typeof communicationData>, 'templates' | 'messagePictures'> = {
  templates: {
    list: may(rights.account, { shows: ['template'] }),
    get: may(writeTemplates, { shows: ['template'] }),
    create: may(writeTemplates, { send: { name: 'New', chapterId: '$chapterId' } }),
    update: may(writeTemplates, { send: { name: 'New' } }),
    copy: may(writeTemplates, { send: { name: 'Copy', chapterId: '$chapterId' } }),
    archive: may(writeTemplates),
    restore: may(writeTemplates, { ids: { templateId: 'archivedTemplateId' } }),
  },
  messagePictures: { add: may(writeTemplates, { send: { chapterId: '$chapterId' } }) },
}

export const templatesActionsPolicy: Pick<PolicyOf<typeof communicationActions>, 'messagePreview'> = {
  messagePreview: may(previewMessages, { send: { personId: '$personId', body: { blocks: [] } }, changesNothing: true }),
}
