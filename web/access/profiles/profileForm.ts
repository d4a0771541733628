import { fields, type Profile } from '@innkeeper/contract/access/profiles'
import { type Input, id, type Output, patch, version } from '@innkeeper/contract/kit/endpoint'
import * as z from 'zod'
import { ApiError, type Bound } from '../../kit/api/client.ts'
import { profilesApi } from './api.ts'

/** The call nests some fields; the form keeps them flat. */
const { update } = profilesApi
const endpoint = patch(update.endpoint.path, update.endpoint.access, {
  summary: update.endpoint.spec.summary,
  params: { id },
  body: { ...fields, opensShifts: z.boolean().optional(), version },
  returns: update.endpoint.spec.returns,
})
type Flat = typeof endpoint

async function save(input: Input<Flat>): Promise<Output<Flat>> {
  const { firstName, lastName, phone, birthDate, ...rest } = input
  try {
    return await update({ ...rest, personalDetails: { firstName, lastName, phone, birthDate } })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw new ApiError(error.status, side(error.body), error.call)
  }
}

/** Moves errors of nested fields to the flat fields. */
function side(body: ApiError['body']): ApiError['body'] {
  const named = Object.entries(body.fields ?? {}).map(([key, text]) => [key.replace(/^personalDetails\./, ''), text])
  const current = body.current as Profile | undefined // the 409 of this call contains the profile
  return {
    ...body,
    ...(body.fields && { fields: Object.fromEntries(named) }),
    ...(current && { current: { ...current, ...current.personalDetails } }),
  }
}

/** The call for useCallForm, which uses only these properties. */
export const profileForm: Bound<Flat> = Object.assign(save, {
  endpoint,
  key: update.key,
  query: () => {
    throw new Error('profileForm only saves')
  },
})
