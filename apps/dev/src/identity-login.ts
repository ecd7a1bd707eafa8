import type { IncomingMessage, ServerResponse } from 'node:http'
import { errors, type Provider } from 'oidc-provider'
import { demoPassword, personByEmail, type DemoPerson } from './demo-people.ts'
import { loginPage, outdatedPage } from './identity-pages.ts'
import { readForm, type Reply } from './local-server.ts'

type Login = { request: IncomingMessage; response: ServerResponse; provider: Provider; appUrl: string; people: readonly DemoPerson[] }

/** The page that asks who is there, and the answer to it. */
export async function answerLogin({ request, response, provider, appUrl, people }: Login): Promise<Reply | undefined> {
  try {
    const { params } = await provider.interactionDetails(request, response)
    if (request.method !== 'POST') {
      const hint = typeof params['login_hint'] === 'string' ? params['login_hint'] : ''
      return loginPage({ people, appUrl, email: hint })
    }
    const form = await readForm(request)
    const email = (form.get('email') ?? '').trim()
    const person = personByEmail(people, email)
    if (person && form.get('password') === demoPassword) {
      await provider.interactionFinished(request, response, { login: { accountId: person.sub, remember: true, amr: ['pwd'] } })
      return undefined
    }
    const fault = person ? 'That password is wrong.' : 'There is no demo person with that email address.'
    return { status: 400, ...loginPage({ people, appUrl, email, fault }) }
  } catch (error) {
    if (!(error instanceof errors.SessionNotFound)) throw error
    return { status: 400, ...outdatedPage(appUrl) }
  }
}
