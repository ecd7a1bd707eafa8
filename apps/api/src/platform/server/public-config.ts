import type { Config } from '../config.ts'
import { rolesClaim } from '../sign-in/token-claims.ts'

/** What the browser needs to know before anyone has signed in; nothing secret. */
export function publicConfig(config: Config) {
  const base = config.PUBLIC_URL.replace(/\/$/, '')
  return {
    issuer: config.ISSUER,
    client_id: config.CLIENT_ID,
    project_resource_id: config.PROJECT_RESOURCE_ID,
    org_id: config.ORG_ID ?? null,
    data_api: `${base}/data`,
    actions_api: `${base}/actions`,
    auth_name: config.AUTH_NAME,
    auth_type: config.AUTH_TYPE,
    monitor_session: config.MONITOR_SESSION === 'on',
    session_recording: config.RECORDING === 'on',
    feedback_form: config.FEEDBACK === 'on',
    tracing: config.TRACES_URL !== undefined,
    roles_claim: rolesClaim(config),
    scopes: config.SCOPES ?? null,
  }
}
