import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { patientLookup } from '@innkeeper/contract/patientLookup'

/** One for the process, so that all share what is being looked up. */
export const patiently = patientLookup(lookup)

/** The same for connections that are not judged. */
export const lookupPatiently: LookupFunction = (host, { all }, answer) =>
  patiently(host, { all: true }, (error, found) => {
    const [first] = found
    if (error || all || !first) answer(error, found)
    else answer(null, first.address, first.family)
  })
