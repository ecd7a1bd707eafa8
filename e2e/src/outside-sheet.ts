import { once } from 'node:events'
import { createServer } from 'node:http'
import { productHere } from './journey.ts'

/** A sheet that another service publishes as CSV, at the one address of this machine that the product may ask; its rows can be changed. */
export async function startSheet(first: readonly (readonly string[])[]) {
  let rows = first
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/csv; charset=utf-8' })
    response.end(rows.map((row) => `${row.join(',')}\r\n`).join(''))
  })
  const { outside } = productHere()
  server.listen(Number(new URL(outside).port), 'localhost')
  await once(server, 'listening')
  return {
    address: `${outside}/members.csv`,
    change: (next: readonly (readonly string[])[]) => (rows = next),
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
