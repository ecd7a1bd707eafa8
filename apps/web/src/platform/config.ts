import * as z from 'zod/mini'

const AppConfig = z.object({
  issuer: z.url(),
  client_id: z.string().check(z.minLength(1)),
  project_resource_id: z.nullish(z.string()),
  org_id: z.nullish(z.string()),
  data_api: z.string().check(z.minLength(1)),
  actions_api: z.string().check(z.minLength(1)),
  auth_name: z._default(z.string(), 'zitadel'),
  auth_type: z._default(z.enum(['window', 'popup']), 'window'),
})
export type AppConfig = z.infer<typeof AppConfig>

/** The only place that reads the server's settings; everything else is handed the parsed object. */
export async function loadConfig(): Promise<AppConfig> {
  const answer = await fetch('/config.json', { headers: { accept: 'application/json' } })
  if (!answer.ok) throw new Error(`config.json answered ${answer.status}`)
  return AppConfig.parse(await answer.json())
}
