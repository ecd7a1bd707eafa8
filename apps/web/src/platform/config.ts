export type AppConfig = {
  issuer: string
  client_id: string
  project_resource_id: string | null
  org_id: string | null
  data_api: string
  actions_api: string
  auth_name: string
  auth_type: string
  monitor_session: boolean
  /** What the browser asks for at sign-in where the provider is none of Zitadel's kind; null for what follows from the project. */
  scopes: string | null
  /** Where the provider says who holds which role. */
  roles_claim: string | null
  feedback_form: boolean
  session_recording: boolean
  /** The installation traces requests: each says which trace it begins. */
  tracing: boolean
}

/** The only place that reads the server's settings; everything else is handed the parsed object. */
export async function loadConfig(): Promise<AppConfig> {
  const answer = await fetch('/config.json', { headers: { accept: 'application/json' } })
  if (!answer.ok) throw new Error(`config.json answered ${answer.status}`)
  return parseConfig(await answer.json())
}

/** By hand, as everything the first page checks: a validator would weigh more than all that it checks here. */
export function parseConfig(given: unknown): AppConfig {
  const read = (name: keyof AppConfig): unknown => (typeof given === 'object' && given !== null ? Reflect.get(given, name) : undefined)
  const optional = (name: keyof AppConfig) => {
    const value = read(name)
    return typeof value === 'string' && value !== '' ? value : null
  }
  const required = (name: keyof AppConfig) => {
    const value = optional(name)
    if (value === null) throw new Error(`config.json has no ${name}`)
    return value
  }
  const issuer = required('issuer')
  if (!URL.canParse(issuer)) throw new Error('issuer in config.json is no address')
  return {
    issuer,
    client_id: required('client_id'),
    project_resource_id: optional('project_resource_id'),
    org_id: optional('org_id'),
    data_api: required('data_api'),
    actions_api: required('actions_api'),
    auth_name: optional('auth_name') ?? 'zitadel',
    auth_type: optional('auth_type') ?? 'window',
    monitor_session: read('monitor_session') === true,
    scopes: optional('scopes'),
    roles_claim: optional('roles_claim'),
    feedback_form: read('feedback_form') === true,
    session_recording: read('session_recording') === true,
    tracing: read('tracing') === true,
  }
}
