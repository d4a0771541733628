import { afterAll, beforeAll, beforeEach } from 'vitest'
import { setAside } from '../testing/work.ts'
import './testZones.ts'
import './testRecords.ts'
import './testSyncs.ts'
import './testSettings.ts'
import { closeDns, openDns, t } from './testDns.ts'

// one server for all of these stories: to open it takes longer than what they do there
beforeAll(openDns)
afterAll(closeDns)
beforeEach(() => setAside(t.app.db))
