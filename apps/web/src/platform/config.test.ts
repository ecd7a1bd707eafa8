import { expect, test } from 'vitest'
import { parseConfig } from './config.ts'

const given = {
  issuer: 'http://localhost:3001',
  client_id: 'guildhall-web',
  project_resource_id: 'guildhall',
  org_id: null,
  data_api: '/data',
  actions_api: '/actions',
}

test('settings are read, with the usual names where none are given', () => {
  expect(parseConfig(given)).toEqual({
    ...given,
    auth_name: 'zitadel',
    auth_type: 'window',
    monitor_session: false,
    feedback_form: false,
    scopes: null,
    roles_claim: null,
    session_recording: false,
    tracing: false,
  })
})

test.each(['issuer', 'client_id', 'data_api', 'actions_api'])('S3-1 %s is required', (name) => {
  expect(() => parseConfig({ ...given, [name]: '' })).toThrow(`config.json has no ${name}`)
  expect(() => parseConfig({ ...given, [name]: 7 })).toThrow(`config.json has no ${name}`)
})

test.each([null, 'text', []])('%j is no configuration', (value) => expect(() => parseConfig(value)).toThrow('config.json has no issuer'))
test('an issuer must be an address', () => expect(() => parseConfig({ ...given, issuer: 'zitadel' })).toThrow('no address'))
