import { expect, test } from 'vitest'
import { networkOf, placeOf } from './attempts.ts'

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0DB8:0001:0002::6', '2001:db8:1:2'],
  ['2001:db8::6', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
])('%s counts as %s', (ip, network) => {
  expect(networkOf(ip)).toBe(network)
})

test('an address is counted without being kept', () => {
  expect(placeOf('203.0.113.7', 'a')).toBe(placeOf('::ffff:203.0.113.7', 'a'))
  expect(placeOf('203.0.113.7', 'a')).not.toBe(placeOf('203.0.113.8', 'a'))
  expect(placeOf('203.0.113.7', 'a')).not.toBe(placeOf('203.0.113.7', 'b'))
  expect(placeOf('203.0.113.7', 'a')).not.toContain('203')
})
