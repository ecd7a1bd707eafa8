import { html, type Html } from './html.ts'
import { page, type Page } from './page.ts'
import type { Intent, Method, PaymentEvent, PaymentState, Payout, Session } from './payment-store.ts'

/** The page on which somebody pays, in place of the provider's own. */
export const payPage = (session: Session, declined: boolean): Page =>
  page({
    title: `Pay ${moneyOf(session)} – Test payments`,
    style,
    policy: { 'form-action': '*' },
    body: html`<main class="center">
      <div class="card stack">
        <h1>${session.text}</h1>
        <p class="amount">${moneyOf(session)}</p>
        <p class="dim">This page stands for the payment provider on this machine. No money moves.</p>
        ${declined && html`<p class="alert" role="alert">Your card was declined. Try another one.</p>`}
        <form method="post" class="stack">
          <button class="primary" name="outcome" value="pays">Pay</button>
          <button name="outcome" value="declined">Card is declined</button>
          <button name="outcome" value="confirms">Bank asks for confirmation</button>
          <button name="outcome" value="disputed">Pay, and dispute it later</button>
        </form>
        <p><a href="${session.cancelUrl}">Back without paying</a></p>
      </div>
    </main>`,
  })

/** What a bank shows in between. */
export const confirmPage = (session: Session): Page =>
  page({
    title: `Confirm ${moneyOf(session)} – Test payments`,
    style,
    policy: { 'form-action': '*' },
    body: html`<main class="center">
      <div class="card stack">
        <h1>Confirm this payment</h1>
        <p>Your bank asks whether you pay ${moneyOf(session)} for “${session.text}”.</p>
        <form method="post" class="stack">
          <button class="primary" name="outcome" value="confirmed">Confirm</button>
          <button name="outcome" value="declined">Do not confirm</button>
        </form>
      </div>
    </main>`,
  })

export const overPage = (session: Session | undefined): Page =>
  page({
    title: 'Nothing to pay – Test payments',
    style,
    body: html`<main class="center">
      <div class="card stack">
        <h1>Nothing to pay here</h1>
        <p>${session?.status === 'complete' ? 'This was paid.' : 'This page has expired.'}</p>
        ${session && html`<p><a href="${session.status === 'complete' ? session.successUrl : session.cancelUrl}">Go back</a></p>`}
      </div>
    </main>`,
  })

/** Payments and what the application was told of them, with everything that can go wrong on the way at hand. */
export const deskPage = (state: PaymentState): Page =>
  page({
    title: 'Test payments – Guildhall',
    style,
    body: html`<main class="desk">
      <header>
        <h1>Test payments</h1>
        <p class="dim">This stands for the payment provider on this machine. No money moves.</p>
      </header>
      ${webhooks(state)} ${payments(state)} ${payouts(state)} ${cards(state)}
    </main>`,
  })

function webhooks({ events, isHeld }: PaymentState): Html {
  const waiting = events.filter(({ delivery }) => delivery === 'waiting' || delivery === 'failed')
  const past = events.filter(({ delivery }) => delivery === 'delivered' || delivery === 'dropped').slice(-20)
  return html`<section aria-labelledby="webhooks">
    <h2 id="webhooks">Webhooks</h2>
    <form method="post" action="/webhooks" class="row">
      <button name="do" value="${isHeld ? 'release' : 'hold'}">${isHeld ? 'Stop holding back' : 'Hold back'}</button>
      <button name="do" value="deliver">Deliver now</button>
      <button name="do" value="twice">Deliver twice</button>
      <button name="do" value="reverse">Reverse order</button>
    </form>
    <p role="status">${isHeld ? 'New webhooks are held back.' : 'Webhooks are delivered at once.'} ${countOf(waiting.length)}</p>
    ${waiting.length > 0 && listOf('Waiting', waiting)} ${past.length > 0 && listOf('Past', past.toReversed())}
  </section>`
}

const countOf = (waiting: number): string => (waiting === 1 ? '1 webhook is waiting.' : `${waiting} webhooks are waiting.`)

const listOf = (title: string, events: readonly PaymentEvent[]): Html =>
  html`<h3>${title}</h3>
    <ol>
      ${events.map(
        ({ id, type, delivery, attempts, answer }) =>
          html`<li class="card line">
            <span>${type} <span class="dim">${delivery}${attempts > 0 ? `, ${attempts} × sent, answer ${answer ?? ''}` : ''}</span></span>
            <form method="post" action="/webhooks" class="row">
              <input type="hidden" name="event" value="${id}" />
              <button name="do" value="deliver">Deliver</button>
              <button name="do" value="twice">Twice</button>
              ${delivery !== 'delivered' && html`<button name="do" value="drop">Lose</button>`}
            </form>
          </li>`,
      )}
    </ol>`

function payments({ intents, disputes, refunds }: PaymentState): Html {
  const row = (intent: Intent) => {
    const dispute = disputes.find((one) => one.intent === intent.id)
    const refunded = refunds.filter((one) => one.intent === intent.id).reduce((sum, one) => sum + one.amount, 0)
    return html`<li class="card line">
      <span>
        ${moneyOf(intent)} ${intent.text ?? ''} <span class="dim">${intent.status}${refunded > 0 ? `, ${refunded} refunded` : ''}</span>
        ${dispute && html`<span class="dim">dispute: ${dispute.status}</span>`}
      </span>
      <form method="post" action="/payments" class="row">
        <input type="hidden" name="intent" value="${intent.id}" />
        ${intent.status === 'succeeded' && !dispute && html`<button name="do" value="dispute">Dispute</button>`}
        ${dispute?.status === 'needs_response' && html`<button name="do" value="won">Dispute is won</button><button name="do" value="lost">Dispute is lost</button>`}
      </form>
    </li>`
  }
  return html`<section aria-labelledby="payments">
    <h2 id="payments">Payments</h2>
    ${
      intents.length > 0
        ? html`<ol>
            ${intents.toReversed().slice(0, 50).map(row)}
          </ol>`
        : html`<p class="card">No payments yet.</p>`
    }
  </section>`
}

function payouts({ payouts: all, denied }: PaymentState): Html {
  const row = ({ id, status, arrival, ...money }: Payout) =>
    html`<li class="card line">
      <span>${moneyOf(money)} <span class="dim">${status}, arrives on ${new Date(arrival * 1000).toISOString().slice(0, 10)}</span></span>
      <form method="post" action="/payouts" class="row">
        <input type="hidden" name="payout" value="${id}" />
        ${status === 'pending' && html`<button name="status" value="in_transit">Is on its way</button>`}
        ${status !== 'failed' && status !== 'canceled' && html`<button name="status" value="paid">Arrives</button><button name="status" value="failed">Is sent back</button>`}
      </form>
    </li>`
  return html`<section aria-labelledby="payouts">
    <h2 id="payouts">Payouts</h2>
    <form method="post" action="/payouts" class="row">
      <button name="do" value="pay-out">Pay out now</button>
      <button name="do" value="${denied.length > 0 ? 'allow' : 'deny'}">
        ${denied.length > 0 ? 'Let the key read fees and payouts' : 'Keep fees and payouts from the key'}
      </button>
    </form>
    ${
      all.length > 0
        ? html`<ol>
            ${all.toReversed().slice(0, 20).map(row)}
          </ol>`
        : html`<p class="card">No payouts yet.</p>`
    }
  </section>`
}

function cards({ methods }: PaymentState): Html {
  const saved = methods.filter(({ customer }) => customer !== null)
  const row = ({ id, brand, last4, behaviour }: Method) =>
    html`<li class="card line">
      <span>${brand} ${last4} <span class="dim">${says[behaviour]}</span></span>
      <form method="post" action="/cards" class="row">
        <input type="hidden" name="card" value="${id}" />
        <button name="behaviour" value="pays">Pays</button>
        <button name="behaviour" value="declines">Is declined</button>
        <button name="behaviour" value="confirms">Needs confirmation</button>
      </form>
    </li>`
  return html`<section aria-labelledby="cards">
    <h2 id="cards">Saved cards</h2>
    ${
      saved.length > 0
        ? html`<ol>
            ${saved.toReversed().map(row)}
          </ol>`
        : html`<p class="card">No saved cards.</p>`
    }
  </section>`
}

const says = { pays: 'pays when charged', declines: 'is declined when charged', confirms: 'needs confirmation when charged' }

const moneyOf = ({ amount, currency }: { amount: number; currency: string }): string => {
  const code = currency.toUpperCase() || 'XXX'
  const { maximumFractionDigits: decimals = 2 } = new Intl.NumberFormat('en', { style: 'currency', currency: code }).resolvedOptions()
  return new Intl.NumberFormat('en', { style: 'currency', currency: code }).format(amount / 10 ** decimals)
}

const style = `
.amount { font-size: 24px; line-height: 32px; font-weight: 600 }
.desk { max-width: 960px; margin: 0 auto; padding: 24px 16px; display: grid; gap: 24px }
.desk section { display: grid; gap: 8px }
.desk ol { list-style: none; margin: 0; padding: 0; display: grid; gap: 8px }
.desk .card { padding: 12px 16px; overflow-wrap: anywhere }
.line { display: flex; flex-wrap: wrap; gap: 8px 16px; justify-content: space-between; align-items: center }
.row { display: flex; flex-wrap: wrap; gap: 8px }
h3 { margin: 0; font-size: 14px; line-height: 20px; font-weight: 600 }
.stack button { width: 100% }
`
