import { afterAll, beforeAll } from 'vitest'
import './testAliases.ts'
import './testFamilies.ts'
import './testRenames.ts'
import { closeNames, openNames } from './testNames.ts'

// one server for all of these stories: to open it takes longer than what they do there
beforeAll(openNames)
afterAll(closeNames)
