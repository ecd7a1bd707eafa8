/**
 * The same page of people from PostGraphile 5, which answers GraphQL out of a database with row-level security: the same role, the same actor
 * and as many connections, its own caches of operations and prepared statements on, nothing on that is for development.
 */
import { createServer } from 'node:http'
import { createSigner } from '@guildhall/db/actor'
import pg from 'pg'
import { postgraphile } from 'postgraphile'
import { makePgService } from 'postgraphile/adaptors/pg'
import { grafserv } from 'postgraphile/grafserv/node'
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber'

const { DATABASE_URL = '', ACTOR_KEY = '', ORG_ID = '', ACCOUNT_ID = '', IDP_ROLES = '', PORT = '0' } = process.env
const pool = new pg.Pool({
  connectionString: DATABASE_URL,
  max: 16,
  options: '-c timezone=UTC -c search_path=app,extensions -c jit=off',
})
const sign = createSigner(ACTOR_KEY).actor
const actor = { orgId: ORG_ID, accountId: ACCOUNT_ID, idpRoles: IDP_ROLES.split(',').filter(Boolean) }

const instance = postgraphile({
  extends: [PostGraphileAmberPreset],
  pgServices: [makePgService({ pool, schemas: ['app', 'bench'] })],
  grafast: { context: () => ({ pgSettings: { 'app.actor': sign(actor) } }) },
  grafserv: { graphqlPath: '/graphql', graphiql: false, websockets: false, watch: false },
})
const service = instance.createServ(grafserv)
const server = createServer()
await service.addTo(server)
// Ready once the database has been looked at.
await instance.getSchema()
server.listen(Number(PORT), '127.0.0.1', () => process.send?.('ready'))
process.once('disconnect', () => process.exit(0))
