import type { DemoPerson } from '@guildhall/db/demo'

export { demoPeople, type DemoPerson } from '@guildhall/db/demo'

/** Everyone's, and no secret: the provider that takes it is reached from this machine only. */
export const demoPassword = 'guildhall'
export const demoDomain = 'demo.example'
export const nameOf = ({ givenName, familyName }: DemoPerson): string => `${givenName} ${familyName}`
