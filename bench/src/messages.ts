/**
 * `npm run bench:messages`: how soon a message begins to leave, how many mails a minute leave, against a bare pool of connections in the same run,
 * and how long reports take beside many deliveries. `npm run bench:messages -- --people 2000 --deliveries 100000` gives an answer in a minute.
 */
import { generateKeyPairSync } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createTransport } from 'nodemailer'
import { answerOf, latency } from './load.ts'
import type { Call } from './load.ts'
import { startSink } from './mail-sink.ts'
import type { MailSink } from './mail-sink.ts'
import { addDeliveries, planMessage, subject } from './message-rows.ts'
import { memoryOf } from './programs.ts'
import { log, onStage } from './on-stage.ts'
import { missed, round, table } from './report.ts'
import type { Stage } from './stage.ts'

const { values } = parseArgs({
  options: {
    people: { type: 'string', default: '10000' },
    deliveries: { type: 'string', default: '1000000,10000000' },
    /** Ends the message after so many mails; what is measured by then counts. */
    mails: { type: 'string', default: '1000000000' },
  },
})
const people = Number(values.people)
const most = Number(values.mails)
const sizes = values.deliveries.split(',').map(Number).filter((size) => size > 0) // prettier-ignore
if (!people || !most) throw new Error('Give whole numbers: --people 10000 --deliveries 1000000,10000000 --mails 50000')

const dkim = { domainName: 'example.org', keySelector: 'bench' }
const privateKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

/** Sends a message to everybody; when the first mail was there, how many a minute followed, and what the worker took. */
async function timeSending(stage: Stage, sink: MailSink) {
  const planned = performance.now()
  const id = await planMessage(stage)
  const samples: { mails: number; megabytes: number }[] = []
  const isOver = async () => {
    const { rows } = await stage.admin.query<{ status: string }>(`select status from app.messages where id = $1`, [id])
    return rows[0] !== undefined && !['scheduled', 'sending'].includes(rows[0].status)
  }
  while (sink.mails < most && !(await isOver())) {
    await sleep(500)
    if (sink.mails > 0) samples.push({ mails: sink.mails, megabytes: memoryOf(stage.worker.pid)?.now ?? 0 })
    if (samples.length % 20 === 1) log(`${round(sink.mails)} mails`)
  }
  const found = { id, mails: sink.mails, seconds: (sink.lastAt - sink.firstAt) / 1_000, startSeconds: (sink.firstAt - planned) / 1_000 }
  await stage.admin.query(`update app.messages set status = 'cancelled' where id = $1 and status = 'sending'`, [id])
  const at = (share: number) => samples[Math.min(samples.length - 1, Math.floor(samples.length * share))]?.megabytes ?? 0
  return {
    ...found,
    perMinute: (found.mails / found.seconds) * 60,
    early: at(0.2),
    late: at(1),
    peak: memoryOf(stage.worker.pid)?.peak ?? 0,
  }
}

/** The same mail by nodemailer alone: as many connections, signed as well. */
async function timeBare(sink: MailSink, count: number) {
  const text = sink.sample.slice(sink.sample.indexOf('\r\n\r\n') + 4)
  sink.reset()
  const pool = createTransport({ url: sink.url, pool: true, maxConnections: 5, maxMessages: 100, dkim: { ...dkim, privateKey } })
  let next = 0
  const begun = performance.now()
  await Promise.all(
    Array.from({ length: 10 }, async () => {
      while (next < count) {
        const nth = next++
        await pool.sendMail({ from: 'bench@example.org', to: `m${nth}@example.org`, subject, text: `${nth} ${text.slice(0, text.length / 3)}`, html: `<p>${nth}</p>${text}` }) // prettier-ignore
      }
    }),
  )
  pool.close()
  return (count / (performance.now() - begun)) * 60_000
}

async function timeReports(stage: Stage, deliveries: number) {
  const id = await addDeliveries(stage, deliveries)
  const headers = await stage.as('owner')
  const answers: { what: string; p50: number; p95: number }[] = []
  for (const [what, path] of [
    ['overview', 'messages-overview'],
    ['report of one message', `messages/${id}/report`],
    ['list of e-mails', 'messages?limit=50'],
    ['recipients, first page', `messages/${id}/deliveries?limit=50`],
  ] as const) {
    const call: Call = { url: `${stage.apiUrl}/data/${path}`, headers }
    await answerOf(call)
    const { p50, p95 } = await latency(Array.from({ length: 20 }, () => call), 1) // prettier-ignore
    answers.push({ what, p50, p95 })
    log(`${round(deliveries)} deliveries, ${what}: p95 ${round(p95)} ms`)
  }
  return answers
}

const sink = await startSink(subject)
const settings = {
  ...{ SMTP_URL: sink.url, MAIL_PER_DOMAIN: '0', MAIL_PER_ADDRESS: '0', MAIL_FROM: 'Bench <bench@example.org>' },
  ...{ DKIM_DOMAIN: dkim.domainName, DKIM_SELECTOR: dkim.keySelector, DKIM_PRIVATE_KEY: privateKey },
}
try {
  await onStage(people, settings, async (stage) => {
    const sent = await timeSending(stage, sink)
    if (!/^DKIM-Signature:/m.test(sink.sample)) throw new Error('a mail was not signed')
    await sleep(2_000)
    const bare = await timeBare(sink, Math.min(sent.mails, 10_000))
    const ratio = sent.perMinute / bare
    const lines = [
      ['first mail after', `${round(sent.startSeconds, 1)} s`, `≤ 60 s${missed(sent.startSeconds > 60)}`],
      ['mails', round(sent.mails), ''],
      ['mails a minute', round(sent.perMinute), `≥ 10,000${missed(sent.perMinute < 10_000)}`],
      ['a bare pool', round(bare), ''],
      ['product to it', round(ratio, 2), `≥ 0.5${missed(ratio < 0.5)}`],
      ['worker, a fifth of the way', `${round(sent.early)} MB`, ''],
      ['worker, at the end', `${round(sent.late)} MB`, ''],
      ['worker, at its highest', `${round(sent.peak)} MB`, ''],
    ]
    console.log(`\n${table([[`message to ${round(people)} people`, 'measured', 'wanted'], ...lines])}`)
    const reports = []
    for (const size of sizes) reports.push({ size, answers: await timeReports(stage, size) })
    const [least] = reports
    const rows = reports.flatMap(({ size, answers }) =>
      answers.map(({ what, p50, p95 }, nth) => {
        const growth = p50 / (least?.answers[nth]?.p50 ?? p50)
        return [
          `${what}, ${round(size)} deliveries`,
          round(p50),
          `${round(p95)}${missed(p95 > 500)}`,
          `${round(growth, 2)}${missed(growth > 1.3)}`,
        ]
      }),
    )
    if (rows.length > 0) console.log(`\n${table([['reports, at most 500 ms', 'p50 ms', 'p95 ms', 'growth, at most 1.3'], ...rows])}`)
  })
} finally {
  await sink.stop()
}
