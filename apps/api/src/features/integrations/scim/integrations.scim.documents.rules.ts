import { mostAtOnce } from './integrations.scim.answers.rules.ts'
import { groupSchema } from './integrations.scim.group.rules.ts'
import { userSchema } from './integrations.scim.user.rules.ts'

// What a provider reads about this service before it sends anything, after RFC 7643.

export const providerConfig = (base: string) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: mostAtOnce },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'The token that the connection shows once',
      specUri: 'https://www.rfc-editor.org/rfc/rfc6750',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
})

export const resourceTypes = (base: string) =>
  [
    { id: 'User', endpoint: '/Users', description: 'Account', schema: userSchema },
    { id: 'Group', endpoint: '/Groups', description: 'Standard role in the whole organisation', schema: groupSchema },
  ].map((type) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    name: type.id,
    ...type,
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${type.id}` },
  }))

type Attribute = {
  name: string
  type?: string
  required?: boolean
  mutability?: string
  uniqueness?: string
  of?: Attribute[]
  many?: boolean
}

const attribute = ({
  name,
  type = 'string',
  required = false,
  mutability = 'readWrite',
  uniqueness = 'none',
  of,
  many = false,
}: Attribute): object => ({
  name,
  type: of ? 'complex' : type,
  multiValued: many,
  required,
  mutability,
  returned: 'default',
  ...(of
    ? { subAttributes: of.map(attribute) }
    : { uniqueness, ...(type === 'string' && { caseExact: name === 'externalId' || name === 'value' }) }),
})

const readOnly = 'readOnly'
export const schemas = (base: string) =>
  [
    {
      id: userSchema,
      name: 'User',
      description: 'Account',
      attributes: [
        { name: 'userName', required: true, uniqueness: 'server' },
        { name: 'externalId' },
        { name: 'displayName' },
        { name: 'name', of: [{ name: 'formatted' }, { name: 'givenName' }, { name: 'familyName' }] },
        { name: 'active', type: 'boolean' },
        { name: 'emails', many: true, of: [{ name: 'value' }, { name: 'type' }, { name: 'primary', type: 'boolean' }] },
        {
          name: 'groups',
          many: true,
          mutability: readOnly,
          of: [
            { name: 'value', mutability: readOnly },
            { name: 'display', mutability: readOnly },
          ],
        },
      ],
    },
    {
      id: groupSchema,
      name: 'Group',
      description: 'Standard role in the whole organisation',
      attributes: [
        { name: 'displayName', mutability: readOnly, uniqueness: 'server' },
        { name: 'externalId' },
        {
          name: 'members',
          many: true,
          of: [
            { name: 'value', mutability: 'immutable' },
            { name: 'display', mutability: readOnly },
          ],
        },
      ],
    },
  ].map(({ attributes, ...schema }) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
    ...schema,
    attributes: attributes.map(attribute),
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${schema.id}` },
  }))
