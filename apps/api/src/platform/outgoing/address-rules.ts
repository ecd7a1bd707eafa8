import ipaddr from 'ipaddr.js'

/** Answers of a cloud's own services at an address that looks like any other. */
const ofTheCloud = new Set(['168.63.129.16'])
const throughNat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

/**
 * Whether anybody on the internet could mean this address: not this machine, its network, its neighbours, the cloud's services, nor any way of writing one of
 * these as an address of version 6. What is reserved for something is refused as well.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  // ::ffff:127.0.0.1 is 127.0.0.1.
  const address = ipaddr.process(text)
  if (address instanceof ipaddr.IPv6 && address.match(throughNat64)) {
    return isPublicAddress(address.toByteArray().slice(12).join('.'))
  }
  return address.range() === 'unicast' && !ofTheCloud.has(address.toString())
}

/** Why an address somebody typed cannot be asked. */
export type AddressFault = 'not_an_address' | 'not_https' | 'credentials_in_address' | 'port_refused' | 'address_refused'

/** The same in English, for programs. */
export const addressFaults: Record<AddressFault, string> = {
  not_an_address: 'Enter a whole address, such as https://example.org/page.',
  not_https: 'Enter an address that begins with https.',
  credentials_in_address: 'Leave the user name and password out of the address.',
  port_refused: 'Use port 443, or one from 1024 up.',
  address_refused: 'This address is not on the public internet.',
}

/**
 * The address as it will be asked, or what is wrong with it before anybody is asked for its number. `allowed` names hosts with their ports that the
 * operator lets pass, be they private or without TLS: "localhost:4010".
 */
export function readAddress(text: string, allowed: ReadonlySet<string>): URL | AddressFault {
  if (text.length > 2000 || !URL.canParse(text)) return 'not_an_address'
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'not_https'
  if (url.username !== '' || url.password !== '') return 'credentials_in_address'
  if (allowed.has(hostAndPort(url))) return url
  if (url.protocol !== 'https:') return 'not_https'
  // Below 1024 stand other services, some of which take a request for something else.
  if (url.port !== '' && Number(url.port) < 1024) return 'port_refused'
  const literal = url.hostname.replace(/^\[|\]$/g, '')
  if (ipaddr.isValid(literal) && !isPublicAddress(literal)) return 'address_refused'
  if (/(^|\.)(localhost|local|internal|home\.arpa)\.?$/.test(url.hostname)) return 'address_refused'
  return url
}

const hostAndPort = (url: URL): string => `${url.hostname}:${url.port || (url.protocol === 'https:' ? '443' : '80')}`

/** For the setting that names them. */
export const isHostAndPort = (text: string): boolean => URL.canParse(`http://${text}`) && hostAndPort(new URL(`http://${text}`)) === text
