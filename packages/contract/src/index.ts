import { accountData } from './features/account.ts'
import { listsActions, listsData } from './features/lists.ts'
import { peopleActions, peopleData } from './features/people.ts'

export const dataContract = { account: accountData, people: peopleData, lists: listsData }
export const actionsContract = { people: peopleActions, lists: listsActions }
