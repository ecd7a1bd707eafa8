import { decodeJwt, decodeProtectedHeader } from 'jose'
import type { Config } from '../platform/config.ts'
import type { Services } from '../platform/services.ts'
import { claimAt, rolesClaim } from '../platform/sign-in/token-claims.ts'
import type { VerifiedToken } from '../platform/sign-in/token.ts'
import { TokenError } from '../platform/sign-in/token-error.ts'
import { fault, note, ok } from './doctor-finding.ts'
import type { Finding } from './doctor-finding.ts'

/** Why a token is refused, and what usually is behind it. */
const reasons: Record<string, [says: string, todo: string]> = {
  ERR_JWT_EXPIRED: ['it has expired', 'Sign in again and take a fresh one.'],
  expired: ['it has expired', 'Sign in again and take a fresh one.'],
  issued_in_future: ['it was issued in the future', 'Set the clocks of this machine and of the provider.'],
  not_an_access_token: [
    'it has the marks of an id token',
    'Pass the access token, not the id token. If it is the access token (Keycloak), let the client use “at+jwt” as the header type of access tokens.',
  ],
  wrong_type: ['its header names a type that is no access token', 'Pass the access token.'],
  other_client: ['it was issued to another client', 'Add that client to API_CLIENT_IDS if its people may come in.'],
  other_issuer: ['it was issued by another provider', 'Compare ISSUER with its claim iss.'],
  other_audience: ['it is not meant for this project', 'PROJECT_RESOURCE_ID must be among its audience (aud).'],
  inactive: ['the provider calls it inactive', 'Take a fresh one, and check that the introspecting client may see it.'],
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: ['its signature is wrong', 'Check that it was copied whole.'],
  ERR_JWKS_NO_MATCHING_KEY: ['the provider publishes no key that signed it', 'It may come from another installation of the provider.'],
  subject: ['its subject (sub) is missing or unusable', 'The provider must name the person in sub.'],
  times: ['it lacks times of issue and expiry', 'The provider must send iat and exp.'],
}

/** Looks at an access token as the APIs would. */
export async function examineToken({ config, tokens, provider, identities }: Services, token: string): Promise<Finding[]> {
  const kind = kindOf(token)
  if (kind === 'opaque' && config.AUTH_MODE === 'jwt') {
    return [
      fault(
        'The access token is opaque: nothing can be read from it.',
        'Let the client issue access tokens as JWT (Zitadel: the application’s Token Settings), or set AUTH_MODE=introspection.',
      ),
    ]
  }
  const findings = [ok(kind === 'jwt' ? 'The access token is a JWT.' : 'The access token is opaque and introspected.')]
  try {
    const verified = await tokens.verify(token)
    const minutes = Math.round((verified.expiresAt - verified.issuedAt) / 60)
    findings.push(
      ok('The APIs accept it.'),
      minutes > 15
        ? note(`It lives for ${minutes} minutes.`, 'Keep access tokens at 5 to 15 minutes: so long a stolen one works.')
        : ok(`It lives for ${minutes} minutes.`),
      verified.idpOrg === null
        ? note(
            `It names no organisation in ${config.ORG_CLAIM}.`,
            'That is fine when Guildhall has one organisation, founded without --idp-org.',
          )
        : ok(`It names the organisation ${verified.idpOrg}.`),
      await rolesFinding({ config, identities }, token, verified),
    )
    findings.push(await profileFinding({ config, tokens }, { bearer: token, token: verified }))
  } catch (error) {
    findings.push(refusal(error, token, config, provider.clockAhead()))
  }
  return findings
}

function kindOf(token: string): 'jwt' | 'opaque' {
  try {
    decodeProtectedHeader(token)
    return 'jwt'
  } catch {
    return 'opaque'
  }
}

/** Which of its roles count here, and why others do not. */
async function rolesFinding({ config, identities }: Pick<Services, 'config' | 'identities'>, token: string, { grants }: VerifiedToken) {
  if (grants.length === 0) return rolesMissing(token, config)
  const caller = await identities.identify(`Bearer ${token}`).catch(() => undefined)
  if (!caller) return note('Whether its roles count could not be asked of the database.', 'See below.')
  const ignored = grants.filter(({ role }) => !caller.roles.includes(role))
  if (ignored.length === 0) return ok(`It carries the roles ${caller.roles.join(', ')}.`)
  const named = ignored.map(({ role, organisations }) => `${role} (${organisations?.join(', ') || 'no organisation named'})`)
  return fault(
    `It carries roles that do not count here: ${named.join('; ')}.`,
    'A role counts in the organisation that granted it. Let ORG_ID and the organisation’s own id at the provider (create-organisation … --idp-org) name the one that grants; roles without one count only without ORG_ID, where Guildhall has one organisation.',
  )
}

function rolesMissing(token: string, config: Config): Finding {
  const name = rolesClaim(config)
  const claims = kindOf(token) === 'jwt' ? decodeJwt(token) : {}
  if (claimAt(claims, name) !== undefined) {
    return note(
      `Its claim ${name} gives no role${config.ORG_ID ? ` in the organisation ${config.ORG_ID}` : ''}.`,
      'Grant the person org-owner or org-admin in the project if they are to have it.',
    )
  }
  const similar = Object.keys(claims).filter((key) => /role|group/i.test(key))
  return note(
    `It has no claim ${name}${similar.length > 0 ? `, but ${similar.join(', ')}` : ''}.`,
    'If this person has a role: let the provider put roles into access tokens (Zitadel: “Assert Roles on Authentication” of the project and “Add user roles to the access token” of the application), name the claim in ROLES_CLAIM, or set ROLES_FROM=userinfo.',
  )
}

async function profileFinding(
  { config, tokens }: Pick<Services, 'config' | 'tokens'>,
  caller: Parameters<Services['tokens']['userInfo']>[0],
) {
  const profile = await tokens.userInfo(caller)
  if (!profile)
    return fault('User info cannot be read with it.', 'Ask for the scopes profile and email, and let the client read user info.')
  if (!profile.email) {
    return note(
      `User info names no e-mail address in ${config.EMAIL_CLAIM}.`,
      'Invitations cannot be recognised then; ask for the scope email or set EMAIL_CLAIM.',
    )
  }
  return profile.emailVerified
    ? ok('User info names a verified e-mail address.')
    : note(
        `User info does not call the e-mail address verified (${config.EMAIL_VERIFIED_CLAIM} is not true).`,
        'Invitations open for verified addresses only; others ask for access and need an administrator’s approval.',
      )
}

function refusal(error: unknown, token: string, config: Config, ahead: number): Finding {
  if (error instanceof TokenError && error.kind === 'unavailable') {
    return fault('The token could not be checked: the provider did not answer.', 'See above.')
  }
  const code = error instanceof TokenError ? error.code : 'unreadable'
  if (code === 'ERR_JWT_CLAIM_VALIDATION_FAILED' && kindOf(token) === 'jwt') return claimRefusal(decodeJwt(token), config)
  const [says, todo] = reasons[code] ?? [`of ${code}`, 'Compare it with what the provider documents of its access tokens.']
  return fault(`The APIs refuse it: ${says}${Math.abs(ahead) > 30 ? ` (the clocks differ by ${Math.abs(ahead)} s)` : ''}.`, todo)
}

function claimRefusal({ iss, aud, sub, exp, iat, jti }: Record<string, unknown>, config: Config): Finding {
  const audiences = [aud ?? []].flat().map(String)
  if (!audiences.includes(config.PROJECT_RESOURCE_ID)) {
    return fault(
      `The APIs refuse it: its audience is ${audiences.join(', ') || 'empty'}, without ${config.PROJECT_RESOURCE_ID}.`,
      'Set PROJECT_RESOURCE_ID to the audience of your API, or let the provider add it (Zitadel: the scope urn:zitadel:iam:org:project:id:…:aud; Keycloak: an audience mapper).',
    )
  }
  const missing = Object.entries({ sub, exp, iat, jti }).flatMap(([name, value]) => (value === undefined ? [name] : []))
  if (missing.length > 0) {
    return fault(
      `The APIs refuse it: it lacks ${missing.join(', ')}.`,
      'Let the provider issue access tokens after RFC 9068, which have these claims.',
    )
  }
  return fault(`The APIs refuse it: it was issued by ${String(iss)}.`, `ISSUER is ${config.ISSUER}; both must be the same provider.`)
}
