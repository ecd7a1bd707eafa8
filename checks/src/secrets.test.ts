import { expect, test } from 'vitest'
import { secrets } from './secrets.ts'

const scan = (content: string) => secrets({ files: ['a.ts'], read: () => content })

test('a file without secrets has no findings', async () => {
  expect(await scan('const token = process.env.TOKEN\nfetch("https://example.com/")')).toEqual([])
})

// Put together here, so that this file has none.
const joined = (...parts: string[]) => parts.join('')

test.each([
  ['a token of a forge', joined('const token = "gh', 'p_', 'a1B2'.repeat(9), '"')],
  ['a private key', joined('-----BEGIN RSA ', 'PRIVATE KEY-----\n', 'MIIEpAIBAAKCAQEA'.repeat(8), '\n-----END RSA ', 'PRIVATE KEY-----')],
  ['a password in an address', joined('fetch("https://ada', ':Xk29vLq8', '@example.com/")')],
])('%s is found', async (_, content) => {
  expect(await scan(content)).not.toEqual([])
})
