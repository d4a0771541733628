import { afterAll, beforeAll } from 'vitest'
import './testAliases.ts'
import './testFamilies.ts'
import './testRenames.ts'
import { closeNames, openNames } from './testNames.ts'

// one server for all parts, because opening takes longer than the tests
beforeAll(openNames)
afterAll(closeNames)
