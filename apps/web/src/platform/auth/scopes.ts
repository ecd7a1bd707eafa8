/** The scopes follow from what is configured: a project for roles and audience, an organisation to sign in to. */
export function scopesFor(projectId: string | null | undefined, orgId: string | null | undefined) {
  const scopes = ['openid', 'profile', 'email', 'offline_access']
  if (projectId) scopes.push(`urn:zitadel:iam:org:project:id:${projectId}:aud`, 'urn:zitadel:iam:org:projects:roles')
  if (orgId) scopes.push(`urn:zitadel:iam:org:id:${orgId}`)
  scopes.push('urn:zitadel:iam:user:metadata')
  return scopes.join(' ')
}
