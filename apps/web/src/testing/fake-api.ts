import { actionsContract, dataContract } from '@guildhall/contract'
import type { Me } from '@guildhall/contract/features/account'
import { permissions } from '@guildhall/contract/permissions'
import type { Permission } from '@guildhall/contract/permissions'
import type { ClientLink } from '@orpc/client'
import { createORPCClient, ORPCError } from '@orpc/client'
import { call, implement, isProcedure } from '@orpc/server'
import type { AnyProcedure } from '@orpc/server'
import type { CallContext } from '../platform/api/api.tsx'
import { apiFrom } from '../platform/api/api.tsx'
import type { ActionsClient, Api, DataClient } from '../platform/api/api.tsx'
import { problemOf } from '../platform/api/problem.ts'

/** `fake.data.people.list.handler(({ input }) => …)`: input and answer are checked against the contract, as the server's are. */
export const fake = { data: implement(dataContract), actions: implement(actionsContract) }

/** Only what the test is about; anything else that is called fails by name. */
export type Handlers = { data?: Fakes; actions?: Fakes }
type Fakes = { [name: string]: Fakes | AnyProcedure }

const held = (names: readonly Permission[]) =>
  names.map((permission) => ({ permission, everywhere: true, chapters: [], groups: [], records: [] }))
const all = Object.keys(permissions).filter((name): name is Permission => Object.hasOwn(permissions, name))

/** The owner of a small organisation; pass less to be somebody else. */
export const me = (holding: readonly Permission[] = all): Me => ({
  account: { id: uuid(1), email: 'owner@demo.example', name: 'Olive Owner', preferences: {}, lastLoginAt: null, version: 1 },
  person: { id: uuid(2), displayName: 'Olive Owner', pictureId: null, homeChapter: null },
  organisation: { id: uuid(3), name: 'Demo Society', logoId: null, locale: 'en', timezone: 'Europe/Lisbon', currency: 'EUR' },
  permissions: held(holding),
})

/** A valid id that is the same in every run. */
export const uuid = (number: number) => `0190a000-0000-7000-8000-${String(number).padStart(12, '0')}`

export function fakeApi({ data, actions }: Handlers, holding?: readonly Permission[]): Api {
  const account = {
    me: fake.data.account.me.handler(() => me(holding)),
    updateLogin: fake.data.account.updateLogin.handler(() => {}),
    changes: fake.data.account.changes.handler(async function* () {}),
  }
  const site = { menu: fake.data.site.menu.handler(() => ({ pins: [], waiting: { home: 0, account: 0 } })) }
  const notifications = { count: fake.data.notifications.count.handler(() => ({ unread: 0 })) }
  const current = fake.data.communication.announcements.current.handler(() => ({ items: [], unread: 0, nextChangeAt: null }))
  return apiFrom(
    createORPCClient<DataClient>(
      linkTo('data', {
        account,
        ...data,
        site: Object.assign(site, data?.['site']),
        communication: Object.assign({ announcements: { current } }, data?.['communication']),
        notifications: Object.assign(notifications, data?.['notifications']),
      }),
    ),
    createORPCClient<ActionsClient>(linkTo('actions', { ...actions })),
  )
}

const linkTo = (api: string, router: object): ClientLink<CallContext> => ({
  async call(path, input, { signal }) {
    const procedure: unknown = path.reduce<unknown>(
      (part, key) => (typeof part === 'object' && part !== null ? Reflect.get(part, key) : undefined),
      router,
    )
    if (!isProcedure(procedure)) throw new Error(`${api}.${path.join('.')} has no fake in this test`)
    try {
      return await call(procedure, input, { context: {}, ...(signal && { signal }) })
    } catch (failure) {
      throw failure instanceof ORPCError ? await failed(failure) : failure
    }
  },
})

const failed = async ({ status, message, data }: ORPCError<string, unknown>) =>
  problemOf(status, typeof data === 'object' && data !== null ? { ...data } : {}, { title: message, requestId: 'test-request' })
