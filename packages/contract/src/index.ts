import { accountData } from './features/account.ts'

export const dataContract = { account: accountData }
export const actionsContract = {}
