import { expect, test } from 'vitest'
import { networksOf, placesOf } from './attempts.ts'

test.each([
  ['203.0.113.7', ['203.0.113.7', null, '203.0.113/24', '203.0/16']],
  ['::ffff:203.0.113.7', ['203.0.113.7', null, '203.0.113/24', '203.0/16']],
  ['2001:db8:1:2:3:4:5:6', ['2001:db8:1:2', '2001:db8:1:00/56', '2001:db8:1/48', '2001:db8/32']],
  ['2001:0DB8:0001:ab02::6', ['2001:db8:1:ab02', '2001:db8:1:ab/56', '2001:db8:1/48', '2001:db8/32']],
  ['2001:db8::6', ['2001:db8:0:0', '2001:db8:0:00/56', '2001:db8:0/48', '2001:db8/32']],
  ['::1', ['0:0:0:0', '0:0:0:00/56', '0:0:0/48', '0:0/32']],
  ['fe80::1%eth0', ['fe80:0:0:0', 'fe80:0:0:00/56', 'fe80:0:0/48', 'fe80:0/32']],
])('%s counts as %j', (ip, networks) => {
  expect(networksOf(ip)).toEqual(networks)
})

test('an address is counted without being kept', () => {
  expect(placesOf('203.0.113.7', 'a')).toEqual(placesOf('::ffff:203.0.113.7', 'a'))
  expect(placesOf('203.0.113.7', 'a')[0]).not.toBe(placesOf('203.0.113.8', 'a')[0])
  expect(placesOf('203.0.113.7', 'a')[2]).toBe(placesOf('203.0.113.8', 'a')[2])
  expect(placesOf('203.0.113.7', 'a')[0]).not.toBe(placesOf('203.0.113.7', 'b')[0])
  expect(placesOf('203.0.113.7', 'a').join()).not.toContain('203')
})
