import { t } from '@lingui/core/macro'
import { useApi } from '../../platform/api/api.tsx'
import { usePaletteCommands, usePaletteRecords } from '../../platform/navigation/palette.ts'
import { useCan } from '../../platform/session/session.ts'
import { statusWords } from './emails/messages-words.ts'

/** Lets the palette begin an e-mail, and open one by its name or subject. */
export function CommunicationPaletteSource() {
  return useCan('messages.write') ? <Messages /> : null
}

function Messages() {
  const { list } = useApi().data.communication.messages
  const page = '/communication'
  usePaletteCommands([
    { id: 'view:emails', label: t`E-mails`, hint: t`Communication`, to: `${page}/emails`, onlyAsked: true },
    { id: 'view:audiences', label: t`Audiences`, hint: t`Communication`, to: `${page}/audiences`, onlyAsked: true },
    { id: 'view:templates', label: t`Templates`, hint: t`Communication`, to: `${page}/templates`, onlyAsked: true },
    { id: 'view:automations', label: t`Automations`, hint: t`Communication`, to: `${page}/automations`, onlyAsked: true },
    { id: 'view:topics', label: t`Topics`, hint: t`Communication`, to: `${page}/topics`, onlyAsked: true },
  ])
  usePaletteRecords({
    group: t`E-mails`,
    search: async (q, signal) => {
      const { items } = await list.call({ q, sort: '-createdAt', limit: 5 }, { signal })
      const words = statusWords()
      return items.map(({ id, name, status }) => ({
        id: `message:${id}`,
        label: name,
        hint: words[status].label,
        to: `${page}/emails?message=${id}`,
      }))
    },
  })
  return null
}
