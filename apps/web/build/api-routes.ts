import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isContractProcedure, minifyContractRouter } from '@orpc/contract'
import type { AnyContractProcedure, AnyContractRouter } from '@orpc/contract'
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
      return `${expand}\nexport const dataRoutes = ${routesOf(dataContract)}\nexport const actionsRoutes = ${routesOf(actionsContract)}\n`
    },
  }
}

/** Some hundred operations come with the first page: what all of them have is said once. */
const expand = `const operation = (method, path, successStatus, structures) => ({ '~orpc': { meta: {}, errorMap: {}, route: { method, path, successStatus, ...structures } } })`

/** Descriptions and examples belong to the published document, not to the browser. */
function routesOf(router: AnyContractRouter): string {
  const minified = minifyContractRouter(router)
  return isContractProcedure(minified)
    ? operationOf(minified)
    : `{${Object.entries(minified)
        .map(([name, part]) => `${JSON.stringify(name)}:${routesOf(part)}`)
        .join()}}`
}

function operationOf({ '~orpc': { route } }: AnyContractProcedure): string {
  const { method, path, successStatus, inputStructure, outputStructure } = route
  const structures = { ...(inputStructure && { inputStructure }), ...(outputStructure && { outputStructure }) }
  return `operation(${[method, path, successStatus ?? 200].map((value) => JSON.stringify(value)).join()}${Object.keys(structures).length > 0 ? `,${JSON.stringify(structures)}` : ''})`
}
