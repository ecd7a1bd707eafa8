import { demoDomain, nameOf, type DemoPerson } from './demo-people.ts'

/** What the application and the provider agree on; the same names a Zitadel instance would use. */
export type IdentitySettings = {
  issuer: string
  appUrl: string
  clientId: string
  projectId: string
  orgId: string
  accessTokenSeconds: number
}

const claim = (name: string) => `urn:zitadel:iam:${name}`

/** Every scope the provider knows, with the claims it brings. Names with ids in them are only known for our own ids. */
export function scopeClaims({ projectId, orgId }: IdentitySettings): Record<string, string[]> {
  const resourceOwner = ['id', 'name', 'primary_domain'].map((part) => claim(`user:resourceowner:${part}`))
  return {
    openid: ['sub', 'azp'],
    offline_access: [],
    profile: ['name', 'given_name', 'family_name', 'preferred_username', 'locale', 'updated_at'],
    email: ['email', 'email_verified'],
    [claim(`org:project:id:${projectId}:aud`)]: [],
    [claim('org:projects:roles')]: [claim(`org:project:${projectId}:roles`), claim('org:project:roles')],
    [claim(`org:id:${orgId}`)]: resourceOwner,
    [claim('user:resourceowner')]: resourceOwner,
    [claim('user:metadata')]: [claim('user:metadata')],
  }
}

export const allScopes = (settings: IdentitySettings): string => Object.keys(scopeClaims(settings)).join(' ')

/** What an access token says about a person besides the subject: never the name or the e-mail address. */
export function reservedClaims({ projectId, orgId }: IdentitySettings, person: DemoPerson): Record<string, unknown> {
  const roles = Object.fromEntries(person.roles.map((role) => [role, { [orgId]: demoDomain }]))
  const roleClaims = { [claim(`org:project:${projectId}:roles`)]: roles, [claim('org:project:roles')]: roles }
  return {
    ...(person.roles.length > 0 ? roleClaims : {}),
    [claim('user:resourceowner:id')]: orgId,
    [claim('user:resourceowner:name')]: 'Guildhall demo',
    [claim('user:resourceowner:primary_domain')]: demoDomain,
    [claim('user:metadata')]: { account: Buffer.from('demo').toString('base64url') },
  }
}

/** What the user-info endpoint adds. */
export const profileClaims = (person: DemoPerson): Record<string, unknown> => ({
  name: nameOf(person),
  given_name: person.givenName,
  family_name: person.familyName,
  preferred_username: person.email,
  locale: 'en',
  email: person.email,
  email_verified: true,
})
