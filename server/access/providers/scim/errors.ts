type ScimType =
  | 'invalidFilter'
  | 'uniqueness'
  | 'invalidPath'
  | 'invalidValue'
  | 'noTarget'
  | 'tooMany'
  | 'mutability'
  | 'invalidSyntax'

/** An error answer of SCIM (RFC 7644, section 3.12). */
export class ScimError extends Error {
  readonly status: number
  readonly type: ScimType | undefined
  constructor(status: number, detail: string, type?: ScimType) {
    super(detail)
    this.status = status
    this.type = type
  }
}

export const errorBody = (status: number, detail: string, type?: string) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
  status: String(status),
  detail,
  ...(type && { scimType: type }),
})

export const noResource = (what: string, id: string) => new ScimError(404, `No ${what} ${id.slice(0, 50)}`)
