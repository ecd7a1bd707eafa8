/** Every figure of the sign-in specification, in one place. */
export const authConstants = {
  silentRequestTimeoutSeconds: 10,
  popupClosedCheckMs: 500,
  popupWindow: { width: 500, height: 500, left: 100, top: 100, location: false, toolbar: false },
  expiringNoticeSeconds: 60,
  sessionCheckSeconds: 2,
  retryMs: 5000,
  staleStateSeconds: 900,
  clockSkewSeconds: 300,
  requestTimeoutSeconds: 10,
  revokeTimeoutMs: 3000,
  responseType: 'code',
} as const

export const projectRolesClaim = (projectId: string) => `urn:zitadel:iam:org:project:${projectId}:roles`

/** The scopes follow from what is configured: a project for roles and audience, an organisation to sign in to. */
export function scopesFor(projectId: string | null | undefined, orgId: string | null | undefined) {
  const scopes = ['openid', 'profile', 'email', 'offline_access']
  if (projectId) scopes.push(`urn:zitadel:iam:org:project:id:${projectId}:aud`, 'urn:zitadel:iam:org:projects:roles')
  if (orgId) scopes.push(`urn:zitadel:iam:org:id:${orgId}`)
  scopes.push('urn:zitadel:iam:user:metadata')
  return scopes.join(' ')
}
