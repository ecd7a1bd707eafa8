type RolesConfig = { project_resource_id?: string | null | undefined; roles_claim?: string | null }

const projectRolesClaim = (projectId: string) => `urn:zitadel:iam:org:project:${projectId}:roles`

/**
 * The claim is an object keyed by role, a list of such objects or, as other providers have it, of names. Own keys only, so that
 * "constructor" is no role. Which role counts here is for the server to say, which compares who granted it.
 */
export function hasRole(profile: object | undefined, { project_resource_id: projectId, roles_claim: name }: RolesConfig, role: string) {
  if (!projectId) throw new Error('projectResourceID is required for hasRole')
  const claim = claimAt(profile, name ?? projectRolesClaim(projectId))
  const holders: unknown[] = Array.isArray(claim) ? claim : [claim]
  return holders.some((holder) => (typeof holder === 'object' && holder !== null ? Object.hasOwn(holder, role) : holder === role))
}

/** A claim by its name or, as Keycloak nests them, by a path such as resource_access.guildhall.roles. */
function claimAt(profile: unknown, name: string): unknown {
  const own = (from: unknown, key: string): unknown =>
    typeof from === 'object' && from !== null && Object.hasOwn(from, key) ? Reflect.get(from, key) : undefined
  return own(profile, name) ?? name.split('.').reduce(own, profile)
}
