import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isContractProcedure, minifyContractRouter } from '@orpc/contract'
import type { AnyContractRouter } from '@orpc/contract'
import type { Plugin } from 'vite'

const moduleId = 'virtual:api-routes'
const resolvedId = `\0${moduleId}`
const contract = join(dirname(fileURLToPath(import.meta.url)), '../../../packages/contract/src/index.ts')

/**
 * Gives the browser the method and path of every operation without their schemas, which would add the whole
 * contract and its validator to the first page. The types still come from the contract itself.
 */
export function apiRoutes(): Plugin {
  return {
    name: 'guildhall-api-routes',
    resolveId: (id) => (id === moduleId ? resolvedId : undefined),
    async load(id) {
      if (id !== resolvedId) return undefined
      const { dataContract, actionsContract } = await import(pathToFileURL(contract).href)
      return `export const dataRoutes = ${routesOf(dataContract)}\nexport const actionsRoutes = ${routesOf(actionsContract)}\n`
    },
  }
}

const routesOf = (router: AnyContractRouter) => JSON.stringify(keepRoutes(minifyContractRouter(router)))

/** Descriptions and examples belong to the published document, not to the browser. */
function keepRoutes(router: AnyContractRouter): unknown {
  if (isContractProcedure(router)) {
    const { method, path, inputStructure, outputStructure, successStatus } = router['~orpc'].route
    return { '~orpc': { meta: {}, errorMap: {}, route: { method, path, inputStructure, outputStructure, successStatus } } }
  }
  return Object.fromEntries(Object.entries(router).map(([name, part]) => [name, keepRoutes(part)]))
}
