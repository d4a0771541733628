import { afterAll, beforeAll } from 'vitest'
import './test/aliases.ts'
import './test/families.ts'
import './test/renames.ts'
import { closeNames, openNames } from './test/names.ts'

// one server for all parts, because opening takes longer than the tests
beforeAll(openNames)
afterAll(closeNames)
