import { type Endpoint, type Input, id, type Output, patch, version } from '@innkeeper/contract/kit/endpoint'
import { movedDays, note, someDays, year } from '@innkeeper/contract/planning/leaves/calls'
import { ApiError, type Bound } from '../../../kit/api/client.ts'
import { leavesApi } from '../api.ts'

/** The call accepts lists of changes; a form sends one change with flat fields. */
const { updateEmployee } = leavesApi
const { path, access, spec } = updateEmployee.endpoint
const same = { summary: spec.summary, returns: spec.returns }
const entitlement = patch(path, access, { ...same, body: { typeId: id, yearlyDays: someDays.nullable(), version } })
const adjustment = patch(path, access, { ...same, body: { typeId: id, year, days: movedDays, note, version } })

/** Wraps the call for useCallForm, which uses only the call, its endpoint and its key. */
function formOf<E extends Endpoint>(endpoint: E, send: (input: Input<E>) => Promise<Output<E>>): Bound<E> {
  const save = async (input: Input<E>) => {
    try {
      return await send(input)
    } catch (error) {
      throw error instanceof ApiError ? new ApiError(error.status, side(error.body), error.call) : error
    }
  }
  const query = () => {
    throw new Error('a form is not read')
  }
  // a Bound call has only these members
  return Object.assign(save, { endpoint, key: updateEmployee.key, query }) as unknown as Bound<E>
}

/** Maps the error of the single list entry to the fields of the form. */
function side(body: ApiError['body']): ApiError['body'] {
  if (!body.fields) return body
  const named = Object.entries(body.fields).map(([key, text]) => [key.replace(/^\w+\.0\./, ''), text])
  return { ...body, fields: Object.fromEntries(named) }
}

export const entitleForm = formOf(entitlement, ({ typeId, yearlyDays, ...rest }) =>
  updateEmployee({ ...rest, entitlements: [{ typeId, yearlyDays }] }),
)
export const adjustForm = formOf(adjustment, ({ typeId, year, days, note, ...rest }) =>
  updateEmployee({ ...rest, adjustments: [{ typeId, year, days, note }] }),
)
