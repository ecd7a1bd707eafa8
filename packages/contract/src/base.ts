import { eventIterator, oc } from '@orpc/contract'
import type { HTTPMethod, HTTPPath } from '@orpc/contract'
import { errorCatalogue } from './errors.ts'
import type { Permission } from './permissions.ts'

/** What every procedure declares besides its shapes; nothing compiles without it. */
export type ProcedureMeta = {
  /** The permission that opens it, `signed-in` for every active account, `token` for a valid token without an account, `public` for everybody. */
  needs: Permission | 'signed-in' | 'token' | 'public'
  /** Changes one record in place: If-Match with the record's version is required. */
  ifMatch?: boolean
  /** Needs a sign-in within the last ten minutes, proven by the header Sign-In-Proof. */
  recentSignIn?: boolean
  /** Takes multipart/form-data and reads its parts as they arrive. */
  upload?: boolean
  /** Creates or triggers: an Idempotency-Key makes repeating it harmless. */
  idempotent?: boolean
  /** How often one account, or whoever signs in, may use it within an hour, over all servers: for what sends mail, makes files, asks the provider or takes long. */
  perHour?: number
  /** Answers with people, so many at most unless the request has a `limit`: they count towards what one account may read in an hour. */
  readsPeople?: number
  /** Open to those who act for somebody else (header Acting-For), with the rights of that person; everything else is refused to them. */
  whileActing?: boolean
  /** False where no API key is taken; see `takesKey`. */
  withKey?: false
}

type Opened = { needs?: string | undefined; recentSignIn?: boolean | undefined; withKey?: boolean | undefined }
/** Whether API keys are taken: where a person has to have signed in, none is. */
export const takesKey = ({ needs, recentSignIn, withKey }: Opened): boolean =>
  needs !== 'token' && recentSignIn !== true && withKey !== false

export type Declaration = ProcedureMeta & { summary: string; description?: string; tag: string; status?: 200 | 201 | 202 | 204 }

const declare = (method: HTTPMethod, path: HTTPPath, operationId: string, { summary, description, tag, status, ...meta }: Declaration) =>
  oc
    .$meta<ProcedureMeta>(meta)
    .route({ method, path, operationId, summary, tags: [tag], successStatus: status ?? 200, ...(description ? { description } : {}) })
    .errors(errorCatalogue)

/** A read. */
export const get = (path: HTTPPath, operationId: string, declaration: Declaration) => declare('GET', path, operationId, declaration)
/** A creation or another act that is not safe to repeat without an Idempotency-Key; 201 unless stated. */
export const post = (path: HTTPPath, operationId: string, declaration: Declaration) =>
  declare('POST', path, operationId, { idempotent: true, status: 201, ...declaration })
/** A change of one record that has a name of its own, such as archiving it; needs If-Match. */
export const act = (path: HTTPPath, operationId: string, declaration: Declaration) =>
  post(path, operationId, { status: 200, ifMatch: true, ...declaration })
/** A partial change of one record; needs If-Match. */
export const patch = (path: HTTPPath, operationId: string, declaration: Declaration) =>
  declare('PATCH', path, operationId, { ifMatch: true, ...declaration })
/** Sets something to a value; repeating it changes nothing more. */
export const put = (path: HTTPPath, operationId: string, declaration: Declaration) => declare('PUT', path, operationId, declaration)
/** Removes or archives. */
export const del = (path: HTTPPath, operationId: string, declaration: Declaration) =>
  declare('DELETE', path, operationId, { status: 204, ...declaration })
/** An answer that goes on as server-sent events, each of this shape, until one of the two sides ends it. */
export const eventsOf = eventIterator
