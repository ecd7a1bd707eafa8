import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { hostname } from 'node:os'
import { expect, onTestFinished, test } from 'vitest'
import { createMailer } from './mail.ts'
import { readConfig } from '../config.ts'

/** A mail server that knows no encryption and writes down what it is told. */
async function plainServer() {
  const told: string[] = []
  const server = createServer((socket) => {
    socket.write('220 plain\r\n')
    let isText = false
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      for (const line of chunk.toString().split('\r\n').filter(Boolean)) {
        if (isText && line !== '.') continue
        told.push(line)
        isText = line === 'DATA'
        socket.write(isText ? '354 go on\r\n' : '250 fine\r\n')
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
  onTestFinished(() => void server.close())
  return { told, port: (server.address() as AddressInfo).port }
}

async function send(settings: Record<string, string>) {
  const mailer = createMailer(
    readConfig({
      NODE_ENV: 'development',
      DATABASE_URL: 'postgres://app_api:x@db/x',
      ACTOR_KEY: 'ab'.repeat(32),
      ISSUER: 'http://localhost:1',
      CLIENT_ID: 'web',
      PROJECT_RESOURCE_ID: 'x',
      FILES_DIR: '/tmp',
      ...settings,
    }),
  )
  onTestFinished(() => mailer.close())
  await mailer.send({ to: 'ada@example.org', subject: 'Dues', text: 'Hello' })
}

test('no mail leaves this machine unencrypted unless an operator says so', async () => {
  const { told, port } = await plainServer()
  await expect(send({ SMTP_URL: `smtp://user:key@${hostname()}:${port}` })).rejects.toThrow()
  expect(told.filter((line) => /^(AUTH|MAIL|RCPT|DATA)/.test(line))).toEqual([])
  await send({ SMTP_URL: `smtp://${hostname()}:${port}`, SMTP_TLS: 'optional' })
  expect(told).toContain('RCPT TO:<ada@example.org>')
})

test('a server on this machine needs no encryption', async () => {
  const { told, port } = await plainServer()
  await send({ SMTP_URL: `smtp://127.0.0.1:${port}` })
  expect(told).toContain('RCPT TO:<ada@example.org>')
})
