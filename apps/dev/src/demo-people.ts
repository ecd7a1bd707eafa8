import type { DemoPerson } from '@guildhall/db/demo'

export { demoPeople, type DemoPerson } from '@guildhall/db/demo'

/** Everyone's, and no secret: the provider that takes it is reached from this machine only. */
export const demoPassword = 'guildhall'
export const demoDomain = 'demo.example'
export const nameOf = ({ givenName, familyName }: DemoPerson): string => `${givenName} ${familyName}`

/** Whoever signs in with an address here is new: the provider knows them from then on, the application knows nothing of them. */
export const newcomerDomain = 'new.example'
const newcomerSub = /^new-([a-z0-9][a-z0-9._-]{0,60})$/

/** Somebody whom the provider signs in, by their subject: one of its people, or a newcomer, who is nothing but their address. */
export function personBySub(people: readonly DemoPerson[], sub: string | undefined): DemoPerson | undefined {
  const known = people.find((person) => person.sub === sub)
  const name = known ? undefined : newcomerSub.exec(sub ?? '')?.[1]
  if (name === undefined) return known
  const [given = '', ...family] = name.split(/[._-]+/).map((part) => part.charAt(0).toUpperCase() + part.slice(1))
  return {
    ...{ sub: `new-${name}`, email: `${name}@${newcomerDomain}` },
    ...{ givenName: given, familyName: family.join(' ') || 'Newcomer' },
    about: 'Somebody whom the application does not know yet',
    roles: [],
  }
}

export function personByEmail(people: readonly DemoPerson[], email: string): DemoPerson | undefined {
  const address = email.toLowerCase()
  const [name = '', domain] = address.split('@')
  return people.find((person) => person.email === address) ?? (domain === newcomerDomain ? personBySub([], `new-${name}`) : undefined)
}
