import { notificationKinds } from '@guildhall/contract/features/notifications'
import { listPage } from '../../platform/lists/list-page.ts'
import { problem } from '../../platform/procedures/problem.ts'
import { data } from '../../platform/procedures/procedures.ts'
import { markRead, notificationsList, preferencesOf, preferencesQuery, setPreference, unreadCount } from './notifications.queries.ts'

const { notifications } = data

export const notificationsData = notifications.router({
  list: notifications.list.handler(({ input, context }) => listPage(context, notificationsList(input), input)),
  count: notifications.count.handler(async ({ context }) => {
    const [row] = await context.read(unreadCount())
    return { unread: row?.unread ?? 0 }
  }),
  read: notifications.read.handler(({ input: { ids, read = true }, context }) =>
    context.inTx(async (db) => ({ unread: await markRead(db, ids, read) })),
  ),
  preferences: notifications.preferences.handler(async ({ context }) => {
    const [row] = await context.read(preferencesQuery())
    return { items: preferencesOf(row?.chosen ?? []) }
  }),
  prefer: notifications.prefer.handler(({ input: { kind, inInbox, mail }, context }) =>
    context.inTx(async (db) => {
      const { essential } = notificationKinds[kind]
      if (essential)
        throw problem('CONFLICT', {
          reason: 'notification_essential',
          detail: 'This notification is essential and cannot be switched off.',
        })
      await setPreference(db, context.actor.orgId, { kind, inInbox, mail })
      return { kind, inInbox, mail, essential }
    }),
  ),
})
