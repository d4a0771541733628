const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group'
/** Maximum number of resources in one answer. */
export const MOST = 200

export const listOf = (resources: readonly unknown[], total = resources.length, startIndex = 1) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
  totalResults: total,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
})

const unsupported = { supported: false }
export const serviceProviderConfig = {
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  patch: { supported: true },
  bulk: { ...unsupported, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MOST },
  changePassword: unsupported,
  sort: unsupported,
  etag: { supported: true },
  authenticationSchemes: [
    { type: 'oauthbearertoken', name: 'Token', description: 'A token of the identity provider’s page in Innkeeper' },
  ],
}

const attribute = (name: string, more: object = {}) => ({
  ...{ name, type: 'string', multiValued: false, required: false, caseExact: false },
  ...{ mutability: 'readWrite', returned: 'default', uniqueness: 'none', description: name },
  ...more,
})
const references = [attribute('value'), attribute('display', { mutability: 'readOnly' })]

export const schemas = [
  {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
    id: USER,
    name: 'User',
    description: 'A staff account',
    attributes: [
      attribute('userName', { required: true, uniqueness: 'server' }),
      attribute('externalId', { caseExact: true }),
      attribute('displayName', { mutability: 'readOnly' }),
      attribute('name', { type: 'complex', subAttributes: [attribute('givenName'), attribute('familyName')] }),
      attribute('emails', {
        type: 'complex',
        multiValued: true,
        subAttributes: [attribute('value'), attribute('type'), attribute('primary', { type: 'boolean' })],
      }),
      attribute('active', { type: 'boolean' }),
      attribute('groups', { type: 'complex', multiValued: true, mutability: 'readOnly', subAttributes: references }),
    ],
    meta: { resourceType: 'Schema', location: `/scim/v2/Schemas/${USER}` },
  },
  {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
    id: GROUP,
    name: 'Group',
    description: 'A group; its mapping gives a role and a department',
    attributes: [
      attribute('displayName', { required: true, uniqueness: 'server' }),
      attribute('externalId', { caseExact: true }),
      attribute('members', { type: 'complex', multiValued: true, subAttributes: references }),
    ],
    meta: { resourceType: 'Schema', location: `/scim/v2/Schemas/${GROUP}` },
  },
]

const type = (name: string, endpoint: string, schema: string) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
  ...{ id: name, name, endpoint, schema },
  meta: { resourceType: 'ResourceType', location: `/scim/v2/ResourceTypes/${name}` },
})
export const resourceTypes = [type('User', '/Users', USER), type('Group', '/Groups', GROUP)]
export { GROUP, USER }
