import { demoPassword, nameOf, newcomerDomain, type DemoPerson } from './demo-people.ts'
import { html } from './html.ts'
import { page, type Page } from './page.ts'

type Login = { people: readonly DemoPerson[]; appUrl: string; email?: string; fault?: string }

/** A form post ends with a redirect to the application, which a content security policy counts as part of the form's action. */
const formTo = (appUrl: string) => ({ 'form-action': `'self' ${new URL(appUrl).origin}` })

/** Sign in with e-mail and password, or choose one of the demo people to have both filled in. */
export const loginPage = ({ people, appUrl, email = '', fault }: Login): Page =>
  page({
    title: fault ? 'Not signed in – Guildhall' : 'Sign in – Guildhall',
    policy: formTo(appUrl),
    style: loginStyle,
    script: loginScript,
    body: html`<main class="login">
      <form method="post" class="card" aria-labelledby="title">
        <div>
          <h1 id="title">Sign in to Guildhall</h1>
          <p class="dim">Development sign-in, on this machine only.</p>
        </div>
        ${fault ? html`<p class="alert" role="alert" id="fault">${fault}</p>` : undefined}
        <div>
          <label for="email">Email</label>
          <input
            id="email"
            name="email"
            type="email"
            autocomplete="username"
            required
            ${email ? undefined : html`autofocus`}
            value="${email}"
            ${fault ? html`aria-describedby="fault"` : undefined}
          />
        </div>
        <div>
          <label for="password">Password</label>
          <input
            id="password"
            name="password"
            type="password"
            autocomplete="current-password"
            required
            ${email ? html`autofocus` : undefined}
            ${fault ? html`aria-invalid="true" aria-describedby="fault"` : undefined}
          />
        </div>
        <button class="primary">Sign in</button>
      </form>
      <section class="card" aria-labelledby="people">
        <div>
          <h2 id="people">Demo people</h2>
          <p class="dim">Choose one to fill in the form. Everyone’s password is <strong>${demoPassword}</strong>.</p>
          <p class="dim">
            To sign in as somebody Guildhall does not know, such as a person you invited, use any address ending in
            <strong>@${newcomerDomain}</strong>.
          </p>
        </div>
        <ul>
          ${people.map(
            (person) =>
              html`<li>
                <button type="button" data-email="${person.email}" data-password="${demoPassword}">
                  <strong>${nameOf(person)}</strong> <span class="address">${person.email}</span>
                  <span class="about">${person.about}</span>
                </button>
              </li>`,
          )}
        </ul>
      </section>
    </main>`,
  })

const message = (appUrl: string, title: string, lines: readonly string[], link: string): Page =>
  page({
    title: `${title} – Guildhall`,
    body: html`<main class="center">
      <div class="card stack">
        <h1>${title}</h1>
        ${lines.map((line) => html`<p>${line}</p>`)}
        <p><a href="${appUrl}/">${link}</a></p>
      </div>
    </main>`,
  })

export const signedOutPage = (appUrl: string): Page =>
  message(appUrl, 'You are signed out', ['This browser no longer has a session here.'], 'Go to Guildhall')

export const outdatedPage = (appUrl: string): Page =>
  message(appUrl, 'This sign-in is out of date', ['It was started too long ago, finished already, or in another browser.'], 'Begin again')

export const welcomePage = (appUrl: string): Page =>
  message(appUrl, 'Development identity provider', ['It signs in the demo people of the application next door.'], 'Go to Guildhall')

export const errorPage = ({ code, description, appUrl }: { code: string; description?: string | undefined; appUrl: string }): Page =>
  message(
    appUrl,
    'Sign-in did not work',
    [`The identity provider refused the request: ${description ?? 'no reason given'} (${code}).`],
    'Go to Guildhall',
  )

/** Signs out at once when the application proves whom it asks for; anyone else's link only asks. */
export const signOutPage = ({ form, appUrl, isAsked }: { form: string; appUrl: string; isAsked: boolean }): Page =>
  page({
    title: 'Sign out – Guildhall',
    policy: formTo(appUrl),
    ...(isAsked ? {} : { script: "document.querySelector('[name=logout]').click()" }),
    body: html`<main class="center">
      <div class="card stack">
        <h1>${isAsked ? 'Sign out?' : 'Signing out'}</h1>
        <p>This ends your session at the identity provider, in every tab of this browser.</p>
        ${{ markup: form }}
        <button class="primary" form="op.logoutForm" name="logout" value="yes">Sign out</button>
        <p><a href="${appUrl}/">Stay signed in</a></p>
      </div>
    </main>`,
  })

const loginScript = `
for (const button of document.querySelectorAll('[data-email]')) button.addEventListener('click', () => {
  document.getElementById('email').value = button.dataset.email
  document.getElementById('password').value = button.dataset.password
  document.querySelector('form button').focus()
})`

const loginStyle = `
.login { min-height: 100vh; display: grid; gap: 24px; padding: 24px 16px; justify-content: center; align-content: center; align-items: start; grid-template-columns: minmax(0, 420px) }
.login .card { display: grid; gap: 16px; align-content: start }
.login ul { list-style: none; margin: 0; padding: 0; display: grid; gap: 8px }
.login li button { width: 100%; text-align: start; display: flex; flex-wrap: wrap; justify-content: space-between; column-gap: 8px; padding: 8px 12px; border-color: var(--line) }
.login li button:hover { background: var(--tint) }
.login strong { font-weight: 600 }
.login .address { color: var(--dim) }
.login .about { flex-basis: 100%; color: var(--dim) }
@media (min-width: 900px) { .login { grid-template-columns: 360px 480px } }
`
