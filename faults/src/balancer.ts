import { startProxy } from './proxy.ts'
import type { Proxy } from './proxy.ts'
import { visitOnce } from './visitors.ts'

/** Sends each new connection to the next server that says it is ready, as a balancer in front of the product does. */
export async function startBalancer(servers: readonly { url: string }[]): Promise<Proxy & { url: string }> {
  let ready = servers.map(({ url }) => Number(new URL(url).port))
  let turn = 0
  const probing = setInterval(() => {
    void Promise.all(servers.map(async ({ url }) => ((await visitOnce(`${url}/readyz`, {})).status === 200 ? [Number(new URL(url).port)] : []))).then(
      (found) => {
        ready = found.flat()
      },
    )
  }, 250) // prettier-ignore
  const proxy = await startProxy(() => ready[turn++ % ready.length] ?? 1)
  return {
    ...proxy,
    url: `http://127.0.0.1:${proxy.port}`,
    stop: async () => {
      clearInterval(probing)
      await proxy.stop()
    },
  }
}
