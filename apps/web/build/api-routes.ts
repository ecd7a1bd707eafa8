import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isContractProcedure, minifyContractRouter } from '@orpc/contract'
import type { AnyContractProcedure, AnyContractRouter } from '@orpc/contract'
import type { Plugin } from 'vite'

const moduleId = 'virtual:api-routes'
const laterId = 'virtual:api-routes/later'
const resolved = (id: string) => `\0${id}`
/** Areas that the frame, home or nearly every page asks. The operations of all others come in a file of their own with the first call of one. */
const firstAreas = [
  'account',
  'chapters',
  'communication',
  'events',
  'groups',
  'home',
  'lists',
  'notifications',
  'people',
  'site',
  'timeline',
]
const contract = join(dirname(fileURLToPath(import.meta.url)), '../../../packages/contract/src/index.ts')

/**
 * Gives the browser the method and path of every operation without their schemas, which would add the whole
 * contract and its validator to the first page. The types still come from the contract itself.
 */
export function apiRoutes(): Plugin {
  return {
    name: 'guildhall-api-routes',
    resolveId: (id) => (id === moduleId || id === laterId ? resolved(id) : undefined),
    async load(id) {
      if (id !== resolved(moduleId) && id !== resolved(laterId)) return undefined
      const isFirst = id === resolved(moduleId)
      const { dataContract, actionsContract } = await import(pathToFileURL(contract).href)
      const routes = (router: AnyContractRouter) =>
        routesOf(Object.fromEntries(Object.entries(router).filter(([area]) => firstAreas.includes(area) === isFirst)))
      return `${expand}\nexport const dataRoutes = ${routes(dataContract)}\nexport const actionsRoutes = ${routes(actionsContract)}\n`
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
